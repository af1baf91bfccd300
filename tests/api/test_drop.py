"""``drop`` and ``sgf-lark fmt --drop``: comments, markup, variations ... are left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.lanes import amount

import sgf_lark
from sgf_lark import PropertyRule, PropertyTable, drop
from sgf_lark.cli.main import app
from sgf_lark.core.api.drop import known_kinds
from sgf_lark.core.schema.properties import COLORS, Category

pytestmark = pytest.mark.elsewhere

RECORD = "(;FF[4] GM[1]\nKM[6.5];B[aa]C[x]\nBL[1](;W[bb]LB[cc:1])\n(;W[cc](;B[dd])(;B[ee])))"


def dropped(text: str, *kinds: str) -> tuple[str, dict[str, int]]:
    collection, counts = drop(sgf_lark.loads(text, strict=False), *kinds)
    return sgf_lark.dumps(collection), dict(counts)


@pytest.mark.parametrize(
    ("kinds", "text", "counts"),
    [
        (["comments"], RECORD.replace("C[x]", ""), {"comments": 1}),
        (["times", "LB"], RECORD.replace("\nBL[1]", "").replace("LB[cc:1]", ""),
         {"times": 1, "LB": 1}),
        (["markup"], RECORD.replace("LB[cc:1]", ""), {"markup": 1}),
        (["LB", "markup"], RECORD.replace("LB[cc:1]", ""), {"LB": 1}),
        (["game-info"], RECORD.replace("\nKM[6.5]", ""), {"game-info": 1}),
        (["variations"], "(;FF[4] GM[1]\nKM[6.5];B[aa]C[x]\nBL[1](;W[bb]LB[cc:1]))",
         {"variations": 2}),
        (["private", "chat", "analysis", "territory"], RECORD, {}),
        ([], RECORD, {}),
    ],
)  # fmt: skip
def test_what_is_not_dropped_keeps_its_bytes(
    kinds: list[str], text: str, counts: dict[str, int]
) -> None:
    assert dropped(RECORD, *kinds) == (text, counts)


@pytest.mark.parametrize(
    ("text", "kind", "left"),
    [
        # No standard has it; that of another format of the game is known.
        ("(;FF[4]GM[1]XY[1]AP[x])", "private", "(;FF[4]GM[1]AP[x])"),
        ("(;FF[3]GM[1]XY[1]AP[x]LN[aa:bb])", "private", "(;FF[3]GM[1]AP[x]LN[aa:bb])"),
        ("(;FF[3]GM[1]XY[1]AP[x]LN[aa:bb])", "markup", "(;FF[3]GM[1]XY[1]AP[x])"),
        # Programs give some names another meaning, in games that do not have them.
        ("(;FF[4]GM[1]DP[3]CO[2];DI[4])", "private", "(;FF[4]GM[1];)"),
        ("(;FF[4]GM[6];DI[41]CO[b])", "private", "(;FF[4]GM[6];DI[41]CO[b])"),
        ("(;FF[4]GM[1]RD[2021-01-20]LT[1])", "private", "(;FF[4]GM[1])"),
        # What a program found, but not by names that anybody may use.
        ("(;FF[4]GM[1];B[aa]SBKV[48]V[1])", "analysis", "(;FF[4]GM[1];B[aa])"),
        ("(;FF[4]GM[6]AP[GNU Backgammon:1];A[x])", "analysis",
         "(;FF[4]GM[6]AP[GNU Backgammon:1];)"),
        ("(;FF[4]GM[6]AP[y:1];A[x])", "analysis", "(;FF[4]GM[6]AP[y:1];A[x])"),
        # In comments, too, beside what a person wrote.
        ("(;FF[4]GM[1];C[As Black:\n* Win rate: 9%\n* Visits: 1])", "analysis", "(;FF[4]GM[1];)"),
        ("(;FF[4]GM[1];C[Nice!\nAs White:\n* Visits: 1\nI lost.])", "analysis",
         "(;FF[4]GM[1];C[Nice!\nI lost.])"),
        ("(;FF[4]GM[1]AP[KaTrain:1];B[dd]C[Move 1: B D16\nScore: B+1\n\nNote: my move])",
         "analysis", "(;FF[4]GM[1]AP[KaTrain:1];B[dd]C[\nNote: my move])"),
        ("(;FF[4]GM[1]PC[KGS];C[a [5d\\]: hi\nb: hello\n]N[x])", "chat",
         "(;FF[4]GM[1]PC[KGS];N[x])"),
        ("(;FF[4]GM[1]PC[x];C[a [5d\\]: hi])", "chat", "(;FF[4]GM[1]PC[x];C[a [5d\\]: hi])"),
        # Parts of a move of GGF.
        ("(;GM[Othello]TI[5]B[d3/1.5/2]W[c5//3]B[d6/2];)", "times",
         "(;GM[Othello]B[d3/1.5]W[c5]B[d6/2];)"),
        ("(;GM[Othello]TI[5]B[d3/1.5/2]W[c5//3]B[d6/2];)", "analysis",
         "(;GM[Othello]TI[5]B[d3//2]W[c5//3]B[d6];)"),
    ],
)  # fmt: skip
def test_a_kind_is_what_tables_and_known_programs_say(text: str, kind: str, left: str) -> None:
    assert dropped(text, kind)[0] == left


def test_no_kind_has_moves_setup_or_what_a_game_is_read_by() -> None:
    needed = {
        rule.ident: rule
        for rule in PropertyTable.standard()
        if rule.category in {Category.SETUP, Category.ROOT} or rule.ident in COLORS
    }
    for rule in needed.values():
        assert {*rule.groups, rule.category}.isdisjoint(known_kinds())


def test_a_property_of_a_custom_table_is_private() -> None:
    table = PropertyTable.standard().extend(PropertyRule(format="FF4", ident="TU", type="real"))
    game = sgf_lark.loads("(;FF[4]GM[1]TU[1])", table=table)

    assert drop(game, "private").counts == Counter({"private": 1})


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            "coments",
            "no kind is called 'coments'; did you mean 'comments'?; the kinds are analysis",
        ),
        ("xyz", "no kind is called 'xyz'; the kinds are analysis"),
        ("B", "B cannot be dropped: the game would be another one"),
        ("SZ", "SZ cannot be dropped"),
    ],
)
def test_what_cannot_be_dropped_is_an_error(kind: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be dropped|no kind") as caught:
        drop(sgf_lark.loads("(;FF[4])"), kind)

    assert str(caught.value).startswith(message)


@pytest.mark.night
@pytest.mark.both_lanes
def test_a_game_of_any_depth_gets_shorter() -> None:
    count = amount(5_000, 100_000)
    nested = "(;B[aa]C[x]" * count + ")" * count

    assert dropped(f"(;FF[4]GM[1]{nested}(;W[bb]))", "comments", "variations") == (
        f"(;FF[4]GM[1]{nested.replace('C[x]', '')})",
        {"comments": count, "variations": 1},
    )


# ---- the command ----


def run(*arguments: object, text: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["fmt", *map(str, arguments)], input=text)
    return result.exit_code, result.stdout, result.stderr


def test_files_without_comments_are_written_and_what_went_is_counted(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.sgf").write_text(RECORD)
    options = ("--drop", "comments,variations", "--drop=times", "--keep-layout")

    code, _, said = run(tmp_path, *options, "--check")
    assert code == 1
    assert said.splitlines()[-1] == (
        "2 files would be written; would drop 2 comments, 4 variations, 2 properties (times)"
    )
    assert (tmp_path / "a.sgf").read_text() == RECORD

    code, _, said = run(tmp_path, *options, "--jobs", "2")
    assert code == 0
    assert said.splitlines()[-1] == (
        "2 files written; dropped 2 comments, 4 variations, 2 properties (times)"
    )
    assert (tmp_path / "b.sgf").read_text() == ("(;FF[4] GM[1]\nKM[6.5];B[aa](;W[bb]LB[cc:1]))")
    assert run(tmp_path, *options)[2] == "2 files unchanged; dropped nothing\n"


def test_without_keep_layout_the_rest_gets_the_layout_of_fmt() -> None:
    assert run("-", "--drop", "variations,C", "--nodes", 9, text=RECORD) == (
        0,
        "(;FF[4]GM[1]\nKM[6.5]\n;B[aa]BL[1];W[bb]LB[cc:1]\n)\n",
        "1 file written; dropped 2 variations, 1 property (C)\n",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--drop", "coments"], "error: --drop: no kind is called 'coments'; did you mean"),
        (["--drop", "B,C"], "error: --drop: B cannot be dropped"),
        (["--keep-layout"], "error: --keep-layout: there is nothing to leave out: add --drop"),
    ],
)
def test_a_wrong_kind_is_an_error_before_anything_is_read(options: list[str], message: str) -> None:
    code, _, said = run("-", *options, text=RECORD)

    assert code == 2
    assert said.startswith(message)


def test_a_broken_file_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;FF[4]C[x];B[aa]")

    code, _, said = run(file, "--drop", "comments", "--keep-layout")

    assert code == 1
    assert said.endswith("1 file skipped (syntax errors); dropped nothing\n")
    assert file.read_text() == "(;FF[4]C[x];B[aa]"
