"""Records in the formats of other programs, read as games of FF[4].

:func:`register_format` adds a format, a subclass of :class:`RecordTransformer`.  All names are
those of ``__init__.pyi``, and are loaded when they are used, as in ``sgf_lark``.
"""

from sgf_lark.core import load_names_lazily

#: The formats of the package, and the ends of the names of their files.
SHIPPED = {"NGF": (".ngf",), "UGF": (".ugf", ".ugi"), "GIB": (".gib",)}

#: All of them.
SUFFIXES = tuple(suffix for suffixes in SHIPPED.values() for suffix in suffixes)

load_names_lazily(__name__)
