"""Conversion results while they are built: options, rules and notes, properties and nodes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sgf_lark.core import (
    Finding,
    Format,
    GameTree,
    Nodes,
    PropertyTable,
    Rule,
    RuleSets,
    Severity,
    Span,
    Tape,
    find_first_values,
    name_of_file,
    register,
    without_own_types,
)

from .lossy import Lossy
from .merge import SECOND_DROPPED

#: The rules by their names.
_OF_CONVERSIONS = {
    rule.name: rule
    for rule in (
        SECOND_DROPPED,
        register("C701 declared info: FF, GM and CA declare the new format"),
        register("C702 long-name info: lower case is removed from a name"),
        register("C703 nameless-property warning: a property with a forbidden name is removed"),
        register("C704 spaces-removed info: white space is removed from a value"),
        register("C705 merged-property info: two of the same property are merged"),
        register("C707 tesuji-and-bad info: TE with BM is IT or DO, and back"),
        register("C708 marks info: M is MA or TR, and back"),
        register("C709 letters info: L is LB, and back"),
        register("C710 old-view info: the corners of VW are a rectangle"),
        register("C711 pass-form info: a pass is written as the format writes it"),
        register("C712 node-split info: a node is split"),
        register("C713 misplaced-dropped warning: a property in the wrong node is removed"),
        register("C714 text-escaped info: a text is escaped as the format wants it"),
        register("C715 lines-joined warning: the lines of a text are joined"),
        register("C716 empty-dropped info: an empty value is removed"),
        register("C717 annotation-dropped warning: an annotation FF[4] forbids is removed"),
        register("C718 value-corrected info: a value gets the form of the format"),
        register("C719 value-kept warning: a value stays though its form is wrong"),
        register("C720 further-values warning: only the first of several values is kept"),
        register("C721 point-dropped warning: a point that is named twice is removed"),
        register("C722 time-unit warning: a time limit in minutes, or in seconds"),
        register("C723 doubled-komi info: KI, twice the komi, is KM"),
        register("C724 overtime-text info: OM and OP are copied to OT"),
        register("C725 rules-name info: the rules have another name"),
        register("C726 second-meaning warning: a name with another meaning is removed"),
        register("C727 kept-as-private info: a property the format lacks stays as it is"),
        register("C728 misplaced-moved warning: a root property is moved to the first node"),
        register("C730 fact-dropped warning: what the format cannot express is removed"),
        register("C731 list-written-out info: a rectangle is written as its points"),
        register("C732 label-cut warning: a label is cut to four characters"),
        register("C733 figure-plain warning: flags and title of a figure are removed"),
        register("C734 number-rounded warning: a real number is rounded"),
        register("C735 board-refused error: a board that the format does not have"),
        register("C736 list-refused error: more points than a conversion writes out"),
        register("C740 game-refused error: a game that the format does not have"),
        register("C741 setup-refused error: stones set up where the format has no place"),
        register("C742 text-refused error: a text that the format cannot hold"),
        register("C743 other-coordinates info: points are written as the format counts them"),
        register("C744 start-position info: BO is SZ, AB, AW and PL, and back"),
        register("C745 renamed info: the same thing has another name"),
        register("C746 result-view info: a score for one side is a winner, and back"),
        register("C747 date-form info: a date is written as the format writes it"),
        register("C748 into-comment info: a value without a property goes into GC"),
        register("C749 private-copy info: original values are kept in GF and TU"),
        register("C750 stale-copy warning: GF contradicts the record"),
        register("C751 variations-left-out warning: only the main line is kept"),
    )
}


class Note(NamedTuple):
    """One thing that a conversion changed, guessed or lost."""

    name: str
    message: str
    # the number of the property in the node of the source; None for the node
    place: int | None = None
    result: int = 0  # the node of the result, counted from the first that the old one became
    severity: Severity | None = None  # the severity; None for that of the rule
    help: str = ""  # the change to make by hand; empty if there is none

    @property
    def rule(self) -> Rule:
        return _OF_CONVERSIONS[self.name]

    def as_finding(self, message: str, span: Span, severity: Severity, **where: Any) -> Finding:
        return self.rule.found(message, span, self.help, severity, **where)


def declaration(old: Format, new: Format, declared: str) -> str:
    """Return the message on the format that the first node declares."""
    return f"{old.shown} is now {new.shown}; the first node declares {declared}"


@dataclass(slots=True)
class NewProperty:
    ident: str
    raw: tuple[str, ...]
    place: int | None = None  # its number in the node of the source, from 0; None if it is new

    def __str__(self) -> str:
        return self.ident + "".join(f"[{raw}]" for raw in self.raw)


class ConvertOptions(NamedTuple):
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
