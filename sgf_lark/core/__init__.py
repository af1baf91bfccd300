"""The core: from a text to games, to findings, and back to a text; it imports no other room.

The other rooms import the names of ``__init__.pyi``, which are loaded when they are used, and
nothing else of it.
"""

from .lazy import load_names_lazily

load_names_lazily(__name__)
