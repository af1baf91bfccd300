"""The commands of archives: ``sgf-lark archive ...``."""

from sgf_lark.cli.interface.lazy import Modules

#: As the commands of ``sgf-lark``: modules, functions, and the first sentences of their docstrings.
ARCHIVE = Modules(
    "Make tables of many games: statistics, duplicates, openings, SQL.",
    {
        "Commands": {
            "build": ("archive.build", "build", "Read game records into the tables of an archive."),
            "stats": ("archive.stats", "stats", "Count the games of an archive, by many columns."),
            "dupes": ("archive.dupes", "dupes", "Find games that an archive has more than once."),
            "select": ("archive.select", "select", "List or copy the games that meet a condition."),
            "openings": ("archive.openings", "openings", "Count the first moves of games."),
            "sql": ("archive.sql", "sql", "Query the tables of an archive in SQL."),
        },
    },
)
