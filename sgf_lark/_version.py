"""The version: hatch reads it here, ``--version`` needs no other module."""

__version__ = "0.1.0"
