"""Checks of the games of a file beside one another: a fold over their summaries, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core.findings.diagnostic import new_edit, new_fix
from sgf_lark.core.findings.finding import Finding, Rule, register
from sgf_lark.core.findings.limits import AddPlace, FindingLimit
from sgf_lark.core.findings.words import plural
from sgf_lark.core.grammar.tokens import GameSpan
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.property import category
from sgf_lark.core.places import LineColumn, LineIndex, Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import Category

from .consequences import HIDING, is_about_play

#: Where something begins and ends, for a place of which the text may be gone.
At: TypeAlias = tuple[LineColumn, LineColumn]


class FirstOfKind(NamedTuple):
    """The first game of a format or kind in a part of a file; ``at`` is its place if the text may
    be gone.
    """

    format: Format
    is_named: bool
    played: tuple[int | None, str]
    number: int
    place: Span
    at: At | None = None


class Match(NamedTuple):
    """The number before the games of a GGF archive; ``first`` begins the first, if they are two."""

    announced: int
    span: Span
    seen: int = 0
    at: At | None = None
    first: Opening | None = None

    @property
    def is_pair(self) -> bool:
        """The two games of a synchro match."""
        return self.announced == 2  # noqa: PLR2004  # a pair

    def followed(self, games: int, first: Opening | None) -> Match:
        return self._replace(seen=self.seen + games, first=self.first if self.seen else first)

    def moved(self, by: int, lines: LineIndex) -> Match:
        start, end = self.span
        at = self.at or lines.places(Span(start + lines.start, end + lines.start))
        return self._replace(span=Span(start + by, end + by), at=at)


class Summary(NamedTuple):
    """The facts about one game, or some that follow one another, on which others depend.

    Attributes:
        kinds: The first of each format and kind among them.
        header: The last number before one of them, with the games after it; None if there is none.
        before: Number of the games of GGF before the first such number; all if there is none.
        first: The beginning of the first of those; None if no match needs it.
        first_number: Which one of all games that is, from 0.
    """

    games: int = 0
    kinds: tuple[FirstOfKind, ...] = ()
    header: Match | None = None
    before: int = 0
    first: Opening | None = None
    first_number: int = 0

    def in_file(self, lines: LineIndex) -> Summary:
        """Return the summary of a piece of a file as the file has it."""
        by, header = lines.start, self.header
        kinds = tuple([kind._replace(**_moved(kind.place, lines)) for kind in self.kinds])
        first = _opening_in_file(self.first, lines)
        if header is not None:
            of_header = _opening_in_file(header.first, lines)
            header = header.moved(by, lines)._replace(first=of_header)
        return self._replace(kinds=kinds, header=header, first=first)


def _moved(place: Span, lines: LineIndex) -> dict[str, Any]:
    moved = Span(place.start + lines.start, place.end + lines.start)
    return {"place": moved, "at": lines.places(moved)}


class FileFold:
    """The games of a file, one after the other, and what they have to do with one another.

    Args:
        asked: Names of the strict rules to check; None for a reader, who checks nothing.
        is_part: Other games are before or after these; whoever joins the summaries of all parts
            reports what depends on them.
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
        self._first: Opening | None = None
        self._first_number = self._before = 0
        self._kinds: list[FirstOfKind] = []
        self._formats: set[Format] = set()
        self._played: set[tuple[int | None, str]] = set()

    @property
    def summary(self) -> Summary:
        kinds = tuple([kind._replace(number=kind.number - self.begun) for kind in self._kinds])
        games = self.number - self.begun
        return Summary(
            games, kinds, self.match, self._before, self._first, self._first_number - self.begun
        )

    def begin(self, number: int) -> None:
        self.number = self.begun = number

    def add_game(self, game: GameTree, header: Match | None) -> list[Finding]:
        rules, kinds, first = game.nodes.rules, tuple[FirstOfKind, ...](), None
        is_named, played = game.nodes.chosen.is_given, (rules.game.number, rules.game.name)
        is_new = is_named and rules.format not in self._formats
        if self.number == 1 or is_new or played not in self._played:
            place = game.nodes.places.node(0, 0)
            kinds = (FirstOfKind(rules.format, is_named, played, 0, place),)
        if rules.format is not Format.GGF:  # no number counts it
            return self.add(Summary(1, kinds))
        match = header or self.match
        if match.is_pair if match else self.is_part and not self._before:
            first = opening_of(game)
        if header is not None:
            return self.add(Summary(1, kinds, header.followed(1, first)))
        return self.add(Summary(1, kinds, None, 1, first))

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
        match, number = self.match, self.number + new.first_number
        if match is None:
            if not self._before:
                self._first, self._first_number = new.first, number
            self._before += new.before
        else:
            if match.seen == 1 and match.first and new.first and self.asked is not None:
                yield from check_pair(match.first, new.first, number)
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
                first = next(iter(self._formats), kind.format)
                self._formats.add(kind.format)
                if len(self._formats) == SECOND and not self.is_part:
                    message = (
                        f"this game is in {kind.format.shown}; those before it are in {first.shown}"
                    )
                    yield _about(counted, DIFFERENT_FORMATS, message)
            if is_strange:
                before = next(iter(self._played), ("", ""))[1] or "another game"
                self._played.add(kind.played)
                name = kind.played[1]
                if len(self._played) == SECOND and name and not self.is_part:
                    message = f"this is a record of {name}; those before it are of {before}"
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
        """Return the findings of a game, but for those that follow from others, and too many alike;
        ``more``: the text continues after its end, so that nothing can wait.
        """
        if not findings and game is None and not self.fragments.waits:
            return []
        kept = self.fragments.remaining(findings, game, end, more=more, place=place)
        return list(map(place, self.limit.kept(kept, place)))

    def go_on(self, done: int, lines: LineIndex) -> None:
        """Go on to the next part of the text, which begins at ``done`` in this one."""
        if self.match is not None and done:
            self.match = self.match.moved(-done, lines)
        self.fragments.go_on()
        self.limit.go_on(done, lines)


#: The number of games, formats and kinds at which the first that differs is there.
SECOND = 2

#: Why it matters that a file has games of several kinds.
DOUBT = "many programs read all games of a file like the first: give this one its own file"

DIFFERENT_FORMATS = register("T212 different-formats info: games of one file in several formats")
DIFFERENT_GAMES = register("T213 different-games info: records of several games in one file")
SEVERAL_GAMES = register("G600 several-games warning: more than one game in a file", strict=True)


def _about(kind: FirstOfKind, rule: Rule, message: str) -> Finding:
    return rule.found(message, kind.place, DOUBT, game=kind.number, at=kind.at)


# ---- matches of GGF ----


def read_match_header(text: str, part: GameSpan) -> Match | None:
    header = text[part.start : part.end].strip()
    if not (header.isascii() and header.isdecimal()):
        return None
    start = text.index(header, part.start)
    return Match(int(header[:9]), Span(start, start + len(header)))


WRONG_COUNT = register("S115 wrong-count warning: a GGF count that does not match the games")


def check_match_length(match: Match) -> list[Finding]:
    if match.announced == match.seen:
        return []
    message = f"match header announces {plural(match.announced, 'game')}, but {match.seen} follow"
    edit = new_edit(*match.span, str(match.seen))
    help_ = f"write {match.seen} for {match.announced}"
    fix = new_fix(help_, [edit], safe=False)  # games may be lost
    return [WRONG_COUNT.found(message, match.span, help_, fix=fix, at=match.at)]


PAIR_MISMATCH = register("G647 pair-mismatch warning: two GGF games that are no synchro match")


class Opened(NamedTuple):
    """A raw value in the first node of a GGF game; ``at`` is its place, if the text may be gone."""

    raw: str
    place: Span
    at: At | None = None


#: What begins alike in the two games of a match, by name.
Opening: TypeAlias = Mapping[str, Opened]


def opening_of(game: GameTree) -> Opening:
    opening: dict[str, Opened] = {}
    for place, prop in enumerate(game.nodes.contents[0]):
        if prop.ident in _COMPARED and prop.raw:
            span = game.nodes.places.value(0, place, 0)
            opening.setdefault(prop.ident, Opened(prop.raw[0], span))
    return opening


def _opening_in_file(opening: Opening | None, lines: LineIndex) -> Opening | None:
    if opening is None:
        return None
    return {ident: one._replace(**_moved(one.place, lines)) for ident, one in opening.items()}


#: The properties of the first game of a match, by those of the second one.
_EXCHANGED = {"PB": "PW", "PW": "PB", "TY": "TY"}

_COMPARED = {*_EXCHANGED, "BO"}


def check_pair(first: Opening, second: Opening, number: int) -> Iterator[Finding]:
    """Check that the games of a synchro match begin alike, with colors exchanged."""
    for ident, across in _EXCHANGED.items():
        if ident in second and across in first and second[ident].raw != first[across].raw:
            message = f"{ident} is not {across} of the other game of this match"
            help_ = "in a synchro match the same players exchange colors"
            yield _in_root(ident, second, message, help_, number)
            return
    boards = [opening["BO"].raw.split() for opening in (first, second) if "BO" in opening]
    if boards[1:] and boards[0] != boards[1]:
        message = "the two games of this match do not begin alike"
        help_ = "both games of a synchro match have the same BO"
        yield _in_root("BO", second, message, help_, number)


def _in_root(ident: str, opening: Opening, message: str, help_: str, number: int) -> Finding:
    _, place, at = opening[ident]
    return PAIR_MISMATCH.found(
        message,
        place,
        help_,
        at=at,
        game=number,
        node_path="0",
        move_number=0,
        property=ident,
        value_index=0,
    )


# ---- parts of games ----


#: What is said of a part of a game that a ')' has cut off.  Text that is in no game is no
#: consequence: nobody else says that it is not read.
CONSEQUENCES = frozenset(
    {
        "identifier-form",
        "missing-format",
        "missing-root-property",
        "missing-semicolon",
        "move-in-root",
        "newer-form",
        "other-format",
    }
)


class Fragments:
    """Tells causes from consequences where a game ends before its end."""

    def __init__(self) -> None:
        self.text = ""
        self._hidden = 0  # '(' that were not seen
        self._begun = False  # a game has been read that is no fragment
        self._end: int | None = None  # where the last such game ended
        self._early: int | None = None  # the ')' after which fragments follow
        self._doubtful: list[Finding] = []  # what is only true if the fragments are games

    @property
    def waits(self) -> bool:
        return bool(self._doubtful)

    def go_on(self) -> None:
        self._end = self._early = None

    def remaining(
        self,
        findings: list[Finding],
        game: GameTree | None,
        end: int,
        *,
        more: bool,
        place: AddPlace,
    ) -> list[Finding]:
        """Return the findings that follow from no others; see :meth:`FileFold.limited`."""
        fragment = self._begun and game is not None and is_fragment(game)
        if game is not None and not fragment:
            self._hidden, self._early = 0, None
        elif fragment and self._early is None and self._end is not None:
            self._early = self._end - 1
        kept = [
            self._moved(place(finding) if fragment or finding.name in HIDING else finding)
            for finding in findings
            if not self._follows(finding, fragment=fragment)
        ]
        if fragment and not more:
            self._doubtful += [finding for finding in kept if _is_consequence(finding)]
            kept = [finding for finding in kept if not _is_consequence(finding)]
        else:
            kept = self._doubtful + kept
            self._doubtful = []
        for finding in kept:
            if finding.name in HIDING and not (
                fragment and finding.name == "property-outside-games"
            ):
                text = self.text[slice(*finding.span)]
                swallowed = text.count("(") - text.count(")")
                self._hidden += swallowed if finding.name == "swallowed-properties" else 1
        if game is not None and not fragment:
            self._begun = True
            self._end = None if more else end
        return kept

    def concern(self, game: GameTree) -> bool:
        """Return whether a valid game is such a part, or findings wait for the next game."""
        return bool(self._doubtful) or (self._begun and is_fragment(game))

    def pass_whole(self, end: int, *, more: bool) -> None:
        self._hidden, self._early, self._begun = 0, None, True
        self._end = None if more else end

    def _follows(self, finding: Finding, *, fragment: bool) -> bool:
        if self._hidden > 0:
            if finding.name == "extra-close":
                self._hidden -= self.text[slice(*finding.span)].count(")")
                return True
            if _is_consequence(finding):
                return True
        return fragment and finding.name in {"move-in-root", "missing-root-property"}

    def _moved(self, finding: Finding) -> Finding:
        """A ')' too many is the one that ended the game, if parts of the game follow it."""
        if finding.name != "extra-close" or self._early is None:
            return finding
        span, self._early, self._end = Span(self._early, self._early + 1), None, None
        self._doubtful = []
        message = "this ')' closes the game too early: variations follow it"
        return finding._replace(span=span, message=message)


def _is_consequence(finding: Finding) -> bool:
    return finding.name in CONSEQUENCES or is_about_play(finding)


def is_fragment(game: GameTree) -> bool:
    """A game whose first node has nothing that the first node of a game has."""
    return not any(
        category(prop) in {Category.ROOT, Category.GAME_INFO} for prop in game.nodes.contents[0]
    )
