"""The stages put together: load, loads, iter_games, check."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeAlias

from sgf_lark.diagnostics.diagnostic import Diagnostic, Finding
from sgf_lark.diagnostics.errors import SgfSyntaxError, SgfValidationError
from sgf_lark.diagnostics.limits import MAX_ALIKE
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.selection import CheckOptions
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.lint import for_records
from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.provenance import Home
from sgf_lark.positions import LineIndex
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.properties import PropertyTable
from sgf_lark.text.encoding import decode
from sgf_lark.text.source import Source as Text
from sgf_lark.text.stream import Stream
from sgf_lark.values.dialect import Dialect, Shape
from sgf_lark.values.transformers import ValueTransformer

from .pipeline import Course, read_games

Source: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes]


def load(
    source: Source,
    *,
    strict: bool = True,
    check: bool = False,
    format: Format | str | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | str = Engine.AUTO,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueTransformer | None = None,
) -> Collection:
    """Read all games of a file.

    Strict reading raises for every error that :func:`check` reports without replaying a game,
    also for a point off the board.  ``check=True`` replays the games, too, and finds all that
    :func:`check` does.

    Args:
        source: A path, or a file that is open for reading, binary (better: the record
            itself says how it is encoded) or text.
        strict: Raise if the record breaks its standard.  If not, the least possible is
            repaired, the rest is kept, and ``collection.diagnostics`` reports what was found.
        check: Replay the games by their rules, too, and look for all that :func:`check` finds.
        format: What to read it as; None to see from the record, game by game.
        encoding: Of the bytes; None to see from them and from CA.
        table: The properties to know; the standards' if None.
        engine: What parses: ``"auto"``, ``"generated"`` or ``"lark"``; all give the same.
        grammar: A grammar of one's own instead of the shipped ones: the path of its file, or
            the name of a shipped one.  Its types of value come before those of the standard.
        values: What those types mean: a method for each rule, as :class:`SgfValues` has them.

    Returns:
        The games; at least one if ``strict``.

    Raises:
        SgfSyntaxError: ``strict``, and the text does not follow the grammar.
        SgfValidationError: ``strict``, and what it says breaks the standard.
        OSError: The file cannot be read.
        LookupError: There is no such encoding.
        SgfGrammarError: The grammar is not well made.
    """
    data, name = _contents(source)
    dialect = dialect_of(grammar, values, table)
    asked = frozenset[str]() if check else None
    return _collection(data, name, strict, asked, format, encoding, table, Engine(engine), dialect)


def loads(
    source: str | bytes,
    *,
    strict: bool = True,
    check: bool = False,
    format: Format | str | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | str = Engine.AUTO,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueTransformer | None = None,
) -> Collection:
    """Read all games of a text, or of the bytes of a file; else as :func:`load`."""
    dialect = dialect_of(grammar, values, table)
    asked = frozenset[str]() if check else None
    return _collection(
        source, "<string>", strict, asked, format, encoding, table, Engine(engine), dialect
    )


def check(
    source: Source,
    *,
    format: Format | str | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | str = Engine.AUTO,
    options: CheckOptions | None = None,
    max_diagnostics: int | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueTransformer | None = None,
) -> Report:
    """Say what is wrong with a file, and where; never raises because of what it says.

    Args:
        source, format, encoding, table, engine, grammar, values: As for :func:`load`.
        options: Which findings to report, and how grave they count; None for all of them,
            as they are.
        max_diagnostics: Give the worst so many, and one that says how many were left out;
            None for all, but of each rule and severity at most 1,000 in a game, and one that
            says how many more there are; 0 for all without exception, however many.

    Returns:
        Everything found, in the order of the text; errors, warnings and infos.
    """
    data, name = _contents(source)
    dialect = dialect_of(grammar, values, table)
    book = table or PropertyTable.standard()
    most = None if max_diagnostics == 0 else MAX_ALIKE
    report = examine(
        data, name, _format(format), encoding, book, Engine(engine), options, dialect, most
    )
    return report.capped(max_diagnostics)


def examine(
    data: str | bytes,
    name: str,
    format: Format | None,
    encoding: str | None,
    table: PropertyTable,
    engine: Engine,
    options: CheckOptions | None,
    dialect: Dialect | None = None,
    most: int | None = None,
    games: list[GameTree] | None = None,
) -> Report:
    """Check a file, as :func:`check` does, and add its games to ``games``.

    Args:
        most: At most this many findings of a rule and severity in a game; None for all.
    """
    asked = frozenset[str]() if options is None else options.asked
    text, _, findings = _decoded(data, encoding)
    del data
    found = list(findings)
    course = Course(table, engine, dialect, most)
    for game, more in read_games(text, format, table, engine, asked, dialect, course):
        found += more
        if game is not None and games is not None:
            games.append(game)
    diagnostics = _located(found, LineIndex(text))
    if options is not None:
        diagnostics = options.choose(diagnostics, name)
    return Report(name=name, text=text, diagnostics=diagnostics)


def iter_games(
    source: Source,
    *,
    strict: bool = True,
    check: bool = False,
    format: Format | str | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    engine: Engine | str = Engine.AUTO,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueTransformer | None = None,
) -> Games:
    """Read the games of a file one by one, as they are asked for.

    A game is there as soon as its last bracket has been read.  No more of the file is held
    than the largest game, or stretch of text between two games, and a block of constant
    size; a game whose last ``)`` is missing goes on to the end of the file, and so is held
    as text up to there.  So is a whole file in a grammar of one's own that nests otherwise than
    SGF and GGF do.  Arguments and errors are those of :func:`load`; an error is raised
    when its game is reached.

    Offsets and lines count from the beginning of the file, as those of :func:`load` do.
    Games and diagnostics are the same, but in three points.  Of a file that is longer than
    256 KiB the encoding is judged by so much of it, from the first byte on that is not
    ASCII.  In a file of 64 KiB or more, or one that comes bit by bit (a pipe), a ')' too
    many is reported where it stands, and what it leads to in the games after it, too.  And if
    what is found out late is about a place that has long been read (games in several
    encodings, a wrong count in GGF), it is told late.

    Returns:
        An iterator.  Not strict, each game has its own ``diagnostics``, with what stands
        before it; those of the iterator are about what stands behind the last game, or
        about a file without games.
    """
    dialect = dialect_of(grammar, values, table)
    asked = frozenset[str]() if check else None
    return Games(source, strict, asked, _format(format), encoding, table, Engine(engine), dialect)


class Games(Iterator[GameTree]):
    """The games of a file that is being read; see :func:`iter_games`.

    Attributes:
        diagnostics: What belongs to no game: empty as long as games come.
    """

    def __init__(
        self,
        source: Source,
        strict: bool,  # noqa: FBT001
        asked: frozenset[str] | None,
        format: Format | None,
        encoding: str | None,
        table: PropertyTable | None,
        engine: Engine,
        dialect: Dialect | None,
    ) -> None:
        decode(b"", encoding)  # an unknown one is told at once
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self._waiting: list[Diagnostic] = []  # for the next game
        self._strict = strict
        self._asked = asked
        self._format = format
        self._table = table or PropertyTable.standard()
        self._engine = engine
        self._dialect = dialect
        self._games = self._read(source, encoding)

    def __next__(self) -> GameTree:
        return next(self._games)

    def close(self) -> None:
        """Read no more; a file that was opened here is closed."""
        self._games.close()

    def _read(self, source: Source, encoding: str | None) -> Generator[GameTree]:
        with _opened(source) as (file, name):
            stream = Stream(file, encoding)
            course = Course(self._table, self._engine, self._dialect)
            by_itself = self._dialect is not None and self._dialect.shape is Shape.OWN
            while not stream.is_whole:
                stream.grow()
                course.more = not stream.is_whole
                if by_itself and course.more:
                    continue  # only the grammar knows where a game ends
                start = stream.lines.start
                for game, findings in read_games(
                    stream.text,
                    self._format,
                    self._table,
                    self._engine,
                    self._asked,
                    dialect=self._dialect,
                    course=course,
                ):
                    stream.look(course.done)
                    found = [*stream.due(course.done), *(one.moved(start) for one in findings)]
                    self._tell(_located(found, stream.lines), name, stream)
                    if game is not None:
                        home = Home(Text(stream.text), 0, game.nodes.copy())
                        game.nodes.move(start)
                        yield GameTree.of(game.nodes, home, diagnostics=self._told())
                done = course.done
                course.go_on(stream.lines)
                stream.leave(done)
            stream.look(len(stream.text))
            last = [*stream.due(len(stream.text)), *stream.end()]
            self._tell(_located(last, stream.lines), name, stream)
            self.diagnostics = self._told()

    def _tell(self, found: tuple[Diagnostic, ...], name: str, stream: Stream) -> None:
        """Keep what was found for the next game, or raise it."""
        if not found:
            return
        if self._strict:
            report = Report(name=name, text=stream.text, diagnostics=found)
            report._lines = stream.lines  # noqa: SLF001  # of a part of the file
            _raise_errors(report)
        self._waiting += found

    def _told(self) -> tuple[Diagnostic, ...]:
        """What was found since the last game."""
        found, self._waiting = self._waiting, []
        return tuple(sorted(found, key=lambda one: (one.offset, one.end_offset)))


# ---- between the doors and the stages ----


@contextmanager
def _opened(source: Source) -> Iterator[tuple[IO[str] | IO[bytes], str]]:
    """A source open for reading, and what to call it."""
    if isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as file:
            yield file, os.fspath(source)
    else:
        yield source, str(getattr(source, "name", "<stream>"))


def _contents(source: Source) -> tuple[str | bytes, str]:
    """What a source holds, and what to call it."""
    if isinstance(source, str | os.PathLike):
        return Path(source).read_bytes(), os.fspath(source)
    return source.read(), str(getattr(source, "name", "<stream>"))


def _decoded(
    data: str | bytes, encoding: str | None
) -> tuple[str, str | None, tuple[Finding, ...]]:
    """A text, how it was encoded, and what is to say about that."""
    return (data, None, ()) if isinstance(data, str) else decode(data, encoding)


def _source(data: str | bytes, text: str, encoding: str | None) -> Text:
    return Text(text, None if isinstance(data, str) else data, encoding)


def _format(format: Format | str | None) -> Format | None:
    return None if format is None else Format.named(format)


def dialect_of(
    grammar: str | os.PathLike[str] | None,
    values: ValueTransformer | None,
    table: PropertyTable | None,
) -> Dialect | None:
    """A grammar of one's own, in which nothing is wrong.

    Raises:
        SgfGrammarError: Something is.
        FileNotFoundError: There is no such grammar.
    """
    if grammar is None and values is None:
        return None
    file = grammars.source("ff4" if grammar is None else Path(grammar))
    return Dialect(for_records(file, (table or PropertyTable.standard()).kinds), values)


def _located(findings: list[Finding], lines: LineIndex) -> tuple[Diagnostic, ...]:
    """Findings as diagnostics, in the order of the text, none twice."""
    found = {(one.span, one.name): one for one in reversed(findings)}
    return tuple(found[key].located(lines) for key in sorted(found))


def _raise_errors(report: Report) -> None:
    """Raise what a report says is wrong, if anything is."""
    if not report.errors:
        return
    kind = SgfSyntaxError if report.errors[0].code[0] in "SE" else SgfValidationError
    raise kind(report)


def _collection(  # the options of load
    data: str | bytes,
    name: str,
    strict: bool,  # noqa: FBT001
    asked: frozenset[str] | None,
    format: Format | str | None,
    encoding: str | None,
    table: PropertyTable | None,
    engine: Engine,
    dialect: Dialect | None,
) -> Collection:
    text, codec, findings = _decoded(data, encoding)
    found = list(findings)
    games: list[Nodes] = []
    for game, more in read_games(
        text, _format(format), table or PropertyTable.standard(), engine, asked, dialect
    ):
        found += more
        if game is not None:
            games.append(game.nodes)
    diagnostics = _located(found, LineIndex(text))
    if strict:
        _raise_errors(Report(name=name, text=text, diagnostics=diagnostics))
    return Collection.of(_source(data, text, encoding), games, codec, diagnostics)
