"""The rules of records in the formats of other programs."""

from __future__ import annotations

from sgf_lark.core import register

UNREAD_LINE = register("S120 unread-line error: a line that is no part of its format")
UNREAD_HEADER = register("S121 unread-header warning: a header that cannot be read")
CUT_RECORD = register("S122 cut-record warning: a record with fewer moves than it says")
ASSUMED = register("S123 assumed-header info: a header whose meaning is a guess")
