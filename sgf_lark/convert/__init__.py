"""Conversions between formats."""
