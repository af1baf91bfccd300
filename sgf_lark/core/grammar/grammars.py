"""The grammar files, loaded once and only when they are needed.

The only module of the core that builds parsers.  It imports Lark when something has to be derived
from a grammar: of the shipped ones that is kept (:mod:`sgf_lark.core.grammar.derived`).

A grammar file serves twice: its structure, where white space between tokens is ignored, and its
types of value, where white space belongs to the value and nothing is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, TypeVar

from sgf_lark.core.engine.parser import Parser
from sgf_lark.core.engine.plan import Plan, PlanData
from sgf_lark.core.findings.errors import SgfGrammarError
from sgf_lark.core.findings.finding import Finding, register
from sgf_lark.core.findings.report import Report
from sgf_lark.core.places import Span
from sgf_lark.core.reach import reach
from sgf_lark.core.schema.formats import GrammarSource as GrammarSource  # noqa: PLC0414  # other packages name it here
from sgf_lark.core.schema.games import Game

from . import derived

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from lark import Lark
    from lark.load_grammar import Grammar

#: A shipped grammar by its path, or a custom one.
File: TypeAlias = Path | GrammarSource


T = TypeVar("T")

#: The caches of all modules that :func:`forget` empties.
_by_grammar: list[_lru_cache_wrapper[Any]] = []


def by_grammar(make: Callable[..., T], most: int | None = None) -> _lru_cache_wrapper[T]:
    """Keep the results of a function, whose arguments are a grammar and its rules.

    There is one for each rule that is used, of the shipped grammars some hundred; who tries
    many custom grammars in one process calls :func:`forget`.  A record of two moves is read in 0.1
    milliseconds of CPU time, 2.7 after ``forget``, and 81 without the data that are shipped.
    """
    kept = lru_cache(most)(make)
    _by_grammar.append(kept)
    return kept


_INSTALLED = Path(__file__).parent / "files"
_FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[3] / "grammars"


def folder() -> Path:
    """Return the folder of the grammar files: in the installed package, or in the checkout."""
    return _FOLDER


def path(name: str | Path) -> Path:
    """Return the file of a shipped grammar (``"ff4"``, ``"games/go"``), or a path that exists."""
    lower = Path(name).as_posix().lower()
    shipped = name if Path(name).is_absolute() else lower
    for candidate in (folder() / f"{shipped}.lark", Path(name)):
        if candidate.is_file():
            return candidate
    raise FileNotFoundError(
        f"no grammar {str(name)!r}: neither a file nor one of {', '.join(names())}"
    )


def names() -> list[str]:
    """Return the shipped grammars, those of formats first: ``"ff1"`` ... ``"games/go"`` ..."""
    files = (file.relative_to(folder()).with_suffix("") for file in folder().rglob("*.lark"))
    return sorted((file.as_posix() for file in files), key=lambda name: ("/" in name, name))


UNUSABLE_GRAMMAR = register("L711 unusable-grammar error: a grammar that cannot be used as it is")


def unusable(message: str, place: Span, help_: str) -> Finding:
    """Return the finding about a grammar that cannot be used."""
    return UNUSABLE_GRAMMAR.found(message, place, help_)


def source(name: str | Path | GrammarSource) -> File:
    """Return a shipped grammar by its name, or a custom one with its present text."""
    if isinstance(name, GrammarSource):
        return name
    file = path(name)
    if file.is_relative_to(folder()):
        return file
    try:
        return GrammarSource.of(file)
    except UnicodeDecodeError:
        finding = unusable("this is not UTF-8", Span(0, 0), "save it in UTF-8")
        raise SgfGrammarError(Report.of(str(file), "", [finding])) from None


def path_of(file: File) -> Path:
    return file.path if isinstance(file, GrammarSource) else file


def text_of(file: File) -> str:
    return file.text if isinstance(file, GrammarSource) else file.read_text(encoding="utf-8")


def grammar(file: File) -> Grammar:
    """Load a grammar file by Lark, imports included, before any parser is built.

    Imports are searched beside it, then among the shipped grammars.

    Raises:
        lark.exceptions.GrammarError: It is not well made.
    """
    return _loaded(file)[0]


def imports(file: File) -> dict[str, str]:
    """Return the files that a grammar imports, with the digests of their texts."""
    return _loaded(file)[1]


@by_grammar
def _loaded(file: File) -> tuple[Grammar, dict[str, str]]:
    from lark.load_grammar import load_grammar

    places = [str(path_of(file).parent), str(folder())]
    loaded, used = load_grammar(
        text_of(file), str(path_of(file)), places, global_keep_all_tokens=False
    )  # type: ignore[no-untyped-call]
    return loaded, {str(path): used[path] for path in sorted(used, key=str)}


def bare(file: File) -> Grammar:
    """Return a grammar without ``%ignore``: for values, in which white space counts."""
    from lark.load_grammar import Grammar

    loaded = grammar(file)
    return Grammar(loaded.rule_defs, loaded.term_defs, [])


def _is_shipped(file: File) -> TypeGuard[Path]:
    return not isinstance(file, GrammarSource) and file.is_relative_to(folder())


def _derived(file: File, name: str, derive: Callable[[], Any]) -> Any:
    """Return data derived from a grammar; those of a custom one are never kept."""
    if not _is_shipped(file):
        return derive()
    return derived.find(folder()).get(f"{file.relative_to(folder()).as_posix()}:{name}", derive)


def rules(file: File) -> list[str]:
    """Return the names of the rules of a grammar, imports included, templates left out."""

    def make() -> list[str]:
        return [str(name) for name, params, *_ in grammar(file).rule_defs if not params]

    names: list[str] = _derived(file, "rules", make)
    return names


def first_rule(file: File) -> str:
    """Return the first rule of a grammar."""
    return rules(file)[0]


def rule(file: File, name: str | None) -> str:
    """Return a rule of a grammar, the first one if no name is given; LookupError without it."""
    known = rules(file)
    if name is None:
        return known[0]
    if name not in known:
        choices = ", ".join(other for other in known if not other.startswith("_"))
        raise LookupError(f"no rule {name!r} in {path_of(file).name}: there are {choices}")
    return name


def _below(loaded: Grammar, start: str) -> set[str]:
    from lark.grammar import NonTerminal, Terminal

    trees = {str(name): tree for name, _, tree, _ in loaded.rule_defs}
    trees |= {str(name): tree for name, (tree, _) in loaded.term_defs}

    def inside(name: str) -> Iterator[str]:
        if (tree := trees.get(name)) is not None:  # a terminal may be declared only
            used = tree.scan_values(lambda one: isinstance(one, NonTerminal | Terminal))
            yield from (str(symbol.name) for symbol in used)

    return reach([start], inside)


def part(loaded: Grammar, start: str) -> Grammar:
    """Return the part of a grammar that a rule needs; Lark takes much longer over all of it."""
    from lark.load_grammar import Grammar

    needed = _below(loaded, start).union(*(_below(loaded, str(name)) for name in loaded.ignore))
    return Grammar(
        [definition for definition in loaded.rule_defs if str(definition[0]) in needed],
        [definition for definition in loaded.term_defs if str(definition[0]) in needed],
        loaded.ignore,
    )


@by_grammar
def in_structure(file: File) -> frozenset[str]:
    """Return the rules below the first one, between whose tokens white space is free."""

    def make() -> list[str]:
        return sorted(_below(grammar(file), first_rule(file)).intersection(rules(file)))

    return frozenset(_derived(file, "in_structure", make))


def terminals(file: File, start: str, *, ignored: bool = True) -> dict[str, str]:
    """Return the expressions of the terminals below a rule, in the order Lark tries them."""

    def make() -> dict[str, str]:
        from sgf_lark.core.engine.analysis import rank

        parser = structure(file, start)
        left_out = () if ignored else parser.ignore_tokens
        ranked = sorted((one for one in parser.terminals if one.name not in left_out), key=rank)
        return {terminal.name: terminal.pattern.to_regexp() for terminal in ranked}

    name = f"{start}:terminals{'' if ignored else ':bare'}"
    expressions: dict[str, str] = _derived(file, name, make)
    return expressions


@by_grammar
def _lark(file: File, start: str, *, of_value: bool = False) -> Lark:
    from lark import Lark

    loaded = part(bare(file) if of_value else grammar(file), start)
    return Lark(loaded, parser="lalr", start=start, propagate_positions=not of_value)


def structure(file: File, start: str) -> Lark:
    """Return Lark's parser for a text or a part of it, with free white space between tokens."""
    return _lark(file, start)


def value(file: File, start: str) -> Lark | None:
    """Return Lark's parser for a type of value; None if the grammar does not define it."""
    return _lark(file, start, of_value=True) if start in rules(file) else None


@by_grammar
def generated(file: File, start: str, *, of_value: bool = False) -> Parser | None:
    """Return the parser generated from a rule; None if it nests or is not translated."""
    if of_value and start not in rules(file):
        return None

    def make() -> PlanData | None:
        from sgf_lark.core.engine.generator import generate
        from sgf_lark.core.engine.plan import UntranslatableError

        try:
            data = generate(_parser(file, start, of_value), start)
        except (UntranslatableError, RecursionError):  # chains of very many rules
            return None
        return data if start in data.regular else None

    data = _derived(file, f"{start}:{'value' if of_value else 'structure'}", make)
    if data is None:
        return None
    return Parser(Plan(PlanData(*data)))


def _parser(file: File, start: str, of_value: bool) -> Lark:  # noqa: FBT001  # as in generated
    parser = value(file, start) if of_value else structure(file, start)
    if parser is None:
        raise LookupError(start)
    return parser


def terminal(file: File, name: str) -> str | None:
    """Return the expression of a terminal of a property; None if the grammar has none."""
    if "property" not in rules(file):
        return None
    return terminals(file, "property").get(name)


def forget() -> None:
    """Forget every grammar: many experiments would fill the memory."""
    for cached in _by_grammar:
        cached.cache_clear()


def knows_points(game: Game) -> bool:
    """Return whether points are places: columns and rows by the grammar, read by no transformer."""
    file = game.grammar
    if not isinstance(file, GrammarSource):
        return game.has_points
    if game.values is not None:
        return game.has_points or "point" in rules(file)
    lark = value(file, "point")
    if lark is None:
        return False
    ways = [rule for rule in lark.rules if rule.origin.name == "point"]
    return all(
        rule.alias is None and sum(not _is_left_out(one) for one in rule.expansion) == PARTS
        for rule in ways
    )


#: A point is its column and its row.
PARTS = 2


def _is_left_out(symbol: Any) -> bool:
    return symbol.name.startswith("_") or getattr(symbol, "filter_out", False)
