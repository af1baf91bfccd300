"""The vocabulary of the standards: formats, games, properties and values."""
