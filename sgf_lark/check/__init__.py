"""Checks of whole games and of what lies between them."""
