"""Archives of games: from files to tables, and answers from tables.

Build:
    :func:`build` makes tables of many files, or brings them up to date; :func:`find_sources`,
    :func:`partitions` and :func:`batches` are its steps, for other programs that distribute work.
Open:
    :func:`read` opens an archive; an :class:`Archive` has its tables, each an
    :class:`ArchiveTable` for Arrow, pandas and Polars, and answers SQL.
Ask:
    :func:`stats`, :func:`dupes`, :func:`merge_duplicates`, :func:`openings`, :func:`find` and
    :func:`select`.

All names are those of ``__init__.pyi``, and are loaded when they are used, as in ``sgf_lark``.
"""

from sgf_lark.core import load_names_lazily

load_names_lazily(__name__)
