"""The files of a folder that are records: patterns, ``.gitignore``, and the walk."""
