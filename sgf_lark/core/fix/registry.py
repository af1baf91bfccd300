"""Registry of fixes: from a finding to its edits, a function for each fixable rule.

A fix is safe if nobody who knows the game could have meant something else, and no character that
a person wrote goes, but for a value that is written in another form, is empty, or is there twice.
The entry of its rule in the catalogue says why, as ``safe``.  Other fixes need a person's
decision: they guess, move something to another node, or remove it, and then the message shows it.
"""

from __future__ import annotations

import re

from sgf_lark.core.findings.diagnostic import Fix, make_fix
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.readings import show_values
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.text.detection import KEPT

from . import nodes, syntax, values
from .place import FIXERS, FOR_ALL, OF_TEXT, OF_TREES, Place, SharedState, cut_values

#: Modules that register fixers.
MODULES = (nodes, syntax, values)


def add_fix(finding: Finding, shared: SharedState) -> Finding:
    """Return a finding with its fix; the title of the fix is its help."""
    text, game = shared.text, shared.game
    if finding.name in FOR_ALL and not shared.is_first(finding):
        return finding
    fix = finding.fix or _offer(text, game, finding, shared)
    if (
        fix is None
        # after a byte that is no character, which may swallow it
        or any(KEPT.fullmatch(text[edit.offset - 1 : edit.offset]) for edit in fix.edits)
        or (
            game is not None
            and finding.name not in OF_TREES
            and not _is_free(Place(text, game, finding, shared), fix)
        )
    ):
        return finding._replace(fix=None)
    return finding._replace(fix=fix, help=fix.message)


def _offer(text: str, game: GameTree | None, finding: Finding, shared: SharedState) -> Fix | None:
    try:
        if finding.name in OF_TEXT:
            return OF_TEXT[finding.name](text, finding)
        if game is not None and finding.gone:
            return _remove_gone(Place(text, game, finding, shared))
        if game is not None and finding.name in FIXERS:
            return FIXERS[finding.name](Place(text, game, finding, shared))
    except Exception:
        if not GUARDED:
            raise
    return None


#: Whether a fixer that fails is ignored; tests set it to False.
GUARDED = True


def _is_free(place: Place, fix: Fix) -> bool:
    """Return whether no edit of a node, property or value is near stray text, as it may join."""
    text = place.text
    return (
        place.game.format is Format.GGF
        or all(
            (
                text.startswith("]", edit.offset)
                and not edit.replacement[:1].isalpha()  # that would be a name, before a stray one
                and _BETWEEN.fullmatch(text, edit.offset, edit.end_offset)
            )
            or text[edit.offset - 1 : edit.offset] == "["  # within a value
            or not {"[", ";"} & {*text[edit.offset : edit.end_offset], *edit.replacement}
            or place.shared.is_whole(text, place.nodes, place.nodes.places.locate(edit.offset)[0])
            for edit in fix.edits
        )
    )


#: Nothing, or the brackets between two values.
_BETWEEN = re.compile(r"(?:\]\s*\[)?")


def _remove_gone(place: Place) -> Fix:
    prop, gone = place.content[place.at[1]], place.finding.gone
    return make_fix(
        f"remove {show_values(prop, gone)}", *cut_values(place, gone), safe=False, removes=True
    )
