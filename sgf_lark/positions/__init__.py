"""Boards: cells, captures and flips, without findings."""
