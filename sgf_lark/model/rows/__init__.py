"""The rows of a game in the tables of an archive."""
