"""Errors of the command line, in the words of the help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import typer

from sgf_lark.diagnostics.terminal import visible

from .parameters import bounds, choices, metavar

#: Base of the errors of the command line, which typer itself does not export.
_MISUSE: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


class Misuse(typer.BadParameter):
    """An error of the command line that has its complete message."""

    def format_message(self) -> str:
        """Return the message."""
        return self.message


@contextmanager
def in_words(context: Any = None, words: Iterable[str] = ()) -> Iterator[None]:
    """Give the errors of typer our words, and escape control characters in them.

    Args:
        context: The context of the command, if it is known.
        words: The words of its command line.
    """
    words = [*words]  # the parser takes them from their list
    try:
        yield
    except Misuse:
        raise
    except _MISUSE as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            raise
        context = getattr(error, "ctx", None) or context
        said = _message(error, context)
        if type(error).__name__ == "NoSuchOption":
            said += _hint_at_file(getattr(error, "option_name", ""), words)
        raise Misuse(visible(said, keep="\n"), context) from None


def _hint_at_file(option: str, words: list[str]) -> str:
    """Return a hint if the word of an option that does not exist is the name of a file."""
    name = option.lstrip("-")
    for word in words:
        if word.startswith("-") and name in word and Path(word).exists():
            return f"; for the file {word}: ./{word}, or -- before it"
    return ""


def _message(error: Any, context: Any) -> str:
    """Return the message about an error of typer."""
    kind = type(error).__name__
    if kind in {"NoSuchOption", "BadOptionUsage"}:
        params = context.command.get_params(context) if context is not None else ()
        names = {name: param for param in params for name in _names(param)}
        return _wrong_option(error.option_name, names, is_known=kind == "BadOptionUsage")
    if kind == "MissingParameter":
        hint = f": expected {expected(error.param)}" if choices(error.param) else ""
        return f"{_name(error.param)} is missing{hint}"
    param, named = getattr(error, "param", None), getattr(error, "param_hint", None)
    if param is not None and not named:
        return _wrong_value(param, error)
    return f"{named}: {error.message}" if named else str(error.message)


def _wrong_option(name: str, names: dict[str, Any], *, is_known: bool) -> str:
    """Return the message about an option that does not exist, or lacks its value, or has one."""
    if not is_known:
        return f"no option {name}{did_you_mean(name, names)}"
    param = names.get(name)
    if param is None or param.is_flag:
        return f"{name} accepts no value"
    return f"{name} needs a value: {expected(param)}"


def _wrong_value(param: Any, error: Any) -> str:
    """Return the message about a value that an option or argument cannot have."""
    cause = error.__cause__
    faults = cause.errors() if hasattr(cause, "errors") else ()
    value = faults[0].get("input") if faults else None
    shown = "invalid value" if value is None else f"invalid value '{value}'"
    hint = did_you_mean(value, choices(param))
    return f"{shown} for {_name(param)}: expected {expected(param)}{hint}"


def expected(param: Any) -> str:
    """Return the values that a parameter accepts, as a part of a sentence."""
    values = choices(param)
    if values:
        return f"{', '.join(values[:-1])} or {values[-1]}"
    least, most = bounds(param)
    if most is not None:
        return f"a number from {least} to {most}"
    if least is not None:
        return f"a number from {least}"
    return str(metavar(param))


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return a hint at the known word that is most like a wrong one; empty if none is like it."""
    close = get_close_matches(str(word).lower(), [*known], 1)
    return f"; did you mean {close[0]}?" if close else ""


def unexpected(words: list[str], context: Any) -> Misuse:
    """Return the error about arguments that a command does not have."""
    return Misuse(f"unexpected argument '{visible(words[0])}'", context)


def no_command(name: str, known: Iterable[str], context: Any) -> Misuse:
    """Return the error about a command that does not exist."""
    hint = did_you_mean(name, known)
    if not hint and "check" in known and Path(name).exists():
        hint = f": to check this file or folder: {context.command_path} check {name}"
    return Misuse(visible(f"no command '{name}'{hint}"), context)


def _names(param: Any) -> list[str]:
    return [*param.opts, *param.secondary_opts] if param.param_type_name == "option" else []


def _name(param: Any) -> str:
    return ", ".join(_names(param)) or metavar(param)
