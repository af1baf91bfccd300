"""The README files: examples run, tables are what the program says, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from support.accept import ACCEPT
from support.lanes import by_night
from support.places import ROOT
from support.readmes import (
    BLOCKS,
    CHANGES,
    EXAMPLES,
    GUIDES,
    PAGES,
    QUESTIONS,
    README,
    Block,
    Page,
    apply,
    blocks,
    changed_copy,
    commands_of,
    copy_records,
    example,
    run,
    write_files,
)

from sgf_lark import Format
from sgf_lark.files.paths import SUFFIXES
from sgf_lark.settings.settings import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the sample records."""
    monkeypatch.chdir(tmp_path)
    copy_records(tmp_path)
    return tmp_path


def check_commands(block: Block, folder: Path, package: Path = ROOT) -> None:
    """Run the commands of a block; a line ``...`` stands for any lines of output."""
    for command, expected in commands_of(block):
        done = run(command, folder, package)
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        assert done.returncode in {0, 1}, (command, done.stderr.decode())
        output = done.stdout.decode()
        if "\n...\n" in expected:
            start, end = expected.split("...\n")
            assert output.startswith(start), ACCEPT
            assert output.endswith(end), ACCEPT
        else:
            assert output == expected, ACCEPT


# ---- blocks ----


def test_every_block_is_of_a_language_that_runs() -> None:
    languages = {"python", "py", "console", "lark", "ebnf", "toml", "text", "yaml", "sh", "diff"}

    assert {one.language for one in BLOCKS} == languages | {"mermaid"}  # a drawing
    for block in BLOCKS:
        assert bool(block.target) == (block.language in {"diff", "text"}), block
        assert (">>> " in block.content) == (block.language == "python"), block


@pytest.mark.parametrize(("file", "section"), EXAMPLES)
def test_the_python_examples_give_what_they_show(file: str, section: str, folder: Path) -> None:
    write_files(file, folder)
    text = example(file, section)
    test = doctest.DocTestParser().get_doctest(text, {}, file, file, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)

    assert test.examples
    assert not said, "".join([*said, ACCEPT])


@pytest.mark.parametrize("block", blocks("console"), ids=lambda one: f"{one.file}-{one.section}")
def test_the_commands_print_what_is_shown(block: Block, folder: Path) -> None:
    write_files(block.file, folder)
    check_commands(block, folder)


def blocks_of_change(file: str, section: str, language: str) -> list[Block]:
    """The blocks of a section that shows a change."""
    place = (file, section, language)
    return [one for one in BLOCKS if (one.file, one.section, one.language) == place]


@pytest.mark.parametrize(
    ("file", "section"),
    [change if change[1] == "Add a check" else by_night(change) for change in CHANGES],
)
def test_a_change_that_is_shown_works_in_a_copy(file: str, section: str, tmp_path: Path) -> None:
    copy = changed_copy(file, section, tmp_path / "copy")
    shown = blocks_of_change(file, section, "console")
    assert shown
    for block in shown:
        check_commands(block, copy, copy)


def test_every_change_that_is_shown_fits_the_files(tmp_path: Path) -> None:
    for number, (file, section) in enumerate(CHANGES):
        for block in blocks_of_change(file, section, "diff"):
            copy = tmp_path / str(number) / block.target
            copy.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / block.target).exists() and not copy.exists():
                shutil.copy(ROOT / block.target, copy)
            apply(block, tmp_path / str(number))


def test_the_settings_that_are_shown_are_all_there_are() -> None:
    (block,) = [one for one in blocks("toml") if not one.content.startswith("# ")]
    shown = tomllib.loads(block.content)
    known = {one.alias for one in Settings.model_fields.values()} - {""}

    assert {*shown} == known
    Settings.model_validate(shown)


def test_two_commands_set_up_and_run_a_fresh_clone() -> None:
    check, test = (one.content for one in blocks("sh", "README.md"))

    for command in (check, test):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
        assert command.count("\n") == 1
    assert check.endswith(" && .venv/bin/sgf-lark check tests/records\n")
    assert test.endswith(" && .venv/bin/python -m pytest\n")


def test_the_sample_records_are_of_every_format() -> None:
    assert {"ff1.mgt", "ff3.sgf", "go.sgf", "backgammon.sgf", "othello.ggf"} <= {
        file.name for file in (ROOT / "tests" / "records").iterdir()
    }


# ---- pages ----

#: The most lines of a page; one of reference, which is searched and not read, may be longer.
MOST_LINES = {"README.md": 140, QUESTIONS: 1_000}
MOST_LINES_OF_A_GUIDE = 250


def too_long(page: Page) -> bool:
    """Tell if nobody reads a page to its end; of questions one is read, and not all."""
    limit = MOST_LINES.get(page.name, MOST_LINES_OF_A_GUIDE)
    return page.name.startswith((*MOST_LINES, GUIDES)) and page.text.count("\n") > limit


def test_the_readme_and_the_pages_for_users_are_short() -> None:
    assert [name for name, page in PAGES.items() if too_long(page)] == []
    assert too_long(README._replace(text="\n" * 141))
    assert too_long(PAGES[f"{GUIDES}/check.md"]._replace(text="\n" * 251))


def changes_for_users(shown: list[Block]) -> list[str]:
    """Return the pages for users that show a change of the project."""
    return [one.file for one in shown if one.language == "diff" and one.file.startswith(GUIDES)]


def test_a_page_for_users_shows_no_change_of_the_project() -> None:
    change = next(one for one in BLOCKS if one.language == "diff")

    assert changes_for_users(BLOCKS) == []
    assert changes_for_users([change._replace(file=QUESTIONS)]) == [QUESTIONS]


# ---- questions ----


def answers(text: str) -> dict[str, str]:
    """Return the answers of the page of questions."""
    parts = re.split(
        r"^### (.*)$", re.sub(r"^## .*$", "", text, flags=re.MULTILINE), flags=re.MULTILINE
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def faults(answer: str) -> list[str]:
    """Return what is wrong with an answer: ten lines are read at a glance, and it has to run."""
    lines = [line for line in answer.splitlines() if line and not line.startswith("```")]
    runs = re.search(r"^```(python|console)$", answer, re.MULTILINE)
    return ["is too long"] * (len(lines) > 10) + ["runs nothing"] * (not runs)


def test_sixty_questions_have_short_answers_that_run() -> None:
    found = answers(PAGES[QUESTIONS].text)

    assert len(found) == 60
    assert {question: faults(answer) for question, answer in found.items() if faults(answer)} == {}
    assert faults("```console\n" + "$ sgf-lark\n" * 11 + "```") == ["is too long"]
    assert faults("Yes.") == ["runs nothing"]


def test_the_questions_of_the_search_have_answers() -> None:
    lines = (ROOT / "tests" / "site" / "questions.tsv").read_text("utf-8").splitlines()[1:]
    asked = {line.partition("\t")[0] for line in lines}

    assert asked - {*answers(PAGES[QUESTIONS].text)} == set()


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    for name, page in PAGES.items():
        prose = re.sub(r"^```.*?^```$", "", page.text, flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)]+)\)", prose):
            if link.startswith("https://"):
                continue
            path, _, anchor = link.partition("#")
            target = (ROOT / name).parent / path if path else ROOT / name
            assert target.exists(), (name, link)
            if anchor:
                headings = PAGES[target.resolve().relative_to(ROOT).as_posix()].headings
                assert anchor in {slug(one) for one in headings}, (name, link)


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_file_and_name_of_the_project_is_there() -> None:
    for name, page in PAGES.items():
        for path in re.findall(r"`((?:sgf_lark|grammars|tests)/[^` ]*)`", page.text):
            assert [*ROOT.glob(path.rstrip("/"))], (name, path)
        for path in re.findall(r"`([^` ]+\.py)`", page.text):
            assert within(path, name).is_file(), (name, path)
        for variable, path in re.findall(r"`(\w+)`\s(?:in|of)\s`([^` ]+\.py)`", page.text):
            module = within(path, name).read_text(encoding="utf-8")
            assert re.search(rf"^{variable}\b", module, re.MULTILINE), (name, variable, path)


def within(path: str, name: str) -> Path:
    """A path that a page names: from the project, its package, or the folder of the page."""
    bases = (ROOT, ROOT / "sgf_lark", (ROOT / name).parent)
    return next((base / path for base in bases if (base / path).exists()), ROOT / path)


def linked(name: str) -> set[str]:
    """The pages of the project to which a page has links."""
    links = re.findall(r"\]\(([^)#]+\.md)", PAGES[name].text)
    return {os.path.normpath(Path(name).parent / link) for link in links} & {*PAGES}


def test_every_page_is_two_links_from_the_readme_at_most() -> None:
    near = linked("README.md")

    assert {*PAGES} - near.union(*map(linked, near)) == set()


# ---- tables ----


def rows(title: str, file: str = "README.md") -> list[str]:
    """The lines of the tables in a section, without the first head."""
    _, found, section = PAGES[file].text.partition(f"\n## {title}\n")
    assert found
    lines = section.partition("\n## ")[0].splitlines()
    return [line for line in lines if line.startswith("| ")][1:]


@pytest.mark.night
@pytest.mark.must
def test_the_commands_of_tables_are_understood(folder: Path) -> None:
    tables = re.compile(r"^\|.*\| run \|\n((?:\|.*\n)+)", re.MULTILINE)
    found = [table for page in PAGES.values() for table in tables.findall(page.text)]
    lines = re.findall(r"`(sgf-lark .*?)`", "".join(found))

    assert len(lines) > 40
    for command in lines:
        result = run(command, folder)
        assert result.returncode in {0, 1}, (command, result.stderr)


def test_every_format_is_in_the_table() -> None:
    shown = [row.split(" | ")[:2] for row in rows("Formats", f"{GUIDES}/formats.md")]

    assert shown == [[f"| {one.shown}", f"`grammars/{one.grammar}.lark`"] for one in Format]


def test_every_extra_is_in_the_table() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    heads = [row.split(" | ")[0] for row in rows("Extras", f"{GUIDES}/install.md")]
    shown = re.findall(r"`(\w+)`", " ".join(heads))

    assert sorted([*shown, "test", "test-all"]) == sorted(project["optional-dependencies"])


def test_the_suffixes_are_listed() -> None:
    *most, last = (f"`{suffix}`" for suffix in SUFFIXES)

    assert f"{', '.join(most)} or {last}" in PAGES[f"{GUIDES}/install.md"].text
