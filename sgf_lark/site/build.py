"""Builds the site by Sphinx, from pages that are written into a temporary folder."""

from __future__ import annotations

import inspect
import json
import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from os.path import normpath, relpath
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import click

import sgf_lark
from sgf_lark.core import (
    CheckOptions,
    Entry,
    Format,
    Report,
    catalogue,
    check,
    detect_format,
    grammars,
    loads,
    read_homes,
)
from sgf_lark.pictures.pages.markup import tag
from sgf_lark.report.explain import (
    RulePage,
    SettingPage,
    escape,
    explain,
    private_properties,
    sections_of,
)
from sgf_lark.workbench.diagrams import diagram_of
from sgf_lark.workbench.source_text import grammar_text, title_of_grammar

#: The navigation, in which a pattern stands for all other pages that it fits.
NAVIGATION = {
    "Guides": (
        *("guides/check", "guides/fix", "guides/convert", "guides/layout", "guides/show"),
        *("guides/study", "guides/program", "guides/grammar", "guides/editor"),
        *("guides/questions", "guides/*"),
    ),
    "Reference": (
        *("rules/index", "properties/index", "grammars/index", "commands/index", "api/index", "*"),
    ),
    "For contributors": ("rooms/index", "rooms/*"),
}


def build_site(
    target: Path,
    commands: Mapping[str, click.Command],
    settings: Iterable[SettingPage],
    playground: str,
) -> bool:
    """Build the site, and return whether Sphinx had nothing to warn of.

    Args:
        target: The folder of the site.
        commands: The commands by their words.
        settings: The pages on the settings.
        playground: The address of a playground, from the top of the site if it is relative; "".

    Raises:
        OSError: The folder cannot be written.
    """
    from sphinx.cmd.build import build_main

    target.mkdir(parents=True, exist_ok=True)
    guides = dict(write_guides())
    guides["index.md"] = fill_front(str(guides["index.md"]), target, playground)
    pages = chain(
        guides.items(),
        write_findings(playground),
        write_properties(),
        write_grammars(),
        write_commands(commands),
        write_settings(settings),
        write_names(),
    )
    with TemporaryDirectory() as folder:
        source = Path(folder, "source")
        for name, content in pages:
            file = source / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with (source / "index.md").open("a", encoding="utf-8") as index:
            for caption, names in NAVIGATION.items():
                lines = "\n".join((":hidden:", ":glob:", f":caption: {caption}", "", *names))
                index.write(f"\n\n{fenced(lines, '{toctree}')}")
        options = ["-q", "-n", "-W", "--keep-going", "-c", str(Path(__file__).parent)]
        return not build_main([*options, "-d", f"{folder}/trees", str(source), str(target)])


#: Pages that have other names than their files.
PAGES = {
    "sgf_lark/site/front.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "sgf_lark/README.md": "rooms/index.md",
    "sgf_lark/core/findings/catalogue/README.md": "rules/index.md",
    "sgf_lark/site/guides/tables.md": "tables.md",
    "tests/conformance/SCOREBOARD.md": "guides/scoreboard.md",
}

#: Pages outside the package; a wheel has them in the folder ``checkout`` beside this file.
OUTSIDE = (
    *("CHANGELOG.md", "tests/benchmarks/README.md"),
    *("tests/conformance/README.md", "tests/conformance/SCOREBOARD.md"),
)

_PACKAGE = Path(__file__).parents[1]

#: Folders that only a wheel has, for files that are elsewhere in a checkout.
OF_WHEEL = ("sgf_lark/core/grammar/files/", "sgf_lark/site/checkout/")

#: Blocks of code; links to files and sections; codes in the table of all rules.
_BLOCK = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[((?:[^][]|\[[^]]*\])*)\]\(([\w./-]*)((?:#[\w-]+)?)\)")
_CODE = re.compile(r"(<a id='(\w+)'></a>)\w+")


def write_guides() -> Iterator[tuple[str, str | bytes]]:
    """Yield the pages for users and those of the rooms, and the other files that they link to."""
    inside = (file.relative_to(_PACKAGE.parent).as_posix() for file in _PACKAGE.rglob("*.md"))
    names = [*sorted(name for name in inside if not name.startswith(OF_WHEEL))]
    names += ["grammars/README.md", *OUTSIDE]
    pages = {name: PAGES.get(name) or _page_of(Path(name)) for name in names}
    front = {"README.md": PAGES["sgf_lark/site/front.md"]}  # is the front page elsewhere
    linked: dict[str, bytes] = {}

    def resolve(name: str, link: re.Match[str]) -> str:
        text, path, section = link.groups()
        target = normpath(Path(name).parent / path) if path else name
        page = (pages | front).get(target, f"files/{Path(target).name}")
        if target in front:
            section = ""
        elif target not in pages:
            if not file_of(target).is_file():
                return text
            linked[page] = file_of(target).read_bytes()
        return f"[{text}]({relpath(page, Path(pages[name]).parent)}{section})"

    for name in names:
        parts = _BLOCK.split(file_of(name).read_text(encoding="utf-8"))
        parts[::2] = (_LINK.sub(partial(resolve, name), part) for part in parts[::2])
        yield pages[name], _CODE.sub(r"\1[\2](\2.md)", "".join(parts))
    yield from linked.items()


def _page_of(file: Path) -> str:
    folder = file.parent.name
    return f"guides/{file.name}" if folder == "guides" else f"rooms/{folder}.md"


def file_of(name: str) -> Path:
    """Return the place of a file of the project, which a wheel may have elsewhere.

    Args:
        name: Its path from the root of a checkout, such as ``grammars/ff4.lark``.
    """
    folder, _, rest = name.partition("/")
    if folder == "grammars":
        return grammars.folder() / rest
    is_wheel = grammars.folder().is_relative_to(_PACKAGE)
    inside = folder == _PACKAGE.name or not is_wheel
    return (_PACKAGE.parent if inside else Path(__file__).with_name("checkout")) / name


# ---- the front page ----

#: The record of the front page.
_RECORD = re.compile(r"^```text [^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fill_front(text: str, target: Path, playground: str) -> str:
    """Return the front page with a viewer of its record, and with the playground if there is one.

    Args:
        text: The page; ``<!-- viewer -->`` and ``<!-- playground -->`` are replaced.
        target: The folder of the site.
        playground: The address of a playground, from the top of the site if it is relative; "".
    """
    record = "".join(_RECORD.findall(text))
    page = loads(record, strict=False)[0].viewer().html
    viewer = tag("iframe", srcdoc=page, sandbox="allow-scripts", title="A game", class_="live")
    text = text.replace("<!-- viewer -->", fenced(viewer, "{raw} html"))
    if not playground:
        return text.replace("<!-- playground -->", "")
    address = link_to(playground, detect_format(record), record)
    if "://" in playground:
        opened = tag("p", tag("a", "Open this game in the playground", href=address))
    else:  # what is closed is not loaded
        size = sum(one.stat().st_size for one in (target / playground).rglob("*") if one.is_file())
        words = f"Open this game in the playground: Python for the browser, {size / 1e6:.0f} MB"
        frame = tag("iframe", src=address, loading="lazy", title="Playground", class_="live")
        opened = tag("details", tag("summary", words), frame)
    return text.replace("<!-- playground -->", fenced(opened, "{raw} html"))


def link_to(playground: str, format_: Format, text: str) -> str:
    """Return the address of a playground with a text and the grammar of its format."""
    grammar = grammars.text_of(grammars.path(format_.grammar))
    state = json.dumps({"grammar": grammar, "text": text, "start": ""}).encode()
    packed = zlib.compress(state, level=9, wbits=-zlib.MAX_WBITS)  # as the page reads it
    return f"{playground}#{urlsafe_b64encode(packed).decode().rstrip('=')}"


# ---- Markdown ----


def literal(text: str) -> str:
    """Return a text in a table as code."""
    return f"`{text}`".replace("|", r"\|")


def fenced(text: str, language: str) -> str:
    """Return a block of code, or a directive such as ``{eval-rst}``."""
    return f"`````{language}\n{text.rstrip()}\n`````"


def table_of(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells in Markdown."""
    head = [*head]
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def subpage(parent: str, *parts: str) -> str:
    """Return a page that is below a link to the one that lists it, and not in the navigation.

    There are hundreds of them, and each page has the navigation.
    """
    return "\n\n".join(("---\norphan: true\n---", parent, *parts))


#: Most characters of a picture; a board of 52 columns has more.
MAX_PICTURE = 100_000


def write_findings(playground: str) -> Iterator[tuple[str, str]]:
    """Yield the page of each rule, and its pictures.

    Args:
        playground: The address of a playground, from the top of the site if it is relative; "".
    """
    for code, entry in catalogue().items():
        reports = [*_reports(entry)]
        head, why, *examples, fix, sources = sections_of(RulePage(entry.rule).blocks())
        if examples and playground:
            examples[0] += "\n\n" + " · ".join(_links(entry, playground))
        if boards := _draw_boards(entry, reports):
            examples.append(table_of(boards, [[f"![{one}]({code}-{one}.svg)" for one in boards]]))
            yield from ((f"rules/{code}-{one}.svg", board) for one, board in boards.items())
        found = (finding.fix for report in reports for finding in report if finding.code == code)
        for made in dict.fromkeys(filter(None, found)):
            option = "a safe fix, `--fix`" if made.safe else "an unsafe fix, `--unsafe-fixes`"
            fix += f"\n\n* {escape(made.message)} ({option})"
        parts = [head, why, *examples, fix, sources]
        yield f"rules/{code}.md", subpage("[All findings](index.md)", *parts)


def _reports(entry: Entry) -> Iterator[Report]:
    """Yield what is found in each wrong example."""
    options = CheckOptions(extend_select=[entry.code])
    for data in (*map(str.encode, entry.wrong), *map(bytes.fromhex, entry.wrong_hex)):
        yield check(data, format=format_of(entry), options=options)


def format_of(entry: Entry) -> Format | None:
    """Return the format of the examples of an entry; None if they declare it."""
    return Format.named(entry.format) if entry.format else None


def _draw_boards(entry: Entry, reports: list[Report]) -> dict[str, str]:
    """Return the boards at the first finding and at the end of the first right example, if any."""
    boards = [board for report in reports for board in report.boards().values()]
    if not boards or not entry.right:
        return {}
    boards.append(loads(entry.right[0], strict=False)[0].main_line()[-1].diagram())
    pictures = [str(board.svg()) for board in (boards[0], boards[-1])]
    is_small = max(map(len, pictures)) < MAX_PICTURE
    return dict(zip(("wrong", "right"), pictures, strict=True)) if is_small else {}


def _links(entry: Entry, playground: str) -> Iterator[str]:
    """Yield links to the playground, each with a wrong example and the grammar of its format."""
    address = playground if "://" in playground else f"../{playground}"
    for number, text in enumerate(entry.wrong, 1):
        link = link_to(address, format_of(entry) or detect_format(text), text)
        yield f'<a href="{link}">Open example {number} in the playground</a>'


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
        title = title_of_grammar(source.text)
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
    yield "Arguments", (one for one in command.params if isinstance(one, click.Argument))
    yield from ((one.section, one.options()) for one in getattr(command, "bundles", {}).values())


def write_settings(settings: Iterable[SettingPage]) -> Iterator[tuple[str, str]]:
    rows = (
        (f"<a id='{name}'></a>{literal(name)}", *map(escape, facts)) for name, *facts in settings
    )
    table = table_of(("setting", "meaning", "values", "default", "option"), rows)
    yield "settings.md", f"# Settings\n\n{table}"


# ---- names ----


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
        home = read_homes("sgf_lark")[public]
        home += read_homes("sgf_lark.core")[public] if home == ".core" else ""
        yield f".. autodata:: sgf_lark{home}.{public}\n   :no-value:"
