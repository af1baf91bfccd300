"""Mending the tokens of a broken game, so that its grammar accepts them.

The smallest repair, in one pass: a token is left out or inserted, never changed, and each
such step is a finding.  Nothing is lost: the text keeps the tokens that are left out.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sgf_lark.core.findings.finding import Finding, Rule, Severity, register
from sgf_lark.core.findings.limits import COUNT
from sgf_lark.core.grammar.tokens import UNCLOSED, VALUES, RawToken, name_pattern
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.tree_rules import another_game, extra_close
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import COLORS, Group, PropertyTable, ident_of


class Mended(NamedTuple):
    """The result of a repair: the tokens of each game, and the findings.

    There is one game, or none; several if one pair of brackets held them together.  Of a kind
    of which there are too many, the last finding counts those before it that are left out.
    """

    games: list[list[RawToken]]
    findings: list[Finding]


class _Tree:
    """An open game tree.

    Attributes:
        has_variation: A variation in it is closed, so that no more nodes may follow.
        inserted: The bracket is not in the text; the next ')' closes this tree, too.
        first, last: The colors of its first and of its latest move; "" before the first.
    """

    __slots__ = ("first", "has_node", "has_variation", "inserted", "last", "start")

    def __init__(self, start: int, *, inserted: bool = False) -> None:
        self.start = start
        self.has_node = False
        self.has_variation = False
        self.inserted = inserted
        self.first = self.last = ""


#: Signs of a record in full width.
_WIDE = re.compile("[\uff08\uff09\uff1b\uff3b\uff3d]")

#: The characters that matter outside the values of FF[3].

_MATTERS = re.compile(r"[A-Z()\[\];]")


STRAY_TEXT = register("S102 stray-text error: text that belongs to no property")
MISSING_SEMICOLON = register("S104 missing-semicolon error: a node without its ';'")
UNCLOSED_TREE = register("S105 unclosed-tree error: a game tree without its ')'")
UNCLOSED_VALUE = register("S107 unclosed-value error: a value without its ']'")
MISSING_VALUE = register("S108 missing-value error: a property without a value")
MISSING_IDENTIFIER = register("S109 missing-identifier error: a value without a property")
EMPTY_TREE = register("S110 empty-tree error: brackets with no node in them")
NODE_AFTER_VARIATION = register("S111 node-after-variation error: a node after a closed variation")
LOWERCASE_IDENTIFIER = register(
    "S112 lowercase-identifier error: lower case in an FF[4] identifier"
)
IDENTIFIER_FORM = register("S113 identifier-form error: an identifier of a form its format lacks")
UNESCAPED_BRACKET = register("S119 unescaped-bracket error: a ']' in a text that ended its value")


class _Mender:
    def __init__(self, text: str, names: re.Pattern[str], format: Format, most: int | None) -> None:
        self.text = text
        self.names = names
        self.format = format
        self.games: list[list[RawToken]] = []
        self.out: list[RawToken] = []
        self.findings: list[Finding] = []
        self._most = sys.maxsize if most is None else most
        self._counts = Counter[tuple[str, Severity]]()
        #: The last finding of each kind beyond the limit.
        self._last: dict[tuple[str, Severity], Finding] = {}
        self._known_names: set[str] = set()
        self._left_out: list[RawToken] = []
        self._name = ""
        self._hold_texts: dict[str, bool] = {}

    def find(
        self,
        rule: Rule,
        message: str,
        span: Span,
        help_: str = "",
        ident: str | None = None,
        severity: Severity | None = None,
    ) -> None:
        self.note(rule.found(message, span, help_, severity, property=ident))

    def note(self, finding: Finding) -> None:
        kind = (finding.name, finding.severity)
        self._counts[kind] += 1
        if self._counts[kind] <= self._most:
            self.findings.append(finding)
        else:
            self._last[kind] = finding

    def result(self) -> Mended:
        for kind, finding in self._last.items():
            facts = {COUNT: self._counts[kind] - self._most}
            self.findings.append(finding._replace(facts=facts))
        return Mended(self.games, self.findings)

    @property
    def is_in_value(self) -> bool:
        """True if the last finding is about a value that swallows the rest of the text."""
        return bool(self.findings) and self.findings[-1].name == UNCLOSED_VALUE.name

    def leave_out(self, token: RawToken) -> None:
        """Skip a token; neighbours become one finding."""
        self._left_out.append(token)

    def report_left_out(self) -> None:
        if not self._left_out:
            return
        skipped, self._left_out = self._left_out, []
        span = Span(skipped[0].start, skipped[-1].end)
        if all(token.kind.endswith("VALUE") for token in skipped):
            escape = ", or escape the ']' that ended the value before: '\\]'"
            self.find(
                MISSING_IDENTIFIER,
                "a value without the name of its property",
                span,
                "write the name before '['" + (escape if self.format is not Format.GGF else ""),
            )
        elif (
            len(skipped) == 1
            and skipped[0].kind == "IDENT"
            and not self.text[slice(*span)].islower()
        ):
            self.no_value(self.text[slice(*span)], span)
        else:
            text = self.text[slice(*span)]
            comment = "CO" if self.format is Format.GGF else "C"
            message = "text that belongs to no property"
            help_ = f"put it into a comment, {comment}[...], or remove it"
            if text == ";" and self.format is Format.GGF:
                message, help_ = "a ';' that parts nothing: GGF has no nodes", "remove it"
            elif wide := _WIDE.findall(text):
                shown = "".join(dict.fromkeys(wide))
                signs = unicodedata.normalize("NFKC", shown)
                message = f"'{shown}' in full width, which is no sign of SGF"
                help_ = f"write '{signs}' in ASCII if that is meant; else {help_}"
            elif text == "]":
                message = "a ']' that closes nothing"
                help_ = "remove it"
                if self.format is not Format.GGF:
                    help_ += ", or write '\\]' for both if they are the end of a text"
            elif "]" in text:
                help_ += "; its '[' may be missing"
            severity = None
            if self.format is Format.FF3 and _MATTERS.search(text) is None:
                severity = Severity.WARNING  # FF[3], Syntax: all other characters are ignored
            self.find(STRAY_TEXT, message, span, help_, severity=severity)

    def no_value(self, name: str, span: Span) -> None:
        help_ = f"write {name}[...] or nothing"
        if parts := re.fullmatch(r"([A-Z]{1,2})([a-z]+)", name):
            help_ = f"write {parts[1]}[{parts[2]}] if that is meant, else {name}[...] or nothing"
        self.find(MISSING_VALUE, f"{name} has no value", span, help_)

    def ended_early(self, value: RawToken, last: RawToken) -> None:
        """Report a ']' in the middle of a text that ended it; the rest is left out."""
        self.report_left_out()
        span = Span(value.end - 1, last.end)
        message = "this ']' ends the value, and what follows reads like the rest of its text"
        self.find(UNESCAPED_BRACKET, message, span, "write '\\]' for a ']' in a text")

    @property
    def holds_text(self) -> bool:
        name = ident_of(self._name, self.format)
        if name not in self._hold_texts:
            rules = PropertyTable.standard().elsewhere(self.format, name)
            self._hold_texts[name] = not rules or any(rule.is_text for rule in rules)
        return self._hold_texts[name]

    @property
    def goes_on(self) -> bool:
        """True if the skipped text ended in a ']': it is a value of the property before it."""
        return bool(
            self._left_out and self.has_value and self.text[self._left_out[-1].end - 1] == "]"
        )

    @property
    def has_value(self) -> bool:
        return bool(self.out) and self.out[-1].kind == "PROP_VALUE"

    def more(self, values: list[RawToken]) -> None:
        self.report_left_out()
        self._values("", values)

    def property(self, name: RawToken, values: list[RawToken]) -> None:
        self.check_name(name)
        self._name = self.text[name.start : name.end]
        self.out.append(name._replace(kind="PROP_IDENT"))
        self._values(self._name, values)

    def _values(self, name: str, values: list[RawToken]) -> None:
        for value in values:
            closed = value.kind not in UNCLOSED
            if not closed:
                self.find(
                    UNCLOSED_VALUE,
                    f"the value{name and ' of '}{name} has no ']': it swallows the rest of the"
                    " text",
                    Span(value.start, value.start + 1),
                    "close the value with ']'" + self._escaped_end(value),
                )
            self.out.append(value._replace(kind="PROP_VALUE" if closed else "UNCLOSED"))

    def _escaped_end(self, value: RawToken) -> str:
        if self.format is Format.GGF or "\\]" not in self.text[slice(*value[1:])]:
            return ""
        return "; write '\\\\]' if its text ends with a '\\'"

    def check_name(self, token: RawToken) -> None:
        """Report, once for each name, that its format does not allow it."""
        name = self.text[token.start : token.end]
        if name in self._known_names:
            return
        self._known_names.add(name)
        if self.names.fullmatch(name):
            return
        span = Span(token.start, token.end)
        if self.format is Format.FF4 and name.isalpha():
            short = "".join(char for char in name if not char.islower()) or name.upper()
            message, help_ = _about_lower_case(name, self.format, short)
            self.find(LOWERCASE_IDENTIFIER, message, span, help_, short)
        else:
            ident = ident_of(name, self.format)
            message = f"{name} is no name that {self.format.shown} allows"
            help_ = "names have one or two capital letters"
            if ident.islower():
                message = f"{name} has no capital letter, so it names no property"
                help_ = f"write {name.upper()}[...] if that is meant, or remove it"
            severity = None if self.format is Format.FF4 else Severity.WARNING
            self.find(IDENTIFIER_FORM, message, span, help_, ident, severity)


def in_game(text: str, finding: Finding, nodes: Nodes) -> Finding:
    """Return a finding about lower case in a name with the property that the game has for it."""
    ident, rules = finding.property or "", nodes.rules
    read = rules.ident(ident)
    if finding.name != LOWERCASE_IDENTIFIER.name or read == ident or COUNT in finding.facts:
        return finding
    name = text[slice(*finding.span)]
    message, help_ = _about_lower_case(name, rules.format, read)
    return finding._replace(message=message, help=help_, property=read)


def _about_lower_case(name: str, format: Format, read: str) -> tuple[str, str]:
    message = f"lower case in the name {name}, which {format.shown} forbids; read as {read}"
    return message, f"write {read}[...]"


def check_names(text: str, nodes: Nodes, most: int | None) -> list[Finding]:
    """Return the findings about the names of properties that a format does not allow."""
    tape, rules = nodes.tape, nodes.rules
    mender = _Mender(text, name_pattern(rules.file), rules.format, most)
    names, bounds = tape.columns.names, tape.columns.bounds
    for name in dict.fromkeys(names):
        at = names.index(name)
        node = bisect_right(bounds, at) - 1
        span = tape.name(node, at - bounds[node], len(name))
        mender.check_name(RawToken("IDENT", *span))
    return mender.result().findings


class _SgfMender(_Mender):
    def __init__(self, text: str, names: re.Pattern[str], format: Format, most: int | None) -> None:
        super().__init__(text, names, format, most)
        self.trees: list[_Tree] = []
        #: Trees in which another variation of the same move begins.
        self.doubtful: set[_Tree] = set()
        #: The number of '(' less that of ')'.
        self.surplus = 0
        #: Each open bracket of the text: its tree, or None for one that is left out.
        self.brackets: list[_Tree | None] = []

    def structure(self, token: RawToken, *, of_a_game: bool) -> None:
        kind, start, end = token
        if kind == "OPEN":
            self.open(start, end)
        elif kind == "CLOSE":
            self.close(start, end)
        else:
            self.node(start, end, of_a_game=of_a_game)

    def open(self, start: int, end: int, *, inserted: bool = False) -> None:
        if self.trees and not self.trees[-1].has_node:
            empty = self.trees.pop()
            if self.surplus > 0:  # it has no ')' of its own
                self.surplus -= 1
                self.brackets.pop()
            else:
                self.brackets[-1] = None
            self.out.pop()
            span = Span(empty.start, empty.start + 1)
            self.find(
                EMPTY_TREE, "needless '(': another one follows", span, "remove it and its ')'"
            )
        self.trees.append(_Tree(start, inserted=inserted))
        if not inserted:
            self.brackets.append(self.trees[-1])
        self.out.append(RawToken("_OPEN", start, end))

    def close(self, start: int, end: int) -> None:
        if not self.brackets:
            self.note(extra_close(Span(start, end)))
            return
        tree = self.brackets.pop()
        while self.trees and self.trees[-1].inserted:
            self._close_tree(start, start)
        if tree is None:
            return
        if tree.has_node:
            self._close_tree(start, end)
        else:
            self.trees.pop()
            self.out.pop()
            message, span = "empty brackets: no ';' and no move in them", Span(tree.start, end)
            self.find(EMPTY_TREE, message, span, "remove it, or write '(;)'")

    def _close_tree(self, start: int, end: int) -> None:
        self.trees.pop()
        self.out.append(RawToken("_CLOSE", start, end))
        if self.trees:
            self.trees[-1].has_variation = True
        else:
            self.games.append(self.out)
            self.out = []

    @property
    def needs_tree(self) -> bool:
        """True if no node may follow without another '('."""
        return not self.trees or self.trees[-1].has_variation

    def node(self, start: int, end: int, *, of_a_game: bool = False) -> None:
        """Begin a node: at its ';', or, if that is missing, at a property."""
        missing = start == end
        if self.needs_tree:
            if of_a_game:
                self.note(another_game(Span(start, end)))
            elif not missing:
                message = "a node after a closed variation; read as one more variation"
                self.find(NODE_AFTER_VARIATION, message, Span(start, end), "put it in '(' and ')'")
            self.open(start, start, inserted=True)
        if missing:
            message, place = "a node without its ';'", Span(start, start + 1)
            self.find(MISSING_SEMICOLON, message, place, "write ';' before the property")
        self.trees[-1].has_node = True
        self.out.append(RawToken("_SEMICOLON", start, end))

    def property(self, name: RawToken, values: list[RawToken]) -> None:
        if self.needs_tree or not self.trees[-1].has_node:
            self.node(name.start, name.start)
        color = ident_of(self.text[name.start : name.end], self.format)
        if color in COLORS:
            self._note_move(color)
        super().property(name, values)

    def _note_move(self, color: str) -> None:
        """Note a move of a color.

        As the first one of a variation, after a move of the same side, it is an alternative to
        that move, whose variation should have been closed.
        """
        tree = self.trees[-1]
        if not tree.first and len(self.trees) > 2:  # noqa: PLR2004  # in a variation
            above = self.trees[-2]
            if above.first == above.last == color and not above.inserted:
                self.doubtful.add(above)
        tree.first = tree.first or color
        tree.last = color

    def end(self, at: int) -> None:
        unclosed = [tree for tree in self.trees if not tree.inserted]
        if unclosed and not self.is_in_value:
            message = "this game tree is never closed: " + (
                "its ')' is missing" if len(unclosed) == 1 else f"{len(unclosed)} ')' are missing"
            )
            start = unclosed[0].start
            if len(unclosed) == len(self.doubtful) == 1:
                start = self.doubtful.pop().start
                message = "this variation is never closed: the next one begins inside it"
            self.find(UNCLOSED_TREE, message, Span(start, start + 1), "add ')' where it ends")
        while self.trees:
            if self.trees[-1].has_node:
                self._close_tree(at, at)
            else:
                self.trees.pop()
                self.out.pop()
                if not self.trees and self.out:
                    self.games.append(self.out)


def mend_sgf(
    text: str,
    tokens: Iterable[RawToken],
    names: re.Pattern[str],
    format: Format,
    most: int | None = None,
) -> Mended:
    """Mend one game of SGF."""
    mender = _SgfMender(text, names, format, most)
    queue = list(tokens)
    mender.surplus = sum((token.kind == "OPEN") - (token.kind == "CLOSE") for token in queue)
    strays = _stray_ends(text, queue)
    balanced = _balanced_ends(text, queue, names)
    index = 0
    while index < len(queue):
        kind, start, end = token = queue[index]
        index += 1
        early = queue[index - 2] if index > 1 and queue[index - 2].kind == "PROP_VALUE" else None
        rest = _rest_of_text(text, queue, index - 1, balanced, strays) if early else -1
        if early and rest >= 0 and mender.holds_text:
            mender.ended_early(early, queue[rest])
            values = index = rest + 1
            if mender.has_value:
                index = _end_of_values(queue, values)
            mender.more(queue[values:index])
        elif kind == "IDENT" and _in_round_brackets(queue, index):
            mender.report_left_out()
            index += 3
            mender.no_value(text[start:end], Span(start, queue[index - 1].end))
        elif kind == "IDENT" and index < len(queue) and queue[index].kind in VALUES:
            values, index = index, _end_of_values(queue, index)
            mender.report_left_out()
            mender.property(token, queue[values:index])
        elif kind in VALUES and mender.goes_on:
            values, index = index - 1, _end_of_values(queue, index)
            mender.more(queue[values:index])
        elif kind in {"OPEN", "CLOSE", "SEMICOLON"}:
            mender.report_left_out()
            begins = kind == "SEMICOLON" and mender.needs_tree and _begins_game(text, queue, index)
            mender.structure(token, of_a_game=begins)
        else:
            mender.leave_out(token)
    mender.report_left_out()
    mender.end(queue[-1].end)
    return mender.result()


def _end_of_values(queue: list[RawToken], index: int) -> int:
    return next((at for at in range(index, len(queue)) if queue[at].kind not in VALUES), len(queue))


def _is_property(text: str, queue: list[RawToken], index: int) -> bool:
    """Return whether a property is hardly a part of a sentence: a capital, or after ';'."""
    token = queue[index]
    return (
        token.kind == "IDENT"
        and (text[token.start].isupper() or (index > 0 and queue[index - 1].kind == "SEMICOLON"))
        and index + 1 < len(queue)
        and queue[index + 1].kind in VALUES
    )


def _is_quoted(text: str, queue: list[RawToken], index: int) -> bool:
    """Tell if a value is after two words of a sentence, or a word and a sign: its '[' is text."""
    return (
        index > 1
        and queue[index - 1].kind == "IDENT"
        and text[queue[index - 1].start].islower()
        and (
            queue[index - 2].kind == "IDENT"
            or (
                queue[index - 2].kind == "STRAY"
                and queue[index - 1].end - queue[index - 1].start > 1
            )
        )
    )


def _rest_of_text(
    text: str, queue: list[RawToken], index: int, balanced: dict[int, int], strays: list[int]
) -> int:
    if index - 1 in balanced:
        return balanced[index - 1]
    if _is_text(text, queue, index, strays[index]):
        return strays[index]
    return index if _is_end_of_text(text, queue[index - 1], queue[index]) else -1


def _is_text(text: str, queue: list[RawToken], index: int, stray: int) -> bool:
    """Tell if the tokens up to a stray ']' may be the rest of the text before them."""
    return (
        stray >= index
        and queue[index].kind in {"IDENT", "STRAY", "PROP_VALUE"}
        and not _is_property(text, queue, index)
        and text[queue[index].start : queue[stray].end].strip("]") != ""
        and not any(token.kind in VALUES for token in queue[stray + 1 : stray + 2])
    )


def _is_end_of_text(text: str, value: RawToken, stray: RawToken) -> bool:
    """Return whether a ']' ends the text of a value: one with an open '[', or a last '\\'."""
    if text[value.end : stray.end].strip() != "]":
        return False
    raw = text[value.start + 1 : value.end - 1]
    if raw.endswith("\\\\"):
        return True
    return _count_open(raw) > 0


def _count_open(raw: str) -> int:
    """Count the '[' of a text that no ']' closes; escaped ones count, too."""
    count = 0
    for bracket in _BRACKET.findall(raw):
        count = count + 1 if bracket == "[" else max(0, count - 1)
    return count


_BRACKET = re.compile(r"[\[\]]")


def _in_round_brackets(queue: list[RawToken], index: int) -> bool:
    kinds = [token.kind for token in queue[index : index + 3]]
    return kinds[::2] == ["OPEN", "CLOSE"] and kinds[1] in {"IDENT", "STRAY"}


def _stray_ends(text: str, queue: list[RawToken]) -> list[int]:
    """Return for each token the next ']' that ends no value; -1 if a property comes before."""
    ends = [-1] * len(queue)
    following = -1
    for index in range(len(queue) - 1, -1, -1):
        kind, start, end = queue[index]
        if kind == "STRAY":
            if "]" in text[start:end]:
                following = index
        elif kind == "PROP_VALUE":
            if following < 0 and _is_quoted(text, queue, index):
                following = index
        elif kind == "UNCLOSED_VALUE" or (kind == "IDENT" and _is_property(text, queue, index)):
            following = -1
        ends[index] = following
    return ends


def _balanced_ends(text: str, queue: list[RawToken], names: re.Pattern[str]) -> dict[int, int]:
    """Return the values that end before their own brackets do, and the token where these end.

    Each is the text of a sentence: more than brackets, properties and values follow it, in the
    same node.  Properties in it are words with a quotation.
    """
    ends: dict[int, int] = {}
    opened: list[tuple[int, int, int, int]] = []  # token; brackets, words, '(' before its end
    brackets = words = parentheses = 0
    for index, (kind, start, end) in enumerate(queue):
        if kind == "PROP_VALUE" and (inner := _count_open(text[start + 1 : end - 1])):
            opened.append((index, brackets, words, parentheses))
            brackets += inner
        if not opened:  # only differences count
            continue
        if kind == "STRAY":
            brackets -= text.count("]", start, end)
            words += text[start:end].strip("]") != ""
        elif kind == "IDENT":
            words += not (
                index + 1 < len(queue)
                and queue[index + 1].kind in VALUES
                and names.fullmatch(text, start, end)
            )
        parentheses += (kind == "OPEN") - (kind == "CLOSE")
        if _is_border(text, queue, index):
            opened.clear()
        while opened and (parentheses < opened[-1][3] or brackets <= opened[-1][1]):
            value, _, before, depth = opened.pop()
            if parentheses == depth and words > before:
                ends[value] = index
    return ends


def _is_border(text: str, queue: list[RawToken], index: int) -> bool:
    kind = queue[index].kind
    following = queue[index + 1].kind if index + 1 < len(queue) else ""
    return (
        kind == "UNCLOSED_VALUE"
        or (kind == "OPEN" and following == "SEMICOLON")
        or (kind == "SEMICOLON" and (following != "IDENT" or _is_property(text, queue, index + 1)))
    )


def _begins_game(text: str, queue: list[RawToken], index: int) -> bool:
    names: set[str] = set()
    while index < len(queue) and queue[index].kind not in {"OPEN", "CLOSE", "SEMICOLON"}:
        if queue[index].kind == "IDENT":
            names.add(text[slice(*queue[index][1:])])
        index += 1
    return Group.KIND.idents <= names


def mend_ggf(
    text: str,
    tokens: Iterable[RawToken],
    names: re.Pattern[str],
    format: Format,
    most: int | None = None,
) -> Mended:
    mender = _Mender(text, names, format, most)
    queue = list(tokens)
    mender.out.append(queue[0]._replace(kind="_START"))
    index = 1
    closed = False
    while index < len(queue):
        token = queue[index]
        index += 1
        if token.kind == "IDENT" and index < len(queue) and queue[index].kind in VALUES:
            mender.report_left_out()
            mender.property(token, queue[index : index + 1])
            index += 1
        elif token.kind == "GGF_CLOSE":
            mender.report_left_out()
            mender.out.append(token._replace(kind="_END"))
            closed = True
        elif index == len(queue) and text[token.start : token.end] == ")":
            mender.report_left_out()
            message = "a game of GGF ends with ';)', and this one with ')'"
            mender.find(UNCLOSED_TREE, message, Span(token.start, token.end), "write ';)'")
            mender.out.append(token._replace(kind="_END"))
            closed = True
        else:
            mender.leave_out(token)
    mender.report_left_out()
    if not closed:
        end = queue[-1].end
        mender.out.append(RawToken("_END", end, end))
        if not mender.is_in_value:
            span = Span(queue[0].start, queue[0].end)
            mender.find(UNCLOSED_TREE, "this game is never closed", span, "add ';)' where it ends")
    mender.games.append(mender.out)
    return mender.result()
