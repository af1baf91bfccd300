"""Place of a finding, and edits there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from sgf_lark.core.findings.diagnostic import Edit, Fix, deletion, make_fix, shorten, substitution
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.readings import Content, Reading, show_values
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import COLORS, SETUP, Group, PropertyRule
from sgf_lark.core.schema.values import Value
from sgf_lark.core.values.reader import Reader
from sgf_lark.core.values.writer import write_value


class SharedState:
    """State that the fixes of one game share, in whatever order somebody asks for them."""

    def __init__(self, text: str, game: GameTree | None, findings: Sequence[Finding]) -> None:
        self.text = text
        self.game = game
        self._findings = findings
        self._whole: dict[int, bool] = {}
        self._spans: dict[str, dict[int, list[Span]]] = {}

    def is_first(self, finding: Finding) -> bool:
        return self._first[finding.name] == finding.span

    @cached_property
    def _first(self) -> dict[str, Span]:
        return {finding.name: finding.span for finding in reversed(self._findings)}

    def spans(self, name: str, nodes: Nodes, node: int) -> list[Span]:
        """Return the places of the findings of a rule in a node, and between it and the next."""
        if name not in self._spans:
            by_node = self._spans[name] = {}
            places = nodes.places
            for span in sorted(finding.span for finding in self._findings if finding.name == name):
                by_node.setdefault(places.locate(span.start)[0], []).append(span)
        return self._spans[name].get(node, [])

    @cached_property
    def misspelled(self) -> dict[str, list[tuple[int, int]]]:
        """The properties with lower case in their names: node and place of each, by name."""
        by_name: dict[str, list[tuple[int, int]]] = {}
        contents = () if self.game is None else self.game.nodes.contents
        for node, content in enumerate(contents):
            for place, prop in enumerate(content):
                if prop.name != prop.ident:
                    by_name.setdefault(prop.name, []).append((node, place))
        return by_name

    def is_whole(self, text: str, nodes: Nodes, node: int) -> bool:
        """Return whether a node has only properties with values that end, and no stray text."""
        if nodes.tape.is_clean:
            return True  # the grammar has read it
        if node not in self._whole:
            start, end = nodes.places.node(node, len(nodes.contents[node]))
            kinds: list[str] = []
            for kind, at, _ in tokenize(text, start, len(text)):
                ends = kind in {"OPEN", "CLOSE"} or (kind == "SEMICOLON" and kinds)
                if ends and at >= end:
                    break  # brackets before the end are in the node
                kinds.append(kind)
            self._whole[node] = kinds[:1] == ["SEMICOLON"] and all(
                after in _AFTER.get(kind, ()) for kind, after in pairwise([*kinds, "SEMICOLON"])
            )
        return self._whole[node]


#: Tokens that may follow a token.
_AFTER = {
    "SEMICOLON": {"IDENT", "SEMICOLON"},
    "IDENT": {"PROP_VALUE"},
    "PROP_VALUE": {"IDENT", "PROP_VALUE", "SEMICOLON"},
}


class Place:
    """Place of a finding in its game: the node, the property and the value."""

    def __init__(self, text: str, game: GameTree, finding: Finding, shared: SharedState) -> None:
        self.shared = shared
        self.text = text
        self.game = game
        self.finding = finding

    @property
    def nodes(self) -> Nodes:
        return self.game.nodes

    @cached_property
    def at(self) -> tuple[int, int]:
        """The numbers of the node, and of the property in it, from 0; -1 for none."""
        return self.nodes.places.locate(self.finding.span.start)

    @property
    def node(self) -> int:
        return self.at[0]

    @property
    def content(self) -> Content:
        return self.nodes.contents[self.node]

    @property
    def property(self) -> Reading:
        return self.content[self.at[1]]

    def value(self, index: int) -> Span:
        """Return the span of a value of the property, without its brackets."""
        return self.nodes.places.value(*self.at, index)

    def span(self, place: int) -> Span:
        return self.nodes.places.property(self.node, place)

    def end(self, node: int) -> int:
        """Return the end of a node: the offset for one more property."""
        return self.nodes.places.node(node, len(self.nodes.contents[node])).end


Fixer: TypeAlias = Callable[[Place], Fix | None]

#: A fixer of a value: it gets the property, and the number of its value, too.
ValueFixer: TypeAlias = Callable[[Place, Reading, int], Fix | None]

#: A fixer that needs only the text and the finding.
TextFixer: TypeAlias = Callable[[str, Finding], Fix | None]

#: The fixers, by the names of rules.
FIXERS: dict[str, Fixer] = {}
OF_TEXT: dict[str, TextFixer] = {}

#: Rules about trees, not about properties and values.
OF_TREES: set[str] = set()

#: Rules whose fix corrects all findings in a game; the first one has it.
FOR_ALL: set[str] = set()


def fixes(*rules: str, of_tree: bool = False, for_all: bool = False) -> Callable[[Fixer], Fixer]:
    """Register a fixer of rules; ``for_all``: the first finding has the fix for all in a game."""

    def register(fixer: Fixer) -> Fixer:
        FIXERS.update(dict.fromkeys(rules, fixer))
        OF_TREES.update(rules if of_tree else ())
        FOR_ALL.update(rules if for_all else ())
        return fixer

    return register


def fixes_value(*rules: str) -> Callable[[ValueFixer], ValueFixer]:
    def register(fixer: ValueFixer) -> ValueFixer:
        def fix(place: Place) -> Fix | None:
            return fixer(place, place.property, place.finding.value_index or 0)

        fixes(*rules)(fix)
        return fixer

    return register


def fixes_text(rule: str) -> Callable[[TextFixer], TextFixer]:
    """Register a function as the fixer of a rule; it needs only the text and the finding."""

    def register(fixer: TextFixer) -> TextFixer:
        OF_TEXT[rule] = fixer
        OF_TREES.add(rule)
        return fixer

    return register


#: Properties that begin another game, or name it.
NAMES_GAME = Group.KIND.idents


def count_shared(text: str, other: str) -> int:
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(text), len(other)))


def is_as_read(place: Place, brackets: str, name: str, value: str) -> bool:
    """Return whether a swallowed property leaves the trees, the format and the game as they are."""
    if (")" in brackets and "(" not in brackets) or (name in NAMES_GAME and brackets):
        return False
    read = {"FF": place.game.format.digit, "GM": str(place.game.game)}
    return value == read.get(name, value)


def cut_values(place: Place, gone: Sequence[int]) -> list[Edit]:
    """Return the edits that remove values; the property goes with its last value."""
    if len(gone) >= len(place.property.raw):
        return [deletion(place.span(place.at[1]))]
    spans = [place.value(index) for index in gone]
    return [deletion(Span(span.start - 1, span.end + 1)) for span in spans]


def describe_change(prop: Reading, index: int, raw: str) -> str:
    """Describe the replacement of a value: both values as shown, or the differing white space."""
    old, shown = prop.raw[index], show_values(prop, [index])
    if shorten(raw) != shorten(old):
        return f"replace {shown} with {prop.name}[{shorten(raw)}]"
    if raw.split() != old.split():  # they differ after the part that is shown
        at = max(0, count_shared(old, raw) - MAX_BEFORE)
        return f"replace '{shorten(old[at:])}' with '{shorten(raw[at:])}' in {shown}"
    gone = [
        f"a {word}" if count == 1 else f"{count} {word}s"
        for word, white in (("line break", _BREAK), ("tab", _TAB), ("space", _SPACE))
        if (count := len(white.findall(old)) - len(white.findall(raw))) > 0
    ]
    what = " and ".join(gone) or "white space"
    with_more = raw.count(" ") > old.count(" ")
    if not with_more:
        return f"remove {what} from {shown}"
    spaces = "a space" if what.startswith("a ") and not gone[1:] else "spaces"
    return f"replace {what} with {spaces} in {shown}"


def replace_value(
    place: Place, prop: Reading, index: int, raw: str, *, safe: bool = True, title: str = ""
) -> Fix:
    title = title or describe_change(prop, index, raw)
    return make_fix(title, substitution(place.value(index), raw), safe=safe)


#: White space that a message names.
_BREAK, _TAB, _SPACE = re.compile(r"\r\n|\n\r|[\r\n]"), re.compile(r"\t"), re.compile(" ")


#: Characters before a change that are shown with it.
MAX_BEFORE = 9


def remove_values(place: Place, gone: Sequence[int], *, safe: bool, title: str = "") -> Fix | None:
    if not gone:
        return None
    edits = cut_values(place, gone)
    title = title or f"remove {show_values(place.property, gone)}"
    return make_fix(title, *edits, safe=safe, removes=not safe)


def describe_repeats(prop: Reading, indices: Sequence[int], count: int) -> str:
    which = "the repeat" if count == 1 else f"{count} repeats"
    return f"remove {which} of {show_values(prop, indices)}, which stays once"


@fixes("annotation-without-move")
def remove_property(place: Place) -> Fix | None:
    return remove_values(place, range(len(place.property.raw)), safe=False)


#: The letter of a color, which some programs write before the point, by property.
STONES_OF = {
    ident: color.value for ident, color in {**COLORS, **SETUP}.items() if color is not None
}


def is_prose(place: Place, rule: PropertyRule) -> bool:
    """Return whether two values of a property may be one: FF[4] has it as a text of many lines."""
    row: PropertyRule | None = rule
    if rule.format not in {Format.FF4, Format.GGF}:
        row = place.nodes.rules.table.find(Format.FF4, None, rule.ident)
    return row is not None and row.type == "text" and not row.form


def text_of(rule: PropertyRule | None, value: Value, reader: Reader | None) -> str | None:
    """Return the text of a value; None if the property cannot have it in its format."""
    if rule is None or reader is None:
        return None
    try:
        return write_value(rule, value, reader)
    except ValueError:
        return None
