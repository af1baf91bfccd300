"""Records in the formats of other programs, read as games of FF[4]."""

#: The formats of the package, and the ends of the names of their files.
SHIPPED = {"NGF": (".ngf",), "UGF": (".ugf", ".ugi"), "GIB": (".gib",)}

#: All of them.
SUFFIXES = tuple(suffix for suffixes in SHIPPED.values() for suffix in suffixes)
