"""The files of an archive: its manifest, and the parts of its tables."""
