"""Checks of complete games and of the text between them."""
