"""A storm of mutated records through everything that changes records, judged from outside.

``python -m tests.support.storm --count 10000 --seed 1 --save FOLDER`` cuts and mutates real files
(those that SGF_LARK_CORPUS names, else ``tests/records``) and puts each through the checks of
:data:`CHECKS`.  The oracles are sgfmill and the lexer of :mod:`.lexer`, not the package's reader,
where one of them can judge.  Each failure is one line and a small file in the folder; the end is a
table of what held.  The same seed and count give the same texts.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import signal
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgfmill import sgf_grammar

import sgf_lark
from sgf_lark import Collection, Diagnostic, GameTree, SgfConversionError, SgfError, SgfSyntaxError
from sgf_lark.api.format import ChangedError
from sgf_lark.write.encode import declare_encoding

from .corpus import folder
from .damage import changed_record
from .fixing import check_fixed
from .invariants import check_json
from .lexer import TEXTS, characters, masked, tokens, words
from .of_sgfmill import of_ours, of_sgfmill
from .writing import meanings, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

RECORDS = Path(__file__).parents[1] / "records"

#: Bytes of a file that is used whole; of a longer one, a part is.
MAX_BYTES = 6_000

#: CPU seconds of one check of one text.
MAX_SECONDS = 60

#: Attempts to make the text of a failure smaller.
MAX_ATTEMPTS = 400

TARGETS = ("ff1", "ff3", "ff4", "ggf", "sgf")


class FailureError(Exception):
    """Something that should hold, and does not.

    Attributes:
        what: It, in words without the text's own: failures of the same words are alike.
    """

    def __init__(self, what: str, shown: object = "") -> None:
        super().__init__(what, shown)
        self.what = what


class TooLong(BaseException):
    """A check takes more than its time."""


class Result(NamedTuple):
    """What came out of one check of one text.

    Attributes:
        number: The number of the text.
        check: The name of the check.
        counts: How often something was done or rejected, by its name.
        failure: What does not hold; "" if all holds.
        shown: The failure in full.
        data: The text that shows it.
    """

    number: int
    check: str
    counts: Counter[str]
    failure: str = ""
    shown: str = ""
    data: bytes = b""


def hold(truth: object, what: str, *shown: object) -> None:
    """Raise a failure unless something is true."""
    if not truth:
        raise FailureError(what, " ".join(map(repr, shown)))


# ---- texts ----


@cache
def files(where: Path) -> tuple[Path, ...]:
    """The records of a folder, in order; what lies in its top has no records in folders."""
    found = sorted(one for one in where.glob("*/**/*") if one.is_file())
    return tuple(found or sorted(one for one in where.iterdir() if one.is_file()))


def text_of(number: int, seed: int, where: Path) -> bytes:
    """Return a mutated record by its number."""
    dice = random.Random(f"{seed}/{number}")  # noqa: S311  # a fixed seed
    data = dice.choice(files(where)).read_bytes()
    if len(data) > MAX_BYTES:
        data = part_of(data, dice)
    for _ in range(dice.choice((1, 1, 1, 1, 2, 2, 2, 3, 4, 5))):
        data = changed_record(data, dice)
    return data


def part_of(data: bytes, dice: random.Random) -> bytes:
    """Cut a part out of a long file: its beginning, or a piece that begins with a game."""
    start = 0
    if dice.random() < 0.5:
        start = max(0, data.find(b"(;", dice.randrange(len(data))))
    end = start + dice.randint(300, MAX_BYTES // 3)
    border = max(data.rfind(mark, start + 1, end) for mark in (b"\n;", b"(;", b";"))
    part = data[start : border if border > start else end]
    depth = part.count(b"(") - part.count(b")")
    return part + b")" * depth if dice.random() < 0.8 else part


# ---- what is compared ----


#: Properties of the standards whose values are no texts.
NO_TEXTS = {rule.ident for rule in sgf_lark.PropertyTable.standard()} - TEXTS


def lost(before: str, after: str) -> Counter[str]:
    """Return the letters and digits of texts of one record that another one does not have.

    It may have them as a name, too, or in more values that are no texts than were there.
    """
    kept, others = Counter[str](), Counter[str]()
    for one in tokens(after):
        (others if one.name in NO_TEXTS else kept).update(filter(str.isalnum, one.text))
    for one in tokens(before):
        if one.name in NO_TEXTS:
            others.subtract(filter(str.isalnum, one.text))
    return characters(before) - kept - +others  # those that there are more of now


def inside(text: str, findings: Sequence[Diagnostic]) -> Counter[str]:
    """Count the letters and digits inside the spans of findings, each place once.

    A finding about a variation is at its first node; one about TE with BM is at the second
    of both, and quotes the first.
    """
    places = {at for one in findings for at in range(one.offset, one.end_offset)}
    quoted = [one.message for one in findings if one.name == "tesuji-and-bad"]
    for one in findings:
        if one.name == "variations-left-out":
            places.update(range(one.offset, end_of_variation(text, one.offset)))
    found = Counter(text[at] for at in places if text[at : at + 1].isalnum())
    return found + Counter(filter(str.isalnum, "".join(re.findall(r"\[.*?\]", "".join(quoted)))))


def end_of_variation(text: str, start: int) -> int:
    """Return the place of the bracket that closes the variation whose first node is at a place."""
    depth = 0
    for one in tokens(text[start:]):
        depth += (one.text == "(") - (one.text == ")") if one.kind == "mark" else 0
        if depth < 0:
            return start + one.start
    return len(text)


def lost_silently(source: Collection, text: str, findings: Sequence[Diagnostic]) -> Counter[str]:
    """Return the letters of a record that are neither in a text nor inside a finding.

    What is no record has one finding, at its beginning.
    """
    if not source.games:
        return Counter()
    before = source.text
    if any(game.format == "GGF" for game in source):
        before = re.sub(r"\d+(?=\s*\(;)", "", before)  # the number of games of a match
    return lost(before, text) - inside(source.text, findings)


def words_in(text: str) -> list[str]:
    """Return the words of a text; a NUL may go without a letter, and parts no word."""
    return re.findall(r"[^\W_]+", text.replace("\0", ""))


def words_of(text: str) -> list[str]:
    """Return the words of the texts of a record; pieces of stray text that touch are one."""
    return words_in(masked(text))


def read(data: bytes | str) -> Collection:
    return sgf_lark.loads(data, strict=False)


def try_written(collection: Collection, counts: Counter[str], **options: object) -> bytes | None:
    """Return the bytes of games, or None if writing rejects them."""
    try:
        return written(collection, **options)
    except SgfError:
        raise
    except ValueError:
        counts["not written"] += 1
        return None


Shape = list[tuple[int, dict[str, list[str]]]]


def by_sgfmill(text: str) -> list[Shape] | None:
    """Return what sgfmill reads, its values without escapes; None if it reads nothing."""
    try:
        shapes = of_sgfmill(text)
    except ValueError:
        return None
    for shape in shapes:
        for _, values in shape:
            for name, raws in values.items():
                value = (
                    sgf_grammar.text_value if name in {"C", "GC"} else sgf_grammar.simpletext_value
                )
                values[name] = [value(raw.encode()).decode() for raw in raws]
    return shapes


# ---- the checks ----


def check_read(data: bytes, _: random.Random, counts: Counter[str]) -> None:
    """Reading raises what is documented alone; games one by one, and bytes, are the same."""
    collection = read(data)
    hold(written(collection) == data, "dump changes bytes of what was read")
    one_by_one = [*sgf_lark.iter_games(io.BytesIO(data), strict=False)]
    hold(one_by_one == [*collection], "iter_games reads other games than loads")
    try:
        sgf_lark.loads(data)
    except SgfError:
        counts["refused if strict"] += 1
    check_json(collection)


def check_fix(data: bytes, _: random.Random, counts: Counter[str]) -> None:
    """Fixing ends, does no harm, and loses no letter of a text but those that its title quotes."""
    for unsafe, rounds in check_fixed(data).items():
        if not rounds:
            counts["nothing to fix"] += 1
            continue
        counts["fixed"] += 1
        kind = "unsafe" if unsafe else "safe"
        new = rounds[-1].after.data
        # Which encoding is guessed, and the case of a known name, may change: bytes say the rest.
        before, after = (
            [one.casefold() for one in (read(each).text, each.decode("iso-8859-1"))]
            for each in (data, new)
        )
        if all(map(lost, before, after)):
            counts[f"{kind}, fewer letters"] += 1
        kept = [
            {word for one in tokens(text) for word in words_in(one.text)}.union(words_of(text))
            for text in after
        ]
        gone, unknown = (
            {*words_of(text)} - there for text, there in zip(before, kept, strict=True)
        )
        # A value that runs on into a name ends in the middle of what was a word; AP with ":]".
        gone -= {*words_in(re.sub(r":?\]", "", after[0]))}
        if gone and unknown:
            fixes = [one.fix for each in rounds for one in each.chosen if one.fix]
            said = [fix.message.casefold() for fix in fixes if not fix.safe]
            clipped = any("…" in one for one in said)
            unsaid = [one for one in gone if not clipped and not any(one in each for each in said)]
            hold(not unsaid, f"{kind} fixes lose words without a word", unsaid, new)


def check_fmt(data: bytes, dice: random.Random, counts: Counter[str]) -> None:
    """A new layout says the same to sgfmill, has no new findings, and is laid out the same."""
    options: dict[str, Any] = dice.choice(
        [{}, {"nodes": 10}, {"indent": 2, "width": 60}, {"width": 20}, {"compress": True}]
    )
    try:
        new = sgf_lark.format_record(data, **options)
    except (SgfSyntaxError, ChangedError):
        counts["refused"] += 1
        return
    counts["laid out"] += 1
    hold(sgf_lark.format_record(new, **options) == new, "fmt of fmt differs", options, new)
    before, after = (sgf_lark.check(io.BytesIO(one)) for one in (data, new))
    more = Counter(one.code for one in after) - Counter(one.code for one in before)
    hold(not more, f"fmt makes findings {' '.join(sorted(more))}", options, new)
    gone = lost(before.text, after.text) + lost(after.text, before.text)
    hold(not gone, "fmt changes letters of texts", dict(gone), options, new)
    if "compress" in options or any(one.format == "GGF" for one in read(data)):
        return
    theirs = by_sgfmill(before.text)
    if theirs is not None:
        counts["compared by sgfmill"] += 1
        hold(by_sgfmill(after.text) == theirs, "sgfmill reads other values after fmt", options, new)


def check_convert(data: bytes, dice: random.Random, counts: Counter[str]) -> None:
    """A conversion reads back, is done once, and names what it leaves out; so does JSON."""
    source = read(data)
    target = dice.choice(TARGETS)
    lossy: Any = dice.choice(("keep", "keep", "drop"))
    for to in TARGETS:
        check_conversion(source, to, lossy if to == target else "keep", counts)
    check_kept_by_json(source, counts)
    parts = [try_written(one, counts) for one in source.split()]
    if None not in parts:
        there = "\n".join(read(one or b"").text for one in parts)
        gone = lost_silently(source, there, source.diagnostics)
        hold(not gone, "split loses letters without a finding", dict(gone))


def check_conversion(source: Collection, to: str, lossy: Any, counts: Counter[str]) -> None:
    try:
        made = sgf_lark.convert(source, to, lossy=lossy)  # type: ignore[arg-type]
    except SgfConversionError:
        counts["refused"] += 1
        return
    counts["converted"] += 1
    new = try_written(made, counts)
    if new is None:
        return
    again = read(new)
    if to != "sgf":
        formats = {game.format.lower() for game in again}
        hold(formats <= {to}, f"the format after {to} is another", formats, new)
    # What stays as it is may be damaged: then text between its values has another place.
    expected = [meanings(made)]
    if made is not source:
        # A game that stays declares the new encoding, and one of FF[1] or FF[3] that of its
        # bytes where they alone would be misread.
        is_new = made.encoding != source.encoding
        olds = (False, True) if is_new else (True,)
        expected += [meanings(declared(made, made.encoding, also_old=old)) for old in olds]
    hold(meanings(again) in expected, f"{to} reads differently", new)
    twice = sgf_lark.convert(again, to)  # type: ignore[arg-type]
    hold(meanings(twice) == meanings(again), f"{to} twice differs", new)
    findings = made.diagnostics if made is not source else ()
    gone = lost_silently(source, again.text, findings)
    hold(not gone, f"{to} loses letters without a finding", dict(gone), new)


def declared(made: Collection, encoding: str | None, *, also_old: bool = False) -> Collection:
    """Return games of which each one of FF[4] has a CA that names the encoding of all."""
    games = tuple(declare_encoding(game, encoding or "utf-8", also_old=also_old) for game in made)
    return made.model_copy(update={"games": games})


def check_kept_by_json(source: Collection, counts: Counter[str]) -> None:
    try:
        back = Collection.model_validate_json(source.model_dump_json())
    except ValueError:
        counts["JSON not read"] += 1
        return
    new = sgf_lark.dumps(back)
    gone = lost_silently(source, new, source.diagnostics)
    hold(not gone, "JSON loses letters without a finding", dict(gone), new)


def check_merge(data: bytes, dice: random.Random, counts: Counter[str]) -> None:
    """A game merged with itself has its nodes; two have the texts of both."""
    games = [*read(data)][:3]
    others = [*read(changed_record(data, dice))][:1]
    for game in games:
        try:
            same = sgf_lark.merge(game, game)
        except ValueError:
            counts["refused"] += 1
            continue
        counts["merged with itself"] += 1
        hold(
            len(same) == len(game),
            "a game merged with itself has other nodes",
            len(game),
            len(same),
        )
        for other in others + games[:1]:
            check_merged(game, other, counts)


def check_merged(game: GameTree, other: GameTree, counts: Counter[str]) -> None:
    try:
        both = sgf_lark.merge(game, other)
    except ValueError:
        counts["refused"] += 1
        return
    counts["merged with another"] += 1
    texts = {word for one in (game, other) for word in words_of_game(one)}
    gone = texts - words_of_game(both)
    if gone:
        hold(both.diagnostics, "merge loses words without a finding", gone)


def words_of_game(game: GameTree) -> set[str]:
    """Return the words of the texts of a game, but those about its file."""
    kept = (
        f"{prop.ident}[{raw}]"
        for content in game.nodes.contents
        for prop in content
        if prop.ident in TEXTS - {"AP"}
        for raw in prop.raw
    )
    return {*words(f"(;{';'.join(kept)})")}


def check_draft(data: bytes, dice: random.Random, counts: Counter[str]) -> None:
    """An edit changes the bytes of its node alone, and reads back as it was made."""
    collection = read(data)
    is_broken = any(
        one.code[0] == "S" and (one.severity == "error" or one.name == "swallowed-properties")
        for one in collection.diagnostics
    )  # what swallows a bracket hides the error that another one is left over
    number = dice.randrange(max(1, len(collection)))
    for edit in (set_text, add_node, remove_node, promote_node):
        if not collection.games:
            return
        game = collection[number]
        node = dice.randrange(len(game))
        draft = game.edit()
        span = game.nodes[node].span
        try:
            edit(draft, node)
            edited = collection.replace(number, draft.done())
        except ValueError:
            counts["refused"] += 1
            continue
        new = try_written(edited, counts)
        if new is None or span is None:
            continue
        counts["edited"] += 1
        name = edit.__name__
        again = read(new)
        if [game.format for game in again] != [game.format for game in edited]:
            counts["another guess of the format"] += 1
            continue
        expected = [of_ours(edited)]
        if again.encoding != edited.encoding:  # it may be declared
            expected.append(of_ours(declared(edited, again.encoding)))
        expected += map(closed, expected[:])
        hold(of_ours(again) in expected, f"{name} reads back differently", node, new)
        if is_broken:
            continue
        if edit is set_text or (edit is add_node and not game.nodes[node].children):
            text = collection.text
            marks = (one.start for one in tokens(text) if one.kind == "mark")
            end = next((mark for mark in marks if mark >= span.end), len(text))
            hold(again.text.startswith(text[: span.start]), f"{name}: bytes before", node, new)
            hold(again.text.endswith(text[end:]), f"{name}: bytes after", node, new)
        elif edit is promote_node:
            hold(not lost(collection.text, again.text), f"{name} loses letters", node, new)


def closed(shapes: list[Shape]) -> list[Shape]:
    """Return games whose values end with no half of an escape: the end of a text cuts one off."""
    return [
        [
            (above, {name: [*map(whole_escapes, raws)] for name, raws in values.items()})
            for above, values in shape
        ]
        for shape in shapes
    ]


def whole_escapes(raw: str) -> str:
    return raw + "\\" * ((len(raw) - len(raw.rstrip("\\"))) % 2)


def set_text(draft: Any, node: int) -> None:
    draft.set(node, "C", "a]b\\c: d")


def add_node(draft: Any, node: int) -> None:
    draft.add(node, {"C": "new"})


def remove_node(draft: Any, node: int) -> None:
    draft.remove(node)


def promote_node(draft: Any, node: int) -> None:
    draft.make_main_line(node)


CHECKS: dict[str, Callable[[bytes, random.Random, Counter[str]], None]] = {
    "read": check_read,
    "fix": check_fix,
    "fmt": check_fmt,
    "convert": check_convert,
    "merge": check_merge,
    "draft": check_draft,
}


# ---- running ----


def run_check(name: str, data: bytes, number: int) -> Result:
    """Put one text through one check."""
    counts: Counter[str] = Counter()
    dice = random.Random(number)  # noqa: S311  # a fixed seed

    def stop(*_: object) -> None:
        raise TooLong

    earlier = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    try:
        CHECKS[name](data, dice, counts)
    except FailureError as failure:
        return Result(number, name, counts, failure.what, str(failure), data)
    except TooLong:
        return Result(number, name, counts, f"more than {MAX_SECONDS} s", "", data)
    except AssertionError as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        return Result(number, name, counts, f"{at.name}: {at.line}", "", data)
    except Exception as error:  # noqa: BLE001  # that nothing else is raised is what is checked
        at = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__} at {Path(at.filename).name}:{at.name}"
        return Result(number, name, counts, what, "".join(traceback.format_exception(error)), data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, earlier)
    return Result(number, name, counts)


def smaller(failed: Result) -> bytes:
    """Return a smaller text with the same failure: pieces are left out while it stays."""
    data = failed.data
    attempts = 0
    size = max(1, len(data) // 2)
    while size:
        at = 0
        while at < len(data) and attempts < MAX_ATTEMPTS:
            less = data[:at] + data[at + size :]
            attempts += 1
            if run_check(failed.check, less, failed.number).failure == failed.failure:
                data = less
            else:
                at += size
        size //= 2
    return data


def run_text(seed: int, where: Path, names: tuple[str, ...], number: int) -> list[Result]:
    """Put one mutated record through some checks."""
    data = text_of(number, seed, where)
    return [run_check(name, data, number) for name in names]


def storm(
    numbers: Iterable[int], seed: int, where: Path, names: tuple[str, ...], jobs: int
) -> Iterator[Result]:
    """Yield the results of all texts, in order."""
    work = partial(run_text, seed, where, names)
    if jobs == 1:
        for number in numbers:
            yield from work(number)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for results in pool.map(work, numbers, chunksize=8):
                yield from results
        finally:
            pool.shutdown(cancel_futures=True)


def save(result: Result, where: Path | None, data: bytes) -> str:
    """Return a line that shows a failure; its text goes into a file of the folder."""
    line = f"{result.check} {result.number}: {result.failure}"
    if where is not None:
        where.mkdir(parents=True, exist_ok=True)
        file = where / f"{result.check}-{result.number}.sgf"
        file.write_bytes(data)
        (where / f"{file.stem}.txt").write_text(
            f"{line}\n{data!r}\n\n{result.shown}\n", encoding="utf-8"
        )
    return f"{line}\n    {data[:300]!r}"


def main() -> None:
    """Run the storm; print failures as they come, and figures at the end."""
    parser = argparse.ArgumentParser(description="Mutated records through all that changes them.")
    parser.add_argument("--count", type=int, default=300, help="texts")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=CHECKS, action="append", help="only this check")
    parser.add_argument("--save", type=Path, help="the folder for texts of failures")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--again", type=Path, help="put this file through the checks instead")
    options = parser.parse_args()
    names = tuple(options.only or CHECKS)
    where = folder() or RECORDS
    if options.again:
        data = options.again.read_bytes()
        if options.again.suffix == ".txt":
            data = ast.literal_eval(options.again.read_text(encoding="utf-8").splitlines()[1])
        number = int(options.again.stem.rpartition("-")[2])
        found: Iterable[Result] = (run_check(name, data, number) for name in names)
    else:
        numbers = range(options.first, options.first + options.count)
        found = storm(numbers, options.seed, where, names, options.jobs)
    end = time.monotonic() + 60 * options.minutes
    texts: Counter[str] = Counter()
    failed: dict[str, Counter[str]] = {name: Counter() for name in names}
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for result in found:
        texts[result.check] += 1
        counts[result.check] += result.counts
        if result.failure:
            failed[result.check][result.failure] += 1
            seen = failed[result.check][result.failure]
            line = save(result, options.save, smaller(result) if seen <= 2 else result.data)
            print(line, flush=True)  # noqa: T201
        if time.monotonic() > end and result.check == names[-1]:
            break
    for name in names:
        wrong = sum(failed[name].values())
        print(f"{name:8} {texts[name]:6,} texts {wrong:5,} fail  {dict(counts[name])}")  # noqa: T201
        for what, count in failed[name].most_common():
            print(f"    {count:5,} {what}")  # noqa: T201


if __name__ == "__main__":
    main()
