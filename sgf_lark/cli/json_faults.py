"""Faults of the JSON of a record, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

#: What the JSON of a record has in a place, by pydantic's names of errors.
_EXPECTED = {
    **dict.fromkeys(("list_type", "tuple_type"), "a list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "an object"),
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
}


def describe_json_fault(error: ValidationError, data: bytes) -> str:
    """Return the first thing that is wrong with the JSON of a record, and its place."""
    import json

    fault = error.errors()[0]
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "json_invalid":
        try:
            json.loads(data)
        except json.JSONDecodeError as wrong:
            return f"no JSON from line {wrong.lineno}, column {wrong.colno}"
        except (ValueError, RecursionError):
            return "no JSON that can be read"
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault["loc"])
    place = "".join(steps).removeprefix(".")
    if kind == "missing":
        words = "it is missing"
    elif kind == "value_error":
        words = str(context["error"])
    else:
        wanted = context.get("expected") or _EXPECTED.get(kind, "a value as in the schema")
        found = json.dumps(fault["input"], ensure_ascii=False, default=str)
        words = f"expected {wanted}, found {found[:40]}"
    return f"{place}: {words}; 'sgf-lark convert --schema' prints the schema"
