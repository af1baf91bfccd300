"""What a diagnostic or a property is, in words: for ``sgf-lark explain``.

A page says it three ways: as a text for a terminal, as Markdown, and as data.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.diagnostics.catalogue import catalogue, table
from sgf_lark.diagnostics.rules import GROUPS, RULES, Rule
from sgf_lark.diagnostics.selection import selected
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, Game
from sgf_lark.schema.properties import Category, Count, PropertyRule, PropertyTable, capitals
from sgf_lark.values.reader import reader

#: What the groups of rules are about.
ABOUT = {
    "F": "files that cannot be read or checked",
    "S": "how a record is written, whatever it says",
    "T": "where properties stand, and what does not go together",
    "V": "what stands between the brackets",
    "E": "how the letters are stored",
    "G": "what the rules of the game say",
    "D": "what programs write in ways of their own",
    "L": "grammars of one's own",
    "C": "what a conversion changes or cannot keep",
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

#: The sources of the property tables that are no pages of FF[4].
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


class Block(NamedTuple):
    """A piece of a page: a heading of some kind, with what belongs to it.

    Attributes:
        kind: ``title``, ``section``, ``text``, ``record`` or ``item``.
        text: What it says; of an item, what stands behind its label.
        label: Of an item.
    """

    kind: str
    text: str
    label: str = ""


Page: TypeAlias = "RulePage | GroupPage | PropertyPage | ListPage"


class UnknownError(LookupError):
    """Nothing has the name that was asked for; the message says what is like it."""


def explain(word: str) -> Page:
    """The page on a code, a name, a group or a property.

    Args:
        word: ``V301``, ``wrong-value``, ``V3``, ``value``; ``KM``, ``Komi``, ``BlackPlayer``.
            Where a letter is a group and a property, it is the property.

    Raises:
        UnknownError: There is nothing of that name.
    """
    rows = [one for one in PropertyTable.standard() if one.ident == word.upper()]
    if rows:
        return PropertyPage(rows[0].ident, rows)
    rules = () if word.upper() == "ALL" or not word else selected(word)
    if len(rules) == 1:
        return RulePage(rules[0])
    if rules:
        return GroupPage(rules)
    named = {one.ident for one in PropertyTable.standard() if one.name.lower() == word.lower()}
    for ident in (*sorted(named), capitals(word) if word.isalpha() else ""):
        rows = [one for one in PropertyTable.standard() if one.ident == ident]
        if rows and word:
            return PropertyPage(ident, rows)
    raise UnknownError(f"nothing is called '{word}'{_similar(word)}")


def _similar(word: str) -> str:
    """What somebody may have meant: ``; did you mean V301 or V302?``."""
    standard = [*PropertyTable.standard()]
    known = {rule.name: rule.name for rule in RULES.values()}
    known |= {rule.code.lower(): rule.code for rule in RULES.values()}
    known |= {one.ident.lower(): one.ident for one in standard}
    known |= {one.name.lower(): one.ident for one in standard}
    known |= {name: name for name in GROUPS.values()}
    near = get_close_matches(word.lower(), known, n=6, cutoff=0.6)
    shown = list(dict.fromkeys(known[one] for one in near))[:3]
    return f"; did you mean {' or '.join(shown)}?" if shown else ""


# ---- pages ----


class RulePage:
    """One rule: what the catalogue says of it."""

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
        grave = f"{'an' if rule.severity[0] in 'aei' else 'a'} {rule.severity}"
        asked = ", looked for only with --strict or by its name" if rule.strict else ""
        yield Block("title", f"{rule.code} {rule.name}: {rule.summary}")
        yield Block("text", f"Usually {grave}, of the group {rule.group}{asked}.")
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
                yield Block("record", _printable(bytes.fromhex(text)))
        yield Block("section", "How to put it right")
        yield Block("text", entry.fix)
        yield Block("section", "Sources")
        yield Block("text", "; ".join(entry.sources))


def _printable(data: bytes) -> str:
    """Bytes as a record that can be shown: ``C[\\xe9]``."""
    return data.decode("ascii", errors="backslashreplace")


class GroupPage:
    """Some rules, one a line."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules

    def data(self) -> dict[str, Any]:
        return {"kind": "rules", "rules": [RulePage(one).data() for one in self.rules]}

    def blocks(self) -> Iterator[Block]:
        (letter, *more) = dict.fromkeys(one.code[0] for one in self.rules)
        if not more:
            yield Block("title", f"{letter} {GROUPS[letter]}: {ABOUT[letter]}")
        for rule in self.rules:
            asked = " (strict)" if rule.strict else ""
            label = f"{rule.code} {rule.name}"
            yield Block("item", f"{rule.severity}{asked}: {rule.summary}", label)


class ListPage:
    """All rules, by their groups."""

    def data(self) -> dict[str, Any]:
        return GroupPage(tuple(RULES.values())).data()

    def blocks(self) -> Iterator[Block]:
        for letter in dict.fromkeys(rule.code[0] for rule in RULES.values()):
            yield from GroupPage(selected(letter)).blocks()


class PropertyPage:
    """A property, in every format and game that has it."""

    def __init__(self, ident: str, rows: list[PropertyRule]) -> None:
        self.ident = ident
        self.rows = rows

    def data(self) -> dict[str, Any]:
        return {
            "kind": "property",
            "ident": self.ident,
            "rules": [
                one.model_dump(mode="json")
                | {"game": _game(one).name if one.game else None, "value": _words(one)}
                | ({"games": dict(_in_games(one))} if _of_game(one) else {})
                for one in self.rows
            ],
        }

    def blocks(self) -> Iterator[Block]:
        names = " or ".join(dict.fromkeys(one.name for one in self.rows))
        yield Block("title", f"{self.ident}: {names}")
        said: dict[tuple[Block, ...], list[PropertyRule]] = {}
        for one in self.rows:
            said.setdefault(tuple(_about(one)), []).append(one)
        for blocks, rows in said.items():
            yield Block("section", _where(rows))
            yield from blocks
            yield Block("item", "; ".join(dict.fromkeys(map(_sources, rows))), "source")
        if self.ident == "GM":
            yield Block("section", "The numbers of games")
            names = ", ".join(f"{number} {game.name}" for number, game in GAMES.items())
            yield Block("text", names)
        if self.ident in GROUPS:
            group = GROUPS[self.ident]
            text = f"{self.ident} is also a group of findings: sgf-lark explain {group}"
            yield Block("section", text)


def _where(rows: Iterable[PropertyRule]) -> str:
    """The formats and games of some rows: ``FF[1] and FF[3]; Go in FF[4]``."""
    games: dict[str, list[str]] = {}
    for one in rows:
        games.setdefault(_game(one).name if one.game else "", []).append(one.format.shown)
    shown = []
    for game, formats in games.items():
        *most, last = formats
        words = f"{', '.join(most)} and {last}" if most else last
        shown.append(f"{game} in {words}" if game else words)
    return "; ".join(shown)


def _about(one: PropertyRule) -> Iterator[Block]:
    yield Block("item", CATEGORIES[one.category], "where")
    yield Block("item", f"{COUNTS[one.count]}: {_words(one)}", "values")
    if _of_game(one):
        for game, words in _in_games(one):
            yield Block("item", words, f"in {game}")
    if one.inherit:
        yield Block("item", "it holds for the nodes below, too", "inherited")
    if one.domain:
        yield Block("item", one.domain, "form")


def _sources(one: PropertyRule) -> str:
    return "; ".join(SOURCES.get(name, f"FF[4], page {name}") for name in one.source.split(", "))


def _game(one: PropertyRule) -> Game:
    return GAMES.get(one.game or 0) or Game(None, "")


def _words(one: PropertyRule) -> str:
    """What a value is, such as "a komi such as 6.5"."""
    return reader(one.format, _game(one)).words(one)


def _of_game(one: PropertyRule) -> bool:
    """What its values are depends on the game, and this row is for all of them."""
    kinds = {kind for kinds in one.types for kind in kinds}
    return one.game is None and not one.form and bool(kinds & {"move", "point", "stone", "played"})


def _in_games(one: PropertyRule) -> Iterator[tuple[str, str]]:
    """What its values are in the games that somebody described."""
    if one.format is Format.GGF:
        return
    for game in GAMES.values():
        own = PropertyTable.standard().find(one.format, game.number, one.ident)
        words = reader(one.format, game).words(one)
        if own is one and words != _words(one):
            yield game.name, words


# ---- as text and as Markdown ----

#: A line of text is never longer, however wide the terminal is.
WIDEST = 88


def as_text(page: Page, width: int = WIDEST) -> str:
    """A page for a terminal."""
    width = max(min(width, WIDEST), 20)
    lines: list[str] = []
    before, indent = "", ""
    blocks = [*page.blocks()]
    wide = max((len(one.label) for one in blocks if one.kind == "item"), default=0)
    wide = min(wide, width // 2)
    for one in blocks:
        if lines and (one.kind == "text" or one.kind != before) and before != "section":
            lines.append("")
        if (before, one.kind) == ("title", "item"):
            lines.pop()
        before = one.kind
        match one.kind:
            case "title" | "section":
                lines += textwrap.wrap(one.text, width, subsequent_indent="    ")
                indent = "  " * (one.kind == "section")
            case "text":
                lines += [indent + line for line in textwrap.wrap(one.text, width - len(indent))]
            case "record":
                lines += [f"    {line}" for line in one.text.splitlines()]
            case _:
                start, later = f"  {one.label:<{wide}}  ", " " * (wide + 4)
                lines += textwrap.wrap(
                    one.text, width, initial_indent=start, subsequent_indent=later
                )
    return "\n".join(lines)


def as_markdown(page: Page) -> str:
    """A page in Markdown; of all rules, the table of the README."""
    if isinstance(page, ListPage):
        return table()
    if isinstance(page, GroupPage):
        return table(page.rules)
    parts: list[str] = []
    for one in page.blocks():
        match one.kind:
            case "title":
                parts.append(f"# {one.text}")
            case "section":
                parts.append(f"## {one.text}")
            case "text":
                parts.append(one.text)
            case "record":
                parts.append(f"```\n{one.text}\n```")
            case _:
                item = f"* **{one.label}**: {one.text}"
                if parts[-1].startswith("* "):
                    parts[-1] += f"\n{item}"
                else:
                    parts.append(item)
    return "\n\n".join(parts)
