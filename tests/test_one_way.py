"""Data flows one way: a module imports only what stands above it here."""

import ast
from pathlib import Path

import pytest

import sgf_lark

#: From the foundation to the doors.
ORDER = (
    "positions",
    "terminal",
    "diagnostics",
    "limits",
    "catalogue",
    "forms",
    "options",
    "config",
    "guess",
    "codec_names",
    "raw_games",
    "encoding",
    "sources",
    "decoding",
    "stream",
    "charsets",
    "parts",
    "variants",
    "outline",
    "engine",
    "grammars",
    "grammar_source",
    "refusals",
    "grammar_slips",
    "backtracking",
    "grammar_errors",
    "parse_state",
    "values",
    "transformers",
    "dialects",
    "game_values",
    "games",
    "properties",
    "reading",
    "repair",
    "layout",
    "syntax",
    "writing",
    "info",
    "property",
    "kinds",
    "value_rules",
    "node",
    "draft",
    "model",
    "styles",
    "merging",
    "files",
    "writer",
    "corrections",
    "other_game",
    "fixes",
    "build",
    "node_rules",
    "tree_rules",
    "board",
    "go_board",
    "board_rules",
    "sieve",
    "handicap",
    "go_rules",
    "othello_board",
    "othello_rules",
    "backgammon_rules",
    "piece_rules",
    "ggf_rules",
    "game_rules",
    "habits",
    "checks",
    "outside",
    "assemble",
    "conversion",
    "convert_up",
    "convert_down",
    "ggf_words",
    "convert_from_ggf",
    "convert_to_ggf",
    "converting",
    "api",
    "formatter",
    "safeguard",
    "fixing",
    "time_limit",
    "many",
    "trees",
    "patterns",
    "samples",
    "productions",
    "record_samples",
    "strategies",
    "grammar_coverage",
    "grammar_diff",
    "compiled",
    "standing",
    "ebnf",
    "diagrams",
    "playground",
    "paths",
    "reports",
    "sarif",
    "exports",
    "progress",
    "explain",
    "arguments",
    "workbench_cli",
    "grammar_cli",
    "writing_cli",
    "convert_cli",
    "cli",
    "__main__",
)

#: The modules that build parsers, or see what they have against a text or a grammar.
KNOW_LARK = {
    *(
        "grammars",
        "grammar_errors",
        "grammar_slips",
        "grammar_source",
        "parse_state",
        "refusals",
        "syntax",
    ),
    *("samples", "grammar_coverage", "grammar_diff", "compiled", "ebnf"),
}

FOLDER = Path(sgf_lark.__file__).parent


def test_every_module_has_its_place() -> None:
    modules = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}

    assert modules == set(ORDER)


@pytest.mark.parametrize("module", ORDER)
def test_a_module_imports_only_from_above(module: str) -> None:
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    skipped = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    imported = {
        node.module or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1 and id(node) not in skipped
        for name in node.names
    }

    assert imported - {"__version__"} <= set(ORDER[: ORDER.index(module)])


@pytest.mark.parametrize("module", [name for name in ORDER if name not in KNOW_LARK])
def test_only_few_modules_know_how_lark_parses(module: str) -> None:
    text = (FOLDER / f"{module}.py").read_text(encoding="utf-8")

    assert "lark.load_grammar" not in text
    assert module == "reading" or "lark.exceptions" not in text
