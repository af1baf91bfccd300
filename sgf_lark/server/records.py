"""Contents of documents: findings, answers to requests, and the games of records."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

from lsprotocol import types as lsp
from pygls.workspace import TextDocument, Workspace

from sgf_lark.core import (
    MAX_ALIKE,
    Collection,
    Diagnostic,
    Edit,
    GameTree,
    Judgement,
    Node,
    Nodes,
    Options,
    Property,
    Report,
    Severity,
    Span,
    TextSource,
    decode,
    describe_place,
    examine,
    load,
    rule_page,
)
from sgf_lark.settings.settings import Settings

_LINE_BREAK = re.compile(r"\r\n|\n|\r")

#: By the encoding of positions: a codec, and the bytes of a unit.
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Document(TextDocument):
    content: Any = None  # what was read of the text; None after a change
    _last = 0, 0, 0  # the start of a line, an offset in it, the units between them

    def __init__(self, uri: str, source: str | None = None, **options: Any) -> None:
        super().__init__(uri, source, **options)
        encoding = self.position_codec.encoding or "utf-16"
        self._codec, self._width = _CODECS[getattr(encoding, "value", encoding)]
        self._replace_all(source or "")

    def _replace_all(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(found.end() for found in _LINE_BREAK.finditer(text))]
        self._moved = len(self._starts)  # lines from this one on begin ``_distance`` later
        self._distance = 0

    def apply_change(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        """Make a change of the editor, in time for the change and a copy of the text."""
        self.content, self._last = None, (0, 0, 0)
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            self._replace(self.span(change.range), change.text)
        else:
            self._replace_all(change.text)

    def _replace(self, span: Span, new: str) -> None:
        start, end = span[0], max(span)
        first, last = self.line_of(start), self.line_of(end)
        first += self._start(first) < start  # a line that begins there may begin no longer
        self._move_to(last + 1)
        self.text = text = self.text[:start] + new + self.text[end:]
        stop = start + len(new)
        ends = (found.end() for found in _LINE_BREAK.finditer(text, max(start - 1, 0), stop + 1))
        starts = [0] * (start == 0) + [at for at in ends if start <= at <= stop]
        self._starts[first : last + 1] = starts
        self._moved = first + len(starts)
        self._distance += len(new) - (end - start)

    def _move_to(self, line: int) -> None:
        low, high = sorted((line, self._moved))
        by = self._distance if line > self._moved else -self._distance
        self._starts[low:high] = [start + by for start in self._starts[low:high]]
        self._moved = line

    def _start(self, line: int) -> int:
        if line >= len(self._starts):
            return len(self.text)
        return self._starts[line] + (self._distance if line >= self._moved else 0)

    def line_of(self, offset: int) -> int:
        return bisect_right(range(len(self._starts)), offset, key=self._start) - 1

    def units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._width

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; the end of its line, or of the text, at most."""
        start = self._start(position.line)
        line = self.text[start : self._start(position.line + 1)].rstrip("\r\n")
        data = line.encode(self._codec, "surrogatepass")[: position.character * self._width]
        errors = "surrogatepass" if self._width > 1 else "ignore"
        return start + len(data.decode(self._codec, errors))

    def position(self, offset: int) -> lsp.Position:
        line = self.line_of(offset)
        start = self._start(line)
        begin, known, units = self._last
        if begin != start or known > offset:
            known, units = start, 0
        units += self.units(self.text[known:offset])
        self._last = start, offset, units
        return lsp.Position(line, units)

    def range(self, span: tuple[int, int]) -> lsp.Range:
        return lsp.Range(self.position(span[0]), self.position(span[1]))

    def span(self, range: lsp.Range) -> Span:
        return Span(self.offset(range.start), self.offset(range.end))


class Documents(Workspace):
    """The documents of an editor, each a :class:`Document`."""

    def _create_text_document(self, doc_uri: str, *_: Any, **options: Any) -> Document:
        return Document(doc_uri, position_codec=self.position_codec, **options)


#: From content and the parameters of a request to the result, which may be awaited.
Answer: TypeAlias = Callable[[Any, Any], Any]

#: The options of requests.
OPTIONS: dict[str, Any] = {}

_SEVERITIES = dict(zip(Severity, lsp.DiagnosticSeverity, strict=False))

#: Most places that are related to a finding.
MAX_RELATED = 20


#: Characters that are colored in an answer.
MAX_COLORED = 100_000

#: The types of semantic tokens: of names of properties by their category, of values and of parts
#: of a grammar.
TYPES = [
    *("function", "method", "keyword", "property", "decorator", "variable"),
    *("string", "number", "enumMember", "type", "regexp", "comment"),
]
LEGEND = lsp.SemanticTokensLegend(TYPES, [])


class OutdatedError(Exception):
    """The text that is checked is no longer that of the editor."""


class DocumentContent(ABC):
    answers: ClassVar[dict[str, Answer]]  # the functions that answer requests, by their methods

    def __init_subclass__(cls) -> None:
        cls.answers = {}

    def __init__(self, document: Document, settings: Settings) -> None:
        self.document, self.text, self.settings = document, document.text, settings
        self.report: Report | None = None  # the findings; None until the check is done

    @classmethod
    def answering(cls, method: str, options: Any = None) -> Callable[[Answer], Answer]:
        """Register a function that answers a request about such documents."""
        OPTIONS[method] = options or OPTIONS.get(method)

        def register(answer: Answer) -> Answer:
            return cls.answers.setdefault(method, answer)

        return register

    @abstractmethod
    def check(self, is_wanted: Callable[[], bool]) -> Report:
        """Check the text, and keep the report (OutdatedError: the result is no longer wanted).

        Args:
            is_wanted: Called now and then; False ends the check.
        """

    @property
    def is_current(self) -> bool:
        return self.document.content is self

    def edits(self, edits: Iterable[Edit]) -> list[lsp.TextEdit]:
        range = self.document.range
        return [lsp.TextEdit(range((one.offset, one.end_offset)), one.replacement) for one in edits]

    def to_color(self, params: Any) -> Span:
        """Return what a request for semantic tokens wants: a range, or the beginning."""
        range = getattr(params, "range", None)
        start, end = (0, MAX_COLORED) if range is None else self.document.span(range)
        return Span(start, min(end, start + MAX_COLORED))

    def colored(self, tokens: Iterable[tuple[int, int, int]]) -> lsp.SemanticTokens:
        """Return tokens, each with its start, its end and the number of its type."""
        data, line, column = list[int](), 0, 0
        for start, end, kind in tokens:
            place = self.document.position(start)
            column = column if place.line == line else 0
            length = self.document.units(self.text[start:end])
            data += [place.line - line, place.character - column, length, kind, 0]
            line, column = place.line, place.character
        return lsp.SemanticTokens(data)

    @property
    def fixable(self) -> list[Diagnostic]:
        return [
            one for one in self.report or () if one.fix and one.fix.edits and not one.fix.encoding
        ]

    def quick_fixes(self, range: lsp.Range) -> list[lsp.CodeAction]:
        (start, end), actions = self.document.span(range), list[lsp.CodeAction]()
        for finding in self.fixable:
            fix = finding.fix
            if fix and finding.offset <= end and finding.end_offset >= start:
                title = fix.message if fix.safe else f"{fix.message} (unsafe)"
                action = lsp.CodeAction(title, "quickfix", is_preferred=fix.safe)
                action.diagnostics = self.diagnostics([finding])
                action.edit = lsp.WorkspaceEdit({self.document.uri: self.edits(fix.edits)})
                actions.append(action)
        return actions

    def diagnostics(self, findings: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
        """Return findings; the places that a fix changes elsewhere are related to its finding."""
        several = any(finding.game for finding in self.report or ())
        return [self._diagnostic(finding, several=several) for finding in findings]

    def _diagnostic(self, finding: Diagnostic, *, several: bool) -> lsp.Diagnostic:
        where = describe_place(finding, several=several)
        message = "; ".join(filter(None, (finding.message, finding.help)))
        fix, page = finding.fix, rule_page(finding.code, self.settings.site)
        place = self.document.range((finding.offset, finding.end_offset))
        changed = [edit.range for edit in self.edits(fix.edits[:MAX_RELATED] if fix else ())]
        others = [one for one in changed if one.end < place.start or one.start > place.end]
        related = [
            lsp.DiagnosticRelatedInformation(lsp.Location(self.document.uri, one), "the fix")
            for one in others
        ]
        return lsp.Diagnostic(
            range=place,
            message=f"{message} ({where})" if where else message,
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            code_description=lsp.CodeDescription(page) if page else None,
            source="sgf-lark",
            related_information=related,
        )


class CursorPlace(NamedTuple):
    game: GameTree
    node: Node
    prop: Property | None  # the property; None between properties
    number: int | None  # the number of the value in it; None for the name
    span: Span


def extent_of(game: GameTree) -> Span:
    """Return the place of a game, from its first to its last bracket."""
    return game.nodes.tape.span


def place_of(nodes: Nodes, number: int) -> Span:
    return nodes.tape.node(number, len(nodes.tape.said(number)))


class Record(DocumentContent):
    """One version of a document with games."""

    @property
    def reading(self) -> dict[str, Any]:
        return self.settings.reading

    @cached_property
    def collection(self) -> Collection:
        """The games: those of the check if it is done, else read without judging."""
        file = StringIO(self.text)
        file.name = self.document.path
        return load(file, strict=False, validate=False, **self.reading)

    def check(self, is_wanted: Callable[[], bool]) -> Report:
        games: list[GameTree] = []

        def add(game: GameTree) -> None:
            if not is_wanted():
                raise OutdatedError
            games.append(game)

        how, name = Options.of_check(self.settings, {}), self.document.path
        report = examine(self._data(), name, how, self.settings, MAX_ALIKE, add)
        for finding in report:
            vars(finding)  # completes it: this is the thread with time
        for game in games:
            _ = game.nodes.move_numbers  # kept for requests
        source, nodes = TextSource(self.text), (game.nodes for game in games)
        judgement = Judgement(lambda: report.diagnostics)
        self.report, self.collection = report, Collection.of(source, nodes, None, judgement)
        return report

    def _data(self) -> str | bytes:
        """Return the bytes on the disk if they are this text: encodings are judged by bytes."""
        with suppress(OSError, ValueError):
            file = Path(self.document.path)
            data = file.read_bytes() if file.is_file() else b""  # a pipe may never end
            return data if decode(data).text == self.text else self.text
        return self.text

    def games_in(self, span: tuple[int, int]) -> Iterator[GameTree]:
        """Yield the games of which a part is in a span, or that touch it."""
        for game in self.collection:
            if extent_of(game).start <= span[1] and extent_of(game).end >= span[0]:
                yield game

    def place(self, position: lsp.Position) -> CursorPlace | None:
        """Return the value, name or node at a position; None if there is no game before it."""
        offset = self.document.offset(position)
        games = self.collection.games
        at = bisect_right(games, offset, key=lambda game: extent_of(game).start) - 1
        if at < 0:
            return None
        nodes = games[at].nodes
        node, place = nodes.tape.locate(offset)
        here = CursorPlace(games[at], nodes[node], None, None, Span(offset, offset))
        if place < 0:
            return here
        prop = here.node.properties[place]
        spans = [nodes.tape.name(node, place, len(prop.name))]
        spans += [nodes.tape.value(node, place, number) for number in range(len(prop.raw))]
        number = bisect_right(spans, offset, key=lambda span: span.start) - 1
        if offset > spans[number].end:
            return here
        index = number - 1 if number else None
        return CursorPlace(here.game, here.node, prop, index, spans[number])
