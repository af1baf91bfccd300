"""Adapters: each reads the files named on its command line and prints a line of JSON for each."""
