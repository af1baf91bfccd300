"""Pages that explain a rule or a property: for ``sgf-lark explain``.

A page can be written for a terminal, in Markdown, and as data.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    GROUPS,
    RULES,
    Category,
    Count,
    Format,
    Game,
    PropertyRule,
    PropertyTable,
    Rule,
    capitals,
    catalogue,
    nearest,
    reader,
    selected,
    table,
)


class PrivateProperty(NamedTuple):
    """A property that a program or server writes for itself."""

    ident: str
    program: str
    meaning: str  # the content of its values; "unknown" if nobody has published it
    form: str  # the form of a value in words; "" if unknown
    source: str


def private_properties() -> tuple[PrivateProperty, ...]:
    """Return the rows of ``private.tsv``, ordered by identifier; one may be in several rows.

    No standard defines these properties: known programs and servers write them.
    """
    text = Path(__file__).with_name("private.tsv").read_text(encoding="utf-8")
    _, *lines = text.splitlines()
    rows = (["" if cell == "-" else cell for cell in line.split("\t")] for line in lines)
    return tuple(PrivateProperty(*row) for row in rows)


#: The subject of each group of rules.
ABOUT = {
    "F": "files that cannot be read or checked",
    "S": "the syntax of records",
    "T": "properties in the wrong place, and properties that exclude each other",
    "V": "property values",
    "E": "character encodings",
    "G": "the rules of the game",
    "D": "nonstandard output of known programs",
    "L": "custom grammars",
    "C": "changes and losses of a conversion",
}

CATEGORIES = {
    Category.MOVE: "a move property: not in one node with setup properties",
    Category.SETUP: "a setup property: not in one node with move properties",
    Category.ROOT: "a root property: only in the first node of a game",
    Category.GAME_INFO: "a game-info property: once on each path of a game",
    Category.NONE: "in any node",
}

COUNTS = {
    Count.ONE: "one value",
    Count.LIST: "one value or more",
    Count.ELIST: "any number of values, or '[]' for none",
}

#: The sources in the property tables, except the pages of FF[4].
SOURCES = {
    "ff1": "FF[1]",
    "ff3": "FF[3]",
    "ggf": "the GGF page",
    "sgfc": "SGFC, a program",
    "gnubg": "GNU Backgammon, a program",
    "edax": "Edax, a program",
    "ntest": "NTest, a program",
    "grove": "Grove, a program",
    "ggs-chess": "GGS, the server, on chess",
    "ggs-clock": "GGS, the server, on clocks",
}


#: Sources of rows that users add.
CUSTOM_SOURCES = {"": "a custom table", "settings": "a settings file"}


#: Facts about properties that no standard defines (FF[4], Private properties).
ABOUT_PRIVATE = (
    "A property that no standard defines is private: a program writes it for itself, others may"
    " drop it or use its name for something else. It is kept as it is. The table [properties] of"
    " the settings gives it a type."
)


class Block(NamedTuple):
    kind: str  # title, section, text, record or item
    text: str  # the text; of an item, the text after its label
    label: str = ""


Page: TypeAlias = "RulePage | GroupPage | PropertyPage | SettingPage"


class UnknownError(LookupError):
    """No rule, group or property has this name; the message suggests similar ones."""


def explain(word: str, table: PropertyTable | None = None) -> Page:
    """Return the page on a rule, a group of rules or a property.

    Args:
        word: ``V301``, ``wrong-value``, ``V3``, ``value``; ``KM``, ``Komi``, ``BlackPlayer``, or
            a private property that a known program writes, such as ``LZ``.
            A letter that names both a group and a property means the property.
        table: The known properties and games; None for those of the standards.

    Raises:
        UnknownError: No rule, group or property has this name.
    """
    table = PropertyTable.standard() if table is None else table
    rows = [row for row in table if row.ident == word.upper()]
    private = [row for row in private_properties() if row.ident == word.upper()]
    if rows or private:
        return PropertyPage(word.upper(), rows, private, table)
    rules = () if word.upper() == "ALL" or not word else selected(word)
    if len(rules) == 1:
        return RulePage(rules[0])
    if rules:
        return GroupPage(rules)
    named = {row.ident for row in table if row.name.lower() == word.lower()}
    for ident in (*sorted(named), capitals(word) if word.isalpha() else ""):
        rows = [row for row in table if row.ident == ident]
        if rows and word:
            return PropertyPage(ident, rows, [], table)
    similar = _similar(word)
    more = f"{'' if similar else '.'} {ABOUT_PRIVATE}"
    more *= word.isascii() and word.isalpha() and word.isupper()
    raise UnknownError(f"unknown code, property or setting '{word}'{similar}{more}")


def _similar(word: str) -> str:
    """Return similar names: ``; did you mean V301 or V302?``; "" if there are none."""
    standard = [*PropertyTable.standard()]
    known = {rule.name: rule.name for rule in RULES.values()}
    known |= {rule.code.lower(): rule.code for rule in RULES.values()}
    known |= {row.ident.lower(): row.ident for row in standard}
    known |= {row.name.lower(): row.ident for row in standard}
    known |= {row.ident.lower(): row.ident for row in private_properties()} | known
    known |= {name: name for name in GROUPS.values()}
    near = nearest(word, known, 6)
    shown = list(dict.fromkeys(known[name] for name in near))[:3]
    return f"; did you mean {' or '.join(shown)}?" if shown else ""


# ---- pages ----


class RulePage:
    """The page on one rule, with its entry in the catalogue."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.entry = catalogue().get(rule.code)

    def data(self) -> dict[str, Any]:
        rule = self.rule
        found = {"kind": "rule", "code": rule.code, "name": rule.name, "group": rule.group}
        more = {} if self.entry is None else self.entry.model_dump(mode="json", exclude={"code"})
        return found | {
            "severity": rule.severity.value,
            "strict": rule.strict,
            "summary": rule.summary,
            **more,
        }

    def blocks(self) -> Iterator[Block]:
        rule, entry = self.rule, self.entry
        strict = " It is checked only with --strict, or if selected by name." if rule.strict else ""
        yield Block("title", f"{rule.code} {rule.name}: {rule.summary}")
        yield Block("text", f"Group {rule.group}, default severity {rule.severity}.{strict}")
        if entry is None:
            return
        yield Block("text", entry.meaning)
        yield Block("section", "Why")
        yield Block("text", entry.why)
        changed = rule.group == "conversion" and rule.severity != "error"
        titles = ("Before", f"Converted to {entry.format}") if changed else ("Wrong", "Right")
        examples = (entry.wrong, entry.wrong_hex), (entry.right, entry.right_hex)
        for title, (texts, bytes_) in zip(titles, examples, strict=True):
            if texts or bytes_:
                yield Block("section", title)
            for text in texts:
                yield Block("record", text)
            for text in bytes_:
                yield Block("record", bytes.fromhex(text).decode("ascii", "backslashreplace"))
        yield Block("section", "How to fix it")
        yield Block("text", f"{entry.fix} {entry.by_hand}".rstrip())
        if entry.safe:
            yield Block("section", "Why a fix is safe")
            yield Block("text", entry.safe)
        yield Block("section", "Sources")
        yield Block("text", "; ".join(entry.sources))


class GroupPage(NamedTuple):
    """The page on a group of rules, or on all, one a line."""

    rules: tuple[Rule, ...] = tuple(RULES.values())

    def data(self) -> dict[str, Any]:
        return {"kind": "rules", "rules": [RulePage(rule).data() for rule in self.rules]}

    def blocks(self) -> Iterator[Block]:
        for letter, rules in groupby(self.rules, key=lambda rule: rule.code[0]):
            yield Block("title", f"{letter} {GROUPS[letter]}: {ABOUT[letter]}")
            for rule in rules:
                strict = " (strict)" if rule.strict else ""
                label = f"{rule.code} {rule.name}"
                yield Block("item", f"{rule.severity}{strict}: {rule.summary}", label)


class PropertyPage(NamedTuple):
    """The page on a property, in every format, game and known program that has it."""

    ident: str
    rows: list[PropertyRule]
    private: list[PrivateProperty]
    table: PropertyTable

    def data(self) -> dict[str, Any]:
        return {
            "kind": "property",
            "ident": self.ident,
            "rules": [
                row.model_dump(mode="json")
                | {"game": self._game_name(row), "value": _words(row, self.table)}
                | ({"games": dict(_in_games(row, self.table))} if _depends_on_game(row) else {})
                for row in self.rows
            ],
            "private": [row._asdict() for row in self.private],
        }

    def _game_name(self, row: PropertyRule) -> str | None:
        return _game(row, self.table).name if row.game else None

    def blocks(self) -> Iterator[Block]:
        named = dict.fromkeys(row.name for row in self.rows if row.name)
        names = " or ".join(named) or "private property"
        yield Block("title", f"{self.ident}: {names}")
        equal: dict[tuple[Block, ...], list[PropertyRule]] = {}
        for row in self.rows:
            equal.setdefault(tuple(_about(row, self.table)), []).append(row)
        for blocks, rows in equal.items():
            yield Block("section", _where(rows, self.table))
            yield from blocks
            yield Block("item", "; ".join(dict.fromkeys(map(_sources, rows))), "source")
        for own in self.private:
            also = ", as a private property" if self.rows else ""
            yield Block("section", own.program + also)
            yield Block("item", own.meaning, "content")
            if own.form:
                yield Block("item", own.form, "form")
            yield Block("item", own.source, "source")
        if self.private:
            yield Block("section", "Private properties")
            yield Block("text", ABOUT_PRIVATE)
        if self.ident == "GM":
            yield Block("section", "The numbers of games")
            names = ", ".join(
                f"{number} {game.name}" for number, game in self.table.numbered.items()
            )
            yield Block("text", names)
        if self.ident in GROUPS:
            group = GROUPS[self.ident]
            text = f"{self.ident} is also a group of findings: sgf-lark explain {group}"
            yield Block("section", text)


class SettingPage(NamedTuple):
    name: str  # its name, after that of its table: fmt.nodes
    meaning: str
    values: str
    default: str  # the value without it, as in a settings file; "" for none
    option: str  # the option of the command line that overrides it; "" for none

    def data(self) -> dict[str, Any]:
        return {"kind": "setting", **self._asdict()}

    def blocks(self) -> Iterator[Block]:
        yield Block("title", f"{self.name}: a setting")
        yield Block("text", self.meaning)
        yield Block("item", self.values, "values")
        yield Block("item", self.default or "not set", "default")
        if self.option:
            yield Block("item", self.option, "option")


def _where(rows: Iterable[PropertyRule], table: PropertyTable) -> str:
    """Return the formats and games of some rows: ``FF[1] and FF[3]; Go in FF[4]``."""
    games: dict[str, list[str]] = {}
    for row in rows:
        games.setdefault(_game(row, table).name if row.game else "", []).append(row.format.shown)
    shown = []
    for game, formats in games.items():
        *most, last = formats
        words = f"{', '.join(most)} and {last}" if most else last
        shown.append(f"{game} in {words}" if game else words)
    return "; ".join(shown)


def _about(row: PropertyRule, table: PropertyTable) -> Iterator[Block]:
    yield Block("item", CATEGORIES[row.category], "where")
    yield Block("item", f"{COUNTS[row.count]}: {_words(row, table)}", "values")
    if _depends_on_game(row):
        for game, words in _in_games(row, table):
            yield Block("item", words, f"in {game}")
    if row.inherit:
        yield Block("item", "holds for the nodes below, too", "inherited")
    if row.domain:
        yield Block("item", row.domain, "form")


def _sources(row: PropertyRule) -> str:
    if row.source in CUSTOM_SOURCES:
        return CUSTOM_SOURCES[row.source]
    return "; ".join(SOURCES.get(name, f"FF[4], page {name}") for name in row.source.split(", "))


def _game(row: PropertyRule, table: PropertyTable) -> Game:
    return Game(None, "") if row.game is None else table.game(row.format, row.game, "")


def _words(row: PropertyRule, table: PropertyTable) -> str:
    return reader(row.format, _game(row, table)).words(row)


def _depends_on_game(row: PropertyRule) -> bool:
    kinds = {kind for kinds in row.types for kind in kinds}
    return row.game is None and not row.form and bool(kinds & {"move", "point", "stone", "played"})


def _in_games(row: PropertyRule, table: PropertyTable) -> Iterator[tuple[str, str]]:
    if row.format is Format.GGF:
        return
    for game in table.numbered.values():
        row_of_game = table.find(row.format, game.number, row.ident)
        words = reader(row.format, game).words(row)
        if row_of_game is row and words != _words(row, table):
            yield game.name, words


# ---- as text and as Markdown ----

#: Longest line of a page in characters, however wide the terminal is; and the shortest one.
MAX_WIDTH, MIN_WIDTH = 88, 20


def page_as_text(page: Page, width: int = MAX_WIDTH) -> str:
    """Return a page as text, wrapped for a terminal of some width."""
    width = max(min(width, MAX_WIDTH), MIN_WIDTH)
    lines: list[str] = []
    before, indent = "", ""
    blocks = [*page.blocks()]
    wide = max((len(block.label) for block in blocks if block.kind == "item"), default=0)
    wide = min(wide, width // 2)
    for block in blocks:
        if lines and (block.kind == "text" or block.kind != before) and before != "section":
            lines.append("")
        if (before, block.kind) == ("title", "item"):
            lines.pop()
        before = block.kind
        match block.kind:
            case "title" | "section":
                lines += textwrap.wrap(block.text, width, subsequent_indent="    ")
                indent = "  " * (block.kind == "section")
            case "text":
                lines += [indent + line for line in textwrap.wrap(block.text, width - len(indent))]
            case "record":
                lines += [f"    {line}" for line in block.text.splitlines()]
            case _:
                start, later = f"  {block.label:<{wide}}  ", " " * (wide + 4)
                lines += textwrap.wrap(
                    block.text, width, initial_indent=start, subsequent_indent=later
                )
    return "\n".join(lines)


def page_as_markdown(page: Page) -> str:
    """Return a page in Markdown; a page on several rules is a table."""
    if isinstance(page, GroupPage):
        return table(page.rules)
    return "\n\n".join(sections_of(page.blocks()))


def sections_of(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the sections of a page in Markdown; the first one has the title."""
    parts: list[str] = []
    for block in blocks:
        text = escape(block.text)
        match block.kind:
            case "title":
                parts.append(f"# {text}")
            case "section":
                yield "\n\n".join(parts)
                parts = [f"## {text}"]
            case "text":
                parts.append(text)
            case "record":
                parts.append(f"```sgf\n{block.text}\n```")
            case _:
                item = f"* **{block.label}**: {text}"
                if parts[-1].startswith("* "):
                    parts[-1] += f"\n{item}"
                else:
                    parts.append(item)
    yield "\n\n".join(parts)


def escape(text: str) -> str:
    return re.sub(r"([\\`*_<|]|\](?=\())", r"\\\1", text)
