from sgf_lark.files.members import ArchiveError as ArchiveError
from sgf_lark.report.tables import arrow_schema as arrow_schema

from .archive import Archive as Archive, ArchiveTable as ArchiveTable, read as read
from .batches import (
    PartitionRows as PartitionRows,
    batches as batches,
    read_partition as read_partition,
)
from .build import BuildReport as BuildReport, build as build
from .examples import examples as examples
from .partitions import Partition as Partition, Slice as Slice, partitions as partitions
from .queries.dupes import dupes as dupes
from .queries.find import FoundPattern as FoundPattern, find as find
from .queries.keeping import Duplicates as Duplicates
from .queries.openings import Openings as Openings, openings as openings
from .queries.reasons import Reason as Reason
from .queries.select import Selection as Selection, select as select
from .queries.sql import QueryError as QueryError, QueryTimeoutError as QueryTimeoutError
from .queries.stats import Stats as Stats, stats as stats
from .records.merging import merge_duplicates as merge_duplicates
from .run import Progress as Progress
from .sources import Source as Source, find_sources as find_sources
