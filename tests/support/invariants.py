"""What holds for every text, whatever it says."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

import sgf_lark
from sgf_lark import Collection, Color, Diagnostic, Format, Node, PlayedMove, SgfError
from sgf_lark.core.places import LineIndex, Span
from sgf_lark.core.write.read_back import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def check_everything(source: str | bytes, format_: Format | None = None) -> None:
    """Read a text strictly and not strictly, and look at all that comes out."""
    collection = sgf_lark.loads(source, strict=False, format=format_)
    check_findings(collection)
    check_other_ways(collection, source, format_)
    check_places(collection)
    check_moves(collection)
    check_data(collection)
    check_unjudged(collection, sgf_lark.loads(source, strict=False, validate=False, format=format_))
    check_info_only(
        collection, sgf_lark.loads(source, strict=False, info_only=True, format=format_)
    )
    errors = [one for one in collection.diagnostics if one.severity == "error"]
    if not errors:
        assert collection.games
        assert sgf_lark.loads(source, format=format_) == collection
        return
    with pytest.raises(SgfError) as caught:
        sgf_lark.loads(source, format=format_)
    assert caught.value.first == errors[0]
    assert str(caught.value)


def check_other_ways(collection: Collection, source: str | bytes, format_: Format | None) -> None:
    """The other engine, and who takes one game after the other, read and find the same."""
    by_lark = sgf_lark.loads(source, strict=False, format=format_, engine="lark")
    assert by_lark == collection
    assert by_lark.diagnostics == collection.diagnostics
    file = io.StringIO(source) if isinstance(source, str) else io.BytesIO(source)
    games = sgf_lark.iter_games(file, strict=False, format=format_)
    one_by_one = [*games]
    found = [one for game in one_by_one for one in game.diagnostics or ()]
    assert one_by_one == [*collection]
    assert sorted(map(said, [*found, *games.diagnostics])) == sorted(
        map(said, collection.diagnostics)
    )


def said(one: Diagnostic) -> tuple[int, int, str, str]:
    return one.offset, one.end_offset, one.code, one.message


def check_findings(collection: Collection) -> None:
    """Each finding has a place in the text, and a node if it has a path."""
    lines = LineIndex(collection.text)
    assert list(collection.diagnostics) == sorted(collection.diagnostics, key=place)
    for one in collection.diagnostics:
        assert 0 <= one.offset <= one.end_offset <= len(collection.text)
        assert (one.line, one.column) == lines.locate(one.offset)
        assert (one.end_line, one.end_column) == lines.locate(one.end_offset)
        if one.node_path is not None:
            assert one.game is not None
            node = collection[one.game].at(one.node_path)
            is_missing = one.name == "other-game"  # it may be told that GM is not there
            assert one.property is None or one.property in node or is_missing


def place(one: Diagnostic) -> tuple[int, int]:
    return one.offset, one.end_offset


def check_places(collection: Collection) -> None:
    """What is read stands in the text where it says, in the order in which it is read."""
    text, done = collection.text, 0
    told = [(one.offset, one.end_offset) for one in collection.diagnostics]
    for game in collection:
        for node in game.walk():
            assert game.at(node.path) == node
            assert node.span is not None
            assert node.span.start >= done
            done = node.span.start
            for one in node.properties:
                assert one.span is not None
                assert one.span.start >= done
                done = one.span.end
                shown = text[slice(*one.span)]
                faults = [(start - one.span.start, end - one.span.start) for start, end in told]
                check_written(shown, one.name, one.raw, faults, cut=done == len(text))
            assert node.span.end >= done


def check_written(
    shown: str, name: str, raw: tuple[str, ...], faults: list[tuple[int, int]], *, cut: bool
) -> None:
    """A property is its name and its values in brackets, white space between, nothing else.

    What else stands between was left out of it, and each character of that is in a finding.
    """
    assert shown.startswith(name)
    at = len(name)
    for value in raw:
        while not shown.startswith("[" + value, at):
            assert shown[at] in " \t\r\n\v\f" or any(start <= at < end for start, end in faults)
            at += 1
        at += 1 + len(value)
        assert shown.startswith("]", at) or (cut and at == len(shown))
        at += 1
    assert at >= len(shown)


def check_moves(collection: Collection) -> None:
    """The moves of a line and those of all nodes are what each node gives by itself."""
    for game in collection:
        assert game.moves == moves_of(game.main_line())
        last = game.nodes[-1]
        assert game.moves_to(last) == moves_of(reversed([*up(last)]))
        arrays, moves = game.move_arrays(), {move.node: move for move in moves_of(game.walk())}
        assert arrays.parent == game.nodes.parents
        for node, entry in enumerate(zip(arrays.color, arrays.column, arrays.row, strict=True)):
            move = moves.get(node)
            color = 0 if move is None else 1 + (move.color == Color.WHITE)
            assert entry == (color, *((move and move.point) or (-1, -1)))


def moves_of(nodes: Iterable[Node]) -> tuple[PlayedMove, ...]:
    """The moves of some nodes, read node by node."""
    return tuple(
        PlayedMove(node.move.color, node.move.point, node.index, node.move.value)
        for node in nodes
        if node.move
    )


def up(node: Node | None) -> Iterator[Node]:
    """A node, its parent, and so on."""
    while node is not None:
        yield node
        node = node.parent


def check_unjudged(judged: Collection, unjudged: Collection) -> None:
    """What is read without being judged is the same, in the same places, but for its findings.

    A judging reader has these few findings, too.
    """
    assert unjudged.games == judged.games
    assert unjudged.encoding == judged.encoding
    assert {*unjudged.diagnostics} <= {*judged.diagnostics}
    assert spans(unjudged) == spans(judged)
    assert sgf_lark.dumps(unjudged) == sgf_lark.dumps(judged)


def check_info_only(complete: Collection, info: Collection) -> None:
    """What is read for its info has the info, and the first nodes, of each game."""
    assert len(info) == len(complete)
    assert sgf_lark.dumps(info) == sgf_lark.dumps(complete)
    for game, other in zip(complete, info, strict=True):
        assert (other.format, other.game, other.game_name) == (
            game.format,
            game.game,
            game.game_name,
        )
        assert (other.info, other.size, other.root) == (game.info, game.size, game.root)
        first = range(len(other))
        assert [*other.main_line()] == [*other.nodes]
        assert [other.nodes[node].properties for node in first] == [
            game.nodes[node].properties for node in first
        ]
        assert [other.nodes[node].span for node in first] == [
            game.nodes[node].span for node in first
        ]
        if other.nodes.is_complete:
            assert other.moves == game.moves


def spans(collection: Collection) -> list[Span | None]:
    """Where all nodes and properties stand."""
    found: list[Span | None] = []
    for game in collection:
        for node in game.walk():
            found += [node.span, *(one.span for one in node.properties)]
    return found


def check_data(collection: Collection) -> None:
    """JSON and back; every value can be had."""
    check_json(collection)
    for game in collection:
        assert game.info is not None
        assert game.size is None or min(game.size) > 0
        for node in game.walk():
            assert node.raw.keys() == {ident for ident in node if node[ident] is not None}
            assert node.move is None or node.move.raw is not None


def check_json(collection: Collection) -> None:
    """JSON and back.

    What is damaged may hold what no text can say again, which is a value that ends in half of
    an escape; then its JSON is not written.
    """
    try:
        data = collection.model_dump_json()
    except UnwritableError:
        assert any(one.name == "unclosed-value" for one in collection.diagnostics)
    else:
        assert Collection.model_validate_json(data) == collection
