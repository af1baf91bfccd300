"""Archives of games: from files to tables, and answers from tables.

:func:`build` makes an archive; :func:`read` opens one, and an :class:`Archive` has its tables as
Arrow; :func:`dupes` and :func:`openings` answer questions about its games.  Other programs that
distribute work call :func:`batches` with the :func:`partitions` of what :func:`find_sources` finds.
"""

from sgf_lark.schema.tables import arrow_schema as arrow_schema
from sgf_lark.text.archives import ArchiveError as ArchiveError

from .archive import Archive as Archive, read as read
from .batches import batches as batches
from .build import BuildReport as BuildReport, build as build
from .partitions import Partition as Partition, partitions as partitions
from .queries.dupes import Reason as Reason, dupes as dupes
from .queries.duplicates import Duplicates as Duplicates
from .queries.openings import Openings as Openings, openings as openings
from .queries.select import Selection as Selection, select as select
from .queries.sql import QueryError as QueryError
from .queries.stats import Stats as Stats, stats as stats
from .records.merging import merge_duplicates as merge_duplicates
from .sources import find_sources as find_sources
