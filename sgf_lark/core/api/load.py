"""The functions load, loads, iter_games and check."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from io import StringIO
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeAlias, Unpack

from sgf_lark.core import late
from sgf_lark.core.check.judge import Find
from sgf_lark.core.findings.diagnostic import Diagnostic
from sgf_lark.core.findings.errors import SgfSyntaxError, SgfValidationError
from sgf_lark.core.findings.finding import Finding, Severity
from sgf_lark.core.findings.limits import COUNT, MAX_ALIKE, FindingLimit
from sgf_lark.core.findings.report import Report
from sgf_lark.core.model.collection import Collection, GameTree, Judgement
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.provenance import SourceGame
from sgf_lark.core.places import LineIndex
from sgf_lark.core.schema.formats import Engine, EngineName, Format, FormatName
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.core.text.source import TextSource as Text

from .misuse import name_path_fault, name_text_fault, require_source, require_text
from .options import Options, ReadOptions

if TYPE_CHECKING:
    from sgf_lark.core.check.selection import CheckOptions
    from sgf_lark.core.read.build import StructureTransformer
    from sgf_lark.core.text.stream import Stream
    from sgf_lark.core.values.methods import ValueMethods
    from sgf_lark.core.values.values_file import ValuesFile

FileLike: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes]


def load(
    source: FileLike,
    *,
    strict: bool = True,
    check: bool = False,
    validate: bool = True,
    info_only: bool = False,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    transformer: type[StructureTransformer] | None = None,
) -> Collection:
    """Read all games of a file.

    Strict reading raises for every error that :func:`check` reports without replaying a game,
    also for a point off the board.  ``check=True`` replays the games, too, and finds all that
    :func:`check` does.

    Args:
        source: A path, or a file that is open for reading, binary (better: the record
            declares its own encoding) or text.  A path may name a compressed file
            (``a.sgf.gz``) and a record in an archive (``games.zip/2001/a.sgf``); that of an
            archive means the only record in it.
        strict: Raise if the record breaks its standard.  If not, the text is repaired with as
            few changes as possible, and ``collection.diagnostics`` has the findings.
        check: Replay the games by their rules, too, and find all that :func:`check` finds.
        validate: Find what breaks the standard.  If not, nothing is judged, which saves most of
            the time: the only findings are those of the character encoding, of the repair of
            broken syntax, and of a text without a game.  Games, nodes, values and places are
            the same.
        info_only: For lists of games: read without judging, and of each game only the nodes
            up to the game info of its main line, or the root if there is none.  ``info``,
            ``root``, ``size``, format and name of the game are those of the complete game; its
            length, its moves and its walks are those of the nodes that were read.  What needs
            the others (:func:`dumps` of a changed collection or in another layout, ``edit``,
            ``convert``, JSON) raises ValueError; :func:`dumps` of an unchanged collection gives
            its text.
        format: The format to read; None to detect it, game by game.
        encoding: The encoding of the bytes; None to detect it from them and from CA.
        table: The known properties; None for those of the standards.
        engine: The parser: ``"auto"``, ``"generated"`` or ``"lark"``; the result is the same.
        grammar: A custom grammar instead of the shipped ones: the path of its file, or the
            name of a shipped one.  Its value types come before those of the standard.  One whose
            terminals need time that grows with the square of a text (a warning, L709) has no time
            limit here, where signals belong to the caller; :func:`check_many` has one.
        values: The transformer of values: an object of a class that extends
            :class:`SgfValues`, with a method for each rule that means something else.
        transformer: The class that makes games of parse trees: it extends
            :class:`SgfTransformer` or ``GgfTransformer``, with a method for each rule that means
            something else.  Lark reads the text, and the games are as from data:
            ``collection.text`` is what was read, and :func:`dumps` writes what the class has made.

    Returns:
        The games; at least one if ``strict``.

    Raises:
        SgfSyntaxError: ``strict``, and the text does not follow the grammar.
        SgfValidationError: ``strict``, and the content breaks the standard.
        OSError: The file cannot be read, or is an archive of several records.
        TypeError: The source is neither a path nor a file; :func:`loads` reads text and bytes.
        LookupError: There is no such encoding.
        SgfGrammarError: The grammar has errors.
        ValueError: ``check`` without ``validate``, or with ``info_only``; there is no such
            format or engine; a method of ``values`` or ``transformer`` belongs to no rule.
    """
    how = Options.of(format, encoding, table, engine, grammar, values, transformer)
    how = how.judging(strict=strict, check=check, validate=validate, info_only=info_only)
    return _collection(*read_source(source), how, _path_of(source))


def loads(
    source: str | bytes,
    *,
    strict: bool = True,
    check: bool = False,
    validate: bool = True,
    info_only: bool = False,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    transformer: type[StructureTransformer] | None = None,
) -> Collection:
    """Read all games of a text, or of the bytes of a file; else as :func:`load`.

    Raises:
        TypeError: It is neither text nor bytes; :func:`load` reads paths and files.
    """
    require_text(source)
    how = Options.of(format, encoding, table, engine, grammar, values, transformer)
    how = how.judging(strict=strict, check=check, validate=validate, info_only=info_only)
    try:
        return _collection(source, "<string>", how)
    except SgfSyntaxError as error:
        raise name_text_fault(error) from None


def check(
    source: FileLike | bytes,
    *,
    name: str | None = None,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    options: CheckOptions | None = None,
    max_diagnostics: int | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    transformer: type[StructureTransformer] | None = None,
) -> Report:
    """Check a file, or the bytes of one; no content of a file raises an exception.

    Args:
        source: A path, an open file, or the bytes of a file, as ``text.encode()`` gives them.
        name: The name of the report; that of the file if None.
        format, encoding, table, engine, grammar, values, transformer: As for :func:`load`;
            without a table, that of the options.
        options: The findings to report, and their severities, or the settings of
            :func:`find_settings`; None for all findings with their default severities.
        max_diagnostics: Keep the worst N findings, and one that counts the others.  None keeps
            at most 1,000 findings of a rule and severity, and one that counts the others; 0
            keeps all.

    Returns:
        The errors, warnings and infos, in the order of the text.
    """
    data: str | bytes
    if isinstance(source, bytes | bytearray):
        data, its_name = bytes(source), "<string>"
    else:
        data, its_name = read_source(source)
    return check_contents(
        data,
        its_name if name is None else name,
        format=format,
        encoding=encoding,
        table=table,
        engine=engine,
        options=options,
        max_diagnostics=max_diagnostics,
        grammar=grammar,
        values=values,
        transformer=transformer,
    )


def check_contents(
    data: str | bytes,
    name: str,
    *,
    options: CheckOptions | None = None,
    max_diagnostics: int | None = None,
    **reading: Unpack[ReadOptions],
) -> Report:
    """Check the contents of a file of some name, as :func:`check` does."""
    how = Options.of_check(options, reading)
    most = None if max_diagnostics == 0 else MAX_ALIKE
    report = examine(data, name, how, options, most)
    return with_boards(report.capped(max_diagnostics), {**reading, "table": how.table})


#: The options of :func:`check` by which a text is read.
READING = ("format", "table", "engine", "grammar", "values", "transformer")


def with_boards(report: Report, options: dict[str, Any]) -> Report:
    """Return a report that reads its games again by the options of :func:`check`, for boards."""

    def read(text: str) -> Games:
        reading = {name: options[name] for name in READING if name in options}
        source = StringIO(text)
        source.name = report.name
        return iter_games(source, strict=False, validate=False, **reading)

    return report.read_by(read)


def examine(
    data: str | bytes,
    name: str,
    how: Options,
    options: CheckOptions | None,
    most: int | None = None,
    add: Callable[[GameTree], None] | None = None,
) -> Report:
    """Check a file, as :func:`check` does.

    Args:
        most: At most this many findings of a rule and severity; None for all.
        add: Called with each game when it is checked; what it raises ends the check.
    """
    text, _, findings = _decoded(data, how.encoding)
    del data
    all_findings = list(findings)
    nodes = 0  # of the games that unfinished findings hold
    reader = how.reader(name, most)
    judge = how.judge(reader, FindingLimit(most, by_game=False))
    for game, more in judge.judge_now(text, reader.read(text)):
        all_findings += more
        nodes += 0 if game is None or not more else len(game.nodes)
        if nodes > MAX_HELD_NODES and add is None:
            all_findings = [finding.completed() for finding in all_findings]
            nodes = 0
        if game is not None and add is not None:
            add(game)
    return make_report(name, text, all_findings, options)


#: At most this many nodes, and a game more, wait for somebody who looks at their findings.
MAX_HELD_NODES = 20_000


def make_report(
    name: str,
    text: str,
    findings: list[Finding],
    options: CheckOptions | None,
    lines: LineIndex | None = None,
) -> Report:
    """Return the report on a text, or on a part of a file by its ``lines``."""
    diagnostics = locate_findings(findings, lines or LineIndex(text))
    if options is not None:
        diagnostics = options.choose(diagnostics, name)
    counted = {
        (finding.name, *finding.span): int(finding.facts[COUNT]) - 1
        for finding in findings
        if COUNT in finding.facts
    }
    left_out = Counter[Severity]()
    for at in diagnostics if counted else ():
        left_out[at.severity] += counted.get((at.name, at.offset, at.end_offset), 0)
    # As Report(...) would, whose validator takes 15 ms to build.
    return Report.model_construct(
        name=name, text=text, diagnostics=diagnostics, left_out=dict(+left_out)
    )


def iter_games(
    source: FileLike,
    *,
    strict: bool = True,
    check: bool = False,
    validate: bool = True,
    info_only: bool = False,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    transformer: type[StructureTransformer] | None = None,
) -> Games:
    """Read the games of a file one by one.

    A game is returned as soon as its last bracket has been read.  Memory holds the largest
    game, or the longest text between two games, and a block of constant size; but a game
    without its last ``)`` goes on to the end of the file, and a file in a custom grammar that
    nests otherwise than SGF and GGF is held completely.  Arguments and errors are those of
    :func:`load`; a strict error is raised when its game is reached.  Without ``strict``, a game
    is judged when somebody asks for its ``diagnostics``.

    Offsets and lines count from the beginning of the file, as those of :func:`load` do.
    Games and diagnostics are those of :func:`load`, except in four cases:

    * In a file longer than 256 KiB the encoding is detected from the first 256 KiB after the
      first byte that is not ASCII.
    * In a file of 64 KiB or more, or from a pipe or an archive, a superfluous ``)`` is reported
      at its place, and so are its consequences in later games.
    * A finding about an earlier place (games in several encodings, a wrong count in GGF) is
      reported when it is detected.
    * The habit of a program that :func:`load` reports once in a file is reported in each game
      that is judged late.

    Returns:
        An iterator.  Without ``strict``, each game has ``diagnostics``, which include the text
        before it; those of the iterator are about the text after the last game, or about a
        file without games.
    """
    require_source(source)
    how = Options.of(format, encoding, table, engine, grammar, values, transformer)
    how = how.judging(strict=strict, check=check, validate=validate, info_only=info_only)
    return Games(source, how)


class Games(Iterator[GameTree]):
    """The games of a file that is being read; see :func:`iter_games`.

    Attributes:
        diagnostics: Findings outside games; empty until the last game was returned.
    """

    def __init__(self, source: FileLike, how: Options) -> None:
        from sgf_lark.core.text.encoding import decode

        decode(b"", how.encoding)  # an unknown encoding raises here, not at the first game
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._waiting: tuple[Diagnostic, ...] = ()  # for the next game
        self._how = how
        self._games = self._read(source)

    def __next__(self) -> GameTree:
        return next(self._games)

    def close(self) -> None:
        """Stop reading; close the file if it was opened here."""
        self._games.close()

    def _read(self, source: FileLike) -> Generator[GameTree]:
        with _opened(source) as (file, name):
            from sgf_lark.core.text.stream import Stream

            stream = Stream(file, self._how.encoding)
            reader = self._how.reader(name)
            judge = self._how.judge(reader, is_later=not self._how.strict)
            while not stream.is_whole:
                stream.grow()
                reader.more = not stream.is_whole
                if reader.own is not None and reader.more:
                    continue  # only the grammar knows where a game ends
                for game, find in judge.judge(stream.text, reader.read(stream.text)):
                    stream.look(judge.done)
                    found = self._found(stream.due(judge.done), find, name, stream)
                    if game is None:
                        self._waiting += found()
                        continue
                    waiting, self._waiting = self._waiting, ()
                    judgement = Judgement(partial(_sorted, waiting, found), is_of_game=True)
                    nodes = game.nodes.moved(stream.lines.start)
                    if reader.is_data:
                        yield GameTree.of(nodes, diagnostics=judgement.diagnostics)
                        continue
                    text = Text(stream.text, path=_path_of(source))
                    origin = SourceGame(text, 0, game.nodes.moved(0))
                    yield GameTree.of(nodes, origin, judgement=judgement)
                if stream.is_whole:
                    break
                done = judge.done
                judge.go_on(stream.lines)
                stream.leave(done)
            stream.look(len(stream.text))
            last = [*stream.due(len(stream.text)), *stream.end()]
            found = self._found(last, list, name, stream)
            self.diagnostics = _sorted(self._waiting, found)

    def _found(
        self, of_reading: list[Finding], find: Find, name: str, stream: Stream
    ) -> Callable[[], tuple[Diagnostic, ...]]:
        """Return a function that returns findings, ``of_reading`` first; raise errors if strict."""
        text, lines = stream.text, stream.lines

        def located() -> tuple[Diagnostic, ...]:
            others = (finding.completed().moved(lines.start) for finding in find())
            return locate_findings([*of_reading, *others], lines)

        if self._how.strict and any(
            finding.severity is Severity.ERROR for finding in (*of_reading, *find())
        ):
            report = Report(name=name, text=text, diagnostics=located())
            report._lines = lines  # noqa: SLF001  # of a part of the file
            _raise_errors(report)
        return located


def _sorted(
    waiting: tuple[Diagnostic, ...], find: Callable[[], tuple[Diagnostic, ...]]
) -> tuple[Diagnostic, ...]:
    every = sorted((*waiting, *find()), key=lambda finding: (finding.offset, finding.end_offset))
    for finding in every:
        vars(finding)  # completes it
    return tuple(every)


# ---- sources, and results of these functions ----


@contextmanager
def _opened(source: FileLike) -> Iterator[tuple[IO[str] | IO[bytes], str]]:
    if isinstance(source, str | os.PathLike):
        try:
            opened = late.open_record(source)
        except (OSError, ValueError) as error:
            raise name_path_fault(source, error) from None
        with opened as file:
            yield file, os.fspath(source)
    else:
        yield source, str(getattr(source, "name", "<stream>"))


def read_source(source: FileLike) -> tuple[str | bytes, str]:
    """Return the content of a source, and its name."""
    if isinstance(source, str | os.PathLike):
        try:
            return late.read_record(source), os.fspath(source)
        except (OSError, ValueError) as error:
            raise name_path_fault(source, error) from None
    require_source(source)
    return source.read(), str(getattr(source, "name", "<stream>"))


def _decoded(
    data: str | bytes, encoding: str | None
) -> tuple[str, str | None, tuple[Finding, ...]]:
    if isinstance(data, str):
        return data, None, ()
    from sgf_lark.core.text.encoding import decode

    return decode(data, encoding)


def locate_findings(findings: list[Finding], lines: LineIndex) -> tuple[Diagnostic, ...]:
    """Return findings as diagnostics, in the order of the text, without duplicates."""
    if not findings:
        return ()
    by_place = {(finding.span, finding.name): finding for finding in reversed(findings)}
    return tuple(Diagnostic.of(by_place[key], lines) for key in sorted(by_place))


def _raise_errors(report: Report) -> None:
    if not report.errors:
        return
    kind = SgfSyntaxError if report.errors[0].code[0] in "SE" else SgfValidationError
    raise kind(report)


def _path_of(source: FileLike) -> str:
    """Return the path of a file, wherever the process goes; "" for one that was opened before."""
    return os.path.realpath(source) if isinstance(source, str | os.PathLike) else ""


def _collection(data: str | bytes, name: str, how: Options, path: str = "") -> Collection:
    text, codec, findings = _decoded(data, how.encoding)
    reader = how.reader(name)
    parts = [*reader.read(text)]
    games = [reader.shown(read) for part in parts for read in part.games]

    def judge() -> list[Finding]:
        judged = how.judge(reader).judge_now(text, parts)
        return [*findings, *chain.from_iterable(found for _, found in judged)]

    judgement = Judgement(lambda: locate_findings(judge(), LineIndex(text)))
    if how.strict:
        found = judge()
        judgement = Judgement(lambda: locate_findings(found, LineIndex(text)))
        if any(finding.severity is Severity.ERROR for finding in found):
            _raise_errors(Report(name=name, text=text, diagnostics=judgement.diagnostics))
    if reader.is_data:
        return _as_data(games, codec, judgement.diagnostics)
    source = Text(text, None if isinstance(data, str) else data, how.encoding, path)
    return Collection.of(source, games, codec, judgement)


def _as_data(games: list[Nodes], codec: str | None, found: tuple[Diagnostic, ...]) -> Collection:
    """Return games that are as from data, with their places in the text that was read."""
    trees = [
        GameTree.of(nodes, diagnostics=tuple([one for one in found if one.game == number]))
        for number, nodes in enumerate(games)
    ]
    return Collection(games=tuple(trees), encoding=codec, diagnostics=found)
