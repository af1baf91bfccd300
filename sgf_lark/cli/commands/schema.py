"""The command ``sgf-lark schema``."""

from __future__ import annotations

import json

from sgf_lark.cli.interface import command
from sgf_lark.findings.terminal import show


@command()
def schema() -> None:
    """Print the JSON Schema of the JSON that 'sgf-lark convert --to json' writes."""
    from sgf_lark.model.collection import Collection

    of_collection = Collection.model_json_schema(mode="serialization")
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", **of_collection}
    show(json.dumps(named, indent=2, ensure_ascii=False) + "\n")
