"""Compiled codes of expressions are kept, and what they make is what ``re.compile`` makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sgf_lark.grammar import codes, loader as grammars
from sgf_lark.grammar.codes import compile_kept
from sgf_lark.grammar.derived import DerivedData

PATTERNS = [
    r"(?:[BW]\[(?>[a-s]{2}|tt)?+\])*+",
    r"(?P<name>[A-Z]++)(\s*)(?P<value>\[(?:[^\]\\]|\\.)*+\])",
    "(?s:.)(?<![A-Z])\N{LATIN SMALL LETTER E WITH ACUTE}|\U0001f600",
]
TEXTS = [
    "",
    "B[aa]W[tt]B[]",
    "KM \n[6.5]",
    "B[zz]",
    "x\N{LATIN SMALL LETTER E WITH ACUTE}",
    "\n\U0001f600",
]


@pytest.fixture
def data(tmp_path: Path) -> DerivedData:
    return DerivedData(tmp_path / "derived.data", lambda: "key", keeps=True)


def same(one: re.Pattern[str], other: re.Pattern[str]) -> bool:
    """Tell if two expressions are equal and find the same."""
    return (one, one.groups, one.groupindex, one.flags) == (
        other,
        other.groups,
        other.groupindex,
        other.flags,
    ) and all(
        [match.groupdict() | {"all": match.groups()} for match in one.finditer(text)]
        == [match.groupdict() | {"all": match.groups()} for match in other.finditer(text)]
        for text in TEXTS
    )


@pytest.mark.parametrize("pattern", PATTERNS)
def test_an_expression_made_of_its_code_finds_the_same(pattern: str, data: DerivedData) -> None:
    compiled = re.compile(pattern)

    assert same(compile_kept(pattern, data), compiled)
    re.purge()
    assert same(compile_kept(pattern, data), compiled)


def test_a_code_that_is_kept_is_not_made_again(
    data: DerivedData, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_kept(PATTERNS[0], data)
    monkeypatch.setattr(codes, "code_of", lambda _: pytest.fail("made again"))
    monkeypatch.setattr(re, "compile", lambda _: pytest.fail("compiled"))

    assert compile_kept(PATTERNS[0], data).fullmatch("B[aa]")


@pytest.mark.parametrize(
    "kept",
    [[32, 0, {}, [99]], [32, 0, {}, []], [32, 0, {"a": 7}, [1]], [32, 0, {}, [-1]], [], None, 1],
)
def test_a_code_that_is_none_is_left_out(
    kept: object, data: DerivedData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "get", lambda *_, **__: kept)

    assert same(compile_kept(PATTERNS[1], data), re.compile(PATTERNS[1]))


def test_another_python_compiles(data: DerivedData, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_kept(PATTERNS[0], data)
    wheel = DerivedData(None, lambda: "key", keeps=False)
    wheel._texts = data._texts  # noqa: SLF001
    monkeypatch.setattr(codes, "CODE_VERSION", "cpython-399-1")
    monkeypatch.setattr(wheel, "get", lambda *_: pytest.fail("used"))

    assert same(compile_kept(PATTERNS[0], wheel), re.compile(PATTERNS[0]))


def test_only_expressions_of_shipped_grammars_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def note(pattern: str, _: DerivedData) -> re.Pattern[str]:
        asked.append(pattern)
        return re.compile(pattern)

    monkeypatch.setattr(grammars, "compile_kept", note)
    own = tmp_path / "own.lark"
    own.write_text(grammars.path("ff4").read_text())
    grammars.forget()
    for file, is_kept in ((own, False), (grammars.path("ff4"), True)):
        parser = grammars.generated(file, "number", of_value=True)
        assert parser is not None
        assert parser.plan.regular["number"].fullmatch("12")
        assert (parser.plan.expression("number") in asked) is is_kept
