"""Conversion from one format to another: the steps, and the collection that comes out."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, TypeVar, cast

from sgf_lark.convert.merge import report_outside, report_strays, source_of
from sgf_lark.core import (
    FIRST_BEYOND,
    RED,
    Collection,
    Diagnostic,
    Finding,
    Format,
    FormatName,
    GameTree,
    LineIndex,
    Nodes,
    Report,
    Severity,
    SgfConversionError,
    Span,
    Tape,
    as_collection,
    capitals,
    parse_number,
    register,
    shorten,
)

from .builder import ConvertOptions, Note, ResultBuilder
from .from_ggf import convert_from_ggf
from .lossy import Lossy, LossyName
from .to_ggf import convert_to_ggf
from .versions import convert_version

#: The name of the format of SGF that a game has, or of FF[4].
SgfName: TypeAlias = Literal["sgf", "SGF"]

#: A collection or a game: what is converted is what comes back.
_Games = TypeVar("_Games", bound=Collection | GameTree)


def convert(
    source: _Games,
    to: Format | FormatName | SgfName,
    *,
    lossy: Lossy | LossyName = Lossy.KEEP,
    minutes: bool = False,
    time_left: bool = False,
) -> _Games:
    """Convert a record to another format.

    Args:
        source: The games to convert; a game that already is in the format stays as it is, but
            gets FF if its first node does not declare that format.
        to: ``ff1``, ``ff3``, ``ff4`` or ``ggf`` in any case; ``sgf`` is FF[4] for a game of
            GGF, and changes no other.
        lossy: For facts that the new format cannot express: ``keep`` them as private
            properties, ``drop`` them, or ``refuse`` to convert such a game.
        minutes: A bare number in TM of FF[1] counts minutes; else it stays as it is.
        time_left: From GGF, work out BL and WL where clock and times allow it.

    Returns:
        A collection, or a game if a game was given.  Its ``diagnostics`` report
        changes, guesses and losses, by the rules C701 to C799: each has its place in the
        source, and names the node of the result where that is another one.

    Raises:
        SgfConversionError: The new format cannot express the game, board, setup or text; or
            something would be lost, and ``lossy`` is ``refuse``.
        ValueError: ``to`` or ``lossy`` is unknown.

    Source:
        FF[4], the pages on converting and compatibility; for GGF, its page and the records
        of its server.  See the catalogue for the source of each rule.
    """
    options = ConvertOptions(Lossy(lossy), minutes, time_left)
    target = None if to.lower() == "sgf" else Format.named(to)
    is_game = isinstance(source, GameTree)
    collection = as_collection(source)
    games: list[GameTree] = []
    findings: list[Finding] = []
    rewritten: list[int] = []  # others keep the text between their properties
    for number, game in enumerate(collection.games):
        game.nodes.require_all()
        wanted = target or (Format.FF4 if game.format is Format.GGF else game.format)
        white = _with_white(game) if game.format is wanted else game
        converted, game_findings = (
            _declared(white, number)
            if game.format is target and target is not Format.GGF
            else _converted(white, wanted, options, number)
        )
        if white is not game or converted.format is not game.format:
            rewritten.append(number)
        games.append(converted)
        findings += game_findings
    is_same = not findings and all(map(operator.is_, games, collection.games))
    if is_same and collection.foreign is None:
        return source
    origin = collection.source or source_of(collection.games)
    text = collection.text if origin is None else origin.text
    lost = [*report_outside(collection), *_report_foreign(collection)]
    for number in rewritten:
        game = collection.games[number]
        lost += report_strays(game, number, origin, range(len(game)))
    if options.lossy is Lossy.REFUSE:
        lost = [finding._replace(severity=Severity.ERROR) for finding in lost]
    diagnostics = _located([*findings, *lost], text)
    if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        raise SgfConversionError(Report(text=text, diagnostics=diagnostics))
    encoding = None if collection.encoding is None else _encoding(games)
    result = Collection(games=tuple(games), encoding=encoding, diagnostics=diagnostics)
    return cast("_Games", result[0] if is_game else result)


LEFT_OUT = register("C753 header-left-out info: facts of another format that SGF does not have")


def _report_foreign(collection: Collection) -> Iterator[Finding]:
    """Report what the games of a record in another format have nothing of."""
    for what, span in collection.foreign.lost if collection.foreign else ():
        yield LEFT_OUT.found(f"{what} is left out: SGF has no property for it", span)


def _encoding(games: list[GameTree]) -> str:
    """Return the encoding for games: that of their formats if it suffices, else UTF-8.

    Source: FF[4], compatibility: FF[3] is ISO-8859-1 unless CA declares another.
    """
    if all(game.format in {Format.FF1, Format.FF3} and "CA" not in game.root for game in games):
        distinct = {prop for game in games for content in game.nodes.contents for prop in content}
        if all(ord(char) < FIRST_BEYOND for prop in distinct for raw in prop.raw for char in raw):
            return "iso-8859-1"
    return "utf-8"


def _declared(game: GameTree, number: int) -> tuple[GameTree, list[Finding]]:
    """Return a game whose first node declares its format, and a finding; the same if it does.

    A game without FF, or with one that no standard defines, was only taken for one of its format.
    """
    contents, format_ = game.nodes.contents, game.nodes.rules.format
    at = next((at for at, content in enumerate(contents) if content), 0)
    old = next((prop for prop in contents[at] if prop.ident == "FF"), None) if contents else None
    if old is not None and parse_number(old.raw[0]) == int(format_.digit):
        return game, []
    draft = game.edit()
    new = game.nodes.rules.property("FF", (format_.digit,))
    draft.put(at, (new, *(prop for prop in contents[at] if prop.ident != "FF")))
    found = "the game has no FF" if old is None else f"FF[{shorten(old.raw[0])}] is no format"
    note = Note("declared", f"{found}, and is read as {format_.shown}: FF[{new.raw[0]}] is written")
    span = _span(game.nodes, at, None if old is None else contents[at].index(old))
    where = {"game": number, "node_path": game.nodes.tree.path(at), "property": "FF"}
    return draft.done(strict=False), [
        note.as_finding(note.message, span, note.rule.severity, **where)
    ]


def _converted(
    game: GameTree, to: Format, options: ConvertOptions, number: int
) -> tuple[GameTree, list[Finding]]:
    if game.format is to:
        return game, []
    builders: list[ResultBuilder] = []
    now = game
    formats = {game.format, to}
    is_far = Format.GGF in formats and Format.FF4 not in formats
    for stop in [Format.FF4, to] if is_far else [to]:
        if now.format is Format.GGF:
            builder = convert_from_ggf(now, options)
        elif stop is Format.GGF:
            builder = convert_to_ggf(now, options)
        else:
            builder = convert_version(now, stop, options)
        builders.append(builder)
        if builder.is_rejected:
            return game, list(_findings(builders, game, None, number))
        now = builder.game()
    return now, list(_findings(builders, game, now, number))


def _with_white(game: GameTree) -> GameTree:
    nodes = game.nodes
    if not nodes.rules.has_red or {*map(capitals, nodes.tape.names())}.isdisjoint(RED):
        return game
    contents = ([(prop.ident, prop.raw) for prop in content] for content in nodes.contents)
    return GameTree.of(Nodes(Tape.written(nodes.parents, contents), nodes.rules))


def _findings(
    builders: list[ResultBuilder], game: GameTree, converted: GameTree | None, number: int
) -> Iterator[Finding]:
    """Yield the notes of all steps as findings about the source."""
    nodes = game.nodes
    for step, builder in enumerate(builders):
        # for each node the first one that it became
        later = [
            {old: new for new, old in reversed(list(enumerate(after.origins)))}
            for after in builders[step + 1 :]
        ]
        for note, old, new in builder.notes:
            node, result = old, new
            place = note.place
            for before in reversed(builders[:step]):
                place = None if place is None else before.props[node][place].place
                node = before.origins[node]
            message = note.message
            path = nodes.tree.path(node)
            if converted is not None:
                for first in later:
                    result = first.get(result, 0)
                there = converted.nodes.tree.path(result)
                if there != path:
                    message += f" (node {there} of the result)"
            yield note.as_finding(
                message,
                _span(nodes, node, place),
                builder.severity(note),
                game=number,
                node_path=path,
                move_number=nodes.move_numbers[node],
                property=None if place is None else nodes.contents[node][place].ident,
            )


#: Findings of reading that a conversion reports itself, as text that it leaves out.
OUTSIDE = frozenset({"text-outside-games", "property-outside-games"})


def _span(nodes: Nodes, node: int, place: int | None) -> Span:
    """Return the place in the text of the source; its beginning if it has no text."""
    if not nodes.tape.has_places:
        return Span(0, 0)
    if place is None:
        return nodes.tape.node(node, len(nodes.contents[node]))
    return nodes.tape.property(node, place)


def _located(findings: Iterable[Finding], text: str) -> tuple[Diagnostic, ...]:
    lines = LineIndex(text)
    end = len(text)
    inside = (
        finding if finding.span.end <= end else finding._replace(span=Span(0, 0))
        for finding in findings
    )
    return tuple(
        Diagnostic.of(finding, lines)
        for finding in sorted(inside, key=lambda finding: finding.span)
    )
