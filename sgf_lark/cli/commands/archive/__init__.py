"""The commands of archives: ``sgf-lark archive ...``."""

from functools import partial

from sgf_lark.cli.interface import CommandGroup, LazyCommand

_query = partial(LazyCommand, module="archive.queries")

archive = CommandGroup(
    "archive",
    "Make tables: statistics, duplicates, openings, patterns, SQL.",
    {
        "Commands": (
            LazyCommand(
                "build", "Read game records into the tables of an archive.", "archive.build"
            ),
            _query("stats", "Count the games of an archive, by many columns."),
            _query("dupes", "Find games that an archive has more than once."),
            _query("select", "Copy the games that meet a condition."),
            _query("openings", "Count the first moves of games."),
            _query("find", "Find games by a pattern of stones."),
            _query("sql", "Query the tables of an archive in SQL."),
        ),
    },
)
