"""Analyses of engines of Go in a record: KT of KaTrain, LZ of Lizzie, SBKV of Sabaki, comments.

Texts are read by ``grammars/words/analysis.lark``; KT is JSON in gzip in base64.

Source: records of these programs, and what they write; no standard.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sgf_lark.core.engine.parser import Rejected
from sgf_lark.core.grammar import grammars
from sgf_lark.core.model.ruleset import size_of_board
from sgf_lark.core.schema.games import GO
from sgf_lark.core.schema.points import BoardSize, Point
from sgf_lark.core.schema.values import PASS, Color, Pass

from .methods import Children, ValueMethods, always

if TYPE_CHECKING:
    from sgf_lark.core.model.nodes import Nodes


class Candidate(NamedTuple):
    """A move that an engine has considered.

    Attributes:
        point: Where, or a pass.
        winrate: The winrate of Black after it, from 0 to 1; None if it is not known, as all below.
        score: The lead of Black in points, komi included.
        visits: The number of times that the engine has looked at it.
    """

    point: Point | Pass
    winrate: float | None = None
    score: float | None = None
    visits: int | None = None


class Analysis(NamedTuple):
    """An analysis of the position after a node by an engine.

    Attributes:
        program: Who wrote it: KaTrain, Lizzie, Sabaki, Ogatak, analyze-sgf, OGS or Pachi.
        engine: The name that Lizzie has for the engine, or the version of Lizzie; None of others.
        winrate: The winrate of Black, from 0 to 1; None if it is not known, as score and visits.
        score: The lead of Black in points, komi included.
        visits: The number of playouts.
        moves: What the side to move may play, the best first; empty if no move is named.
    """

    program: str
    engine: str | None = None
    winrate: float | None = None
    score: float | None = None
    visits: int | None = None
    moves: tuple[Candidate, ...] = ()


class _Read(NamedTuple):
    """An analysis as its text has it, by the winrates of a side (``whose``), or of the side to
    move.
    """

    analysis: Analysis
    whose: Color | None = Color.BLACK
    moves: Sequence[tuple[str, float | None, float | None, int | None]] = ()


class DamagedError(ValueError):
    """A value is no analysis; the error has the reason."""


def find_analysis(nodes: Nodes, node: int) -> Analysis | None:
    """Return the most complete analysis of a node; None without one."""
    return max(find_analyses(nodes, node), key=_count_facts, default=None)


def _count_facts(analysis: Analysis) -> int:
    return sum(fact is not None and fact != () for fact in analysis[2:])


def find_analyses(nodes: Nodes, node: int) -> list[Analysis]:
    """Return the analyses of a node of Go; those that are damaged are left out."""
    if nodes.rules.game is not GO:
        return []
    props = {prop.ident: prop for prop in reversed(nodes.contents[node])}
    read = {ident: _try(ident, props[ident].raw) for ident in READERS if ident in props}
    found = [read[ident] for ident in ENGINES if ident in read]
    winrate, score = read.get("SBKV"), read.get("SBKS", read.get("OGSC"))
    if winrate is not None or score is not None:
        ident = "OGSC" if "OGSC" in read else "SBKV"
        found.append(_Read(Analysis(ANALYSIS_PROGRAMS[ident], None, winrate, score)))
    if "C" in props and isinstance(text := props["C"].value, str):
        found.append(_read_comment(text))
    judged = [_judge_for_black(one, nodes, node) for one in found if one is not None]
    return [one for one in judged if one is not None]


def _try(ident: str, raws: Sequence[str]) -> Any:
    try:
        return READERS[ident](raws)
    except DamagedError:
        return None


def why_damaged(ident: str, raws: Sequence[str]) -> str:
    try:
        READERS[ident](raws)
    except DamagedError as error:
        return str(error)
    return ""


# ---- sides ----


def _judge_for_black(read: _Read, nodes: Nodes, node: int) -> Analysis | None:
    """Return an analysis in view of Black; None if the side to move, whose it is, is not known."""
    whose = read.whose or _side_to_move(nodes, node)
    size = size_of_board(nodes.contents[0], nodes.rules)
    if whose is None or size is None:
        return None
    analysis = read.analysis
    moves = (
        Candidate(point, _winrate_of_black(winrate, whose), _lead_of_black(lead, whose), visits)
        for name, winrate, lead, visits in read.moves
        if (point := _find_point(name, size)) is not None
    )
    return analysis._replace(
        winrate=_winrate_of_black(analysis.winrate, whose),
        score=_lead_of_black(analysis.score, whose),
        moves=tuple(moves),
    )


def _side_to_move(nodes: Nodes, node: int) -> Color | None:
    at = nodes[node]
    if at.move is not None:
        return at.move.color.opponent
    if at.next is not None and at.next.move is not None:
        return at.next.move.color
    try:
        return nodes.boards.board(node).to_play
    except ValueError:
        return None


def _winrate_of_black(winrate: float | None, whose: Color) -> float | None:
    return winrate if winrate is None or whose is Color.BLACK else round(1 - winrate, DIGITS)


def _lead_of_black(lead: float | None, whose: Color) -> float | None:
    return lead if not lead or whose is Color.BLACK else -lead


#: Decimals of a winrate that are kept, so that 1 - 0.584 is 0.416.
DIGITS = 9


def _find_point(name: str, size: BoardSize) -> Point | Pass | None:
    if name.lower() == "pass":
        return PASS
    try:
        point = Point.from_gtp(name, size.rows)
    except ValueError:
        return None
    return point if point.column < size.columns else None


# ---- KaTrain ----

#: Bytes of an analysis that is unpacked; those of 19 by 19 points have some 100,000.
MAX_UNPACKED = 1 << 20

#: Larger numbers are none of an analysis.
MOST = 10**12


def _read_katrain(raws: Sequence[str]) -> _Read | None:
    """Read KT: ownership, policy, and what is read here: the position and its moves, for Black."""
    if len(raws) < 3:  # noqa: PLR2004  # as above
        raise DamagedError("it has three values: ownership, policy and moves")
    data = _unpack(raws[2])
    match data:
        case {"root": None}:
            return None
        case {"root": dict(root), "moves": dict(moves)} if all(
            isinstance(move, dict) for move in moves.values()
        ):
            ranked = sorted(moves.items(), key=lambda named: _rank(named[1]))
            facts = [(name, *_facts_of(move)) for name, move in ranked]
            return _Read(Analysis("KaTrain", None, *_facts_of(root)), moves=facts)
    raise DamagedError("its JSON has no position with moves")


def _unpack(raw: str) -> Any:
    try:
        packed = b64decode("".join(raw.split()), validate=True)
    except ValueError:
        raise DamagedError("its third value is not base64") from None
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)  # with the head of gzip
    try:
        data = unpacker.decompress(packed, MAX_UNPACKED)
    except zlib.error:
        raise DamagedError("its third value is not packed by gzip") from None
    if unpacker.unconsumed_tail:
        raise DamagedError(f"its third value unpacks to more than {MAX_UNPACKED >> 20} MiB")
    if not unpacker.eof:
        raise DamagedError("its third value is cut off")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise DamagedError("its third value has no JSON") from None


def _facts_of(data: Mapping[str, Any]) -> tuple[float | None, float | None, int | None]:
    winrate, lead, visits = (_get_number(data, key) for key in ("winrate", "scoreLead", "visits"))
    return (
        None if winrate is None else _require_winrate(winrate),
        lead,
        None if visits is None else int(visits),
    )


def _get_number(data: Mapping[str, Any], key: str) -> float | None:
    value = data.get(key)
    if value is None or (type(value) in {int, float} and -MOST < value < MOST):
        return value
    raise DamagedError(f"'{key}' in its JSON is no number")


def _rank(move: Mapping[str, Any]) -> tuple[float, float]:
    order, visits = _get_number(move, "order"), _get_number(move, "visits")
    return MOST if order is None else order, -(visits or 0)


def _require_winrate(winrate: float) -> float:
    """Return a winrate from 0 to 1; what rounding has made of it is no fault."""
    if -ROUNDING <= winrate <= 1 + ROUNDING:
        return min(max(round(winrate, DIGITS), 0.0), 1.0)
    raise DamagedError("a winrate is not from 0 to 100 %")


#: A winrate may be this much less than 0, or more than 1.
ROUNDING = 0.01


# ---- texts ----

Facts: TypeAlias = dict[str, Any]


def _make_number(text: str) -> float:
    value = float(text.replace(",", "."))
    if not -MOST < value < MOST:
        raise DamagedError("a number is too large")
    return value


def _make_count(text: str) -> int:
    scale = {"k": 10**3, "m": 10**6}.get(text[-1].lower(), 1)
    return round(_make_number(text.rstrip("kKmM")) * scale)


class AnalysisMethods(ValueMethods):
    """Values of words/analysis.lark."""

    def ENGINE(self, text: str) -> Facts:
        return {"engine": text}

    def PERCENT(self, text: str) -> Facts:
        return {"winrate": _require_winrate(_make_number(text.strip("% ")) / 100)}

    WINRATE = PERCENT

    def SCORE(self, text: str) -> Facts:
        return {"score": _make_number(text)}

    LEAD = SCORE

    def VISITS(self, text: str) -> Facts:
        return {"visits": _make_count(text)}

    PLAYOUTS = VISITS

    def MOVE(self, text: str) -> Facts:
        return {"name": text.removeprefix(" move ")}

    def FACT(self, text: str) -> Facts:
        key, number = text.split()
        return {key: _make_number(number)}

    BLACK, WHITE = always({"whose": Color.BLACK}), always({"whose": Color.WHITE})
    OGS = always({"program": "OGS"})
    LIZZIE = WEIGHTS = always({"program": "Lizzie"})
    KATRAIN_SCORE = KATRAIN_WINRATE = always({"program": "KaTrain"})
    ANALYZE_SGF = always({"program": "analyze-sgf"})
    PACHI = always({"program": "Pachi"})

    def comment_line(self, children: Children) -> Facts:
        """The facts of all children but texts."""
        said: Facts = {}
        for facts in children:
            said |= facts if isinstance(facts, dict) else {}
        return said

    percent = points = candidate = comment_line

    def lizzie(self, children: Children) -> tuple[Facts, list[Facts]]:
        """The facts about the position, and those about each move."""
        moves = [facts for facts in children if "name" in facts]
        return self.comment_line([facts for facts in children if "name" not in facts]), moves


@cache
def _maker(rule: str) -> Callable[[str], Any]:
    parser = grammars.generated(grammars.path("words/analysis"), rule, of_value=True)
    make = None if parser is None else parser.maker(AnalysisMethods(), as_text=True)
    if make is None:
        raise LookupError(rule)
    return make


def _read_lizzie(raws: Sequence[str]) -> _Read | None:
    r"""Read LZ: a winrate of the side that has moved; all else is of the side to move.

    LizzieYzy takes ``\n`` for a line break.
    """
    try:
        position, moves = _maker("lizzie")(" ".join(raws[0].replace("\\n", " ").split()))
    except Rejected:
        raise DamagedError("expected such as '0.7 48.1 1.2k', and moves") from None
    if not position["visits"]:  # Lizzie writes the winrate of the node before
        return None
    facts = [_facts_of_lizzie(move) for move in moves]
    score = position.get("score", facts[0][2] if facts else None)
    winrate = round(1 - position["winrate"], DIGITS)
    analysis = Analysis("Lizzie", position["engine"], winrate, score, position["visits"])
    return _Read(analysis, None, facts)


def _facts_of_lizzie(move: Facts) -> tuple[str, float | None, float | None, int | None]:
    winrate, visits = move.get("winrate"), move.get("visits")
    return (
        move["name"],
        None if winrate is None else _require_winrate(winrate / 10_000),
        move.get("scoreMean", move.get("scoreLead")),
        None if visits is None else int(visits),
    )


def _read_number(raws: Sequence[str], *, rule: str, fact: str, expected: str) -> float:
    try:
        number: float = _maker(rule)(raws[0].strip())[fact]
    except Rejected:
        raise DamagedError(f"expected {expected}") from None
    return number


def _read_comment(text: str) -> _Read | None:
    """Return the first of each fact of a comment; None if it has no winrate."""
    known: Facts = {}
    whose = Color.BLACK
    for line in text.splitlines() if "%" in text else ():
        try:
            said = _maker("comment_line")(line.strip())
        except (Rejected, DamagedError):
            continue
        whose = said.pop("whose", whose)
        if "winrate" in said:
            said["winrate"] = _winrate_of_black(said["winrate"], whose)
        if "score" in said:
            said["score"] = _lead_of_black(said["score"], whose)
        known = said | known
    return _Read(Analysis(**known)) if "winrate" in known and "program" in known else None


#: What reads the properties of engines; of the others, a number for the graph of a program.
ENGINES: dict[str, Callable[[Sequence[str]], _Read | None]] = {
    "KT": _read_katrain,
    **dict.fromkeys(("LZ", "LZOP", "LZ2", "LZOP2"), _read_lizzie),
}
_read_lead = partial(_read_number, rule="points", fact="score", expected="a number of points")
READERS: dict[str, Callable[[Sequence[str]], Any]] = ENGINES | {
    "SBKV": partial(_read_number, rule="percent", fact="winrate", expected="a percentage"),
    "SBKS": _read_lead,
    "OGSC": _read_lead,
}

#: The program of each property.
ANALYSIS_PROGRAMS = dict.fromkeys(READERS, "Lizzie") | {
    "KT": "KaTrain",
    "SBKV": "Sabaki",
    "SBKS": "Sabaki",
    "OGSC": "Ogatak",
}
