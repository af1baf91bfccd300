"""The version: hatch reads it here, ``--version`` needs no other module."""

#: The version of the library.
__version__ = "0.1.0"
