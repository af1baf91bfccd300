"""Text to games: split, repair, parse, build."""
