"""Questions to an archive: statistics, duplicates, selections, openings, SQL."""
