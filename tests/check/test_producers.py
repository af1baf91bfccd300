"""What known programs write in their own way is told as that; an error stays an error."""

from __future__ import annotations

import io
from importlib.resources import files

import pytest
from support.producers import check_tables

import sgf_lark
from sgf_lark import CheckOptions, Severity
from sgf_lark.core.check.producers import has_word, known_producers
from sgf_lark.core.findings.catalogue import catalogue


def found(text: str) -> list[tuple[str, str]]:
    """Name and severity of each finding."""
    return [(one.name, one.severity.value) for one in sgf_lark.check(io.StringIO(text))]


def errors(text: str) -> list[tuple[str, str]]:
    """Name and help of each error, which a strict reader raises, too."""
    told = sgf_lark.check(io.StringIO(text)).errors
    if told:
        with pytest.raises(sgf_lark.SgfError) as caught:
            sgf_lark.loads(text)
        assert caught.value.first == told[0]
    return [(one.name, one.help) for one in told]


def test_a_habit_is_told_only_of_its_writer() -> None:
    node = "FF[4]GM[6]PB[a];B[31qtst]LU[0.1]"

    assert found(f"(;AP[GNU Backgammon:1]{node})") == [("gnubg-habit", "info")]
    assert found(f"(;AP[Another:1]{node})") == [("unknown-property", "info")]


#: Records with an error that is a habit: the name of the error, and who has the habit.
WITH_ERROR = [
    ("(;FF[4]GM[1]SZ[19]AP[GNU Go:3.8]AP[foxwq:1])", "duplicate-property", "Fox"),
    ("(;FF[4]GM[1]SZ[0]KM[6.5]TC[3]TT[30];B[dp])", "out-of-range", "Fox"),
    ("(;FF[4]GM[1]SZ[19]PC[kgs];B[qp]PL[W];W[dd])", "setup-with-move", "KGS"),
    ("(;FF[4]GM[1]SZ[19]AP[CGoban:3];B[qp]PL[W];W[dd])", "setup-with-move", "KGS"),
    ("(;FF[4]GM[1]SZ[19]AP[Sabaki:0.52];B[qp]PL[W];W[dd])", "setup-with-move", "Sabaki"),
    ("(;AP[GNU Backgammon:1]FF[4]GM[6]PB[a];CV[1];CP[c])", "second-game-info", "Backgammon"),
    ("(;FF[4]GM[6]AP[GNU Backgammon:1];CR[])", "empty-value", "GNU Backgammon"),
    (
        "(;FF[4]GM[2]AP[edax:4.6]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[f6])",
        "setup-with-move",
        "Edax",
    ),
    ("(;FF[4]GM[1]SZ[19]AP[MultiGo:4.2]DT[2004/09/23];B[qp])", "wrong-form", "MultiGo"),
    ("(;FF[4]GM[1]SZ[19]AP[MultiGo:4.2]RE[who knows];B[qp])", "wrong-form", "MultiGo"),
    ("(;FF[4]GM[1]SZ[19]AP[MultiGo:4.2]TM[long];B[qp])", "wrong-value", "MultiGo"),
    ("(;FF[4]GM[1]SZ[19]DP[32]AB[aa]AB[bb];B[qp])", "duplicate-property", "goproblems"),
    ("(;FF[4]GM[1]SZ[19]AP[maxiGos:6.0];B[pd]FG[1])", "wrong-value", "maxiGos"),
    ("(;FF[4]GM[1]SZ[19]SY[Cgoban 1.9]TM[1:00:00(5x1:00)];B[qp])", "wrong-value", "CGoban"),
    ("(;FF[4]GM[1]SZ[19]SY[Cgoban 1.9]TM[-];B[qp])", "wrong-value", "CGoban"),
    ("(;FF[4]GM[1]SZ[19]AP[Lizzie: 0.7];B[qp]LZ2[x])", "identifier-form", "Lizzie"),
    ("(;FF[4]GM[1]SZ[19]AP[KaTrain:1]DT[2021-03-04 15 30 00])", "wrong-form", "KaTrain"),
    ("(;FF[4]GM[1]SZ[19]PB[GNU Go 2.6]AB[pd]AB[dp]AB[dd];W[qp])", "duplicate-property", "GNU Go"),
    ("(;FF[4]GM[1]SZ[9]PC[9x9 Computer Go Server]RE[B+Illegal];B[ee])", "wrong-form", "CGOS"),
    ("(;FF[4]GM[1]SZ[19]RD[2021-01-20]TM[three hours];B[qp])", "wrong-value", "Cyber Oro"),
    ("(;FF[4]GM[1]SZ[19]RD[2021-01-20]TE[cup];B[qp])", "wrong-value", "Cyber Oro"),
    ("(;FF[4]GM[1]SZ[19]US[GoGoD95]DT[1960-01-02~04];B[qp])", "wrong-form", "GoGoD"),
    ("(;FF[4]GM[11]EV[hex.ch.1]SZ[13]RE[W];W[mf])", "wrong-form", "Little Golem"),
    ("(;FF[4]GM[21]EV[twixt.ch.1]SZ[24];w[b2])", "lowercase-identifier", "Little Golem"),
    ("(;FF[4]GM[1]CA[UTF-8]SZ[19]SO[弈客围棋]RE[暂无结果])", "wrong-form", "Yike"),
    ("(;FF[4]GM[1]CA[UTF-8]SZ[19]SO[弈客围棋];B[qp]BL[1]BL[2])", "duplicate-property", "Yike"),
]


@pytest.mark.parametrize(("record", "name", "who"), WITH_ERROR)
def test_a_habit_explains_an_error_and_does_not_pardon_it(record: str, name: str, who: str) -> None:
    told = errors(record)

    assert [one for one, _ in told] == [name]
    assert who in told[0][1]


def test_what_to_do_is_said_before_the_habit() -> None:
    text = "(;FF[4]GM[1]SZ[19]PC[{}];B[qp]PL[W];W[dd])"
    (mine,) = errors(text.format("KGS"))
    (others,) = errors(text.format("Bonn"))

    assert others[1]
    assert mine == (others[0], f"{others[1]}; KGS writes PL beside a move, to say who plays next")


def test_settings_silence_an_error_that_is_a_habit() -> None:
    text = "(;FF[4]GM[1]SZ[19]PC[kgs];B[qp]PL[W];W[dd])"
    options = CheckOptions(ignore=["setup-with-move"])

    assert not sgf_lark.check(io.StringIO(text), options=options)


@pytest.mark.parametrize("place", ["stokgs", "kgsen", "Zagreb, frogs", "backgsammon"])
def test_a_word_inside_another_is_no_sign_of_a_writer(place: str) -> None:
    head = f"(;FF[4]GM[1]SZ[19]PC[{place}]"

    assert "KGS" not in errors(f"{head};B[qp]PL[W];W[dd])")[0][1]
    assert found(f"{head}RU[japanese])") == [("unusual-form", "info")]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The KGS Go Server at http://www.gokgs.com/", "kgs"),
        ("GoGoD95", "gogod"),
        ("CGoban:2.6", "cgoban:2"),
        ("弈客围棋", "弈客"),
        ("hex.ch.1.1", "hex."),
        ("", ""),
    ],
)
def test_words_are_found_in_any_case(text: str, word: str) -> None:
    assert has_word(text, word)
    assert not has_word("CGoban:20 HexGoGoDs", "cgoban:2")


def test_a_copyright_stays_a_copyright() -> None:
    text = "(;AP[GNU Backgammon:1]FF[4]GM[6]PB[a];CP[by somebody])"

    assert found(text) == [("second-game-info", "error")]


def test_a_strict_check_takes_habits_for_warnings() -> None:
    text = "(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[375];B[pd])"
    report = sgf_lark.check(io.StringIO(text), options=CheckOptions(strict=True))

    assert [(one.name, one.severity.value) for one in report] == [("fox-habit", "warning")]


@pytest.mark.parametrize(
    ("komi", "meant"),
    [
        ("375", "7.5 points"),
        ("325", "6.5 points"),
        ("350", "7 points"),
        ("650", "6.5 points"),
        ("-375", "-7.5 points"),
    ],
)
def test_komi_of_fox_is_in_hundredths(komi: str, meant: str) -> None:
    report = sgf_lark.check(io.StringIO(f"(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[{komi}])"))

    assert [one.message.rpartition(": ")[2] for one in report] == [meant]


@pytest.mark.parametrize("komi", ["6.5", "0", "7"])
def test_komi_in_points_is_no_habit(komi: str) -> None:
    assert found(f"(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[{komi}];B[pd])") == []


#: Records with habits that are no errors, and the rules that report them.
WITHOUT_ERROR = [
    ("(;FF[3]GM[1]SZ[19]AP[MultiGo:3]MULTIGOGM[1];B[qp])", "multigo-habit"),
    ("(;FF[4]GM[1]SZ[19]AP[Lizzie: 0.7]DZ[KB];B[qp]LZ[0.7 50.0 0])", "analysis-habit"),
    ("(;FF[1]GM[1]SZ[19]PB[GNU Go 2.6]AB[pd]AB[dp]AB[dd];W[qp])", "gnugo-habit"),
    ("(;FF[4]GM[1]SZ[19]DI[5k]DP[32]CO[7];B[qp])", "goproblems-habit"),
    ("(;FF[4]GM[1]SZ[9]PC[9x9 Computer Go Server]PB[bot]BR[1500];B[ee])", "cgos-habit"),
    ("(;FF[3]GM[1]SZ[19]RD[2021-01-20]RE[Black won];B[qp])", "oro-habit"),
    ("(;FF[3]GM[1]SZ[19]US[GoGoD95]OH[2-(B)-2];B[qp])", "gogod-habit"),
    ("(;FF[3]GM[1]SZ[19]PC[IGS:  igs]NB[12]BR[3d+];B[qp]OB[-1];W[dd]OW[-1])", "igs-habit"),
    ("(;FF[4]GM[1]CA[UTF-8]SZ[19]SO[弈客围棋]PB[甲]BR[1500])", "yike-habit"),
]


@pytest.mark.parametrize(("record", "name"), WITHOUT_ERROR)
def test_a_writer_without_a_name_is_known_by_what_it_writes(record: str, name: str) -> None:
    told = {one for one in found(record) if "other-format" not in one}

    assert told == {(name, "info")}


def test_each_habit_is_of_one_form() -> None:
    multigo, cgoban = "(;FF[4]GM[1]SZ[19]AP[MultiGo:4.2]", "(;FF[4]GM[1]SZ[19]SY[Cgoban 1.9]"

    assert "MultiGo" in errors(f"{multigo}DT[2004-10-27 16\\:01\\:54];B[qp])")[0][1]
    assert "MultiGo" not in errors(f"{multigo}DT[in autumn];B[qp])")[0][1]
    assert "CGoban" not in errors(f"{cgoban}TM[one hour];B[qp])")[0][1]
    assert "KaTrain" not in errors("(;FF[4]GM[1]SZ[19]AP[KaTrain:1]DT[some day])")[0][1]


def test_every_program_has_a_rule_of_its_own_or_none() -> None:
    names = [one.rule for one in known_producers().by_name.values() if one.rule is not None]

    assert len(set(names)) == len(names)
    assert all(sgf_lark.RULES[name].severity is Severity.INFO for name in names)
    assert {one.name for one in sgf_lark.RULES.values() if one.name.endswith("-habit")} == {*names}


def test_the_tables_of_the_programs_are_as_they_should_be() -> None:
    file = files("sgf_lark.core.findings") / "catalogue" / "producers.toml"

    tables = check_tables(file.read_text(encoding="utf-8"))

    for name, producer in known_producers().by_name.items():
        assert [(one.text, one.severity, one.once) for one in producer.habits] == [
            (one.text, one.severity, one.once) for one in tables[name].habits
        ]


#: Tables of a program that are not as they should be, and the place of the mistake.
MISTAKES = [
    ("name = 'x'\nhabits = []", "own.name"),
    ("rule = 'own-habit'\nhabits = []", "own.rule"),
    ("rule = 'fox-habit'\nhabits = []", "own"),
    ("entry = {}\nhabits = []", "own"),
    ("signs = { XX = [] }\nhabits = []", "own"),
    ("habits = [{ text = 'x' }]", "own.habits.0.properties"),
    ("habits = [{ properties = ['KM'], text = '{ident}' }]", "own.habits.0.text"),
    ("habits = [{ properties = ['KM'], text = 'x', word = 'x' }]", "own.habits.0.word"),
    ("habits = [{ properties = ['KM'], text = 'x', rules = ['x'] }]", "own.habits.0.rules.0"),
    ("habits = [{ properties = ['XX'], text = 'x', rules = ['wrong-value'] }]", "own"),
    ("habits = [{ properties = ['KM'], text = 'x', facts.x = 'x' }]", "own.habits.0.facts.x"),
    ("habits = [{ properties = ['KM'], text = 'x', facts.value = '(' }]", "habits.0.facts.value"),
]


@pytest.mark.parametrize(("table", "place"), MISTAKES)
def test_a_mistake_in_the_data_names_its_place(table: str, place: str) -> None:
    with pytest.raises(ValueError, match=rf"(?m)^(own\.)?{place}\b"):
        check_tables(f"[own]\n{table}")


#: Records with habits that no other test here shows.
SHOWN = [
    "(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[375]RE[W+3.5];B[pd])",
    "(;FF[4]GM[1]SZ[19]AP[SmartGo:3]GE[tesuji];B[pd])",
    "(;FF[4]GM[1]SZ[19]AP[foxwq:1]HA[2];B[pd];B[dp];W[qq])",
    f"(;GM[Othello]PC[Edax]RE[-64]BO[8 {'-' * 24} {'*' * 16} {'-' * 24} *];)",
    "(;FF[3]GM[1]SZ[19]AP[Jago:4.53]DT[3.4.2001];B[qp])",
    "(;FF[4]GM[1]SZ[19]AP[KaTrain:1]KTV[1];B[qp]KT[][][H4sIAAAAAAACA6tWKsrPL1GyUsgrzcmpBQCNpw5NDgAAAA==])",
    "(;FF[4]GM[11]EV[hex.ch.1]SZ[11];W[b3];B[swap])",
    "(;FF[3]GM[1]SZ[19]RD[2021-01-20]KO[7.5];B[qp])",
    "(;FF[4]GM[21]EV[twixt.ch.1]SZ[24];R[b2])",
    "(;FF[4]GM[11]EV[hex.ch.1]SZ[11]AB[a1]AB[b2];W[b3])",
    "(;FF[3]GM[1]SZ[19]PC[IGS]RR[NR];B[qp])",
    "(;FF[4]GM[1]SZ[19]PC[IGS]PB[a]BR[3d+];B[qp])",
    "(;FF[3]GM[1]SZ[19]PC[NNGS]DT[2001/02/03 10:11];B[qp])",
    "(;FF[3]GM[1]SZ[19]PC[NNGS]RE[W 71.5 B 51.5];B[qp])",
]


def test_every_habit_is_shown_by_a_record() -> None:
    records = [*SHOWN, *(one for one, *_ in (*WITH_ERROR, *WITHOUT_ERROR))]
    records += [one for entry in catalogue().values() for one in entry.wrong if "D5" in entry.code]
    told = "\n".join(
        f"{found.message}\n{found.help}"
        for one in records
        for found in sgf_lark.check(io.StringIO(one))
    )

    hidden = [
        habit.text
        for producer in known_producers().by_name.values()
        for habit in producer.habits
        if not any(
            habit.text.format(property=one, format=of) in told
            for one in habit.properties
            for of in ("FF[1]", "FF[3]")
        )
    ]
    assert hidden == []


def test_a_game_of_little_golem_is_known_by_its_event() -> None:
    head = "(;FF[4]EV[{}.ch.23.1.1]SZ[13]RE[W]SO[http://www.littlegolem.com]"
    text = head.format("hex") + ";W[mf];B[swap];W[kj];B[ie];W[resign])"
    (game,) = sgf_lark.loads(text, strict=False)

    assert (game.game, game.game_name) == (11, "Hex")
    assert game.nodes[1].move is not None
    assert game.nodes[1].move.point == sgf_lark.Point(column=12, row=5)
    assert found(text) == [
        ("missing-root-property", "info"),
        ("wrong-form", "error"),
        ("little-golem-habit", "info"),
        ("wrong-value", "error"),
    ]
    assert all("Little Golem" in help_ for _, help_ in errors(text))
    (game,) = sgf_lark.loads(head.format("havannah") + ";W[E1];B[F2])", strict=False)
    assert (game.game, game.game_name) == (None, "Havannah")
    assert sgf_lark.loads(head.format("chess") + ")", strict=False)[0].game_name == "Go"
    both = sgf_lark.loads(f"{head.format('chess')})({head.format('hex')[1:]})", strict=False)
    assert [game.game_name for game in both] == ["Go", "Hex"]


def test_little_golem_plays_twixt_in_small_letters() -> None:
    text = "(;FF[4]EV[twixt.ld.DEFAULT]SZ[24];b[dc];r[op];b[qp|draw];r[ol])"

    assert {one for one, _ in errors(text)} == {"lowercase-identifier", "wrong-value"}
    assert all("Little Golem" in help_ for _, help_ in errors(text))
    assert sgf_lark.loads(text, strict=False)[0].nodes[1]["B"] == sgf_lark.Point(column=3, row=2)


@pytest.mark.parametrize(
    ("event", "game"),
    [
        ("twixt.DEFAULT.mc.2020.dec.1.2", "Twixt"),
        ("TwixT, 2nd Correspondence Cup", "Twixt"),
        ("hex.DEFAULT.mc.2020.dec.1.2", "Hex"),
        ("Cup betwixt the rivers", "Go"),
        ("A hex. on Go", "Go"),
    ],
)
def test_an_event_names_the_game_where_gm_is_missing(event: str, game: str) -> None:
    (read,) = sgf_lark.loads(f"(;FF[4]EV[{event}]SZ[24])", strict=False)
    (declared,) = sgf_lark.loads(f"(;FF[4]GM[1]EV[{event}]SZ[24])", strict=False)

    assert (read.game_name, declared.game_name) == (game, "Go")


def test_a_habit_without_a_rule_of_its_own_explains_a_warning_too() -> None:
    """Without FF setup beside a move is a warning, and Sabaki's habit has no rule."""
    text = "(;GM[1]SZ[19]AP[Sabaki:0.10.1];PL[B]AB[dd]B[ee])"
    found = sgf_lark.check(io.StringIO(text))

    assert [one.code for one in found if one.severity == "warning"] == ["T206"]
