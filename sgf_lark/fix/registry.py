"""From a finding to the edits that put it right: a function for each rule that has a way out.

A safe fix keeps every fact of the record; what it takes away says nothing, or says it twice.
Other fixes need a person's eye: something is guessed, moved to another node, or removed, and
then the message shows what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice, pairwise
from typing import TypeAlias

from sgf_lark.check.findings import (
    MOST_SHOWN,
    SETUP_OF,
    STONES,
    _category,
    _change,
    _cut,
    _fix,
    _put,
    _shown,
    turns,
)
from sgf_lark.check.wrong_game import COORDINATES, in_coordinates, played
from sgf_lark.diagnostics.diagnostic import Edit, Finding, Fix, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.grammar.tokens import scraps
from sgf_lark.model.collection import GameTree
from sgf_lark.model.constraints import HUNDREDTHS
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import COLORS, Content, Property
from sgf_lark.model.provenance import Home, Origins
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GO
from sgf_lark.schema.properties import Category, Count, PropertyRule, capitals
from sgf_lark.schema.values import Invalid, Point, Rectangle, Value
from sgf_lark.text.source import Pieces, Source
from sgf_lark.values.corrections import corrected, guessed
from sgf_lark.values.reader import Reader
from sgf_lark.values.writer import escaped, written
from sgf_lark.write.bounds import bounds
from sgf_lark.write.splice import rebuild


class Shared:
    """What the fixes of one game share.

    Attributes:
        done: Properties, by node and identifier, that the fix of another finding covers.
    """

    def __init__(self, game: GameTree | None) -> None:
        self.done: set[tuple[int, str]] = set()
        self._whole: dict[int, bool] = {}
        self._game = game

    @cached_property
    def misspelled(self) -> dict[str, list[tuple[int, int]]]:
        """The properties with lower case in their names: by name, node and place of each."""
        found: dict[str, list[tuple[int, int]]] = {}
        contents = () if self._game is None else self._game.nodes.contents
        for node, content in enumerate(contents):
            for place, one in enumerate(content):
                if one.name != one.ident:
                    found.setdefault(one.name, []).append((node, place))
        return found

    def is_whole(self, text: str, nodes: Nodes, node: int) -> bool:
        """Return whether a node has only properties with values that end, and no stray text."""
        if node not in self._whole:
            start = nodes.places.node(node, 0).start
            kinds: list[str] = []
            for kind, *_ in scraps(text, start, len(text)):
                if kind in {"OPEN", "CLOSE"} or (kind == "SEMICOLON" and kinds):
                    break
                kinds.append(kind)
            self._whole[node] = kinds[:1] == ["SEMICOLON"] and all(
                after in _AFTER.get(kind, ()) for kind, after in pairwise([*kinds, "SEMICOLON"])
            )
        return self._whole[node]


#: What may come after a token.
_AFTER = {
    "SEMICOLON": {"IDENT", "SEMICOLON"},
    "IDENT": {"PROP_VALUE"},
    "PROP_VALUE": {"IDENT", "PROP_VALUE", "SEMICOLON"},
}


class Place:
    """Where a finding stands, and what stands there.

    Attributes:
        text: The whole text.
        game: The game that the finding is about.
        finding: The finding.
        shared: What the fixes of the game share.
    """

    def __init__(self, text: str, game: GameTree, finding: Finding, shared: Shared) -> None:
        self.shared = shared
        self.text = text
        self.game = game
        self.finding = finding

    @property
    def nodes(self) -> Nodes:
        return self.game.nodes

    @cached_property
    def at(self) -> tuple[int, int]:
        """The number of the node, and of the property in it; -1 for none."""
        return self.nodes.places.locate(self.finding.span.start)

    @property
    def node(self) -> int:
        return self.at[0]

    @property
    def content(self) -> Content:
        return self.nodes.contents[self.node]

    @property
    def begins_with_semicolon(self) -> bool:
        """Without properties the node would still be there."""
        return self.text[self.nodes.places.node(self.node, 0).start] == ";"

    @property
    def property(self) -> Property | None:
        """The property, if it is the one that the finding is about."""
        place = self.at[1]
        one = self.content[place] if 0 <= place < len(self.content) else None
        return one if one is not None and one.ident == self.finding.property else None

    def value(self, index: int) -> Span:
        """A value of the property, without its brackets."""
        return self.nodes.places.value(*self.at, index)

    def span(self, place: int) -> Span:
        """A property of the node."""
        return self.nodes.places.property(self.node, place)

    def end(self, node: int) -> int:
        """Where a node ends: the place for one more property."""
        return self.nodes.places.node(node, len(self.nodes.contents[node])).end


Fixer: TypeAlias = Callable[[Place], Fix | None]


def with_fixes(text: str, game: GameTree | None, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with their fixes; the help of a finding is the title of its fix.

    Args:
        text: The whole text.
        game: What they are about; None for text outside the games.
        findings: Some of them may have a fix already.
    """
    found: list[Finding] = []
    done: set[str] = set()
    shared = Shared(game)
    for one in findings:
        if one.name in done:
            found.append(one)
            continue
        if one.name in FOR_ALL:
            done.add(one.name)
        fix = one.fix or _offer(text, game, one, shared)
        if fix is None or (
            game is not None
            and one.name not in OF_TREES
            and not _is_free(Place(text, game, one, shared), fix)
        ):
            found.append(one._replace(fix=None))
        else:
            found.append(one._replace(fix=fix, help=fix.message))
    return found


def _offer(text: str, game: GameTree | None, finding: Finding, shared: Shared) -> Fix | None:
    """Return the fix for a finding; a fixer that fails offers none, and ends no reading."""
    try:
        if finding.name in OF_TEXT:
            return OF_TEXT[finding.name](text, finding)
        if game is not None and finding.gone:
            return _values_removed(Place(text, game, finding, shared))
        if game is not None and finding.name in FIXERS:
            return FIXERS[finding.name](Place(text, game, finding, shared))
    except Exception:
        if not GUARDED:
            raise
    return None


#: Tests set it to False, to see the fixers that fail.
GUARDED = True


def _is_free(place: Place, fix: Fix) -> bool:
    """Return whether no edit that adds or cuts properties or values is near stray text.

    What belongs to nothing could come to belong to another property.
    """
    text = place.text
    return (
        place.game.format is Format.GGF
        or all(
            text.startswith("]", one.offset)  # between two values
            or text[one.offset - 1 : one.offset] == "["  # within one
            or "[" not in text[one.offset : one.end_offset] + one.replacement
            or place.shared.is_whole(text, place.nodes, place.nodes.places.locate(one.offset)[0])
            for one in fix.edits
        )
    )


#: What may follow a property or a value.
_FREE = re.compile(r"\s*(?:[;()]|[A-Z][A-Za-z0-9]*\s*\[|\Z)")


# ---- syntax, by the text alone ----


def _extra_close(text: str, finding: Finding) -> Fix | None:
    inside = range(*finding.span)
    closing = [_cut(Span(at, at + 1)) for at in inside if text[at] == ")"]
    following = _BEHIND_CLOSING.match(text, finding.span.end)
    if following is not None and following[1] in {"[", "]"}:
        return None  # they belong to nothing, and would come to something
    safe = following is None or not following[1]  # else trees may change places
    return _fix("remove the ')'", *closing, safe=safe) if closing else None


_BEHIND_CLOSING = re.compile(r"[\s)]*([^\s)]?)")


def _empty_tree(text: str, finding: Finding) -> Fix | None:
    shown = "".join(text[slice(*finding.span)].split())
    before, behind = text[: finding.span.start].rstrip()[-1:], text[finding.span.end :]
    if shown == "()":
        stands_alone = before in {*"(;])"} and behind.lstrip()[:1] in {*"()", ""}
    else:
        stands_alone = shown == "(" and _TREE.match(behind) is not None
    if not stands_alone:  # else what stands on both sides would come together
        return None
    return _fix(f"remove '{shown}'", _cut(finding.span))


#: What begins with a node, or one more tree.
_TREE = re.compile(r"\s*\(\s*(?:[;(]|[A-Z]+[a-z]*\s*\[)")


def _missing_value(text: str, finding: Finding) -> Fix:
    name = text[slice(*finding.span)]
    stone = _STONE.fullmatch(name)
    if stone is not None:
        raw = f"{stone[1]}[{stone[2]}]"
        return _fix(f"write {raw} for {name}", _change(finding.span, raw), safe=False)
    return _fix(f"remove {shorten(name)}", _cut(finding.span), safe=False, removes=True)


#: A move or stone of Go without its brackets.
_STONE = re.compile(r"(A?[BW]|AE)([a-s]{2})")


def _unescaped_bracket(text: str, finding: Finding) -> Fix | None:
    end = text.rfind("[", 0, finding.span.start) + 1
    before = text[max(0, end - MAX_NAME) : end]
    name = _NAME.search(before)
    if name is not None and name[1] in DECISIVE:
        return None  # then the whole game would be read otherwise
    rest = _REST.match(text, finding.span.end)
    if (
        rest is None
        or _BEGINS.search(rest[1])
        or rest[1].count("(") != rest[1].count(")")
        or not (text.startswith("]", rest.end()) or _FREE.match(text, rest.end()))
    ):
        return None  # the rest of the text would run on into a property, or into another tree
    return _fix("write '\\]'", _put(finding.span.start, "\\"), safe=False)


_NAME = re.compile(r"([A-Z]+)\s*\[$")

#: A property begins.
_BEGINS = re.compile(r"[A-Z]\s*\[")

#: The text up to the next ']' that ends a value.
_REST = re.compile(r"((?:[^\\\]]|\\.)*+)\]", re.DOTALL)

#: At most this many characters before a value are looked through for its name.
MAX_NAME = 100


def _unclosed_value(text: str, finding: Finding) -> Fix | None:
    """The brackets that close trees at the end of the text are hardly a part of the value."""
    end = len(text.rstrip("); \t\r\n"))
    if text[:end].endswith("\\") or end <= finding.span.start + 1:
        return None
    return _fix("close the value with ']' at the end", _put(end, "]"), safe=False)


_OPENING = re.compile(r"\s*\(\s*;?")


def _outside(text: str, finding: Finding) -> Fix | None:
    """Properties in no game get the ')' that stands before them, or a '(' if none does."""
    start, end = finding.span
    before = text[:start].rstrip()
    kinds = [one.kind for one in scraps(text, start, end)]
    if not before:
        begin = "(" if kinds[0] == "SEMICOLON" else "(;"
        edits = [_put(start, begin)]
        if (game := _OPENING.match(text, end)) is not None:
            if _next_names(text, game.end())[0] & NAMES_GAME:
                return None  # then it would be a variation
            edits.append(_put(game.end(), ""))  # other fixes wait until it is no game any more
        if text.count("(") == text.count(")"):
            edits.append(_put(len(text.rstrip()), ")"))
        return _fix(f"write '{begin}' before the properties", *edits, safe=False)
    if not before.endswith(")"):
        return None
    if "STRAY" in kinds:
        return None
    closing = _cut(Span(len(before) - 1, len(before)))
    if kinds.count("CLOSE") > kinds.count("OPEN"):
        return _fix("remove the ')' before the properties", closing, safe=False)
    return _fix("put the ')' behind the properties", closing, _put(end, ")"), safe=False)


def _not_begun(text: str, finding: Finding) -> Fix | None:
    """Nodes without the '(' of a game."""
    start, end = finding.span.start, len(text.rstrip())
    if "properties" not in finding.message or "(" in text:
        return None
    begin = "(" if text.startswith(";", start) else "(;"
    if text[:end].endswith(")"):
        return _fix(f"write '{begin}' before the properties", _put(start, begin), safe=False)
    message = f"write '{begin}' before the properties and ')' behind them"
    return _fix(message, _put(start, begin), _put(end, ")"), safe=False)


#: Fixes for which the text says enough.
OF_TEXT: dict[str, Callable[[str, Finding], Fix | None]] = {
    "extra-close": _extra_close,
    "empty-tree": _empty_tree,
    "missing-value": _missing_value,
    "unescaped-bracket": _unescaped_bracket,
    "unclosed-value": _unclosed_value,
    "property-outside-games": _outside,
    "no-game-record": _not_begun,
}


# ---- syntax, by the game ----


def _missing_semicolon(place: Place) -> Fix | None:
    """None if another node would then declare how the game is read."""
    text, start = place.text, place.finding.span.start
    named, following = _next_names(text, start)
    if following & NAMES_GAME or (place.node > 0 and named & NAMES_GAME):
        return None
    before = text[max(0, start - MAX_NAME) : start].rstrip()[-1:]
    safe = before in {"(", ")"} and not following & DECISIVE
    return _fix("write ';' before the property", _put(start, ";"), safe=safe)


def _next_names(text: str, start: int) -> tuple[set[str], set[str]]:
    """The names of the properties in the node at a place, and in the next one of its tree."""
    nodes: list[set[str]] = [set()]
    for kind, begin, end in scraps(text, start, len(text)):
        if kind == "IDENT":
            nodes[-1].add(text[begin:end])
        elif kind in {"OPEN", "CLOSE"} or (kind == "SEMICOLON" and nodes[1:]):
            break
        elif kind == "SEMICOLON":
            nodes.append(set())
    return nodes[0], nodes[1] if nodes[1:] else set()


#: Properties that begin another game, or name it.
NAMES_GAME = frozenset({"FF", "GM"})


def _unclosed_tree(place: Place) -> Fix | None:
    """The brackets that are open where the last node ends are closed there."""
    text, start = place.text, place.finding.span.start
    if place.nodes.rules.format is Format.GGF:
        if text[start] == ")":
            return _fix("write ';)'", _put(start, ";"))
        return _fix("add ';)'", _put(place.end(len(place.nodes) - 1), ";)"))
    if start > place.nodes.places.node(0, 0).start:
        return None  # a variation in the middle: where it ends, nobody knows
    end = place.end(len(place.nodes) - 1)
    for kind, begin, behind in scraps(text, end, len(text)):
        if kind != "CLOSE" and not (kind == "IDENT" and text[begin:behind].isupper()):
            break
        end = behind
    kinds = [one.kind for one in scraps(text, start, end)]
    missing = kinds.count("OPEN") - kinds.count("CLOSE")
    if missing <= 0 or _would_stand_outside(text, end):
        return None
    return _fix(f"add '{')' * missing}'", _put(end, ")" * missing))


def _would_stand_outside(text: str, end: int) -> bool:
    """Return whether something after a game that ends at a place would be in no game."""
    depth, before = 0, ""
    for kind, *_ in islice(scraps(text, end, len(text)), MAX_TOKENS):
        if (depth == 0 and kind not in {"OPEN", "STRAY", "IDENT"}) or (
            kind == "UNCLOSED_VALUE" or (before, kind) == ("OPEN", "STRAY")
        ):
            return True
        before = kind
        depth += (kind == "OPEN") - (kind == "CLOSE")
    return False


#: At most this many tokens after a game are looked at.
MAX_TOKENS = 200


def _lowercase(place: Place) -> Fix | None:
    """All properties of that name, in capitals."""
    name = place.text[slice(*place.finding.span)]
    layout = place.nodes.places
    edits = [
        _change(layout.name(*at, len(name)), place.nodes.contents[at[0]][at[1]].ident)
        for at in place.shared.misspelled.get(name, ())
    ]
    return _fix(f"write {capitals(name)} for {name}", *edits) if edits else None


def _rebuilt(place: Place) -> Fix | None:
    """The whole game, with its brackets where they are read."""
    home = Home(Source(place.text), 0, place.nodes)
    pieces = Pieces()
    rebuild(pieces, place.nodes, Origins.of(home, len(place.nodes)))
    stretch, new = bounds(home), pieces.text
    old = place.text[slice(*stretch)]
    if new == old:
        return None
    same = _shared(old, new)
    behind = min(_shared(old[::-1], new[::-1]), len(old) - same, len(new) - same)
    changed = Span(stretch.start + same, stretch.end - behind)
    message = "put each such node in '(' and ')'"
    return _fix(message, _change(changed, new[same : len(new) - behind]), safe=False)


def _shared(one: str, other: str) -> int:
    """So many characters at the beginning of two texts are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


# ---- values ----


def _swallowed(place: Place) -> Fix | None:
    """None where the next values would come to another property, or nodes to no tree."""
    text, start = place.text, place.finding.span.start
    following = _SWALLOWED.match(text, start)
    end, is_text = place.finding.span.end + 1, place.finding.property not in STONES_OF
    if (
        text[max(0, start - MAX_NAME) : start].rstrip().endswith("[")
        or not (_FREE.match(text, end) or (is_text and text.startswith("[", end)))
        or (following is not None and not _is_as_read(place, *following.groups()))
    ):
        return None
    if text.startswith("\\]", start - 2):
        return _fix("write '\\\\]' where the value ends", _put(start - 1, "\\"), safe=False)
    end = len(text[:start].rstrip())
    return _fix("write ']' where the value ends", _put(end, "]"), safe=False)


#: Brackets, the name of a property, and its value.
_SWALLOWED = re.compile(r"([\s();]*)([A-Z]*)\s*\[?\s*(\w*)")


def _is_as_read(place: Place, brackets: str, name: str, value: str) -> bool:
    """Return whether a swallowed property leaves the trees, the format and the game as they are."""
    if (")" in brackets and "(" not in brackets) or (name in NAMES_GAME and brackets):
        return False
    read = {"FF": place.game.format[2:], "GM": str(place.game.game)}
    return value == read.get(name, value)


def _values_removed(place: Place) -> Fix:
    """Values of a property go, which a person should look at."""
    one, gone = place.content[place.at[1]], place.finding.gone
    return _fix(f"remove {_shown(one, gone)}", *_without(place, gone), safe=False, removes=True)


def _without(place: Place, gone: Sequence[int]) -> list[Edit]:
    """Remove values; the property with the last of them."""
    one = place.property
    if one is None or len(gone) >= len(one.raw):
        return [_cut(place.span(place.at[1]))]
    spans = [place.value(index) for index in gone]
    return [_cut(Span(span.start - 1, span.end + 1)) for span in spans]


def _instead(one: Property, index: int, raw: str) -> str:
    """To write another value: both as one sees them, or the white space that makes the odds."""
    old, shown = one.raw[index], _shown(one, [index])
    if shorten(raw) != shorten(old):
        return f"write {one.name}[{shorten(raw)}] for {shown}"
    if raw.split() != old.split():  # behind what is shown
        at = max(0, _shared(old, raw) - BEFORE)
        return f"write '{shorten(raw[at:])}' for '{shorten(old[at:])}' in {shown}"
    gone = [
        f"a {word}" if count == 1 else f"{count} {word}s"
        for word, white in (("line break", _BREAK), ("tab", _TAB), ("blank", _BLANK))
        if (count := len(white.findall(old)) - len(white.findall(raw))) > 0
    ]
    what = " and ".join(gone) or "white space"
    with_more = raw.count(" ") > old.count(" ")
    blanks = "a blank" if what.startswith("a ") and not gone[1:] else "blanks"
    return f"write {blanks} for {what} in {shown}" if with_more else f"take {what} out of {shown}"


#: White space of which a message tells.
_BREAK, _TAB, _BLANK = re.compile(r"\r\n|\n\r|[\r\n]"), re.compile(r"\t"), re.compile(" ")

#: So much before a change is shown with it.
BEFORE = 9


def _remove(place: Place, gone: Sequence[int], *, safe: bool) -> Fix | None:
    one = place.property
    if one is None or not gone:
        return None
    if len(gone) == len(one.raw) and len(place.content) == 1 and not place.begins_with_semicolon:
        return None  # the node would be gone
    edits = _without(place, gone)
    return _fix(f"remove {_shown(one, gone)}", *edits, safe=safe, removes=not safe)


def _empty(place: Place) -> Fix | None:
    """A value that says nothing."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.raw[index].strip() or one.ident in COLORS:
        return None
    return _remove(place, [index], safe=one.ident not in DECISIVE)


def _one_value_removed(place: Place) -> Fix | None:
    index = place.finding.value_index
    return None if index is None else _remove(place, [index], safe=False)


def _missing_pass(place: Place) -> Fix | None:
    """A node with the pass, before that of the move."""
    one = place.property
    if one is None or one.ident not in COLORS:
        return None
    ggf = place.game.format is Format.GGF
    if place.node == 0 and not ggf:
        return None  # the first node declares how the game is read
    passed = f"{COLORS[one.ident].opponent}[PA]"
    at = place.nodes.places.node(place.node, 0).start
    return _fix(f"write {passed}", _put(at, passed if ggf else f";{passed}"), safe=False)


def _property_removed(place: Place) -> Fix | None:
    one = place.property
    return None if one is None else _remove(place, range(len(one.raw)), safe=False)


def _repeated(place: Place) -> Fix | None:
    """Points and lines that the same list has before."""
    one = place.property
    if one is None or len(one.values) != len(one.raw):
        return None
    seen: set[object] = set()
    gone: list[int] = []
    for index, value in enumerate(one.values):
        if isinstance(value, Rectangle):
            continue
        if value in seen:
            gone.append(index)
        seen.add(value)
    return _remove(place, gone, safe=True)


def _respelled(place: Place) -> Fix | None:
    """A value in the spelling of the standard."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    if not one.raw[index].strip() and one.rule.category is not Category.MOVE:
        return _remove(place, [index], safe=one.ident not in DECISIVE)
    if one.ident == "KO" and (komi := _as_komi(place, one)) is not None:
        return komi
    raw = corrected(one.rule, one.raw[index])
    problems = one.reader.read_property(one.rule, (raw,)).problems
    if raw != one.raw[index] and all(problem.severity is Severity.INFO for problem in problems):
        safe = one.ident != "FG" and one.rule.type != "none"  # there something is added or lost
        safe = safe and (one.ident != "GM" or raw == str(place.game.game))
        if one.ident in DECISIVE:  # another one may be what is read now
            safe = safe and sum(other.ident == one.ident for other in place.content) == 1
        return _fix(_instead(one, index, raw), _change(place.value(index), raw), safe=safe)
    point = _in_coordinates(place, one.raw[index]) if one.ident in {"B", "W"} else None
    if point is None and one.raw[index][:1] == STONES_OF.get(one.ident):
        point = one.raw[index][1:]
        point = point if point and one.reader.fits(one.rule, point) else None
    if point is not None:
        message = _instead(one, index, point)
        return _fix(message, _change(place.value(index), point), safe=False)
    return _guessed(place, one, index)


#: The letter of a color, which some programs write before the point, by property.
STONES_OF = {"B": "B", "AB": "B", "W": "W", "AW": "W"}


def _guessed(place: Place, one: Property, index: int) -> Fix | None:
    """A value in other words; if it says nothing, the property goes."""
    guess = None if one.rule is None else guessed(one.rule, one.raw[index])
    if guess is None:
        return None
    if not guess.raw:
        message = f"remove {_shown(one, [index])}: there is no handicap"
        return _fix(message, *_without(place, [index]), safe=False, removes=True)
    removed = f"; this removes '{guess.removed}'" if guess.removed else ""
    message = _instead(one, index, guess.raw) + removed
    edit = _change(place.value(index), guess.raw)
    return _fix(message, edit, safe=False, removes=guess.removed != "")


def _as_komi(place: Place, one: Property) -> Fix | None:
    """A number as KO in the first node, where there is no KM, is komi."""
    rule = place.nodes.rules.rule("KM")
    if rule is None or place.node or len(one.raw) != 1 or one.reader is None:
        return None
    if not one.reader.fits(rule, one.raw[0]) or any(other.ident == "KM" for other in place.content):
        return None
    message = f"write KM[{shorten(one.raw[0])}] for {_shown(one, [0])}"
    name = place.nodes.places.name(*place.at, len(one.name))
    return _fix(message, _change(name, "KM"), safe=False)


def _komi_in_points(place: Place) -> Fix | None:
    """Komi in hundredths, or in stones, in points."""
    one = place.property
    points = HUNDREDTHS.get(one.raw[0]) if one is not None and one.ident == "KM" else None
    if one is None or points is None:
        return None
    return _fix(_instead(one, 0, points), _change(place.value(0), points), safe=False)


def _as_pass(place: Place) -> Fix | None:
    """A pass of Go as some programs write it: the point after the last column and row."""
    one, size = place.property, place.game.size
    if one is None or one.ident not in COLORS or place.game.game != GO.number or size is None:
        return None
    if len(one.raw) != 1 or one.values[0] != Point(*size):
        return None
    raw = "" if place.game.format is Format.FF4 else "tt"
    return _fix(f"{_instead(one, 0, raw)}: a pass", _change(place.value(0), raw), safe=False)


def _real_date(place: Place) -> Fix | None:
    """A date with 00 for what nobody knew; or with the day before the month, which is a guess."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    if not one.raw[index].strip(" 0-/."):
        return _remove(place, [index], safe=True)
    found = _respelled(place)
    if found is None:
        raw = _DAY_FIRST.sub(r"\1-\3-\2", one.raw[index])
        if raw != one.raw[index] and one.reader.fits(one.rule, raw):
            return _fix(_instead(one, index, raw), _change(place.value(index), raw), safe=False)
    return found


_DAY_FIRST = re.compile(r"\b(\d{4})-(1[3-9]|2\d|3[01])-(0[1-9]|1[0-2])\b")


def _in_coordinates(place: Place, raw: str) -> str | None:
    """A point of Go by the coordinates at the edge of the board, such as Q16."""
    found, size = COORDINATES.fullmatch(raw.strip()), place.game.size
    if found is None or size is None or place.game.game != 1:
        return None
    column = "ABCDEFGHJKLMNOPQRST".index(found[1].upper())
    row = size.rows - int(found[2])
    if column >= size.columns or not 0 <= row < size.rows:
        return None
    reader, rule = place.nodes.rules.reader, place.nodes.rules.rule("B")
    return None if rule is None else _text_of(rule, Point(column, row), reader)


def _text_of(rule: PropertyRule, value: Value, reader: Reader) -> str | None:
    """Return the text of a value; None if the property cannot have it in its format."""
    try:
        return written(rule, value, reader)
    except ValueError:
        return None


def _all_in_coordinates(place: Place) -> Fix | None:
    """All points of Go that are written as Q16, and passes in words."""
    edits: list[Edit] = []
    layout, first = place.nodes.places, ""
    if not in_coordinates(played(place.nodes), place.nodes.rules):
        return None
    for node, content in enumerate(place.nodes.contents):
        for at, one in enumerate(content):
            if one.ident not in {*COLORS, "AB", "AW", "AE"}:
                continue
            for index, value in enumerate(one.values):
                if not isinstance(value, Invalid):
                    continue
                passes = one.ident in COLORS and value.raw.strip().lower() == "pass"
                passed = "" if place.game.format is Format.FF4 else "tt"
                point = passed if passes else _in_coordinates(place, value.raw)
                if point is None:
                    return None
                first = first or f"{one.ident}[{point}] for {_shown(one, [index])}"
                edits.append(_change(layout.value(node, at, index), point))
    return _fix(f"write {first}, and so on", *edits, safe=False) if edits else None


def _older(place: Place) -> Fix | None:
    """A value of FF[4] in the form of an older format."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    value = one.values[index]
    if isinstance(value, Rectangle) and value.corners is not None:
        (left, top), (right, bottom) = value.corners
        if (right - left + 1) * (bottom - top + 1) > MOST_POINTS:
            return None
        points = [
            Point(column, row)
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        ]
        raws = [_text_of(one.rule, point, one.reader) for point in points]
        if None in raws:
            return None
        text = "][".join(filter(None, raws))
        return _fix("name the points one by one", _change(place.value(index), text))
    if one.raw[index] == "" and one.ident in {"B", "W"} and place.game.game == 1:
        return _fix(f"write {one.name}[tt]", _change(place.value(index), "tt"))
    return None


#: A rectangle of more points is not taken apart.
MOST_POINTS = 19 * 19


def _corners(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    value = one.values[index]
    if not isinstance(value, Rectangle) or value.corners is None:
        return None
    first, second = value.corners
    raw = _text_of(one.rule, Rectangle(first=first, second=second), one.reader)
    if raw is None:
        return None
    return _fix(f"write [{raw}] for [{shorten(one.raw[index])}]", _change(place.value(index), raw))


def _one_line(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.reader is None:
        return None
    raw = escaped(one.reader.read("simpletext", one.raw[index]), place.game.format)
    return _fix(_instead(one, index, raw), _change(place.value(index), raw))


def _version(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None:
        return None
    end = place.value(index).end
    return _fix(f"write {one.name}[{shorten(one.raw[index])}:]", _put(end, ":"))


def _too_many(place: Place) -> Fix | None:
    """Several values where one is allowed: texts are joined, else the first one stays."""
    one = place.property
    if one is None or one.rule is None:
        return None
    named = [index for index, raw in enumerate(one.raw) if raw.strip()]
    full = named or [0]
    empty = next((at for at, raw in enumerate(one.raw) if not raw.strip()), None)
    if empty is not None and named and one.rule.category is Category.MOVE:
        kept = empty if one.rule.type == "none" else full[0]  # there nothing is a value, too
        return _remove(place, [at for at in range(len(one.raw)) if at != kept], safe=False)
    others = [index for index in range(len(one.raw)) if index != full[0]]
    same = {one.raw[index] for index in full}
    if len(same) == 1:
        return _remove(place, others, safe=True)
    setup = _as_setup(place)
    is_text = one.rule.types in {(("text",),), (("simpletext",),)} and not one.rule.form
    if setup is not None or not is_text or one.ident in DECISIVE:
        return setup or _remove(place, others, safe=False)
    between = "\n\n" if one.rule.type == "text" else " "
    ends = [place.value(index) for index in range(len(one.raw))]
    edits = [_change(Span(before.end, behind.start), between) for before, behind in pairwise(ends)]
    return _fix("make one text of them", *edits)


# ---- nodes ----


def _merged(place: Place) -> Fix | None:
    """A property that stands twice: its values come behind those of the first one."""
    one = place.property
    if one is None:
        return None
    moves = _as_turns(place)
    if moves is not None or (place.node, one.ident) in place.shared.done:
        return moves  # the fix of the first finding takes care of all
    place.shared.done.add((place.node, one.ident))
    content = place.content
    places = [at for at, other in enumerate(content) if other.ident == one.ident]
    first, others = places[0], places[1:]
    cuts = [_cut(place.span(at)) for at in others]
    raws = [raw for at in others for raw in content[at].raw]
    if all(content[at].raw == content[first].raw for at in others):
        return _fix(f"remove the second {_shown(one, range(len(one.raw)))}", *cuts)
    end = place.span(first).end
    if one.rule is None or one.rule.count is not Count.ONE:
        values = "".join(f"[{raw}]" for raw in raws)
        return _fix("put all values behind the first one", _put(end, values), *cuts)
    if one.rule.type == "text" and not one.rule.form:
        text = "".join(f"\n\n{raw}" for raw in raws)
        return _fix("make one text of them", _put(end - 1, text), *cuts)
    return _later_left_out(place, others)


def _later_left_out(place: Place, others: list[int]) -> Fix:
    """Of a property with one value the first stays; a second move gets its own node."""
    one = place.content[others[0]]
    if one.ident in COLORS:
        nodes = [_put(place.span(at).start, ";") for at in others]
        return _fix("write ';' before the second move", *nodes, safe=False)
    gone = "".join(_shown(place.content[at], range(len(place.content[at].raw))) for at in others)
    cuts = [_cut(place.span(at)) for at in others]
    return _fix(f"remove {gone}", *cuts, safe=False, removes=True)


#: What stays in the node of the setup when a move beside it gets its own node.
_STAYS = frozenset({Category.SETUP, Category.ROOT, Category.GAME_INFO})


def _split(place: Place) -> Fix | None:
    """Setup with what is of the root or the game, and the name; then the move with the rest.

    PL alone, for the other side than the one that moves, comes after the move: it tells who
    plays next.

    Source: FF[4], user guide of conversion: nodes that mix setup and move.
    """
    setup = _as_setup(place)
    if setup is not None:
        return setup
    content = place.content
    stays = [at for at, one in enumerate(content) if _category(one) in _STAYS or one.ident == "N"]
    message = "give the move its own node"
    players = [at for at in stays if _category(content[at]) is Category.SETUP]
    mover = next((one for one in content if one.ident in COLORS), None)
    if mover is not None and all(
        content[at].values == (COLORS[mover.ident].opponent,) for at in players
    ):
        stays = [at for at in range(len(content)) if at not in players]
        message = "give PL its own node, after the move"
    goes = [at for at in range(len(content)) if at not in stays]
    if not stays or not goes:
        return None
    text = place.text
    if max(stays) < min(goes):
        return _fix(message, _put(place.span(goes[0]).start, ";"))
    start, end = place.span(0).start, place.span(len(content) - 1).end
    parts = ["".join(text[slice(*place.span(at))] for at in group) for group in (stays, goes)]
    return _fix(message, _change(Span(start, end), ";".join(parts)))


def _as_setup(place: Place) -> Fix | None:
    """Stones that are written as moves: B or W with several points, beside setup or at the start.

    Source: servers that export a game which begins from a position.
    """
    content, rules = place.content, place.nodes.rules
    moves = [at for at, one in enumerate(content) if one.ident in COLORS]
    beside = [at for at, one in enumerate(content) if one.ident in STONES]
    if not any(len({*content[at].raw}) > 1 for at in moves) or any(
        _category(one) is Category.MOVE and one.ident not in COLORS for one in content
    ):
        return None
    above = place.nodes.parents[place.node]
    starts = above < 0 or (
        above == 0 and not any(one.ident in COLORS for one in place.nodes.contents[0])
    )
    stones = [value for at in moves for value in content[at].values]
    if not (starts or beside) or not all(isinstance(value, Point) for value in stones):
        return None
    edits: list[Edit] = []
    shown = ""
    for color, ident in SETUP_OF.items():
        group = [at for at in (*moves, *beside) if content[at].ident in {color, ident}]
        if not any(at in moves for at in group):
            continue
        if rules.rule(ident) is None:
            return None
        first, *others = sorted(group)
        if first in moves:
            edits.append(_change(place.nodes.places.name(place.node, first, 1), ident))
        raws = [raw for at in others for raw in content[at].raw]
        if raws:
            edits.append(_put(place.span(first).end, "".join(f"[{raw}]" for raw in raws)))
        edits += [_cut(place.span(at)) for at in others]
        both = [*content[first].raw, *raws]
        shown += ident + "".join(f"[{shorten(raw)}]" for raw in both[:MOST_SHOWN])
        shown += "..." if both[MOST_SHOWN:] else ""
    return _fix(f"write {shown}, stones that are set up, not played", *edits, safe=False)


def _as_turns(place: Place) -> Fix | None:
    return turns(place.nodes, place.node) if place.finding.property in SETUP_OF.values() else None


def _moved(place: Place, target: int, wanted: Category) -> Fix | None:
    """Properties of a category come into another node, if that has none of them."""
    content, there = place.content, place.nodes.contents[target]
    edits: list[Edit] = []
    messages: list[str] = []
    safe, removes, moved = True, False, ""
    for at, one in enumerate(content):
        if _category(one) is not wanted:
            continue
        span = place.span(at)
        edits.append(_cut(span))
        shown = _shown(one, range(len(one.raw)))
        others = [other for other in there if other.ident == one.ident]
        if not others:
            if one.ident in NAMES_GAME and not _is_as_read(
                place, "", one.ident, one.raw[0].strip()
            ):
                return None
            moved += place.text[slice(*span)]
            messages.append(f"move {shown}")
            safe = safe and wanted is Category.ROOT and one.ident not in DECISIVE
        else:
            messages.append(f"remove {shown}")
            removes = removes or all(other.raw != one.raw for other in others)
    if moved:
        edits.append(_put(place.end(target), moved))
    if not edits or (len(edits) >= len(content) and not place.begins_with_semicolon):
        return None
    return _fix(", ".join(messages), *edits, safe=safe and not removes, removes=removes)


#: Root properties by which everything else is read.
DECISIVE = frozenset({"FF", "GM", "SZ", "CA"})


def _to_root(place: Place) -> Fix | None:
    return _moved(place, 0, Category.ROOT)


#: A description that stands so many nodes before is not looked for.
FARTHEST = 500


def _to_description(place: Place) -> Fix | None:
    """To the node that describes the game."""
    above = place.nodes.parents[place.node]
    for _ in range(FARTHEST):
        if above < 0:
            break
        if any(_category(one) is Category.GAME_INFO for one in place.nodes.contents[above]):
            return _moved(place, above, Category.GAME_INFO)
        above = place.nodes.parents[above]
    return None


def _own_node(place: Place) -> Fix:
    setup = _as_setup(place)
    if setup is not None:
        return setup
    return _fix("write ';' before the second move", _put(place.finding.span.start, ";"), safe=False)


def _contradiction(place: Place) -> Fix | None:
    """TE before BM is an interesting move, BM before TE a doubtful one; else the first stays.

    Source: FF[4], conversion of files before FF[4].
    """
    one = place.property
    if one is None:
        return None
    here = place.at[1]
    idents = [other.ident for other in place.content]
    group = next(
        (group for group in ({"TE", "BM"}, {"TE", "BM", "DO", "IT"}) if one.ident in group), set()
    )
    first = next((at for at in range(here) if idents[at] in group), None)
    if first is not None and {idents[first], one.ident} == {"TE", "BM"}:
        new = "IT[]" if idents[first] == "TE" else "DO[]"
        gone = "".join(_shown(place.content[at], [0]) for at in (first, here))
        edits = (_change(place.span(first), new), _cut(place.span(here)))
        return _fix(f"write {new} instead of {gone}", *edits, safe=False)
    return _property_removed(place)


def _rivals(place: Place) -> Fix | None:
    """Points that an earlier list of the node has."""
    one = place.property
    if one is None:
        return None
    groups = ({"AB", "AW", "AE"}, {"CR", "MA", "SL", "SQ", "TR"}, {"TB", "TW"})
    group = next((group for group in groups if one.ident in group), set())
    earlier = [other for other in place.content[: place.at[1]] if other.ident in group]
    taken = {value for other in earlier for value in other.values if isinstance(value, Point)}
    gone = [index for index, value in enumerate(one.values) if value in taken]
    return _remove(place, gone, safe=False)


def _format_named(place: Place) -> Fix | None:
    """FF, as the game is read.  Without it the standard says FF[1]."""
    start = place.nodes.places.node(0, 0).start
    format_ = place.game.format
    if place.text[start : start + 1] != ";" or format_ is Format.GGF:
        return None
    if not place.nodes.contents[0] and place.nodes.contents[1:]:
        return None  # the first node with properties declares how the game is read
    name = f"FF[{format_[2:]}]"
    return _fix(f"write {name} into the first node", _put(start + 1, name), safe=False)


def _format_known(place: Place) -> Fix | None:
    one = place.property
    if one is None or place.game.format is not Format.FF4:
        return None
    return _fix(_instead(one, 0, "4"), _change(place.value(0), "4"), safe=False)


def _without_nul(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None:
        return None
    return _fix(
        "remove the NUL character",
        _change(place.value(index), one.raw[index].replace("\0", "")),
        safe=False,
        removes=True,
    )


def _meant(place: Place) -> Fix | None:
    """KO, which says that a move stands whatever the rules say (FF[3], FF[4])."""
    if place.nodes.rules.rule("KO") is None:
        return None
    message = "write KO[]: this only marks the move as meant so; it still takes the ko back at once"
    return _fix(message, _put(place.span(place.at[1]).end, "KO[]"), safe=False)


def _go_style(place: Place) -> Fix | None:
    """A point in the letters of Go, in the notation of its own game."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    raw = _text_of(one.rule, one.values[index], one.reader)
    if raw is None:
        return None
    return _fix(_instead(one, index, raw), _change(place.value(index), raw), safe=False)


#: Fixes for which the game has to be known.
FIXERS: dict[str, Fixer] = {
    "swallowed-properties": _swallowed,
    "missing-semicolon": _missing_semicolon,
    "unclosed-tree": _unclosed_tree,
    "lowercase-identifier": _lowercase,
    "node-after-variation": _rebuilt,
    "nul-character": _without_nul,
    "missing-format": _format_named,
    "unknown-format": _format_known,
    "root-outside-root": _to_root,
    "second-game-info": _to_description,
    "setup-with-move": _split,
    "duplicate-property": _merged,
    "too-many-values": _too_many,
    "two-moves": _own_node,
    "missing-pass": _missing_pass,
    "annotation-without-move": _property_removed,
    "contradicting-annotations": _contradiction,
    "setup-conflict": _rivals,
    "markup-conflict": _rivals,
    "territory-conflict": _rivals,
    "wrong-value": _respelled,
    "wrong-form": _respelled,
    "unusual-form": _respelled,
    "empty-value": _empty,
    "empty-text": _empty,
    "mixed-empty-value": _empty,
    "newer-form": _older,
    "repeated-point": _repeated,
    "repeated-line": _repeated,
    "one-point-line": _one_value_removed,
    "swapped-corners": _corners,
    "line-break-in-line": _one_line,
    "application-without-version": _version,
    "go-style-point": _go_style,
    "no-such-date": _real_date,
    "other-game": _all_in_coordinates,
    "ko-capture": _meant,
    "point-off-board": _as_pass,
    "doubtful-komi": _komi_in_points,
    "fox-habit": _komi_in_points,
}

#: Fixes of trees, not of properties and values.
OF_TREES = {
    *OF_TEXT,
    "missing-semicolon",
    "swallowed-properties",
    "unclosed-tree",
    "node-after-variation",
}

#: Fixes that put right all findings of their kind in a game; the first one carries it.
FOR_ALL = {"node-after-variation"}
