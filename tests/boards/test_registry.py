"""Each game with points has one module with its rules, which its own records alone load."""

from __future__ import annotations

import subprocess
import sys

from sgf_lark.core.schema.games import GAMES
from sgf_lark.games.registry import find_state, games_with_rules


def test_each_game_with_points_has_a_module_of_the_name_of_its_grammar() -> None:
    found = {int(number): state.__module__ for number, state in games_with_rules().items()}
    described = {number: game for number, game in GAMES.items() if game.has_points}

    assert found == {
        number: f"sgf_lark.games.{game.notation}" for number, game in described.items()
    }
    assert [find_state(number) for number in (None, 3, 10, 99)] == [None] * 4


def test_a_record_loads_the_module_of_its_game_only() -> None:
    code = (
        "import sys, sgf_lark; sgf_lark.loads('(;FF[4]GM[11]SZ[5];B[b2])')[0].board('1');"
        "print(*sorted(name for name in sys.modules if name.startswith('sgf_lark.games.')))"
    )
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert run.stdout.split() == ["sgf_lark.games.hex", "sgf_lark.games.registry"]
