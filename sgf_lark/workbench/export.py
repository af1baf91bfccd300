"""Grammars in the notations of other tools.

Rules are written as their file has them, terminals from the expressions that Lark makes of
them.  The head of each export says what its notation cannot express.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import chain, groupby
from pathlib import Path
from string import ascii_letters, digits, whitespace
from textwrap import wrap
from typing import Any

from lark.grammar import Symbol
from lark.lexer import Pattern
from lark.load_grammar import PrepareLiterals

from sgf_lark.core import File, UntranslatableError, grammars, rank, regex
from sgf_lark.workbench.source_text import loaded_for

from .patterns import NotSimpleError, SimplePattern, repeat_items, simplify, stays_before

#: The signs of repetitions, with their least and most times.
_TIMES = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_SIGNS = {times: sign for sign, times in _TIMES.items()}


#: What to write for what no other notation has.
_INSTEAD = {
    regex.LookKind.LOOKBEHIND: "leave it out, and let a rule say what comes before the terminal",
    regex.LookKind.BOUNDARY: "leave it out: a token ends where its characters end",
    regex.LookKind.REFERENCE: "write an alternative for each text that the group has",
    regex.LookKind.CONDITION: "write an alternative with the group, and one without it",
}
_WRITE_OUT = "write a rule for each of its uses"


class _W3c:
    """A grammar in W3C's notation; other notations have other methods."""

    comment = "/* {} */"
    sign = " ::= "
    bar = " | "
    gap: regex.Items = ()
    special = r"^-[]\#/"

    def __init__(self, file: File, start: str | None) -> None:
        self.file = file
        self.start = start or grammars.first_rule(file)
        self.loaded = loaded_for(file, self.start)
        if start is not None:
            self.loaded = grammars.part(self.loaded, start)
        self.limits: dict[str, None] = {}
        self.terminals: dict[str, SimplePattern] = {}
        self.names: dict[str, str] = {}

    def document(self, about: Iterable[str], lines: Iterable[str]) -> str:
        comments = (self.comment.format(line).rstrip() for line in about)
        return "".join(f"{line}\n" for line in [*comments, "", *lines])

    def lines(self) -> Iterator[str]:
        patterns = {one.name: one.pattern for one in self.loaded.compile([], "*")[0]}
        for name, (_, priority) in self.loaded.term_defs:
            if name not in patterns:
                help_ = f"define it:  {name}: ..."
                raise UntranslatableError(str(name), "declared only", help_)
            self.terminals[str(name)] = self._simplify(str(name), patterns[name])
            if priority:
                self.limits["priorities of terminals"] = None
        yield from self.rules()
        yield from self.tokens()

    def _simplify(self, name: str, pattern: Pattern) -> SimplePattern:
        try:
            made = simplify(pattern.to_regexp())
        except NotSimpleError as error:
            is_named = name.isupper() and not name.startswith(("TOKEN_", "__ANON_"))
            about = name if is_named else str(pattern.raw)
            raise UntranslatableError(about, error.kind, _INSTEAD[error.kind]) from None
        if made.is_ascii:
            self.limits[r"classes such as \w: they have their ASCII characters alone"] = None
        if not made.is_exact:
            self.limits[f"{name}: lookarounds, atomic groups, lazy repetitions"] = None
        return made

    def rules(self) -> Iterator[str]:
        rules = sorted(self.loaded.rule_defs, key=lambda rule: rule[0] != self.start)
        for name, params, tree, options in rules:
            if params:
                raise UntranslatableError(str(name), "a template", _WRITE_OUT)
            if options.expand1 or options.keep_all_tokens or options.priority:
                self.limits["marks and priorities of rules"] = None
            yield f"{self.name(str(name))}{self.sign}{self.choice(self._parts(tree))}".rstrip()

    def tokens(self) -> Iterator[str]:
        yield "<?TOKENS?>"
        for name, pattern in self.terminals.items():
            mark = " /* ws: definition */" if name in self.loaded.ignore else ""
            named = name.removeprefix("__")  # Lark names the expression of %ignore
            yield f"{named}{self.sign}{self.choice(pattern.items)}{mark}"
            if pattern.conditions:
                self.limits[f"{name}: what its lookaheads exclude"] = None

    def _parts(self, part: Any) -> regex.Items:  # noqa: PLR0911  # one a kind
        if isinstance(part, Symbol):
            return (regex.Named(str(part.name)),)
        match part.data:
            case "literal" | "range":
                return (self._literal(part),)
            case "template_usage":
                raise UntranslatableError(str(part.children[0].name), "a template", _WRITE_OUT)
            case "expr":
                inside, sign, *counts = part.children
                times = _TIMES.get(str(sign)) or (int(counts[0]), int(counts[-1]))
                return repeat_items(self._parts(inside), *times)
            case "maybe":
                self.limits["[x]: a part that is missing leaves no gap in the tree"] = None
                return repeat_items(self._parts(part.children[0]), 0, 1)
            case "alias":
                self.limits["->: names of alternatives in the tree"] = None
                return self._parts(part.children[0])
            case "expansions" if len(part.children) > 1:
                return (regex.Alternation(tuple(map(self._parts, part.children))),)
        return tuple(item for child in part.children for item in self._parts(child))

    def _literal(self, tree: Any) -> regex.Item:
        pattern = _pattern_of(tree)
        name = f"TOKEN_{len(self.terminals)}"
        if name in self.terminals:
            raise UntranslatableError(name, "the name of a literal, too")
        made = self._simplify(name, pattern)
        if pattern.type == "str":
            return regex.Alternation(((*made.items, *self.gap),))
        self.terminals[name] = made
        return regex.Named(name)

    def choice(self, items: regex.Items) -> str:
        match items:
            case (regex.Alternation((_, _, *_) as options),):
                return self.bar.join(map(self.sequence, options))
        return self.sequence(items)

    def sequence(self, items: regex.Items) -> str:
        parts: list[str] = []
        for is_text, run in groupby(items, lambda item: bool(_character(item))):
            if is_text:
                parts.append(self.string("".join(_character(item) for item in run)))
            else:
                parts += map(self.item, run)
        return " ".join(parts)

    def item(self, item: regex.Item) -> str:  # noqa: PLR0911  # one a kind
        match item:
            case regex.Named(name):
                return self.name(name)
            case regex.Chars():
                return self.chars(item)
            case regex.Alternation((inside,)):
                return self.sequence(inside)
            case regex.Alternation():
                return f"({self.choice((item,))})"
            case regex.Repeat((regex.Alternation((alone,)),), least, most):
                return self.item(regex.Repeat(alone, least, most))
            case regex.Repeat((regex.Repeat(alone, 0 | 1, None),), 0, 1):
                return self.item(regex.Repeat(alone, 0, None))
            case regex.Repeat(inside, least, most):
                text = self.sequence(inside)
                if len(inside) > 1 or isinstance(inside[0], regex.Repeat):
                    text = f"({text})"
                return text + (_SIGNS.get((least, most)) or self.count(least, most))
        raise UntranslatableError(self.start, f"{item} is not simple")

    def name(self, name: str) -> str:
        return name

    def count(self, least: int, most: int | None) -> str:
        raise UntranslatableError(self.start, f"a part is repeated {least} to {most} times")

    def string(self, text: str) -> str:
        parts: list[str] = []
        for quote, run in groupby(text, _quote):
            chars = "".join(run)
            parts += [f"{quote}{chars}{quote}"] if quote else map(self.code, map(ord, chars))
        return " ".join(parts)

    def chars(self, chars: regex.Chars) -> str:
        spans = []
        for first, last in regex.ranges(chars) or [(0, 0x10FFFF)]:
            between = "-" if last > first + 1 else ""
            spans.append(between.join(map(self.member, sorted({first, last}))))
        spans.sort(key=lambda span: "#" in span)  # a letter after "#x2D" would belong to it
        return f"[{'^' * bool(chars.members and chars.negated)}{''.join(spans)}]"

    def member(self, code: int) -> str:
        return chr(code) if _quote(chr(code)) and chr(code) not in self.special else self.code(code)

    def code(self, code: int) -> str:
        return f"#x{code:X}"


class _Llguidance(_W3c):
    """The Lark of llguidance: without lookarounds, with the intersection of terminals."""

    comment = "// {}"
    sign = ": "

    def lines(self) -> Iterator[str]:
        yield '%llguidance {"allow_initial_skip": true}'
        if self.start != "start":
            if any(name == "start" for name, *_ in self.loaded.rule_defs):
                raise UntranslatableError("start", "not the rule that texts begin with")
            yield f"start: {self.start}"
        yield from super().lines()

    def tokens(self) -> Iterator[str]:
        for name, pattern in self.terminals.items():
            parts = [self.sequence(pattern.items)]
            for items, negated in pattern.conditions:
                parts.append(f"{'~' * negated}({self.sequence(items)} /(?s:.*)/)")
            yield f"{self.name(name)}: {' & '.join(parts)}"
        yield from (f"%ignore {self.name(name)}" for name in self.loaded.ignore)

    def name(self, name: str) -> str:
        return name[1:] if name.startswith("__") else name

    def count(self, least: int, most: int | None) -> str:
        return f"{{{least},{'' if most is None else most}}}"

    def string(self, text: str) -> str:
        chars = (char if _quote(char) == '"' else self.code(ord(char)) for char in text)
        return "".join(chars).join('""')

    def chars(self, chars: regex.Chars) -> str:
        return f"/{super().chars(chars)}/" if chars.members else "/(?s:.)/"

    def code(self, code: int) -> str:
        return f"\\x{code:02x}" if code < 1 << 7 else chr(code)


class _Gbnf(_Llguidance):
    """The notation of llama.cpp, which reads characters: what is ignored follows each token."""

    comment = "# {}"
    sign = " ::= "

    def lines(self) -> Iterator[str]:
        self.limits["tokens: one may end before the longest text that it matches"] = None
        self.gap = (regex.Named("Ignored"),) * bool(self.loaded.ignore)
        yield f"root{self.sign}{self.sequence((*self.gap, regex.Named(self.start)))}"
        yield from _W3c.lines(self)

    def tokens(self) -> Iterator[str]:
        for name, pattern in self.terminals.items():
            gap = () if name in self.loaded.ignore else self.gap
            yield f"{self.name(name)}{self.sign}{self.sequence((*pattern.items, *gap))}"
            if pattern.conditions:
                self.limits[f"{name}: what its lookaheads exclude"] = None
        if self.gap:
            ignored = " | ".join(map(self.name, self.loaded.ignore))
            yield f"{self.sequence(self.gap)}{self.sign}({ignored})*"

    def sequence(self, items: regex.Items) -> str:
        return super().sequence(items) or '""'

    def name(self, name: str) -> str:
        made = name.strip("_").replace("_", "-").lower() + "-token" * name.isupper()
        made += "-rule" * (made in {"root", "start"})  # which readers have, too
        if self.names.setdefault(made, name) != name:
            raise UntranslatableError(name, f"the same name as {self.names[made]}")
        return made

    chars = _W3c.chars


#: The kinds of terminals by the characters that they begin with.
_KINDS = {"meta": whitespace, "constant.numeric": digits + "+-."}
_KINDS["variable.other"] = ascii_letters + "_?!"  # Lark has signs before names, others after them

#: The pattern of an escaped character.
_ESCAPED = {"match": r"\\[\s\S]", "name": "constant.character.escape"}


class _TextMate(_Llguidance):
    """A TextMate grammar in JSON, by which editors color: the tokens, and games around them."""

    bar = "|"

    def lines(self) -> Iterator[str]:
        self.limits["rules: of the tokens that fit at a place, the first one is taken"] = None
        terminals, rules, _ = self.loaded.compile([self.start], ())
        for one in sorted(terminals, key=rank):
            self.terminals[one.name] = self._simplify(one.name, one.pattern)
        patterns = {name: self.token(name) for name in self.terminals}
        names, top = [*patterns], self.included(patterns, "invalid.illegal")
        games = [one for one in rules if one.origin.name in {"game_tree", "game"} and one.expansion]
        ends = {(one.origin.name, one.expansion[0].name, one.expansion[-1].name) for one in games}
        for game, *signs in ends if len(ends) == 1 else ():
            if patterns.keys() >= {*signs}:
                inside = {name for name, _ in grammars.part(self.loaded, game).term_defs}
                around = [self.sequence(self.terminals[sign].items) for sign in signs]
                within = self.included([game, *names], "invalid.illegal")
                patterns[game] = self.enclosed("meta", game, around, within)
                between = [name for name in names if name not in inside]
                top = self.included([game, *between], "comment.block.between")
        name = (self.file if isinstance(self.file, Path) else self.file.path).stem
        yield json.dumps({"scopeName": f"source.{name}", "patterns": top, "repository": patterns})

    def document(self, about: Iterable[str], lines: Iterable[str]) -> str:
        head = {"information_for_contributors": [*about]}
        return json.dumps(head | json.loads("".join(lines)), indent=2) + "\n"

    def included(self, names: Iterable[str], other: str) -> list[dict[str, Any]]:
        return [*({"include": f"#{name}"} for name in names), {"match": r"\S", "name": other}]

    def scope(self, kind: str, name: str) -> str:
        return f"{kind}.{name.strip('_').lower().replace('_', '-')}"

    def kind(self, name: str) -> str:
        """Return the kind of a terminal; that of white space is the first one."""
        items = self.terminals[name].items
        first, _ = regex.first_of_items(items)
        kinds = (kind for kind, chars in _KINDS.items() if first.low <= {*map(ord, chars)})
        kind = "string.unquoted" if first.high else next(kinds, "string.unquoted")
        if name in self.loaded.ignore and kind != "meta":
            return "comment.block"
        chars = regex.union(regex.character_sets(self.sequence(items)))
        is_sign = not chars.high and chars.low.isdisjoint(map(ord, ascii_letters + digits))
        if kind != "meta" and (is_sign or all(map(_character, items))):
            return "punctuation" if is_sign else "keyword.other"
        return kind

    def token(self, name: str) -> dict[str, Any]:
        """Return the pattern of a terminal: one with lines is between two characters."""
        items, conditions, *_ = self.terminals[name]
        signs = (f"(?{'=!'[negated]}{self.sequence(part)})" for part, negated in conditions)
        ahead, text, kind = "".join(signs), self.sequence(items), self.kind(name)
        if kind != "meta" and not stays_before(text, "\n"):
            begin, inside, end = items[0], self.sequence(items[1:-1]), _character(items[-1])
            for escape in ("", "\\") if end and _character(begin) and items[1:] else ():
                if stays_before(inside, end, escape):
                    if (other := self.names.setdefault(self.item(begin), name)) != name:
                        raise UntranslatableError(name, f"it begins as {other} does")
                    ends = [ahead + self.item(begin), self.item(items[-1])]
                    return self.enclosed("string.quoted", name, ends, [_ESCAPED] * bool(escape))
            self.limits[f"{name}: it is read within one line"] = None
        return {"match": ahead + text, "name": self.scope(kind, name)}

    def enclosed(
        self, kind: str, name: str, ends: list[str], inside: list[dict[str, Any]]
    ) -> dict[str, Any]:
        scope, signs = self.scope(kind, name), {"name": self.scope("punctuation.definition", name)}
        made = {"name": scope, "captures": {"0": signs}, "patterns": inside}
        return made | dict(zip(("begin", "end"), ends, strict=True))

    def sequence(self, items: regex.Items) -> str:
        return "".join(map(self.item, items))

    chars = _W3c.chars


def _pattern_of(tree: Any) -> Pattern:
    (pattern,) = PrepareLiterals().transform(deepcopy(tree)).children
    return pattern  # type: ignore[no-any-return]


def _character(item: regex.Item) -> str:
    return (item.literal or "") if isinstance(item, regex.Chars) else ""


def _quote(char: str) -> str:
    if not " " <= char <= "~" or char == "\\":
        return ""
    return "'" if char == '"' else '"'


#: The width of the lines of a head.
_WIDTH = 76

#: The exports by their names.
_EXPORTS: dict[str, type[_W3c]] = {"llguidance": _Llguidance, "gbnf": _Gbnf}
_EXPORTS |= {"textmate": _TextMate, "w3c": _W3c}


def export(file: File, target: str, start: str | None = None, head: Iterable[str] = ()) -> str:
    """Return a grammar in the notation of another tool: llguidance, gbnf, textmate or w3c.

    Raises:
        UntranslatableError: The notation cannot express it.
    """
    if start is None and target != "w3c":
        start = grammars.first_rule(file)
    made = _EXPORTS[target](file, start)
    lines = [*made.lines()]
    lost = [f"Not expressed for {target}:"] if made.limits else []
    about = [*head, *lost, *(f"  {limit}" for limit in made.limits)]
    wrapped = (wrap(line, _WIDTH, subsequent_indent="    " * (line[:1] == " ")) for line in about)
    return made.document(chain.from_iterable(part or [""] for part in wrapped), lines)
