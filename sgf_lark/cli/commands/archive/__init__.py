"""The commands of archives: ``sgf-lark archive ...``."""

from sgf_lark.cli.interface import CommandGroup, LazyCommand

archive = CommandGroup(
    "archive",
    "Make tables: statistics, duplicates, openings, patterns, SQL.",
    {
        "Commands": (
            LazyCommand("archive.build", "Read game records into the tables of an archive."),
            LazyCommand("archive.stats", "Count the games of an archive, by many columns."),
            LazyCommand("archive.dupes", "Find games that an archive has more than once."),
            LazyCommand("archive.select", "Copy the games that meet a condition."),
            LazyCommand("archive.openings", "Count the first moves of games."),
            LazyCommand("archive.find", "Find games by a pattern of stones."),
            LazyCommand("archive.sql", "Query the tables of an archive in SQL."),
        ),
    },
)
