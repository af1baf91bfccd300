"""Valid games, read in one pass: most nodes by the typed grammar, many at a time.

A match of the typed grammar's expression is a run of nodes that need no further look.  Where it
stops is a bracket, or a node to look at: one that the grammar of the format accepts and the typed
grammar does not is a suspect; one that neither accepts leaves the game to the repair.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from sgf_lark.grammar.tokens import GameSpan, tokenize
from sgf_lark.model.content import Runs, Shape, Written
from sgf_lark.model.property import Property
from sgf_lark.model.ruleset import OF_BOARD, RuleSet, RuleSets, find_board_size
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.games import GO
from sgf_lark.schema.properties import ident_of
from sgf_lark.schema.values import BoardSize

from .build import ParsedGame
from .detect_format import Choice, choose_format, distinct_properties, guess_format
from .split import find_ends, find_root_values


class TypedNodes(Protocol):
    """The nodes of some games that surely have no findings.

    Attributes:
        run: The expression of a run of usual nodes, with the white space after them (group 1),
            and of the brackets after it, with the groups of :attr:`.Shape.close`; None if nodes
            are better looked at one by one.  The values of its lists may be alike.
    """

    @property
    def run(self) -> re.Pattern[str] | None: ...

    def are_different(self, text: str, start: int, end: int) -> bool:
        """Return whether the values of each list in a run of usual nodes are different."""

    def accepts(self, text: str, start: int, end: int) -> bool:
        """Return whether the node ``text[start:end]``, which is not the root, has no findings."""

    def accepts_root(self, text: str, start: int, end: int) -> bool:
        """Return whether the root ``text[start:end]`` has no findings."""

    def accepts_property(self, prop: Property) -> bool:
        """Return whether the values of a property have no findings."""


#: The typed nodes of games that are read by a rule set, on a board of a size.
FindTyped: TypeAlias = Callable[[RuleSet, BoardSize | None], TypedNodes]


class Suspects(NamedTuple):
    """The nodes of a game that may have findings.

    Attributes:
        offsets: Where they begin in the text, in order.
        typed: The typed nodes, of which they are none.
    """

    offsets: array[int]
    typed: TypedNodes


class ReadGame(NamedTuple):
    """A game that was read: its rule set, its format's reason, and the result.

    Attributes:
        parsed: The result; of a broken game there may be none.
        suspects: The nodes that may have findings; None for all nodes.
        is_head: Only the nodes up to the game info were read, and more follow.
    """

    rules: RuleSet
    choice: Choice
    parsed: list[ParsedGame]
    suspects: Suspects | None = None
    is_head: bool = False


class WholeGames:
    """Reader of the valid games of a text; all others are left to the repair.

    Args:
        text: The text.
        format: The format to read; None to detect it, game by game.
        book: The rule sets of the file.
        typed: Returns the typed nodes of a rule set; without it all nodes are suspects.
        validate: Find the suspects.  If not, the typed nodes only serve to guess the format of
            a game without FF.

    Attributes:
        game: The game that was asked for last; None if it is not valid.
        guess: The last game whose format was guessed, and the guess.
    """

    def __init__(
        self,
        text: str,
        format: Format | None,
        book: RuleSets,
        typed: FindTyped | None = None,
        *,
        validate: bool = True,
    ) -> None:
        self._text = text
        self._format = format
        self._book = book
        self._typed = typed
        self._validate = validate
        self._end = 0
        self.game: ReadGame | None = None
        self.guess: tuple[GameSpan, tuple[Format, Choice]] | None = None

    def end_of(self, start: int) -> int | None:
        """Read the game at ``start``; return its end, None if it is not valid."""
        self.game = None
        if self._book.engine is Engine.LARK:
            return None
        values, choice = self._root_values(start), Choice(given=True)
        if values is None:
            return None
        format_ = self._format
        if format_ is None and "FF" in values:
            format_ = choose_format(values["FF"])
        if format_ is None:
            if self._read(start, Format.FF1, values, choice, judge=True) is None:
                return None
            first, end = self.game, self._end
            span = GameSpan(start, end, is_game=True)
            doubtful = partial(self._doubtful_properties, span, values)
            format_, choice = guess_format(values, self._book, doubtful)
            self.guess = span, (format_, choice)
            if format_ is Format.FF1:
                self.game, self._end = first, end
        if self.game is not None and self.game.rules.format is format_:
            self.game = self.game._replace(choice=choice)
            return self._end
        return self._read(start, format_, values, choice, judge=self._validate)

    def end_of_ggf(self, start: int) -> int | None:
        """Read the game of GGF at ``start``; return its end, None if it is not valid."""
        self.game = None
        if self._book.engine is Engine.LARK or self._format not in {None, Format.GGF}:
            return None
        usual = self._book.rules(Format.GGF, GO)
        shape, columns = usual.shape, usual.columns
        opened = None if shape is None else shape.open.match(self._text, start)
        if shape is None or shape.first is None or columns is None or opened is None:
            return None
        root = shape.first.match(self._text, opened.end())
        if root is None:
            return None
        pairs = [
            (name, usual.split(values)[0])
            for name, values in columns.findall(self._text, *root.span())
        ]
        rules = self._book.declared(Format.GGF, dict(reversed(pairs)))
        end = self._read_by_board(start, rules, pairs)
        if end is not None and _DECLARES.search(self._text, root.end(), end) is not None:
            tokens = tokenize(self._text, start, end, ggf=True)
            every = self._book.declared(Format.GGF, find_root_values(self._text, tokens))
            if every is not rules:
                return self._read_by_board(start, every, pairs)
        return end

    def end_of_head(self, start: int, *, more: bool) -> int | None:
        """Read the game at ``start`` up to its game info, and find its last bracket.

        Of the rest only brackets outside values are looked at.  A game is read to its end if it
        has no FF, because all of it decides its format, and if its first nodes have no game
        info or are broken.

        Args:
            start: The offset of the game.
            more: The text may go on.

        Returns:
            The end of the game; None if it is not valid, or has no certain end.
        """
        self.game = None
        values = None if self._book.engine is Engine.LARK else self._root_values(start)
        format_ = self._format
        if format_ is None and values and "FF" in values:
            format_ = choose_format(values["FF"])
        rules = None if format_ is None else self._book.declared(format_, values or {})
        head = None if rules is None else self._head_at(start, rules)
        if rules is None or head is None:
            return self.end_of(start)
        ends = find_ends(self._text, start, more)
        if len(ends) != 1:
            return None
        rest = self._text[head.runs.ends[-1] : ends[0]]
        is_head = rest[0] != ")" or bool(rest.replace(")", " ").strip())
        self.game = ReadGame(rules, Choice(given=True), [ParsedGame(head)], is_head=is_head)
        return ends[0]

    def _head_at(self, start: int, rules: RuleSet) -> Written | None:
        """Return the first nodes of the main line, up to game info; None without it."""
        text, shape, runs = self._text, rules.shape, Runs()
        opened = None if shape is None else shape.open.match(text, start)
        if shape is None or opened is None:
            return None
        begin = at = opened.end()
        for _ in range(MAX_HEAD_NODES):
            node = shape.node.match(text, at)
            if node is None or text[node.end() : node.end() + 1] not in NODE_ENDS:
                return None
            has_info = rules.has_info(text, at, node.end())
            at = node.end()
            opened = shape.open.match(text, at)
            if has_info or opened is not None:
                runs.add(begin, at, len(runs.starts) - 1)
            if has_info:
                return Written(text, runs, rules)
            begin, at = (begin, at) if opened is None else (opened.end(), opened.end())
        return None

    def _read_by_board(
        self, start: int, rules: RuleSet, root: Iterable[tuple[str, str]]
    ) -> int | None:
        """Read the game at ``start`` on the board of its root; return its end as above."""
        board = [rules.property(name, (raw,)) for name, raw in root if name in OF_BOARD]
        size, choice = find_board_size(board, rules.game), Choice(given=True)
        return self._read_by(start, rules, size, choice, judge=self._validate)

    def _root_values(self, start: int) -> dict[str, str] | None:
        """Return the values of the first node that decide the rule set, by identifier.

        None if the bracket has no node.
        """
        rules = self._book.rules(self._format or Format.FF4, GO)
        shape, columns = rules.shape, rules.columns
        opened = None if shape is None else shape.open.match(self._text, start)
        if shape is not None and (opened is None or not self._text.startswith(";", opened.end())):
            return None
        if shape is not None and columns is not None and opened is not None:
            root = shape.node.match(self._text, opened.end())
            if root is not None and self._text[root.end() : root.end() + 1] in NODE_ENDS:
                pairs = columns.findall(self._text, opened.end(), root.end())
                if pairs:
                    values = {ident_of(name): raws for name, raws in reversed(pairs)}
                    return {ident: rules.split(values[ident])[0] for ident in KIND & values.keys()}
        return find_root_values(self._text, tokenize(self._text, start, len(self._text)))

    def _doubtful_properties(
        self, span: GameSpan, values: dict[str, str], format: Format
    ) -> Collection[tuple[str, str]]:
        """Return the distinct properties that may not fit a format: names and raw values."""
        if self.game is None or self.game.rules.format is not format:
            self._read(span.start, format, values, Choice(given=True), judge=True)
        read = self.game
        if (
            read is None
            or read.suspects is None
            or read.rules.shape is None
            or self._end != span.end
        ):
            return distinct_properties(self._text, tokenize(self._text, span.start, span.end))
        properties: dict[tuple[str, str], None] = {}
        for start in read.suspects.offsets:
            node = read.rules.shape.node.match(self._text, start)
            end = span.end if node is None else node.end()
            for prop in read.rules.properties(self._text, start, end):
                if read.suspects.typed.accepts_property(prop):
                    continue
                properties.update(dict.fromkeys((prop.name, raw) for raw in prop.raw))
        return properties

    def _read(
        self, start: int, format: Format, values: dict[str, str], choice: Choice, *, judge: bool
    ) -> int | None:
        """Read the game at ``start`` in a format; return its end, None if it is not valid."""
        return self._read_by(start, *self._book.sized(format, values), choice, judge=judge)

    def _read_by(
        self,
        start: int,
        rules: RuleSet,
        size: BoardSize | None,
        choice: Choice,
        *,
        judge: bool,
    ) -> int | None:
        """Read the game at ``start`` by a rule set; return its end, None if it is not valid."""
        self.game = None
        if rules.shape is None:
            return None
        typed = self._typed(rules, size) if self._typed is not None and judge else None
        if judge:
            read = _read_runs(self._text, start, rules.shape, typed)
        else:
            read = _scan_runs(self._text, start, rules.shape)
        if read is None:
            return None
        runs, suspects, self._end = read
        parsed = ParsedGame(Written(self._text, runs, rules))
        suspected = None if typed is None else Suspects(suspects, typed)
        self.game = ReadGame(rules, choice, [parsed], suspected)
        return self._end


def _read_runs(
    text: str, start: int, shape: Shape, typed: TypedNodes | None
) -> tuple[Runs, array[int], int] | None:
    """Return the runs of a game, the offsets of its suspects, and its end; None if it is broken."""
    opened = shape.open.match(text, start)
    if opened is None:
        return None
    at, close, bracket = opened.end(), shape.close.match, shape.bracket
    run = None if typed is None else typed.run
    runs, suspects = Runs(), array("q")
    above, waiting = -1, list[int]()
    while True:
        brackets = run.match(text, at) if run is not None and above >= 0 else None
        end = at if brackets is None else brackets.end(1)
        if brackets is None or brackets.end() == end or text.find("][", at, end) >= 0:
            end = _end_of_run(text, at, shape, typed, suspects, is_root=above < 0)
            brackets = close(text, end)
        if brackets is None or (end == at and shape.first is None):
            return None
        waiting.append(runs.add(at, end, above))
        done = text.count(bracket, end, brackets.end())
        if done >= len(waiting):
            for _ in waiting:
                end = text.index(bracket, end) + len(bracket)
            return runs, suspects, end
        if brackets.lastindex != brackets.re.groups:  # no bracket opens a variation
            return None
        if done:
            del waiting[-done:]
        above, at = waiting[-1], brackets.end()


def _scan_runs(text: str, start: int, shape: Shape) -> tuple[Runs, array[int], int] | None:
    """Return the same for a game whose nodes are not looked at: without suspects."""
    opened = shape.open.match(text, start)
    if opened is None:
        return None
    at, bracket, match, runs = opened.end(), shape.bracket, shape.run.match, Runs()
    above, waiting = -1, list[int]()
    while (run := match(text, at)) is not None:
        (_, at), (begin, end), (_, closed) = run.regs
        waiting.append(runs.add(begin, end, above))
        if closed > end:
            done = text.count(bracket, end, closed)
            if done >= len(waiting):
                for _ in waiting:
                    end = text.index(bracket, end) + len(bracket)
                return runs, array("q"), end
            del waiting[-done:]
        if at == closed:
            return None
        above = waiting[-1]
    return None


def _end_of_run(
    text: str,
    at: int,
    shape: Shape,
    typed: TypedNodes | None,
    suspects: array[int],
    *,
    is_root: bool,
) -> int:
    """Return the end of the nodes that follow one another in a text; add the suspects of them."""
    node = shape.node.match
    if is_root:
        root = (shape.first or shape.node).match(text, at)
        if root is None:
            return at
        if typed is None or not typed.accepts_root(text, at, root.end()):
            suspects.append(at)
        at = root.end()
    run = None if typed is None else typed.run
    doubtful = at  # up to here nodes are looked at one by one
    while True:
        if typed is not None and run is not None and at >= doubtful:
            several = run.match(text, at)
            end = at if several is None else several.end(1)
            if text.find("][", at, end) < 0 or typed.are_different(text, at, end):
                at = end
            else:
                doubtful = end
        one = node(text, at)
        if one is None:
            return at
        if typed is None or not typed.accepts(text, at, one.end()):
            suspects.append(at)
        at = one.end()


#: Most nodes that are read for the game info before the game is read to its end.
MAX_HEAD_NODES = 8

#: Properties of the first node that decide the rule set; EV may name the game.
KIND = frozenset({"FF", "GM", "SZ", "EV"})

#: One of these, anywhere in a text.
_DECLARES = re.compile("|".join(sorted(KIND)))

#: After a node is another one, or a bracket.
NODE_ENDS = frozenset({";", "(", ")"})
