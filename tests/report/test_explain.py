"""What `sgf-lark explain` says of codes and properties."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len
from support.together import together

from sgf_lark import GAMES, RULES, PropertyTable
from sgf_lark.cli.commands.explain import find_setting
from sgf_lark.cli.main import app
from sgf_lark.core.check.producers import PRIVATE, known_producers
from sgf_lark.core.findings.catalogue import catalogue, table
from sgf_lark.core.findings.finding import GROUPS
from sgf_lark.report.explain import (
    ABOUT,
    SOURCES,
    GroupPage,
    PropertyPage,
    RulePage,
    UnknownError,
    explain,
    page_as_markdown,
    page_as_text,
    private_properties,
)
from sgf_lark.settings.settings import Settings
from sgf_lark.settings.tables import ConvertSettings, FmtSettings


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["explain", *arguments], catch_exceptions=False)


# ---- codes ----


@pytest.mark.parametrize("word", ["T210", "t210", "two-moves", "Two-Moves"])
def test_a_code_and_a_name_give_the_entry(word: str) -> None:
    result = run(word)
    entry = catalogue()["T210"]

    assert result.exit_code == 0
    assert result.stdout.startswith("T210 two-moves: moves of both colors in one node\n\n")
    for text in (entry.meaning, entry.why, entry.fix, *entry.wrong, *entry.right):
        assert " ".join(text.split()) in " ".join(result.stdout.split())


def test_every_rule_can_be_explained_in_every_form() -> None:
    with together() as each:
        for rule in RULES.values():
            with each(rule.code):
                page = explain(rule.code)

                assert isinstance(page, RulePage)
                assert page.rule is rule
                assert page.data()["name"] == page.rule.name
                assert page_as_markdown(page).startswith(f"# {page.rule.code} {page.rule.name}: ")
                assert (
                    max(map(cell_len, page_as_text(page).splitlines())) <= 88
                    or page.entry is not None
                )


@pytest.mark.parametrize("word", ["T", "structure", "T2"])
def test_a_group_is_a_list_of_its_rules(word: str) -> None:
    page = explain(word)

    assert isinstance(page, GroupPage)
    assert [one.code for one in page.rules] == [
        rule.code for rule in RULES.values() if rule.code.startswith("T2")
    ]
    assert run(word).stdout.startswith("T structure: properties in the wrong place")


def test_every_group_is_described() -> None:
    assert ABOUT.keys() == GROUPS.keys() == {rule.code[0] for rule in RULES.values()}


def test_without_a_name_all_rules_are_listed() -> None:
    text = run().stdout

    for rule in RULES.values():
        assert f"  {rule.code} {rule.name}" in text
    assert run("--format", "markdown").stdout == table() + "\n"
    items = json.loads(run("--format", "json").stdout)["rules"]
    assert [one["code"] for one in items] == [rule.code for rule in RULES.values()]


def test_json_has_the_whole_entry() -> None:
    found = json.loads(run("T210", "--format", "json").stdout)
    entry = catalogue()["T210"]

    assert found["kind"] == "rule"
    assert (found["code"], found["severity"], found["group"]) == ("T210", "error", "structure")
    assert found["wrong"] == list(entry.wrong)
    assert (found["why"], found["strict"]) == (entry.why, False)


def test_a_strict_rule_says_so() -> None:
    strict = next(rule for rule in RULES.values() if rule.strict)

    assert "only with --strict" in run(strict.code).stdout
    assert "only with --strict" not in run("V301").stdout


def test_bytes_are_shown_in_letters_of_ascii() -> None:
    assert "\\xff" in run("E404").stdout


# ---- properties ----


@pytest.mark.parametrize("word", ["KM", "km", "Komi", "komi", "KoMi"])
def test_a_property_goes_by_its_identifier_and_its_name(word: str) -> None:
    assert run(word).stdout == (
        "KM: Komi\n"
        "\n"
        "Go in FF[1], FF[3] and FF[4]\n"
        "  where   a game-info property: once on each path of a game\n"
        "  values  one value: a komi such as 6.5\n"
        "  source  FF[1]; FF[3]; FF[4], page go\n"
        "\n"
        "GGF\n"
        "  where   a game-info property: once on each path of a game\n"
        "  values  one value: a komi such as 6.5\n"
        "  form    view of the first color\n"
        "  source  the GGF page\n"
    )


def test_a_long_name_of_ff1_is_its_capitals() -> None:
    page = explain("PlayerBlack")

    assert isinstance(page, PropertyPage)
    assert page.ident == "PB"


@pytest.mark.night
def test_every_property_can_be_explained_in_every_form() -> None:
    with together() as each:
        for ident in sorted({one.ident for one in PropertyTable.standard()}):
            with each(ident):
                page = explain(ident)

                assert isinstance(page, PropertyPage)
                assert [one["ident"] for one in page.data()["rules"]] == [ident] * len(page.rows)
                assert page_as_text(page).startswith(f"{ident}: ")
                assert page_as_markdown(page).startswith(f"# {ident}: ")
                assert max(map(cell_len, page_as_text(page, 60).splitlines())) <= 60


def test_moves_are_told_game_by_game() -> None:
    found = json.loads(run("B", "--format", "json").stdout)
    own = {(one["format"], one["game"]): one["value"] for one in found["rules"]}
    (old,) = (one for one in found["rules"] if one["format"] == "FF1")

    assert own["FF4", "Hex"].startswith("a cell such as 'e4'")
    assert old["games"]["Go"] == "a point such as 'pd', or 'tt' for a pass"
    assert {*old["games"]} <= {game.name for game in GAMES.values()}


def test_the_numbers_of_games_stand_with_gm() -> None:
    text = " ".join(run("GM").stdout.split())

    for number, game in GAMES.items():
        assert f"{number} {game.name}" in text


def test_a_letter_that_is_a_property_and_a_group_tells_of_both() -> None:
    assert "V is also a group of findings: sgf-lark explain value" in run("V").stdout


def test_every_source_that_is_no_page_of_ff4_is_spelled_out() -> None:
    known = {name for one in PropertyTable.standard() for name in one.source.split(", ")}

    assert {*SOURCES} <= known
    assert "ff" not in "".join(known - {*SOURCES})


# ---- private properties ----


def test_a_private_property_has_its_program_its_content_and_its_source() -> None:
    text = run("LZ2").stdout

    assert text.startswith(
        "LZ2: private property\n\nLizzie\n"
        "  content  the analysis of the position by a second engine\n"
    )
    assert "  source   the source of LizzieYzy, SGFParser.java\n" in text
    assert "A property that no standard defines is private" in text


def test_every_property_that_check_calls_a_programs_own_can_be_explained() -> None:
    producers = known_producers().by_name.values()
    habits = [habit for producer in producers for habit in producer.habits]
    private = {ident for one in habits if one.rules == PRIVATE for ident in one.properties}
    with together() as each:
        for ident in sorted(private):
            with each(ident):
                page = explain(ident)

                assert isinstance(page, PropertyPage)
                assert page.private
                assert page.data()["private"][0]["ident"] == ident
                assert page_as_markdown(page).startswith(f"# {ident}: ")


def test_a_property_of_a_standard_and_a_program_has_both() -> None:
    text = run("CO").stdout

    assert "Backgammon in FF[4]\n" in text
    assert "goproblems, as a private property\n" in text


def test_every_row_of_private_properties_is_complete() -> None:
    rows = private_properties()

    assert [row.ident for row in rows] == sorted(row.ident for row in rows)
    for row in rows:
        assert all(row._replace(form="-"))
        assert not any(cell != cell.strip() for cell in row)


def test_an_identifier_that_nobody_knows_is_answered_with_what_private_means() -> None:
    result = run("QQX")

    assert result.exit_code == 2
    assert "unknown code, property or setting 'QQX'" in result.stderr
    assert "is private: a program writes it for itself" in " ".join(result.stderr.split())
    with pytest.raises(UnknownError, match=r"'qqqqqqqqq'$"):
        explain("qqqqqqqqq")


# ---- what there is not ----


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("wrong-valu", "wrong-value"),
        ("komii", "KM"),
        ("structur", "structure"),
        ("PBX", "PB"),
    ],
)
def test_a_wrong_name_suggests_near_ones(word: str, near: str) -> None:
    result = run(word)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "unknown code, property or setting" in result.stderr
    with pytest.raises(UnknownError, match="did you mean") as caught:
        explain(word)
    assert near in str(caught.value)


@pytest.mark.parametrize("word", ["qqqqqqqqq", "", "☃", "V999999999999", "[", "ALL"])
def test_what_is_like_nothing_is_refused_without_a_guess(word: str) -> None:
    with pytest.raises(UnknownError, match=r"unknown code, property or setting '.*'"):
        explain(word)


# ---- the lines of it ----


@pytest.mark.parametrize("width", [20, 40, 88, 500])
def test_texts_are_wrapped(width: int) -> None:
    lines = page_as_text(GroupPage(), width).splitlines()

    assert max(map(len, lines)) <= 120
    assert all(len(line) <= max(width, 20) for line in lines if " " not in line.strip())


@pytest.mark.night
def test_a_reader_that_leaves_is_no_fault() -> None:
    command = f"{sys.executable} -m sgf_lark explain --format json | head -n 1"
    result = subprocess.run(command, shell=True, capture_output=True, check=False, timeout=100)  # noqa: S602  # a pipe

    assert (result.stdout, result.stderr) == (b"{\n", b"")


# ---- settings ----


def test_every_setting_can_be_explained_in_every_form() -> None:
    names = [field.alias for field in Settings.model_fields.values() if field.alias]
    names += [f"fmt.{field.alias}" for field in FmtSettings.model_fields.values()]
    names += [f"convert.{field.alias}" for field in ConvertSettings.model_fields.values()]

    for name in names:
        page = find_setting(f"[{name}]")
        assert page is not None, name
        assert page.data() == {"kind": "setting", **page._asdict()}
        assert page.name == name
        assert page.values
        assert page_as_text(page).startswith(f"{name}: a setting\n\n{page.meaning.split()[0]}")
        assert page_as_markdown(page).startswith(f"# {name}: a setting\n\n{page.meaning}")


def test_a_setting_has_its_values_its_default_and_its_option() -> None:
    assert run("nodes").stdout == (
        "fmt.nodes: a setting\n\nNodes on a line.\n\n"
        "  values   a whole number\n  default  1\n  option   --nodes of sgf-lark fmt\n"
    )
    shown = run("extend_select").stdout
    assert "  values   a list of rules, such as ['V301', 'dialect']\n" in shown
    assert "  option   --extend-select of sgf-lark check\n" in shown
    assert "  default  not set\n" in run("[games]").stdout


def test_a_rule_or_a_property_comes_before_a_setting_of_its_name() -> None:
    assert run("games").stdout.startswith("G ")
    assert run("[games]").stdout.startswith("games: a setting\n")


@pytest.mark.parametrize(
    ("word", "meaning", "values"),
    [
        ("games.size", "The board where SZ is missing", "one side from 1 to 702"),
        ("games.Kono.first", "The side that moves first.", "'black' or 'white'"),
        ("[properties.WI.type]", "The type of one value", "a text in quotes"),
        ("properties.count", "As those of PropertyRule.", "'one', 'list' or 'elist'"),
    ],
)
def test_an_entry_of_each_game_and_property_of_settings_is_explained(
    word: str, meaning: str, values: str
) -> None:
    result = CliRunner().invoke(app, ["explain", word], catch_exceptions=False)

    assert result.exit_code == 0
    assert meaning in result.stdout
    assert f"values   {values}" in result.stdout


def test_a_fault_in_the_settings_does_not_stop_the_explanation_of_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sgf-lark.toml").write_text("[games.X]\ngm = 5\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["explain", "V301"], catch_exceptions=False)

    assert result.exit_code == 0
    assert result.stdout.startswith("V301 wrong-value:")
    assert "unknown setting 'gm'; did you mean 'number'?" in result.stderr
