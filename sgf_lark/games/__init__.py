"""The rules of each game on its board, one module a game."""
