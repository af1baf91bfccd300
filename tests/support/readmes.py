"""The README files: their blocks, and their commands, which run in folders of their own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from . import commands
from .places import RECORDS, ROOT


class Block(NamedTuple):
    """A fenced block: ```` ```language target ````."""

    file: str
    section: str
    language: str
    target: str
    content: str


class Page(NamedTuple):
    """A README file."""

    name: str
    text: str
    headings: list[str]
    blocks: list[Block]


def page(file: Path) -> Page:
    """Read a README file."""
    name = file.relative_to(ROOT).as_posix()
    text = file.read_text(encoding="utf-8")
    headings: list[str] = []
    blocks: list[Block] = []
    for part in re.split(r"^(```.*?^```)$", text, flags=re.MULTILINE | re.DOTALL):
        if part.startswith("```"):
            first, _, content = part.removesuffix("```").partition("\n")
            language, _, target = first.removeprefix("```").partition(" ")
            blocks.append(Block(name, headings[-1], language, target, content))
        else:
            headings += re.findall(r"^#+ (.*)$", part, re.MULTILINE)
    return Page(name, text, headings, blocks)


FOLDERS = (ROOT / "grammars", ROOT / "sgf_lark", ROOT / "tests")

#: The folder of the pages for users; all other pages are for those who change the project.
GUIDES = "sgf_lark/site/guides"
QUESTIONS = f"{GUIDES}/questions.md"

#: All of them, found, so that a new one is tested, too.
PAGES = {
    one.name: one
    for one in map(page, [ROOT / "README.md", *(md for one in FOLDERS for md in one.rglob("*.md"))])
}
README = PAGES["README.md"]
assert {"grammars/README.md", QUESTIONS, "tests/benchmarks/README.md"} <= {*PAGES}

BLOCKS = [block for one in PAGES.values() for block in one.blocks]

#: Sections that show a change of the project: their commands run in a copy with that change.
CHANGES = sorted({(one.file, one.section) for one in BLOCKS if one.language == "diff"})


def blocks(language: str, file: str | None = None) -> list[Block]:
    """The blocks of a language that run in the project as it is."""
    return [
        one
        for one in BLOCKS
        if one.language == language
        and file in {one.file, None}
        and (one.file, one.section) not in CHANGES
    ]


#: The parts of pages whose Python runs in one go: an answer stands for itself.
EXAMPLES = sorted(
    {(one.file, one.section if one.file == QUESTIONS else "") for one in blocks("python")}
)


def example(file: str, section: str) -> str:
    """Return the Python of a part of a page."""
    found = blocks("python", file)
    return "\n".join(one.content for one in found if section in {one.section, ""})


def copy_records(folder: Path) -> None:
    """Copy the sample records to where the READMEs have them."""
    for place in ("tests/records", "games"):
        shutil.copytree(RECORDS, folder / place)


def write_files(file: str, folder: Path) -> None:
    """Write the files that a README shows; their first line or that of the block has their name."""
    for block in blocks("text", file):
        (folder / block.target).parent.mkdir(exist_ok=True)
        (folder / block.target).write_text(block.content, encoding="utf-8")
    of_code = (*blocks("toml", file), *blocks("py", file))
    named = [block for block in of_code if re.match(r"# [\w/.-]+\n", block.content)]
    for block in (*blocks("lark", file), *blocks("ebnf", file), *named):
        name = block.content.partition("\n")[0].strip("/(*)# ")
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(block.content, encoding="utf-8")


def changed_copy(file: str, section: str, copy: Path) -> Path:
    """Make a copy of the project with the change that a section shows."""
    for part in ("sgf_lark", "grammars", "tests/records"):
        # With the bytecode of what does not change, but not what others are writing of it.
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("*.pyc.*"))
    for block in BLOCKS:
        if block[:3] == (file, section, "diff"):
            apply(block, copy)
    return copy


def apply(block: Block, root: Path) -> None:
    """Apply a diff: its lines begin with a space, - or +; one with + alone makes a new file."""
    lines = [(line[0], line[1:]) for line in block.content.splitlines(keepends=True)]
    assert {sign for sign, _ in lines} <= {" ", "-", "+"}
    old, new = ("".join(text for sign, text in lines if sign != no) for no in "+-")
    file = root / block.target
    text = file.read_text(encoding="utf-8") if old else ""
    assert file.exists() == bool(old)
    assert not old or text.count(old) == 1, f"{block.target} does not have these lines once:\n{old}"
    file.write_text(text.replace(old, new) if old else new, encoding="utf-8")


def commands_of(block: Block) -> list[tuple[str, str]]:
    """The command lines of a block, each with what it prints."""
    before, *shown = re.split(r"^\$ (.*)\n", block.content, flags=re.MULTILINE)
    assert not before
    assert shown
    return [*zip(shown[::2], shown[1::2], strict=True)]


def run(command: str, folder: Path, package: Path = ROOT) -> commands.Done:
    """Run a command line with the package in a folder; ``> FILE`` leaves standard error to show."""
    command, _, target = command.partition(" > ")
    if target:
        done = run(command, folder, package)
        (folder / target).write_bytes(done.stdout)
        return done._replace(stdout=done.stderr)
    program, *arguments = shlex.split(command)
    assert program == "sgf-lark"
    if package == ROOT:
        return commands.run(*arguments, folder=folder)
    path = {"PYTHONPATH": str(package)}
    return commands.afresh(*arguments, folder=folder, environment=os.environ | path)
