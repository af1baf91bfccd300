"""Write files in the canonical layout, or without something that they have, and test the result."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import TypedDict, Unpack

from sgf_lark.core.findings.errors import SgfSyntaxError
from sgf_lark.core.findings.report import Report
from sgf_lark.core.model.collection import Collection, GameTree
from sgf_lark.core.model.readings import Content
from sgf_lark.core.schema.formats import Format, FormatName
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.core.text.charset_names import label
from sgf_lark.core.text.encoding import decode
from sgf_lark.core.values.dialect import without_own_types
from sgf_lark.core.values.methods import ValueMethods
from sgf_lark.core.values.values_file import ValuesFile
from sgf_lark.core.write.dump import StyleName, dump
from sgf_lark.core.write.read_back import UnwritableError
from sgf_lark.core.write.styles import meaning

from .drop import drop as drop_kinds
from .load import loads


class Layout(TypedDict, total=False):
    """The options of a layout; see :func:`sgf_lark.dumps`."""

    style: StyleName
    nodes: int
    indent: int
    compress: bool
    width: int | None


class ChangedError(ValueError):
    """The new layout cannot be written without a change of the content of a file."""


def format_record(
    data: bytes,
    *,
    name: str = "<string>",
    encoding: str | None = None,
    table: PropertyTable | None = None,
    format: Format | FormatName | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    drop: Iterable[str] = (),
    dropped: Counter[str] | None = None,
    **layout: Unpack[Layout],
) -> bytes:
    """Return the bytes of a file in the canonical layout.

    The result is read again, and has the same games, nodes and values; with ``format``,
    ``grammar`` or ``values`` also if it is read without them.

    Args:
        data: The bytes of the file.
        name: The name of the file, for errors.
        encoding: The encoding of the bytes; None to detect it from them and from CA.
        table, format, grammar, values: As for :func:`sgf_lark.load`.
        drop: Kinds of properties that are left out, as of :func:`sgf_lark.drop`.
        dropped: To this the number of those is added, by kind.
        layout: See :func:`sgf_lark.dumps`; with ``style="preserve"`` what stays keeps its bytes.

    Raises:
        SgfSyntaxError: The file has syntax errors, so that a new layout would lose something.
        ChangedError: The new layout changes the content.
        ValueError: There is no such kind.
    """
    read = partial(loads, strict=False, encoding=encoding, table=table)
    read_as = partial(read, format=format, grammar=grammar, values=values)
    before = read_as(data)
    broken = tuple(finding for finding in before.diagnostics if finding.code[0] == "S")
    report = Report(name=name, text=before.text, diagnostics=broken)
    if (foreign := before.foreign) is not None:
        raise ChangedError(f"{foreign.format} is only read: sgf-lark convert makes SGF of it")
    if report.errors:
        raise SgfSyntaxError(report)
    if any(finding.name == "stray-text" for finding in broken):
        raise ChangedError("the new layout would leave out text that belongs to no property")
    layout.setdefault("style", "canonical")
    kinds, file = tuple(drop), io.BytesIO()
    collection, counts = drop_kinds(before, *kinds)
    try:
        dump(collection, file, **layout)
    except UnwritableError as error:
        raise ChangedError(f"the new layout cannot be written: {error.problem}") from None
    new = file.getvalue()
    if new != data:
        is_same = have_same_content(collection, read_as(new, validate=False))
        if is_same and not (format is None and grammar is None and values is None):
            usual = partial(read, validate=False, table=table and without_own_types(table))
            is_same = have_same_content(drop_kinds(usual(data), *kinds).collection, usual(new))
        if not is_same and decode(new, encoding).encoding != decode(data, encoding).encoding:
            raise ChangedError(
                f"the new layout would not be read in {label(decode(data, encoding).encoding)}"
                " again: save the file as UTF-8 first, with CA[UTF-8]"
            )
        if not is_same:
            raise ChangedError("the new layout would change the content of this file")
    if dropped is not None:
        dropped.update(counts)
    return new


def have_same_content(collection: Collection, other: Collection) -> bool:
    return len(collection) == len(other) and all(map(_same_game, collection.games, other.games))


def _same_game(game: GameTree, other: GameTree) -> bool:
    nodes, others = game.nodes, other.nodes
    if (game.format, game.game, nodes.parents) != (other.format, other.game, others.parents):
        return False
    texts = zip(nodes.tape.each(), others.tape.each(), strict=True)
    # Properties of the same names and values have the same meaning by the same rules.
    is_read_alike = nodes.rules is others.rules
    for node, (ours, theirs) in enumerate(texts):
        if is_read_alike and (ours == theirs or sorted(ours) == sorted(theirs)):
            continue
        if _meanings(nodes.contents[node]) != _meanings(others.contents[node]):
            return False
    return True


def _meanings(content: Content) -> list[str]:
    return sorted(repr(meaning(prop)) for prop in content)
