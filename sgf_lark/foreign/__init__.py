"""Records in the formats of other programs, read as games of FF[4].

:func:`register_format` adds a format, a subclass of :class:`RecordTransformer`.  All names are
those of ``__init__.pyi``, and are loaded when they are used, as in ``sgf_lark``.
"""

from sgf_lark.core import FOREIGN, load_names_lazily

#: The ends of the names of their files.
SUFFIXES = tuple(suffix for suffixes in FOREIGN.values() for suffix in suffixes)

load_names_lazily(__name__)
