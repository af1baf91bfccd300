"""Findings carry edits that put them right; of safe ones nothing else can be meant."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.said import message_of
from support.tables import table
from support.together import together

import sgf_lark
from sgf_lark.cli.main import app
from sgf_lark.core.api import fix as fixing
from sgf_lark.core.api.fix import Fixed, Fixing, apart, fix_record
from sgf_lark.core.check.selection import CheckOptions
from sgf_lark.core.findings.diagnostic import Diagnostic, Edit, Fix
from sgf_lark.core.findings.finding import Severity
from sgf_lark.core.fix import registry as fixes
from sgf_lark.core.fix.place import FIXERS, OF_TEXT

if TYPE_CHECKING:
    from pathlib import Path


def put_right(text: str, *, unsafe: bool = False) -> str:
    return fix_record(text.encode(), unsafe=unsafe, encoding="utf-8").data.decode()


#: What is wrong, what comes out, and the beginning of the message: of safe fixes, and of those
#: that need a person's eye.  Moves that are setup (online-go/online-go.com#3145) and setup that
#: is moves (#1725) have no message.
CASES = table("fix/fixes.jsonl")


def test_a_safe_fix_puts_it_right() -> None:
    with together() as each:
        for wrong, right, message in CASES["safe"]:
            with each(wrong):
                made = fix_record(wrong.encode(), encoding="utf-8").made

                assert put_right(wrong) == right
                assert any(one.fix and one.fix.message.startswith(message) for one in made)
                assert all(one.fix and one.fix.safe for one in made)
                assert put_right(right) == right


def test_another_fix_waits_to_be_asked_for() -> None:
    with together() as each:
        for wrong, right, message in CASES["unsafe"]:
            with each(wrong):
                made = fix_record(wrong.encode(), unsafe=True, encoding="utf-8").made

                assert put_right(wrong) == wrong
                assert put_right(wrong, unsafe=True) == right
                assert any(one.fix and one.fix.message.startswith(message) for one in made)
                assert put_right(right, unsafe=True) == right


@pytest.mark.parametrize(("wrong", "right"), CASES["stones"])
def test_stones_keep_their_color_and_order_when_moves_become_setup_or_setup_moves(
    wrong: str, right: str
) -> None:
    report = sgf_lark.check(io.StringIO(wrong))
    of_stones = [one for one in report if one.fix is not None]

    assert put_right(wrong) == wrong
    assert put_right(wrong, unsafe=True) == right
    assert len({(one.help, one.fix.edits) for one in of_stones if one.fix}) == 1


def test_lists_in_parts_are_merged_where_they_are_no_moves() -> None:
    for wrong, right in (
        ("(;FF[4];AW[dd]AB[pp]AW[qq])", "(;FF[4];AW[dd][qq]AB[pp])"),
        ("(;FF[4];B[aa];AW[dd]AB[pp][cc]AW[qq])", "(;FF[4];B[aa];AW[dd][qq]AB[pp][cc])"),
        ("(;FF[4];B[aa];AW[dd]AW[qq])", "(;FF[4];B[aa];AW[dd][qq])"),
    ):
        assert put_right(wrong) == right


def test_pl_for_the_side_that_plays_next_comes_after_the_move() -> None:
    assert put_right("(;FF[4];PL[W]B[aa]C[x])") == "(;FF[4];B[aa]C[x];PL[W])"
    assert put_right("(;FF[4];B[aa]PL[B])") == "(;FF[4];PL[B];B[aa])"


@pytest.mark.parametrize(
    "text",
    ["(;GM[2];LB[aa])", "(;FF[4]GM[11];AR[aa])", "(;FF[1]SZ[26];W[d3])", "(;FF[3]SZ[26];W[d3])",
     "(;FF[3]AB[ss:tt])", "(;FF[1]AE[as:at])"],
)  # fmt: skip
def test_values_that_their_format_cannot_say_get_no_fix(text: str) -> None:
    assert all(
        one.fix is None or one.name == "missing-format" for one in sgf_lark.check(io.StringIO(text))
    )


def test_a_fixer_that_fails_offers_no_fix_and_ends_no_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: object) -> None:
        raise ValueError

    monkeypatch.setattr(fixes, "GUARDED", True)
    monkeypatch.setitem(FIXERS, "repeated-point", fails)
    (one,) = sgf_lark.loads("(;FF[4]AB[aa][aa])", strict=False).diagnostics

    assert (one.name, one.fix) == ("repeated-point", None)


def test_the_encoding_that_a_file_declares_stays_what_it_is() -> None:
    for text, encoding in (
        ("(;FF[4]GM[1]CA[ISO-8859-2][x]PB[ąćę])", "iso-8859-2"),
        ("(;FF[4]GM[1]CA[GB18030][x]PB[古力])", "gb18030"),
        ("(;FF[4]GM[1]PB[André]C[Le café est fermé, le général est là];B[aa]CA[KOI8-R])", "cp1252"),
    ):
        data = text.encode(encoding)
        assert fix_record(data).data == data


def test_no_bracket_is_escaped_in_what_says_how_a_game_is_read() -> None:
    text = "(;FF[4]GM[2]SZ;;8]AB[e4][d5];B[f5])"

    assert put_right(text, unsafe=True).startswith("(;FF[4]GM[2]")


def test_a_tree_is_closed_after_a_name_without_value() -> None:
    assert put_right("(;FF[4]C") == "(;FF[4]C)"
    assert put_right("(;FF[4];B[aa]\n-- \nJohn") == "(;FF[4];B[aa])\n-- \nJohn"


def test_a_point_that_a_later_part_of_a_list_has_is_seen_before_the_parts_are_merged() -> None:
    report = sgf_lark.check(io.StringIO("(;FF[4]GM[1]SZ[19];AB[aa]AW[bb]AB[bb])"))

    assert [one.code for one in report] == ["T207", "T217"]


@pytest.mark.night
@pytest.mark.both_lanes
def test_many_names_in_lower_case_are_written_in_capitals_in_time() -> None:
    """Each name differs; one round fixes them all."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [f"X{a}{b}{c}" for a in letters for b in letters for c in letters][: amount(1000, 4000)]
    text = "(;FF[4]" + "".join(f";{name}[a]" for name in names) + ")"
    started = time.process_time()
    made = fix_record(text.encode())

    assert len(made.made) == len(names)
    assert time.process_time() - started < 6


def test_every_fix_has_an_example() -> None:
    seen = {
        one.name
        for wrong, _, _ in (*CASES["safe"], *CASES["unsafe"])
        for one in fix_record(wrong.encode(), unsafe=True, encoding="utf-8").made
    }
    untried = {"missing-pass", "markup-conflict", "territory-conflict", "repeated-line"}

    assert {*FIXERS, *OF_TEXT} - seen == untried


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]DT[5/6/1996])",
        "(;FF[4]DT[2-5 June 1996])",
        "(;FF[4]DT[31/1 May 1996])",
        "(;FF[4]RE[Black is better])",
        "(;FF[4]KM[six])",
        "(;FF[4]PB[Aoki]XX[anything];B[pd]AA[bb])",
        "From: somebody\n(;FF[4])\n-- \n",
    ],
)
def test_what_only_people_can_know_stays(text: str) -> None:
    assert put_right(text) == text


def test_diagnostics_carry_their_fix() -> None:
    (one,) = sgf_lark.loads("(;FF[4]KM[6,5])", strict=False).diagnostics

    assert one.fix == Fix(
        message="replace KM[6,5] with KM[6.5]",
        safe=True,
        edits=(Edit(offset=10, end_offset=13, replacement="6.5"),),
    )


def test_three_hundred_moves_in_a_node_get_their_own_nodes_at_once() -> None:
    text = "(;FF[4];" + "".join(f"B[a{letter}]" for letter in "abcdefghij" * 30) + ")"
    made = fix_record(text.encode(), unsafe=True)

    assert made.data.decode() == text.replace("]B", "];B")
    assert len(made.made) == 1


def test_a_pass_that_is_not_written_down_and_a_wrong_count_are_put_right() -> None:
    board = "BO[6 ------ ------ ----O* ------ ------ ------ *]"
    ggf = f"2 (;GM[Othello]PB[a]PW[b]TY[6]{board}B[d3]B[pa];)"
    passed = f"1 (;GM[Othello]PB[a]PW[b]TY[6]{board}B[d3]W[PA]B[pa];)"

    assert put_right(ggf) == ggf
    assert put_right(ggf, unsafe=True) == passed


def test_a_file_that_becomes_another_format_gets_its_ca_at_once() -> None:
    data = "(PB[é];FF[1])".encode()
    once = fix_record(data, unsafe=True).data

    assert fix_record(once, unsafe=True).data == once


# ---- encodings ----


def test_a_false_ca_of_a_file_in_utf_8_is_corrected() -> None:
    data = "(;FF[4]CA[GB2312]PB[古力先生和他的老师])".encode()

    assert fix_record(data).data == data.replace(b"GB2312", b"UTF-8")


def test_games_in_several_encodings_become_utf_8() -> None:
    first, second = "(;FF[4]CA[GB2312]PB[古力])", "(;FF[4]CA[Big5]PB[張栩])"
    data = first.encode("gb2312") + b"\n" + second.encode("big5")

    both = f"{first}\n{second}".replace("GB2312", "UTF-8").replace("Big5", "UTF-8")
    assert fix_record(data).data == both.encode()


def test_a_guessed_encoding_is_made_utf_8_only_on_demand() -> None:
    data = "(;FF[4]CA[foo]PB[本因坊秀策の打碁を集める])".encode("shift_jis")

    assert fix_record(data).data == data
    assert (
        fix_record(data, unsafe=True).data
        == data.decode("shift_jis").replace("foo", "UTF-8").encode()
    )


def test_bytes_that_are_no_character_keep_a_file_in_its_encoding() -> None:
    data = "(;FF[4]CA[GB2312]PB[古力先生和他的老师]".encode() + b"C[\xff]KM[6,5])"

    assert fix_record(data, unsafe=True).data == data.replace(b"6,5", b"6.5")


def test_bytes_that_are_no_character_are_kept_even_if_nobody_wants_to_hear_of_them() -> None:
    data = "(;FF[4]CA[GB2312]PB[古力先生和他的老师]".encode() + b"C[\xff]KM[6,5])"

    for ignore in ([], ["E404"]):
        assert fix_record(data, options=CheckOptions(ignore=ignore)).data == data.replace(
            b"6,5", b"6.5"
        )


# ---- what is fixed ----

MIXED = b"(;FF[4]GM[1]SZ[19]AP[GNU Go:3]GN[]KM[6,5])"


def test_only_what_is_grave_enough_is_fixed() -> None:
    errors = fix_record(MIXED, level="error")
    infos = fix_record(MIXED, level="info")

    assert errors.data == MIXED.replace(b"6,5", b"6.5")
    assert {one.code for one in errors.made} == {"V301"}
    assert errors.remaining == ()
    assert infos == fix_record(MIXED)
    assert b"GN[]" not in infos.data
    assert (
        fix_record(MIXED, level=Severity.ERROR, options=CheckOptions(info=["V301"])).data == MIXED
    )
    assert b"GN[]" not in fix_record(MIXED, level="warning", options=CheckOptions(warn=["D5"])).data
    with pytest.raises(ValueError, match="grave"):
        fix_record(MIXED, level="grave")  # type: ignore[arg-type]


def test_what_remains_is_told() -> None:
    (one,) = fix_record(b"(;FF[4]GM[1]SZ[19]KM[6,5];B[aa][bb])", level="error").remaining

    assert (one.code, one.is_fixable(), one.is_fixable(unsafe=True)) == ("T208", False, True)


def test_what_is_ignored_in_a_file_is_not_fixed_there() -> None:
    options = CheckOptions(per_file_ignores={"old/*": ["V301"]})

    assert b"6,5" in fix_record(MIXED, options=options, name="old/a.sgf").data
    assert b"6.5" in fix_record(MIXED, options=options, name="new/a.sgf").data


# ---- many at once ----


def diagnostic(*edits: tuple[int, int]) -> Diagnostic:
    (one,) = sgf_lark.loads("(;FF[4]KM[6,5])", strict=False).diagnostics
    made = tuple(Edit(offset=a, end_offset=b, replacement="x") for a, b in edits)
    return one.model_copy(update={"fix": Fix(message="", safe=True, edits=made)})


def test_fixes_that_meet_wait_for_each_other() -> None:
    first, second, third, fourth = (
        diagnostic((2, 4), (10, 12)),
        diagnostic((4, 4)),
        diagnostic((5, 6)),
        diagnostic((11, 20)),
    )

    assert apart([first, second, third, fourth]) == [first, third]
    assert apart([second, first]) == [second]


def test_overlapping_fixes_come_to_one_good_end() -> None:
    text = "(;FF[4]AP[X]AP[X];B[ aa ]AB[bb][ bb ]AB[bb]KM[6,5]C[]C[x]AP[X]"
    right = put_right(text)

    assert right == "(;FF[4]AP[X];B[aa]AB[bb]KM[6.5]C[x])"
    left = sgf_lark.loads(right, strict=False).diagnostics
    assert [(one.code, one.fix.safe) for one in left if one.fix] == [
        ("D502", False),
        ("T206", False),
    ]


def test_a_program_without_its_version_is_no_warning_and_gets_no_colon_by_default() -> None:
    text = b"(;FF[4]GM[1]SZ[19]AP[CGoban];B[pd])"
    (told,) = sgf_lark.loads(text).diagnostics

    assert (told.code, told.severity, told.is_fixable()) == ("D502", "info", False)
    assert fix_record(text).data == text
    assert fix_record(text, options=CheckOptions(strict=True)).data == text
    assert b"AP[CGoban:]" in fix_record(text, unsafe=True).data


PARTS = st.sampled_from(
    ["(", ")", ";", "B[aa]", "W[ bb ]", "AB[aa][aa]", "AB[bb", "C[x]", "C[]", "KM[6,5]", "b[cc]",
     "AP[X]", "SZ[19:19]", "]", "[", "\\", "FF[4]", "FF[3]", "PB[a\nb]", " ", "\n", "VW[]", "TE[1]",
     "BM[1]", "GM[2]", "DT[1.5.96]", "LB", "RE[b+1]", "B[]", "AW[bb:aa]"]
)  # fmt: skip


@settings(derandomize=True)
@given(parts=st.lists(PARTS, max_size=14), unsafe=st.booleans())
def test_fixing_anything_ends_and_what_is_fixed_stays(parts: list[str], unsafe: bool) -> None:  # noqa: FBT001
    text = "(;" + "".join(parts) + ")"
    once = put_right(text, unsafe=unsafe)

    assert put_right(once, unsafe=unsafe) == once


# ---- the command ----


def run(*arguments: object, text: bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["check", "--isolated", *map(str, arguments)], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sgf"
    path.write_text("(;FF[4]KM[6,5];B[aa][bb])")
    return path


def test_fix_writes_the_file_and_reports_what_is_left(file: Path) -> None:
    code, out, err = run("--fix", file, "--format", "concise")

    assert (code, err) == (1, "")
    assert file.read_text() == "(;FF[4]KM[6.5];B[aa][bb])"
    assert out == (
        f"{file}:1:22: T208 B has 2 values: expected one\n"
        "1 finding fixed in 1 file, 1 remaining\n"
        "1 file: 1 error; 1 info not shown (--level info)\n"
        "1 fixable with --fix --unsafe-fixes\n"
    )


def test_only_fix_writes(file: Path) -> None:
    before = file.read_bytes()
    wrong = message_of("V301", file.read_text())
    plain = run(file, "--format", "concise")
    unsafe = run("--unsafe-fixes", file, "--format", "concise")

    assert file.read_bytes() == before
    assert plain[:2] == (
        1,
        (
            f"{file}:1:11: V301 [*] {wrong}\n"
            f"{file}:1:22: T208 B has 2 values: expected one\n"
            "1 file: 2 errors; 1 info not shown (--level info)\n"
            "[*] 1 fixable with --fix, 1 more with --unsafe-fixes\n"
        ),
    )
    assert unsafe[:2] == (
        1,
        (
            f"{file}:1:11: V301 [*] {wrong}\n"
            f"{file}:1:22: T208 [*] B has 2 values: expected one\n"
            "1 file: 2 errors; 1 info not shown (--level info)\n"
            "[*] 2 fixable with --fix --unsafe-fixes\n"
        ),
    )


def test_unsafe_fixes_show_what_they_remove(file: Path) -> None:
    arguments = ("--fix", "--unsafe-fixes", "--show-fixes", file, "--format", "concise")
    code, out, err = run(*arguments)

    assert (code, out) == (
        0,
        (
            "2 findings fixed in 1 file, 0 remaining\n"
            "1 file: nothing wrong; 1 info not shown (--level info)\n"
        ),
    )
    assert err == (
        f"{file}:1:11: V301 replace KM[6,5] with KM[6.5]\n"
        f"{file}:1:22: T208 write the moves as setup: AB[aa][bb]\n"
    )
    assert file.read_text() == "(;FF[4]KM[6.5];AB[aa][bb])"


@pytest.mark.parametrize(
    ("options", "after"),
    [([], "KM[6.5];B[aa][bb]"), (["--unsafe-fixes"], "KM[6.5];AB[aa]"), (["--fix"], "KM[6.5]")],
)
def test_diff_shows_the_fixes_and_writes_nothing(
    file: Path, options: list[str], after: str
) -> None:
    before = file.read_bytes()
    code, out, err = run("--diff", *options, file)

    assert code == 1
    assert "-(;FF[4]KM[6,5];B[aa][bb])" in out
    assert f"+(;FF[4]{after}" in out
    assert "would be fixed in 1 file\n" in err
    assert file.read_bytes() == before
    assert run("--diff", "--exit-zero", file)[0] == 0
    assert run("--diff", "--select", "S", file) == (0, "", "nothing to fix\n")


def test_a_difference_has_colors_on_a_terminal(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run("--diff", file)[1]
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    colored = run("--diff", file)[1]

    assert "\x1b" not in plain
    assert "\x1b[31m-(;FF[4]KM[6,5]" in colored
    assert "\x1b[32m+(;FF[4]KM[6.5]" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain.expandtabs()


def test_what_is_piped_in_is_put_right_and_printed() -> None:
    assert run("--fix", "-", text=b"(;FF[4]KM[6,5]")[:2] == (0, "(;FF[4]KM[6.5])")
    assert run("--fix", "-", text=b"(;FF[4]KM[6,5]B[aa][bb]")[:2] == (1, "(;FF[4]KM[6.5]B[aa][bb])")


def test_what_is_not_shown_is_not_fixed(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_bytes(MIXED)
    clean = tmp_path / "b.sgf"
    clean.write_bytes(MIXED.replace(b"6,5", b"6.5"))

    for options in (
        ["--ignore", "V301"],
        ["--select", "S"],
        ["--info", "V301"],
        ["--unsafe-fixes"],
    ):
        run("--fix" if len(options) > 1 else "--exit-zero", *options, tmp_path)
        assert file.read_bytes() == MIXED
    run("--fix", tmp_path)
    assert file.read_bytes() == clean.read_bytes() == MIXED.replace(b"6,5", b"6.5")
    run("--fix", "--level", "info", "--select", "D503", file)
    assert file.read_bytes() == MIXED.replace(b"6,5", b"6.5").replace(b"GN[]", b"")
    run("--fix", "--strict", clean)
    assert b"GN[]" not in clean.read_bytes()


def test_settings_choose_what_is_fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    files = [tmp_path / "a.sgf", tmp_path / "old" / "a.sgf"]
    for one in files:
        one.write_bytes(MIXED.replace(b"GN[]", b"GN[]DT[1996-5-27]"))
    (tmp_path / "sgf-lark.toml").write_text(
        "level = 'info'\nignore = ['D503']\n[per-file-ignores]\n'old/*' = ['V301']\n"
    )
    CliRunner().invoke(app, ["check", "--fix", "."])
    new, old = (one.read_bytes() for one in files)

    assert b"GN[]DT[1996-05-27]KM[6.5]" in new
    assert b"GN[]DT[1996-05-27]KM[6,5]" in old


def test_settings_that_are_not_understood_end_the_run_before_anything_is_written(
    tmp_path: Path,
) -> None:
    (tmp_path / "z").mkdir()
    (tmp_path / "a.sgf").write_bytes(MIXED)
    (tmp_path / "z" / "a.sgf").write_bytes(MIXED)
    (tmp_path / "z" / "sgf-lark.toml").write_text("ignore = ['X999']")
    result = CliRunner().invoke(app, ["check", "--fix", str(tmp_path)])

    assert result.exit_code == 2
    assert "[F004 wrong-setting]" in result.stderr
    assert "the program failed" not in result.stderr
    assert (tmp_path / "a.sgf").read_bytes() == MIXED


def test_a_crash_in_one_file_is_a_finding_and_all_others_are_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fixing.fix_record

    def fails(data: bytes, **options: Any) -> Fixed:
        if b"fail" in data:
            raise IndexError("array index out of range")
        return real(data, **options)

    monkeypatch.setattr("sgf_lark.core.fix_record", fails)
    texts = ["(;FF[4]GM[1]SZ[19]C[fail]KM[6,5])", "(;FF[4]GM[1]SZ[19]KM[6,5])"]
    first, second = files = [tmp_path / "a.sgf", tmp_path / "b.sgf"]
    for path, text in zip(files, texts, strict=True):
        path.write_text(text)
    code, out, _ = run("--fix", tmp_path, "--format", "concise")

    why = "the program failed: IndexError: array index out of range"
    assert code == 2
    assert f"{first}:1:1: F005 this file could not be fixed, because {why}\n" in out
    assert f"{first}:1:29: V301 [*]" in out
    assert first.read_text() == texts[0]
    assert second.read_text() == texts[1].replace("6,5", "6.5")
    code, out, err = run("--diff", tmp_path)
    assert code == 2
    assert f"{first}: this file could not be fixed, because {why}; " in err


@pytest.mark.night
def test_a_kill_never_leaves_half_a_file_that_is_put_right(tmp_path: Path) -> None:
    old = b"(;FF[4]KM[6,5]" + b";B[ pd ]" * 500 + b")"
    new = fix_record(old).data
    assert b"KM[6.5]" in new
    chance = random.Random(2)  # noqa: S311  # chance, not secrets
    files = [tmp_path / f"{number}.sgf" for number in range(60)]
    for _ in range(4):
        for one in files:
            one.write_bytes(old)
        command = [
            sys.executable,
            "-m",
            "sgf_lark",
            "check",
            "--fix",
            "--show-fixes",
            str(tmp_path),
        ]
        process = subprocess.Popen(command, stderr=subprocess.PIPE)  # noqa: S603  # our own command
        assert process.stderr is not None
        process.stderr.readline()  # the first file is being written
        time.sleep(chance.random() * 0.3)
        process.kill()
        process.communicate(timeout=100)
        assert {one.read_bytes() for one in files} <= {old, new}


def test_ca_stands_in_the_root_whatever_a_value_of_it_has_swallowed() -> None:
    data = "(;FF[4]GM[1]SZ[19]PB[Müller]C[open;B[aa];W[bb])".encode()

    assert (
        fix_record(data).data.decode().startswith("(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[Müller]C[open;B")
    )
    right = "(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[Müller]C[open];B[aa];W[bb])"
    assert fix_record(data, unsafe=True).data.decode() == right
    assert fix_record("(;PB[Müller]FF[4])".encode()).data.decode() == "(;CA[UTF-8]PB[Müller]FF[4])"


def test_a_backslash_that_may_be_meant_stays() -> None:
    assert put_right("(;FF[4]C[C:\\games])", unsafe=True) == "(;FF[4]C[C:\\games])"


def test_a_date_whose_month_is_not_clear_stays() -> None:
    for date in ("3.4.1999", "04/03/1999", "13.13.1999", "31.2.1999", "1999-02-30"):
        assert put_right(f"(;FF[4]DT[{date}])", unsafe=True) == f"(;FF[4]DT[{date}])"


def test_what_a_fix_does_is_the_way_out_that_is_shown() -> None:
    for wrong, _, _ in (*CASES["safe"], *CASES["unsafe"]):
        for one in sgf_lark.check(io.StringIO(wrong)):
            assert one.help or one.fix is None


@pytest.mark.parametrize(
    ("data", "fixed"),
    [
        (b"\xff\xfe" + "(;FF[4]GM[1]SZ[9]C[a".encode("utf-16-le") + b"\x00", "[a])"),
        (b"\xff\xfe" + "(;FF[4]GM[1]SZ[9]C[a".encode("utf-16-le") + b"\x00\xdc", "[a])"),
        (b"\xef\xbb\xbf(;FF[4]GM[1]SZ[9]C[a\xe4", "[a])"),
    ],
)
def test_a_value_that_ends_in_half_a_character_is_closed_in_its_place(
    data: bytes, fixed: str
) -> None:
    result = fix_record(data, unsafe=True)

    assert sgf_lark.loads(result.data).text.endswith(fixed)
    assert fix_record(data).data == data
    titles = [finding.fix.message for finding in result.made if finding.fix]
    assert titles[0].startswith("remove the half character")
    assert fix_record(result.data, unsafe=True) == (result.data, (), result.remaining)


def test_bytes_at_the_end_that_are_more_than_half_a_character_stay() -> None:
    data = b"\xef\xbb\xbf(;FF[4]GM[1]SZ[9]C[a\xe4\xe4\xe4\xe4"

    assert fix_record(data, unsafe=True).data == data


def test_the_values_after_a_value_that_ran_on_are_no_text_of_it() -> None:
    data = b"(;FF[4];C[goodAB[bc][be]\nmove!])"

    assert fix_record(data, unsafe=True).data == b"(;FF[4];C[good]AB[bc][be]\nmove!])"


@pytest.mark.parametrize(
    "text", ["(;FF[4]AP)SZ[9]\nPL[W])", "(;FF[4]GM[1]AP)SZ[9](;B[aa])(;B[bb]))"]
)
def test_no_bracket_goes_that_parts_two_names(text: str) -> None:
    fixed = fix_record(text.encode(), unsafe=True).data

    assert sgf_lark.loads(fixed, strict=False)[0].root.raw["SZ"] == ("9",)


def test_the_bracket_that_is_missing_parts_no_word() -> None:
    data = "(;FF[4]CA[UTF-8]SZ[9]SÉ".encode()

    assert "SÉ".encode() in fix_record(data).data
    assert "SÉ".encode() in fix_record(data, unsafe=True).data


@pytest.mark.parametrize("head", ["FF[1]", "FF[4]"])
def test_more_values_of_ca_stay_where_the_encoding_is_declared(head: str) -> None:
    data = f"(;{head}CA[UTF-16LE][ie][ig]C[é])".encode()

    assert fix_record(data).data == data.replace(b"UTF-16LE", b"UTF-8")


def test_no_property_is_written_before_a_stray_bracket() -> None:
    data = b"(;FF[4]PB[yinGM[1]];B[aa]PW[yang])"

    assert fix_record(data, unsafe=True).data.endswith(b";B[aa]PW[yang])")


@pytest.mark.parametrize("head", ["", "FF[1]", "FF[3]", "FF[4]"])
@pytest.mark.parametrize("text", ["C[\x93a\x94 \x85]", "PB[\xc0\xee\xca\xc0\xca\xaf]"])
def test_a_record_saved_as_utf8_declares_it_and_is_done(head: str, text: str) -> None:
    data = f"(;{head}GM[1]SZ[9]{text})".encode("latin-1")
    result = fix_record(data, unsafe=True)

    chosen = fix_record(data, unsafe=True, options=CheckOptions(select=["E401"]))

    assert [finding.code for finding in chosen.made] == ["E401"]
    assert chosen.remaining == ()
    assert "E401" in [finding.code for finding in result.made]
    assert "E401" not in [finding.code for finding in result.remaining]
    assert b"CA[UTF-8]" in result.data
    assert fix_record(result.data, unsafe=True).made == ()


MANY = 300


@pytest.mark.parametrize(
    "node",
    [
        ";LN" + "[aa:aa]" * MANY,
        ";AR" + "".join(f"[a{chr(97 + at % 19)}:a{chr(97 + at % 19)}]" for at in range(MANY)),
        ";LN" + "[aa:aa][aa:bb]" * (MANY // 2),
        ";TR" + "[aa]" * MANY,
        ";AB" + "".join(f"[ a{chr(97 + at % 19)}]" for at in range(MANY)),
        ";AB" + "".join(f"[A{at % 19 + 1}]" for at in range(MANY)),
        ";" + "C[x] --- " * MANY,
        ";" + "".join(f"DT[{at % 28 + 1} May 1996]" for at in range(MANY)),
        ";" + "".join(f"BL[{at},5]" for at in range(MANY)),
    ],
)
def test_many_faults_of_two_nodes_are_fixed_in_a_few_rounds(
    node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = []
    read = Fixing._version  # noqa: SLF001

    def count(self: Fixing, data: bytes, encoding: str | None) -> object:
        versions.append(data)
        return read(self, data, encoding)

    monkeypatch.setattr(Fixing, "_version", count)
    sgf_lark.fix_record(f"(;FF[4]GM[1]SZ[19]{node}{node})".encode(), unsafe=True)

    assert 2 <= len(versions) <= 30
