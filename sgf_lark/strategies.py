"""Strategies for hypothesis: sentences of grammars and complete game records, for other tests.

>>> from hypothesis import given
>>> from sgf_lark import strategies
>>> @given(strategies.records("FF4"))
... def test_my_reader(record): ...
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from hypothesis import assume, strategies as st

from sgf_lark.core import GAMES, Format, FormatName, grammars

from .workbench.lint import check_grammar
from .workbench.samples import RecordSampler, Sampler


def sentences(
    grammar: str | Path = "ff4", *, start: str | None = None, size: int = 40
) -> st.SearchStrategy[str]:
    """Texts that a rule of a grammar takes.

    Args:
        grammar: A shipped grammar, or the path of a custom one.
        start: The rule; the first one if None.
        size: The most rules and terminals of a sentence, roughly.

    Raises:
        SgfGrammarError: The grammar is not well made.
        LookupError: It has no such rule.
    """
    file = check_grammar(grammars.source(grammar))
    return _filled(Sampler(file, start, size=size, fair=False).sentence)


def records(
    format: Format | FormatName = Format.FF4, *, game: int | None = None, size: int = 40
) -> st.SearchStrategy[str]:
    """Game records in which :func:`sgf_lark.check` finds no error.

    Args:
        format: The format.
        game: The number that GM gives the game; None for Go, in GGF for Othello.
        size: The most properties of a record, roughly.

    Raises:
        ValueError: There is no such format, or no such game.
    """
    if game is not None and game not in GAMES:
        raise ValueError(f"no game {game}: there are the numbers 1 to {max(GAMES)}")
    maker = RecordSampler(Format.named(format), None if game is None else GAMES[game], size=size)
    return _filled(maker.record)


def _filled(made: Callable[[Random], str | None]) -> st.SearchStrategy[str]:
    """Call a function with a random generator that hypothesis controls."""

    @st.composite
    def filled(draw: st.DrawFn) -> str:
        text = made(draw(st.randoms(use_true_random=False)))
        assume(text is not None)
        return text or ""

    return filled()
