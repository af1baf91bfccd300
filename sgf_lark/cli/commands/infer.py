"""The command ``sgf-lark infer``."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any, Literal

from sgf_lark.cli.grammars import read_texts, write_result
from sgf_lark.cli.interface import command, option
from sgf_lark.cli.options import PATHS, OutputOptions, RecordOptions, SettingsOptions, to_toml
from sgf_lark.core import plural, visible
from sgf_lark.report.terminal import visible_json


class PropertiesOptions(OutputOptions, section="Output"):
    """The form of the properties, and their file."""

    form: Literal["text", "json"] = option(
        "The form: settings with comments, or JSON.", "--format", default="text"
    )


@command(PATHS, is_brief=True)
def infer(
    paths: tuple[str, ...],
    result: PropertiesOptions,
    reading: RecordOptions,
    settings: SettingsOptions,
) -> None:
    """Infer the types of unknown properties, as rows for the settings.

    Of each property that no table knows: the tightest type that all its values have (if only a
    text is, that all but one in a hundred have), whether it is a list, and its category.

    Examples:
        sgf-lark infer games
        sgf-lark infer games -o sgf-lark.toml
    """
    from sgf_lark.workbench.evidence import PropertyEvidence, add_record, infer as infer_rule

    found: dict[str, PropertyEvidence] = defaultdict(PropertyEvidence)
    read = []
    for name, text, how in read_texts(paths or (".",), reading.encoding, settings, reading):
        add_record(found, name, text, {"format": reading.read_as, **how})
        read.append(name)
    known = [infer_rule(ident, found[ident]) for ident in sorted(found)]
    known.sort(key=lambda each: -each["values"])
    if result.form == "json":
        lines = [visible_json(json.dumps(known, indent=2, ensure_ascii=False))]
    elif known:
        lines = ["[properties]", *chain(*map(_lines, known))]
    else:
        lines = [f"# no unknown properties in {plural(len(read), 'file')}"]
    write_result([f"{line}\n" for line in lines], result.output, *read)


def _lines(known: dict[str, Any]) -> Iterator[str]:
    row = known["settings"]
    programs = [f"{name or 'no AP'} {count}" for name, count in known["programs"].items()]
    places = [known["example"], *known["first_exceptions"]]
    example, *exceptions = ("'{value}' ({file}:{line}:{column})".format(**at) for at in places)
    comments = [
        "{ident}: values {values}, nodes {nodes}, games {games}, files {files}".format(**known),
        f"  example: {example}",
        f"  type: {' or '.join([row['type'], *known['other_types']])}",
        f"  category: {' or '.join(known['categories'])}",
        f"  nodes by program: {', '.join(programs)}",
        f"  exceptions: {', '.join([str(known['exceptions']), *exceptions])}",
        *(f"  not for settings: {fault}" for fault in known["faults"]),
    ]
    yield from ("", *(f"# {visible(comment)}" for comment in comments))
    yield "# " * (not row["formats"]) + f"{known['ident']} = {to_toml(row)}"
