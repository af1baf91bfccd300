"""SGFC's catalogue of messages: what this project says where SGFC 2.0 speaks.

SGFC is the reference checker of FF[4].  Every one of its 75 messages is here: with the code
of ours and a record that makes both speak, or with the reason why there is nothing to say.
"""

import io

import pytest
from support.together import together

from sgf_lark import CheckOptions, check, loads
from sgf_lark.core.schema.formats import EngineName

#: Number, our code, and a record: text or bytes.
SAME: list[tuple[int, str, str | bytes]] = [
    (6, "S103", "From a letter (;FF[4]GM[1]SZ[19];B[aa])"),
    (6, "S116", "B[aa]W[bb] (;FF[4]GM[1]SZ[19];B[aa])"),
    (7, "S101", "no game at all"),
    (8, "S102", "(;FF[4]GM[1]SZ[19];B[aa] %&; W[bb])"),
    (9, "S105", "(;FF[4]GM[1]SZ[19];B[aa](;W[bb])(;W[cc])"),
    (10, "S107", "(;FF[4]GM[1]SZ[19];B[aa];C[cut off"),
    (11, "S117", f"(;FF[4]GM[1]SZ[19]{'X' * 101}[a])"),
    (12, "S110", "(;FF[4]GM[1]SZ[19]();B[aa])"),
    (13, "T208", "(;FF[4]GM[1]SZ[19];B[aa][bb])"),
    (14, "V301", "(;FF[4]GM[1]SZ[19];B[q16])"),
    (14, "V301", "(;FF[4]GM[1]SZ[19];TE[3]B[aa])"),
    (14, "V301", "(;FF[4]GM[1]SZ[19];PL[X])"),
    (14, "G603", "(;FF[4]GM[1]SZ[19];B[zz])"),
    (15, "V301", "(;FF[4]GM[1]SZ[19]KM[5,5])"),
    (15, "V302", "(;FF[4]GM[1]SZ[19];B[ aa])"),
    (16, "S112", "(;FF[4]GaMe[1]SZ[19];B[aa])"),
    (17, "V303", "(;FF[4]GM[1]SZ[19];AB[])"),
    (17, "D503", "(;FF[4]GM[1]SZ[19];C[])"),
    (18, "V312", "(;FF[4]GM[1]SZ[0];B[aa])"),
    (18, "V301", "(;FF[x]GM[1]SZ[19];B[aa])"),
    (18, "V301", "(;FF[4]GM[x]SZ[19];B[aa])"),
    (18, "V312", "(;FF[4]GM[1]SZ[19]ST[9];B[aa])"),
    (20, "S108", "(;FF[4]GM[1]SZ[19];B;W[aa])"),
    (21, "S110", "((;FF[4]GM[1]SZ[19];B[aa]))"),
    (21, "S110", "(;FF[4]GM[1]SZ[19];B[aa]((;W[bb]))"),
    (22, "S114", "(;FF[4]GM[1]SZ[19];C[a\0b])"),
    (23, "V301", "(;FF[4]GM[1]SZ[19];LB[aa])"),
    (23, "V301", "(;FF[4]GM[1]SZ[19];AR[aa])"),
    (23, "D502", "(;FF[4]GM[1]SZ[19]AP[CGoban])"),
    (24, "T214", "(;FF[4]GM[1]SZ[19]B[aa])"),
    (25, "V310", "(;FF[4]GM[1]SZ[19];AB[cc:aa])"),
    (25, "V309", "(;FF[4]GM[1]SZ[19];AB[aa:aa])"),
    (25, "V318", "(;FF[4]GM[1]SZ[19];LB[aa:b:c])"),
    (28, "T207", "(;FF[4]GM[1]SZ[19];C[a]C[b])"),
    (30, "T206", "(;FF[4]GM[1]SZ[19];AB[bb]B[aa])"),
    (30, "T206", "(;FF[4]GM[1]SZ[19];PL[W]B[aa])"),
    (31, "S117", "(;FF[4]GM[1]SZ[19]ABC[x])"),
    (32, "T204", "(;FF[4]GM[1]SZ[19];B[aa]ST[1])"),
    (32, "T204", "(;FF[4]GM[1]SZ[19];B[aa]CA[UTF-8])"),
    (33, "V304", "(;FF[4]GM[1]SZ[19]RE[Black won])"),
    (33, "V304", "(;FF[4]GM[1]SZ[19]DT[last summer])"),
    (33, "V301", "(;FF[4]GM[1]SZ[19]KM[half])"),
    (33, "V301", "(;FF[4]GM[1]SZ[19]TM[1 hour])"),
    (35, "D501", "(;FF[4]GM[1]SZ[19]XX[x])"),
    (36, "S104", "(FF[4]GM[1]SZ[19];B[aa])"),
    (37, "T210", "(;FF[4]GM[1]SZ[19];B[aa]W[bb])"),
    (38, "V308", "(;FF[4]GM[1]SZ[19];AB[aa][aa])"),
    (38, "T217", "(;FF[4]GM[1]SZ[19];AB[aa]AW[aa])"),
    (38, "T218", "(;FF[4]GM[1]SZ[19];CR[aa]MA[aa])"),
    (38, "T219", "(;FF[4]GM[1]SZ[19];TB[aa]TW[aa])"),
    (38, "V308", "(;FF[4]GM[1]SZ[19];LB[aa:1][aa:2])"),
    (38, "V308", "(;FF[4]GM[1]SZ[19];DD[aa][aa])"),
    (39, "G602", "(;FF[4]GM[1]SZ[19]AB[aa];AB[aa])"),
    (40, "T209", "(;FF[4]GM[1]SZ[19];SI[1])"),
    (40, "T209", "(;FF[4]GM[1]SZ[19];L[aa]M[bb])"),
    (41, "T216", "(;FF[4]GM[1]SZ[19];B[aa]GB[1]GW[1])"),
    (41, "T216", "(;FF[4]GM[1]SZ[19];DM[1]UC[1])"),
    (41, "T216", "(;FF[4]GM[1]SZ[19];B[aa]DO[]IT[])"),
    (42, "T216", "(;FF[4]GM[1]SZ[19];B[aa]TE[1]BM[1])"),
    (43, "T215", "(;FF[4]GM[1]SZ[19];DO[])"),
    (43, "T215", "(;FF[4]GM[1]SZ[19];TE[1])"),
    (43, "T215", "(;FF[4]GM[1]SZ[19];BM[1])"),
    (43, "T215", "(;FF[4]GM[1]SZ[19];KO[])"),
    (44, "T205", "(;FF[4]GM[1]SZ[19]PB[a];B[aa]PB[b])"),
    (45, "T212", "(;FF[4]GM[1]SZ[19])(;FF[3]GM[1]SZ[19])"),
    (46, "T202", "(;FF[5]GM[1]SZ[19])"),
    (47, "V311", "(;FF[4]GM[1]SZ[19:19])"),
    (50, "V312", "(;FF[4]GM[1]SZ[60])"),
    (51, "V307", "(;FF[3]GM[1]SZ[19:13])"),
    (51, "V307", "(;FF[3]GM[1]SZ[19];AB[aa:cc])"),
    (52, "V306", "(;FF[4]GM[1]SZ[19];VW[][aa])"),
    (52, "V319", "(;FF[1]GM[1]SZ[19]VW[aa])"),
    (53, "T213", "(;FF[4]GM[1]SZ[19])(;FF[4]GM[11]SZ[11])"),
    (54, "S109", "(;FF[4]GM[1]SZ[19];[aa])"),
    (56, "G610", "(;FF[4]GM[1]SZ[19];B[aa](;W[bb])(;B[cc];W[bb]))"),
    (58, "G601", "(;FF[4]GM[1]SZ[19];B[aa];W[aa])"),
    (59, "T209", "(;FF[4]GM[1]SZ[19]KI[11])"),
    (60, "G600", "(;FF[4]GM[1]SZ[19])(;FF[4]GM[1]SZ[19])"),
    (61, "G607", "(;FF[4]GM[1]SZ[19]HA[2]AB[dd])"),
    (62, "G608", "(;FF[4]GM[1]SZ[19];B[aa];AB[bb])"),
    (63, "G609", "(;FF[4]GM[1]SZ[19];B[aa];B[bb])"),
    (65, "V307", "(;FF[3]GM[1]SZ[19];B[])"),
    (66, "S111", "(;FF[4]GM[1]SZ[19](;B[aa])(;B[bb]);W[cc])"),
    (67, "S104", "(;FF[4]GM[1]SZ[19](B[aa])(;B[bb]))"),
    (71, "E404", "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[青木青木]PW[青木".encode() + b"\xff])"),
    (72, "E403", "(;FF[4]GM[1]SZ[19]CA[Klingon])"),
    (73, "E402", "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[이창호]PW[조훈현])".encode("euc-kr")),
    (74, "E405", "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[青木])".encode()
     + "(;FF[4]GM[1]SZ[19]CA[ISO-8859-1]PB[éè])".encode("latin-1")),
    (75, "E405", "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[青木])".encode()
     + "(;FF[4]GM[1]SZ[19]CA[GB18030]PB[青木一郎先生九段])".encode("gb18030")),
]  # fmt: skip

_COMMAND = "the command line has its own words for what it does not understand"
_ACT = "nothing is edited here, so that there is no edit to report"

#: Messages that need none of ours.
NOT_APPLICABLE: dict[int, str] = {
    1: _COMMAND,
    2: _COMMAND,
    3: "F002 of the command line: a file that is not there is no record",
    4: "F001 of the command line: a file that cannot be read is no record",
    5: "Python ends with its own error where memory does",
    19: "games other than Go are checked, too; what nobody described is kept as text",
    26: "checking writes no file",
    27: "checking writes no file",
    29: _ACT,
    34: "checking writes no file",
    48: _COMMAND,
    49: _COMMAND,
    55: _ACT,
    57: _ACT,
    64: _ACT,
    68: _COMMAND,
    69: "an encoding that does not exist is the caller's mistake: LookupError",
    70: "Python's codecs do not fail; bytes that are no character are E404",
}

#: A file in which a message of SGFC belongs to the line of its number, as in SGFC's own test
#: file: a fault on one line hides none on another.
FILE = {
    1: "(;FF[4]GM[1]SZ[19]KM[6.5]",
    8: ";B[pd]%",
    13: ";W[dp][dd]",
    14: ";B[q16]",
    15: ";W[ pp]",
    16: ";Cc[a lower case name]",
    17: ";AB[]",
    20: ";N",
    21: "((;W[dd];B[cc])",
    22: "(;C[\0];W[cd]))",
    23: "(;FF[4]GM[1]SZ[19];LB[aa]",
    28: ";C[a]C[b]",
    30: ";AB[bb]B[ba]",
    32: ";ST[1]",
    36: "(W[ee])(;W[ef]))",
    38: "(;FF[4]GM[1]SZ[19];AB[aa][aa]",
    39: ";AB[aa]",
    41: ";GB[1]GW[1]",
    42: ";B[ee]TE[1]BM[1]",
    43: ";DO[])",
    46: "(;FF[7]GM[1]SZ[19])",
    47: "(;FF[4]GM[1]SZ[19:19])",
    50: "(;FF[4]GM[1]SZ[60])",
    51: "(;FF[3]GM[1]SZ[19:13])",
    52: "(;FF[4]GM[1]SZ[19];VW[][aa]",
    54: ";[aa])",
    57: "(;FF[4]GM[1]SZ[19];B[aa]",
    58: ";W[aa])",
    65: "(;FF[4]GM[1]SZ[19]",
    66: "(;B[bb])(;B[cc]);W[dd])",
}

#: What each of these lines is said to have, but for the lines that only lead to others.
OF_FILE = {
    8: "S102",
    13: "T208",
    14: "V301",
    15: "V302",
    16: "S112",
    17: "V303",
    20: "S108",
    21: "S110",
    22: "S114",
    23: "V301",
    28: "T207",
    30: "T206",
    32: "T204",
    36: "S104",
    38: "V308",
    39: "G602",
    41: "T216",
    42: "T216",
    43: "T215",
    46: "T202",
    47: "V311",
    50: "V312",
    51: "V307",
    52: "V306",
    54: "S109",
    58: "G601",
    66: "S111",
}


def codes(record: str | bytes) -> list[str]:
    source = io.StringIO(record) if isinstance(record, str) else io.BytesIO(record)
    return [one.code for one in check(source, options=CheckOptions(strict=True))]


def test_where_sgfc_speaks_this_speaks() -> None:
    with together() as each:
        for number, code, record in SAME:
            with each(f"{number}: {code}"):
                assert 0 < number <= 75
                assert code in codes(record)


def test_every_message_of_sgfc_has_its_place() -> None:
    spoken = {number for number, _, _ in SAME}

    assert spoken | {*NOT_APPLICABLE} == set(range(1, 76))
    assert not spoken & {*NOT_APPLICABLE}


def test_a_fault_on_one_line_hides_none_on_another() -> None:
    text = "\n".join(FILE.get(number, "") for number in range(1, 67))
    found = {(one.line, one.code) for one in check(io.StringIO(text))}

    assert {*OF_FILE.items()} <= found
    assert OF_FILE.keys() == FILE.keys() - {1, 57, 65}


@pytest.mark.parametrize("engine", ["generated", "lark"])
def test_behind_two_brackets_that_open_later_games_are_games_again(engine: EngineName) -> None:
    text = (
        "(;FF[4]GM[1]SZ[19];B[aa]((;W[bb];B[cc])(;W[dd]))\n"
        "(;FF[4]GM[1]SZ[19]AB[aa];AB[aa])\n(;FF[7]GM[1]SZ[19])"
    )
    games = loads(text, strict=False, engine=engine)

    assert len(games) == 3
    assert [one.code for one in games.diagnostics] == ["S110", "T202"]
    assert "G602" in {one.code for one in check(io.StringIO(text), engine=engine)}
