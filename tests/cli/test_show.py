"""The command ``sgf-lark show``, as it is typed: what it draws, and what it says instead."""

from __future__ import annotations

import io
import os
import re
import sys
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.places import RECORDS

from sgf_lark import loads
from sgf_lark.cli.main import app
from sgf_lark.files.paths import SUFFIXES

#: Two games; the first one has a comment, a variation, and moves with numbers of their own.
GAMES = (
    "(;FF[4]GM[1]SZ[9]PB[Aoki]PW[Park]RE[B+R];B[ee];W[cc]C[A quiet move.](;B[gc];W[gg])(;B[cg]))"
    "(;FF[4]GM[2];B[d3];W[c5])"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    Path("a.sgf").write_text(GAMES, encoding="utf-8")
    return tmp_path


def show(*arguments: str, data: bytes = b"") -> tuple[int, bytes, str]:
    """Exit code, standard output, and standard error."""
    done = CliRunner().invoke(app, ["show", *arguments], input=data)
    if not isinstance(done.exception, SystemExit | None):
        raise done.exception
    return done.exit_code, done.stdout_bytes, done.stderr


def shown(*arguments: str) -> str:
    """The output of a command that finds nothing to complain about."""
    code, out, err = show(*arguments)
    assert (code, err) == (0, "")
    return out.decode()


def refused(*arguments: str, data: bytes = b"") -> str:
    """The message of a command that shows nothing."""
    before = {one.name for one in Path().iterdir()}
    code, out, err = show(*arguments, data=data)
    assert (code, out) == (2, b"")
    assert {one.name for one in Path().iterdir()} == before
    return err


# ---- which position ----


def test_the_last_position_of_the_main_line_is_shown_as_text() -> None:
    text = shown("a.sgf")

    assert text.startswith("Aoki vs. Park\n\nmove 4 of 4\n")
    assert loads(GAMES)[0].at("4").diagram().text() in text


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (["a.sgf", "--move", "2"], "2"),
        (["a.sgf", "--move", "0"], "0"),
        (["a.sgf", "--move", "last"], "4"),
        (["a.sgf@2"], "2"),
        (["a.sgf#1@2.1"], "2.1"),
        (["a.sgf@2.1", "--move", "2"], "2"),
        (["a.sgf@1", "--move", "last"], "4"),
        (["a.sgf", "--numbers", "1-3"], "3"),
    ],
)
def test_a_move_and_a_path_choose_the_position(arguments: list[str], path: str) -> None:
    numbers = arguments[-1] if "--numbers" in arguments else None

    assert loads(GAMES)[0].at(path).diagram(numbers=numbers).text() in shown(*arguments)


def test_games_are_counted_from_1() -> None:
    assert shown("a.sgf#2").startswith("Othello\n\nmove 2 of 2\n")


def test_the_comment_of_the_node_is_below_its_board() -> None:
    assert shown("a.sgf@2").endswith("\n\nA quiet move.\n")


def test_a_file_whose_name_has_a_number_sign_is_found() -> None:
    Path("a#1@2.sgf").write_text(GAMES, encoding="utf-8")

    assert "move 4 of 4" in shown("a#1@2.sgf")
    assert "move 2 of 4" in shown("a#1@2.sgf#1@2")


def test_standard_input_is_a_record_as_well() -> None:
    assert show("-", data=GAMES.encode()) == show("a.sgf")
    code, out, _ = show("--", "-#2", data=GAMES.encode())

    assert code == 0
    assert out.startswith(b"Othello\n")


def test_encoding_and_format_can_be_given() -> None:
    Path("b.sgf").write_bytes("(;GM[1]SZ[9]PB[青木])".encode("shift_jis"))

    assert shown("b.sgf", "--encoding", "shift_jis", "--as", "ff3").startswith("青木 vs. ?\n")


def test_a_part_of_the_board_is_shown() -> None:
    last = loads(GAMES)[0].at("4")

    assert last.diagram(crop="aa-ee").text() in shown("a.sgf", "--range", "aa-ee")
    assert last.diagram(crop="auto").text() in shown("a.sgf", "--range", "auto")


@pytest.mark.parametrize("form", ["text", "svg", "html"])
def test_any_form_is_shown_without_coordinates(form: str) -> None:
    bare = loads(GAMES)[0].at("4").diagram().model_copy(update={"coordinates": False})
    drawn = bare.text() if form == "text" else re.findall(r'viewBox="[^"]*"', bare.svg())[0]
    page = shown("a.sgf", "--no-coordinates", "--move", "last", "--format", form)

    assert drawn in page
    assert drawn not in shown("a.sgf", "--move", "last", "--format", form)


@pytest.mark.parametrize("form", ["text", "svg", "html"])
def test_a_number_takes_the_place_of_a_label_that_is_not_shown(form: str) -> None:
    labeled = "(;FF[4]GM[1]SZ[9];B[ee];W[cc]LB[ee:Q][gg:Z])"
    Path("labeled.sgf").write_text(labeled, encoding="utf-8")
    node = loads(labeled)[0].at("2")
    bare, full = node.diagram(numbers="all", labels=False), node.diagram(numbers="all")
    drawn = [
        [one.text()] if form == "text" else re.findall(r"<path[^>]*>", one.svg())
        for one in (bare, full)
    ]
    asked = ("labeled.sgf", "--numbers", "all", "--format", form)

    assert [number.number for number in bare.numbers] == [1, 2]
    assert [number.number for number in full.numbers] == [2]
    for switch, (own, other) in zip(("--no-labels", "--labels"), (drawn, drawn[::-1]), strict=True):
        page = shown(*asked, switch)
        assert all(part in page for part in own)
        assert not all(part in page for part in other)


@pytest.mark.parametrize("labels", [True, False])
def test_figures_have_numbers_where_labels_are_not_shown(*, labels: bool) -> None:
    (figure,) = loads("(;FF[4]GM[1]SZ[9];B[ee];W[cc]LB[ee:Q])")[0].figures(labels=labels)

    assert {number.number for number in figure.diagram.numbers} == ({2} if labels else {1, 2})
    assert [label.text for label in figure.diagram.labels] == (["Q"] if labels else [])


def test_headings_and_facts_are_shown_in_other_languages() -> None:
    page = shown("a.sgf", "--format", "html", "--language", "de")

    assert '<html lang="de">' in page
    assert "Schwarz gewinnt durch Aufgabe" in page
    assert "Variante 1a nach Zug 2" in page
    assert "\nZug 2 von 4\n" in shown("a.sgf", "--move", "2", "--language", "de")
    assert "\nmove 2 of 4\n" in shown("a.sgf", "--move", "2")


def test_no_other_language_where_words_are_english() -> None:
    assert "not for svg" in refused("a.sgf", "--format", "svg", "--language", "de")
    assert "--viewer" in refused("a.sgf", "--format", "html", "--viewer", "--language", "de")


# ---- figures ----


def test_figures_are_shown_with_comments_and_variations() -> None:
    text = shown("a.sgf", "--figures")

    assert "Figure 1 (1-4)\n" in text
    assert "Move 2: A quiet move." in text
    assert "Variation 1a after move 2 (3)\n" in text


def test_html_shows_all_figures_and_one_position_on_request() -> None:
    assert shown("a.sgf", "--format", "html").count("<svg") == 2
    assert shown("a.sgf", "--format", "html", "--move", "2").count("<svg") == 1


def test_a_viewer_shows_all_games_of_a_file_or_the_one_that_is_named() -> None:
    assert shown("a.sgf", "--format", "html", "--viewer").rstrip("\n") == (
        loads(GAMES).viewer().html.rstrip("\n")
    )
    shown("a.sgf#2", "--viewer", "-o", "b.html", "--theme", "dark")
    assert Path("b.html").read_text(encoding="utf-8") == loads(GAMES)[1].viewer("dark").html


def test_a_viewer_has_no_labels_and_no_coordinates_on_request() -> None:
    Path("b.sgf").write_text("(;FF[4]SZ[9]LB[cc:\u4e2d](;B[aa])(;B[bb]))", encoding="utf-8")
    view = partial(shown, "b.sgf", "--format", "html", "--viewer")

    assert all(word in view() for word in ('"labels"', "\u4e2d"))
    assert not any(word in view("--no-labels") for word in ('"labels"', "\u4e2d"))
    boxes = [re.findall(r'"box": "([^"]*)"', html) for html in (view(), view("--no-coordinates"))]
    assert boxes[0] != boxes[1]


def test_several_pictures_are_several_files() -> None:
    assert shown("a.sgf", "--figures", "-o", "figure.svg") == ""

    assert Path("figure-1.svg").read_text(encoding="utf-8").startswith("<svg")
    assert Path("figure-2.svg").exists()
    assert not Path("figure.svg").exists()


@pytest.mark.parametrize(
    ("split", "heads"),
    [
        ("fg", ["Figure 1 (1-4)"]),
        ("FG", ["Figure 1 (1-4)"]),
        ("comments", ["Figure 1 (1-2)", "Figure 2 (3-4)"]),
        ("3", ["Figure 1 (1-3)", "Figure 2 (4)"]),
    ],
)
def test_figures_are_divided_at_comments_or_after_moves(split: str, heads: list[str]) -> None:
    text = shown("a.sgf", "--figures", "--split", split)

    assert [line for line in text.split("\n") if line.startswith("Figure") and "," not in line] == (
        heads
    )
    pages = [
        shown("a.sgf", "--format", "html", *more, "--split", split) for more in ([], ["--figures"])
    ]
    assert pages[0] == pages[1]
    assert heads[-1] in pages[0]


# ---- several records ----

PROBLEM = "(;FF[4]GM[1]SZ[9]AB[ab][bb]AW[bc];B[aa];W[ba])"


def test_a_folder_is_one_page_of_all_its_games() -> None:
    Path("sheet").mkdir()
    Path("sheet/1.sgf").write_text(PROBLEM, encoding="utf-8")
    Path("sheet/2.sgf").write_text(PROBLEM + GAMES, encoding="utf-8")

    text = shown("sheet", "--figures")

    heads = ("4 games", "Problem 1: Black", "Problem 2: Black", "2: solution", "3. Aoki", "4. Oth")
    places = [text.index(words) for words in heads]
    assert places == sorted(places)
    assert shown("sheet/1.sgf", "sheet/2.sgf", "--figures") == text
    assert shown("sheet", "--format", "html").count("<svg") == 7


def test_all_games_of_a_file_or_some_of_several_are_one_page() -> None:
    text = shown("a.sgf#all")
    assert text.startswith("2 games\n\n1. Aoki vs. Park\n\nmove 4 of 4\n")
    assert "2. Othello\n\nmove 2 of 2\n" in text

    text = shown("a.sgf#2", "a.sgf@2")
    assert "1. Othello\n\nmove 2 of 2\n" in text
    assert "2. Aoki vs. Park\n\nmove 2 of 4\n" in text


def test_a_game_without_a_board_is_named_among_others() -> None:
    Path("b.sgf").write_text("(;FF[4]GM[13]PB[A]PW[B])", encoding="utf-8")

    code, out, err = show("a.sgf#1", "b.sgf", "--format", "html")

    assert (code, out.count(b"<svg")) == (0, 2)
    assert err.startswith("b.sgf: not drawn: no ")
    assert b"2. A vs. B" in out


def test_a_folder_without_records_is_a_clear_error() -> None:
    Path("empty").mkdir()

    assert "cannot read empty: " in refused("empty")


# ---- forms ----


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.svg", b"<svg"),
        ("a.png", b"\x89PNG"),
        ("a.pdf", b"%PDF"),
        ("a.html", b"<!DOCTYPE html>"),
        ("A.HTM", b"<!DOCTYPE html>"),
        ("a.txt", b"Aoki vs. Park"),
    ],
)
def test_the_suffix_of_the_output_tells_the_form(name: str, start: bytes) -> None:
    assert shown("a.sgf", "-o", name) == ""
    assert Path(name).read_bytes().startswith(start)


def test_the_form_can_be_given() -> None:
    assert shown("a.sgf", "--format", "svg", "-o", "picture") == ""
    assert Path("picture").read_bytes().startswith(b"<svg")
    assert shown("a.sgf", "--format", "svg", "-o", "-").startswith("<svg")
    assert show("a.sgf", "--format", "png")[1].startswith(b"\x89PNG")


def test_the_theme_changes_the_colors() -> None:
    light, dark = (shown("a.sgf", "--format", "svg", "--theme", one) for one in ("light", "dark"))

    assert light != dark
    assert 'data-theme="dark"' in shown("a.sgf", "--format", "html", "--theme", "dark")


@pytest.mark.parametrize("more", [[], ["--animate"]])
def test_the_size_is_the_width_of_an_svg(more: list[str]) -> None:
    svg = shown("a.sgf", "--format", "svg", "--size", "300", *more)

    assert ' width="300"' in svg.partition(">")[0]


@pytest.mark.parametrize(
    ("record", "arguments", "size"),
    [
        ("(;GM[1]SZ[9];B[ee])", ["--size", "333"], (333, 337)),
        ("(;GM[1]SZ[9];B[ee])", [], (446, 452)),
        ("(;GM[1]SZ[50];B[ee])", [], (1600, None)),
        ("(;GM[1]SZ[2:50];B[bb])", [], (117, 1592)),
    ],
)
def test_a_png_has_44_pixels_a_cell_or_the_size_that_is_asked_for(
    record: str, arguments: list[str], size: tuple[int | None, int | None]
) -> None:
    Path("b.sgf").write_text(record, encoding="utf-8")

    data = show("b.sgf", "--format", "png", *arguments)[1]

    real = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    assert max(real) <= 1600
    for asked, pixels in zip(size, real, strict=True):
        assert asked is None or abs(asked - pixels) <= 1


def test_every_figure_has_the_size() -> None:
    shown("a.sgf", "--figures", "--size", "200", "-o", "figure.png")

    widths = [int.from_bytes(one.read_bytes()[16:20]) for one in Path().glob("figure-*.png")]
    assert widths == [200, 200]


def test_a_png_that_would_be_too_high_is_a_clear_error() -> None:
    Path("b.sgf").write_text("(;GM[1]SZ[1:200];B[aa])", encoding="utf-8")

    message = refused("b.sgf", "--format", "png", "--size", "500")

    assert "--size 500: the png would be more than 5000 pixels high" in message


def test_an_animated_svg_plays_the_moves() -> None:
    animated = shown("a.sgf", "--format", "svg", "--animate", "--range", "auto")

    assert animated.count("@keyframes") > 2
    box = animated.partition('viewBox="')[2].partition('"')[0]
    still = shown("a.sgf", "--format", "svg", "--range", "auto")
    assert f'viewBox="{box}"' in still


def test_an_animation_has_an_end() -> None:
    Path("b.sgf").write_text("(;FF[4]GM[1]SZ[9]" + ";B[]" * 2001 + ")", encoding="utf-8")

    message = refused("b.sgf", "--format", "svg", "--animate")

    assert "--animate: more than 2000 moves up to here: choose a position by --move" in message


def test_a_terminal_without_unicode_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", stream)

    app(["show", "a.sgf"], standalone_mode=False)

    stream.flush()
    text = stream.buffer.getvalue().decode()
    assert loads(GAMES)[0].at("4").diagram().text("ascii") in text


# ---- what cannot be shown ----


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["b.sgf"], "cannot read b.sgf: no such file or directory"),
        (["b.sgf#2"], "cannot read b.sgf: no such file or directory"),
        (["a.sgf#3"], "a.sgf: no game '3': it has 2 games, counted from 1"),
        (["a.sgf#0"], "a.sgf: no game '0': it has 2 games, counted from 1"),
        (["a.sgf#x"], "a.sgf: no game 'x': it has 2 games, counted from 1"),
        (["a.sgf#"], "a.sgf: no game '': it has 2 games, counted from 1"),
        (["a.sgf@"], "a.sgf@: there is no node at the path ''"),
        (["a.sgf@9"], "a.sgf@9: there is no node at the path '9'"),
        (["a.sgf@2.7/1"], "a.sgf@2.7/1: there is no node at the path '2.7/1'"),
        (["a.sgf", "--move", "5"], "a.sgf: no move '5': the line has 4 moves"),
        (["a.sgf", "--move", "first"], "a.sgf: no move 'first': the line has 4 moves"),
        (["a.sgf", "--move", "9" * 5000], "the line has 4 moves"),
        (["a.sgf", "--numbers", "3-7"], "a.sgf: no move '7': the line has 4 moves"),
        (["a.sgf", "--numbers", "many"], "no numbers 'many'"),
        (["a.sgf", "--range", "aa"], "no range 'aa'"),
        (["a.sgf", "--range", "aa-zz"], "no point 'zz'"),
        (["a.sgf", "-o", "a.gif"], "a.gif: the suffix '.gif' is none of"),
        (["a.sgf", "-o", "a.sgf", "--format", "svg"], "a.sgf: this file is the input"),
        (["a.sgf", "-o", "no/a.svg"], "cannot write no/a.svg: no such file or directory"),
        (["a.sgf", "--figures", "--move", "3"], "--figures shows all of the game"),
        (["a.sgf@3", "--figures"], "--figures shows all of the game"),
        (["a.sgf", "--figures", "--format", "svg"], "name them with -o"),
        (["a.sgf", "--split", "9"], "--split divides a game into figures: add --figures"),
        (["a.sgf@2", "--format", "html", "--split", "fg"], "--split divides a game"),
        (["a.sgf", "--figures", "--split", "0"], "--split: no division '0': expected fg, comments"),
        (["a.sgf", "--figures", "--split", "often"], "--split: no division 'often'"),
        (["a.sgf", "--size", "300"], "--size is for svg and png, not for text"),
        (["a.sgf", "--format", "html", "--size", "300"], "--size is for svg and png, not for html"),
        (["a.sgf", "--format", "svg", "--size", "0"], "--size"),
        (["a.sgf", "--format", "png", "--size", "5001"], "--size"),
        (["a.sgf", "--animate"], "--animate is for one position as svg"),
        (["a.sgf", "--theme", "dark"], "--theme is for svg, png and html, not for text"),
        (["a.sgf", "--viewer"], "--viewer is a page of all positions: add --format html"),
        (["a.sgf@1", "--format", "html", "--viewer"], "remove what chooses some"),
        (["a.sgf", "--format", "html", "--viewer", "--move", "1"], "remove what chooses some"),
        (["a.sgf", "--format", "html", "--viewer", "--split", "5"], "remove what chooses some"),
        (["a.sgf", "--format", "html", "--viewer", "--range", "auto"], "remove what chooses some"),
        (["a.sgf", "--as", "ff9"], "ff9"),
        (["a.sgf", "--encoding", "klingon"], "klingon"),
        (["a.sgf", "--format", "gif"], "gif"),
        ([os.devnull], "there is no game in it"),
        (["a.sgf", "a.sgf", "-o", "b.svg"], "several games make one page: html, pdf or text"),
    ],
)
def test_bad_input_is_a_clear_error_and_nothing_is_written(
    arguments: list[str], message: str
) -> None:
    assert message in refused(*arguments)


def test_binary_forms_are_not_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgf_lark.cli.commands.show.writes_to_terminal", lambda: True)

    assert "pdf is not for terminals: write a file with -o" in refused("a.sgf", "--format", "pdf")
    assert "png is not for terminals" in refused("a.sgf", "--format", "png")


@pytest.mark.parametrize(
    ("form", "module", "package"), [("pdf", "typst", "typst"), ("png", "resvg_py", "resvg-py")]
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, form: str, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    message = (
        f"error: {form.upper()} needs {package} (extra {form}):  pip install 'sgf_lark[{form}]'\n"
    )
    assert refused("a.sgf", "-o", f"a.{form}") == message


def test_a_game_without_a_board_says_so() -> None:
    Path("b.sgf").write_text("(;FF[4]GM[13]PB[A])", encoding="utf-8")

    for form in ("text", "svg", "png", "pdf", "html"):
        assert refused("b.sgf", "--format", form).startswith("error: b.sgf: ")


def test_a_damaged_record_draws_what_can_be_drawn_and_says_what_not() -> None:
    Path("b.sgf").write_text(
        "(;FF[4]GM[1]SZ[9];B[ee];W[zz]TR[cc][yy];B[ff]CR[xx]", encoding="utf-8"
    )

    code, out, err = show("b.sgf")

    assert code == 0
    assert "move 3 of 3" in out.decode()
    assert "b.sgf: 1 error of syntax or encoding: see sgf-lark check" in err
    assert "b.sgf: not drawn: " in err
    assert "xx" in err


def test_control_characters_of_a_record_do_not_reach_a_terminal() -> None:
    Path("b.sgf").write_text(
        "(;FF[4]GM[1]SZ[9]PB[\x1b[31m\\]red];B[ee]C[\x07bell])", encoding="utf-8"
    )

    text = show("b.sgf")[1].decode()

    assert "\x1b" not in text
    assert "\x07" not in text


def test_every_sample_record_is_shown() -> None:
    for file in (one for one in RECORDS.iterdir() if one.suffix in SUFFIXES):
        code, out, _ = show(str(file))
        assert (code, bool(out)) == (0, True), file


def test_of_a_problem_the_position_is_shown_and_of_a_game_the_last_board(tmp_path: Path) -> None:
    problem, game = tmp_path / "problem.sgf", tmp_path / "game.sgf"
    problem.write_text("(;FF[4]GM[1]SZ[5]AB[ba][bb]AW[aa]C[Black to play];B[ab];W[ac])")
    game.write_text("(;FF[4]GM[1]SZ[5]PB[Ann];B[ab];W[ac])")

    assert "start\n" in shown(str(problem))
    assert "move 2 of 2\n" in shown(str(problem), "--move", "last")
    assert "move 2 of 2\n" in shown(str(game))
