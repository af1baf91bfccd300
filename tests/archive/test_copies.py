"""Copies of games, whoever made them, are found as what they are; and merged again."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from sgfmill import sgf as sgfmill
from support.corpus import names, record, required
from support.lanes import is_night

import sgf_lark
from sgf_lark import Board, Color, Format, GameTree, Symmetry
from sgf_lark.archive import Archive, Duplicates, dupes, read
from sgf_lark.archive.build import build
from sgf_lark.archive.records.merging import find_lost, merge_duplicates, merge_game
from sgf_lark.core.schema.games import GameNumber

pytestmark = [pytest.mark.elsewhere, pytest.mark.usefixtures("one_database")]

#: Moves of a game by chance.
MOVES = 70

#: Moves of a real game of which more than half is kept, and bytes of a record.
MIN_MOVES, LONG = 45, 30_000

#: Part of the moves of a game that is broken off.
PART = 0.6

#: Games whose moves are points, and one whose moves are not.
KINDS = [GameNumber.GO, GameNumber.OTHELLO, GameNumber.GOMOKU, GameNumber.HEX]
NO_POINTS = GameNumber.LINES_OF_ACTION


def made_by_chance(kind: GameNumber, seed: int) -> GameTree:
    """A game of legal moves."""
    chance = random.Random(seed)  # noqa: S311  # chance, not secrets
    game = GameTree.new(kind, PB="王 Aoki", PW="Baba", DT="1996-05-02", EV=f"Cup {seed}")
    draft, board = game.edit(), Board(kind)
    node, color = draft.root, board.to_play or Color.BLACK
    for _ in range(MOVES):
        moves = board.legal_moves(color)
        if not moves:
            break
        move = moves[chance.randrange(len(moves))]
        node = draft.add(node, {color.value: move})
        board = board.play(move, color)
        color = board.to_play or color.opponent
    return draft.done()


def cut(game: GameTree, part: float = PART) -> GameTree:
    """The first moves of the main line."""
    draft = game.edit()
    last = game.moves[int(len(game.moves) * part) - 1].node
    for child in draft.children(last):
        draft.remove(child)
    return draft.done()


def without_header(game: GameTree) -> GameTree:
    """A game without the names of its players."""
    draft = game.edit()
    draft.unset(0, "PB", missing_ok=True)
    draft.unset(0, "PW", missing_ok=True)
    return draft.done()


def with_another_move(game: GameTree) -> GameTree:
    """A game whose move 45 is another one, which no signature has."""
    move = game.moves[44]
    played = {other.point for other in game.moves}
    size = game.size or sgf_lark.BoardSize(19, 19)
    free = (
        sgf_lark.Point(column, row)
        for row in range(size.rows)
        for column in range(size.columns)
        if (column, row) not in played
    )
    draft = game.edit()
    draft.set(move.node, move.color.value, next(free))
    return draft.done()


def by_sgfmill(data: bytes) -> bytes:
    """A record as sgfmill writes it."""
    written: bytes = sgfmill.Sgf_game.from_bytes(data).serialise()
    return written


def by_sabaki(data: bytes) -> bytes | None:
    """A record as @sabaki/sgf writes it; None if node does not have it."""
    node = shutil.which("node")
    program = (
        "const sgf = require('@sabaki/sgf');"
        "const text = require('fs').readFileSync(0, 'utf8');"
        "process.stdout.write(sgf.stringify(sgf.parse(text)))"
    )
    if node is None:
        return None
    done = subprocess.run(  # noqa: S603
        [node, "-e", program], input=data, capture_output=True, check=False, timeout=100
    )
    return done.stdout if not done.returncode else None


def copies(game: GameTree, *, has_points: bool = True) -> Iterator[tuple[str, bytes]]:
    """Records of a game, with the reasons by which they are found."""

    def of(copy: GameTree, **layout: Any) -> bytes:
        return sgf_lark.dumps(copy, style="canonical", **layout).encode()

    text = of(game).decode()
    yield "bytes", text.encode()
    yield "text", of(game, nodes=9, indent=2)
    yield "text", text.replace("UTF-8", "GB18030").encode("gb18030")
    yield "text", text.replace("UTF-8", "UTF-16").encode("utf-16")
    yield "line", of(without_header(game))
    for symmetry in Symmetry:
        try:
            turned = game.transformed(symmetry)
        except ValueError:  # it does not keep the rules of this game
            continue
        if symmetry is not Symmetry.IDENTITY:
            yield "symmetric", of(turned)
        if has_points:
            yield "prefix", of(cut(turned))
    yield "symmetric", of(game.recolored())
    if has_points:
        yield "prefix", of(cut(game.recolored(), 0.7))


def built(folder: Path, sources: list[Path]) -> Archive:
    """The archive of records."""
    build(sources, folder, jobs=1)
    return read(folder)


def written(folder: Path, name: str, found: Iterator[tuple[str, bytes]]) -> dict[str, str]:
    """Write copies; the reasons by the names of their files."""
    reasons = {}
    for number, (reason, data) in enumerate(found, 1):
        path = folder / f"{name}-{number:02}.sgf"
        path.write_bytes(data)
        reasons[path.as_posix()] = reason
    return reasons


def reasons_of(found: Duplicates) -> dict[str, str]:
    """The reasons of the games that are not kept, by their files."""
    return {row["source"]: row["reason"] for row in found.table.to_pylist() if not row["keep"]}


def families(found: Duplicates) -> set[frozenset[str]]:
    """The first words of the files of each group."""
    groups: dict[int, set[str]] = {}
    for row in found.table.to_pylist():
        groups.setdefault(row["group"], set()).add(Path(row["source"]).name.partition("-")[0])
    return set(map(frozenset, groups.values()))


@pytest.mark.night
@pytest.mark.both_lanes
def test_copies_are_found_as_what_they_are_and_unlike_games_are_not(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    expected: dict[str, str] = {}
    games = copied = [(kind, seed) for kind in (*KINDS, NO_POINTS) for seed in range(2)]
    if not is_night():
        copied = [(GameNumber.GO, 1), (NO_POINTS, 1)]
        games = [*copied, (GameNumber.GO, 2)]
    for kind, seed in games:
        name, game = f"{kind}.{seed}", made_by_chance(kind, seed)
        data = sgf_lark.dumps(game, style="canonical").encode()
        (records / f"{name}-00.sgf").write_bytes(data)
        if (kind, seed) in copied:
            expected |= written(records, name, copies(game, has_points=kind is not NO_POINTS))

    found = dupes(built(tmp_path / "archive", [records]))

    assert reasons_of(found) == expected
    assert families(found) == {frozenset({f"{kind}.{seed}"}) for kind, seed in copied}
    assert {row["differs"] for row in found.table.to_pylist()} == {""}
    assert set(found.delete_list()) == set(expected)


def of_the_corpus() -> Iterator[tuple[str, GameTree]]:
    """Real games without errors, long enough to be cut."""
    for which in names():
        if which.startswith(("broken/", "ggf/", "large/")) or record(which).stat().st_size > LONG:
            continue
        if crc32(which.encode()) % 9:
            continue
        collection = sgf_lark.load(record(which), strict=False, check=True)
        if any(finding.severity == "error" for finding in collection.diagnostics):
            continue
        for number, game in enumerate(collection):
            if len(game.moves) >= MIN_MOVES and game.game in KINDS:
                yield f"{which.replace('/', '+').replace('-', '+')}.{number}", game


def begins_several(moves: list[str], lines: dict[str, list[str]]) -> bool:
    """What is left of a game that is broken off begins other games, too."""
    length = int(len(moves) * PART)
    return sum(other[:length] == moves[:length] for other in lines.values()) > 1


@pytest.mark.night
def test_copies_of_real_games_are_found_and_no_others(tmp_path: Path) -> None:
    required()
    originals, records = tmp_path / "originals", tmp_path / "records"
    originals.mkdir()
    records.mkdir()
    expected = dict[str, str]()
    lines = dict[str, list[str]]()
    for name, game in of_the_corpus():
        draft = sgf_lark.convert(game, Format.FF4).edit()
        draft.set(0, "CA", "UTF-8")
        new = draft.done()
        text = sgf_lark.dumps(new, style="canonical")
        (originals / f"{name}-00.sgf").write_bytes(text.encode())
        expected |= written(records, name, copies(new))
        lines[name] = list(map(str, new.moves))
    alike = families(dupes(built(tmp_path / "one", [originals])))

    found = dupes(built(tmp_path / "all", [originals, records]))

    # The corpus has games that are in it several times, and versions of a game with other ends.
    assert {group for group in families(found) if len(group) > 1} == {
        group for group in alike if len(group) > 1
    }
    missing = set(expected) - set(found.table["source"].to_pylist())
    ambiguous = {name for name, moves in lines.items() if begins_several(moves, lines)}
    assert {Path(path).name.partition("-")[0] for path in missing} <= ambiguous
    assert {expected[path] for path in missing} <= {"prefix"}
    assert set(reasons_of(found).values()) >= {"text", "line", "symmetric", "prefix"}


@pytest.mark.night
def test_records_that_other_programs_write_are_equal_by_their_text(tmp_path: Path) -> None:
    game = made_by_chance(GameNumber.GO, 3)
    data = sgf_lark.dumps(game, style="canonical").encode()
    (tmp_path / "0.sgf").write_bytes(data)
    (tmp_path / "1.sgf").write_bytes(by_sgfmill(data))
    sabaki = by_sabaki(data)
    if sabaki is not None:
        (tmp_path / "2.sgf").write_bytes(sabaki)

    found = dupes(built(tmp_path / "archive", sorted(tmp_path.glob("*.sgf"))))

    assert set(reasons_of(found).values()) == {"text"}
    assert found.table.num_rows == 2 + (sabaki is not None)


def test_a_misread_move_is_found_by_the_signature(tmp_path: Path) -> None:
    game = made_by_chance(GameNumber.GO, 4)
    for name, copy in (("a", game), ("b", with_another_move(game).transformed("rotate-90"))):
        (tmp_path / f"{name}.sgf").write_text(sgf_lark.dumps(copy), encoding="utf-8")

    found = dupes(built(tmp_path / "archive", sorted(tmp_path.glob("*.sgf"))))

    assert list(reasons_of(found).values()) == ["dyer"]


def test_a_board_that_is_not_square_may_be_turned_by_a_quarter(tmp_path: Path) -> None:
    moves = "".join(f";{'BW'[at % 2]}[{chr(97 + at)}{chr(97 + at * 2 % 9)}]" for at in range(13))
    game = sgf_lark.loads(f"(;FF[4]GM[1]SZ[13:9]{moves})")[0]
    for name, copy in (("a", game), ("b", game.transformed("rotate-90").recolored())):
        sgf_lark.dump(copy, tmp_path / f"{name}.sgf")

    found = dupes(built(tmp_path / "archive", [tmp_path]), min_moves=10)

    assert list(reasons_of(found).values()) == ["symmetric"]


# ---- merged ----


def with_comment(game: GameTree, number: int, comment: str) -> GameTree:
    """A game with a comment on a move, by its number from 1."""
    draft = game.edit()
    draft.set(game.moves[number - 1].node, "C", comment)
    return draft.done()


def with_variation(game: GameTree, number: int) -> GameTree:
    """A game with a pass as variation of a move."""
    draft = game.edit()
    move = game.moves[number - 1]
    node = draft.add(game.moves[number - 2].node, {move.color.value: sgf_lark.PASS, "C": "pass!"})
    assert node
    return draft.done()


@pytest.mark.parametrize("kind", [GameNumber.GO, GameNumber.HEX, NO_POINTS])
def test_a_merged_record_has_the_header_and_the_variations_of_all(kind: GameNumber) -> None:
    game = made_by_chance(kind, 1)
    kept = with_comment(without_header(game), 5, "Kept.")
    turned = with_variation(with_comment(game, 5, "Other."), 9).transformed("rotate-180")
    draft = turned.edit()
    draft.set(0, "PC", "Kyoto")
    draft.set(turned.moves[2].node, "BL", 12)

    merged = merge_game(kept, draft.done().recolored())

    assert [move.value for move in merged.moves] == [move.value for move in kept.moves]
    assert (merged.info.place, merged.root.get("EV")) == ("Kyoto", "Cup 1")
    assert {merged.root["PB"], merged.root["PW"]} == {"王 Aoki", "Baba"}
    comments = [node["C"] for node in merged.walk() if "C" in node]
    assert comments == ["Kept.\n\nOther.", "pass!"]
    assert len(list(merged.leaves())) == 2


def test_what_contradicts_the_kept_game_is_left_out() -> None:
    kept = sgf_lark.loads("(;FF[4]GM[1]SZ[9]PB[A]KM[6.5]AB[aa][bb];W[cc]BL[5];B[])")[0]
    other = sgf_lark.loads("(;FF[4]GM[1]SZ[9]PB[B]PC[X]KM[5.5]AB[bb][aa];W[cc]BL[9]C[x];B[])")[0]

    merged = sgf_lark.dumps(merge_game(kept, other), style="canonical")

    assert sgf_lark.loads(merged)[0].root.get("PB") == "A"
    assert all(text in merged for text in ("KM[6.5]", "PC[X]", "BL[5]", "C[x]"))
    assert merged.count("(") == 1


def test_a_move_in_the_first_node_gets_a_node() -> None:
    kept = sgf_lark.loads(
        "(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5]BL[9];W[d6])", strict=False
    )[0]
    other = sgf_lark.loads("(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[d6]C[x])")[0]

    for one, another in ((kept, other), (other, kept)):
        merged = merge_game(one, another)

        assert [move.node for move in merged.moves] == [1, 2]
        assert "BL" in merged.nodes[1]
        assert len(merged.nodes) == 3


def test_unlike_games_are_not_merged() -> None:
    with pytest.raises(ValueError, match="less than half of the moves are equal"):
        merge_game(made_by_chance(GameNumber.GO, 1), made_by_chance(GameNumber.GO, 2))


def test_each_group_becomes_one_record_and_the_sources_stay(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    game, other = made_by_chance(GameNumber.GO, 5), made_by_chance(GameNumber.OTHELLO, 5)
    for name, copy in (
        ("a b", game),
        ("c", with_variation(game.transformed("transpose"), 9)),
        ("d", cut(game)),
        ("e", other),
    ):
        (records / f"{name}.sgf").write_text(sgf_lark.dumps(copy), encoding="utf-8")
    sgf_lark.dump(sgf_lark.convert(other, Format.GGF), records / "f.ggf")
    draft = game.edit()
    draft.set(0, "DT", "2001")
    sgf_lark.dump(draft.done(), records / "x.sgf")
    before = {path.name: path.read_bytes() for path in records.iterdir()}
    archive = built(tmp_path / "archive", [records])

    merged = merge_duplicates(archive, dupes(archive), tmp_path / "merged")

    assert {path.name: path.read_bytes() for path in records.iterdir()} == before
    assert [path.name for path in merged.files] == ["000001-c.sgf", "000002-e.sgf"]
    first, second = (sgf_lark.load(path)[0] for path in merged.files)
    assert len(list(first.leaves())) == 2
    assert len(second.moves) == len(other.moves)
    assert [(Path(left.record).name, left.reason) for left in merged.left_out] == [
        ("x.sgf", "its header contradicts the kept game: date")
    ]
    with pytest.raises(OSError, match="empty folder"):
        merge_duplicates(archive, dupes(archive), tmp_path / "merged")


def test_sources_that_changed_since_the_archive_was_built_are_left_out(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    game = made_by_chance(GameNumber.GO, 6)
    for name, copy in (("a", game), ("b", game.recolored()), ("c", game.transformed("transpose"))):
        sgf_lark.dump(copy, records / f"{name}.sgf")
    archive = built(tmp_path / "archive", [records])
    sgf_lark.dump(cut(game), records / "b.sgf")
    (records / "c.sgf").unlink()

    merged = merge_duplicates(archive, dupes(archive), tmp_path / "merged")

    assert len(merged.files) == 1
    changed, missing = merged.left_out
    assert (Path(changed.record).name, Path(missing.record).name) == ("b.sgf", "c.sgf")
    assert "it was changed since the archive was built" in changed.reason
    assert "No such file" in missing.reason


def test_values_that_a_merged_record_does_not_have_are_named() -> None:
    kept, other = (
        sgf_lark.loads(f"(;FF[4]GM[1]SZ[9]{more};B[aa]{comment};W[bb])")[0]
        for more, comment in (
            ("EV[Cup]KM[6.5]GC[two]", "C[One. Two.]N[x]"),
            ("EV[Other]KM[7.5]GC[two]PC[Kyoto]", "C[Two.]N[y]TR[cc]"),
        )
    )
    merged = merge_game(kept, other)

    assert find_lost(merged, other) == ["EV[Other]", "KM[7.5]", "N[y]"]
    assert find_lost(merged, kept) == []
