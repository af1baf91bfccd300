"""Signs of a record in full width, as East Asian keyboards write them: named, and fixed."""

# ruff: noqa: RUF001  # they are what is tested

from __future__ import annotations

import pytest

import sgf_lark

RIGHT = "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[pd];W[dp])"

#: Ways of the same record with signs in full width; the text is its own word for a value.
WIDE = [
    RIGHT.replace("(", "（"),
    RIGHT.replace("(;", "(；"),
    RIGHT.replace("(;", "（；"),
    RIGHT.replace("(", "（").replace(")", "）"),
    RIGHT.replace(";", "；"),
    RIGHT.replace(";B", "；B").replace(";W", "；W"),
    RIGHT.replace(";W", "；W"),
    RIGHT.replace("[pd]", "［pd］"),
    RIGHT.replace("[pd]", "［ｐｄ］"),
    RIGHT.replace("B[", "Ｂ["),
    RIGHT.replace("SZ[19]", "ＳＺ［１９］"),
    RIGHT.replace("SZ[19]", "SZ［19］"),
    RIGHT.translate(str.maketrans("();[]", "（）；［］")),
    RIGHT.translate(str.maketrans("();[]", "（）；［］")).replace("W", "Ｗ"),
]


def fixed(text: str, *, unsafe: bool = True) -> str:
    return sgf_lark.fix_record(text.encode(), unsafe=unsafe).data.decode()


def errors(text: str) -> list[str]:
    return [one.message for one in sgf_lark.check(text.encode()) if one.code in {"S101", "S102"}]


@pytest.mark.parametrize("text", WIDE)
def test_an_unsafe_fix_writes_the_signs_in_ascii(text: str) -> None:
    assert fixed(text) == RIGHT


@pytest.mark.parametrize("text", WIDE)
def test_no_safe_fix_decides_what_is_a_sign(text: str) -> None:
    new = fixed(text, unsafe=False)

    assert [char for char in new if char in "（）；［］Ｂ"] == [
        char for char in text if char in "（）；［］Ｂ"
    ]


@pytest.mark.parametrize("text", [one for one in WIDE if "Ｂ" not in one])
def test_the_message_names_the_signs(text: str) -> None:
    said = errors(text)

    assert said
    assert all("full-width" in one or "full width" in one for one in said)


def test_variations_in_full_width_are_variations() -> None:
    text = "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[pd]（;W[dp]）（;W[dd]）)"

    assert fixed(text) == "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[pd](;W[dp])(;W[dd]))"


@pytest.mark.parametrize(
    "text",
    ["C[（；B［pd］）]", "PB[（；）]", "GC[；；；]", "C[B［pd］]", "N[（甲）]"],
)
def test_full_width_signs_inside_a_value_stay(text: str) -> None:
    record = RIGHT.replace(";B[pd]", f"{text};B[pd]")

    assert fixed(record) == record
    assert fixed(record.replace(";B", "；B")) == record


@pytest.mark.parametrize("text", ["（好手）", "（hello）", "（B）"])
def test_words_in_full_width_brackets_are_a_comment(text: str) -> None:
    assert fixed(RIGHT.replace(";W", f"{text};W")) == RIGHT.replace(";W", f"C[{text}];W")


@pytest.mark.parametrize(
    ("text", "said", "result"),
    [
        (
            "(;FF[4];B[aa])；W[bb]",
            "S116 '；' in full width, which is no sign of SGF: these properties are in no game",
            "(;FF[4]CA[UTF-8];B[aa];W[bb])",
        ),
        (
            "(;FF[4];B[aa])（;FF[4];B[bb])",
            "S116 '（' in full width, which is no sign of SGF: these properties are in no game",
            "(;FF[4]CA[UTF-8];B[aa])(;FF[4];B[bb])",
        ),
        (
            "(;FF[4];B[aa])）",
            "S103 '）' in full width, which is no sign of SGF, after the last game is skipped",
            "(;FF[4]CA[UTF-8];B[aa])）",
        ),
        (
            "（(;FF[4];B[aa])",
            "S103 '（' in full width, which is no sign of SGF, before the first game is skipped",
            "（(;FF[4]CA[UTF-8];B[aa])",
        ),
        ("(;FF[4];B[aa])（注）", "S103 text after the last game is skipped", ""),
        (
            "(;FF[4];B[aa])；",
            "S103 '；' in full width, which is no sign of SGF, after the last",
            "",
        ),
    ],
)
def test_signs_outside_the_games_are_named(text: str, said: str, result: str) -> None:
    found = [
        f"{one.code} {one.message}"
        for one in sgf_lark.check(text.encode())
        if one.code in {"S103", "S116"}
    ]

    assert len(found) == 1
    assert found[0].startswith(said)
    assert fixed(text).startswith(result)
