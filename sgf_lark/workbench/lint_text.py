"""Lint of the text of a grammar: names, patterns, ranges, templates, imports.

The imported files are checked, too; their faults are reported at the import.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import lark
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from sgf_lark.core import (
    File,
    Finding,
    Fix,
    GrammarSource,
    LineIndex,
    Span,
    grammars,
    mismatch,
    nearest,
    new_edit,
    new_fix,
    register,
    unusable,
)
from sgf_lark.workbench.source_text import (
    Definition,
    GrammarText,
    Import,
    experiment,
    grammar_text,
    span_of,
    walk_parts,
)

_START = Span(0, 0)


def lint_text(file: File) -> list[Finding]:
    """Return the findings about the text of a grammar, and of those that it imports."""
    findings = _of_text(file)
    if not any(finding.name == "grammar-notation" for finding in findings):
        findings.extend(_of_imports(file))
    return findings


def _fix(message: str, *edits: tuple[Span, str]) -> Fix:
    parts = (new_edit(at.start, at.end, new) for at, new in edits)
    return new_fix(message, parts, safe=False)


GRAMMAR_NOTATION = register(
    "L701 grammar-notation error: a line of a grammar that Lark cannot read"
)


def _of_text(file: File) -> list[Finding]:
    try:
        source = grammar_text(file)
    except UnexpectedInput as error:
        parser = experiment(grammars.path("notations/lark"), "grammar")
        finding = mismatch(error, parser, grammars.text_of(file))
        help_ = 'write one definition a line, such as  node: ";" property*'
        return [finding.as_one_of(GRAMMAR_NOTATION)._replace(help=help_)]
    findings = [*_of_names(source), *_of_patterns(source), *_of_numbers(source)]
    return findings or [*_of_templates(source)]


DEFINED_TWICE = register("L703 defined-twice error: two definitions of one name in a grammar")
RULE_IN_TERMINAL = register("L704 rule-in-terminal error: a terminal of a grammar that uses a rule")


def _of_names(source: GrammarText) -> Iterator[Finding]:
    first = source.by_name
    for definition in source.definitions:
        if (
            not definition.adds
            and first[definition.name] is not definition
            and not first[definition.name].adds
        ):
            kind = "terminal" if definition.is_terminal else "rule"
            message = f"the {kind} {definition.name} is defined twice"
            help_ = "join them with '|', or rename one"
            end, again = first[definition.name].extent.end, definition.extent
            _, _, added = source.text[again.start : again.end].partition(":")
            fix = _fix("join them with '|'", (Span(end, end), f" |{added}"), (again, ""))
            yield DEFINED_TWICE.found(message, definition.span, help_, fix=fix)
    known = {*first, *source.imported}
    for use in source.uses:
        name = use.name.lstrip("?!")
        if name in known:
            inner = first.get(use.within)
            if inner is not None and inner.is_terminal and name.islower():
                message = f"{use.within} is a terminal and uses the rule {name}"
                help_ = f"write {use.within} in lower case, or {name} in capitals"
                yield RULE_IN_TERMINAL.found(message, use.span, help_)
            continue
        yield _undefined(name, use.span, known, f"define {name}, or import it")


UNDEFINED_SYMBOL = register("L702 undefined-symbol error: a name in a grammar that nothing defines")


def _undefined(name: str, place: Span, known: set[str], otherwise: str, where: str = "") -> Finding:
    close = nearest(name, sorted(known))
    help_ = f"did you mean {close[0]}?" if close else otherwise
    kind = "rule" if name.islower() else "terminal"
    fix = _fix(f"write {close[0]}", (place, close[0])) if close else None
    return UNDEFINED_SYMBOL.found(f"no {kind} {name} is defined{where}", place, help_, fix=fix)


EMPTY_TERMINAL = register("L708 empty-terminal error: a terminal of a grammar that may be empty")
BROKEN_PATTERN = register("L710 broken-pattern error: an invalid regular expression")


def empty_terminal(message: str, place: Span, help_: str) -> Finding:
    """Return the finding about a terminal that may be empty."""
    return EMPTY_TERMINAL.found(message, place, help_)


def _of_patterns(source: GrammarText) -> Iterator[Finding]:
    for token, span in source.literals:
        if token.type != "REGEXP":
            if token.rstrip("i") == '""':
                help_ = "remove it: an optional part has '?' after it, or is in [...]"
                yield empty_terminal("this text is empty", span, help_)
            continue
        body, _, flags = token[1:].rpartition("/")
        pattern = f"(?{flags}:{body})" if flags else body.replace("\\/", "/")
        try:
            re.compile(pattern)
        except re.error as error:
            message = f"invalid regular expression: {error.msg}"
            at = span.start + 1 + (error.pos or 0)
            place = Span(at, at + 1) if not flags and at < span.end else span
            insert = "write a '\\' before it", (Span(at, at), "\\")
            fix = _fix(*insert) if pattern == body and place != span else None
            yield BROKEN_PATTERN.found(message, place, "a '\\' before it may be missing", fix=fix)
            continue
        if back := re.search(r"(?<!\\)(?:\\\\)*(\\[1-9])", body):
            message = (
                f"{back[1]} refers to a group by number, which changes next to other terminals"
            )
            help_ = "give the group a name: (?P<quote>['\"]) ... (?P=quote)"
            yield BROKEN_PATTERN.found(message, span, help_)


def _of_numbers(source: GrammarText) -> Iterator[Finding]:
    for part in (
        inner
        for definition in source.definitions
        for tree in definition.alternatives
        for inner in walk_parts(tree)
    ):
        if not isinstance(part, Tree) or part.data not in {"range", "repeated"}:
            continue
        tokens = [token for token in part.children if isinstance(token, Token)]
        fix = None
        if part.data == "range":
            ends = [token[1:-1].replace("\\\\", "\\") for token in tokens]
            if not all(len(end) == 1 or end.startswith("\\") for end in ends):
                message, help_ = "a range goes from one character to another", 'such as  "a".."z"'
            elif ends[0] > ends[1] and not any(end.startswith("\\") for end in ends):
                message = f"this range ends with {tokens[1]}, before it begins"
                help_ = f"write  {tokens[1]}..{tokens[0]}"
                fix = _fix(help_, (span_of(part), f"{tokens[1]}..{tokens[0]}"))
            else:
                continue
        else:
            counts = [int(token) for token in tokens if token.type == "NUMBER"]
            if not counts or 0 <= counts[0] <= counts[-1]:
                continue
            message, help_ = "this range of counts is empty", "write the smaller number first"
        yield unusable(message, span_of(part), help_)._replace(fix=fix)


# ---- templates ----

#: A template's name and the texts of its arguments.
_Instance: TypeAlias = tuple[str, tuple[str, ...]]

#: Instances of templates that a grammar may have, and characters that one may be written with.
MAX_INSTANCES, MAX_INSTANCE_LENGTH = 1_000, 10_000


def _of_templates(source: GrammarText) -> Iterator[Finding]:
    uses = {
        definition.name: [
            inner
            for alternative in definition.alternatives
            for inner in walk_parts(alternative)
            if isinstance(inner, Tree) and inner.data == "template"
        ]
        for definition in source.by_name.values()
    }
    waiting = [
        _instance(source, use, {})
        for name, inside in uses.items()
        if name not in source.templates
        for use in inside
    ]
    known = set(waiting)
    for name, arguments in waiting:  # grows
        given = dict(zip(source.templates.get(name, ()), arguments, strict=False))
        for use in uses.get(name, ()):
            instance = _instance(source, use, given)
            if instance in known:
                continue
            known.add(instance)
            waiting.append(instance)
            if len(known) > MAX_INSTANCES or sum(map(len, instance[1])) > MAX_INSTANCE_LENGTH:
                message = f"the template {name} has endless instances"
                help_ = "give the templates in it its own arguments"
                yield unusable(message, source[name].span, help_)
                return


def _instance(source: GrammarText, use: Tree[Token], given: dict[str, str]) -> _Instance:
    name, *arguments = use.children
    return _text(source, name, given), tuple(
        _text(source, argument, given) for argument in arguments
    )


def _text(source: GrammarText, part: Token | Tree[Token] | None, given: dict[str, str]) -> str:
    if part is None:
        return ""
    span, written, done = span_of(part), "", 0
    text = source.text[span.start : span.end]
    for inner in walk_parts(part):
        if isinstance(inner, Tree) and inner.data == "symbol":
            at = span_of(inner)
            written += text[done : at.start - span.start]
            name = source.text[at.start : at.end]
            written += given.get(name, name)
            done = at.end - span.start
            if len(written) > 2 * MAX_INSTANCE_LENGTH:
                break
    return written + text[done:]


# ---- imports ----

#: The folder of the grammars that come with Lark.
_LIBRARY = Path(lark.__file__).parent / "grammars"


def _of_imports(file: File) -> Iterator[Finding]:
    top = grammars.path_of(file)
    looked: set[str] = set()
    for imported in grammar_text(file).imports:
        path = _path_of(imported.module, top, top)
        again = imported.module in looked
        looked.add(imported.module)
        if path is None:
            if not again:
                yield _missing(imported)
            continue
        wrong = None if again else _inside(path, top)
        if wrong is not None:
            yield wrong._replace(span=imported.place, fix=None)  # it is of that file
            return
        inner = grammar_text(_opened(path))
        known = {*inner.by_name, *inner.imported}
        if imported.name not in known:
            where = f" in {path.name}"
            yield _undefined(
                imported.name, imported.name_place, known, f"define it there{where}", where
            )


def open_import(module: str, file: File, top: Path | None = None) -> File | None:
    """Return the grammar that a name in ``%import`` means; None if there is none in UTF-8."""
    path = _path_of(module, top or grammars.path_of(file), grammars.path_of(file))
    with suppress(UnicodeDecodeError):
        return None if path is None else _opened(path)
    return None


def find_definition(file: File, name: str) -> tuple[GrammarText, Definition] | None:
    """Return the definition of a name, in a grammar or where it is imported from; None if none."""
    top = grammars.path_of(file)
    looked: set[Path] = set()
    with suppress(UnexpectedInput):
        while name not in (source := grammar_text(file)).by_name:
            found = next((one for one in source.imports if one.alias == name), None)
            opened = open_import(found.module, file, top) if found else None
            if found is None or opened is None or grammars.path_of(opened) in looked:
                return None
            file, name = opened, found.name
            looked.add(grammars.path_of(file))
        return source, source[name]
    return None


def _inside(path: Path, top: Path) -> Finding | None:
    waiting: list[tuple[Path, tuple[Path, ...]]] = [(path, (top,))]
    done: set[Path] = set()
    while waiting:
        path, way = waiting.pop()
        if path in way:
            by = "" if path == way[-1] else f", by way of {way[-1].name}"
            message = f"{path.name} imports itself{by}"
            help_ = "move what both need to a file of its own"
            return unusable(message, _START, help_)
        if path in done or path.parent == _LIBRARY or path.is_relative_to(grammars.folder()):
            continue
        done.add(path)
        try:
            inner = _opened(path)
        except UnicodeDecodeError:
            message = f"{path.name} is not UTF-8"
            return unusable(message, _START, "save it in UTF-8")
        findings = _of_text(inner)
        if not findings:
            ways = {
                imported: _path_of(imported.module, top, path)
                for imported in grammar_text(inner).imports
            }
            findings = [_missing(imported) for imported, to in ways.items() if to is None]
            waiting.extend((to, (*way, path)) for to in ways.values() if to is not None)
        if findings:
            first = min(findings, key=lambda finding: finding.span)
            at = LineIndex(grammars.text_of(inner)).locate(first.span.start)
            return first._replace(message=f"{path.name}:{at.line}:{at.column}: {first.message}")
    return None


def _missing(imported: Import) -> Finding:
    name = imported.module.replace(".", "/")
    message = f"there is no {name}.lark beside this grammar or among the shipped ones"
    return unusable(message, imported.place, "correct the name")


def _opened(path: Path) -> File:
    shipped = path.parent == _LIBRARY or path.is_relative_to(grammars.folder())
    return path if shipped else GrammarSource(path, path.read_text(encoding="utf-8"))


def _path_of(module: str, top: Path, file: Path) -> Path | None:
    """Return the file of a name in ``%import``, searched as Lark does."""
    name = module.replace(".", os.sep) + ".lark"
    places = [top.parent, grammars.folder(), file.parent, _LIBRARY]
    return next((place / name for place in places if (place / name).is_file()), None)
