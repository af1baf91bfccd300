"""Values of options and arguments, in the words of the help."""

from __future__ import annotations

from typing import Any

#: Choices whose list is longer than this are not the word for the value of an option.
MAX_CHOICES = 24


def metavar(param: Any) -> str:
    """Return the word for the value of an option, or for an argument."""
    if param.metavar:
        return str(param.metavar)
    listed = "|".join(choices(param))
    return listed if 0 < len(listed) <= MAX_CHOICES else param.name.upper().replace("_", "-")


def choices(param: Any) -> list[str]:
    """Return the values that an option can have, if they are few."""
    described = getattr(param, "type_descriptor", None) or param.type
    values = getattr(described, "choices", None) or ()
    return [str(getattr(value, "value", value)) for value in values]


def bounds(param: Any) -> tuple[Any, Any]:
    """Return the least and the greatest number that a parameter accepts; None for none.

    Early versions of typer keep them in the type of the parameter.
    """
    source = param if hasattr(param, "min") else param.type
    return getattr(source, "min", None), getattr(source, "max", None)
