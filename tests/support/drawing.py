"""The drawing of the packages in ``sgf_lark/README.md``, made from their imports.

``python -m tests.support.drawing`` writes it into the page.
"""

from __future__ import annotations

import ast
import textwrap
from itertools import zip_longest

from .house import PACKAGE, House, house

#: The page, and what is before and after the drawing in it.
PAGE = PACKAGE / "README.md"
BEGIN, END = "<!-- drawing -->\n", "<!-- end of the drawing -->"

#: Characters of the columns for contents and for imports.
CONTENTS, IMPORTS = 48, 30


def imports_of_packages(rooms: House) -> dict[str, set[str]]:
    """Return the packages that each one imports; a folder in a package belongs to that."""
    found: dict[str, set[str]] = {
        name: set() for name in rooms.modules if rooms.is_package(name) and "." not in name
    }
    del found["__init__"]
    for one in rooms.imports:
        here, there = (module.partition(".")[0] for module in (one.importer, one.imported))
        if here != there and {here, there} <= found.keys():
            found[here].add(there)
    return found


def floors_of_packages(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return the packages by floors, the top first; each is as low as its imports allow.

    Raises:
        ValueError: Packages import each other.
    """
    floors: list[list[str]] = []
    placed: set[str] = set()
    while left := imports.keys() - placed:
        floor = sorted(name for name in left if imports[name] <= placed)
        if not floor:
            raise ValueError(f"these packages import each other: {', '.join(sorted(left))}")
        floors.insert(0, floor)
        placed.update(floor)
    return floors


def reach(name: str, imports: dict[str, set[str]]) -> set[str]:
    """Return the packages below one that it imports, directly or not."""
    return imports[name].union(*(reach(one, imports) for one in imports[name]))


def draw(rooms: House) -> str:
    """Return the floors from top to bottom: packages, contents, and what they import.

    Of the imports those are left out that another one of them has, too.
    """
    imports = imports_of_packages(rooms)
    margin = max(map(len, imports)) + 2
    line = "    +" + "-" * (margin + CONTENTS + IMPORTS + 5) + "+"
    lines = [line]
    for floor in floors_of_packages(imports):
        for name in floor:
            further = set[str]().union(*(reach(one, imports) for one in imports[name]))
            below = ", ".join(sorted(imports[name] - further))
            doc = ast.get_docstring(rooms.modules[name]) or ""
            rows = zip_longest(
                [name],
                textwrap.wrap(doc.partition("\n")[0].rstrip("."), CONTENTS),
                textwrap.wrap(f"-> {below}" if below else "", IMPORTS, subsequent_indent="   "),
                fillvalue="",
            )
            lines += [
                f"    | {head:{margin}}{contents:{CONTENTS}}  {arrows:{IMPORTS}} |"
                for head, contents, arrows in rows
            ]
        lines.append(line)
    return "\n".join(["", *lines, "", ""])


def main() -> None:
    """Write the drawing into the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + draw(house()) + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
