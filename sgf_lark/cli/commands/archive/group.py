"""The commands of archives: ``sgf-lark archive ...``."""

from sgf_lark.cli.interface.lazy import Modules

#: As the commands of ``sgf-lark``: modules, functions, and the first sentences of their docstrings.
ARCHIVE = Modules(
    "Make tables of many games: statistics, duplicates, openings, SQL.",
    {
        "Commands": {
            "sql": ("archive.sql", "sql", "Query the tables of an archive in SQL."),
        },
    },
)
