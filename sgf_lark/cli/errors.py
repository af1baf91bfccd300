"""Errors of the command line, in the words of the help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from click.exceptions import NoArgsIsHelpError

from .output import fail

#: Begins the line of a message that says what to do.
HELP = "help: "


@contextmanager
def reported_misuse() -> Iterator[None]:
    """Report the errors of the command line in our words, and exit."""
    try:
        yield
    except NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message, mark, hint = _message(error).partition(f"\n{HELP}")
        fail(message, more=[HELP + hint] if mark else [])


def _message(error: click.UsageError) -> str:
    message, context = error.message, error.ctx
    match error:
        case click.NoSuchOption(option_name=name):
            hint = _hint_at_file(error) or _our_option(error) or _like(error)
            message = f"no option {name}{hint}"
        case click.BadOptionUsage(option_name=name) if context is not None:
            params = context.command.get_params(context)
            (param,) = (each for each in params if name in (*each.opts, *each.secondary_opts))
            is_flag = isinstance(param, click.Option) and param.is_flag
            expected = getattr(param.type, "expected", param.make_metavar(context))
            needed = f"needs a value: {expected}"
            message = f"{name} {'accepts no value' if is_flag else needed}"
        case click.MissingParameter(param=click.Parameter() as param):
            message = f"{_name(param)} is missing{_usage(context)}"
        case click.BadParameter(param_hint=str(hint)):
            message = f"{hint}: {message}"
    return message[:1].lower() + message[1:] if message.startswith("Got ") else message


def no_command(name: str, group: click.Context, known: Iterable[str]) -> click.UsageError:
    """Return the error about a word that is no command of a group."""
    hint = _ours(name, group) or did_you_mean(name, known) or _hint_at_path(name, group)
    return click.UsageError(f"no command '{name}'{hint}", group)


def wrong_value(
    value: object, param: click.Parameter | None, expected: str, known: Iterable[str] = ()
) -> click.BadParameter:
    """Return the error about a value that an option or argument cannot have."""
    place = "" if param is None else f" for {_name(param)}"
    hint = did_you_mean(value, known) or _instead(value, param)
    return click.BadParameter(f"invalid value '{value}'{place}: expected {expected}{hint}")


def _instead(value: object, param: click.Parameter | None) -> str:
    from sgf_lark.core import codec_of

    is_encoding = param is not None and "--to" in param.opts and codec_of(str(value)) is not None
    return f"\n{HELP}--to-encoding {value} chooses the encoding" if is_encoding else ""


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return a hint at the known word that is most like a wrong one; empty if none is like it."""
    from sgf_lark.core import nearest

    near = nearest(str(word), known)
    return f"\n{HELP}did you mean {near[0]}?" if near else ""


def _like(error: click.NoSuchOption) -> str:
    params = [] if error.ctx is None else error.ctx.command.get_params(error.ctx)
    return did_you_mean(error.option_name, [name for one in params for name in one.opts])


def _name(param: click.Parameter) -> str:
    is_argument = isinstance(param, click.Argument)
    return param.human_readable_name if is_argument else ", ".join(param.opts)


def _usage(context: click.Context | None) -> str:
    if context is None:
        return ""
    words = context.command.collect_usage_pieces(context)
    return f"\n{HELP}{' '.join((context.command_path, *words))}"


def _ours(name: str, context: click.Context) -> str:
    program, *group = context.command_path.split()
    ours = OTHER_COMMANDS.get(" ".join((*group, name)))
    return f"\n{HELP}'{program} {ours}' does that" if ours else ""


def _our_option(error: click.NoSuchOption) -> str:
    if error.ctx is None:
        return ""
    command, name = error.ctx.command, error.option_name
    ours = INSTEAD.get(f"{command.name} {name}")
    if ours is None and (own := OTHER_OPTIONS.get(name)):
        is_known = any(own.partition(" ")[0] in param.opts for param in command.params)
        ours = own if is_known else None
    return f"\n{HELP}{ours} does that" if ours else ""


def _hint_at_path(name: str, context: click.Context) -> str:
    """Return a hint if the word of a command that does not exist is the name of a file."""
    if context.parent is not None or not Path(name).exists():
        return ""
    return f"\n{HELP}to check this file or folder: {context.command_path} check {name}"


def _hint_at_file(error: click.NoSuchOption) -> str:
    """Return a hint if the word of an option that does not exist is the name of a file."""
    name = error.option_name.lstrip("-")
    for word in error.ctx.obj if error.ctx else ():
        if word.startswith("-") and name in word and Path(word).exists():
            return f"\n{HELP}for the file {word}: ./{word}, or -- before it"
    return ""


# ---- words of other tools, and ours that do the same ----

#: Commands; those of a group after its name.
OTHER_COMMANDS = {
    "dedupe": "archive dupes",
    "diff": "check --diff",
    "export": "convert",
    "fix": "check --fix",
    "format": "fmt",
    "help": "--help",
    "join": "merge",
    "lint": "check",
    "parse": "tree",
    "players": 'archive sql FOLDER "FROM players"',
    "print": "show",
    "render": "show",
    "rule": "explain",
    "search": "archive sql",
    "stats": "check --format statistics",
    "strip": "fmt --drop",
    "validate": "check",
    "version": "--version",
    "view": "show",
}

#: Options; a command that lacks ours does not name it.
OTHER_OPTIONS = {
    "-V": "--version",
    "-f": "--format",
    "-j": "--jobs",
    "-w": "--in-place",
    "--charset": "--encoding",
    "--dry-run": "--diff",
    "--inplace": "--in-place",
    "--json": "--format json",
    "--line-length": "--width",
    "--out": "--output",
    "--output-file": "--output",
    "--output-format": "--format",
    "--statistics": "--format statistics",
    "--write": "--in-place",
}

#: Options of one command that others have in another place.
INSTEAD = {
    "convert --from": "--as",
    "explain --all": "explain without an argument",
    "fmt --in-place": "fmt without --check and --diff",
    "fmt --inplace": "fmt without --check and --diff",
    "fmt --write": "fmt without --check and --diff",
    "fmt -w": "fmt without --check and --diff",
}
