"""Help of commands: options in sections, as wide as the terminal.

The section of an option is the ``rich_help_panel`` of its declaration.  Examples are the last
paragraph of a command's docstring: a line ``Examples:``, and indented lines that are not wrapped.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from typer import style

from .parameters import bounds, choices, metavar

#: Lines longer than this are hard to read, even if the terminal is wider.
MAX_WIDTH = 100

#: If less is left for the texts beside the options, they are below them.
MIN_TEXT = 40

#: A command with fewer options lists them in one section.
MIN_OPTIONS = 7

#: Options longer than this have their texts below.
MAX_HEAD = 26

#: A remark in brackets that wrapping keeps in one line: ``[default: 1]``.
REMARK = re.compile(r"\[[^\[\]]{1,30}\]")


class Section(StrEnum):
    """The sections of options, in their order in the help."""

    OPTIONS = "Options"
    CONVERSION = "Conversion"
    LAYOUT = "Layout"
    POSITION = "Position"
    PICTURE = "Picture"
    GRAMMAR = "Grammar"
    TYPED = "Typed grammar"
    TEXTS = "Texts"
    GAMES = "Games"
    RULES = "Rules"
    FIXES = "Fixes"
    REPORT = "Report"
    OUTPUT = "Output"
    FILES = "Files"
    READING = "Reading"
    SETTINGS = "Settings"
    RUN = "Run"
    HELP = "Help"


def command(text: str, params: list[Any]) -> str:
    """Return the help of a command, after its usage, from its docstring and its parameters."""
    text, _, examples = text.partition("\nExamples:\n")
    shown = f"\n{paragraphs(text.rstrip())}{parameters(params)}"
    if examples:
        shown += f"\n{heading('Examples')}\n"
        shown += "".join(f"  {line.strip()}\n" for line in examples.splitlines())
    return shown


def help_option(option: Any) -> Any:
    """Give the option for help its section; a default saves the import of pydantic."""
    option.default = False
    option.opts.sort(key=len)  # typer takes them from a set
    option.help = "Show this help."
    option.rich_help_panel = Section.HELP
    return option


def usage(params: Iterable[Any]) -> list[str]:
    """Return the usage of options and arguments: ``--to FORMAT``, ``[OPTIONS]``, ``FILE``."""
    options = [param for param in params if param.param_type_name == "option"]
    needed = [f"{param.opts[-1]} {metavar(param)}" for param in options if param.required]
    names = [_argument(param) for param in params if param.param_type_name == "argument"]
    return [*needed, "[OPTIONS]", *names]


def parameters(params: Iterable[Any]) -> str:
    """Return the arguments and the options, in their sections."""
    shown = [param for param in params if not param.hidden]
    options = [param for param in shown if param.param_type_name == "option"]
    sections: dict[str, list[tuple[str, str]]] = {}
    for param in shown:
        if param not in options:
            sections.setdefault("Arguments", []).append((_argument(param), _text(param)))
            continue
        section = param.rich_help_panel if len(options) >= MIN_OPTIONS else None
        sections.setdefault(section or Section.OPTIONS, []).append((_option(param), _text(param)))
    return listing(_in_order(sections))


def listing(sections: Mapping[str, list[tuple[str, str]]]) -> str:
    """Return sections of names and texts, the texts in one column."""
    heads = [len(head) for rows in sections.values() for head, _ in rows]
    column = min(max(heads, default=0), MAX_HEAD) + 4
    lines = list[str]()
    for section, rows in sections.items():
        lines += ["", heading(section)]
        for head, text in rows:
            lines += _row(head, text, column)
    return "".join(f"{line}\n" for line in lines)


def _in_order(sections: dict[str, Any]) -> dict[str, Any]:
    order = ["Arguments", *Section]
    return {name: sections[name] for name in sorted(sections, key=order.index)}


def _row(head: str, text: str, column: int) -> Iterator[str]:
    """Return the lines of a name and its text."""
    is_narrow = width() - column < MIN_TEXT
    indent = 6 if is_narrow else column
    lines = _wrapped(text, width() - indent)
    if lines and not is_narrow and len(head) + 4 <= column:
        yield f"  {head:<{column - 2}}{lines.pop(0)}"
    else:
        yield f"  {head}"
    yield from (" " * indent + line for line in lines)


def width() -> int:
    """Return the width of the help, in characters."""
    return min(get_terminal_size().columns, MAX_WIDTH)


def heading(text: str) -> str:
    """Return the heading of a section; in bold on a terminal."""
    no_color = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    is_bold = sys.stdout.isatty() and not no_color
    return str(style(f"{text}:", bold=True)) if is_bold else f"{text}:"


def paragraphs(text: str) -> str:
    """Return paragraphs, wrapped and indented."""
    wrapped = ("\n".join(_wrapped(part, width() - 2)) for part in text.split("\n\n"))
    return "".join(f"  {line}".rstrip() + "\n" for line in "\n\n".join(wrapped).split("\n"))


def _wrapped(text: str, width: int) -> list[str]:
    text = REMARK.sub(lambda match: match[0].replace(" ", "\0"), " ".join(text.split()))
    lines = wrap(text, max(width, 20), break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _argument(param: Any) -> str:
    name = str(param.metavar or param.name.upper())
    if name.startswith("[") and name.endswith(("]", "]...")):
        return name
    many = "..." if param.nargs != 1 else ""
    return f"{name}{many}" if param.required else f"[{name}]{many}"


def _option(param: Any) -> str:
    names = ", ".join(param.opts)
    if param.is_flag:
        return " / ".join([names, *param.secondary_opts])
    return f"{names} {metavar(param)}"


def _text(param: Any) -> str:
    """Return the text of a parameter, its choices, its range and its default."""
    parts = [param.help or ""]
    listed = choices(param)
    if listed and "|".join(listed) != metavar(param):
        parts.append(f"[{', '.join(listed)}]")
    least, most = bounds(param)
    if least and most:
        parts.append(f"[{least} to {most}]")
    default = param.default
    if param.show_default and default is not None and not isinstance(default, bool):
        parts.append(f"[default: {getattr(default, 'value', default)}]")
    return " ".join(parts)
