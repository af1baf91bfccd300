"""The pages of properties, grammars, commands, settings, names and tables of archives."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any

import click

import sgf_lark
from sgf_lark.core import grammars, read_homes
from sgf_lark.report.explain import SettingPage, escape, explain, private_properties
from sgf_lark.report.tables import tables
from sgf_lark.workbench.diagrams import diagram_of
from sgf_lark.workbench.source_text import grammar_text, title_of

from .markdown import fenced, literal, subpage, table_of

# ---- properties ----

#: The facts of a property, one in each column; what is not here adds to the values.
FACTS = ("where", "values", "inherited", "form", "content", "source")


def write_properties() -> Iterator[tuple[str, str]]:
    """Yield the page of each property, and the page that lists them."""
    rows, known = [], [*sgf_lark.PropertyTable.standard()]
    for ident in sorted({row.ident for row in (*known, *private_properties())}):
        own = [row for row in known if row.ident == ident]
        names = ", ".join(dict.fromkeys(row.name for row in own)) or "private"
        types = (
            dict.fromkeys(row.type for row in own if row.format is one) for one in sgf_lark.Format
        )
        rows.append((f"[{ident}]({ident}.md)", names, *map(escape, map(", ".join, types))))
        yield (
            f"properties/{ident}.md",
            subpage("[All properties](index.md)", *_about_property(ident)),
        )
    head = ("property", "name", *(one.shown for one in sgf_lark.Format))
    yield "properties/index.md", f"# Properties\n\n{table_of(head, rows)}"


def _about_property(ident: str) -> Iterator[str]:
    """Yield the title, and a table with a row for each format, game or program."""
    head, *blocks = explain(ident).blocks()
    yield f"# {escape(head.text)}"
    rows: list[dict[str, str]] = []
    for block in blocks:
        text = escape(block.text)
        if block.kind == "section":
            rows.append({"": f"**{text}**", "values": ""})
        elif block.label in FACTS:
            rows[-1][block.label] = text
        else:
            rows[-1]["values"] += f"<br>{block.label}: {text}" if block.label else text
    names = [fact for fact in ("", *FACTS) if any(row.get(fact) for row in rows)]
    yield table_of(names, ([row.get(fact, "") for fact in names] for row in rows))


# ---- grammars and games ----


def write_grammars() -> Iterator[tuple[str, str]]:
    """Yield the pages of all grammars and games, the page that lists them, and pictures."""
    games = {f"games/{game.grammar}": game for game in sgf_lark.GAMES.values() if game.grammar}
    rows = []
    for name in grammars.names():
        source, game = grammar_text(grammars.path(name)), games.get(name)
        title = title_of(source.text)
        parts = [f"# {game.name if game else title}"]
        rows.append((f"[{name}]({name}.md)", title))
        if game is not None:
            with suppress(ValueError):  # chess has no board
                yield f"grammars/{name}.svg", sgf_lark.Board(game.name).svg()
                parts.append(f"![The board of {game.name}]({game.grammar}.svg)")
            forms = ((literal(symbol), words) for symbol, words in game.expected.items())
            idents = {
                row.ident for row in sgf_lark.PropertyTable.standard() if row.game == game.number
            }
            links = (f"[{ident}](/properties/{ident}.md)" for ident in sorted(idents))
            parts += [title, table_of(("value", "form"), forms), f"Properties: {', '.join(links)}"]
        parts.append(fenced(source.text.partition("\n\n")[0], "lark"))
        for definition in source.by_name.values():
            drawn = diagram_of(source, definition, links=True)
            track = f'<div class="track" id="{definition.name}">{drawn}</div>'
            parts += [f"## `{definition.name}`", fenced(track, "{raw} html")]
            parts.append(fenced(source.written(definition), "lark"))
        yield f"grammars/{name}.md", subpage("[All grammars](/grammars/index.md)", *parts)
    yield "grammars/index.md", f"# Grammars\n\n{table_of(('grammar', 'content'), rows)}"


# ---- commands and settings ----


def write_commands(commands: Mapping[str, click.Command]) -> Iterator[tuple[str, str]]:
    """Yield the page of each command, and the page that lists them."""
    rows = []
    for name, command in commands.items():
        page, shown = name.replace(" ", "-"), f"sgf-lark {name}"
        context = click.Context(command, info_name=shown)
        texts = [*map(escape, (command.help or "").split("\n\n"))]
        rows.append((f"[{shown}]({page}.md)", texts[0]))
        parts = [f"# {shown}", *texts, fenced(context.get_usage(), "text")]
        for heading, params in _sections(command):
            records = filter(None, (param.get_help_record(context) for param in params))
            options = [(literal(option), escape(text)) for option, text in records]
            parts += [f"## {heading}", table_of(("", "meaning"), options)] if options else []
        examples = "\n".join(f"$ {line}" for line in getattr(command, "examples", ()))
        parts += ["## Examples", fenced(examples, "console")] if examples else []
        yield f"commands/{page}.md", subpage("[All commands](index.md)", *parts)
    yield "commands/index.md", f"# Commands\n\n{table_of(('command', 'purpose'), rows)}"


def _sections(command: Any) -> Iterator[tuple[str, Iterable[click.Parameter]]]:
    """Yield the sections of the help of a command: its arguments, then its options."""
    yield "Arguments", (one for one in command.params if isinstance(one, click.Argument))
    yield from ((one.section, one.options()) for one in getattr(command, "bundles", {}).values())


def write_settings(settings: Iterable[SettingPage]) -> Iterator[tuple[str, str]]:
    """Yield the page of the settings."""
    rows = (
        (f"<a id='{name}'></a>{literal(name)}", *map(escape, facts)) for name, *facts in settings
    )
    table = table_of(("setting", "meaning", "values", "default", "option"), rows)
    yield "settings.md", f"# Settings\n\n{table}"


# ---- names and tables ----


def write_names() -> Iterator[tuple[str, str]]:
    """Yield the page of each public name, and the page that lists them."""
    rows = []
    for name in sgf_lark.__all__:
        found = getattr(sgf_lark, name)
        summary = (found.__doc__ or "").partition("\n\n")[0] if callable(found) else ""
        words = re.sub(r":(\w+):(?=`)", r"{py:\1}", " ".join(summary.split()))
        rows.append((f"[{name}]({name}.md)", words))
        directives = fenced("\n\n".join(_directives(f"sgf_lark.{name}", found)), "{eval-rst}")
        yield f"api/{name}.md", subpage("[All names](index.md)", f"# {escape(name)}", directives)
    yield "api/index.md", f"# Names\n\n{table_of(('name', 'meaning'), rows)}"


def _directives(name: str, found: object) -> Iterator[str]:
    """Yield the directives of autodoc for a name, and for those of a package."""
    if isinstance(found, ModuleType):
        yield f".. automodule:: {name}"
        for inner in dir(found):
            yield from _directives(f"{name}.{inner}", getattr(found, inner))
    elif inspect.isclass(found):
        yield f".. autoclass:: {name}\n   :members:"
    elif callable(found):
        yield f".. autofunction:: {name}"
    else:  # a comment in its module describes it
        public = name.removeprefix("sgf_lark.")
        yield f".. autodata:: sgf_lark{read_homes('sgf_lark')[public]}.{public}\n   :no-value:"


def write_tables() -> Iterator[tuple[str, str]]:
    """Yield the page of the tables of archives."""
    parts = ["# Tables of archives"]
    for name, columns in tables().items():
        rows = (
            (literal(one.name), one.type + ", or null" * one.nullable, escape(one.meaning))
            for one in columns
        )
        parts += [f"## {name}", table_of(("column", "type", "meaning"), rows)]
    yield "tables.md", "\n\n".join(parts)
