"""Reports of findings: for people, for machines, and page by page."""
