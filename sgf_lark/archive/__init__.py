"""Archives of games: from files to tables, and answers from tables.

:func:`read` opens an archive; an :class:`Archive` has its tables as Arrow.
"""

from sgf_lark.text.archives import ArchiveError as ArchiveError

from .archive import Archive as Archive, read as read
from .queries.sql import QueryError as QueryError
