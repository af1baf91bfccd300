"""The house speaks the field's words: docstrings say what a thing is, texts use the glossary."""

import ast
import io
import re
import tokenize

import pytest
from support.house import QUESTIONS, house

#: Words with another meaning in this house, and what is said instead.
GLOSSARY = {
    r"\bhas .* for a value\b": "invalid value 'v' for X",
    r"\btold\b(?! apart)": "reported",
    r"\bsays? nothing\b": "is empty",
    r"\bput right\b|\bway out\b|\bleads? out\b": "fixed",
    r"\bbehind\b": "after",
    r"\bletters\b": "characters",
    r"\bone's own\b": "custom",
    r"\bnobody describes\b": "is not defined",
    r"\bbelongs? into\b": "belongs in",
    r"\bunsayable\b": "lossy",
    r"\brefus(?:e|es|ed|al|als)\b": "rejected",
    r"\ba text for\b": "the text of",
    r"\bstands? (?:twice|in)\b": "occurs twice, is in",
    r"\bso (?:many|often)\b": "at most N",
    r"\bin a row\b|\brunning\b": "consecutive",
    r"\bmakes? the odds\b": "differing",
    r"\breadings\b": "conflict, ambiguity",
    r"\bbegins? with itself\b": "left-recursive",
    r"\bwhole\b(?! (?:number|file|text))": "complete",
    r"\bplain\b(?! text)": "literal",
    r"\b(?:fine|sound|sieve|glance)\b": "valid, typed reader",
    r"\b(?:deeds?|papers?|scribes?|stretch(?:es)?|scraps?)\b": "action, console, span, token",
}

#: Places where such a word is the right one: module or page, a piece of the line, the reason.
RIGHT: dict[tuple[str, str], str] = {
    ("grammars/README.md", "letters and numbers"): "coordinates of a board",
    ("sgf_lark/cli/README.md", "--lossy"): "the name of a choice",
    ("sgf_lark/convert/README.md", "--lossy refuse"): "the name of a choice",
    ("sgf_lark/convert/README.md", "-refused"): "the name of a finding",
    ("sgf_lark/convert/README.md", "letters, views"): "the property L",
    (
        "sgf_lark/findings/catalogue/README.md",
        "more than two letters",
    ): "identifiers are letters",
    ("sgf_lark/findings/catalogue/README.md", "-refused"): "names of findings",
    ("sgf_lark/findings/catalogue/README.md", "`letters`"): "the name of a finding",
    ("sgf_lark/findings/catalogue/README.md", "figure-plain"): "the name of a finding",
    ("sgf_lark/findings/catalogue/README.md", "two-readings"): "the name of a finding",
    ("grammars/README.md", "two-readings"): "the name of a finding",
    ("archive.engines", '"running"'): "a word of Dask",
    ("boards.coordinates", "etters"): "columns are letters from A to Z",
    ("schema.points", "etters"): "columns are letters from A to Z",
    ("cli.commands.convert", "or refuse to convert"): "the name of a choice of --lossy",
    ("settings.tables", '"refuse"'): "the name of a choice of --lossy",
    ("check.check_game", "more than two letters"): "identifiers are letters from A to Z",
    ("convert.notes", "letters"): "the name of a finding stays",
    ("convert.notes", "figure-plain"): "the name of a finding stays",
    ("convert.notes", "-refused"): "names of findings stay",
    ("convert.builder", "--lossy refuse"): "the name of a choice",
    ("convert.convert", "``refuse``"): "the name of a choice",
    ("convert.builder", "board-refused"): "the name of a finding",
    ("convert.markup_steps", "figure-plain"): "the name of a finding",
    ("convert.markup_steps", "letters"): "labels of L are letters from A to Z",
    ("convert.from_ggf", "-refused"): "the names of findings",
    ("convert.steps", "list-refused"): "the name of a finding",
    ("convert.to_ggf", "-refused"): "the names of findings",
    ("convert.lossy", "refuse"): "the name of a choice",
    ("archive.queries.find", "whole"): "a choice of --where",
    ("archive.queries.patterns", "whole"): "a choice of --where",
    ("cli.commands.archive.find", "whole"): "a choice of --where",
    ("sgf_lark/cli/README.md", "`whole`"): "a choice of --where",
    ("check.check_game", "two letters"): "identifiers are letters from A to Z",
    ("cli.grammars", "two-readings"): "the name of a finding stays",
    ("grammar.lint", "two-readings"): "the name of a finding stays",
    ("grammar.tokens", "letters and digits"): "identifiers are letters from A to Z",
    ("model.nodes", '"plain"'): "a word of pydantic",
    ("model.property", '"plain"'): "a word of pydantic",
    ("model.positions.markup", "letters"): "labels of L are letters from A to Z",
    ("read.repair", "capital letters"): "identifiers are letters from A to Z",
    ("schema.value_types", "in two letters"): "points are letters from a to z",
    ("schema.properties", "lower case letters"): "identifiers are letters from A to Z",
    ("text.charset_names", "letters"): "names of encodings, and letters as opposed to signs",
    ("text.choice", "as a whole"): "opposed to value by value",
    ("values.game_transformers", "etters"): "columns are letters from a to z",
    ("report.table_html", '"text/plain"'): "a type of content",
    ("workbench.trees", "shape=plain"): "a word of Graphviz",
}

#: Names that no class has: the glossary's last row.
CLASSES = {"Deed", "Paper", "Scribe", "Home", "Course", "Making", "Stretch", "Scrap", "Cuts"}

HOUSE = house()
ROOT = HOUSE.folder.parent

#: The README of the project and those beside what they describe, by their paths.
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for top in ("grammars", "sgf_lark", "tests", ".")
    for page in (ROOT / top).glob("README.md" if top == "." else "**/README.md")
}


def texts(place: str) -> list[tuple[int, str]]:
    """The lines of a page, or those of the comments and strings of a module."""
    if place in PAGES:
        return list(enumerate(PAGES[place].splitlines(), 1))
    found = []
    for token in tokenize.generate_tokens(io.StringIO(HOUSE.texts[place]).readline):
        kind = tokenize.tok_name[token.type]
        if kind in {"COMMENT", "STRING", "FSTRING_MIDDLE"}:
            text = token.string
            if text.lower().startswith(("f", "rf", "fr")):  # not the code in the braces
                text = re.sub(r"\{[^{}]*\}", "{}", text)
            found += list(enumerate(text.split("\n"), token.start[0]))
    return found


def test_docstrings_say_what_a_thing_is_and_ask_no_question() -> None:
    questions = [
        f"{name}:{line} {text}" for name, line, text in HOUSE.docstrings() if QUESTIONS.match(text)
    ]

    assert questions == []


@pytest.mark.night
def test_texts_use_the_words_of_the_glossary() -> None:
    any_word = re.compile("|".join(f"(?:{word})" for word in GLOSSARY), re.IGNORECASE)
    wrong = [
        f"{place}:{line} {found.group()!r} ({better}): {text.strip()}"
        for place in (*HOUSE.modules, *PAGES)
        for line, text in texts(place)
        if any_word.search(text)
        for word, better in GLOSSARY.items()
        for found in re.finditer(word, text, re.IGNORECASE)
        if not any(place == where and piece in text for where, piece in RIGHT)
    ]

    assert wrong == []


@pytest.mark.night
def test_every_exception_to_the_glossary_is_needed() -> None:
    words = re.compile("|".join(GLOSSARY), re.IGNORECASE)
    for place, piece in RIGHT:
        assert any(piece in text and words.search(text) for _, text in texts(place)), piece


def test_no_class_has_a_name_of_the_old_dialect() -> None:
    classes = {
        node.name.strip("_")
        for nodes in HOUSE.nodes.values()
        for node in nodes
        if isinstance(node, ast.ClassDef)
    }

    assert classes & CLASSES == set()
