"""What was read comes out as it was; what was changed changes there alone; new layouts."""

from __future__ import annotations

import copy
import pickle
import re
import stat
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.writing import unchanged, written

import sgf_lark
from sgf_lark import Collection, Draft, Format, GameTree
from sgf_lark.core.model.provenance import SourceGame
from sgf_lark.core.schema.formats import FormatName
from sgf_lark.core.write import bounds
from sgf_lark.core.write.bounds import may_have_strays

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.elsewhere

FORMATS = ("FF[1]", "FF[3]", "FF[4]")

#: A file with everything that a layout would like to change.
ODD = (
    "Subject: a game\r\n\r\n(;FF[4] GM[1]SZ[19]\r\nKM[6.5]\r\nPB[Aoki \\: \\a]\r\n;B[pd]\n"
    "(;W[dp])\n( ;W[dd] ;B[cc]C[one\r\ntwo\\\r\nthree]\t))\r\n --\r\n(;FF[3]LaBel[aa:x]) bye"
)


# ---- preserve ----


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no record",
        ODD.encode(),
        b"\xef\xbb\xbf" + ODD.encode(),
        b"(;C[\xff\xfe])",
        b"(;FF[4];B[aa",
        b"(;FF[4];B[aa]))) (;FF[4](;B[aa](;W[bb])",
        "\ufeff(;FF[4]PB[古])".encode("utf-16-le"),
        "(;FF[4]PB[古])".encode("utf-16-be"),
        # Two ways to write one character (Shift_JIS), and a real character of the
        # private range that stands for bytes.
        b"(;FF[4]CA[Shift_JIS]PB[\x87\x9a\x81\xe6]PW[\x93\xfa\x96\x7b])",
        "(;FF[4]CA[UTF-8]PB[\U0010ff41 日本])".encode(),
        "(;CA[GB2312]PB[古力])".encode("gb2312") + "(;CA[Big5]PB[張栩])".encode("big5"),
        b"2 (;GM[Othello]PB[a\\]B[d3];)\n(;GM[Othello]W[PA];)\n",
    ],
)
def test_bytes_of_any_kind_come_out_as_they_were(data: bytes) -> None:
    collection = sgf_lark.loads(data, strict=False)

    assert written(collection) == data
    assert written(unchanged(collection)) == data
    assert written(pickle.loads(pickle.dumps(collection))) == data
    assert written(copy.deepcopy(unchanged(collection))) == data
    assert written(pickle.loads(pickle.dumps(unchanged(collection)))) == data


@settings(derandomize=True)
@given(st.text("(;)[]\\ABWFC4: \r\n古é", max_size=60))
def test_texts_of_any_kind_come_out_as_they_were(text: str) -> None:
    collection = sgf_lark.loads(text, strict=False)

    assert sgf_lark.dumps(collection) == text
    assert sgf_lark.dumps(unchanged(collection)) == text


def test_a_changed_value_changes_nothing_else() -> None:
    collection = sgf_lark.loads(ODD, strict=False)
    draft = collection[0].edit()
    draft.set(0, "KM", 7)
    draft.set(collection[0].at("1.1/1"), "C", "new ]")

    changed = sgf_lark.dumps(collection.replace(0, draft.done()))
    assert changed == ODD.replace("KM[6.5]", "KM[7]").replace(
        "C[one\r\ntwo\\\r\nthree]", "C[new \\]]"
    )


def test_properties_come_and_go_in_their_places() -> None:
    text = "(;FF[4]\nPB[a]\nPW[b]\nAB[aa][bb];B[cc] C[x])"
    collection = sgf_lark.loads(text)
    draft = collection[0].edit()
    draft.set(0, "AB", ["aa", "bc"])
    draft.set(0, "KM", 5)
    draft.unset(0, "PW")
    draft.unset(1, "C")

    changed = sgf_lark.dumps(collection.replace(0, draft.done()))
    assert changed == "(;FF[4]\nPB[a]\nAB[aa][bc]\nKM[5];B[cc])"


def test_a_changed_value_is_written_in_the_encoding_of_its_game() -> None:
    data = "(;FF[4]CA[GB2312]PB[古力])".encode("gb2312") + "(;FF[4]CA[Big5]PB[張栩])".encode("big5")
    collection = sgf_lark.loads(data)
    draft = collection[1].edit()
    draft.set(0, "PW", "王立誠")

    changed = written(collection.replace(1, draft.done()))
    assert changed == data[:-1] + "PW[王立誠])".encode("big5")


def test_bytes_that_are_copied_are_not_encoded_anew() -> None:
    data = b"(;FF[4]CA[Shift_JIS]PB[\x87\x9a\x81\xe6\x80]PW[\x93\xfa\x96\x7b]KM[5])"
    collection = sgf_lark.loads(data, strict=False)
    draft = collection[0].edit()
    draft.set(0, "KM", 6)

    changed = written(collection.replace(0, draft.done()))
    assert changed == data.replace(b"KM[5]", b"KM[6]")


def test_a_game_that_lacks_a_letter_says_so() -> None:
    collection = sgf_lark.loads("(;FF[4]CA[Big5]PB[張栩])".encode("big5"))
    draft = collection[0].edit()
    draft.set(0, "PW", "Müßig")
    changed = collection.replace(0, draft.done())

    with pytest.raises(ValueError, match=re.escape("game 0 is written in Big5")):
        written(changed)
    again = sgf_lark.loads(written(changed, encoding="utf-8"))
    assert (again[0].root["CA"], again[0].root["PW"], again[0].root["PB"]) == (
        "UTF-8", "Müßig", "張栩",
    )  # fmt: skip


def test_letters_that_no_encoding_or_not_this_one_has_are_named(tmp_path: Path) -> None:
    game = GameTree.new(size=9, PB="本因坊")
    with pytest.raises(ValueError, match="which lacks '本'; write"):
        written(game, encoding="iso-8859-1")
    with pytest.raises(ValueError, match="game 0 has half of a character"):
        written(GameTree.new(size=9, PB="\ud800"))
    with pytest.raises(FileNotFoundError, match=r"none.a\.sgf'$"):
        sgf_lark.dump(game, tmp_path / "none" / "a.sgf")


def test_letters_beyond_ascii_in_a_plain_file_are_declared() -> None:
    collection = sgf_lark.loads(b"(;FF[4]KM[5])")
    draft = collection[0].edit()
    draft.set(0, "PW", "Müßig")

    changed = written(collection.replace(0, draft.done()))
    assert changed == "(;FF[4]CA[UTF-8]KM[5]PW[Müßig])".encode()


def test_nodes_that_stay_keep_their_bytes() -> None:
    collection = sgf_lark.loads(ODD, strict=False)
    game = collection[0]
    draft = game.edit()
    draft.remove(game.at("1.1/1"))
    draft.add(game.at("1"), {"W": "qq"})

    changed = sgf_lark.dumps(collection.replace(0, draft.done()))
    assert changed == ODD.replace(
        "( ;W[dd] ;B[cc]C[one\r\ntwo\\\r\nthree]\t))", "( ;W[dd])\r\n(;W[qq]))"
    )


def test_a_node_behind_a_line_that_gets_a_variation_gets_brackets() -> None:
    collection = sgf_lark.loads("(;FF[4] ;B[aa] ;W[bb];B[cc])")
    draft = collection[0].edit()
    draft.add(1, {"W": "dd"})

    assert sgf_lark.dumps(draft.done()) == "(;FF[4] ;B[aa] (;W[bb];B[cc])(;W[dd]))"


def after(text: str, change: Callable[[Draft], object]) -> str:
    """A text of one game, as it is written after a change."""
    collection = sgf_lark.loads(text, strict=False)
    draft = collection[0].edit()
    change(draft)
    return sgf_lark.dumps(collection.replace(0, draft.done()))


def test_a_game_ends_with_its_last_bracket_whatever_stands_before_it() -> None:
    text = "(;FF[4];B[aa](;W[bb])(;W[cc]) why )bye :)\n(;FF[4] not) :)"
    first, second = sgf_lark.loads(text, strict=False).split()

    assert sgf_lark.dumps(first) == "(;FF[4];B[aa](;W[bb])(;W[cc]) why )bye :)\n"
    assert sgf_lark.dumps(second) == "(;FF[4] not) :)"


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("(;FF[4](;B[aa](;W[bb]", "(;FF[4](;B[aa](;W[bb])))"),
        ("(;FF[4];B[aa]C[open", "(;FF[4];B[aa]C[open])"),
        ("(;GM[Othello]PB[a]B[d3]", "(;GM[Othello]PB[a]B[d3];)"),
        ("(;FF[4]C[:)];B[aa])", "(;FF[4]C[:)];B[aa])"),
    ],
)
def test_a_game_that_is_never_closed_is_closed_where_another_follows(
    text: str, closed: str
) -> None:
    format_ = Format.GGF if "GM" in text else None
    game = sgf_lark.loads(text, strict=False, format=format_)[0]
    other = sgf_lark.loads("(;FF[4]N[x])")
    both = sgf_lark.dumps(other.replace(0, game, other[0]))

    assert both == f"{closed}\n(;FF[4]N[x])"
    assert sgf_lark.dumps(game) == closed
    assert sgf_lark.dumps(sgf_lark.loads(text, strict=False)) == text


@pytest.mark.parametrize(
    ("value", "says"), [("open", "open"), ("open\\]", "open]"), ("open\\", "open\\"), ("", "")]
)
def test_what_comes_behind_a_value_without_its_bracket_does_not_get_into_it(
    value: str, says: str
) -> None:
    text = f"(;FF[4]AB[aa]C[{value}"
    for change in (lambda d: d.set(0, "N", "x"), lambda d: d.add(0, {"N": "x"})):
        again = sgf_lark.loads(after(text, change), strict=False)[0]

        assert again.root["C"] == says
        assert [node["N"] for node in again.walk() if "N" in node] == ["x"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["aa", "bb", "cc", "dd"], "AB[aa]\n[bb] [cc][dd]"),
        (["aa", "cc"], "AB[aa][cc]"),
        (["aa", "dd", "bb", "cc"], "AB[aa][dd]\n[bb] [cc]"),
        (["dd"], "AB[dd]"),
    ],
)
def test_values_of_a_list_that_stay_keep_their_bytes(values: list[str], expected: str) -> None:
    text = "(;FF[4]AB[aa]\n[bb] [cc];B[ee])"
    said = after(text, lambda draft: draft.set(0, "AB", values))

    assert said == f"(;FF[4]{expected};B[ee])"


def test_games_can_be_replaced_and_removed() -> None:
    collection = sgf_lark.loads("(;FF[4]N[a])\n(;FF[4]N[b])\n\n(;FF[4]N[c])\n")

    assert sgf_lark.dumps(collection.replace(1)) == "(;FF[4]N[a])\n(;FF[4]N[c])\n"
    both = collection.replace(0, collection[1], collection[0]).replace(2)
    assert sgf_lark.dumps(both) == "(;FF[4]N[b])\n\n(;FF[4]N[a])\n(;FF[4]N[c])\n"
    assert [sgf_lark.dumps(one) for one in collection.split()] == [
        "(;FF[4]N[a])\n", "(;FF[4]N[b])\n\n", "(;FF[4]N[c])\n",
    ]  # fmt: skip
    with pytest.raises(IndexError, match="there is no game 3"):
        collection.replace(3)


def test_one_game_of_many_is_written_without_a_look_at_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = set[int]()

    def note(origin: SourceGame) -> bool:
        asked.add(origin.number)
        return may_have_strays(origin)

    monkeypatch.setattr(bounds, "may_have_strays", note)
    parts = sgf_lark.loads("(;FF[4]GM[1];B[pd])\n" * 30).split()

    assert sgf_lark.dumps(parts[20]) == "(;FF[4]GM[1];B[pd])\n"
    assert asked <= {19, 20, 21}


def test_a_collection_from_data_is_written_canonically() -> None:
    collection = sgf_lark.loads("(;FF[4]GM[1]   ;B[aa])")
    data = Collection.model_validate_json(collection.model_dump_json())

    assert sgf_lark.dumps(data) == "(;FF[4]GM[1]\n;B[aa]\n)\n"


@pytest.mark.parametrize(
    "options",
    [
        {"style": "canonical"},
        {"style": "canonical", "compress": True, "nodes": 3, "indent": 1},
        {"style": "compact"},
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        (
            "(;FF[4]SZ[9:9]PB[a\tb]PW[c\\]d]AP[x:y\\:z]\n;C[one\ntwo\\\nthree]AB[aa] \n[bb][cc:dd]"
            ";LB[aa:a:b][bb:c]TR[aa]N[x\ny]FG[];W[tt]XX[a\r\nb]B[aa]B[bb];MN[3]B[])"
        ),
        "(;FF[3]GaMe[1]C[a\nb]PB[a\\:b];L[aa] [bb]Black[cc]C[x\\\ny]VW[aa][bb])",
        "(;GM[1]B[aa]KM[6.5]BS[1]T[2];W[bb]\n[cc])",
        "(;GM[Othello]PC[x\ny] PB[a\\]B[d3//2.5] ;W[c3])",
    ],
)
def test_values_that_nobody_reads_get_the_layout_of_those_that_are_read(
    text: str, options: dict[str, Any]
) -> None:
    unread = sgf_lark.loads(text, strict=False)
    read = unread.model_copy(
        update={"games": tuple(GameTree.model_validate(game.model_dump()) for game in unread)}
    )

    for _ in range(2):
        assert sgf_lark.dumps(unread, **options) == sgf_lark.dumps(read, **options)


@pytest.mark.parametrize("depth", [5_000, pytest.param(100_000, marks=pytest.mark.night)])
def test_so_many_nested_variations_are_written(depth: int) -> None:
    text = "(;FF[4]" + "(;B[aa]" * depth + ")" * (depth + 1)
    collection = sgf_lark.loads(text)
    draft = collection[0].edit()
    draft.set(depth, "C", "deep")
    changed = collection.replace(0, draft.done())

    assert sgf_lark.dumps(changed) == text.replace("[aa]))", "[aa]C[deep]))", 1)
    for options in ({}, {"indent": 2}):
        assert len(sgf_lark.loads(sgf_lark.dumps(changed, style="canonical", **options))[0]) == (  # type: ignore[arg-type]  # options of dumps
            depth + 1
        )


# ---- canonical and compact ----


def test_the_canonical_layout_is_this() -> None:
    collection = sgf_lark.loads(ODD, strict=False)

    assert sgf_lark.dumps(collection, style="canonical") == (
        "Subject: a game\n"
        "(;FF[4]GM[1]SZ[19]\n"
        "PB[Aoki : a]\n"
        "KM[6.5]\n"
        ";B[pd]\n"
        "(;W[dp]\n"
        ")\n"
        "(;W[dd]\n"
        ";B[cc]C[one\n"
        "twothree]\n"
        "))\n"
        "--\n"
        "(;FF[3]\n"
        "LB[aa:x]\n"
        ")\n"
        "bye\n"
    )


def test_the_canonical_layout_can_be_indented_filled_and_compressed() -> None:
    text = "(;FF[4]AB[aa][ab][ba][bb][dd];B[aa];W[bb];B[cc](;W[dd];B[ee])(;W[ff]C[a longer text]))"

    assert sgf_lark.dumps(
        sgf_lark.loads(text), style="canonical", indent=2, nodes=2, compress=True, width=12
    ) == (
        "(;FF[4]\n"
        "AB[aa:bb]\n"
        "[dd]\n"
        ";B[aa];W[bb]\n"
        ";B[cc]\n"
        "  (;W[dd];B[ee]\n"
        "  )\n"
        "  (;W[ff]\n"
        "C[a longer \\\n"
        "text]\n"
        "  )\n"
        ")\n"
    )  # fmt: skip


def test_in_ggf_a_property_behind_a_move_stays_behind_it() -> None:
    game = sgf_lark.loads("(;GM[Othello]PB[a]B[d3]PW[b]CO[x]W[c5];)")[0]
    canonical = sgf_lark.dumps(game, style="canonical")

    assert canonical == "(;GM[Othello]\nPB[a]\nB[d3]PW[b]CO[x]\nW[c5]\n;)\n"
    assert sgf_lark.dumps(sgf_lark.loads(canonical), style="canonical") == canonical


def test_the_compact_layout_is_this() -> None:
    collection = sgf_lark.loads(
        "(;FF[4] GM[1]\nAB[aa][ab][ba][bb]C[a\\:b\\\nc] ;B[pd] (;W[dp]) (;W[dd]) )"
    )

    assert sgf_lark.dumps(collection, style="compact") == (
        "(;FF[4]GM[1]AB[aa:bb]C[a:bc];B[pd](;W[dp])(;W[dd]))"
    )  # fmt: skip


def test_soft_line_breaks_are_for_ff4_alone() -> None:
    text = "(;FF[{}]C[one two three four five six seven])"

    shown = {n: sgf_lark.dumps(sgf_lark.loads(text.format(n)), style="canonical", width=20)
             for n in (3, 4)}  # fmt: skip
    assert "\\\n" not in shown[3]
    assert "\\\n" in shown[4]
    assert sgf_lark.loads(shown[4])[0].root["C"] == "one two three four five six seven"


TEXTS = st.text("\\]:[;() \r\n\tabé古", max_size=25)


@pytest.mark.parametrize("value", ["RE[B+4 GS[12 8 1 1 1 1 0]", "C[x A\\[twelve letters b]"])
def test_a_text_with_an_open_bracket_is_broken_once(value: str) -> None:
    text = sgf_lark.format_record(f"(;FF[4]PB[x]{value})".encode(), width=12)

    assert sgf_lark.format_record(text, width=12) == text


@settings(derandomize=True)
@given(texts=st.lists(TEXTS, min_size=3, max_size=3), width=st.integers(1, 30))
@pytest.mark.parametrize("format_", ["FF1", "FF3", "FF4"])
def test_texts_survive_any_width(format_: FormatName, texts: list[str], width: int) -> None:
    game = GameTree.new(format=format_, C=texts[0], PB=texts[1], N=texts[2])
    text = sgf_lark.dumps(game, style="canonical", width=width)
    (again,) = sgf_lark.loads(text, strict=False)

    assert [again.root[one] for one in ("C", "PB", "N")] == [
        game.root[one] for one in ("C", "PB", "N")
    ]
    assert sgf_lark.dumps(again, style="canonical", width=width) == text


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(ValueError, match="no style 'pretty': there are preserve"):
        sgf_lark.dumps(sgf_lark.loads("(;)"), style="pretty")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 1"):
        sgf_lark.dumps(sgf_lark.loads("(;)"), style="canonical", nodes=0)


# ---- files ----


def test_a_file_is_replaced_and_keeps_its_permissions_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "a.sgf", tmp_path / "b.sgf"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to("a.sgf")

    sgf_lark.dump(sgf_lark.loads("(;FF[4])"), link)

    assert file.read_bytes() == b"(;FF[4])"
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.sgf", "b.sgf"]


def test_a_new_file_may_be_read_as_others_may(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    sgf_lark.dump(sgf_lark.loads("(;FF[4])"), tmp_path / "new")

    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_open_file_gets_bytes_or_text(tmp_path: Path) -> None:
    collection = sgf_lark.loads("(;FF[4]PB[古])".encode())
    with (tmp_path / "a").open("w", encoding="utf-8") as file:
        sgf_lark.dump(collection, file)

    assert (tmp_path / "a").read_bytes() == written(collection)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(LookupError, match="no text encoding is called 'klingon'"):
        written(sgf_lark.loads("(;)"), encoding="klingon")


@pytest.mark.parametrize("format_", ["ff1", "ff3"])
@pytest.mark.parametrize(
    ("name", "encoding", "declared"),
    [
        ("ant", "ascii", None),
        ("Jürgen Müßig", "iso8859-1", None),
        ("Müßig", "iso8859-1", None),
        ("Àî", "utf-8", "UTF-8"),  # its bytes alone are a Chinese name
        ("古力", "utf-8", "UTF-8"),
        ("Žižek", "utf-8", "UTF-8"),
    ],
)
def test_letters_of_a_new_game_without_ca_are_read_back(
    format_: FormatName, name: str, encoding: str, declared: str | None
) -> None:
    made = GameTree.new(1, 19, format=format_, PB=name)
    edit = sgf_lark.loads(f"(;FF[{format_[2]}]GM[1]SZ[19])".encode())
    draft = edit[0].edit()
    draft.set(0, "PB", name)
    for game in (made, edit.replace(0, draft.done())):
        (back,) = (collection := sgf_lark.loads(written(game)))
        assert collection.encoding == encoding
        assert back.root["PB"] == name
        assert back.root.raw.get("CA", (None,)) == (declared,)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5", "shift_jis", "latin-1", "utf-16"])
@given(name=st.text(st.characters(categories=["L"]), min_size=1, max_size=9))
@settings(max_examples=amount(10, 100))
def test_a_game_without_ca_is_read_back_in_any_encoding(encoding: str, name: str) -> None:
    game = GameTree.new(1, 19, format="ff3", PB=name)
    data, would_be_misread = b"", False
    try:
        data = written(game, encoding=encoding)
    except ValueError as error:
        would_be_misread = getattr(error, "in_utf8", False)

    if data:
        assert sgf_lark.loads(data)[0].root["PB"] == name
    else:
        assert would_be_misread or name.encode(encoding, "replace").decode(encoding) != name
