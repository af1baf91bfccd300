"""Read, check, fix, edit, convert and show game records: SGF FF[1], FF[3], FF[4] and GGF.

>>> import sgf_lark
>>> collection = sgf_lark.loads("(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp])")
>>> game = collection[0]
>>> game.root["KM"]
Decimal('6.5')
>>> print(game.nodes[1].move)
B Q16
>>> draft = game.edit()
>>> node = draft.play("Q3")
>>> sgf_lark.dumps(draft.done())
'(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp];B[pq])'

Read and write:
    load, loads, iter_games, dump, dumps; load_many reads many files.
Look:
    A Collection has games, a GameTree has nodes, a Node is a mapping from identifiers to
    values: Point, Result, PartialDate ...  Info and Player are the game info, typed.
Check and fix:
    check gives a Report of findings, each a Diagnostic; CheckOptions select them; RULES lists
    all of them; fix_record makes their fixes.
Edit:
    GameTree.edit gives a Draft; merge joins games; drop leaves out comments, markup, times,
    variations ...; format_record writes the canonical layout.
Boards and pictures:
    Board, Position, Diagram, GamePage, animate, draw_png.
Convert:
    convert, between format versions and to GGF.
Archives:
    archive.build makes tables of many files, archive.read opens them: Arrow, pandas, Polars, SQL.
Grammars and properties:
    parse_tree, typed_grammar, SgfTransformer, PropertyTable, PropertyRule.
Records of other formats:
    GIB, NGF, UGF and MAT are read by load as all others; foreign has what a further format needs.

All names are those of ``__init__.pyi``; ``sgf_lark/site/guides/names.md`` lists them with their
pages.  They are loaded when they are used, so that ``import sgf_lark`` costs nothing.
"""

from __future__ import annotations

import sys
from types import ModuleType

from ._version import __version__ as __version__
from .core.lazy import load_module, read_homes


def __getattr__(name: str) -> object:
    if name == "__all__":
        return __dir__()
    if name.startswith("_") or name not in read_homes(__name__):
        from .core.schema.other_libraries import answer

        words = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(answer(words, name, "sgf_lark"), name=name, obj=sys.modules[__name__])
    home = read_homes(__name__)[name]
    if home == ".":  # a package of this name
        return load_module(f".{name}", __name__)
    found = globals()[name] = getattr(load_module(home, __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted(read_homes(__name__))


class _Face(ModuleType):
    """``check`` and ``convert`` stay functions: packages of these names do not hide them."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in {"check", "convert"} and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
