"""Boards in characters: their signs, the contents of points, boards that are no rows."""
