"""SGFC's catalogue of messages: what this project says where SGFC 2.0 speaks.

SGFC is the reference checker of FF[4].  Every one of its 75 messages is here: with the code
of ours and a record that makes both speak, or with the reason why there is nothing to say.
"""

import io

import pytest

from sgf_lark import RULES, CheckOptions, check

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
    (15, "V301", "(;FF[4]GM[1]SZ[19]KM[5,5])"),
    (16, "S112", "(;FF[4]GaMe[1]SZ[19];B[aa])"),
    (17, "V303", "(;FF[4]GM[1]SZ[19];AB[])"),
    (18, "V312", "(;FF[4]GM[1]SZ[0];B[aa])"),
    (20, "S108", "(;FF[4]GM[1]SZ[19];B;W[aa])"),
    (21, "S110", "((;FF[4]GM[1]SZ[19];B[aa]))"),
    (22, "S114", "(;FF[4]GM[1]SZ[19];C[a\0b])"),
    (23, "V301", "(;FF[4]GM[1]SZ[19];LB[aa])"),
    (24, "T214", "(;FF[4]GM[1]SZ[19]B[aa])"),
    (25, "V310", "(;FF[4]GM[1]SZ[19];AB[cc:aa])"),
    (28, "T207", "(;FF[4]GM[1]SZ[19];C[a]C[b])"),
    (30, "T206", "(;FF[4]GM[1]SZ[19];AB[bb]B[aa])"),
    (31, "S117", "(;FF[4]GM[1]SZ[19]ABC[x])"),
    (32, "T204", "(;FF[4]GM[1]SZ[19];B[aa]ST[1])"),
    (33, "V304", "(;FF[4]GM[1]SZ[19]RE[Black won])"),
    (35, "D501", "(;FF[4]GM[1]SZ[19]XX[x])"),
    (36, "S104", "(FF[4]GM[1]SZ[19];B[aa])"),
    (37, "T210", "(;FF[4]GM[1]SZ[19];B[aa]W[bb])"),
    (38, "V308", "(;FF[4]GM[1]SZ[19];AB[aa][aa])"),
    (38, "T217", "(;FF[4]GM[1]SZ[19];AB[aa]AW[aa])"),
    (38, "T218", "(;FF[4]GM[1]SZ[19];CR[aa]MA[aa])"),
    (38, "T219", "(;FF[4]GM[1]SZ[19];TB[aa]TW[aa])"),
    (38, "V308", "(;FF[4]GM[1]SZ[19];LB[aa:1][aa:2])"),
    (40, "T209", "(;FF[4]GM[1]SZ[19];SI[1])"),
    (41, "T216", "(;FF[4]GM[1]SZ[19];B[aa]GB[1]GW[1])"),
    (42, "T216", "(;FF[4]GM[1]SZ[19];B[aa]TE[1]BM[1])"),
    (43, "T215", "(;FF[4]GM[1]SZ[19];DO[])"),
    (44, "T205", "(;FF[4]GM[1]SZ[19]PB[a];B[aa]PB[b])"),
    (45, "T212", "(;FF[4]GM[1]SZ[19])(;FF[3]GM[1]SZ[19])"),
    (46, "T202", "(;FF[5]GM[1]SZ[19])"),
    (47, "V311", "(;FF[4]GM[1]SZ[19:19])"),
    (50, "V312", "(;FF[4]GM[1]SZ[60])"),
    (51, "V307", "(;FF[3]GM[1]SZ[19:13])"),
    (52, "V306", "(;FF[4]GM[1]SZ[19];VW[][aa])"),
    (52, "V319", "(;FF[1]GM[1]SZ[19]VW[aa])"),
    (53, "T213", "(;FF[4]GM[1]SZ[19])(;FF[4]GM[11]SZ[11])"),
    (54, "S109", "(;FF[4]GM[1]SZ[19];[aa])"),
    (59, "T209", "(;FF[4]GM[1]SZ[19]KI[11])"),
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

#: Messages about boards, and what SGFC says under ``-r`` and ``-v`` alone.
BOARDS: dict[int, str] = {
    39: "G602",
    56: "G610",
    58: "G601",
    60: "G600",
    61: "G607",
    62: "G608",
    63: "G609",
}


def codes(record: str | bytes) -> list[str]:
    source = io.StringIO(record) if isinstance(record, str) else io.BytesIO(record)
    return [one.code for one in check(source, options=CheckOptions(strict=True))]


@pytest.mark.parametrize(
    ("number", "code", "record"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}") for case in SAME],
)
def test_where_sgfc_speaks_this_speaks(number: int, code: str, record: str | bytes) -> None:
    assert 0 < number <= 75
    assert code in codes(record)


def test_every_message_of_sgfc_has_its_place() -> None:
    numbers = {number for number, _, _ in SAME} | {*NOT_APPLICABLE} | {*BOARDS}

    assert numbers == set(range(1, 76))
    assert not {*NOT_APPLICABLE} & ({number for number, _, _ in SAME} | {*BOARDS})
    assert {*BOARDS.values()} <= {rule.code for rule in RULES.values()}
