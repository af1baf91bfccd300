"""Fixes of syntax, by the text alone."""

from __future__ import annotations

import re
import string
import unicodedata
from itertools import islice

from sgf_lark.core.check.outside_games import FULL_WIDTH
from sgf_lark.core.findings.diagnostic import (
    MAX_QUOTED,
    Edit,
    Fix,
    deletion,
    insertion,
    make_fix,
    shorten,
    substitution,
)
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar.tokens import lexer, tokenize
from sgf_lark.core.model.provenance import Provenance, SourceGame
from sgf_lark.core.model.readings import Reading
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.text.detection import KEPT, KEPT_FROM
from sgf_lark.core.text.source import Pieces, TextSource
from sgf_lark.core.write.bounds import find_bounds
from sgf_lark.core.write.splice import rebuild

from .nodes import DECISIVE
from .place import NAMES_GAME, STONES_OF, Place, count_shared, fixes, fixes_text, is_as_read

#: Text that may follow a property or a value.
_FREE = re.compile(r"\s*(?:[;()]|[A-Z][A-Za-z0-9]*\s*\[|\Z)")


@fixes_text("extra-close")
def _remove_close(text: str, finding: Finding) -> Fix | None:
    inside = range(*finding.span)
    closing = [deletion(Span(at, at + 1)) for at in inside if text[at] == ")"]
    following = _BEHIND_CLOSING.search(text, finding.span.end)
    if following is not None and following[0] in {"[", "]"}:
        return None  # stray values would become part of a property
    start, end = finding.span
    if text[max(0, start - 1) : start].isalnum() and text[end : end + 1].isalnum():
        return None  # two names must not become one
    safe = following is None  # else trees may change places
    return make_fix("remove the ')'", *closing, safe=safe)


_BEHIND_CLOSING = re.compile(r"[^\s)]")


@fixes_text("empty-tree")
def _remove_empty_tree(text: str, finding: Finding) -> Fix | None:
    brackets = "".join(text[slice(*finding.span)].split())
    before, after = text[: finding.span.start].rstrip()[-1:], text[finding.span.end :]
    if brackets == "()":
        stands_alone = before in {*"(;])"} and after.lstrip()[:1] in {*"()", ""}
    else:
        stands_alone = brackets == "(" and _TREE.match(after) is not None
    if not stands_alone:  # the texts on both sides would join
        return None
    return make_fix(f"remove '{brackets}'", deletion(finding.span))


#: A bracket before a node or another tree.
_TREE = re.compile(r"\s*\(\s*(?:[;(]|[A-Z]+[a-z]*\s*\[)")


@fixes_text("missing-value")
def _add_brackets(text: str, finding: Finding) -> Fix:
    name = text[slice(*finding.span)]
    stone = _STONE.fullmatch(name)
    if stone is not None:
        raw = f"{stone[1]}[{stone[2]}]"
        return make_fix(f"replace {name} with {raw}", substitution(finding.span, raw), safe=False)
    return make_fix(
        f"remove {shorten(name, MAX_QUOTED)}", deletion(finding.span), safe=False, removes=True
    )


#: A move or stone of Go without its brackets.
_STONE = re.compile(r"(A?[BW]|AE)([a-s]{2})")


@fixes_text("unescaped-bracket")
def _escape_bracket(text: str, finding: Finding) -> Fix | None:
    end = text.rfind("[", 0, finding.span.start) + 1
    before = text[max(0, end - MAX_NAME) : end]
    name = _NAME.search(before)
    if name is not None and name[1] in DECISIVE:
        return None  # the game would be read in another way
    *ends, last = [at.start() for at in _UNESCAPED.finditer(text, *finding.span) if at[0] == "]"]
    rest = text[finding.span.start : last]
    if (
        not ends
        or rest.count("(") != rest.count(")")
        or not (_MORE.match(text, last + 1) or _FREE.match(text, last + 1))
    ):
        return None  # the rest of the text would run on into a property, or into another tree
    which = " for each ']' of the text but its last" if ends[1:] else ""
    return make_fix(f"write '\\]'{which}", *(insertion(at, "\\") for at in ends), safe=False)


_NAME = re.compile(r"([A-Z]+)\s*\[$")


#: More values, or the ']' of a text.
_MORE = re.compile(r"\]|\s*\[")

#: An escaped character, or a ']'.
_UNESCAPED = re.compile(r"(?s)\\.|\]")

#: Characters before a value to search for its name.
MAX_NAME = 100

#: Bytes of a character without its last one.
MAX_HALF = 3


@fixes_text("unclosed-value")
def _close_last_value(text: str, finding: Finding) -> Fix | None:
    end = len(text.rstrip("); \t\r\n"))
    if text[:end].endswith("\\") or end <= finding.span.start + 1:
        return None
    start = len(text[:end].rstrip(_NO_CHARACTERS))
    if 0 < end - start <= MAX_HALF:  # it would take the bracket for its other half
        octets = " ".join(f"{ord(char) - KEPT_FROM:02X}" for char in text[start:end])
        message = f"remove the half character {octets} at the end, and write ']'"
        return make_fix(message, substitution(Span(start, end), "]"), safe=False, removes=True)
    return make_fix("close the value with ']' at the end", insertion(end, "]"), safe=False)


_NO_CHARACTERS = "".join(map(chr, range(KEPT_FROM, KEPT_FROM + 256)))


_OPENING = re.compile(r"\s*\(\s*;?")


@fixes_text("property-outside-games")
def _take_into_game(text: str, finding: Finding) -> Fix | None:
    is_wide = finding.facts.get("text") == FULL_WIDTH
    return (_in_ascii if is_wide else _move_into_game)(text, finding.span)


def _move_into_game(text: str, span: Span) -> Fix | None:
    start, end = span
    before = text[:start].rstrip()
    kinds = [token.kind for token in tokenize(text, start, end)]
    if not before:
        begin = "(" if kinds[0] == "SEMICOLON" else "(;"
        edits = [insertion(start, begin)]
        if (game := _OPENING.match(text, end)) is not None:
            if _next_names(text, game.end())[0] & NAMES_GAME:
                return None  # then it would be a variation
            edits.append(insertion(game.end(), ""))  # other fixes wait until it is no game any more
        if text.count("(") == text.count(")"):
            edits.append(insertion(len(text.rstrip()), ")"))
        return make_fix(f"write '{begin}' before the properties", *edits, safe=False)
    if "STRAY" in kinds or (len(before) == start and before[-2:-1].isalnum()):
        return None  # two names must not become one
    closing = deletion(Span(len(before) - 1, len(before)))
    if kinds.count("CLOSE") > kinds.count("OPEN"):
        return make_fix("remove the ')' before the properties", closing, safe=False)
    return make_fix("move the ')' after the properties", closing, insertion(end, ")"), safe=False)


@fixes_text("no-game-record")
def _open_game(text: str, finding: Finding) -> Fix | None:
    start, end = finding.span.start, len(text.rstrip())
    if finding.facts.get("text") == FULL_WIDTH:
        return _in_ascii(text, Span(0, len(text)))
    if finding.facts.get("text") != "properties" or "(" in text:
        return None
    begin = "(" if text.startswith(";", start) else "(;"
    if text[:end].endswith(")"):
        return make_fix(
            f"write '{begin}' before the properties", insertion(start, begin), safe=False
        )
    message = f"write '{begin}' before the properties and ')' after them"
    return make_fix(message, insertion(start, begin), insertion(end, ")"), safe=False)


@fixes("stray-text", of_tree=True)
def move_or_remove_text(place: Place) -> Fix | None:
    """Remove lines and marks without a meaning; move other text into the comment of its node.

    Text with a '[' or ']' stays: it may be a property, stones, or the rest of a value.
    """
    text, (start, end) = place.text, place.finding.span
    stray = text[start:end]
    if not stray.strip("]"):
        return _escape_or_remove_bracket(place)
    if _is_wide_record(stray) and (narrow := _in_ascii(text, place.finding.span)) is not None:
        return narrow
    if not _stands_apart(text, place.finding.span):
        return None
    if _MEANS_NOTHING.fullmatch(stray):
        shown = shorten("".join(char for char in stray if char.isprintable()), MAX_QUOTED)
        what = f"'{shown}'" if shown.strip() else "the invisible characters"
        return make_fix(f"remove {what}", _cut(text, place.finding.span))
    spans = [
        span
        for span in place.shared.spans(place.finding.name, place.nodes, place.node)
        if _stands_apart(text, span) and not _MEANS_NOTHING.fullmatch(text, *span)
    ]
    return _into_comment(place, spans)


def _is_wide_record(text: str) -> bool:
    kinds = {match.lastgroup for match in lexer("wide_signs").finditer(text)}
    rest = lexer("wide_signs").sub("", text)
    return not rest.strip(string.ascii_uppercase + string.whitespace) and (
        not rest.strip() or kinds & {"PROP_VALUE", "WIDE_VALUE"} != set()
    )


def _in_ascii(text: str, span: Span) -> Fix | None:
    edits: list[Edit] = []
    for match in lexer("wide_signs").finditer(text, *span):
        new = match[0]
        if match.lastgroup == "WIDE_VALUE":
            content = new[1:-1]
            if _WIDE_POINT.fullmatch(content):
                content = unicodedata.normalize("NFKC", content)
            new = f"[{content}]"
        elif match.lastgroup == "WIDE_SIGN":
            new = unicodedata.normalize("NFKC", new)
        if new != match[0]:
            edits.append(substitution(Span(*match.span()), new))
    if not edits:
        return None
    return make_fix("write the signs of the record in ASCII", *edits, safe=False)


#: A number or a point in full width.
_WIDE_POINT = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]{1,5}")


def _into_comment(place: Place, spans: list[Span]) -> Fix | None:
    text, is_ggf = place.text, place.game.format is Format.GGF
    ident = "CO" if is_ggf else "C"
    parts = [text[slice(*span)] for span in spans]
    if any(map(_IS_VALUE.search, parts)):
        return None
    raw = "\n".join(parts)
    if not is_ggf:
        raw = raw.replace("\\", "\\\\")
    at = next((at for at, prop in enumerate(place.content) if prop.ident == ident), None)
    if at is None:
        edit = insertion(place.end(place.node), f"{ident}[{raw}]")
    else:
        edit = insertion(place.nodes.places.value(place.node, at, 0).end, f"\n{raw}")
    message = f"move the text into the comment, {ident}[{shorten(raw, MAX_QUOTED)}]"
    return make_fix(message, edit, *(_cut(text, span) for span in spans), safe=False)


def _stands_apart(text: str, span: Span) -> bool:
    """Return whether nothing joins if a text goes."""
    start = _cut(text, span).offset
    return text[start - 1 : start] in {*"];()"} and _FREE.match(text, span.end) is not None


def _cut(text: str, span: Span) -> Edit:
    start = span.start
    while text[start - 1 : start].isspace():
        start -= 1
    return deletion(Span(start, span.end))


#: A bracket of a value, or a byte that is no character.
_IS_VALUE = re.compile(rf"[\[\]]|{KEPT.pattern}")

#: Lines, points and commas, quotation marks, blanks, and characters that nobody sees: as a
#: judgement of a move one writes ! or ?, as a mark + or another sign.
_MEANS_NOTHING = re.compile(
    r"[-=_*~.,:;|/\\'\"`\s\0-\x1f\x7f\xa0\xad\xb7\u2000-\u200f\u2010-\u2015\u2018-\u201f\u2022\u2026"
    r"\u2028-\u202f\u2060-\u2064\u2500-\u257f\u3000-\u3002\u30fb\ufeff\uff0c\uff0d\uff0e\uff1a]+"
)


def _escape_or_remove_bracket(place: Place) -> Fix:
    """Make a ']' after a text a part of it; remove those that are elsewhere."""
    text, (start, end) = place.text, place.finding.span
    at = place.at[1]
    if at >= 0 and place.game.format is not Format.GGF and _may_have_bracket(place.content[at]):
        for index in range(len(place.content[at].raw)):
            close = place.value(index).end
            if not text[close + 1 : start].strip():
                message = "write '\\]' for the first of both"
                return make_fix(message, insertion(close, "\\"), safe=False)
    which = "the ']'" if end - start == 1 else "all ']'"
    return make_fix(f"remove {which}", deletion(Span(start, end)), safe=False, removes=True)


def _may_have_bracket(prop: Reading) -> bool:
    is_text = prop.rule is None or (prop.rule.is_text and not prop.rule.form)
    return is_text and prop.ident not in DECISIVE


@fixes("missing-semicolon", of_tree=True)
def insert_semicolon(place: Place) -> Fix | None:
    """Insert ';'; None if another node would then declare how the game is read."""
    text, start = place.text, place.finding.span.start
    named, following = _next_names(text, start)
    if following & NAMES_GAME or (place.node > 0 and named & NAMES_GAME):
        return None
    before = text[max(0, start - MAX_NAME) : start].rstrip()[-1:]
    safe = before in {"(", ")"} and not following & DECISIVE and text[start].isupper()
    return make_fix("write ';' before the property", insertion(start, ";"), safe=safe)


def _next_names(text: str, start: int) -> tuple[set[str], set[str]]:
    nodes: list[set[str]] = [set()]
    for kind, begin, end in tokenize(text, start, len(text)):
        if kind == "IDENT":
            nodes[-1].add(text[begin:end])
        elif kind in {"OPEN", "CLOSE"} or (kind == "SEMICOLON" and nodes[1:]):
            break
        elif kind == "SEMICOLON":
            nodes.append(set())
    return nodes[0], nodes[1] if nodes[1:] else set()


@fixes("unclosed-tree", of_tree=True)
def close_trees(place: Place) -> Fix | None:
    text, start = place.text, place.finding.span.start
    if place.nodes.rules.format is Format.GGF:
        if text[start] == ")":
            return make_fix("write ';)'", insertion(start, ";"))
        return make_fix("add ';)'", insertion(place.end(len(place.nodes) - 1), ";)"))
    if start > place.nodes.places.node(0, 0).start:
        return None  # the end of a variation in the middle is unknown
    end = place.end(len(place.nodes) - 1)
    for kind, begin, token_end in tokenize(text, end, len(text)):
        is_name = kind == "IDENT" and text[begin:token_end].isupper()
        if kind != "CLOSE" and not (is_name and not text[token_end : token_end + 1].isalnum()):
            break  # a word, of which no part is a name
        end = token_end
    kinds = [match.lastgroup for match in lexer("outline").finditer(text, start, end)]
    missing = kinds.count("OPEN") - kinds.count("CLOSE")
    if _would_be_outside(text, end):
        return None
    return make_fix(f"add '{')' * missing}'", insertion(end, ")" * missing))


def _would_be_outside(text: str, end: int) -> bool:
    depth, before = 0, ""
    kinds = (match.lastgroup or "" for match in lexer("tokens").finditer(text, end))
    for kind in islice((kind for kind in kinds if kind != "WS"), MAX_TOKENS):
        if (depth == 0 and kind not in {"OPEN", "STRAY", "IDENT"}) or (
            kind == "UNCLOSED_VALUE" or (before, kind) == ("OPEN", "STRAY")
        ):
            return True
        before = kind
        depth += (kind == "OPEN") - (kind == "CLOSE")
    return False


#: Tokens to look at after a game.
MAX_TOKENS = 200


@fixes("lowercase-identifier", "red-move")
def write_identifiers(place: Place) -> Fix | None:
    """Write the identifier for a name that is not beside stray text, in all its properties."""
    name = place.text[slice(*place.finding.span)]
    layout = place.nodes.places
    edits = [
        substitution(layout.name(*at, len(name)), place.nodes.contents[at[0]][at[1]].ident)
        for at in place.shared.misspelled.get(name, ())
        if place.shared.is_whole(place.text, place.nodes, at[0])
    ]
    ident = place.nodes.rules.ident(name)
    return make_fix(f"replace {name} with {ident}", *edits) if edits else None


@fixes("node-after-variation", of_tree=True, for_all=True)
def rebuild_game(place: Place) -> Fix | None:
    """Rebuild the game with brackets for each variation as it is read."""
    origin = SourceGame(TextSource(place.text), 0, place.nodes)
    pieces = Pieces()
    rebuild(pieces, place.nodes, Provenance.of(origin, len(place.nodes)))
    span, new = find_bounds(origin), pieces.text
    old = place.text[slice(*span)]
    if new == old:
        return None
    same = count_shared(old, new)
    same_at_end = min(count_shared(old[::-1], new[::-1]), len(old) - same, len(new) - same)
    changed = Span(span.start + same, span.end - same_at_end)
    message = "enclose each such node in '(' and ')'"
    return make_fix(message, substitution(changed, new[same : len(new) - same_at_end]), safe=False)


@fixes("swallowed-properties", of_tree=True)
def close_swallowing_value(place: Place) -> Fix | None:
    """Close a value that has swallowed properties; None if others would change their place."""
    text, start = place.text, place.finding.span.start
    following = next(_SWALLOWED.finditer(text, start))  # it may be empty
    end, is_text = place.finding.span.end + 1, place.finding.property not in STONES_OF
    if (
        text[max(0, start - MAX_NAME) : start].rstrip().endswith("[")
        or not (_FREE.match(text, end) or (is_text and text.startswith("[", end)))
        or not is_as_read(place, *following.groups())
    ):
        return None
    # The values after it are those of another property: a fix that goes on with their text waits.
    for kind, _, value_end in tokenize(text, end, len(text)):
        if kind != "PROP_VALUE":
            break
        end = value_end
    wait = [] if _FREE.match(text, end) else [insertion(end - 1, "")]
    if text.startswith("\\]", start - 2):
        edit = insertion(start - 1, "\\")
        return make_fix("write '\\\\]' where the value ends", edit, *wait, safe=False)
    edit = insertion(len(text[:start].rstrip()), "]")
    return make_fix("write ']' where the value ends", edit, *wait, safe=False)


#: Brackets, the name of a property, and its value.
_SWALLOWED = re.compile(r"([\s();]*)([A-Z]*)\s*\[?\s*(\w*)")
