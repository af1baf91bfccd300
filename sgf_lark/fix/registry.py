"""Registry of fixes: from a finding to its edits, a function for each fixable rule.

A safe fix keeps every fact of the record; it removes only empty or repeated text.  Other
fixes need a person's decision: they guess, move something to another node, or remove it, and
then the message shows it.
"""

from __future__ import annotations

import re

from sgf_lark.check.findings import (
    make_fix,
    show_values,
)
from sgf_lark.diagnostics.diagnostic import Fix
from sgf_lark.diagnostics.finding import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.text.detection import KEPT

from .nodes import (
    add_format,
    add_ko,
    merge_annotations,
    merge_repeated,
    move_to_game_info,
    move_to_root,
    remove_taken_points,
    replace_format,
    split_moves,
    split_node,
)
from .place import Fixer, Place, SharedState, cut_values, remove_property
from .syntax import (
    OF_TEXT,
    capitalize_names,
    close_trees,
    close_value,
    escape_or_remove_bracket,
    insert_semicolon,
    rebuild_game,
)
from .values import (
    add_version,
    convert_coordinates,
    convert_go_point,
    convert_komi,
    correct_date,
    insert_pass,
    join_lines,
    keep_one_value,
    remove_empty,
    remove_nul,
    remove_repeated,
    remove_value,
    respell_value,
    spell_out_corners,
    write_older_form,
    write_pass,
)


def add_fix(finding: Finding, shared: SharedState) -> Finding:
    """Return a finding with its fix; the title of the fix is its help."""
    text, game = shared.text, shared.game
    if finding.name in FOR_ALL and not shared.is_first(finding):
        return finding
    fix = finding.fix or _offer(text, game, finding, shared)
    if (
        fix is None
        or _is_after_damage(text, fix)
        or (
            game is not None
            and finding.name not in OF_TREES
            and not _is_free(Place(text, game, finding, shared), fix)
        )
    ):
        return finding._replace(fix=None)
    return finding._replace(fix=fix, help=fix.message)


def _offer(text: str, game: GameTree | None, finding: Finding, shared: SharedState) -> Fix | None:
    """Return the fix for a finding; None if there is none, or if the fixer fails."""
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


def _is_after_damage(text: str, fix: Fix) -> bool:
    """Return whether an edit follows a byte that is no character, which may swallow it."""
    return any(KEPT.fullmatch(text[edit.offset - 1 : edit.offset]) for edit in fix.edits)


def _is_free(place: Place, fix: Fix) -> bool:
    """Return whether no edit that adds or cuts nodes, properties or values is near stray text.

    Stray text could otherwise become part of another property, or a part of it a property.
    """
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
    """Remove values of a property; unsafe."""
    prop, gone = place.content[place.at[1]], place.finding.gone
    return make_fix(
        f"remove {show_values(prop, gone)}", *cut_values(place, gone), safe=False, removes=True
    )


#: Fixers that need the game, by the names of findings.
FIXERS: dict[str, Fixer] = {
    "swallowed-properties": close_value,
    "stray-text": escape_or_remove_bracket,
    "missing-semicolon": insert_semicolon,
    "unclosed-tree": close_trees,
    "lowercase-identifier": capitalize_names,
    "node-after-variation": rebuild_game,
    "nul-character": remove_nul,
    "missing-format": add_format,
    "unknown-format": replace_format,
    "root-outside-root": move_to_root,
    "second-game-info": move_to_game_info,
    "setup-with-move": split_node,
    "duplicate-property": merge_repeated,
    "too-many-values": keep_one_value,
    "two-moves": split_moves,
    "missing-pass": insert_pass,
    "annotation-without-move": remove_property,
    "contradicting-annotations": merge_annotations,
    "setup-conflict": remove_taken_points,
    "markup-conflict": remove_taken_points,
    "territory-conflict": remove_taken_points,
    "wrong-value": respell_value,
    "wrong-form": respell_value,
    "unusual-form": respell_value,
    "empty-value": remove_empty,
    "empty-text": remove_empty,
    "mixed-empty-value": remove_empty,
    "newer-form": write_older_form,
    "repeated-point": remove_repeated,
    "repeated-line": remove_repeated,
    "one-point-line": remove_value,
    "swapped-corners": spell_out_corners,
    "line-break-in-line": join_lines,
    "application-without-version": add_version,
    "go-style-point": convert_go_point,
    "no-such-date": correct_date,
    "other-game": convert_coordinates,
    "ko-capture": add_ko,
    "point-off-board": write_pass,
    "doubtful-komi": convert_komi,
    "fox-habit": convert_komi,
}

#: Findings about trees, not about properties and values.
OF_TREES = {
    *OF_TEXT,
    "missing-semicolon",
    "swallowed-properties",
    "unclosed-tree",
    "node-after-variation",
}

#: Findings whose fix corrects all of their kind in a game; the first one has it.
FOR_ALL = {"node-after-variation"}
