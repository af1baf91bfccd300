"""Settings files: where they are found, what they say, and how they are refused."""

import inspect
import io
import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.places import write
from support.said import unsaid

import sgf_lark
from sgf_lark import CheckOptions, Format, SettingsError, find_settings
from sgf_lark.cli.main import app
from sgf_lark.core.grammar import grammars
from sgf_lark.settings.files import of_settings, walk_folder
from sgf_lark.settings.settings import FileChoice, FileOptions, Settings, read_settings
from sgf_lark.settings.tables import ConvertSettings, FmtSettings
from sgf_lark.workbench.typed import name_expression

WRONG = "(;FF[4]GM[1]SZ[19];B[zz9]X[1])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str) -> Result:
    arguments = ("check", "--format", "concise", "--level", "info", *arguments)
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def codes(*arguments: str) -> list[str]:
    """The codes of the findings, in the order in which they are shown."""
    lines = check(*arguments).stdout.splitlines()
    return [line.split()[1] for line in lines if ": " in line and " file" not in line[:12]]


# ---- on the command line ----


def test_rules_are_chosen_on_the_command_line() -> None:
    name = write("a.sgf", WRONG)

    assert codes(name) == ["V301", "D501"]
    assert codes(name, "--select", "V") == ["V301"]
    assert codes(name, "--select", "V,D501") == codes(name, "--select", "V", "--select", "dialect")
    assert codes(name, "--ignore", "wrong-value") == ["D501"]
    assert codes(name, "--ignore", "ALL", "--extend-select", "D501") == ["D501"]


def test_what_is_ignored_fails_nobody() -> None:
    name = write("a.sgf", WRONG)

    assert check(name, "--ignore", "V").exit_code == 0
    assert check(name, "--info", "V").exit_code == 0
    assert check(name, "--warn", "V").exit_code == 1
    assert check(name, "--ignore", "V", "--strict").exit_code == 1
    assert check(name, "--ignore", "V", "--error", "D501").exit_code == 1


@pytest.mark.parametrize(
    "option", ["--select", "--extend-select", "--ignore", "--error", "--warn", "--info"]
)
def test_an_unknown_rule_on_the_command_line_is_refused(option: str) -> None:
    result = check(write("a.sgf", WRONG), option, "V3,wrongvalue")

    assert result.exit_code == 2
    assert f"error: {option}: " in result.stderr
    assert "did you mean 'wrong-value'?" in " ".join(result.stderr.replace("│", "").split())


# ---- which file ----


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sgf-lark.toml", "ignore = ['V']"),
        ("pyproject.toml", "[tool.sgf-lark]\nignore = ['V']"),
        ("pyproject.toml", "tool.sgf-lark.ignore = ['V']"),
    ],
)
def test_settings_are_found_upwards(name: str, text: str) -> None:
    write(f"x/{name}", text)
    file = write("x/y/z/a.sgf", WRONG)
    other = write("a.sgf", WRONG)

    assert codes(file) == ["D501"]
    assert codes(other) == ["V301", "D501"]
    assert codes(file, "--isolated") == ["V301", "D501"]
    assert find_settings(file).ignore == ("V",)
    assert find_settings(Path(file).parent) == find_settings(file)


def test_the_nearest_settings_hold() -> None:
    write("sgf-lark.toml", "ignore = ['V']")
    write("x/sgf-lark.toml", "ignore = ['D']")
    write("x/pyproject.toml", "[tool.sgf-lark]\nignore = ['ALL']")
    write("y/pyproject.toml", "[tool.other]\nignore = 1")
    for place in ("", "x/", "y/"):
        write(f"{place}a.sgf", WRONG)

    assert codes("a.sgf", "x/a.sgf", "y/a.sgf") == ["D501", "V301", "D501"]


def test_a_record_without_settings_takes_those_of_the_current_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("here/sgf-lark.toml", "ignore = ['V']")
    write("there/a.sgf", WRONG)
    monkeypatch.chdir(folder / "here")

    assert codes("../there/a.sgf") == ["D501"]


def test_only_folders_above_a_record_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("sgf-lark.toml", "ignore = ['D']")
    write("here/sgf-lark.toml", "ignore = ['V']")
    write("there/a.sgf", WRONG)
    monkeypatch.chdir(folder / "here")

    assert codes("../there/a.sgf") == ["V301"]


@pytest.mark.night
def test_names_that_are_too_long_have_no_settings_of_their_own() -> None:
    write("sgf-lark.toml", "level = 'error'")

    for name in ("x" * 5000, "x/" * 3000):
        assert find_settings(name).level == "error"
        assert check(name).exit_code == 2


def test_settings_that_cannot_be_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    write("sgf-lark.toml", "strict = true")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(SettingsError, match=r"sgf-lark.toml:1:1: cannot read this file: perm"):
        find_settings("a.sgf")


def test_a_settings_file_can_be_named() -> None:
    write("sgf-lark.toml", "select = ['D']")
    write("mine.toml", "select = ['V']")
    file = write("x/a.sgf", WRONG)

    assert codes(file) == ["D501"]
    assert codes(file, "--config", "mine.toml") == ["V301"]
    result = check(file, "--config", "no.toml")
    assert result.exit_code == 2
    assert "no such file" in result.stderr
    assert check(file, "--config", "mine.toml", "--isolated").exit_code == 2


def test_the_command_line_comes_before_the_file() -> None:
    write("sgf-lark.toml", "select = ['D']\nerror = ['D501']\nstrict = true")
    file = write("a.sgf", WRONG)

    assert codes(file, "--extend-select", "V301") == ["V301", "D501"]
    assert codes(file, "--select", "V") == ["V301"]
    assert check(file).exit_code == 1
    assert check(file, "--info", "D").exit_code == 0


def test_rules_can_be_off_in_some_files() -> None:
    write("x/sgf-lark.toml", "[per-file-ignores]\n'old/*.sgf' = ['V']\n'b.sgf' = ['ALL']")
    for name in ("x/a.sgf", "x/old/a.sgf", "x/b.sgf"):
        write(name, WRONG)

    assert codes("x/a.sgf") == ["V301", "D501"]
    assert codes("x/old/a.sgf") == ["D501"]
    assert codes("x/b.sgf") == []


def test_form_and_level_are_settings_too() -> None:
    write("sgf-lark.toml", "format = 'jsonl'\nlevel = 'error'")
    result = CliRunner().invoke(app, ["check", write("a.sgf", WRONG)])

    assert result.stdout.startswith('{"file": "a.sgf", "code": "V301"')
    assert result.stdout.count("\n") == 1


def test_choices_hold_in_every_process() -> None:
    write("x/sgf-lark.toml", "ignore = ['V']\nwarn = ['D']\n[per-file-ignores]\n'b*' = ['D']")
    for name in ("a.sgf", "b.sgf", "x/a.sgf", "x/b.sgf"):
        write(name, WRONG)
    alone = check(".", "--jobs", "1", "--error", "T")

    assert check(".", "--jobs", "2", "--error", "T").stdout == alone.stdout
    assert alone.stdout.count("V301") == 2
    assert alone.stdout.count("D501") == 3


# ---- what is refused ----


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("selct = ['V']", "1:1", "unknown setting 'selct'; did you mean 'select'?"),
        (
            "strict = true\n'selct' = 1",
            "2:1",
            "unknown setting 'selct'; did you mean 'select'?",
        ),
        ("folder = 'x'", "1:1", "unknown setting 'folder'"),
        ("[selection]", "1:2", "unknown setting 'selection'; did you mean 'select'?"),
        (
            "select = 'V'",
            "1:10",
            "expected a list of rules, such as ['V301', 'dialect'], found 'V'",
        ),
        ("strict = 3 # yes", "1:10", "expected true or false, found 3"),
        ("level = 'warn'", "1:9", "expected 'error', 'warning' or 'info', found 'warn'"),
        ("ignore = [\n  'V', # x\n  'V999',\n]", "3:3", "no rule is called 'V999'"),
        ("ignore = ['V', 3]", "1:16", "expected a text in quotes, found 3"),
        (
            "site = 'example.org'",
            "1:8",
            "expected an address such as 'https://example.org/sgf/', found 'example.org'",
        ),
        ("[per-file-ignores]\nx = ['D']\n\"y z\" = ['Q']", "3:10", "no rule is called 'Q'"),
        (
            "[per-file-ignores]\n'y' = ['D']\n'x\\' = ['D']",
            "3:1",
            r"invalid pattern 'x\': expected one as in .gitignore",
        ),
        (
            "per-file-ignores = {x = 1}",
            "1:25",
            "expected a list of rules, such as ['V301', 'dialect'], found 1",
        ),
        (
            "per-file-ignores = 1",
            "1:20",
            "expected a table of patterns and rules, such as {'old/*' = ['D']}, found 1",
        ),
        ("select = ['V'", "1:14", "invalid TOML: unclosed array"),
        ("strict = true\r\nselect == 1", "2:9", "invalid TOML: invalid value"),
        ("exclude = 3", "1:11", "expected a list of patterns, such as ['old/*.sgf'], found 3"),
        ("include = ['*', 'x\\']", "1:17", r"invalid pattern 'x\': expected one as in .gitignore"),
        ("respect-gitignore = 'no'", "1:21", "expected true or false, found 'no'"),
        ("exlude = []", "1:1", "unknown setting 'exlude'; did you mean 'exclude'?"),
        ("fmt = {nods = 3}", "1:8", "unknown setting 'nods'; did you mean 'nodes'?"),
        ("[fmt]\nnodes = 0", "2:9", "expected at least 1, found 0"),
        ("[fmt]\nwidth = 'x'", "2:9", "expected a whole number, found 'x'"),
        ("fmt = 3", "1:7", "expected a table, such as {nodes = 10}, found 3"),
        (
            "[convert]\nto = 'ff5'",
            "2:6",
            "expected 'ff4', 'ff3', 'ff1', 'ggf', 'sgf' or 'json', found 'ff5'",
        ),
        (
            "[properties]\nwi = 'real'",
            "2:1",
            "'wi' is not an identifier: expected capitals such as 'WI'; did you mean 'WI'?",
        ),
        (
            "[properties.WI]\ntype = 'float'",
            "2:8",
            (
                "no type is called 'float'; did you mean 'real'? the types are clock, color,"
                " double, move, none, number, point, real, result, simpletext, stone, text, triple,"
                " and the rules of a custom grammar"
            ),
        ),
        ("[properties]\nWI = 3", "2:6", "expected a text in quotes, found 3"),
        (
            "[properties.WI]\ncount = 'many'",
            "2:9",
            "expected 'one', 'list' or 'elist', found 'many'",
        ),
        (
            "properties.WI = {type = 'real', games = ['Konno']}\n[games]\nKono = 50",
            "1:42",
            "no game is called 'Konno'; did you mean 'Kono'?",
        ),
        ("[games]\nKono = 'x'", "2:8", "expected a whole number, found 'x'"),
        ("[games]\nA = 50\nB = 50", "3:5", "A has the number 50, too"),
        (
            "[games]\nGobang = 1",
            "2:10",
            "GM[1] is Go, which has its own grammar: choose another number",
        ),
        (
            "[games.Kono]\nnumber = 50\ngrammar = 'no.lark'",
            "3:11",
            "cannot read this grammar: no such file or directory",
        ),
        (
            "[games.Kono]\nsize = [5]",
            "2:8",
            "invalid size: expected one side from 1 to 702, or columns and rows such as [9, 7]",
        ),
    ],
)
def test_what_is_wrong_with_settings_is_told_with_its_place(
    text: str, place: str, message: str
) -> None:
    write("sgf-lark.toml", text)
    with pytest.raises(SettingsError) as caught:
        read_settings("sgf-lark.toml")

    (one,) = caught.value.report
    assert (f"{one.line}:{one.column}", one.message) == (place, message)
    assert (one.code, caught.value.report.name) == ("F004", "sgf-lark.toml")


def test_all_faults_of_a_file_are_told_at_once() -> None:
    write(
        "pyproject.toml",
        "[project]\nname = 'x'\n\n[tool.sgf-lark]\nselect = ['V', 'Q']\nwran = 1\n",
    )
    result = check(write("a.sgf", WRONG))

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        "pyproject.toml:5:16: error: no rule is called 'Q' [F004 wrong-setting]\n"
        "    5 | select = ['V', 'Q']\n"
        "      |                ^^^\n"
        "\n"
        "pyproject.toml:6:1: error: unknown setting 'wran'; did you mean 'warn'?"
        " [F004 wrong-setting]\n"
        "    6 | wran = 1\n"
        "      | ^^^^\n"
        "\n"
    )


def test_letters_that_are_not_utf_8_are_told(folder: Path) -> None:
    (folder / "sgf-lark.toml").write_bytes(b"strict = true\n# caf\xe9\n")
    with pytest.raises(SettingsError, match="expected a file in UTF-8") as caught:
        read_settings("sgf-lark.toml")

    assert (caught.value.first.line, caught.value.first.column) == (2, 6)


def test_a_table_that_is_none_is_told_where_it_stands() -> None:
    write("pyproject.toml", "[tool]\nsgf-lark = 3\n")
    with pytest.raises(SettingsError, match=r"pyproject.toml:2:12: expected settings"):
        find_settings("a.sgf")


def test_what_is_wrong_in_other_tables_is_no_business_of_ours() -> None:
    write("pyproject.toml", "[project\n")

    assert codes(write("a.sgf", WRONG)) == ["V301", "D501"]


def test_broken_settings_anywhere_stop_the_run_before_it_begins() -> None:
    write("x/sgf-lark.toml", "select = ")
    write("x/a.sgf", WRONG)
    result = check(write("a.sgf", WRONG), "x")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("x/sgf-lark.toml:1:9: error: invalid TOML")


# ---- the tables of commands ----


def test_the_tables_of_commands_hold_their_options() -> None:
    write("sgf-lark.toml", "[fmt]\nnodes = 10\n[convert]\nto = 'ff4'\ntime-left = true")
    settings = read_settings("sgf-lark.toml")

    assert settings.fmt.given() == {"nodes": 10}
    assert settings.convert.given() == {"to": "ff4", "time_left": True}
    assert find_settings("elsewhere").convert.given() == settings.convert.given()
    assert Settings().fmt.given() == {}


def test_the_tables_know_the_options_of_the_functions_that_take_them() -> None:
    layout = inspect.signature(sgf_lark.dumps).parameters
    conversion = inspect.signature(sgf_lark.convert).parameters

    assert set(FmtSettings.model_fields) <= set(layout)
    assert set(ConvertSettings.model_fields) <= set(conversion)


# ---- private properties and custom games ----

KONO = 'point: SQUARE\nmove: SQUARE "-" SQUARE\nSQUARE: "a".."e" "1".."5"\n'

ADDED = """\
[properties]
WI = "real"

[properties.XP]
type = "color"
name = "Next but one"
inherit = true
games = ["Kono", "othello"]
formats = ["ff4"]

[games.Kono]
number = 50
grammar = "kono.lark"
size = 5
expected = {move = "two squares such as 'd2-d4'"}
"""


@pytest.fixture
def kono() -> str:
    write("x/kono.lark", KONO)
    write("x/sgf-lark.toml", ADDED)
    text = "(;FF[4]GM[50]SZ[5];B[d2-d4]WI[0.5]XP[B];W[zz]WI[x]XP[x])(;FF[4]GM[1]SZ[9];XP[B])"
    write("y/a.sgf", text)
    return write("x/a.sgf", text)


def test_settings_add_properties_and_games(kono: str) -> None:
    settings = find_settings(kono)
    table = settings.table
    assert table is not None

    assert [(row.format, row.game, row.ident) for row in table.additions] == [
        *(("FF1", None, "WI"), ("FF3", None, "WI"), ("FF4", None, "WI")),
        *(("FF4", 50, "XP"), ("FF4", 2, "XP")),
    ]
    assert [(game.number, game.name, game.size) for game in table.games] == [(50, "Kono", (5, 5))]
    move, number, color, *others = sgf_lark.check(kono, options=settings)
    assert [(one.code, one.property) for one in (move, number, color)] == [
        *(("V301", "W"), ("V301", "WI"), ("V301", "XP")),
    ]
    assert unsaid(move.message, "'zz'", "W", "two squares such as 'd2-d4'") == []
    assert unsaid(number.message, "'x'", "WI", "a number such as 6.5") == []
    assert unsaid(color.message, "'x'", "XP", "B or W") == []
    assert [(one.code, one.message) for one in others] == [
        ("T213", "this is a record of Go; those before it are of Kono"),
        ("T209", "XP is a property of Kono and Othello, not of Go"),
    ]
    assert find_settings("y/a.sgf").table is None
    assert "T203" in {one.code for one in sgf_lark.check("y/a.sgf")}


def test_every_function_takes_the_table_of_settings(kono: str) -> None:
    settings = find_settings(kono)
    data = Path(kono).read_bytes()
    (report,) = sgf_lark.check_many([kono], options=settings)

    assert len(report) == 5
    assert [game.game_name for game in sgf_lark.load(kono, table=settings.table, strict=False)] == [
        *("Kono", "Go"),
    ]
    assert {one.code for one in sgf_lark.fix_record(data, options=settings).remaining} == {
        *("V301", "T209", "T213"),
    }
    assert b"d2-d4" in sgf_lark.format_record(data, table=settings.table)


def test_a_property_is_one_of_the_formats_that_allow_its_name() -> None:
    write("sgf-lark.toml", "[properties]\nWIN = 'real'\nX1 = 'real'")
    table = read_settings("sgf-lark.toml").table
    assert table is not None

    assert [(row.format, row.ident) for row in table.additions] == [
        *(("FF4", "WIN"), ("FF1", "X1"), ("FF3", "X1")),
    ]
    for row in table.additions:
        assert name_expression(grammars.path(row.format.grammar), row.ident)
    write("sgf-lark.toml", "properties = {X1 = {type = 'real', formats = ['ff3', 'ff4']}}")
    with pytest.raises(SettingsError, match=r"FF\[4\] allows no property X1: names have only cap"):
        read_settings("sgf-lark.toml")


def test_a_property_of_a_standard_cannot_be_made_another() -> None:
    for text in ("KM = 'text'", "C = 'real'", "KM = {games = ['Go']}", "EL = {formats = ['ff1']}"):
        with pytest.raises(SettingsError, match=r"is a property of FF\[.*only private properties"):
            read_settings(write("sgf-lark.toml", f"[properties]\n{text}"))

    table = read_settings(write("sgf-lark.toml", "properties.KM = {games = ['Hex']}")).table
    assert table is not None
    assert {row.game for row in table.additions} == {11}
    table = read_settings(write("sgf-lark.toml", "properties.EL = 'real'")).table
    assert table is not None
    assert "FF1" not in {row.format for row in table.additions}


@pytest.mark.parametrize("format_", Format)
def test_the_names_of_settings_are_those_of_the_grammars(format_: Format) -> None:
    file = grammars.path(format_.grammar)

    for ident in ("X", "XQ", "X1", "XQZ", "XQ1"):
        is_allowed = bool(name_expression(file, ident))
        text = f"properties = {{{ident} = {{formats = ['{format_.lower()}']}}}}"
        try:
            table = read_settings(write("sgf-lark.toml", text)).table
        except SettingsError:
            assert not is_allowed, ident
        else:
            assert is_allowed, ident
            assert table is not None


def test_a_shipped_grammar_may_be_that_of_a_game() -> None:
    settings = read_settings(write("sgf-lark.toml", "games = {Atari = {number=600, grammar='go'}}"))
    text = "(;FF[4]GM[600]SZ[19];B[pd];W[zz];B[d4])"
    findings = sgf_lark.check(io.StringIO(text), options=settings)

    (wrong,) = (one for one in findings if one.code == "V301")
    assert (wrong.property, text[wrong.offset : wrong.end_offset]) == ("B", "d4")
    assert unsaid(wrong.message, "'d4'", "a point such as 'pd', or nothing for a pass") == []


def test_a_game_without_a_number_is_one_of_ggf() -> None:
    settings = read_settings(write("sgf-lark.toml", "[games]\nCheckers = {first='white'}"))
    assert settings.table is not None

    games = sgf_lark.loads("(;GM[CHECKERS]PB[a];)", table=settings.table, strict=False)
    assert games[0].game_name == "Checkers"


# ---- the files of a folder ----


def names(*arguments: str) -> list[str]:
    by_file = FileOptions(CheckOptions())
    found = walk_folder(arguments[0], by_file, lambda name: name.endswith(".sgf"))
    return sorted(record.path for record in found)


def test_the_nearest_settings_exclude_files() -> None:
    write("sgf-lark.toml", "extend-exclude = ['old', '/x/b.sgf']")
    write("y/sgf-lark.toml", "exclude = ['b.sgf']")
    for place in ("", "old/", "x/", "x/old/", "x/node_modules/", "y/", "y/old/", "y/venv/"):
        write(f"{place}a.sgf", WRONG)
        write(f"{place}b.sgf", WRONG)

    assert names(".") == [
        *("./a.sgf", "./b.sgf", "./x/a.sgf"),
        *("./y/a.sgf", "./y/old/a.sgf", "./y/venv/a.sgf"),
    ]
    assert names("old") == ["old/a.sgf", "old/b.sgf"]


def test_the_command_line_comes_before_the_settings_of_files() -> None:
    write("x/sgf-lark.toml", "exclude = ['a.sgf']\ninclude = ['*.txt']\nrespect-gitignore = false")
    settings = find_settings("x")
    choice = FileChoice(exclude=("b",), include=("*.sgf",), respect_gitignore=True)

    here = str(Path.cwd())
    given = choice.selection(settings)
    assert [base for _, base in given.excluded] == [here, f"{here}/x"]
    assert not given.excluded[1][0], "exclude of the settings does not count"
    assert (given.included, given.respects_git) == ((of_settings(("*.sgf",)), here), True)
    own = FileChoice().selection(settings)
    assert (own.included, own.respects_git) == ((of_settings(("*.txt",)), f"{here}/x"), False)


def test_a_file_that_is_named_is_skipped_only_if_that_is_forced() -> None:
    write("sgf-lark.toml", "extend-exclude = ['old']")
    forced = FileOptions(CheckOptions(), choice=FileChoice(force_exclude=True))

    assert forced.skips("old/x/a.sgf")
    assert not forced.skips("new/a.sgf")
    assert not FileOptions(CheckOptions()).skips("old/x/a.sgf")


# ---- on the command line ----


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.fixture
def tree() -> None:
    """Records that settings and git leave out, and others."""
    write("sgf-lark.toml", "extend-exclude = ['old']")
    write(".git/HEAD", "")
    write(".gitignore", "tmp/\n")
    for place in ("", "old/", "tmp/", "venv/", "x/"):
        write(f"{place}a.sgf", WRONG)


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("options", "places"),
    [
        ((), ["", "x/"]),
        (("--isolated",), ["", "old/", "x/"]),
        (("--exclude", "x"), ["", "venv/"]),
        (("--exclude", "x,venv", "--no-respect-gitignore"), ["", "tmp/"]),
        (("--extend-exclude", "/x/*.sgf"), [""]),
        (("--include", "*.txt,/x/*"), ["x/"]),
        (("--extend-exclude", "!old"), ["", "old/", "x/"]),
    ],
)
def test_every_command_skips_the_same_files(options: tuple[str, ...], places: list[str]) -> None:
    files = [f"./{place}a.sgf" for place in places]
    checked = run("check", "--format", "concise", *options)
    formatted = run("fmt", "--check", *options)
    converted = run("convert", "--to", "ff3", "--in-place", "--diff", *options)

    assert [line.partition(":")[0] for line in checked.stdout.splitlines()][:-1] == files
    assert [line.partition(":")[0] for line in formatted.stderr.splitlines()][:-1] == files
    shown = [line for line in converted.stdout.splitlines() if line.startswith("--- ")]
    assert ["./" + line[6:].partition("\t")[0] for line in shown] == files


@pytest.mark.usefixtures("tree")
def test_a_file_that_is_named_is_checked_unless_exclusion_is_forced() -> None:
    assert codes("old/a.sgf", "tmp/a.sgf") == ["V301", "D501"] * 2
    assert codes("old/a.sgf", "x/a.sgf", "--force-exclude") == ["V301", "D501"]
    assert codes("old") == ["V301", "D501"], "a folder that is named is searched"
    assert run("fmt", "--check", "--force-exclude", "old/a.sgf").stderr == "no files\n"


@pytest.mark.usefixtures("tree")
def test_a_folder_in_which_all_is_excluded_says_so() -> None:
    result = check(".", "--extend-exclude", "a.sgf,x")

    assert result.exit_code == 2
    assert "; excluded: .git, a.sgf, old and 3 more" in result.stdout


@pytest.mark.parametrize("command", [("check",), ("fmt",), ("convert", "--to", "ff4")])
@pytest.mark.parametrize("option", ["--exclude", "--extend-exclude", "--include"])
def test_a_pattern_that_is_none_is_refused(command: tuple[str, ...], option: str) -> None:
    result = run(*command, option, "x\\")

    assert result.exit_code == 2
    assert f"error: {option}: invalid pattern 'x\\': expected one" in result.stderr


def test_fmt_and_convert_take_their_options_from_the_nearest_settings() -> None:
    write("x/sgf-lark.toml", "[fmt]\nnodes = 9\ncompress = true\n[convert]\nto = 'ff3'")
    text = "(;FF[4]GM[1]SZ[19]AB[aa][ba][ab][bb];B[pd];W[dp])\n"
    for place in ("", "x/"):
        write(f"{place}a.sgf", text)
    assert run("convert", "x/a.sgf").stdout.startswith("(;FF[3]")
    assert run("convert", "x/a.sgf", "--to", "ff4").stdout == text
    assert run("convert", "x").exit_code == 2, "a folder needs a place"

    missing = run("convert", "a.sgf")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "error: --to: no format to convert to: add --to with one of ff4" in " ".join(
        missing.stderr.split()
    )
    assert run("convert", "x/a.sgf", "--isolated").exit_code == 2
    assert run("convert", "a.sgf", "--config", "x/sgf-lark.toml").stdout.startswith("(;FF[3]")

    assert run("fmt", "a.sgf", "x/a.sgf").exit_code == 0
    assert Path("x/a.sgf").read_text() == "(;FF[4]GM[1]SZ[19]\nAB[aa:bb]\n;B[pd];W[dp]\n)\n"
    assert Path("a.sgf").read_text().count("\n") == 5
    run("fmt", "x/a.sgf", "--nodes", "1")
    assert Path("x/a.sgf").read_text().endswith("\n;B[pd]\n;W[dp]\n)\n")


def test_every_command_knows_the_properties_and_games_of_settings(kono: str) -> None:
    assert codes("x", "y").count("T203") == 1
    assert check("x", "y").stdout == check("x", "y", "--jobs", "2").stdout
    assert codes("y/a.sgf", "--config", "x/sgf-lark.toml") == codes(kono)
    assert "T203" in codes(kono, "--isolated")
    assert "two squares such as" in run("convert", "--to", "ff4", kono).stderr
    shown = run("show", kono)
    assert "Kono" in shown.stderr
    explained = run("explain", "XP", "--config", "x/sgf-lark.toml").stdout
    assert explained.startswith("XP: Next but one\n\nKono and Othello in FF[4]\n") or (
        "Kono in FF[4]; Othello in FF[4]" in explained
    )
    assert "50 Kono" in run("explain", "GM", "--config", "x/sgf-lark.toml").stdout
    assert run("explain", "XP").exit_code == 2


def test_a_wrong_grammar_of_a_game_stops_the_run_before_it_begins(kono: str) -> None:
    write("x/kono.lark", "move: SQUAR\n")
    for command in (("check",), ("fmt",), ("convert", "--to", "ff4")):
        result = run(*command, kono)

        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"{Path.cwd()}/x/kono.lark:1:7: error: ")


def test_a_type_of_settings_that_no_grammar_has_is_reported(kono: str) -> None:
    write("x/sgf-lark.toml", "[properties]\nWI = 'byoyomi'")
    result = check(kono)

    assert result.exit_code == 2
    assert "/sgf-lark.toml:2:6: error: WI has the type 'byoyomi', which no grammar" in result.stderr
    assert "did you mean" not in result.stderr
    write("x/pyproject.toml", "[tool.sgf-lark.properties]\nXB = 'text'\nWI = 'reel'")
    Path("x/sgf-lark.toml").unlink()
    result = check(kono)
    assert "/pyproject.toml:3:6: error: WI has the type 'reel', which no" in result.stderr
    assert "; did you mean 'real'? [F004 wrong-setting]" in " ".join(result.stderr.split())
    result = check(kono, "--config", "x/pyproject.toml")
    assert result.stderr.startswith("x/pyproject.toml:3:6: error: ")


# ---- a grammar of records ----

#: FF[4] with one more type of value.
WARM = '\ntemperature: DEGREES "C"\nDEGREES: /-?[0-9]+/\n'

#: A value of it that is right, and one that is wrong.
OF_WARM = "(;FF[4]GM[1]SZ[9]XT[21C];B[aa]XT[warm])"


@pytest.fixture
def warm() -> str:
    shipped = grammars.path("ff4").read_text(encoding="utf-8")
    write("x/warm.lark", shipped + WARM)
    write("x/sgf-lark.toml", 'grammar = "warm.lark"\n[properties]\nXT = "temperature"\n')
    return write("x/a.sgf", OF_WARM)


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["fmt", "--check"],
        ["convert", "--to", "ff3", "-o", "-"],
        ["convert", "--to", "json", "-o", "-"],
        ["convert", "--fix", "--to", "ff4", "-o", "-"],
        ["show"],
        ["infer"],
    ],
    ids=" ".join,
)
def test_the_grammar_of_the_settings_is_the_one_of_every_command(
    command: list[str], warm: str
) -> None:
    result = CliRunner().invoke(app, [*command, warm], catch_exceptions=False)

    assert "no grammar" not in result.output
    assert "program failed" not in result.output
    if command[0] in {"check", "convert"} and "ff3" not in command:
        lines = result.output.splitlines()
        assert any(not unsaid(line, "'warm'", "XT", "rule `temperature`") for line in lines)
    if "ff3" in command:
        assert "XT[21C]\n;B[aa]XT[warm]" in result.stdout


def test_a_grammar_of_settings_is_used_in_pieces_of_huge_files_and_by_python(warm: str) -> None:
    settings = find_settings(warm)

    assert [finding.code for finding in sgf_lark.check(warm, options=settings).errors] == ["V301"]
    game = sgf_lark.load(warm, strict=False, **settings.reading)[0]
    assert str(game.root["XT"]) == "21C"
    many = list(sgf_lark.check_many([warm] * 2, jobs=1, options=settings))
    assert [len(report.errors) for report in many] == [1, 1]


def test_games_go_to_other_processes_with_the_grammar_of_their_values(warm: str) -> None:
    reading = find_settings(warm).reading
    here = sgf_lark.load(warm, strict=False, **reading)

    assert str(pickle.loads(pickle.dumps(here))[0].root["XT"]) == "21C"
    for outcome in sgf_lark.load_many([warm] * 3, jobs=2, strict=False, **reading):
        assert outcome.result is not None
        assert str(outcome.result[0].root["XT"]) == "21C"


def test_a_draft_keeps_the_grammar_when_the_size_changes(warm: str) -> None:
    game = sgf_lark.load(warm, strict=False, **find_settings(warm).reading)[0]
    draft = game.edit()
    draft.set(draft.root, "SZ", 21)

    assert str(draft.done().root["XT"]) == "21C"


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("none.lark", "there is no grammar none.lark"),
        ("games/hex", "this grammar describes points and moves"),
        ("", "expected"),
    ],
)
def test_a_wrong_grammar_of_settings_is_told_before_a_record_is_read(
    grammar: str, message: str, warm: str
) -> None:
    write("x/sgf-lark.toml", f'grammar = "{grammar}"\n')

    result = CliRunner().invoke(app, ["check", warm], catch_exceptions=False)

    assert result.exit_code == 2
    assert message in result.stderr


def test_a_grammar_of_the_command_line_comes_before_that_of_the_settings(warm: str) -> None:
    write("x/sgf-lark.toml", 'grammar = "none.lark"\n')

    result = CliRunner().invoke(app, ["check", "--grammar", "ff4", warm], catch_exceptions=False)

    assert result.exit_code == 0
