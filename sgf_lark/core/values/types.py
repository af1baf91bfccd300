"""Groups of types of value, and the exceptions of texts that are not of a type."""

from __future__ import annotations

#: Types whose points a game may have in a second, doubtful notation.
DOUBTFUL = frozenset({"point", "stone", "move"})

#: Forms that the FF[4] pages prescribe, so that another text is an error.
MANDATORY_FORMS = frozenset({"result", "dates", "cube_owner", "dice"})

#: Forms that read the raw value, not the text it stands for: a colon in them may be escaped.
RAW_FORMS = frozenset({"application", "figure", "size", "match_information", "viewer_setting"})

#: Types that are one text with the escapes of the format, and nothing else.
ESCAPED_TEXTS = frozenset({(("text",),), (("simpletext",),)})

#: Types that are one text and nothing else.
PLAIN_TEXTS = ESCAPED_TEXTS | {(("undefined",),)}


class NotOfType(ValueError):  # noqa: N818  # an answer, not an error
    """A text is not a value of a type; the message is what was expected."""


class Impossible(NotOfType):
    """A text has the form of a type without a meaning, which the message says: February 30."""


class MethodError(RuntimeError):
    """A method of a custom transformer failed; the message says on which text, and where."""
