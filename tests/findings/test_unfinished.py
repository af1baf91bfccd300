"""Findings are completed when somebody looks at them, once, and then equal any others."""

import copy
import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest

import sgf_lark
from sgf_lark import Collection, Diagnostic, Report, SgfError, loads
from sgf_lark.core.findings.finding import RULES, Finding
from sgf_lark.core.places import LineIndex, Span

pytestmark = pytest.mark.elsewhere

#: Fixes that depend on others of their game, of both kinds, and of values, nodes and the text.
FAULTY = (
    "(;FF[4]GM[1]SZ[19]PB[]KM[abc];B[pd]W[dd];W[d d]xx[1](;B[aa])C[a];W[bb](;B[cc]);W[ee]"
    "C[a]C[b]Xx[2];AB[aa][aa]TR[bb][bb](;W[zz](;B[dd]);B[ee]))"
)

FIELDS = tuple(Diagnostic.model_fields)

LATER = ("line", "column", "end_line", "end_column", "node_path", "move_number", "help", "fix")


def unfinished() -> Diagnostic:
    """A finding at which nobody has looked."""
    return Diagnostic.of(
        RULES["empty-text"].found("C[] is empty", Span(1, 4)), LineIndex("\n\nabc")
    )


def is_unfinished(diagnostic: Diagnostic) -> bool:
    return getattr(diagnostic, "_rest", None) is not None


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in LATER])
def test_rule_severity_message_and_offsets_complete_nothing(name: str) -> None:
    diagnostic = unfinished()
    getattr(diagnostic, name)

    assert is_unfinished(diagnostic)


@pytest.mark.parametrize("name", LATER)
def test_a_look_at_a_place_or_a_fix_completes_a_finding_once(name: str) -> None:
    diagnostic = unfinished()
    getattr(diagnostic, name)

    assert not is_unfinished(diagnostic)
    assert tuple(vars(diagnostic)) == FIELDS


@pytest.mark.parametrize(
    "look",
    [
        repr,
        str,
        hash,
        dict,
        vars,
        copy.copy,
        copy.deepcopy,
        Diagnostic.model_dump,
        Diagnostic.model_dump_json,
        lambda one: one.model_copy(update={"help": "b"}),
        lambda one: pickle.loads(pickle.dumps(one)),
        lambda one: Report(diagnostics=(one,)).model_dump(),
        lambda one: Report(diagnostics=(one,)).model_dump_json(),
        lambda one: Diagnostic.model_validate(one.model_dump()),
    ],
)
def test_whatever_reads_all_fields_gives_those_of_a_complete_finding(
    look: Callable[[Diagnostic], Any],
) -> None:
    complete = Diagnostic(**unfinished().model_dump())

    assert look(unfinished()) == look(complete)


def test_a_finding_equals_a_complete_one_from_either_side() -> None:
    complete = Diagnostic(**unfinished().model_dump())

    assert unfinished() == complete
    assert complete == unfinished()
    assert unfinished() == unfinished()


def test_a_wrong_name_is_an_error_and_nothing_can_be_set() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lines'"):
        unfinished().lines  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match="frozen"):
        unfinished().line = 3  # type: ignore[misc]


def test_fixes_do_not_depend_on_the_order_in_which_somebody_looks() -> None:
    forward = loads(FAULTY, strict=False).diagnostics
    backward = loads(FAULTY, strict=False).diagnostics
    first = [one.fix for one in forward]
    last = [one.fix for one in reversed(backward)][::-1]

    assert first == last
    assert forward == backward
    after = [one.fix for one in forward if one.name == "node-after-variation"]
    assert len(after) > 1
    assert after[0] is not None
    assert not any(after[1:])


@pytest.fixture
def completed(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """The findings that are completed."""
    seen: list[Finding] = []
    complete = Finding.completed

    def note(self: Finding) -> Finding:
        seen.append(self)
        return complete(self)

    monkeypatch.setattr(Finding, "completed", note)
    return seen


def test_the_findings_of_a_file_are_counted_and_sorted_without_being_completed(
    completed: list[Finding],
) -> None:
    diagnostics = loads(FAULTY, strict=False).diagnostics
    report = sgf_lark.check(FAULTY.encode())

    assert len(diagnostics) > 8
    assert report.errors
    assert report.counts.total() == len(report)
    assert not completed


def test_strict_loading_completes_nothing_without_an_error(completed: list[Finding]) -> None:
    text = "(;FF[4]GM[1]SZ[19]C[];B[pd]XY[1])"

    assert len(loads(text).diagnostics) > 1
    assert not completed


def test_an_exception_has_the_complete_report() -> None:
    with pytest.raises(SgfError) as caught:
        loads(FAULTY)

    assert caught.value.report.diagnostics == loads(FAULTY, strict=False).diagnostics


def test_threads_that_look_at_once_see_the_same() -> None:
    diagnostics = loads(FAULTY, strict=False).diagnostics
    seen: list[tuple[Diagnostic, ...]] = []
    together = threading.Barrier(4)

    def look() -> None:
        together.wait(timeout=100)
        seen.append(tuple(one.model_copy() for one in diagnostics))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
    assert seen == [loads(FAULTY, strict=False).diagnostics] * 4


def test_a_collection_that_was_pickled_has_complete_findings() -> None:
    read: Collection = pickle.loads(pickle.dumps(loads(FAULTY, strict=False)))

    assert read.diagnostics == loads(FAULTY, strict=False).diagnostics
    assert not any(map(is_unfinished, read.diagnostics))
