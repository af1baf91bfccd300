"""Analyses of engines: what programs leave in nodes, in view of Black, and what is damaged."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
from base64 import b64encode
from pathlib import Path

import pytest
from support.places import ROOT
from support.readmes import GUIDES

import sgf_lark
from sgf_lark.core import PASS, Analysis, Candidate, Point, grammars
from sgf_lark.core.values.analysis import MAX_UNPACKED

D4, Q16 = Point(3, 15), Point(15, 3)


def packed(text: str) -> str:
    return b64encode(gzip.compress(text.encode())).decode()


def katrain(data: object) -> str:
    """KT with ownership and policy that are empty, as KaTrain writes what it does not have."""
    return f"KT[{packed('')}][{packed('')}][{packed(json.dumps(data))}]"


def position(winrate: object = 0.479, score: object = -0.25, visits: object = 130) -> object:
    """What KaTrain has of a position, with three moves of which it names the best last."""
    root = {"winrate": winrate, "scoreLead": score, "visits": visits, "utility": 0.1}
    moves = {
        "D4": {"move": "D4", "order": 1, "visits": 20, "winrate": 0.45, "scoreLead": -0.6},
        "pass": {"move": "pass", "order": 999, "visits": 1},
        "Q16": {"move": "Q16", "order": 0, "visits": 100, "winrate": 0.48, "scoreLead": -0.2},
    }
    return {"moves": moves, "root": root, "completed": True}


def game_of(nodes: str) -> sgf_lark.GameTree:
    return sgf_lark.loads(f"(;FF[4]GM[1]SZ[19]{nodes})", strict=False)[0]


def analysis_of(nodes: str) -> Analysis | None:
    """The analysis of the last node."""
    return game_of(nodes).main_line()[-1].analysis


#: Texts as the programs write them, judged by hand: the winrate is Black's.
JUDGED = {
    # Lizzie: after a move of Black 41.6 % are his; White, to move, has 58.46 % and leads by 0.74
    "B[pd]LZ[0.7.2 41.6 2.8k\n"
    "move D4 visits 988 winrate 5846 scoreMean 0.74 pv D4 Q4 info ]": Analysis(
        "Lizzie", "0.7.2", 0.416, -0.74, 2800, (Candidate(D4, 0.4154, -0.74, 988),)
    ),
    # after a move of White 41.6 % are hers, so that Black has the other 58.4
    "B[pd];W[dp]LZ[0.7.2 41.6 2.8k\nmove Q16 visits 9 winrate 5846 pv Q16 info ]": Analysis(
        "Lizzie", "0.7.2", 0.584, None, 2800, (Candidate(Q16, 0.5846, None, 9),)
    ),
    # LizzieYzy: the lead of the side to move is in the first line, too; the engine has a name
    "B[pd];W[dp]LZ2[KataGo 20b 47.9 15 1.3 18.2\nmove D4 visits 15 winrate 5210 prior 1234"
    " scoreMean 1.30 pv D4 pass pvVisits 15 3]": Analysis(
        "Lizzie", "KataGo 20b", 0.521, 1.3, 15, (Candidate(D4, 0.521, 1.3, 15),)
    ),
    # before the first move Black is to move: what is not his is that of the side that is not
    "LZOP[KataGo 52,0 1.2m 0,5 9,1\nmove pass visits 3 winrate 4800 pv pass info ]": Analysis(
        "Lizzie", "KataGo", 0.48, 0.5, 1_200_000, (Candidate(PASS, 0.48, None, 3),)
    ),
    # after stones that are set up, who plays next is who was to move
    "LZOP[KataGo 52.0 12 0.5 9.1]AB[pd][dp];W[dd]": Analysis("Lizzie", "KataGo", 0.52, -0.5, 12),
    "PL[W]LZOP[KataGo 52.0 12 0.5 9.1]": Analysis("Lizzie", "KataGo", 0.52, -0.5, 12),
    # KaTrain: Black's, whoever is to move
    f"B[pd]{katrain(position())}": Analysis(
        "KaTrain",
        None,
        0.479,
        -0.25,
        130,
        (Candidate(Q16, 0.48, -0.2, 100), Candidate(D4, 0.45, -0.6, 20), Candidate(PASS, visits=1)),
    ),
    # Sabaki and Ogatak: Black's
    "B[hq]SBKV[45.81]": Analysis("Sabaki", None, 0.4581),
    "B[hq];W[dd]SBKV[45.71]": Analysis("Sabaki", None, 0.4571),
    "B[dd];W[pp]SBKV[48]SBKS[-0.5]": Analysis("Sabaki", None, 0.48, -0.5),
    "B[dc]SBKV[25.1]OGSC[-3.9]": Analysis("Ogatak", None, 0.251, -3.9),
    # comments: of the side that they name
    "B[pd];W[po]SBKV[99.04]C[As White:\n* Win rate: 0.96%\n* Win rate loss: 0.08%\n"
    "* Score lead: -14.46\n* Score loss: 0.55\n* Visits: 1615]": Analysis(
        "analyze-sgf", None, 0.9904, 14.46, 1615
    ),
    "B[hm]C[As Black:\n* Win rate: 98.47%\n* Score lead: 12.73\n* Visits: 1615]": Analysis(
        "analyze-sgf", None, 0.9847, 12.73, 1615
    ),
    "B[pd];W[dp]C[Black's win rate: %15.4 visits: 507]": Analysis("OGS", None, 0.154, None, 507),
    "B[pd]C[White's winrate: 53.1% (+1.2%)\n(LeelaZero / 1.2k playouts)]": Analysis(
        "Lizzie", None, 0.469, None, 1200
    ),
    "B[pd];W[dp]C[A note.\n\nMove 2: W D4\nScore: W+1.2\nWin rate: W 55.3%\n]": Analysis(
        "KaTrain", None, 0.447, -1.2
    ),
    "B[pd]C[kibitz [5k\\]: who leads?\nbot [3d\\]: In 8213 playouts at 4 threads, white D4 can win"
    " with 53.2% probability.\n]": Analysis("Pachi", None, 0.468, None, 8213),
}


@pytest.mark.parametrize(("nodes", "expected"), JUDGED.items())
def test_an_analysis_is_in_view_of_black(nodes: str, expected: Analysis) -> None:
    is_of_root = nodes.startswith(("LZ", "PL"))
    game = game_of(nodes if is_of_root else f";{nodes}")

    assert (game.root if is_of_root else game.main_line()[-1]).analysis == expected


@pytest.mark.parametrize(
    "nodes",
    [
        ";B[pd]",
        ";B[pd]C[Black wins 60% of such games.]",
        ";B[pd]C[Win rate loss: 3%]",
        ";B[pd]C[tartrate [7d?\\]: 100%, thx]",
        ";B[pd]C[Black's win rate: %999.4 visits: 507]",
        ";B[pd]C[Score: B+1.2]",
        ";B[pd]LZ[0.7 50.0 0\n]",  # as Lizzie writes it without an engine
        f";B[pd]{katrain({'moves': {}, 'root': None})}",
    ],
)
def test_a_node_without_an_analysis_has_none_and_no_fault(nodes: str) -> None:
    assert analysis_of(nodes) is None
    assert "D531" not in codes(nodes)


def test_of_several_analyses_the_one_that_says_most_is_that_of_the_node() -> None:
    found = analysis_of(f";B[pd]SBKV[10.0]C[Black's win rate: %20 visits: 5]{katrain(position())}")

    assert found is not None
    assert found.program == "KaTrain"


def test_moves_that_the_board_does_not_have_are_left_out() -> None:
    text = "(;FF[4]GM[1]SZ[9];B[ee]LZ[0.7 41.6 12 move Q16 visits 9 pv Q16 info move D4 visits 3])"
    found = sgf_lark.loads(text)[0].nodes[1].analysis

    assert found is not None
    assert found.moves == (Candidate(Point(3, 5), visits=3),)


def test_games_other_than_go_have_no_analysis() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[11]SZ[11];B[a1]SBKV[48.1])")

    assert game.nodes[1].analysis is None


def test_lines_that_an_editor_has_wrapped_are_read() -> None:
    expected = Analysis("Lizzie", "0.7.2", 0.416, None, 2800, (Candidate(D4, visits=988),))

    assert analysis_of(";B[pd]LZ[0.7.2 41.6\r\n2.8k  move\nD4 visits 988 ]") == expected
    assert analysis_of(r";B[pd]LZ[0.7.2 41.6 2.8k\nmove D4 visits 988]") == expected


# ---- copies and edits ----


def test_copies_and_drafts_keep_an_analysis_and_take_another() -> None:
    game = game_of(";B[pd]SBKV[48.1]")
    draft = game.edit()
    draft.set_raw(1, "SBKV", "12.5")
    changed = draft.done()

    for same in (copy.deepcopy(game), pickle.loads(pickle.dumps(game)), game.edit().done()):
        assert same.nodes[1].analysis == Analysis("Sabaki", None, 0.481)
    assert changed.nodes[1].analysis == Analysis("Sabaki", None, 0.125)
    assert (
        pickle.loads(pickle.dumps(analysis_of(f";B[pd]{katrain(position())}"))).moves[0].point
        == Q16
    )


# ---- damage ----


def codes(nodes: str) -> list[str]:
    text = f"(;FF[4]GM[1]SZ[19]{nodes})"
    return [finding.code for finding in sgf_lark.check(text.encode(), name="a.sgf").diagnostics]


def third(value: str) -> str:
    return f"KT[{packed('')}][{packed('')}][{value}]"


DAMAGED = {
    "one value": f"KT[{packed('{}')}]",
    "no base64": third("H4sI!"),
    "half of base64": third(packed("{}")[:-3]),
    "no gzip": third(b64encode(b"{}").decode()),
    "cut gzip": third(b64encode(gzip.compress(b"{}" * 99)[:-9]).decode()),
    "too large": third(packed(" " * (MAX_UNPACKED + 1))),
    "no JSON": third(packed("{")),
    "no text": third(b64encode(gzip.compress(b"\xff\xfe\xfd")).decode()),
    "deep JSON": third(packed("[" * 100_000)),
    "a long number": third(packed('{"root": {"visits": ' + "9" * 5000 + '}, "moves": {}}')),
    "other JSON": third(packed("[1, 2]")),
    "no moves": katrain({"root": {}}),
    "moves that are none": katrain({"root": {}, "moves": {"D4": 1}}),
    "a winrate that is none": katrain(position(winrate=1.5)),
    "a winrate that is true": katrain(position(winrate=True)),
    "a lead in words": katrain(position(score="B+1")),
    "no number": katrain(position(visits=float("nan"))),
    "endless": katrain(position(score=float("inf"))),
    "an order that is none": katrain({"root": {}, "moves": {"D4": {"order": []}}}),
    "LZ without numbers": "LZ[0.7]",
    "LZ of a person": "LZ[Liu Zheng]",
    "LZ with a winrate too large": "LZ[0.7 641.6 12]",
    "LZ with an endless number": f"LZ[0.7 41.6 {'9' * 400}]",
    "LZ with another key": "LZ[0.7 41.6 12 move D4 hue 3]",
    "SBKV in words": "SBKV[half]",
    "SBKV too large": "SBKV[5500]",
    "SBKS that is none": "SBKS[x]",
}


@pytest.mark.parametrize("prop", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_analysis_is_none_and_a_finding_of_check(prop: str) -> None:
    assert analysis_of(f";B[pd]{prop}") is None
    assert codes(f";B[pd]{prop}") == ["D531"]


def test_one_finding_counts_the_damaged_analyses_of_a_game() -> None:
    report = sgf_lark.check(b"(;FF[4]GM[1]SZ[19];B[pd]LZ[0.7 1 2];W[dp]LZ[x];B[pp]LZ[y])", name="a")
    (finding,) = report

    assert (finding.code, finding.move_number) == ("D531", 2)
    assert "2 times" in finding.message


def test_who_only_loads_does_not_read_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("sgf_lark.core.values.analysis.why_damaged", fail)
    collection = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[pd]LZ[x])")

    assert "D531" not in {finding.code for finding in collection.diagnostics}


# ---- the grammar ----


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("lizzie", "KataGo 20b 47.9 15 1.3 18.2 move D4 visits 15 pv D4 pass pvVisits 15 3 info"),
        ("lizzie", "0.7 50.0 0"),
        ("percent", "48.1"),
        ("points", "-0.5"),
        ("comment_line", "Black's win rate: %15.4 visits: 507"),
        ("comment_line", "(LeelaZero / 1.2k playouts)"),
        ("comment_line", "* Score lead: -14.46"),
    ],
)
def test_lark_reads_what_the_generated_engine_reads(rule: str, text: str) -> None:
    parser = grammars.value(grammars.path("words/analysis"), rule)

    assert parser is not None
    assert parser.parse(text).data == rule


def test_the_page_names_the_program_of_each_example() -> None:
    page = Path(ROOT, GUIDES, "values.md").read_text(encoding="utf-8")

    assert all(expected.program in page for expected in JUDGED.values())
