"""From a finding to the edits that put it right: a function for each rule that has a way out.

A safe fix keeps every fact of the record; what it takes away says nothing, or says it twice.
Other fixes need a person's eye: something is guessed, moved to another node, or removed, and
then the message shows what.
"""

from __future__ import annotations

from collections.abc import Iterable

from sgf_lark.check.findings import (
    _fix,
    _shown,
)
from sgf_lark.diagnostics.diagnostic import Finding, Fix
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format

from .nodes import (
    _contradiction,
    _format_known,
    _format_named,
    _meant,
    _merged,
    _own_node,
    _rivals,
    _split,
    _to_description,
    _to_root,
)
from .place import Fixer, Place, Shared, _property_removed, _without
from .syntax import OF_TEXT, _lowercase, _missing_semicolon, _rebuilt, _swallowed, _unclosed_tree
from .values import (
    _all_in_coordinates,
    _as_pass,
    _corners,
    _empty,
    _go_style,
    _komi_in_points,
    _missing_pass,
    _older,
    _one_line,
    _one_value_removed,
    _real_date,
    _repeated,
    _respelled,
    _too_many,
    _version,
    _without_nul,
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
    return _fix(f"remove {_shown(one, gone)}", *_without(place, gone), safe=False, removes=True)


# ---- nodes ----


#: Fixes for which the game has to be known.
FIXERS: dict[str, Fixer] = {
    "swallowed-properties": _swallowed,
    "missing-semicolon": _missing_semicolon,
    "unclosed-tree": _unclosed_tree,
    "lowercase-identifier": _lowercase,
    "node-after-variation": _rebuilt,
    "nul-character": _without_nul,
    "missing-format": _format_named,
    "unknown-format": _format_known,
    "root-outside-root": _to_root,
    "second-game-info": _to_description,
    "setup-with-move": _split,
    "duplicate-property": _merged,
    "too-many-values": _too_many,
    "two-moves": _own_node,
    "missing-pass": _missing_pass,
    "annotation-without-move": _property_removed,
    "contradicting-annotations": _contradiction,
    "setup-conflict": _rivals,
    "markup-conflict": _rivals,
    "territory-conflict": _rivals,
    "wrong-value": _respelled,
    "wrong-form": _respelled,
    "unusual-form": _respelled,
    "empty-value": _empty,
    "empty-text": _empty,
    "mixed-empty-value": _empty,
    "newer-form": _older,
    "repeated-point": _repeated,
    "repeated-line": _repeated,
    "one-point-line": _one_value_removed,
    "swapped-corners": _corners,
    "line-break-in-line": _one_line,
    "application-without-version": _version,
    "go-style-point": _go_style,
    "no-such-date": _real_date,
    "other-game": _all_in_coordinates,
    "ko-capture": _meant,
    "point-off-board": _as_pass,
    "doubtful-komi": _komi_in_points,
    "fox-habit": _komi_in_points,
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
