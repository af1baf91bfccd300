"""The rules that Lark makes of a grammar, in the notation of its file.

Lark expands a rule with ``*``, ``+``, ``?`` and ``[...]`` into several rules and helpers.
"""

from __future__ import annotations

from pathlib import Path

from lark.grammar import Rule, Symbol

from sgf_lark.core import File, Format, by_grammar, grammars
from sgf_lark.workbench.source_text import grammar_text


class Productions:
    """All rules of a grammar.

    Args:
        file: The grammar.
    """

    def __init__(self, file: File) -> None:
        terminals, rules, _ = grammars.grammar(file).compile(grammars.rules(file), ())
        self.patterns = {terminal.name: terminal.pattern for terminal in terminals}
        source = grammar_text(file)
        self._named = {*source.by_name, *source.imported}
        self._rules: dict[str, list[Rule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.origin.name, []).append(rule)

    def of(self, name: str) -> list[str]:
        """Return the alternatives of a rule."""
        return list(dict.fromkeys(self.shown(rule) for rule in self._rules.get(name, [])))

    def pairs(self, name: str) -> list[tuple[str, str]]:
        """Return the alternatives of a rule, each with those that may be directly inside it."""
        rules = self._rules.get(name, [])
        insides = ((self.shown(rule), inner) for rule in rules for inner in self._inside(rule))
        pairs = ((outer, below) for outer, inner in insides for below in self.of(inner))
        return list(dict.fromkeys(pairs))

    def below(self, start: str) -> list[str]:
        """Return the names of the rules that a rule is made of, its own first."""
        names = [start]
        for name in names:
            inside = [inner for rule in self._rules[name] for inner in self._inside(rule)]
            names.extend(inner for inner in dict.fromkeys(inside) if inner not in names)
        return names

    def _inside(self, rule: Rule) -> list[str]:
        """Return the rules in an alternative, also those in the helpers of Lark's."""
        symbols = [*rule.expansion]
        for symbol in symbols:
            if is_helper(symbol):
                parts = (part for one in self._rules[symbol.name] for part in one.expansion)
                symbols.extend(part for part in parts if part not in symbols)
        names = (one.name for one in symbols if not one.is_term and not is_helper(one))
        return list(dict.fromkeys(names))

    def shown(self, rule: Rule) -> str:
        """Return an alternative as ``game_tree: _OPEN sequence game_tree+ _CLOSE``."""
        alias = f" -> {rule.alias}" if rule.alias else ""
        return f"{rule.origin.name}: {self.sequence(rule)}{alias}"

    def sequence(self, rule: Rule) -> str:
        """Return the symbols of an alternative."""
        return " ".join(map(self.symbol, rule.expansion)) or "(nothing)"

    def symbol(self, symbol: Symbol) -> str:
        """Return a symbol of a rule: its name, its text if it has no name, the body of a helper."""
        if not symbol.is_term:
            return self._helper(symbol.name) if is_helper(symbol) else symbol.name
        if symbol.name in self._named or symbol.name not in self.patterns:
            return symbol.name
        pattern = self.patterns[symbol.name]
        return f'"{pattern.value}"' if pattern.type == "str" else f"/{pattern.value}/"

    def _helper(self, name: str) -> str:
        """Return the repetition that a helper rule of Lark's is."""
        once = [
            " ".join(map(self.symbol, rule.expansion))
            for rule in self._rules.get(name, [])
            if name not in {part.name for part in rule.expansion}
        ]
        many = "+" if len(once) < len(self._rules.get(name, [])) else ""
        inside = " | ".join(dict.fromkeys(once))
        return f"{inside}{many}" if len(once) == 1 and " " not in inside else f"({inside}){many}"


def format_of_grammar(file: File) -> Format | None:
    """Return the format whose shipped grammar a file is; None for any other file."""
    formats = {grammars.path(one.grammar): one for one in Format}
    return formats.get(file) if isinstance(file, Path) else None


def is_helper(symbol: Symbol) -> bool:
    """Return whether Lark made a rule of a repetition or a choice; it belongs to another one."""
    return not symbol.is_term and symbol.name.startswith(("__", "$"))


@by_grammar
def productions(file: File) -> Productions:
    """Return all rules of a grammar, made once."""
    return Productions(file)
