"""Texts made up from a grammar, and texts that are nearly so."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from lark.grammar import NonTerminal

from sgf_lark.workbench.patterns import sample_text
from sgf_lark.workbench.samples import height, heights_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Lark
    from lark.grammar import Rule, Symbol
    from lark.lexer import TerminalDef

#: After so many symbols a sentence is ended by the shortest way.
LONG = 40

#: Tokens that are made of the expression of a terminal of other characters than the pieces.
MADE = 20


def sentences(
    parser: Lark,
    start: str,
    dice: Random,
    pieces: tuple[str, ...],
    gaps: tuple[str, ...],
    words: tuple[str, ...] = (),
) -> Iterator[str]:
    """Sentences without end, mostly short.

    Args:
        parser: Where the rules are.
        start: The rule to begin with.
        dice: Decides.
        pieces: What tokens are made of, up to three of them each.
        gaps: What may stand between tokens.
        words: Whole tokens besides.
    """
    expansions: dict[Symbol, list[Rule]] = {}
    for rule in parser.rules:
        expansions.setdefault(rule.origin, []).append(rule)
    heights = heights_of(expansions)
    tokens_of = {
        terminal.name: short_tokens(terminal, pieces, words) for terminal in parser.terminals
    }
    while True:
        tokens: list[str] = []
        todo: list[Symbol] = [NonTerminal(start)]
        steps = 0
        while todo:
            symbol = todo.pop()
            steps += 1
            if symbol.is_term:
                tokens.append(dice.choice(tokens_of[symbol.name]))
                continue
            rules = expansions[symbol]
            if steps > LONG:
                lowest = min(height(rule, heights) for rule in rules)
                rules = [rule for rule in rules if height(rule, heights) == lowest]
            todo.extend(reversed(dice.choice(rules).expansion))
        yield "".join(token + dice.choice(gaps) for token in tokens)


@cache
def short_tokens(
    terminal: TerminalDef, pieces: tuple[str, ...], words: tuple[str, ...] = ()
) -> list[str]:
    """Tokens of a terminal: itself, if it is a string, or words, or those of up to three pieces.

    If none of these match, it has some that are made of its expression.
    """
    if terminal.pattern.type == "str":
        return [terminal.pattern.value]
    pattern = re.compile(terminal.pattern.to_regexp())
    found = [text for text in (*words, *texts(pieces, 3)) if pattern.fullmatch(text)]
    if found:
        return found
    dice = Random(terminal.name)  # noqa: S311  # the same texts each time
    made = {sample_text(pattern.pattern, dice) for _ in range(MADE)}
    return sorted(text for text in made if pattern.fullmatch(text))


@cache
def texts(pieces: tuple[str, ...], length: int) -> list[str]:
    """All texts of up to so many pieces."""
    counts = range(length + 1)
    return sorted({"".join(text) for count in counts for text in product(pieces, repeat=count)})


def mutated(text: str, dice: Random, pieces: tuple[str, ...]) -> str:
    """The text with a piece or two put in, left out or put in place of others."""
    for _ in range(dice.choice([1, 1, 2])):
        start = dice.randint(0, len(text))
        end = start + dice.choice([0, 1])
        text = text[:start] + dice.choice([*pieces, ""]) + text[end:]
    return text
