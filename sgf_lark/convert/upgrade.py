"""From FF[1] and FF[3] to the formats after them: a small function for each rule.

A node is a :class:`Task`.  :data:`STEPS` change it one after the other, in the order of the
table, because some of them need the order in which properties stand.

Source: FF[4], the pages on converting and compatibility, from which most rules come; where
they leave something open, what SGFC does, the program of FF[4]'s author; or else a choice,
which the function says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format

from .making import Making, Options
from .steps import Task, duplicates, made_of, names
from .upgrade_markup import letters, marks, passes, tesuji_and_bad, view
from .upgrade_nodes import declared, exclusive_annotations, misplaced, points_once, private, split
from .upgrade_values import (
    corrections,
    doubled_komi,
    empty_values,
    handicap,
    labels,
    overtime,
    rules_name,
    self_test,
    several_values,
    spaces,
    texts,
    time_limit,
)


def upgraded(game: GameTree, format: Format, options: Options) -> Making:
    """A game of FF[1] or FF[3] as FF[4], or of FF[1] as FF[3]."""
    return made_of(game, format, options, STEPS[format], {"M"})


# ---- names ----


# ---- properties that stand together ----


# ---- marks, letters, view ----


# ---- moves ----


# ---- values ----


# ---- properties that changed their name or their meaning ----


# ---- what FF[4] wants of a node ----


#: The rules in the order in which they are applied.
STEPS: dict[Format, Sequence[Callable[[Task], None]]] = {
    Format.FF4: (
        names,
        spaces,
        duplicates,
        tesuji_and_bad,
        marks,
        letters,
        view,
        passes,
        time_limit,
        doubled_komi,
        several_values,
        empty_values,
        texts,
        labels,
        overtime,
        handicap,
        rules_name,
        self_test,
        corrections,
        points_once,
        exclusive_annotations,
        misplaced,
        private,
        declared,
        split,
    ),
    Format.FF3: (names, duplicates, marks, letters, private, declared),
}
