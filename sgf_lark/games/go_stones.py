"""Stones on a board of Go, and the chains that they form.

A set of cells is an integer with a bit for each.  Chains of stones are joined as stones come
(union by size), so that a move costs the same beside chains of any length, and however many
stones it captures.  Only where a stone is taken out of the middle of a chain, or a rectangle
is set up, are the chains found anew.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from sgf_lark.core import Point
from sgf_lark.positions.grid import BLACK, BORDER, EMPTY, WHITE, Grid

#: The empty cells, the black and the white stones.
StoneSets: TypeAlias = tuple[int, int, int]


class GoStones(Grid):
    """The stones on a board, with the way back to earlier positions.

    A subclass that has more to go back to overrides :attr:`status`.
    """

    status: Any = None

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self._sets = [0, 0, 0]
        self._sets[EMPTY] = self._rectangle(Point(0, 0), Point(columns - 1, rows - 1))
        #: The neighbours of the cell ``step``; those of others are as far from them.
        self._cross = 1 | 1 << self.step - 1 | 1 << self.step + 1 | 1 << 2 * self.step
        self._era = 0
        self._snapshots: list[tuple[int, int, int, int, int, Any]] = []
        self._forget_chains()

    # ---- what is on it ----

    @property
    def stones(self) -> StoneSets:
        """The empty cells and the stones of each side; equal only to that of the same stones."""
        vacant, black, white = self._sets
        return vacant, black, white

    def held(self, cell: int) -> int:
        """Return the contents of a cell: EMPTY, BLACK, WHITE, or BORDER."""
        vacant, black, white = self._sets
        bit = 1 << cell
        if vacant & bit:
            return EMPTY
        return BLACK if black & bit else WHITE if white & bit else BORDER

    def count(self, held: int) -> int:
        return self._sets[held].bit_count()

    def beside(self, cells: int) -> int:
        """Return the cells of a set, and their neighbours."""
        return cells | cells << 1 | cells >> 1 | cells << self.step | cells >> self.step

    # ---- the way back ----

    @property
    def mark(self) -> int:
        vacant, black, white = self._sets
        self._snapshots.append((vacant, black, white, self._era, len(self._log), self.status))
        return len(self._snapshots) - 1

    def rewind(self, mark: int) -> None:
        *self._sets[:], era, length, self.status = self._snapshots[mark]
        del self._snapshots[mark + 1 :]
        if era != self._era:
            self._forget_chains()
            return
        log = self._log
        while len(log) > length:
            numbers, at, old = log.pop()
            numbers[at] = old

    # ---- changes ----

    def put(self, cell: int, held: int) -> bool:
        """Set a cell; False if that changes nothing."""
        old = self.held(cell)
        if old == held:
            return False
        if old != EMPTY:
            self._remove(cell, old)
        if held != EMPTY:
            self._add(cell, held, 1 << cell, self.beside(1 << cell))
        return True

    def put_rectangle(self, low: Point, high: Point, held: int) -> bool:
        """Set all cells between two corners; False if that changes nothing."""
        cells = self._rectangle(low, high)
        if not cells & ~self._sets[held]:
            return False
        self._sets[:] = [old & ~cells for old in self._sets]
        self._sets[held] |= cells
        self._forget_chains()
        return True

    def _add(self, cell: int, color: int, bit: int, near: int) -> None:
        sets = self._sets
        near &= sets[color]
        sets[EMPTY] ^= bit
        sets[color] |= bit
        if not self._known:
            self._forget_chains()
            return
        chains = self._chains
        if not near:
            self._joined.append(len(chains))
            self._set(self._chain_at, cell, len(chains))
            chains.append(bit)
            return
        largest, stones = -1, 0
        while near:
            stone = near & -near
            near ^= stone
            number = self._chain_of(stone.bit_length() - 1)
            if largest < 0:
                largest, stones = number, chains[number]
            elif number != largest:
                chain = chains[number]
                if chain.bit_count() > stones.bit_count():
                    number, largest = largest, number
                stones |= chain
                self._set(self._joined, number, largest)
        self._set(self._chain_at, cell, largest)
        self._set(chains, largest, stones | bit)

    def _remove(self, cell: int, color: int) -> None:
        bit, sets = 1 << cell, self._sets
        sets[EMPTY] |= bit
        sets[color] ^= bit
        if not self._known:
            self._forget_chains()
            return
        around = self.beside(bit)
        rest = around & sets[color]
        if rest & (rest - 1):  # two or more: joined by the stones around, or perhaps not
            around |= around << 1 | around >> 1
            part, before = rest & -rest, 0
            while part != before:
                part, before = self.beside(part) & around & sets[color], part
            if rest & ~part:
                self._forget_chains()
                return
        number = self._chain_of(cell)
        self._set(self._chains, number, self._chains[number] ^ bit)

    def _rectangle(self, low: Point, high: Point) -> int:
        cells = row = ((1 << (high.column - low.column + 1)) - 1) << self.cell(low)
        for _ in range(high.row - low.row):
            row <<= self.step
            cells |= row
        return cells

    # ---- chains ----

    def _forget_chains(self) -> None:
        self._known = False
        self._era += 1
        self._log: list[tuple[list[int], int, int]] = []
        self._chain_at: list[int] = []  # for each cell with a stone, the chain that it joined first
        self._joined: list[int] = []  # for each chain, that which it became part of, or itself
        self._chains: list[int] = []  # the stones of each

    def _copy_chains(self) -> None:
        self._sets, self._snapshots, self._log = self._sets.copy(), [], []
        if len(self._chains) > len(self._chain_at):
            self._forget_chains()
            return
        self._chain_at = self._chain_at.copy()
        self._joined, self._chains = self._joined.copy(), self._chains.copy()

    def _find_chains(self) -> None:
        """Find all chains of the present position.

        They become known at once: a board that never changes may be asked in several threads.
        """
        chain_at, chains = [0] * ((self.size.rows + 2) * self.step + 1), list[int]()
        for color in (BLACK, WHITE):
            rest = stones = self._sets[color]
            while rest:
                chain, before = rest & -rest, 0
                while chain != before:
                    chain, before = self.beside(chain) & stones, chain
                    self.work += 1
                rest ^= chain
                self._name(chain, len(chains), chain_at)
                chains.append(chain)
        self._chain_at, self._chains, self._joined = chain_at, chains, [*range(len(chains))]
        self._known = True

    def _name(self, chain: int, number: int, chain_at: list[int]) -> None:
        while chain:
            first = chain & -chain
            beyond = chain + first
            start, end = first.bit_length() - 1, (beyond & -beyond).bit_length() - 1
            chain_at[start:end] = [number] * (end - start)
            chain &= beyond
            self.work += 1

    def _chain_of(self, cell: int) -> int:
        joined, number = self._joined, self._chain_at[cell]
        while joined[number] != number:
            number = joined[number]
        return number

    def _set(self, numbers: list[int], at: int, number: int) -> None:
        if self._snapshots:
            self._log.append((numbers, at, numbers[at]))
        numbers[at] = number
