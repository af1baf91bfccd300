"""The links of a game's nodes, which know no property, and those of a draft."""

import random
from array import array

import pytest

from sgf_lark.core.model.tree import GONE, LinkList, Links


def grown(count: int, seed: int) -> "array[int]":
    """Return the parents of a random tree, in the order of a file."""
    dice = random.Random(seed)  # noqa: S311  # a fixed seed
    parents, way = array("q", [-1]), [0]
    for node in range(1, count):
        del way[dice.randint(max(1, len(way) - 2), len(way)) :]
        parents.append(way[-1])
        way.append(node)
    return parents


@pytest.mark.parametrize("seed", range(10))
def test_each_path_leads_to_its_node_asked_for_once_or_often(seed: int) -> None:
    parents = grown(60, seed)
    often = Links(parents)
    paths = [often.path(node) for node in range(len(parents))]

    assert [often.at(path) for path in paths] == [*range(len(parents))]
    assert [Links(parents).path(node) for node in range(len(parents))] == paths


@pytest.mark.parametrize("seed", range(10))
def test_marked_nodes_are_counted_on_the_way_to_each(seed: int) -> None:
    links = Links(grown(60, seed))
    marked = [node % 3 == 0 for node in range(60)]

    assert [*links.counts(marked)] == [
        sum(marked[above] for above in links.up(node)) for node in range(60)
    ]


@pytest.mark.parametrize("seed", range(10))
def test_lines_begin_at_the_root_and_where_a_node_is_no_first_child(seed: int) -> None:
    links = Links(grown(60, seed))
    first = {next(links.children(node), None) for node in range(60)}

    assert links.starts == [node for node in range(60) if node not in first]
    assert [node for node in range(60) if links.is_head(node)] == links.starts[1:]
    assert len(links.starts) == len([*links.leaves()])
    assert [*links.heads] == [
        next(above for above in links.up(node) if above in links.starts) for node in range(60)
    ]
    assert [*links.depths] == [len([*links.up(node)]) - 1 for node in range(60)]


@pytest.mark.parametrize("seed", range(20))
def test_changed_links_are_those_of_a_tree_made_anew(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  # a fixed seed
    changed = LinkList(grown(40, seed))
    below: dict[int, list[int]] = {node: [*changed.children(node)] for node in range(40)}
    for _ in range(40):
        node = dice.choice([*changed.walk(0)])
        above = changed.parents[node]
        match dice.randrange(6):
            case 0:
                new, at = changed.add(), dice.choice([None, 0, 1, 5])
                changed.link(new, node, at)
                below[node].insert(len(below[node]) if at is None else at, new)
                below[new] = []
            case 1 if node:
                changed.lift_children(node)
                place = below[above].index(node) + 1
                below[above][place:place] = below[node]
                below[node] = []
            case 2 if node and len(below[node]) < 2:
                changed.remove(node)
                below[above].remove(node)
                assert not changed.has(node)
                assert changed.parents[node] == GONE
            case 3 if node and below[above][0] != node:
                changed.promote(node)
                place = below[above].index(node)
                below[above][place - 1 : place + 1] = [node, below[above][place - 1]]
            case 4:
                changed.make_main_line(node)
                while above >= 0:
                    below[above].remove(node)
                    below[above].insert(0, node)
                    node, above = above, changed.parents[above]

        order = [*changed.walk(0)]
        again = Links(changed.parents_in(order))
        assert [[*changed.children(one)] for one in order] == [below[one] for one in order]
        assert [
            [order[child] for child in again.children(place)] for place in range(len(order))
        ] == [below[one] for one in order]
