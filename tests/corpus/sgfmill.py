"""Real game records read as sgfmill reads them, or a clause of the standard says why not."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sgfmill.sgf_properties import Presenter
from support.corpus import long, true_of_records
from support.of_sgfmill import REFUSED_BY_SGFMILL, Shape, of_ours, of_sgfmill

from sgf_lark import Color, Composed, Format, Invalid, Point, PointList
from sgf_lark.core.schema.values import Application, Figure, Pass

if TYPE_CHECKING:
    from collections.abc import Callable

    from sgf_lark import Collection, GameTree, Node

#: Records that both read, each in its own way, and the clause that decides for ours.
OTHER_TREES = {
    # FF[4], EBNF: PropIdent is capital letters.  A converter drops the small ones, which
    # makes "b" no name at all, as sgfmill has it; we raise the name and report it.
    "ff4-other-games/twixtbot-ui__game2206555.tsgf": "lowercase-identifier",
    "ff4-other-games/twixtbot-ui__game2209801.tsgf": "lowercase-identifier",
    "ff4-other-games/twixtbot-ui__game2220939.tsgf": "lowercase-identifier",
    "ff4-other-games/twixtbot-ui__game2232217.tsgf": "lowercase-identifier",
    # FF[4], EBNF: Node = ";" { Property }.  sgfmill looks for "(;" and so leaves out a tree
    # that lacks its first ";"; we put it in and report it.
    "broken/littlego__encoding-detection-fails.sgf": "missing-semicolon",
    "broken/sgftool__test_missing_semi_colon.sgf": "missing-semicolon",
}

#: Values of FF[4] Go that the two read in different ways: file and identifier.
OTHER_VALUES = {
    # FF[4], point lists: a rectangle goes from the upper left to the lower right.  sgfmill
    # refuses one by the other two corners; we know which points are meant.
    ("broken/Trevoke-SGFParser__ff4_ex_saved.sgf", "DD"),
    # FF[4], Go: a point is two letters.  That it lies on the board is a matter of the game,
    # not of the type; sgfmill refuses it.
    ("broken/gogui__invalidmove.sgf", "B"),
    ("broken/sgftool__test_invalid_coordinate_out_of_bounds.sgf", "W"),
    ("encodings/maxiGos__mori-p13x13-fr.sgf", "B"),
    ("ff4-go/maxiGos__zz.sgf", "B"),
    # The guide to conversion: white space inside a move is removed.  sgfmill refuses it.
    ("broken/sgftool__test_unclosed_property.sgf", "W"),
    # FF[4]: one of each property in a node.  sgfmill has two values for AP and refuses both;
    # we keep the first.
    ("ff4-go/KataGo__foxlike.sgf", "AP"),
    ("ff4-go/SabakiHQ-sgf__fox_go_server.sgf", "AP"),
    ("ff4-go/SabakiHQ-sgf__fox_go_server_handicap.sgf", "AP"),
    ("ff4-go/SabakiHQ-sgf__fox_go_server_komi.sgf", "AP"),
    ("ff4-go/SabakiHQ-sgf__fox_go_server_nokomi.sgf", "AP"),
    ("ff4-go/SabakiHQ-sgf__fox_go_server_nokomi~2.sgf", "AP"),
    ("large/SabakiHQ-sgf__fox_go_server_japanese.sgf", "AP"),
    # FF[4], EBNF: Double = ("1" | "2") and None = "".  sgfmill takes any text for them.
    ("broken/analyze-sgf__t-encoding-cp949.sgf", "TE"),
    ("broken/analyze-sgf__t-encoding-cp949.sgf", "KO"),
    ("ff4-go/analyze-sgf__t-sabaki-2.sgf", "TE"),
    ("ff4-go/analyze-sgf__t-sabaki-2.sgf", "KO"),
    # FF[4], SZ: columns and rows, which are equal here, and then one number is to be
    # written.  sgfmill knows only that.
    ("ff4-go/maxiGos__pass-en.sgf", "SZ"),
}


def is_ggf(which: str) -> bool:
    """GGF looks like SGF to sgfmill, with a second node that is empty."""
    return which.endswith(".ggf")


def read_by_sgfmill(text: str) -> list[Shape] | None:
    """Return what sgfmill makes of our text of a record, whatever its encoding; None if refused."""
    try:
        return of_sgfmill(text)
    except ValueError:
        return None


@true_of_records(but=is_ggf, night=long)
def trees_identifiers_and_raw_values_are_those_of_sgfmill(
    which: str, collection: Collection
) -> None:
    theirs = read_by_sgfmill(collection.text)
    said = {one.name for one in collection.diagnostics}

    if theirs is None:
        assert REFUSED_BY_SGFMILL[which] in said
    elif which in OTHER_TREES:
        assert OTHER_TREES[which] in said
        assert of_ours(collection) != theirs
    else:
        assert which not in REFUSED_BY_SGFMILL
        assert of_ours(collection) == theirs


# ---- typed values ----


def side_of(game: GameTree) -> int:
    """Lines of a square board; 0 for a board that sgfmill cannot have."""
    size = game.size
    return size.columns if size is not None and size.columns == size.rows <= 26 else 0


def is_go_of_ff4(game: GameTree) -> bool:
    """What sgfmill is made for."""
    return game.format is Format.FF4 and game.game == 1 and side_of(game) > 0


#: Our types in words of sgfmill: rows from the bottom, floats, plain tuples.
TRANSLATIONS: dict[type, Callable[[Any, int], Any]] = {
    Decimal: lambda value, _: float(value),
    Color: lambda value, _: value.lower(),
    Pass: lambda *_: None,
    Point: lambda value, side: (side - 1 - value.row, value.column),
    PointList: lambda value, side: {translated(one, side) for one in value},
    Composed: lambda value, side: (translated(value.first, side), translated(value.second, side)),
    Application: lambda value, _: (value.name, value.version or ""),
    Figure: lambda value, _: (value.flags, value.name),
    tuple: lambda value, side: [translated(one, side) for one in value],
}


def translated(value: Any, side: int) -> Any:
    """One of our values as sgfmill has it."""
    translation = TRANSLATIONS.get(type(value))
    return value if translation is None else translation(value, side)


#: What is refused: by us with ``Invalid``, by sgfmill with an exception.
REFUSED = "refused"

#: Texts of a form that the standard prescribes, which sgfmill leaves texts.
FURTHER_READ = {"DT", "RE"}


def read_by_both(node: Node, presenter: Presenter, ident: str) -> tuple[Any, Any]:
    """One property of a node: our value in sgfmill's words, and sgfmill's."""
    ours = node[ident]
    values = ours if type(ours) is tuple else (ours,)
    if any(isinstance(one, Invalid) for one in values):
        ours = REFUSED
    try:
        raw = [one.encode("utf-8") for one in node.raw[ident]]
        theirs = presenter.interpret(ident, raw)
    except (ValueError, TypeError):  # the second one for FG[1]
        theirs = REFUSED
    return translated(ours, presenter.size), theirs


@true_of_records(but=is_ggf, night=long)
def typed_values_of_go_are_those_of_sgfmill(which: str, collection: Collection) -> None:
    differ = set()
    for game in filter(is_go_of_ff4, collection):
        presenter = Presenter(side_of(game), "UTF-8")
        known = presenter.property_types_by_ident.keys() - FURTHER_READ
        for node in game.walk():
            for ident in known.intersection(node):
                ours, theirs = read_by_both(node, presenter, ident)
                if ours != theirs:
                    differ.add((which, ident))

    assert differ == {one for one in OTHER_VALUES if one[0] == which}
