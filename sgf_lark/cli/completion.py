"""Completion in bash, zsh and fish: values that are offered, and the scripts for the shells."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

from sgf_lark.core import reason
from sgf_lark.report.terminal import say, show

from .interface import OneOf
from .output import fail

#: Encodings that records usually have.
ENCODINGS = (
    *("utf-8", "utf-16", "latin-1", "cp1252", "gb18030", "big5", "shift_jis", "euc-jp"),
    *("iso2022_jp", "euc-kr", "cp949", "koi8-r", "cp1251"),
)

#: A function that offers values; none imports models, since a person waits.
Offer: TypeAlias = "Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]"


def rules(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """Return selectors of rules; those of ``V301,wr`` go on after the comma."""
    done, comma, last = word.rpartition(",")
    return [
        CompletionItem(done + comma + name, help=summary)
        for name, summary in _rules(last)
        if name.startswith(last)
    ]


def topics(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """Return the rules, groups, properties and settings that ``explain`` explains."""
    known = [*_rules(word), *((*_properties(), *_settings()) if word else ())]
    return [
        CompletionItem(name, help=summary)
        for name, summary in known
        if name.startswith(word) and name != "ALL"
    ]


def grammars(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem[str]]:
    """Return the shipped grammars; if none fits, the shell offers files."""
    from sgf_lark.core import grammars

    names = [CompletionItem(name) for name in grammars.names() if name.startswith(word)]
    return names or [CompletionItem(word, type="file")]


def some(*values: str) -> Offer:
    """Return a function that offers some of the values of an option, which has others, too."""

    def offer(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem[str]]:
        return [CompletionItem(value) for value in values if value.startswith(word.lower())]

    return offer


def _rules(word: str) -> Iterator[tuple[str, str]]:
    from sgf_lark.core import GROUPS

    yield "ALL", "all rules"
    for letter, group in GROUPS.items():
        yield group, f"rules {letter}..."
    page = (Path(__file__).parents[1] / "core" / "findings" / "catalogue" / "README.md").read_text(
        encoding="utf-8"
    )
    for code, name, summary in re.findall(_ROW, page) if word else ():
        yield code, summary
        yield name, summary


#: A rule of the table: code, name and summary.
_ROW = r"</a>(\w+) \| `([\w-]+)` \|[^|]*\| (.*) \|\n"


def _properties() -> Iterator[tuple[str, str]]:
    table = (Path(__file__).parents[1] / "core" / "schema" / "properties.tsv").read_text(
        encoding="utf-8"
    )
    names = {tuple(row.split("\t")[2:4]) for row in table.splitlines()[1:]}
    for ident, name in sorted(names):
        yield ident, name
        if " " not in name:
            yield name, f"property {ident}"


def _settings() -> Iterator[tuple[str, str]]:
    """Yield the names of settings; their models are imported once a name has begun."""
    from sgf_lark.settings.settings import known_settings

    for name in known_settings():
        yield name, "a setting"


# ---- the scripts ----


class EqualsComplete(ShellComplete):
    """Completion that goes on after the sign of ``--level=in``, too."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """Return the values, with the option if the shell takes both for one word."""
        words = [word for word in args if word != "="]  # bash divides at the sign
        items = super().get_completions(words, incomplete)
        option, sign, _ = incomplete.partition("=")
        if not (sign and option.startswith("--")):
            return items
        return [CompletionItem(f"{option}={item.value}", help=item.help) for item in items]


# The script divides each line at all commas, so that of V301,V302 only V301 would be left.
FishComplete.source_template = FishComplete.source_template.replace(
    'string split ","', 'string split --max 1 ","'
)

for completion_class in (BashComplete, ZshComplete, FishComplete):
    name = completion_class.name
    add_completion_class(type(name, (EqualsComplete, completion_class), {}), name)


class Shell(StrEnum):
    """The shells that have completion."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def add_options(program: click.Command) -> None:
    """Add the options that print and install the script for a shell."""
    for name, function, text in (
        ("--install-completion", install, "Complete commands, options and values with the Tab key"),
        ("--show-completion", print_script, "Print the script for completion"),
    ):
        program.params.append(
            click.Option(
                [name],
                type=OneOf(Shell),
                metavar=f"[{'|'.join(Shell)}]",
                is_flag=False,
                flag_value=Path(os.environ.get("SHELL", "")).name,
                is_eager=True,
                expose_value=False,
                callback=function,
                help=f"{text}.  [default: for your shell]",
            )
        )


def script_for(program: click.Command, shell: Shell) -> str:
    """Return the script that completes the words of a program in a shell."""
    completion = get_completion_class(shell.value)
    if completion is None:
        raise LookupError(shell)
    return completion(program, {}, "sgf-lark", "_SGF_LARK_COMPLETE").source()


def print_script(context: click.Context, _: click.Parameter, shell: Shell | None) -> None:
    if shell is not None and not context.resilient_parsing:
        show(script_for(context.command, shell))
        context.exit()


def install(context: click.Context, _: click.Parameter, shell: Shell | None) -> None:
    """Write the script for a shell of the user, and say what was done."""
    if shell is None or context.resilient_parsing:
        return
    home, variable = Path.home(), os.environ.get
    settings = {
        Shell.BASH: home / ".bashrc",
        Shell.ZSH: Path(variable("ZDOTDIR") or home) / ".zshrc",
    }.get(shell)
    if settings is None:  # fish reads its folder
        folder = Path(variable("XDG_CONFIG_HOME") or home / ".config")
        file = folder / "fish" / "completions" / "sgf-lark.fish"
    else:
        folder = Path(variable("XDG_DATA_HOME") or home / ".local" / "share")
        file = folder / "sgf_lark" / f"completion.{shell}"
    lines = f"source {shlex.quote(str(file))}"
    if shell is Shell.ZSH:
        lines = f"autoload -Uz compinit && compinit\n{lines}"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script_for(context.command, shell), encoding="utf-8")
        say(f"wrote {file}")
        if settings is not None and _add_lines(settings, lines):
            say(f"added to {settings} what reads it")
    except OSError as error:
        fail(f"cannot install the completion: {error.filename}: {reason(error)}")
    say("completion works in the next shell that you open")
    context.exit()


def _add_lines(file: Path, lines: str) -> bool:
    """Add lines at the end of a file, unless it has them; return whether it was changed."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if lines in text:
        return False
    end = "\n" if text and not text.endswith("\n") else ""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(f"{end}\n# completion of sgf-lark\n{lines}\n")
    return True
