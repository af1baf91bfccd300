"""The functions that users call first: they read, check, fix and format files and texts."""
