"""Grammars and texts that commands name: ``--grammar``, ``--start``, errors, time limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from sgf_lark.core import Severity, reason
from sgf_lark.files.paths import (
    ENDLESS,
    STDIN,
    SUFFIXES,
    Unreadable,
    find_files,
    is_endless,
    is_found,
    read_path,
)
from sgf_lark.report.terminal import say, show

from .interface import Bundle, flag, option
from .options import RecordOptions, SettingsOptions, reported_settings, verify_settings
from .output import exit_with_report, fail, reported_failure

if TYPE_CHECKING:
    from sgf_lark.core import File, Format

T = TypeVar("T")

#: The name of the custom grammar whose time is limited, if there is one.
LIMITED_GRAMMAR: list[str] = []


class GrammarOptions(Bundle, section="Grammar"):
    """The part of a grammar that is used."""

    start: str | None = option(
        "The start rule, such as number or move.  [default: the first rule]", metavar="RULE"
    )


def game_grammar(name: str, settings: SettingsOptions) -> str:
    """Return the path of the grammar of a game of the settings; other names as they are."""
    from sgf_lark.core import grammars

    if name in grammars.names() or is_found(name):
        return name
    game = settings.table().find_game(name)
    grammar = None if game is None else game.grammar
    return str(grammar.path) if isinstance(grammar, grammars.GrammarSource) else name


def read_grammar(name: str) -> File:
    """Return the file of a grammar by its name or path, unchecked; exit if it cannot be read.

    That of standard input, ``-``, imports from the current folder.
    """
    from sgf_lark.core import GrammarSource, SgfGrammarError, decode, grammars

    if name == STDIN:
        return GrammarSource(Path("<stdin>"), decode(read_path(STDIN), "utf-8").text)
    try:
        return grammars.source(name)
    except FileNotFoundError as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot read {name}: {reason(error)}")
    except SgfGrammarError as error:
        exit_with_report(error.report, Severity.INFO)


def open_grammar(
    name: str, values: Iterable[str] = (), *, ambiguous: bool = False, hint: str = ""
) -> File:
    """Return the file of a grammar by its name or path; report its errors and exit."""
    from sgf_lark.core import GrammarSource
    from sgf_lark.workbench.lint import grammar_report

    file = read_grammar(name)
    if isinstance(file, GrammarSource):
        start_time_limit(name)
    report = grammar_report(file, frozenset(values))
    others = [one for one in report.errors if one.name != "two-readings"]
    if others if ambiguous else report.errors:
        if hint and not others:
            say(hint, err=True)
        exit_with_report(report, Severity.INFO)
    return file


def start_time_limit(name: str, characters: int = 0) -> None:
    """Start the time limit of a custom grammar; when it is over, the command exits."""
    from sgf_lark.files.time_limit import FIX_GRAMMAR, seconds_for, set_alarm, too_long

    def stop() -> NoReturn:
        # handlers of Exception do not catch it
        fail(f"{name}: {too_long(seconds)}", more=[f"help: {FIX_GRAMMAR}"])

    seconds = seconds_for(characters)
    set_alarm(seconds, stop)
    click.get_current_context().call_on_close(end_time_limit)
    LIMITED_GRAMMAR[:] = [name]


def extend_time_limit(characters: int) -> None:
    """Start the time limit of a custom grammar again, for a text of some length."""
    for name in [*LIMITED_GRAMMAR]:
        start_time_limit(name, characters)


def end_time_limit() -> None:
    if LIMITED_GRAMMAR:
        from sgf_lark.files.time_limit import clear_alarm

        clear_alarm()
        LIMITED_GRAMMAR.clear()


def check_for_records(reading: RecordOptions) -> None:
    """Test that records can be read by the grammar and the values that are named."""
    name = reading.grammar
    if name is None:
        return  # values are tested with the settings
    from sgf_lark.core import PropertyTable
    from sgf_lark.workbench import lint as grammar_errors

    kinds = PropertyTable.standard().kinds
    file = open_grammar(name, kinds)
    grammar_errors.for_records(file, kinds)
    end_time_limit()  # each file of records has its own time limit


def start_rule(file: File, start: str | None, option: str = "--start", help_: str = "") -> str:
    """Return the name of the start rule; exit if the grammar does not have it."""
    from sgf_lark.core import grammars

    try:
        return grammars.rule(file, start)
    except LookupError as error:
        fail(f"{option}: {error.args[0]}{help_}")


def hints_on(file: File, start: str | None, rejected: str | None) -> Iterator[str]:
    """Yield what somebody new to a custom grammar may have missed."""
    from sgf_lark.core import GrammarSource, grammars
    from sgf_lark.workbench.source_text import tops_of

    if rejected is None or not isinstance(file, GrammarSource):
        return
    if rejected.isspace() and not grammars.grammar(file).ignore:
        yield "the grammar ignores nothing; to let white space be anywhere:  %ignore /\\s+/"
    if start is None and (tops := tops_of(file)):
        first, top = grammars.first_rule(file), tops[-1]
        yield f"this was read by {first}, the first rule; no rule uses {top}: --start {top}"


def write_result(parts: Iterable[str], output: Path | None, *read: str | None) -> None:
    """Write a result to a file that is none of those read, or to standard output."""
    from sgf_lark.files.writing import are_same, replacing

    if output is None:
        for part in parts:
            show(part)
        return
    for path in filter(None, read):
        if are_same(0 if path == STDIN else path, output):
            fail(f"{output}: this file is an input of the command; choose another file")
    with reported_failure(f"cannot write {output}"), replacing(output) as file:
        file.writelines(part.encode("utf-8", "backslashreplace") for part in parts)


def read_text(argument: str, *, is_text: bool, encoding: str | None = None) -> tuple[str, str]:
    """Return the text that an argument means, and its name.

    Args:
        argument: A file name, ``-`` for standard input, or the text itself.
        encoding: The character encoding of the file; None to detect it.
    """
    from sgf_lark.core import decode

    if is_text:
        return argument, "<text>"
    if is_endless(argument):
        fail(f"cannot read {argument}: {ENDLESS}")
    if argument == STDIN:
        return decode(read_path(STDIN), encoding).text, "<stdin>"
    try:
        return decode(read_path(argument), encoding).text, argument
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if argument.lower().endswith(SUFFIXES):
            fail(f"no such file: {argument}")
        return argument, "<text>"
    except OSError as error:
        if "[" in argument or "(" in argument:  # a text that is too long for a file name
            return argument, "<text>"
        fail(f"cannot read {argument}: {reason(error)}")


def read_texts(
    paths: Iterable[str],
    encoding: str | None,
    settings: SettingsOptions,
    by: RecordOptions | None = None,
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Read files, folders and patterns; exit if one cannot be read.

    Args:
        by: The options by which the records are read; None if only their texts are.

    Yields:
        Name and text of each file, and the options of :func:`sgf_lark.loads` of its settings.
    """
    from sgf_lark.core import decode

    with reported_settings():
        options = settings.find(reading=None if by is None else by.over_settings)
        if by is not None:
            check_for_records(by)
        files = [*find_files(paths, options)]
        readings = [{} if isinstance(path, Unreadable) else options.reading(path) for path in files]
        verify_settings(options, values=by is not None)
    for path, reading in zip(files, readings, strict=True):
        if isinstance(path, Unreadable):
            fail(f"cannot read {path.path}: {path.reason}")
        with reported_failure(f"cannot read {path}"):
            data = read_path(path)
        text = decode(data, encoding).text
        extend_time_limit(len(text))
        yield path, text, reading


def format_of(text: str, read_as: str | None) -> Format:
    """Return the format to read a text as: the given one, or that of its first game."""
    from sgf_lark.core import Format, detect_format

    return detect_format(text) if read_as is None else Format.named(read_as)


def grammar_of(text: str, read_as: str | None) -> str:
    """Return the grammar to read a text by: that of the given format, or of its first game."""
    from sgf_lark.core import Format, detect_grammar

    return detect_grammar(text) if read_as is None else Format.named(read_as).grammar


# ---- typed grammars ----


class TypedOptions(Bundle, section="Typed grammar"):
    """The typed grammar of a format."""

    typed: bool = flag("The typed grammar: each property of the table with values of its type.")
    game: str | None = option(
        "With --typed: the game, by its name or number.  [default: Go, in GGF Othello]",
        metavar="GAME",
    )
    size: str | None = option(
        "With --typed: the board, such as 19 or 19:13.  [default: points may be anywhere]",
        metavar="SIZE",
    )

    def make(self, make: Callable[..., T], name: str, settings: SettingsOptions) -> T | None:
        """Return what a function makes of a typed grammar; None if it is not asked for.

        The games and properties of the settings are known.  An option that is wrong, or that only
        the typed grammar has, ends the command.
        """
        from sgf_lark.core import GrammarSource

        if not self.typed:
            for option_ in (*self.given(), *settings.given()):
                fail(f"--{option_} needs --typed")
            return None
        file, size = read_grammar(name), self.size
        own = open_grammar(name) if isinstance(file, GrammarSource) else None
        if size is not None and not re.fullmatch(r"[0-9]{1,4}(:[0-9]{1,4})?", size):
            fail(f"invalid size '{size}': expected one such as 19 or 19:13")
        sides = [int(side) for side in (size or "").split(":") if side]
        board = None if size is None else (sides[0], sides[-1])
        table = settings.table(grammar=name if own else None)
        try:
            return make("ff4" if own else format_named(name), self.game, board, table, own)
        except ValueError as error:
            fail(str(error))


def format_named(name: str) -> Format:
    """Return the format of a shipped grammar; exit if it is that of no format."""
    from sgf_lark.core import Format

    try:
        return Format(name.upper())
    except ValueError:
        known = ", ".join(format_.grammar for format_ in Format)
        fail(f"--typed needs the grammar of a format ({known}), not {name}")
