"""Conversions between FF[1], FF[3] and FF[4], up and down: a small function for each step.

A node is a :class:`NodeTask`.  The steps of :data:`UP` or :data:`DOWN` change it one after the
other, in the order of the table, because some of them need the order of the properties.

Source: up: FF[4], the pages on converting and compatibility, from which most rules come; where
they leave something open, the behaviour of SGFC, the program of FF[4]'s author; or else a
choice, which the function names.  Down, for old programs, no standard describes: the steps
follow from FF[4]'s page on compatibility, or are choices.  Facts that the old format cannot
express are kept or left out, or such a game is rejected, as the user chooses; see
:class:`~sgf_lark.convert.lossy.Lossy`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sgf_lark.core import (
    COLORS,
    OLD_SIDE,
    Category,
    Composed,
    Count,
    Format,
    GameTree,
    Group,
    Point,
    Severity,
)

from . import markup_steps as markup, value_steps as values
from .builder import ConvertOptions, NewProperty, ResultBuilder, declaration
from .lossy import Lossy
from .steps import (
    ConversionContext,
    NodeStep,
    NodeTask,
    convert_nodes,
    property_step,
    quote,
)


def convert_version(game: GameTree, format: Format, options: ConvertOptions) -> ResultBuilder:
    """Convert a game of FF[1], FF[3] or FF[4] to another of them."""
    builder = ResultBuilder(game, format, options)
    context = ConversionContext(builder)
    size = context.size
    is_old = format is not Format.FF4
    if is_old and size is not None and (not size.is_square or max(size) > OLD_SIDE):
        board = f"{size.columns}x{size.rows}"
        message = f"{format.shown} allows square boards up to 19x19; this board is {board}"
        builder.reject_board(message)
    elif context.is_upgrade:
        convert_nodes(context, UP[format], {"M"})
    else:
        convert_nodes(context, DOWN, {*markup.OLD_MARKS} if format is Format.FF1 else set())
    return builder


# ---- names ----


@property_step()
def shorten_names(task: NodeTask, prop: NewProperty) -> None:
    """Remove the lower case of names, and properties with names that the new format forbids.

    Source: FF[4], converting, for names without a capital; for other names that the format
    forbids, a choice.
    """
    name, format_ = prop.ident, task.context.format.shown
    prop.ident = "".join(char for char in name if not char.islower())
    if not prop.ident:
        message = f"{name} has no capital letter, so it names no property; it is left out"
        task.drop(prop, "nameless-property", message)
    elif task.context.names.fullmatch(prop.ident) is not None:
        if prop.ident != name:
            task.report("long-name", f"{name} is now {prop.ident}", prop)
    elif prop.ident.isalpha() and task.context.options.lossy is Lossy.KEEP:
        message = f"the name {prop.ident} is too long for {format_}; it is kept"
        task.report("kept-as-private", message, prop, severity=Severity.WARNING)
    else:
        lost = quote(NewProperty(name, prop.raw))
        message = f"{format_} forbids the name {name}: {lost} is left out"
        task.drop(prop, "nameless-property", message)


def merge_duplicates(task: NodeTask) -> None:
    """Merge lists and long texts of a property that occurs twice; of others keep the first.

    Source: SGFC; private properties, whose types are unknown, count as lists (a choice:
    nothing of them is lost).
    """
    groups: dict[str, list[NewProperty]] = {}
    for prop in task.props:
        groups.setdefault(prop.ident, []).append(prop)
    for first, *others in groups.values():
        rule = task.context.rule(first.ident) or task.context.old.rule(first.ident)
        is_long = first.ident in values.LONG_TEXTS
        is_list = is_long or rule is None or rule.count is not Count.ONE
        raws = list(first.raw)
        for prop in others:
            if prop.raw == first.raw:
                task.report("merged-property", f"repeated {quote(prop)} is left out", prop)
            elif is_list:
                raws += prop.raw
                message = f"{prop.ident} occurs twice; its values are merged"
                task.report("merged-property", message, prop)
            else:
                message = f"{first.ident} occurs twice; {quote(prop)} is left out"
                task.report("second-dropped", message, prop)
        if is_long and raws != list(first.raw):
            first.raw = ("\n\n".join(filter(None, raws)),)
        elif others and is_list:
            first.raw = tuple(dict.fromkeys(raws))
    task.props = [first for first, *_ in groups.values()]


@property_step()
def move_to_root(task: NodeTask, prop: NewProperty) -> None:
    """Move root properties of later nodes to the first node, if that lacks them.

    Source: FF[4], property types; as the fix of the same fault does.
    """
    if not task.is_root and task.context.moved.get(prop.ident) == prop.raw:
        message = f"{quote(prop)} is moved to the first node, where it belongs"
        task.drop(prop, "misplaced-moved", message)


@property_step()
def remove_other_meanings(task: NodeTask, prop: NewProperty) -> None:
    """Remove private properties whose names have another meaning in the format.

    A choice: kept, they would be misread.
    """
    context = task.context
    if context.old.rule(prop.ident) is None and task.is_wrong(prop):
        name = context.format.shown
        message = f"{quote(prop)} is left out: {prop.ident} has another meaning in {name}"
        task.drop(prop, "second-meaning", message)


# ---- properties that a format lacks, or allows only elsewhere or alone ----


@property_step()
def report_private(task: NodeTask, prop: NewProperty) -> None:
    """Keep properties that the new format lacks, and report them.

    Source: FF[4], converting: it is treated as unknown, and preserved.
    """
    context = task.context
    if context.rule(prop.ident) is None and context.old.rule(prop.ident) is not None:
        message = f"{prop.ident} is not in {context.format.shown}; it is kept as a private property"
        task.report("kept-as-private", message, prop)


@property_step()
def keep_or_drop(task: NodeTask, prop: NewProperty) -> None:
    """Keep facts that the format cannot express as private properties, or leave them out.

    Source: FF[4], compatibility; FF[3], on private properties, which readers have to skip.
    """
    context = task.context
    rule, name = context.rule(prop.ident), context.format.shown
    is_view = prop.ident == "VW"
    is_known = _is_old_view(task, prop) if is_view else rule is not None
    if rule is not None and rule.category is Category.ROOT and not task.is_root:
        message = f"{quote(prop)} is left out: {name} allows it in the first node only"
        task.drop(prop, "fact-dropped", message)
    elif is_known or context.old.rule(prop.ident) is None:
        return
    elif is_view or context.options.lossy is not Lossy.KEEP:
        message = f"{name} has no {prop.ident}: {quote(prop)} is left out"
        task.drop(prop, "fact-dropped", message)
    else:
        message = f"{name} has no {prop.ident}; it is kept as a private property"
        task.report("kept-as-private", message, prop, severity=Severity.WARNING)


def _is_old_view(task: NodeTask, prop: NewProperty) -> bool:
    """Return whether VW is empty or names two corners, as in FF[1]."""
    is_old = task.context.old.format is Format.FF3
    if task.context.options.lossy is not Lossy.KEEP:
        return is_old and task.is_root
    return prop.raw == ("",) or is_old or any(note.name == "old-view" for note in task.notes)


#: Lists that together may name a point only once in a node.
POINTS_ONCE = (Group.MARKS.idents, Group.STONES.idents, Group.TERRITORY.idents, {"LB"})


#: Groups of properties of which a node may have one.
ONE_OF = (Group.POSITION_ANNOTATION.idents, Group.MOVE_ANNOTATION.idents)


def remove_repeated_points(task: NodeTask) -> None:
    """Keep one mark, one label and one stone of a point.

    Source: FF[4], markup, setup, LB, TB and TW; the first one stays (SGFC).
    """
    if task.context.game.several_on_a_point:
        return
    for group in POINTS_ONCE:
        seen: set[object] = set()
        for prop in task.props:
            if prop.ident not in group or prop.raw == ("",):
                continue
            kept = []
            values = task.context.new.property(prop.ident, prop.raw).values
            for raw, value in zip(prop.raw, values, strict=True):
                point = value.first if isinstance(value, Composed) else value
                if isinstance(point, Point) and point in seen:
                    message = f"{prop.ident}[{raw}] is left out: the point is already taken"
                    task.report("point-dropped", message, prop)
                else:
                    seen.add(point)
                    kept.append(raw)
            prop.raw = tuple(kept)
    task.props = [prop for prop in task.props if prop.raw]


@property_step(*Group.NEEDS_MOVE.idents)
def remove_annotations_without_move(task: NodeTask, prop: NewProperty) -> None:
    """Remove annotations that need a move; any other text in them, as of Cyber Oro, is kept.

    Source: FF[4], TE, BM, DO, IT; KO.
    """
    if task.find(*COLORS) is None and not task.is_wrong(prop):
        message = f"{quote(prop)} is left out: this node has no move"
        task.drop(prop, "annotation-dropped", message)


@property_step(*ONE_OF[0], *ONE_OF[1])
def remove_contradictions(task: NodeTask, prop: NewProperty) -> None:
    """Remove annotations that contradict an earlier one; any other text in them is kept.

    Source: FF[4], DM, UC, GB, GW; TE, BM, DO, IT.
    """
    group = next(group for group in ONE_OF if prop.ident in group)
    valid = (one for one in task.props if one.ident in group and not task.is_wrong(one))
    first = next(valid, prop)
    if first is not prop and not task.is_wrong(prop):
        message = f"{quote(prop)} is left out: the node has {quote(first)}"
        task.drop(prop, "annotation-dropped", message)


@property_step()
def remove_misplaced(task: NodeTask, prop: NewProperty) -> None:
    """Remove root properties outside the first node, and repeated game info.

    Source: SGFC; FF[4] forbids both.
    """
    category = None if task.is_root else task.category(prop)
    if category is Category.ROOT:
        message = f"{quote(prop)} is left out: it belongs in the first node"
        task.drop(prop, "misplaced-dropped", message)
    elif category is Category.GAME_INFO and task.info_above:
        message = f"{quote(prop)} is left out: an earlier node has the game info"
        task.drop(prop, "misplaced-dropped", message)


def declare_format(task: NodeTask) -> None:
    """Declare the format in the first node: FF, and up to a later format GM and CA.

    Source: FF[4], FF and GM, whose default is Go; that CA is always UTF-8 is a choice.  A game
    that another property names, and that has no number, stays without GM.
    """
    if not task.is_root:
        return
    context, declared = task.context, task.find("FF")
    format_, number = context.format, context.game.number
    wanted = {"FF": format_.digit}
    if context.is_upgrade and (number is not None or task.find("GM") is not None):
        wanted["GM"] = str(number)
    if format_ is Format.FF4:
        wanted["CA"] = "UTF-8"
    place = 0 if declared is None or context.is_upgrade else task.props.index(declared)
    new: list[NewProperty] = []
    changed: list[str] = []
    for ident, value in wanted.items():
        prop = task.find(ident)
        if prop is not None:
            task.props.remove(prop)
        if prop is None or (ident != "GM" and prop.raw != (value,)):
            values.report_further(task, prop or NewProperty(ident, (value,)))
            prop = NewProperty(ident, (value,), prop.place if prop else None)
            changed.append(str(prop))
        new.append(prop)
    task.props[place:place] = new
    message = declaration(context.old.format, format_, "".join(changed) or str(new[0]))
    task.report("declared", message, next((prop for prop in new if prop.place is not None), None))


def split_node(task: NodeTask) -> None:
    """Give setup, move and a second move their own nodes.

    The first node has setup, root, game-info and N, that of the game also what the format lacks;
    the next the first move and the rest; another the second move.

    Source: FF[4], converting; SGFC for two moves.
    """
    played = [prop for prop in task.props if prop.ident in COLORS]
    setup = [prop for prop in task.props if task.category(prop) is Category.SETUP]
    moves = [prop for prop in task.props if task.category(prop) is Category.MOVE]
    second = played[1:]
    rest = [prop for prop in task.props if prop not in second]
    parts = [rest]
    if setup and moves:
        only = setup[0] if len(setup) == 1 else None
        if only is not None and played and only.ident == "PL" and only.raw == (played[0].ident,):
            message = f"{quote(only)} is left out: the move of this node implies it"
            task.report("node-split", message, only)
            parts = [[prop for prop in rest if prop is not only]]
        else:
            stays: set[Category | None] = {Category.SETUP, Category.ROOT, Category.GAME_INFO}
            if task.is_root:
                stays |= {None}
            before = [prop for prop in rest if task.category(prop) in stays or prop.ident == "N"]
            parts = [before, [prop for prop in rest if prop not in before]]
            message = "setup and move are split into two nodes"
            task.report("node-split", message, moves[0], result=1)
    if second:
        message = "the second move is moved into its own node"
        task.report("node-split", message, second[0], result=len(parts))
        parts.append(second)
    task.nodes = parts


#: The steps to a later format in their order.
UP: dict[Format, Sequence[NodeStep]] = {
    Format.FF4: (
        shorten_names,
        move_to_root,
        values.remove_spaces,
        merge_duplicates,
        markup.merge_annotations,
        markup.split_marks,
        markup.write_labels,
        markup.merge_corners,
        markup.convert_passes,
        values.convert_time_limit,
        values.write_one_side,
        values.halve_komi,
        values.keep_one_value,
        values.remove_empty_values,
        values.escape_texts,
        values.escape_labels,
        values.describe_overtime,
        values.report_handicap,
        values.rename_rules,
        values.remove_self_test,
        values.correct_values,
        remove_repeated_points,
        remove_annotations_without_move,
        remove_contradictions,
        remove_misplaced,
        report_private,
        declare_format,
        split_node,
    ),
    Format.FF3: (
        shorten_names,
        move_to_root,
        merge_duplicates,
        values.write_one_side,
        markup.split_marks,
        markup.write_labels,
        report_private,
        declare_format,
    ),
}

#: The steps to an earlier format in their order.
DOWN: Sequence[NodeStep] = (
    shorten_names,
    move_to_root,
    merge_duplicates,
    remove_other_meanings,
    values.write_one_side,
    markup.split_corners,
    markup.merge_marks,
    markup.write_letters,
    markup.split_annotations,
    markup.expand_rectangles,
    markup.remove_empty_lists,
    markup.convert_passes,
    values.escape_texts,
    values.cut_labels,
    markup.simplify_figures,
    values.round_numbers,
    values.convert_time_limit,
    keep_or_drop,
    values.correct_values,
    declare_format,
)
