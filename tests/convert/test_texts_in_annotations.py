"""A text in an annotation, as event and komi of Cyber Oro, goes with no conversion."""

from __future__ import annotations

import pytest

import sgf_lark


def converted(text: str) -> str:
    collection = sgf_lark.loads(text, strict=False)
    return sgf_lark.dumps(sgf_lark.convert(collection, "FF4"))


@pytest.mark.parametrize(
    "kept",
    [
        "TE[제13회 춘란배 4강]",
        "TE[第28期 名人戦]",
        "TE[Hauptturnier]",
        "KO[6.5]",
        "KO[덤 6집반]",
        "KO[コミ 5目半]",
        "KO[黑贴3又3/4子]",
        "DO[why]",
        "IT[看]",
        "BM[bad]",
    ],
)
@pytest.mark.parametrize("head", ["", "FF[3]GM[1]", "FF[1]GM[1]SZ[19]"])
def test_a_text_in_an_annotation_is_kept_without_a_move(kept: str, head: str) -> None:
    assert kept in converted(f"(;{head}{kept}PB[a];B[pd];W[dd])")


@pytest.mark.parametrize("gone", ["TE[1]", "BM[2]", "KO[]", "KO[1]"])
def test_an_annotation_without_a_move_is_left_out(gone: str) -> None:
    assert gone.partition("[")[0] not in converted(f"(;FF[3]GM[1]PB[a]{gone};B[pd];W[dd])")


@pytest.mark.parametrize("pair", ["TE[1]BM[x]", "TE[cup]BM[1]", "BM[x]TE[y]", "TE[cup]BM[x]"])
def test_a_text_in_an_annotation_contradicts_no_other(pair: str) -> None:
    assert pair in converted(f"(;FF[3]GM[1]PB[a];B[pd]{pair};W[dd])")


@pytest.mark.parametrize("own", ["BS[0]WS[1]", "MY[x]", "SY[Cgoban 1.9]", "LT[60]"])
def test_what_the_format_lacks_stays_in_the_first_node_when_it_is_split(own: str) -> None:
    game = f"(;FF[3]GM[1]SZ[9]{own}AB[aa]BL[60];W[bb])"

    root, second = converted(game).split(";")[1:3]
    assert own.partition("[")[0] + "[" in root
    assert second.startswith("BL[60]")


@pytest.mark.parametrize("own", ["MYP[x]", "KTV[1.0]", "SY[z]"])
def test_the_fix_that_splits_the_first_node_leaves_private_properties_there(own: str) -> None:
    game = f"(;FF[4]GM[1]SZ[9]{own}AB[aa]BL[60];W[bb])".encode()

    fixed = sgf_lark.fix_record(game).data.decode()
    assert fixed == f"(;FF[4]GM[1]SZ[9]{own}AB[aa];BL[60];W[bb])"
