"""Mistakes that type checkers find: mypy and pyright need each comment that ignores one."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import sgf_lark

if TYPE_CHECKING:
    from collections.abc import Iterator


def mistakes(game: sgf_lark.GameTree) -> Iterator[object]:
    """Yield nothing; nobody runs it."""
    yield sgf_lark.dumps(game, style="pretty")  # type: ignore[arg-type]
    yield sgf_lark.dump(game, "game.sgf", style="pretty")  # type: ignore[arg-type, func-returns-value]
    yield sgf_lark.convert(game, "xyz")  # type: ignore[arg-type]
    yield sgf_lark.convert(game, "ff4", lossy="perhaps")  # type: ignore[arg-type]
    yield sgf_lark.load("game.sgf", format="ff9")  # type: ignore[arg-type]
    yield sgf_lark.load("game.sgf", engine="fast")  # type: ignore[arg-type]
    yield sgf_lark.load("game.sgf", encoding=8)  # type: ignore[arg-type]
    yield sgf_lark.load_many(["game.sgf"], then=3)  # type: ignore[call-overload]
    yield sgf_lark.load_many(["game.sgf"], stict=True)  # type: ignore[call-overload]
    yield sgf_lark.check_many(["game.sgf"], strict=True)  # type: ignore[call-arg]
    yield sgf_lark.fix_record(b"", level="grave")  # type: ignore[arg-type]
    yield game.root["KM"] + 1  # type: ignore[operator]
    yield game.root["C"] + 1  # type: ignore[operator]
    yield game.root["PL"].opponent  # type: ignore[union-attr]
    yield game.root.get("C").upper()  # type: ignore[union-attr]
    yield game.moves[0].value.column  # type: ignore[union-attr]
    yield game.root.properties[0].value + 1  # type: ignore[operator]
    yield game.info.result.score  # type: ignore[union-attr]
    yield game.info.black.rank_value.strength  # type: ignore[union-attr]
    game.info.komi = Decimal(3)  # type: ignore[misc]
    game.info.black.name = "Aoki"  # type: ignore[misc]
