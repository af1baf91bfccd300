"""Checks of the games of a file beside one another: a fold over their summaries, in their order.

What a check says of a game by itself needs no other game, and may be found in any process.  The
rest follows from the summaries: their order is that of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from sgf_lark.diagnostics.diagnostic import Edit, Fix
from sgf_lark.diagnostics.finding import Finding, Rule
from sgf_lark.diagnostics.limits import AddPlace, FindingLimit
from sgf_lark.diagnostics.rules import register
from sgf_lark.diagnostics.terminal import plural
from sgf_lark.grammar.tokens import GameSpan
from sgf_lark.model.collection import GameTree
from sgf_lark.places import LineColumn, LineIndex, Span
from sgf_lark.read.detect_format import Choice
from sgf_lark.schema.formats import Format

from .fragments import Fragments

#: Where something begins and ends, for a place of which the text may be gone.
At: TypeAlias = tuple[LineColumn, LineColumn]


class FirstOfKind(NamedTuple):
    """The first game of a format or kind in a part of a file.

    Attributes:
        format: Its format.
        is_named: Something names the format.
        played: What is played: number and name.
        number: Which one of the part, from 0.
        place: Its first node.
        at: Where that begins and ends, if the text may be gone.
    """

    format: Format
    is_named: bool
    played: tuple[int | None, str]
    number: int
    place: Span
    at: At | None = None


class Match(NamedTuple):
    """The number before the games of a GGF archive: announced and seen games.

    Attributes:
        announced: The number.
        span: Its place.
        seen: Number of the games after it, so far.
        at: Where the number begins and ends, if the text may be gone.
        first: The first of these games.
    """

    announced: int
    span: Span
    seen: int = 0
    at: At | None = None
    first: GameTree | Opening | None = None

    @property
    def is_pair(self) -> bool:
        """The two games of a synchro match."""
        return self.announced == 2  # noqa: PLR2004  # a pair

    def followed(self, games: int, first: GameTree | Opening | None) -> Match:
        """Return the match after some more games, and the first of those."""
        first = self.first if self.seen else first
        return self._replace(seen=self.seen + games, first=first if self.is_pair else None)

    def moved(self, by: int, lines: LineIndex) -> Match:
        """Return the match in a text that begins so many characters before, by its lines."""
        start, end = self.span
        at = self.at or lines.places(Span(start + lines.start, end + lines.start))
        return self._replace(span=Span(start + by, end + by), at=at)


class Summary(NamedTuple):
    """The facts about one game, or some that follow one another, on which others depend.

    Attributes:
        games: Number of the games.
        kinds: The first of each format and kind among them.
        header: The last number before one of them, with the games after it; None if there is none.
        before: Number of the games before the first such number; all if there is none.
        first: The first game, if no such number is before it, and the game is GGF.
    """

    games: int = 0
    kinds: tuple[FirstOfKind, ...] = ()
    header: Match | None = None
    before: int = 0
    first: GameTree | Opening | None = None

    @classmethod
    def of(cls, game: GameTree, choice: Choice, header: Match | None) -> Summary:
        """Return the summary of one game, and of the number before it."""
        rules = game.nodes.rules
        played, place = (rules.game.number, rules.game.name), game.nodes.places.node(0, 0)
        first = game if rules.format is Format.GGF else None
        kinds = (FirstOfKind(rules.format, choice.given, played, 0, place),)
        if header is None:
            return cls(1, kinds, None, 1, first)
        return cls(1, kinds, header.followed(1, first))

    def moved(self, by: int, lines: LineIndex) -> Summary:
        """Return the summary as the whole file has it: no longer of the text of a part."""
        kinds = [
            kind._replace(place=Span(kind.place.start + by, kind.place.end + by), at=at)
            for kind in self.kinds
            for at in [lines.places(Span(kind.place.start + by, kind.place.end + by))]
        ]
        header = self.header
        if header is not None:
            header = header.moved(by, lines)._replace(first=opening_of(header.first, lines))
        return self._replace(kinds=tuple(kinds), header=header, first=opening_of(self.first, lines))


class FileFold:
    """The games of a file, one after the other, and what they have to do with one another.

    Args:
        limit: Counts the findings, and limits them.
        asked: Names of the strict rules to check; None for a reader, who checks nothing.
        is_part: Other games are before or after these; whoever joins the summaries of all parts
            reports what depends on them.

    Attributes:
        number: Number of the games so far.
        begun: Number of those before the part.
        match: The number before the last games, if there is one.
        fragments: The parts of games that were seen.
    """

    def __init__(
        self, limit: FindingLimit, asked: frozenset[str] | None, *, is_part: bool = False
    ) -> None:
        self.limit = limit
        self.asked = asked
        self.is_part = is_part
        self.number = self.begun = 0
        self.match: Match | None = None
        self.fragments = Fragments()
        self._first: GameTree | Opening | None = None
        self._before = 0
        self._kinds: list[FirstOfKind] = []
        self._formats: set[Format] = set()
        self._played: set[tuple[int | None, str]] = set()

    @property
    def summary(self) -> Summary:
        """The summary of all games so far."""
        kinds = tuple([kind._replace(number=kind.number - self.begun) for kind in self._kinds])
        games = self.number - self.begun
        before = games if self.match is None else self._before
        return Summary(games, kinds, self.match, before, self._first)

    def begin(self, number: int) -> None:
        """Begin with the game of a number."""
        self.number = self.begun = number

    def add(self, new: Summary) -> list[Finding]:
        """Go on with one game or some; return the findings about them beside those before."""
        findings = [*self._of_match(new), *self._of_kinds(new)]
        if self.number == 1 and new.games and self.asked and SEVERAL_GAMES.name in self.asked:
            second = new.kinds[0]._replace(number=1)
            if second.format is not Format.GGF:
                findings.append(_about(second, SEVERAL_GAMES, "the file has several games"))
        self.number += new.games
        return findings

    def _of_match(self, new: Summary) -> Iterator[Finding]:
        match = self.match
        if match is None:
            if self.number == self.begun:
                self._first = new.first
            self._before = self.number - self.begun + new.before
        else:
            if match.is_pair and match.seen == 1 and new.before and self.asked is not None:
                yield from check_pair(match.first, new.first, self.number)
            match = match.followed(new.before, new.first)
            if new.header is not None:
                yield from check_match_length(match)
        self.match = new.header or match

    def _of_kinds(self, new: Summary) -> Iterator[Finding]:
        """Report the first game of another format or kind; FF[4] allows it."""
        for kind in new.kinds:
            is_other = kind.is_named and kind.format not in self._formats
            is_strange = kind.played not in self._played
            if not is_other and not is_strange:
                continue
            counted = kind._replace(number=self.number + kind.number)
            self._kinds.append(counted)
            if is_other:
                self._formats.add(kind.format)
                if len(self._formats) == SECOND and not self.is_part:
                    message = f"this game is {kind.format.shown}; those before it are not"
                    yield _about(counted, DIFFERENT_FORMATS, message)
            if is_strange:
                self._played.add(kind.played)
                name = kind.played[1]
                if len(self._played) == SECOND and name and not self.is_part:
                    message = f"this is a record of {name}; those before it are not"
                    yield _about(counted, DIFFERENT_GAMES, message)

    def limited(
        self,
        findings: list[Finding],
        game: GameTree | None = None,
        end: int = 0,
        *,
        more: bool = False,
        place: AddPlace = lambda finding: finding,
    ) -> list[Finding]:
        """Return the findings of a game, but for those that follow from others, and too many alike.

        Args:
            findings: About the game and the text before it, or about text outside games.
            game: The game.
            end: Where it ends in the text.
            more: The text continues after its end, so that nothing can wait.
            place: Adds places to findings.
        """
        kept = self.fragments.remaining(findings, game, end, more=more, place=place)
        return list(map(place, self.limit.kept(kept, place)))

    def go_on(self, done: int, lines: LineIndex) -> None:
        """Go on to the next part of the text, which begins at ``done`` in this one."""
        if self.match is not None and done:
            self.match = self.match.moved(-done, lines)
        self.limit.go_on(done, lines)


#: The number of games, formats and kinds at which the first that differs is there.
SECOND = 2

#: Why it matters that a file has games of several kinds.
DOUBT = "many programs take all games of a file for what the first one is"

DIFFERENT_FORMATS = register("T212 different-formats info: games of one file in several formats")
DIFFERENT_GAMES = register("T213 different-games info: records of several games in one file")
SEVERAL_GAMES = register("G600 several-games warning: more than one game in a file", strict=True)


def _about(kind: FirstOfKind, rule: Rule, message: str) -> Finding:
    return rule.found(message, kind.place, DOUBT, game=kind.number, at=kind.at)


# ---- matches of GGF ----


def read_match_header(text: str, part: GameSpan) -> Match | None:
    """Return the number that this text is; None if it is something else."""
    header = text[part.start : part.end].strip()
    if not (header.isascii() and header.isdecimal()):
        return None
    start = text.index(header, part.start)
    return Match(int(header[:9]), Span(start, start + len(header)))


WRONG_COUNT = register("S115 wrong-count warning: a GGF count that does not match the games")


def check_match_length(match: Match | None) -> list[Finding]:
    if match is None or match.announced == match.seen:
        return []
    message = f"match header announces {plural(match.announced, 'game')}, but {match.seen} follow"
    edit = Edit(offset=match.span.start, end_offset=match.span.end, replacement=str(match.seen))
    help_ = f"write {match.seen} for {match.announced}"
    fix = Fix(message=help_, safe=False, edits=(edit,))  # games may be lost
    return [WRONG_COUNT.found(message, match.span, help_, fix=fix, at=match.at)]


PAIR_MISMATCH = register("G647 pair-mismatch warning: two GGF games that are no synchro match")

#: What begins alike in the two games of a match: raw values and their places, by name.
Opening: TypeAlias = Mapping[str, tuple[str, Span, At | None]]


def opening_of(game: GameTree | Opening | None, lines: LineIndex | None = None) -> Opening | None:
    """Return the beginning of a GGF game.

    Args:
        game: The game, or its beginning.
        lines: The lines of a piece of a file, if its places are to be those in the file.
    """
    if game is None:
        return None
    if not isinstance(game, GameTree):
        return game
    nodes = game.nodes
    opening: dict[str, tuple[str, Span, At | None]] = {}
    by = 0 if lines is None else lines.start
    for place, prop in enumerate(nodes.contents[0]):
        if prop.ident in _COMPARED and prop.raw:
            start, end = nodes.places.value(0, place, 0)
            span = Span(start + by, end + by)
            at = None if lines is None else lines.places(span)
            opening.setdefault(prop.ident, (prop.raw[0], span, at))
    return opening


#: The properties of the first game of a match, by those of the second one.
_EXCHANGED = {"PB": "PW", "PW": "PB", "TY": "TY"}

_COMPARED = {*_EXCHANGED, "BO"}


def check_pair(
    one: GameTree | Opening | None, other: GameTree | Opening | None, number: int
) -> Iterator[Finding]:
    """Check that the two games of a synchro match begin alike, with the players' colors exchanged.

    A finding is about the second game.

    Args:
        one, other: The games.
        number: Which one of the file the second is, from 0.
    """
    first, second = opening_of(one) or {}, opening_of(other) or {}
    for ident, across in _EXCHANGED.items():
        if ident in second and across in first and second[ident][0] != first[across][0]:
            message = f"{ident} is not {across} of the other game of this match"
            help_ = "in a synchro match the same players exchange colors"
            yield _in_root(ident, second, message, help_, number)
            return
    boards = [opening["BO"][0].split() for opening in (first, second) if "BO" in opening]
    if boards[1:] and boards[0] != boards[1]:
        message = "the two games of this match do not begin alike"
        help_ = "both games of a synchro match have the same BO"
        yield _in_root("BO", second, message, help_, number)


def _in_root(ident: str, opening: Opening, message: str, help_: str, number: int) -> Finding:
    _, span, at = opening[ident]
    return PAIR_MISMATCH.found(
        message,
        span,
        help_,
        at=at,
        game=number,
        node_path="0",
        move_number=0,
        property=ident,
        value_index=0,
    )
