"""Fixes of findings."""
