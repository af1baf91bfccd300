"""Rows of tables: a game as rows of games, moves and positions."""
