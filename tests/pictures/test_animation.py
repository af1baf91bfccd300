"""Animations: keyframes for what changes, the last board for those who see no motion."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from support.diagrams import GO, HEX, B, W, on_lines, stones
from support.pixels import wrong_points

import sgf_lark
from sgf_lark.core.schema.values import Point
from sgf_lark.pictures.animation import animate
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import Stone


def line(steps: int, side: int = 19) -> list[Diagram]:
    """A stone more on each board."""
    held = [Stone(Point(step % side, step // side), W if step % 2 else B) for step in range(steps)]
    return [
        on_lines(side, stones=tuple(held[:step]), last=(held[step - 1].point,))
        for step in range(1, steps + 1)
    ]


def test_each_step_has_its_time() -> None:
    svg = animate([on_lines(stones=stones(black)) for black in ("aa", "aa bb", "bb")], seconds=2)

    assert "@keyframes sgf-1-3-3{0%{visibility:hidden}20%{visibility:visible}}" in svg
    assert "@keyframes sgf-0-2-3{0%{visibility:visible}40%{visibility:hidden}}" in svg
    assert svg.count("animation:sgf-1-3-3 10s step-end infinite") == 1
    assert svg.count('data-point="aa"') == svg.count('data-point="bb"') == 1


def test_what_stays_has_no_keyframes() -> None:
    assert "keyframes" not in animate([GO, GO, GO])
    assert animate([GO]) == animate([GO, GO])


def test_an_animation_is_as_large_as_its_changes() -> None:
    short, long = (len(animate(line(steps, 13))) for steps in (60, 120))

    assert long < 2 * short
    assert long < 120 * 700


def test_it_needs_no_script_and_respects_who_wants_no_motion() -> None:
    svg = animate(line(3))

    assert "script" not in svg
    assert "@media (prefers-reduced-motion:reduce){.sgf-step{animation:none!important}}" in svg
    hidden = re.findall(r'visibility="hidden"[^>]*>(.*?)</g>', svg)
    assert len(hidden) == 2  # the rings on the first two stones
    assert ET.fromstring(svg).tag.endswith("svg")  # noqa: S314  # our own text


@pytest.mark.parametrize("renderer", ["resvg", "CairoSVG"])
def test_a_program_without_animation_shows_the_last_board(renderer: str) -> None:
    steps = [on_lines(stones=stones("cc", white)) for white in ("dd", "ee", "ff")]

    assert wrong_points(steps[-1], "light", renderer, animate(steps)) == []


def test_boards_of_a_game_can_be_animated() -> None:
    game = sgf_lark.loads("(;SZ[9];B[cc];W[gg];B[gc])")[0]
    svg = sgf_lark.animate(position.board for position in game.positions())

    assert {"cc", "gg", "gc"} == set(re.findall(r'data-point="(\w\w)"', svg))
    assert svg._repr_svg_() == svg


def test_an_animation_needs_boards_of_one_kind_and_a_time() -> None:
    with pytest.raises(ValueError, match="at least one board"):
        animate([])
    with pytest.raises(ValueError, match="differ in kind or size"):
        animate([GO, HEX])
    with pytest.raises(ValueError, match="invalid time 0"):
        animate([GO], seconds=0)
