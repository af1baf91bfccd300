"""Grammars in the notations of other tools.

Rules are written as their file has them, terminals from the expressions that Lark makes of
them.  The head of each export says what its notation cannot express.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from lark.grammar import Symbol
from lark.lexer import Pattern

from sgf_lark.engine import regex
from sgf_lark.engine.ir import UntranslatableError
from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File
from sgf_lark.grammar.typed_text import regular_expression

#: The signs of repetitions, with their least and most times.
_TIMES = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_SIGNS = {times: sign for sign, times in _TIMES.items()}


class _W3c:
    """A grammar in W3C's notation; other notations have other methods.

    Args:
        file: The grammar.
        start: The rule that texts begin with; None for all rules, the first one first.
    """

    comment = "/* {} */"
    sign = " ::= "
    special = r"^-[]\#/"

    def __init__(self, file: File, start: str | None) -> None:
        self.start = start or grammars.first_rule(file)
        self.loaded = grammars.loaded_for(file, self.start)
        if start is not None:
            self.loaded = grammars.part(self.loaded, start)
        self.limits: dict[str, None] = {}
        self.terminals: dict[str, regex.SimplePattern] = {}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the grammar, without its head."""
        patterns = {one.name: one.pattern for one in self.loaded.compile([], "*")[0]}
        for name, (_, priority) in self.loaded.term_defs:
            if name not in patterns:
                raise UntranslatableError(str(name), "declared only")
            self.terminals[str(name)] = self._simplify(str(name), patterns[name])
            if priority:
                self.limits["priorities of terminals"] = None
        yield from self.rules()
        yield from self.tokens()

    def _simplify(self, name: str, pattern: Pattern) -> regex.SimplePattern:
        """Return the pattern of a terminal; note what is lost."""
        try:
            made = regex.simplify(pattern.to_regexp())
        except regex.LookAroundError:
            reason = r"a lookbehind, a boundary, a back-reference, or a class such as \w"
            raise UntranslatableError(name, reason) from None
        if not made.is_exact:
            self.limits[f"{name}: lookarounds, atomic groups, lazy repetitions"] = None
        return made

    def rules(self) -> Iterator[str]:
        """Yield the rules."""
        rules = sorted(self.loaded.rule_defs, key=lambda rule: rule[0] != self.start)
        for name, params, tree, options in rules:
            if params:
                raise UntranslatableError(str(name), "a template")
            if options.expand1 or options.keep_all_tokens or options.priority:
                self.limits["marks and priorities of rules"] = None
            yield f"{self.name(str(name))}{self.sign}{self.choice(self._parts(tree))}".rstrip()

    def tokens(self) -> Iterator[str]:
        """Yield the terminals."""
        yield "<?TOKENS?>"
        for name, pattern in self.terminals.items():
            mark = " /* ws: definition */" if name in self.loaded.ignore else ""
            yield f"{name}{self.sign}{self.choice(pattern.items)}{mark}"
            if pattern.conditions:
                self.limits[f"{name}: what its lookaheads exclude"] = None

    def _parts(self, part: Any) -> regex.Items:  # noqa: PLR0911  # one a kind
        """Return a part of a rule, as Lark loads it."""
        if isinstance(part, Symbol):
            return (regex.Named(str(part.name)),)
        match part.data:
            case "literal" | "range":
                return (self._literal(part),)
            case "template_usage":
                raise UntranslatableError(str(part.children[0].name), "a template")
            case "expr":
                inside, sign, *counts = part.children
                times = _TIMES.get(str(sign)) or (int(counts[0]), int(counts[-1]))
                return regex.counted(self._parts(inside), *times)
            case "maybe":
                self.limits["[x]: a part that is missing leaves no gap in the tree"] = None
                return regex.counted(self._parts(part.children[0]), 0, 1)
            case "alias":
                self.limits["->: names of alternatives in the tree"] = None
                return self._parts(part.children[0])
            case "expansions" if len(part.children) > 1:
                return (regex.Alternation(tuple(map(self._parts, part.children))),)
        return tuple(item for child in part.children for item in self._parts(child))

    def _literal(self, tree: Any) -> regex.Item:
        """Return a text in a rule, or the name of a terminal for another literal."""
        pattern = grammars.literal(tree)
        name = f"TOKEN_{len(self.terminals)}"
        if name in self.terminals:
            raise UntranslatableError(name, "the name of a literal, too")
        made = self._simplify(name, pattern)
        if pattern.type == "str":
            return regex.Alternation((made.items,))
        self.terminals[name] = made
        return regex.Named(name)

    def choice(self, items: regex.Items) -> str:
        """Return items, alternatives without brackets."""
        match items:
            case (regex.Alternation((_, _, *_) as options),):
                return " | ".join(map(self.sequence, options))
        return self.sequence(items)

    def sequence(self, items: regex.Items) -> str:
        """Return items one after the other."""
        parts: list[str] = []
        for is_text, run in groupby(items, lambda item: bool(_character(item))):
            if is_text:
                parts.append(self.string("".join(_character(item) for item in run)))
            else:
                parts += map(self.item, run)
        return " ".join(parts)

    def item(self, item: regex.Item) -> str:
        """Return a name, a class of characters, alternatives, a repetition or a token."""
        match item:
            case regex.Named(name):
                return self.name(name)
            case regex.Chars():
                return self.chars(item)
            case regex.Alternation((inside,)):
                return self.sequence(inside)
            case regex.Alternation():
                return f"({self.choice((item,))})"
            case regex.Repeat(inside, least, most):
                text = self.sequence(inside)
                if len(inside) > 1 or isinstance(inside[0], regex.Repeat):
                    text = f"({text})"
                return text + (_SIGNS.get((least, most)) or self.count(least, most))
        raise UntranslatableError(self.start, f"{item} is not simple")

    def name(self, name: str) -> str:
        """Return the name of a rule or terminal."""
        return name

    def count(self, least: int, most: int | None) -> str:
        """Return a repetition."""
        raise UntranslatableError(self.start, f"a part is repeated {least} to {most} times")

    def string(self, text: str) -> str:
        """Return some characters."""
        parts: list[str] = []
        for quote, run in groupby(text, _quote):
            chars = "".join(run)
            parts += [f"{quote}{chars}{quote}"] if quote else map(self.code, map(ord, chars))
        return " ".join(parts)

    def chars(self, chars: regex.Chars) -> str:
        """Return a class of characters."""
        spans = []
        for first, last in regex.ranges(chars) or [(0, 0x10FFFF)]:
            between = "-" if last > first + 1 else ""
            spans.append(between.join(map(self.member, sorted({first, last}))))
        spans.sort(key=lambda span: "#" in span)  # a letter after "#x2D" would belong to it
        return f"[{'^' * bool(chars.members and chars.negated)}{''.join(spans)}]"

    def member(self, code: int) -> str:
        """Return a character in a class."""
        is_shown = _quote(chr(code)) and chr(code) not in self.special
        return chr(code) if is_shown else self.code(code)

    def code(self, code: int) -> str:
        """Return a character by its code."""
        return f"#x{code:X}"


class _Llguidance(_W3c):
    """The Lark of llguidance: without lookarounds, with the intersection of terminals."""

    comment = "// {}"
    sign = ": "

    def rules(self) -> Iterator[str]:
        if self.start != "start":
            if any(name == "start" for name, *_ in self.loaded.rule_defs):
                raise UntranslatableError("start", "not the rule that texts begin with")
            yield f"start: {self.start}"
        yield from super().rules()

    def tokens(self) -> Iterator[str]:
        for name, pattern in self.terminals.items():
            parts = [self.sequence(pattern.items)]
            for items, negated in pattern.conditions:
                parts.append(f"{'~' * negated}({self.sequence(items)} /(?s:.*)/)")
            yield f"{name}: {' & '.join(parts)}"
        yield from (f"%ignore {name}" for name in self.loaded.ignore)

    def count(self, least: int, most: int | None) -> str:
        return f"{{{least},{'' if most is None else most}}}"

    def string(self, text: str) -> str:
        return "".join(char if _quote(char) == '"' else self.code(ord(char)) for char in text).join(
            '""'
        )

    def chars(self, chars: regex.Chars) -> str:
        return f"/{super().chars(chars)}/" if chars.members else "/(?s:.)/"

    def code(self, code: int) -> str:
        return f"\\x{code:02x}" if code < 1 << 8 else f"\\U{code:08x}"


class _Bison(_W3c):
    """The rules for bison: as Lark expands them, with the expressions of tokens in comments."""

    comment = "// {}"

    def lines(self) -> Iterator[str]:
        terminals, rules, _ = self.loaded.compile([self.start], ())
        self.limits["tokens: a lexer has to read them as their comments say"] = None
        for terminal in terminals:
            expression = regular_expression(terminal.pattern.to_regexp())
            yield f"%token {terminal.name} // {expression}"
        yield from (f"// ignored: {name}" for name in self.loaded.ignore)
        yield from (f"%start {self.start}", "%%")
        by_name: dict[str, list[str]] = {}
        for rule in rules:
            symbols = " ".join(str(symbol.name) for symbol in rule.expansion)
            by_name.setdefault(str(rule.origin.name), []).append(symbols or "%empty")
        if "error" in by_name:
            raise UntranslatableError("error", "a token of bison")
        yield from (f"{name}: {' | '.join(options)};" for name, options in by_name.items())


def _character(item: regex.Item) -> str:
    return (item.literal or "") if isinstance(item, regex.Chars) else ""


def _quote(char: str) -> str:
    """Return the quotation mark for a character in a text; "" if it is written by its code."""
    if not " " <= char <= "~" or char == "\\":
        return ""
    return "'" if char == '"' else '"'


#: The exports by their names.
_EXPORTS: dict[str, type[_W3c]] = {"llguidance": _Llguidance, "bison": _Bison, "w3c": _W3c}


def export(file: File, target: str, start: str | None = None, head: Iterable[str] = ()) -> str:
    """Return a grammar in the notation of another tool.

    Args:
        file: The grammar.
        target: The tool or notation: llguidance, bison or w3c.
        start: The rule that texts begin with; the first one if None.
        head: Lines about the grammar for the head.

    Raises:
        UntranslatableError: The notation cannot express it.
    """
    if start is None and target != "w3c":
        start = grammars.first_rule(file)
    made = _EXPORTS[target](file, start)
    lines = [*made.lines()]
    lost = [f"Not expressed for {target}:"] if made.limits else []
    about = [*head, *lost, *(f"  {limit}" for limit in made.limits)]
    comments = (made.comment.format(line).rstrip() for line in about)
    return "".join(f"{line}\n" for line in [*comments, "", *lines])
