"""Conversion results while they are built: options, notes, properties and nodes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sgf_lark.core import (
    Format,
    GameTree,
    Nodes,
    PropertyTable,
    RuleSets,
    Severity,
    Tape,
    find_first_values,
    name_of_file,
    without_own_types,
)

from .lossy import Lossy
from .notes import Note


@dataclass(slots=True)
class NewProperty:
    """A property of the new game."""

    ident: str
    raw: tuple[str, ...]
    place: int | None = None  # its number in the node of the source, from 0; None if it is new

    def __str__(self) -> str:
        return self.ident + "".join(f"[{raw}]" for raw in self.raw)


class ConvertOptions(NamedTuple):
    """The choices of a user for a conversion."""

    lossy: Lossy = Lossy.KEEP
    # a bare number in TM of FF[1] counts minutes, as FF[1] recommends; else seconds, as nearly all
    # such files mean
    minutes: bool = False
    time_left: bool = False  # from GGF, work out BL and WL where clock and times allow it


@dataclass
class ResultBuilder:
    """Builder of a converted game: its nodes, their properties, and notes on what changed."""

    source: GameTree
    format: Format
    options: ConvertOptions
    props: list[Sequence[NewProperty]] = field(default_factory=list)
    # for each node of the result its parent's number; -1 for the root
    parents: array[int] = field(default_factory=lambda: array("q"))
    # for each node of the result the node of the source that it comes from
    origins: array[int] = field(default_factory=lambda: array("q"))
    # the notes, each with a node of the source and one of the result
    notes: list[tuple[Note, int, int]] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The number of the game that is played; 0 if it has none."""
        return self.source.game or 0

    @property
    def table(self) -> PropertyTable:
        """The properties that are known without a custom grammar, as the new game is read."""
        return without_own_types(self.source.nodes.rules.table)

    def add(self, parent: int, props: Sequence[NewProperty], origin: int) -> int:
        self.parents.append(parent)
        self.props.append(props)
        self.origins.append(origin)
        return len(self.props) - 1

    def note(self, note: Note, node: int, first: int) -> None:
        """Add a note on a node of the source; ``first`` is the first node that it became."""
        self.notes.append((note, node, first + note.result))

    def report(
        self,
        name: str,
        message: str,
        place: int | None = None,
        *,
        node: int = 0,
        result: int = 0,
        severity: Severity | None = None,
    ) -> None:
        """Add a note on a node of the source and one of the result; see :class:`Note`."""
        self.note(Note(name, message, place, severity=severity), node, result)

    def reject_board(self, message: str) -> None:
        root = self.source.nodes.contents[0]
        place = next((place for place, prop in enumerate(root) if prop.ident == "SZ"), None)
        self.report("board-refused", message, place)

    def severity(self, note: Note) -> Severity:
        """Return the severity of a note; with ``--lossy refuse`` a loss is an error."""
        severity = note.severity or note.rule.severity
        strict = self.options.lossy is Lossy.REFUSE
        return Severity.ERROR if strict and severity is Severity.WARNING else severity

    @property
    def is_rejected(self) -> bool:
        return any(self.severity(note) is Severity.ERROR for note, _, _ in self.notes)

    def game(self) -> GameTree:
        """Return the new game, read again from the texts of its properties."""
        contents = [[(prop.ident, prop.raw) for prop in props] for props in self.props]
        values = find_first_values(self.parents, contents, self.format)
        nodes = self.source.nodes
        book = RuleSets(self.table, name=name_of_file(nodes.rules, nodes.contents[0]))
        rules = book.declared(self.format, values)
        game = rules.game
        tape = Tape.written(self.parents, contents)
        nodes = Nodes(tape, rules)
        return GameTree(format=self.format, game=game.number, game_name=game.name, nodes=nodes)
