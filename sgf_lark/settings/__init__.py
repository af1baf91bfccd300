"""Settings: which rules are selected, the tables of a settings file, and the files of a folder."""
