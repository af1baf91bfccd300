"""Pictures as other programs draw them: the color at every point is what the diagram says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from support.corpus import loaded, names, record
from support.diagrams import DIAGRAMS, GO, MARKED, B, W, of_letters, on_lines
from support.lanes import amount, every_other, one_in
from support.pixels import RENDERERS, Pixels, wrong_points

from sgf_lark.core.schema.values import Point
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import (
    Label,
    Line,
    Mark,
    MarkKind,
    Number,
    Stone,
    TerritoryPoint,
    Theme,
)
from sgf_lark.pictures.shapes.grounds import THEMES
from sgf_lark.pictures.svg import draw_png, draw_svg


@pytest.mark.parametrize("renderer", every_other(RENDERERS))
@pytest.mark.parametrize("theme", one_in(6, THEMES))
@pytest.mark.parametrize("name", one_in(4, sorted(set(DIAGRAMS) - {"marked"})))
def test_every_point_has_the_color_of_its_piece(name: str, theme: Theme, renderer: str) -> None:
    assert wrong_points(DIAGRAMS[name], theme, renderer) == []


#: A part of a diagram each, which is seen at a place, in cells.
PARTS: dict[str, tuple[dict[str, object], tuple[float, float]]] = {
    "a number on black": ({"numbers": (Number(Point(2, 2), 8),)}, (2, 2)),
    "a number on white": ({"numbers": (Number(Point(6, 2), 188),)}, (6, 2)),
    "the last move": ({"last": of_letters("cc")}, (2.23, 2)),
    "a label": ({"labels": (Label(Point(4, 4), "x"),)}, (4, 4)),
    "a variation": ({"variations": (Label(Point(4, 4), "B"),)}, (3.7, 4.2)),
    "a circle": ({"marks": (Mark(Point(2, 2), MarkKind.CIRCLE),)}, (2.24, 2)),
    "a cross": ({"marks": (Mark(Point(2, 2), MarkKind.CROSS),)}, (2.15, 2.15)),
    "a selected point": ({"marks": (Mark(Point(6, 2), MarkKind.SELECTED),)}, (6.1, 2.1)),
    "a square": ({"marks": (Mark(Point(2, 2), MarkKind.SQUARE),)}, (2.21, 2)),
    "a triangle": ({"marks": (Mark(Point(2, 2), MarkKind.TRIANGLE),)}, (2, 1.71)),
    "a finding": ({"marks": (Mark(Point(6, 2), MarkKind.FINDING),)}, (6.5, 2)),
    "territory": ({"territory": (TerritoryPoint(Point(4, 4), B),)}, (4.1, 4.1)),
    "a dead stone": ({"territory": (TerritoryPoint(Point(2, 2), W),)}, (2.1, 2.1)),
    "a line": ({"lines": (Line(Point(3, 3), Point(5, 4)),)}, (4, 3.5)),
    "an arrow": ({"arrows": (Line(Point(3, 3), Point(5, 4)),)}, (4, 3.5)),
    "a dimmed point": ({"dim": of_letters("cc")}, (2.3, 2.3)),
}


@pytest.mark.night
@pytest.mark.parametrize("renderer", every_other(RENDERERS))
@pytest.mark.parametrize("theme", one_in(6, THEMES))
def test_each_part_is_seen(theme: Theme, renderer: str) -> None:
    without = GO.model_copy(update={"last": ()})
    before = Pixels.of(draw_svg(without, theme=theme), renderer)
    unseen = []
    for part, (update, (x, y)) in PARTS.items():
        after = Pixels.of(draw_svg(without.model_copy(update=update), theme=theme), renderer)
        around = [
            (x + across / 40, y + down / 40) for across in range(-4, 5) for down in range(-4, 5)
        ]
        if max(before.distance(after, *place) for place in around) <= 25:
            unseen.append(part)

    assert unseen == []


def test_texts_are_seen_without_fonts() -> None:
    resvg = pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    named = MARKED.model_copy(update={"labels": ()})
    bare = named.model_copy(update={"title": " ", "notes": (" ",), "coordinates": False})

    assert len(resvg.svg_to_bytes(svg_string=draw_svg(named), skip_system_fonts=True)) > 1.2 * len(
        resvg.svg_to_bytes(svg_string=draw_svg(bare), skip_system_fonts=True)
    )


def test_a_png_has_the_size_that_is_asked_for() -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    data = draw_png(draw_svg(GO), 333)

    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 333
    with pytest.raises(ValueError, match="invalid size 0"):
        draw_png(draw_svg(GO), 0)


def test_without_resvg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)

    with pytest.raises(ModuleNotFoundError, match=r"pip install .sgf_lark\[png\]"):
        draw_png(draw_svg(GO))


def test_a_board_of_one_point_is_drawn() -> None:
    tiny: Diagram = on_lines(1, stones=(Stone(Point(0, 0), B),))

    assert wrong_points(tiny, "light", "resvg") == []


def positions_by_chance(amount: int, seed: int) -> Iterator[tuple[str, Diagram]]:
    """Positions of real games of all kinds, at most one a record, and where they are from."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    wanted = chance.sample(names(), len(names()))
    found = 0
    for which in wanted:
        if record(which).stat().st_size > 30_000 or found == amount:
            continue
        for game in loaded(which)[:1]:
            try:
                boards = [place.board.copy() for place in game.positions()]
            except ValueError:  # no rules of that game are known
                break
            if max(boards[0].size) <= 30:
                found += 1
                yield which, chance.choice(boards).diagram()


@pytest.mark.night
@pytest.mark.both_lanes
def test_positions_of_real_games_are_seen_as_they_are() -> None:
    record("")  # skipped without a corpus
    wrong = {}
    for at, (which, diagram) in enumerate(positions_by_chance(amount(2, 60), 13)):
        theme = [*THEMES][at % 3]
        for renderer in RENDERERS:
            if found := wrong_points(diagram, theme, renderer):
                wrong[which, theme, renderer] = found

    assert wrong == {}
