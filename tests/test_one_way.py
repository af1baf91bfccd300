"""Data flows one way: a module imports only what stands above it here."""

import ast
from pathlib import Path

import pytest

import sgf_lark

#: From the foundation to the doors.
ORDER = (
    "_version",
    "positions",
    "diagnostics.terminal",
    "diagnostics.rules",
    "diagnostics.report",
    "diagnostics.errors",
    "diagnostics.diagnostic",
    "diagnostics.limits",
    "diagnostics.catalogue",
    "diagnostics.forms",
    "diagnostics.selection",
    "diagnostics.settings",
    "text.detection",
    "text.charset_names",
    "text.byte_scan",
    "text.encoding",
    "text.source",
    "text.incremental",
    "text.stream",
    "engine.regex",
    "engine.ir",
    "engine.analysis",
    "engine.alternatives",
    "engine.pushdown",
    "engine.actions",
    "engine.stack_walk",
    "engine.parser",
    "schema.formats",
    "grammar.loader",
    "grammar.source_text",
    "grammar.mismatch",
    "grammar.lint_text",
    "grammar.lint_regex",
    "grammar.lint",
    "workbench.parse_state",
    "schema.values",
    "values.transformers",
    "values.dialect",
    "values.game_transformers",
    "schema.games",
    "schema.properties",
    "values.reader",
    "read.repair",
    "model.spans",
    "grammar.tokens",
    "grammar.parse_tree",
    "read.split",
    "read.parse",
    "values.writer",
    "model.info",
    "model.property",
    "model.content",
    "model.ruleset",
    "check.value_lints",
    "model.constraints",
    "model.nodes",
    "model.provenance",
    "model.draft",
    "model.collection",
    "write.styles",
    "model.merge",
    "text.files",
    "write.parts",
    "write.encode",
    "write.bounds",
    "write.splice",
    "write.layout",
    "write.dump",
    "values.corrections",
    "check.wrong_game",
    "fix.place",
    "fix.syntax",
    "fix.values",
    "fix.nodes",
    "fix.registry",
    "read.build",
    "check.findings",
    "check.node_rules",
    "check.tree_rules",
    "check.games.replay",
    "boards.board",
    "boards.go",
    "check.games.off_board",
    "check.prefilter",
    "check.handicap",
    "check.games.go",
    "boards.othello",
    "check.games.othello",
    "check.games.backgammon",
    "check.games.connection",
    "check.games.lines_of_action",
    "check.games.gess",
    "check.games.octi",
    "check.games.amazons",
    "check.games.ggf",
    "check.games.registry",
    "check.producers",
    "check.check_game",
    "check.consequences",
    "check.between_games",
    "read.detect_format",
    "read.whole_games",
    "check.across_games",
    "api.pipeline",
    "convert.making",
    "convert.steps",
    "convert.upgrade_markup",
    "convert.upgrade_nodes",
    "convert.upgrade_values",
    "convert.upgrade",
    "convert.downgrade",
    "convert.ggf_vocabulary",
    "convert.from_ggf",
    "convert.to_ggf",
    "convert.convert",
    "api.load",
    "api.format",
    "fix.safeguard",
    "api.fix",
    "grammar.time_limit",
    "api.many",
    "workbench.trees",
    "engine.patterns",
    "workbench.samples",
    "workbench.productions",
    "workbench.records",
    "strategies",
    "workbench.coverage",
    "workbench.compare",
    "workbench.translation",
    "workbench.standing",
    "workbench.ebnf",
    "workbench.diagrams",
    "workbench.playground",
    "cli.paths",
    "report.base",
    "report.text",
    "report.sarif",
    "report.machine",
    "cli.progress",
    "report.explain",
    "cli.options",
    "cli.workbench",
    "cli.grammar",
    "cli.write",
    "cli.convert",
    "cli.main",
    "__main__",
)

#: The modules that build parsers, or see what they have against a text or a grammar.
KNOW_LARK = {
    *(
        "grammar.loader",
        "grammar.lint",
        "grammar.lint_text",
        "grammar.source_text",
        "workbench.parse_state",
        "grammar.mismatch",
        "read.parse",
    ),
    *(
        "workbench.samples",
        "workbench.coverage",
        "workbench.compare",
        "workbench.translation",
        "workbench.ebnf",
    ),
}

FOLDER = Path(sgf_lark.__file__).parent


def modules_of(node: ast.ImportFrom, importer: str) -> set[str]:
    """The modules of ours that an import statement names, as ORDER names them."""
    above = ["sgf_lark", *importer.split(".")][: -node.level] if node.level else []
    base = ".".join([*above, *filter(None, [node.module])]) + "."
    if not base.startswith("sgf_lark."):
        return set()
    base = base.removeprefix("sgf_lark.")
    members = {f"{base}{name.name}" for name in node.names} & set(ORDER)
    return members or {base.rstrip(".")}


def test_every_module_has_its_place() -> None:
    modules = {
        ".".join(file.relative_to(FOLDER).with_suffix("").parts)
        for file in FOLDER.rglob("*.py")
        if file.name != "__init__.py"
    }

    assert modules == set(ORDER)


@pytest.mark.parametrize("module", ORDER)
def test_a_module_imports_only_from_above(module: str) -> None:
    tree = ast.parse((FOLDER / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))
    skipped = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    imported = {
        one
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and id(node) not in skipped
        for one in modules_of(node, module)
    }

    assert imported <= set(ORDER[: ORDER.index(module)])


@pytest.mark.parametrize("module", [name for name in ORDER if name not in KNOW_LARK])
def test_only_few_modules_know_how_lark_parses(module: str) -> None:
    text = (FOLDER / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")

    assert "lark.load_grammar" not in text
    assert module == "values.reader" or "lark.exceptions" not in text
