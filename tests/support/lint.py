"""What ruff does not know of this project: ``python -m tests.support.lint``, in a second.

Words with another meaning here; docstrings that ask a question; code that decides by the words of
a message; private names of other modules; tests that wait without a limit.  A name, such as
"two-readings" or ``refuse`` in quotation marks, is no word.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from .places import ROOT

#: Words with another meaning here, and what is said instead.
GLOSSARY = {
    r"has .* for a value": "invalid value 'v' for X",
    r"told(?! apart)": "reported",
    r"says? nothing": "is empty",
    r"put right|way out|leads? out": "fixed",
    r"behind": "after",
    r"other letters|letters are stored": "characters, character encoding",
    r"one's own": "custom",
    r"nobody describes": "is not defined",
    r"belongs? into": "belongs in",
    r"unsayable": "lossy",
    r"refus(?:es|ed|al|als)": "rejected",
    r"a text for": "the text of",
    r"stands? (?:twice|in)": "occurs twice, is in",
    r"so (?:many|often)": "at most N",
    r"in a row|running": "consecutive",
    r"makes? the odds": "differing",
    r"(?:two|several) readings": "conflict, ambiguity",
    r"begins? with itself": "left-recursive",
    r"(?<!as a )whole(?! (?:number|file|text|board))": "complete",
    r"plain(?! text)": "literal",
    r"(?:fine|sound|sieve|glance)": "valid",
    r"(?:deeds?|papers?|scribes?|stretch(?:es)?|scraps?)": "action, console, span, token",
}
_WORD = re.compile(rf"\b(?:{'|'.join(GLOSSARY)})\b")

#: Names in a text: in quotation marks or code, joined by a sign, the choice of an option.
_NAME = re.compile(r"""(["'`]+)[\w-]+\1|\w+(?:[-=/]\w+)+|--\w+ \w+|default: \w+""")

#: Comments and strings of a module.
_PROSE = re.compile(
    r"""#[^\n]*|\"{3}(?:\\.|[^\\])*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)

#: The opening of a docstring that says neither what comes back nor what a thing is.
_QUESTION = re.compile(r'^ *r?"""(?:What|How|Whether|Where|Which)\b.*', re.MULTILINE)

#: Class names of another language than the field's.
_CLASS = re.compile(
    r"^ *class _?(?:Deed|Paper|Scribe|Home|Course|Making|Stretch|Scrap|Cuts)\b", re.MULTILINE
)

#: A place in a file, and what is wrong there.
Wrong = tuple[int, str]


def wrong_words(prose: str, first: int = 1) -> Iterator[Wrong]:
    """Yield the words of the glossary in a text that begins on a line."""
    if _WORD.search(prose.lower()):
        for number, line in enumerate(prose.splitlines(), first):
            words = _NAME.sub("", line)
            for word, better in GLOSSARY.items():
                for found in re.finditer(rf"\b(?:{word})\b", words, re.IGNORECASE):
                    yield number, f"{found[0]!r}: say {better!r}: {line.strip()}"


def wrong_words_of_module(text: str) -> Iterator[Wrong]:
    """Yield the words of the glossary in comments and strings, without code in braces."""
    for part in _PROSE.finditer(text) if _WORD.search(text.lower()) else ():
        prose = re.sub(r"\{[^{}]*\}", "{}", part[0])
        yield from wrong_words(prose, text.count("\n", 0, part.start()) + 1)


def matches(pattern: re.Pattern[str], text: str, words: str) -> Iterator[Wrong]:
    """Yield the places of a pattern."""
    for found in pattern.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, f"{words}: {found[0].strip()}"


def nodes(test: Callable[[ast.AST], bool], text: str, words: str) -> Iterator[Wrong]:
    """Yield the parts of a program that a test finds."""
    for node in ast.walk(ast.parse(text)):
        if test(node):
            yield getattr(node, "lineno", 1), f"{words}: {ast.unparse(node)}"


# ---- code that decides by the words of a message ----


def is_message(node: ast.AST) -> bool:
    """Return whether an expression is a message or a part of one."""
    if isinstance(node, ast.Subscript):
        return is_message(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return is_message(node.func.value)
    return isinstance(node, ast.Attribute) and node.attr in {"message", "help"}


def decides_by_message(node: ast.AST) -> bool:
    """Return whether a part of a program compares, searches or sorts by a message."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return any(map(is_message, (left, *others)))
        case ast.Match(subject=subject):
            return is_message(subject)
        case ast.keyword(arg="key", value=value):
            return any(map(is_message, ast.walk(value)))
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args):
            searches = re.fullmatch("search|match|fullmatch|find(all|iter)|subn?|split", name)
            return is_message(value) or bool(searches and any(map(is_message, args)))
    return False


def imports_a_private_name(node: ast.AST) -> bool:
    """Return whether an import takes a name with an underscore from another module of ours."""
    if not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sgf_lark.")):
        return False
    return any(re.match("_[^_]", one.name) for one in node.names)


# ---- tests that wait ----


def waits_for_ever(node: ast.AST) -> bool:
    """Return whether a call waits for a process, a thread or an address without a limit."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    starts = r"subprocess\.(run|call|check_call|check_output)|.*request\.urlopen"
    waits = node.func.attr in {"communicate", "wait", "join"} and not node.args
    return (waits or re.fullmatch(starts, ast.unparse(node.func)) is not None) and (
        "timeout" not in {word.arg for word in node.keywords}
    )


def problems(file: Path) -> Iterator[Wrong]:
    """Yield what is wrong in a file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        yield from wrong_words(text)
    elif file.is_relative_to(ROOT / "tests"):
        if re.search(
            r"subprocess\.(?:run|c)|urlopen|\.(?:communicate|wait|join)\((?:\)|\w+=)", text
        ):
            yield from nodes(waits_for_ever, text, "waits without a limit")
    else:
        yield from wrong_words_of_module(text)
        yield from matches(_QUESTION, text, "a docstring says what a thing is, and asks nothing")
        yield from matches(_CLASS, text, "a class has a name of the field")
        if re.search(r"import.* _\w", text):
            yield from nodes(imports_a_private_name, text, "private name of another module")
        if re.search(r"\.(?:message|help)\b", text):
            yield from nodes(decides_by_message, text, "decides by the words of a message")


def main() -> int:
    """Print what is wrong; return 1 if something is."""
    pages = [ROOT / "README.md", *(ROOT / "grammars").rglob("*.md")]
    folders = (ROOT / "sgf_lark", ROOT / "tests")
    pages += [file for folder in folders for file in folder.rglob("*.md")]
    modules = [file for folder in folders for file in folder.rglob("*.py")]
    found = [
        f"{file.relative_to(ROOT)}:{line}: {words}"
        for file in sorted([*pages, *modules])
        for line, words in problems(file)
    ]
    print(*found, sep="\n", end="\n" * bool(found))  # noqa: T201
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
