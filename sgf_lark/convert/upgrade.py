"""Conversion from FF[1] and FF[3] to later formats: a small function for each step.

A node is a :class:`NodeTask`.  :data:`STEPS` change it one after the other, in the order of the
table, because some of them need the order of the properties.

Source: FF[4], the pages on converting and compatibility, from which most rules come; where
they leave something open, the behaviour of SGFC, the program of FF[4]'s author; or else a
choice, which the function names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format

from .builder import Options, ResultBuilder
from .steps import NodeTask, convert_nodes, merge_duplicates, shorten_names
from .upgrade_markup import (
    convert_letters,
    convert_marks,
    convert_passes,
    convert_view,
    merge_annotations,
)
from .upgrade_nodes import (
    declare_format,
    remove_contradictions,
    remove_misplaced,
    remove_repeated_points,
    report_private,
    split_node,
)
from .upgrade_values import (
    convert_time_limit,
    correct_values,
    describe_overtime,
    escape_labels,
    escape_texts,
    halve_komi,
    keep_one_value,
    remove_empty_values,
    remove_self_test,
    remove_spaces,
    rename_rules,
    report_handicap,
)


def upgrade_game(game: GameTree, format: Format, options: Options) -> ResultBuilder:
    """Convert a game of FF[1] or FF[3] to FF[4], or of FF[1] to FF[3]."""
    return convert_nodes(game, format, options, STEPS[format], {"M"})


#: The steps in their order.
STEPS: dict[Format, Sequence[Callable[[NodeTask], None]]] = {
    Format.FF4: (
        shorten_names,
        remove_spaces,
        merge_duplicates,
        merge_annotations,
        convert_marks,
        convert_letters,
        convert_view,
        convert_passes,
        convert_time_limit,
        halve_komi,
        keep_one_value,
        remove_empty_values,
        escape_texts,
        escape_labels,
        describe_overtime,
        report_handicap,
        rename_rules,
        remove_self_test,
        correct_values,
        remove_repeated_points,
        remove_contradictions,
        remove_misplaced,
        report_private,
        declare_format,
        split_node,
    ),
    Format.FF3: (
        shorten_names,
        merge_duplicates,
        convert_marks,
        convert_letters,
        report_private,
        declare_format,
    ),
}
