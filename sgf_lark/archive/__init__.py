"""Archives of games: from files to tables, and answers from tables.

:func:`read` opens an archive; an :class:`Archive` has its tables as Arrow;
:func:`dupes` and :func:`openings` answer questions about its games.
"""

from sgf_lark.text.archives import ArchiveError as ArchiveError

from .archive import Archive as Archive, read as read
from .queries.dupes import Reason as Reason, dupes as dupes
from .queries.duplicates import Duplicates as Duplicates
from .queries.openings import Openings as Openings, openings as openings
from .queries.select import Selection as Selection, select as select
from .queries.sql import QueryError as QueryError
from .queries.stats import Stats as Stats, stats as stats
from .records.merging import merge_duplicates as merge_duplicates
