"""The command line: ``sgf-lark COMMAND ...``."""

from __future__ import annotations

from typing import Any

import click

from sgf_lark._version import __version__
from sgf_lark.report.terminal import never_fail

from . import completion
from .errors import reported_misuse
from .interface import MAX_WIDTH, CommandGroup, LazyCommand
from .output import ends_of_output

#: By sections, in the order of the help; the summaries would cost the imports of all modules.
COMMANDS = {
    "Records": (
        LazyCommand("check", "Find errors in game records, and fix them."),
        LazyCommand("fmt", "Write game records in one layout, a node on each line."),
        LazyCommand("convert", "Convert game records to another format."),
        LazyCommand("merge", "Merge game records into one tree that has what they share once."),
        LazyCommand("show", "Show the board of a game record: as text, picture or page."),
    ),
    "Editors": (LazyCommand("server", "Serve an editor with findings, fixes and boards."),),
    "Archives": (
        LazyCommand("archive", "Make tables: statistics, duplicates, openings, patterns, SQL."),
        LazyCommand("dupes", "Find games that an archive has more than once.", "archive.queries"),
        LazyCommand("openings", "Count the first moves of games.", "archive.queries"),
        LazyCommand("find", "Find games by a pattern of stones.", "archive.queries"),
    ),
    "Explanations": (
        LazyCommand("explain", "Explain a finding, a property of game records, or a setting."),
        LazyCommand("infer", "Infer the types of unknown properties, as rows for the settings."),
        LazyCommand("site", "Build the site: guides, findings, properties, names, and a search."),
    ),
    "Grammars": (
        LazyCommand("tree", "Parse a text by a grammar, and show the parse tree."),
        LazyCommand("grammar", "Show, test, compare and draw grammars."),
        LazyCommand(
            "play", "Open the playground: edit a grammar and a text, and see what they give."
        ),
    ),
}


class Program(CommandGroup):
    """The program, which reports errors in the words of the help."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the words before the command; errors know all words as the context's object."""
        with reported_misuse(), ends_of_output():
            return super().make_context(info_name, args, parent, obj=[*args], **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with reported_misuse(), ends_of_output():
            return super().invoke(ctx)


app = Program(
    "sgf-lark",
    "Check, fix, format and convert game records of Go and other games: SGF and GGF.",
    COMMANDS,
    callback=never_fail,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": MAX_WIDTH,
        "show_default": True,
    },
)
click.version_option(
    __version__, "--version", message="%(prog)s %(version)s", help="Show the version."
)(app)
completion.add_options(app)
