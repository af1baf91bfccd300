"""Text of a record that belongs to no property: what a writer of games alone leaves out."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from sgf_lark.findings.diagnostic import shorten
from sgf_lark.findings.finding import NOWHERE, Finding
from sgf_lark.findings.rules import register
from sgf_lark.grammar.loader import path
from sgf_lark.model.collection import Collection, GameTree
from sgf_lark.model.provenance import SourceGame
from sgf_lark.places import Span
from sgf_lark.schema.formats import Format
from sgf_lark.text.source import TextSource

from .bounds import Bounds, find_bounds


def source_of(games: Iterable[GameTree]) -> TextSource | None:
    """Return the text of the first game; None if it has none."""
    origins = (origin for game in games for origin in game.provenance.games[:1])
    return next((origin.source for origin in origins), None)


TEXT_LEFT_OUT = register("C752 text-left-out warning: text outside games is removed")


def report_strays(
    game: GameTree, number: int, source: TextSource | None, nodes: Container[int]
) -> Iterator[Finding]:
    """Report the texts in a game that belong to no property.

    Args:
        game: The game.
        number: Its number, from 0.
        source: The text for the places; a finding in another text has none.
        nodes: The nodes of the game after which texts are left out.
    """
    provenance = game.provenance
    for which, origin in enumerate(provenance.games):
        pairs = zip(provenance.which, provenance.numbers, strict=True)
        here = {there: node for node, (one, there) in enumerate(pairs) if one == which}
        for there, span in _find_strays(origin):
            node = here.get(there)
            if node is None or node not in nodes:
                continue
            excerpt = shorten(origin.source.text[slice(*span)])
            yield TEXT_LEFT_OUT.found(
                f"{excerpt!r} belongs to no property, and is left out",
                span if origin.source is source else NOWHERE,
                game=number,
                node_path=game.nodes.tree.path(node),
                move_number=game.nodes.move_numbers[node],
            )


def report_outside(collection: Collection) -> Iterator[Finding]:
    """Report the texts before, between and after the games of a text.

    The number of games before a match of GGF is none: it is found again.
    """
    if collection.source is None:
        return
    bounds, text = Bounds(collection, None), collection.source.text
    for game in collection.games:
        number = bounds.own(game)
        for before in () if number is None else (-1, 0) if number == 0 else (number,):
            for span in _find_text(text, *bounds.gap(before)):
                excerpt = text[slice(*span)]
                if not (game.format is Format.GGF and excerpt.isdecimal()):
                    message = f"{shorten(excerpt)!r} is in no game, and is left out"
                    yield TEXT_LEFT_OUT.found(message, span)


def _find_strays(origin: SourceGame) -> Iterator[tuple[int, Span]]:
    """Yield the texts in a game that belong to no property, each with the node before it."""
    text, nodes, rules = origin.source.text, origin.nodes, origin.nodes.rules
    if nodes.tape.is_clean and rules.file == path(rules.format.grammar):
        return  # a grammar of the standards has accepted it, which leaves nothing out
    places = nodes.places
    for node, content in enumerate(nodes.contents):
        done = places.node(node, 0).start
        is_last = node + 1 == len(nodes)
        end = find_bounds(origin).end if is_last else places.node(node + 1, 0).start
        read: list[tuple[int, int]] = []
        for place, prop in enumerate(content):
            for index in range(len(prop.raw)):
                value = places.value(node, place, index)
                start = value.start - 1 if index else places.property(node, place).start
                read.append((start, value.end + 1))
        for start, next_start in (*read, (end, end)):
            yield from ((node, span) for span in _find_text(text, done, start))
            done = next_start


def _find_text(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the span of a part of a text without the brackets, ';' and white space around it."""
    before = text[start:end].rstrip(_MARKS)
    if before:
        yield Span(start + len(before) - len(before.lstrip(_MARKS)), start + len(before))


_MARKS = " \t\r\n\x0b\x0c();"
