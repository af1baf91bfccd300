"""Translation of the notations of standards to Lark: EBNF of Wirth and W3C, ABNF, and BNF.

The translation is mechanical, production by production and character by character, and
knows nothing of the shipped grammars, so that it can be compared with them.  The notations
are Lark grammars themselves (``grammars/notations``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput
from lark.visitors import Transformer_NonRecursive

from sgf_lark.core import Finding, Report, SgfSyntaxError, grammars, mismatch, unexpected
from sgf_lark.workbench.source_text import experiment, grammar_text, span_of, walk_parts


class Notation(StrEnum):
    """The notation of a standard's productions."""

    WIRTH = "wirth"
    ABNF = "abnf"
    W3C = "w3c"
    BNF = "bnf"

    @classmethod
    def of(cls, text: str) -> Notation:
        if "::=" in text:
            return cls.BNF if re.search(r"^\s*<[^<>\n]+>\s*::=", text, re.MULTILINE) else cls.W3C
        plain = re.sub(r"""\(\*(?s:.*?)\*\)|"[^"\n]*"|'[^'\n]*'|;[^\n]*""", "", text)
        unquoted = re.sub(r"""\(\*(?s:.*?)\*\)|"[^"\n]*"|'[^'\n]*'""", "", text)
        ends = r"\.[ \t]*$", r"=[^;/%*\n]*;[ \t]*$"
        has_ends = any(map(re.search, ends, (plain, unquoted), [re.MULTILINE] * 2))
        signs = r"=/|%[bdx]\d|/|\d\*|\*\d|\*\(|;"
        is_abnf = re.search(signs, unquoted, re.IGNORECASE) and not re.search(r"[{}?]", unquoted)
        return cls.ABNF if is_abnf and not has_ends else cls.WIRTH


def from_ebnf(text: str, notation: Notation | str | None = None, name: str = "<string>") -> str:
    """Return a Lark grammar that accepts the same texts as a standard's productions.

    Each production is quoted above the rule that it becomes.  Prose is a SgfSyntaxError.
    """
    guessed = notation is None
    notation = Notation.of(text) if notation is None else Notation(notation)
    help_ = f"this is read as {notation.upper()}; --notation names another one" if guessed else ""
    productions = _parsed(text, notation, name, help_)
    tokens = {_defined(one.children[0]) for one in productions if one.data == "token"}
    translation = _Translation(notation, tokens)
    translation.lines_are_alternatives = notation is Notation.BNF and not any(
        isinstance(part, Tree) and part.data == "alternatives" and part.children[1:]
        for production in productions
        for part in walk_parts(production)
    )
    parts = []
    for production in productions:
        span = span_of(production)
        quoted = text[span.start : span.end]
        if notation is Notation.ABNF:  # on one line, a comment would have no end
            quoted = re.sub(r'("[^"\n]*")|;[^\n]*', r"\1", quoted)
        lines = quoted.splitlines() if translation.lines_are_alternatives else [quoted]
        about = "\n".join(f"//= {' '.join(line.split())}" for line in lines if line.strip())
        parts.append(f"{about}\n{translation.transform(production)}\n")
    if notation is Notation.ABNF:
        parts += translation.core_rules()
    return "\n".join(parts)


def rule_name(name: str) -> str:
    """Return the name of a rule for Lark: ``prop_ident`` for ``PropIdent``."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.strip())
    return re.sub(r"[^\w]+", "_", parted).lower()


def _parsed(text: str, notation: Notation, name: str, help_: str) -> list[Tree[Token]]:
    parser = experiment(grammars.path(f"notations/{notation}"), "syntax")
    try:
        tree = parser.parse(text)
    except UnexpectedInput as error:
        finding = mismatch(error, parser, text)._replace(help=help_)
        raise _syntax_error(finding, text, name) from None
    for part in walk_parts(tree):
        if isinstance(part, Tree) and part.data in {"expression", "exception"}:
            prose = text[slice(*span_of(part))].strip(_PROSE)
            if part.data == "exception" or not re.fullmatch(r"/.*/", prose):
                message = "this is prose, which has no translation"
                if part.data == "exception":
                    message = "an exception with '-' has no translation"
                sample = _SAMPLES.get(notation, "?/[^]]/?")
                help_ = f"write a regular expression instead, such as  {sample}"
                finding = unexpected(message, span_of(part), help_)
                raise _syntax_error(finding, text, name)
    return [child for child in tree.children if isinstance(child, Tree)]


def _defined(production: Any) -> str:
    return re.sub(r"^\s*\[\w+\]", "", production).strip(" \t\r\n:=/<>")


def _syntax_error(finding: Finding, text: str, name: str) -> SgfSyntaxError:
    return SgfSyntaxError(Report.of(name, text, [finding]))


#: Regular expressions as the notations have them.
_SAMPLES = {Notation.ABNF: "</[^]]/>", Notation.W3C: "[^#x5D]"}

#: What is around a regular expression among prose.
_PROSE = "? <>"

#: A text, as a rule of Lark has it.
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"i?')

#: The bases of the numbers of ABNF.
_BASES = {"b": 2, "d": 10, "x": 16}


class _Translation(Transformer_NonRecursive[Token, Any]):
    """The transformer of productions; each method is one construct of the notations."""

    def __init__(self, notation: Notation, tokens: set[str]) -> None:
        super().__init__()
        self._notation = notation
        self._tokens = tokens
        self._used: dict[str, None] = {}
        self._known: set[str] = set()

    def production(self, children: list[str]) -> str:
        defined, body = children
        name = self._name(_defined(defined))
        adds = defined.endswith("/") and name in self._known
        mark = "%extend " if adds else "!" if self._chooses_text else ""
        self._chooses_text = False
        self._known.add(name)
        return f"{mark}{name}: {body}"

    def token(self, children: list[str]) -> str:
        defined, body, *ignored = children
        self._chooses_text = False
        name = self._name(_defined(defined))
        return f"{name}: {body}" + (f"\n%ignore {name}" if ignored else "")

    def _name(self, name: str) -> str:
        if name in self._tokens:
            return name if name.isupper() else rule_name(name).upper()
        return rule_name(name.lower() if self._notation is Notation.ABNF else name)

    def core_rules(self) -> Iterator[str]:
        """Yield the rules of ABNF that are used and not defined, with those that they use."""
        file = grammars.path("notations/abnf")
        core, own = grammar_text(file), grammars.in_structure(file)
        waiting = [*self._used]
        for name in waiting:  # grows
            if name in core.by_name and name not in {*own, *self._known}:
                self._known.add(name)
                waiting += [use.name for use in core.uses if use.within == name]
                yield f"// a core rule\n{core.written(core[name])}\n"

    postfix = "".join
    lines_are_alternatives = False

    #: A choice depends on a text alone, which Lark's trees drop but for a rule with "!".
    _chooses_text = False

    def alternatives(self, children: list[str]) -> str:
        if children[1:]:
            self._chooses_text |= any(map(_TEXT.fullmatch, children))
        return " | ".join(children)

    def sequence(self, children: list[str]) -> str:
        lines = [*filter(None, map(str.strip, " ".join(children).split("\n")))]
        return self.alternatives(lines) if self.lines_are_alternatives else " ".join(lines)

    def name(self, children: list[str]) -> str:
        name = self._name(children[0].strip("<>"))
        self._used[name] = None
        return name

    def text(self, children: list[Token]) -> str:
        inside = children[0] if children[0].type == "WORD" else children[0][1:-1]
        folds = self._notation is Notation.ABNF and inside.lower() != inside.upper()
        flag = "i" if folds else ""
        return f'"{_escaped(inside)}"{flag}' if inside else ""

    def codes(self, children: list[str]) -> str:
        base = _BASES[children[0][1].lower()]
        first, *rest = (int(code, base) for code in re.split("[-.]", children[0][2:]))
        between = '".."' if "-" in children[0] else ""
        return f'"{between.join(map(_character, [first, *rest]))}"'

    def code(self, children: list[str]) -> str:
        return f'"{_character(int(children[0].removeprefix("#x"), base=16))}"'

    def chars(self, children: list[str]) -> str:
        if re.fullmatch(r"\[#x0+-#x10FFFF\]", children[0], re.IGNORECASE):
            return "/(?s:.)/"  # all characters
        pieces = []
        for code, char in re.findall(r"#x([0-9A-Fa-f]+)|(.)", children[0][1:-1]):
            one = chr(int(code, 16)) if code else char
            if one in "\\/[]&~|" or (code and one in "-^"):
                pieces.append(f"\\{one}")
            else:
                pieces.append(_character(ord(one)) if code else one)
        return f"/[{''.join(pieces)}]/"

    def counted(self, children: list[str]) -> str:
        count, body = children
        least, has_star, most = count.partition("*")
        if not body.isidentifier() and not body.endswith(")"):
            body = f"({body})"
        if not has_star:
            return f"{body}~{least}"
        if most:
            return f"{body}~{least or 0}..{most}"
        more = f"{body}~{least} " if int(least or 0) > 1 else ""
        return f"{more}{body}{'+' if least == '1' else '*'}"

    def range(self, children: list[str]) -> str:
        return "..".join(f'"{_escaped(literal[1:-1])}"' for literal in children)

    def expression(self, children: list[str]) -> str:
        return children[0].strip(_PROSE)

    def option(self, children: list[str]) -> str:
        self._chooses_text |= bool(_TEXT.fullmatch(children[0]))
        return f"({children[0]})?"

    def repetition(self, children: list[str]) -> str:
        return f"({children[0]})*"

    def group(self, children: list[str]) -> str:
        return f"({children[0]})"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _character(code: int) -> str:
    char = chr(code)
    if char.isalnum() or char == " ":
        return char
    return f"\\x{code:02x}" if code < 1 << 8 else f"\\U{code:08x}"
