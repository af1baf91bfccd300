"""A huge file is checked in pieces by several processes: the report is that of one process."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import pickle
import random
import time
import zipfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.corpus import names, record, required
from support.damage import PIECES, changed
from support.few_alike import LISTED, list_few
from support.lanes import amount, every_other, is_night, one_in

from sgf_lark import CheckOptions, Report, check, check_many
from sgf_lark.core.check.across_games import Summary
from sgf_lark.core.fix import syntax
from sgf_lark.core.schema.formats import EngineName
from sgf_lark.files import many, pieces as cutting, workers
from sgf_lark.files.workers import Task

if TYPE_CHECKING:
    from collections.abc import Callable

#: Games of all kinds, each of which is complete.
GAMES = [
    "(;FF[4]CA[UTF-8]GM[1]SZ[19]PB[{}]KM[6,5];B[pd];W[zz9](;B[pq])(;B[dd]C[(;x\\])(;N[4\\]]))",
    "(;FF[3]GM[1]SZ[19]PB[{}];B[aa];B[bb]L[aa][bb])",
    "(;FF[1]GM[1]SZ[9]PB[{}];B[aa];W[bb](;B[cc])(;B[dd]))",
    "(;GM[2]FF[4]SZ[8]PB[{}];B[d3];W[c3])",
    "(;PB[{}]SZ[13];B[aa]oops;W[])",
    "(;GM[1]FF[4]AP[x:1]AP[y:2];AB[aa];B[bb]PL[W]PB[{}])",
    "(;FF[4]GM[11]SZ[11]PB[{}];B[a1];W[k12])",
]
GGF = "(;GM[Othello]PB[{}]PW[b]TY[8]BO[8 ---------------------------O*------*O-----------"
GGF += "---------------- *]B[F5];)"


def in_pieces(
    path: Path, meanwhile: Callable[[], object] = lambda: None, **options: Any
) -> Report | None:
    """Check a file as two processes do; None if it cannot be cut."""
    check_piece = partial(many._check, options=options, cache=None)  # noqa: SLF001  # as they do
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cutting, "in_processes", workers.run)
        cut = cutting.share_file(Task(path, (path, {})), check_piece, 2, options, None)
        meanwhile()
        if cut is None:
            return None
        file, pieces = cut
        for piece in pieces:
            task = pickle.loads(pickle.dumps(file.task(piece)))
            file.add(piece, *workers.run(check_piece, iter([task]), 1))
    report: Report | None = file.outcome().result
    return report


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pieces be of a few games."""
    monkeypatch.setattr(cutting, "MIN_PIECE", 150)
    monkeypatch.setattr(cutting, "PIECES_PER_PROCESS", 20)
    for module in (cutting, syntax):
        monkeypatch.setattr(module, "MAX_TOKENS", 20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "huge.sgf"


def written(path: Path, games: list[str], between: str = "\n", encoding: str = "utf-8") -> Path:
    text = between.join(game.format(number) for number, game in enumerate(games))
    path.write_bytes(text.encode(encoding))
    return path


# ---- files that are shared ----


def test_the_habit_of_a_program_is_reported_once_in_all_pieces(path: Path) -> None:
    game = "(;FF[4]GM[1]SZ[19]AP[KaTrain:1]PB[{}];B[pd]SQ[dd]MA[dd];W[dp]SQ[pp]MA[pp])"

    report = in_pieces(written(path, [game] * 20))

    assert report is not None
    assert [one.code for one in report] == ["D522"]
    assert report == check(path)


@pytest.mark.night
@pytest.mark.parametrize("between", one_in(3, ["\n", "", "\r\n\r\n", " hm\n", ")\n"]))
@pytest.mark.parametrize("engine", every_other(["generated", "lark"]))
def test_games_of_all_kinds_are_shared(path: Path, between: str, engine: EngineName) -> None:
    written(path, GAMES * amount(5, 8), between)
    options = CheckOptions(extend_select=["several-games"])
    whole = check(path, engine=engine, options=options)
    assert {"different-games", "different-formats", "several-games"} <= {one.name for one in whole}

    joined = in_pieces(path, engine=engine, options=options)
    if between in {"", "\n", "\r\n\r\n"}:
        assert joined is not None
    assert joined in (None, whole)


@pytest.mark.night
@pytest.mark.parametrize("kinds", one_in(5, [[0, 6, 0], [0], [0, 1], [3, 0], [2, 2, 4]]))
def test_the_first_game_of_another_kind_may_be_in_any_piece(path: Path, kinds: list[int]) -> None:
    games = [GAMES[0]] * 10 + [GAMES[kind] for kind in kinds] * 3 + [GAMES[0]] * 10
    for start in range(0, 10, 3):
        assert in_pieces(written(path, games[start:])) == check(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "euc_jp", "iso2022_jp"])
def test_a_file_is_cut_between_characters(path: Path, encoding: str) -> None:
    game = f"(;FF[4]CA[{encoding.removesuffix('-sig')}]GM[1]SZ[19]PB[青木 {{}}];B[aa]C[囲碁])"
    written(path, [game] * 30, encoding=encoding)

    assert in_pieces(path) == check(path)


def test_each_game_keeps_its_encoding_and_damaged_bytes_their_findings(path: Path) -> None:
    codecs = ["gb18030", "shift_jis", "utf-8", "big5"]
    games = [
        f"(;FF[4]CA[{codec}]GM[1]SZ[19]PB[表示]KM[x])\n".encode(codec, "ignore")
        for codec in codecs * amount(6, 12)
    ]
    path.write_bytes(b"".join(games) + b"(;FF[4]CA[UTF-8]GM[1]PB[\xff])")

    assert in_pieces(path) == check(path)
    assert in_pieces(path, encoding="cp1252") == check(path, encoding="cp1252")


@pytest.mark.parametrize("header", ["", "1 ", "1\n"])
def test_ggf_is_shared_with_or_without_numbers_of_games(path: Path, header: str) -> None:
    written(path, [header + GGF] * 20)
    joined = in_pieces(path)

    assert joined is not None
    assert joined == check(path)


@pytest.mark.parametrize("first", [GAMES[0], GGF, "2 " + GGF])
def test_games_of_both_families_are_shared(path: Path, first: str) -> None:
    written(path, [first, *[GAMES[1], "1 " + GGF, GGF, GAMES[2], GAMES[4]] * 6])
    joined = in_pieces(path)

    assert joined is not None
    assert joined == check(path)


# ---- files that one process reads ----

SHARED = [GAMES[0]] * 12


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    "games",
    one_in(
        4,
        [
            pytest.param([*SHARED, "(;FF[4]PB[{}];B[aa]", *SHARED], id="a game without its end"),
            pytest.param([*SHARED, "(;FF[4]PB[{};B[aa])", *SHARED], id="a value without its end"),
            pytest.param([*SHARED, "(;FF[4]C[", *SHARED, "])", *SHARED], id="games in a comment"),
            pytest.param(["(;FF[4]C[)(;FF[4\\]])"] * 30, id="comments like games"),
            pytest.param([*SHARED, "(;FF[4];B[aa])(;W[bb])(;W[cc]))", *SHARED], id="fragments"),
            pytest.param([*SHARED, "(;FF[4](;FF[4]", *SHARED, "))", *SHARED], id="games in a game"),
            pytest.param(["2 " + GGF, *["1 " + GGF] * 20], id="a wrong number of games"),
            pytest.param(["2 " + GGF, GGF] * 12, id="pairs of games"),
            pytest.param(["2 " + GGF, *SHARED, GGF, *SHARED], id="a pair among others"),
            pytest.param([*["1 " + GGF] * 9, *[GGF] * 9], id="numbers of some games"),
        ],
    ),
)
def test_what_crosses_a_border_is_found_as_in_one_process(path: Path, games: list[str]) -> None:
    written(path, games)

    assert in_pieces(path) in (None, check(path))
    assert not is_night() or next(check_many([path], jobs=2)) == check(path)


@pytest.mark.both_lanes
def test_findings_in_games_are_limited_together(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_few(monkeypatch)
    path.write_text("(;FF[4]GM[1]SZ[19];B[zzz])" * (LISTED + 20), encoding="utf-8")

    report = in_pieces(path)
    assert report == check(path)
    assert report is not None
    assert len(report) == LISTED + 1


def test_all_findings_alike_of_one_game_are_listed_if_all_are_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_few(monkeypatch)
    written(path, [*SHARED[:4], "(;FF[4]GM[1]SZ[19]PB[{}]" + "KM[x]" * (LISTED + 9) + ")"])

    report = in_pieces(path, max_diagnostics=0)
    assert report == check(path, max_diagnostics=0)
    assert report is not None
    assert Counter(one.code for one in report)["V301"] > LISTED


@pytest.mark.both_lanes
@pytest.mark.parametrize("limit", one_in(3, [{}, {"max_diagnostics": 0}, {"max_diagnostics": 7}]))
def test_findings_outside_games_are_limited_together(
    path: Path, limit: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    list_few(monkeypatch)
    written(path, ["(;FF[4]GM[1]SZ[19]PB[{}]) x"] * amount(120, 1200))

    assert in_pieces(path, **limit) in (None, check(path, **limit))


def test_one_game_and_no_game_are_not_cut(path: Path) -> None:
    for text in ("", "no game", "(;FF[4]GM[1]C[" + "x" * 5000 + "])", "x" * 5000):
        path.write_text(text, encoding="utf-8")
        assert in_pieces(path) is None


def test_a_file_that_changes_meanwhile_is_checked_as_it_was(path: Path) -> None:
    before = check(written(path, SHARED))

    assert in_pieces(path, lambda: path.write_text("(;FF[4])", encoding="utf-8")) == before


@pytest.mark.night
@pytest.mark.parametrize("between", ["", "1 "])
def test_no_byte_is_read_many_times(
    path: Path, monkeypatch: pytest.MonkeyPatch, between: str
) -> None:
    """Neither after a value without its end, nor after a number of games at the beginning."""
    first = "1 " + GGF if between else "(;FF[4]C["
    written(path, [first, *([GGF] * 6 if between else SHARED) * amount(10, 150)])
    sizes: list[int] = []
    read = cutting.read_piece

    def counted(text: str, *arguments: Any, **options: Any) -> Any:
        sizes.append(len(text))
        return read(text, *arguments, **options)

    monkeypatch.setattr(cutting, "read_piece", counted)

    assert in_pieces(path) == check(path)
    assert len(sizes) > 10
    assert sum(sizes) < 5 * path.stat().st_size


# ---- in processes ----


def test_a_huge_file_is_shared_by_processes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, GAMES * 8)
    sound = written(path.with_name("small.sgf"), SHARED)
    paths = [sound, path, sound, path.with_name("none.sgf"), path]
    expected = list(check_many(paths, jobs=1))
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 2_000)
    reports: list[object] = []
    outcome = cutting.SharedFile.outcome

    def counted(file: cutting.SharedFile) -> workers.Outcome[Any]:
        reports.append(outcome(file).result)
        return outcome(file)

    monkeypatch.setattr(cutting.SharedFile, "outcome", counted)

    assert list(check_many(paths, jobs=2)) == expected
    assert reports == [expected[1], expected[4]]


@pytest.mark.night
@pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork" or not os.path.exists("/proc/self/statm"),  # noqa: PTH110
    reason="processes are not forked here, or nobody knows their memory",
)
def test_the_bytes_of_a_huge_file_are_no_memory_of_its_processes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size, told = 1 << 26, path.with_name("told")
    path.write_bytes(b"(;FF[4]GM[1]C[%s])" % (b"x" * 99_999) * (size // 100_000))

    def memory() -> int:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def tell(_: many.Work, **_options: Any) -> cutting.PieceRead:
        with told.open("a", encoding="ascii") as file:
            file.write(f"{memory()}\n")
        return cutting.PieceRead(Summary(), [])

    monkeypatch.setattr(many, "_check", tell)
    before = memory()
    assert [len(report) for report in check_many([path], jobs=2)] == [0]
    assert max(map(int, told.read_text(encoding="ascii").split())) < before + size // 2


def test_progress_is_told_of_each_piece(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 2_000)
    written(path, GAMES * 12)
    told: list[int] = []

    assert len(list(check_many([path], jobs=2, progress=lambda _, size: told.append(size)))) == 1
    assert sum(told) == path.stat().st_size
    assert len(told) > 10


@pytest.mark.night
def test_huge_records_in_archives_and_compressed_ones_are_shared(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(path, GAMES * 12)
    packed, archive = path.with_name("huge.sgf.gz"), path.with_name("huge.zip")
    packed.write_bytes(gzip.compress(path.read_bytes(), 0))
    with zipfile.ZipFile(archive, "w") as file:
        file.write(path, "huge.sgf")
    expected = list(check_many([packed, archive], jobs=1))
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 2_000)
    told: list[str] = []

    reports = list(
        check_many([packed, archive], jobs=2, progress=lambda *now: told.append(str(now[0])))
    )
    assert reports == expected
    assert [one.diagnostics for one in reports] == [check(path).diagnostics] * 2
    assert min(Counter(told).values()) > 10


@pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="processes are not forked here"
)
def test_a_crash_in_a_piece_is_one_of_its_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, SHARED * 4)
    sound = written(path.with_name("small.sgf"), SHARED[:4])
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 2_000)
    check_file = many._check  # noqa: SLF001  # replaced below

    def crash(work: many.Work, **options: Any) -> object:
        if isinstance(work[0], tuple) and work[0][1].is_last:
            os._exit(3)
        return check_file(work, **options)

    monkeypatch.setattr(many, "_check", crash)
    reports = list(check_many([sound, path, sound], jobs=2))

    assert [[one.code for one in report] for report in reports[::2]] == [
        [one.code for one in check(sound)]
    ] * 2
    assert [one.code for one in reports[1]] == ["F005"]


# ---- by chance, and real records ----


def cut_anywhere(patch: pytest.MonkeyPatch, dice: random.Random) -> None:
    """Cut wherever it is certain, or after some more games."""
    patch.setattr(cutting, "MIN_PIECE", 1)
    patch.setattr(cutting, "PIECES_PER_PROCESS", dice.choice([1000, 1000, 20, 9]))


@pytest.mark.night
@pytest.mark.both_lanes
@pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="processes are not forked here"
)
def test_any_split_in_any_number_of_processes_and_any_order_gives_the_same_report(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(amount(3, 4))  # noqa: S311  # no secret
    list_few(monkeypatch)
    monkeypatch.setattr(many, "MIN_BYTES_FOR_PROCESSES", 1)
    cut_anywhere(monkeypatch, dice)
    check_file = many._check  # noqa: SLF001  # replaced below

    def check_late(work: many.Work, **options: Any) -> object:
        time.sleep(random.Random(os.getpid() + time.monotonic_ns()).choice([0, 0, 0.01]))  # noqa: S311
        return check_file(work, **options)

    monkeypatch.setattr(many, "_check", check_late)
    for _ in range(amount(3, 50)):
        data = chance_games(path, dice)
        options: dict[str, Any] = {"max_diagnostics": dice.choice([None, 0, 7])}
        (report,) = check_many([path], jobs=dice.choice([2, 2, 3]), **options)
        assert report == check(path, **options), data


def chance_games(path: Path, dice: random.Random) -> bytes:
    """Write some games, of which a few may be damaged."""
    games = [dice.choice([*GAMES, *GAMES, "1 " + GGF]) for _ in range(dice.randint(5, 25))]
    if dice.random() < 0.3:
        games = [GGF if dice.random() < 0.9 else "2 " + GGF for _ in games]
    if dice.random() < 0.2:
        games[3] = "(;FF[4]GM[1]SZ[19]PB[{}]" + "KM[x]" * (LISTED + 9) + ")"
    data = written(path, games, dice.choice(["", "\n", "\n\n", " x\n"])).read_bytes()
    for _ in range(dice.randint(0, 3)):
        data = changed(data, dice)
    if dice.random() < 0.2:
        data += "".join(dice.choices(PIECES, k=9)).encode()
    path.write_bytes(data)
    return data


@pytest.mark.both_lanes
def test_real_records_in_one_file_are_checked_alike(path: Path) -> None:
    dice = random.Random(1)  # noqa: S311  # no secret
    required()
    usual = [name for name in names() if not name.startswith(("broken/", "large/"))]
    for _ in range(amount(1, 10)):
        chosen = dice.sample(usual, amount(8, 40))
        path.write_bytes(b"\n".join(record(name).read_bytes() for name in chosen))

        assert in_pieces(path) in (None, check(path)), chosen
