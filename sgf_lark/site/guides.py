"""The guides: the README files, whose links lead to pages of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from os.path import normpath, relpath
from pathlib import Path

from sgf_lark.core import grammars

#: Pages of files that do not have the names of their folders.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "sgf_lark/README.md": "guides/library.md",
    "sgf_lark/core/findings/catalogue/README.md": "rules/index.md",
}

#: Files of the root and of tests, which only a checkout has.
OF_CHECKOUT = ("README.md", "CHANGELOG.md", "tests/benchmarks/README.md")

#: Blocks of code; links to files and sections; codes in the table of all rules.
_BLOCK = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[((?:[^][]|\[[^]]*\])*)\]\(([\w./-]*)((?:#[\w-]+)?)\)")
_CODE = re.compile(r"(<a id='(\w+)'></a>)\w+")


def write_guides() -> Iterator[tuple[str, str | bytes]]:
    """Yield the pages of the README files, and the other files that they link to."""
    package = Path(__file__).parents[1]
    root = package.parent
    found = {file.relative_to(root).as_posix(): file for file in package.rglob("README.md")}
    found.pop("sgf_lark/core/grammar/files/README.md", None)  # of a wheel: the next one
    found["grammars/README.md"] = grammars.folder() / "README.md"
    if (root / "grammars").is_dir():
        found |= {name: root / name for name in OF_CHECKOUT}
    else:
        yield "index.md", "# sgf_lark"
    pages = {name: PAGES.get(name) or f"guides/{Path(name).parent.name}.md" for name in found}
    linked: dict[str, bytes] = {}

    def resolve(name: str, link: re.Match[str]) -> str:
        text, path, section = link.groups()
        target = normpath(Path(name).parent / path) if path else name
        page = pages.get(target, f"files/{Path(target).name}")
        if target not in pages:
            if not (root / target).is_file():
                return text
            linked[page] = (root / target).read_bytes()
        return f"[{text}]({relpath(page, Path(pages[name]).parent)}{section})"

    for name, file in found.items():
        parts = _BLOCK.split(file.read_text(encoding="utf-8"))
        parts[::2] = (_LINK.sub(partial(resolve, name), part) for part in parts[::2])
        yield pages[name], _CODE.sub(r"\1[\2](\2.md)", "".join(parts))
    yield from linked.items()
