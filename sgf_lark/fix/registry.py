"""From a finding to the edits that put it right: a function for each rule that has a way out.

A safe fix keeps every fact of the record; what it takes away says nothing, or says it twice.
Other fixes need a person's eye: something is guessed, moved to another node, or removed, and
then the message shows what.
"""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.check.findings import (
    make_fix,
    show_values,
)
from sgf_lark.diagnostics.diagnostic import Finding, Fix
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format

from .nodes import (
    contradiction,
    format_known,
    format_named,
    meant,
    merged,
    own_node,
    rivals,
    split,
    to_description,
    to_root,
)
from .place import Fixer, Place, Shared, property_removed, without
from .syntax import OF_TEXT, lowercase, missing_semicolon, rebuilt, swallowed, unclosed_tree
from .values import (
    all_in_coordinates,
    as_pass,
    go_style,
    komi_in_points,
    missing_pass,
    older,
    one_line,
    one_value_removed,
    real_date,
    remove_empty,
    repeated,
    respelled,
    spell_out_corners,
    too_many,
    version,
    without_nul,
)


def with_fixes(text: str, game: GameTree | None, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with their fixes; the help of a finding is the title of its fix.

    Args:
        text: The whole text.
        game: What they are about; None for text outside the games.
        findings: Some of them may have a fix already.
    """
    found: list[Finding] = []
    done: set[str] = set()
    shared = Shared(game)
    for one in findings:
        if one.name in done:
            found.append(one)
            continue
        if one.name in FOR_ALL:
            done.add(one.name)
        fix = one.fix or _offer(text, game, one, shared)
        if fix is None or (
            game is not None
            and one.name not in OF_TREES
            and not _is_free(Place(text, game, one, shared), fix)
        ):
            found.append(one._replace(fix=None))
        else:
            found.append(one._replace(fix=fix, help=fix.message))
    return found


def _offer(text: str, game: GameTree | None, finding: Finding, shared: Shared) -> Fix | None:
    """Return the fix for a finding; a fixer that fails offers none, and ends no reading."""
    try:
        if finding.name in OF_TEXT:
            return OF_TEXT[finding.name](text, finding)
        if game is not None and finding.gone:
            return _values_removed(Place(text, game, finding, shared))
        if game is not None and finding.name in FIXERS:
            return FIXERS[finding.name](Place(text, game, finding, shared))
    except Exception:
        if not GUARDED:
            raise
    return None


#: Tests set it to False, to see the fixers that fail.
GUARDED = True


def _is_free(place: Place, fix: Fix) -> bool:
    """Return whether no edit that adds or cuts properties or values is near stray text.

    What belongs to nothing could come to belong to another property.
    """
    text = place.text
    return (
        place.game.format is Format.GGF
        or all(
            text.startswith("]", one.offset)  # between two values
            or text[one.offset - 1 : one.offset] == "["  # within one
            or "[" not in text[one.offset : one.end_offset] + one.replacement
            or place.shared.is_whole(text, place.nodes, place.nodes.places.locate(one.offset)[0])
            for one in fix.edits
        )
    )


# ---- syntax, by the text alone ----


# ---- syntax, by the game ----


# ---- values ----


def _values_removed(place: Place) -> Fix:
    """Values of a property go, which a person should look at."""
    one, gone = place.content[place.at[1]], place.finding.gone
    return make_fix(
        f"remove {show_values(one, gone)}", *without(place, gone), safe=False, removes=True
    )


# ---- nodes ----


#: Fixes for which the game has to be known.
FIXERS: dict[str, Fixer] = {
    "swallowed-properties": swallowed,
    "missing-semicolon": missing_semicolon,
    "unclosed-tree": unclosed_tree,
    "lowercase-identifier": lowercase,
    "node-after-variation": rebuilt,
    "nul-character": without_nul,
    "missing-format": format_named,
    "unknown-format": format_known,
    "root-outside-root": to_root,
    "second-game-info": to_description,
    "setup-with-move": split,
    "duplicate-property": merged,
    "too-many-values": too_many,
    "two-moves": own_node,
    "missing-pass": missing_pass,
    "annotation-without-move": property_removed,
    "contradicting-annotations": contradiction,
    "setup-conflict": rivals,
    "markup-conflict": rivals,
    "territory-conflict": rivals,
    "wrong-value": respelled,
    "wrong-form": respelled,
    "unusual-form": respelled,
    "empty-value": remove_empty,
    "empty-text": remove_empty,
    "mixed-empty-value": remove_empty,
    "newer-form": older,
    "repeated-point": repeated,
    "repeated-line": repeated,
    "one-point-line": one_value_removed,
    "swapped-corners": spell_out_corners,
    "line-break-in-line": one_line,
    "application-without-version": version,
    "go-style-point": go_style,
    "no-such-date": real_date,
    "other-game": all_in_coordinates,
    "ko-capture": meant,
    "point-off-board": as_pass,
    "doubtful-komi": komi_in_points,
    "fox-habit": komi_in_points,
}

#: Fixes of trees, not of properties and values.
OF_TREES = {
    *OF_TEXT,
    "missing-semicolon",
    "swallowed-properties",
    "unclosed-tree",
    "node-after-variation",
}

#: Fixes that put right all findings of their kind in a game; the first one carries it.
FOR_ALL = {"node-after-variation"}
