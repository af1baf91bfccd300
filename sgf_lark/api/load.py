"""The functions load, loads, iter_games and check."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias, TypedDict, Unpack

from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.errors import SgfSyntaxError, SgfValidationError
from sgf_lark.findings.finding import Finding, Severity
from sgf_lark.findings.limits import COUNT, MAX_ALIKE
from sgf_lark.findings.report import Report
from sgf_lark.grammar import loader as grammars
from sgf_lark.model.collection import Collection, GameTree, Judgement
from sgf_lark.model.provenance import SourceGame
from sgf_lark.places import LineIndex
from sgf_lark.schema.formats import Engine, EngineName, Format, FormatName
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.settings.selection import CheckOptions
from sgf_lark.text.archives import open_record, read_record
from sgf_lark.text.encoding import decode
from sgf_lark.text.source import TextSource as Text
from sgf_lark.text.stream import Stream
from sgf_lark.values.dialect import Dialect, check_table
from sgf_lark.values.transformers import ValueTransformer

from . import pipeline
from .misuse import name_path_fault, name_text_fault, require_source, require_text

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
    values: ValueTransformer | None = None,
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
        values: The transformer of those types: a method for each rule, as in
            :class:`SgfValues`.

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
            format or engine.
    """
    how = Judging.of(strict=strict, check=check, validate=validate, info_only=info_only)
    data, name = contents(source)
    setup = ReadSetup.of(format, encoding, table, engine, grammar, values)
    return _collection(data, name, how, setup)


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
    values: ValueTransformer | None = None,
) -> Collection:
    """Read all games of a text, or of the bytes of a file; else as :func:`load`.

    Raises:
        TypeError: It is neither text nor bytes; :func:`load` reads paths and files.
    """
    how = Judging.of(strict=strict, check=check, validate=validate, info_only=info_only)
    require_text(source)
    setup = ReadSetup.of(format, encoding, table, engine, grammar, values)
    try:
        return _collection(source, "<string>", how, setup)
    except SgfSyntaxError as error:
        raise name_text_fault(error) from None


def check(
    source: FileLike | bytes,
    *,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    options: CheckOptions | None = None,
    max_diagnostics: int | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueTransformer | None = None,
) -> Report:
    """Check a file, or the bytes of one; no content of a file raises an exception.

    Args:
        source: A path, an open file, or the bytes of a file, as ``text.encode()`` gives them.
        format, encoding, table, engine, grammar, values: As for :func:`load`; without a
            table, that of the options.
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
        data, name = bytes(source), "<string>"
    else:
        data, name = contents(source)
    return check_contents(
        data,
        name,
        format=format,
        encoding=encoding,
        table=table,
        engine=engine,
        options=options,
        max_diagnostics=max_diagnostics,
        grammar=grammar,
        values=values,
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
    setup = ReadSetup.for_check(options, reading)
    most = None if max_diagnostics == 0 else MAX_ALIKE
    report = examine(data, name, setup, options, most)
    return with_boards(report.capped(max_diagnostics), {**reading, "table": setup.table})


#: The options of :func:`check` by which a text is read.
READING = ("format", "table", "engine", "grammar", "values")


def with_boards(report: Report, options: dict[str, Any]) -> Report:
    """Return a report that can read its games again, to draw the boards at its findings.

    Args:
        report: The report.
        options: The options of :func:`check` with which its text was read.
    """

    def read(text: str) -> Games:
        reading = {name: options[name] for name in READING if name in options}
        source = StringIO(text)
        source.name = report.name
        return iter_games(source, strict=False, validate=False, **reading)

    return report.read_by(read)


def examine(
    data: str | bytes,
    name: str,
    setup: ReadSetup,
    options: CheckOptions | None,
    most: int | None = None,
    add: Callable[[GameTree], None] | None = None,
) -> Report:
    """Check a file, as :func:`check` does.

    Args:
        most: At most this many findings of a rule and severity; None for all.
        add: Called with each game when it is checked; what it raises ends the check.
    """
    strict_rules = frozenset[str]() if options is None else options.asked
    text, _, findings = _decoded(data, setup.encoding)
    del data
    all_findings = list(findings)
    nodes = 0  # of the games that unfinished findings hold
    state = pipeline.ReadState(*setup.state, most, by_game=False, asked=strict_rules, name=name)
    for game, more in pipeline.read_games(text, setup.format, state):
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
    """Return the report on a text, with the findings that the options choose.

    Args:
        lines: The lines of the text, if it is a part of a file.
    """
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
    values: ValueTransformer | None = None,
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
    how = Judging.of(strict=strict, check=check, validate=validate, info_only=info_only)
    return Games(source, how, ReadSetup.of(format, encoding, table, engine, grammar, values))


class Games(Iterator[GameTree]):
    """The games of a file that is being read; see :func:`iter_games`.

    Attributes:
        diagnostics: Findings outside games; empty until the last game was returned.
    """

    def __init__(self, source: FileLike, how: Judging, setup: ReadSetup) -> None:
        decode(b"", setup.encoding)  # an unknown encoding raises here, not at the first game
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._waiting: tuple[Diagnostic, ...] = ()  # for the next game
        self._how = how
        self._setup = setup
        self._games = self._read(source)

    def __next__(self) -> GameTree:
        return next(self._games)

    def close(self) -> None:
        """Stop reading; close the file if it was opened here."""
        self._games.close()

    def _read(self, source: FileLike) -> Generator[GameTree]:
        with _opened(source) as (file, name):
            stream = Stream(file, self._setup.encoding)
            state = self._how.state(self._setup, name)
            state.is_later = not self._how.strict
            while not stream.is_whole:
                stream.grow()
                state.more = not stream.is_whole
                if state.own is not None and state.more:
                    continue  # only the grammar knows where a game ends
                parts = pipeline.read_parts(stream.text, self._setup.format, state)
                for game, judge in pipeline.judge_parts(stream.text, parts, state):
                    stream.look(state.done)
                    found = self._found(stream.due(state.done), judge, name, stream)
                    if game is None:
                        self._waiting += found()
                        continue
                    waiting, self._waiting = self._waiting, ()
                    nodes = game.nodes.copy()
                    nodes.move(stream.lines.start)
                    judgement = Judgement(partial(_sorted, waiting, found), is_of_game=True)
                    origin = SourceGame(Text(stream.text), 0, game.nodes.copy())
                    yield GameTree.of(nodes, origin, judgement=judgement)
                if stream.is_whole:
                    break
                done = state.done
                state.go_on(stream.lines)
                stream.leave(done)
            stream.look(len(stream.text))
            last = [*stream.due(len(stream.text)), *stream.end()]
            found = self._found(last, list, name, stream)
            self.diagnostics = _sorted(self._waiting, found)

    def _found(
        self, of_reading: list[Finding], judge: pipeline.Judge, name: str, stream: Stream
    ) -> Callable[[], tuple[Diagnostic, ...]]:
        """Return a function that returns findings; raise errors if reading is strict.

        Args:
            of_reading: Those about the character encoding, with places in the file.
            judge: Returns the others, with places in the text of the stream.
            name: The name of the file.
            stream: The file.
        """
        text, lines = stream.text, stream.lines

        def find() -> tuple[Diagnostic, ...]:
            others = (finding.completed().moved(lines.start) for finding in judge())
            return locate_findings([*of_reading, *others], lines)

        if self._how.strict and any(
            finding.severity is Severity.ERROR for finding in (*of_reading, *judge())
        ):
            report = Report(name=name, text=text, diagnostics=find())
            report._lines = lines  # noqa: SLF001  # of a part of the file
            _raise_errors(report)
        return find


def _sorted(
    waiting: tuple[Diagnostic, ...], find: Callable[[], tuple[Diagnostic, ...]]
) -> tuple[Diagnostic, ...]:
    """Return findings in the order of the text; complete ones, which do not hold the text."""
    every = sorted((*waiting, *find()), key=lambda finding: (finding.offset, finding.end_offset))
    for finding in every:
        vars(finding)  # completes it
    return tuple(every)


# ---- arguments and results of these functions ----


class ReadOptions(TypedDict, total=False):
    """The options by which a text is read; see :func:`load`."""

    format: Format | FormatName | None
    encoding: str | None
    table: PropertyTable | None
    engine: Engine | EngineName
    grammar: str | os.PathLike[str] | None
    values: ValueTransformer | None


class ReadSetup(NamedTuple):
    """The same options, tested and in one form: the dialect is that of a custom grammar."""

    format: Format | None
    encoding: str | None
    table: PropertyTable
    engine: Engine
    dialect: Dialect | None

    @classmethod
    def of(
        cls,
        format: Format | FormatName | None = None,
        encoding: str | None = None,
        table: PropertyTable | None = None,
        engine: Engine | EngineName = Engine.AUTO,
        grammar: str | os.PathLike[str] | None = None,
        values: ValueTransformer | None = None,
    ) -> ReadSetup:
        """Return the setup for the options of :func:`load`.

        Raises:
            SgfGrammarError: The grammar has errors.
            FileNotFoundError: There is no such grammar.
            ValueError: No grammar defines the type of a row of the table; there is no such
                format or engine.
        """
        table, dialect = table or PropertyTable.standard(), None
        if grammar is None and values is None:
            check_table(table)
        else:
            from sgf_lark.grammar.lint import for_records

            source = grammars.source("ff4" if grammar is None else Path(grammar))
            file = for_records(source, table.kinds)
            check_table(table, file)
            dialect = Dialect(file, values)
        format = None if format is None else Format.named(format)
        return cls(format, encoding, table, Engine(engine), dialect)

    @classmethod
    def for_check(cls, options: CheckOptions | None, reading: ReadOptions) -> ReadSetup:
        """Return the setup for a check; without a table, it is that of the options."""
        if options is not None and reading.get("table") is None:
            reading = {**reading, "table": options.table}
        return cls.of(**reading)

    @property
    def state(self) -> tuple[PropertyTable, Engine, Dialect | None]:
        """The first arguments of :class:`.ReadState`."""
        return self.table, self.engine, self.dialect


class Judging(NamedTuple):
    """The kinds of faults that a reader looks for, and whether they raise.

    Attributes:
        strict: Errors raise.
        strict_rules: Names of the strict rules to check; None for no check of the game's rules.
        validate: Anything but the syntax is judged.
        info_only: The nodes after the game info are left out.
    """

    strict: bool
    strict_rules: frozenset[str] | None
    validate: bool
    info_only: bool

    @classmethod
    def of(cls, *, strict: bool, check: bool, validate: bool, info_only: bool) -> Judging:
        """Return the same for the options of :func:`load`.

        Raises:
            ValueError: ``check`` without ``validate``, or with ``info_only``.
        """
        if check and (info_only or not validate):
            option = "info_only=True" if info_only else "validate=False"
            raise ValueError(f"check=True finds nothing with {option}: leave one of them out")
        strict_rules = frozenset[str]() if check else None
        return cls(strict, strict_rules, validate and not info_only, info_only)

    def state(self, setup: ReadSetup, name: str) -> pipeline.ReadState:
        """Return the state in which the reader of a file begins."""
        return pipeline.ReadState(
            *setup.state,
            asked=self.strict_rules,
            validate=self.validate,
            info_only=self.info_only,
            name=name,
        )


@contextmanager
def _opened(source: FileLike) -> Iterator[tuple[IO[str] | IO[bytes], str]]:
    """Open a source for reading; give the file and its name."""
    if isinstance(source, str | os.PathLike):
        try:
            opened = open_record(source)
        except (OSError, ValueError) as error:
            raise name_path_fault(source, error) from None
        with opened as file:
            yield file, os.fspath(source)
    else:
        yield source, str(getattr(source, "name", "<stream>"))


def contents(source: FileLike) -> tuple[str | bytes, str]:
    """Return the content of a source, and its name."""
    if isinstance(source, str | os.PathLike):
        try:
            return read_record(source), os.fspath(source)
        except (OSError, ValueError) as error:
            raise name_path_fault(source, error) from None
    require_source(source)
    return source.read(), str(getattr(source, "name", "<stream>"))


def _decoded(
    data: str | bytes, encoding: str | None
) -> tuple[str, str | None, tuple[Finding, ...]]:
    """Return the text of a file, its encoding, and findings about the encoding."""
    return (data, None, ()) if isinstance(data, str) else decode(data, encoding)


def locate_findings(findings: list[Finding], lines: LineIndex) -> tuple[Diagnostic, ...]:
    """Return findings as diagnostics, in the order of the text, without duplicates."""
    if not findings:
        return ()
    by_place = {(finding.span, finding.name): finding for finding in reversed(findings)}
    return tuple(Diagnostic.of(by_place[key], lines) for key in sorted(by_place))


def _raise_errors(report: Report) -> None:
    """Raise the errors of a report, if it has any."""
    if not report.errors:
        return
    kind = SgfSyntaxError if report.errors[0].code[0] in "SE" else SgfValidationError
    raise kind(report)


def _collection(data: str | bytes, name: str, how: Judging, setup: ReadSetup) -> Collection:
    text, codec, findings = _decoded(data, setup.encoding)
    state = how.state(setup, name)
    parts = [*pipeline.read_parts(text, setup.format, state)]
    games = [
        pipeline.head_of(read) if how.info_only else read.nodes
        for part in parts
        for read in part.games
    ]

    def judge() -> list[Finding]:
        counting = how.state(setup, name)  # its own, if two threads judge at once
        judged = pipeline.judge_parts(text, parts, counting)
        return [*findings, *chain.from_iterable(find() for _, find in judged)]

    judgement = Judgement(lambda: locate_findings(judge(), LineIndex(text)))
    if how.strict:
        found = judge()
        judgement = Judgement(lambda: locate_findings(found, LineIndex(text)))
        if any(finding.severity is Severity.ERROR for finding in found):
            _raise_errors(Report(name=name, text=text, diagnostics=judgement.diagnostics))
    return Collection.of(
        Text(text, None if isinstance(data, str) else data, setup.encoding), games, codec, judgement
    )
