"""The options by which a text is read and judged, tested and in one form."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from sgf_lark.core import late
from sgf_lark.core.check.judge import FileJudge
from sgf_lark.core.check.suspects import suspect_finder
from sgf_lark.core.findings.limits import MAX_ALIKE, FindingLimit
from sgf_lark.core.model.ruleset import RuleSets
from sgf_lark.core.read.games import GamesReader
from sgf_lark.core.schema.formats import Engine, EngineName, Format, FormatName, GrammarSource
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.core.values.dialect import Dialect, check_methods, check_table
from sgf_lark.core.values.methods import ValueMethods
from sgf_lark.core.values.values_file import ValuesFile

if TYPE_CHECKING:
    from sgf_lark.core.check.selection import CheckOptions
    from sgf_lark.core.read.build import StructureTransformer


class ReadOptions(TypedDict, total=False):
    """The options by which a text is read; see :func:`.load`."""

    format: Format | FormatName | None
    encoding: str | None
    table: PropertyTable | None
    engine: Engine | EngineName
    grammar: str | os.PathLike[str] | None
    values: ValueMethods | ValuesFile | None
    transformer: type[StructureTransformer] | None


class LoadOptions(ReadOptions, total=False):
    """The options of :func:`.load`."""

    strict: bool
    check: bool
    validate: bool
    info_only: bool


class Options(NamedTuple):
    """The same options, tested and in one form.

    Attributes:
        dialect: The custom grammar or transformer of values.
        transformer: The class that makes games of trees; None for the shipped ones.
        asked: Names of the strict rules to check; None for no check of the game's rules.
    """

    format: Format | None
    encoding: str | None
    table: PropertyTable
    engine: Engine = Engine.AUTO
    dialect: Dialect | None = None
    transformer: type[StructureTransformer] | None = None
    asked: frozenset[str] | None = None
    strict: bool = False
    validate: bool = True
    info_only: bool = False

    @classmethod
    def of(
        cls,
        format: Format | FormatName | None = None,
        encoding: str | None = None,
        table: PropertyTable | None = None,
        engine: Engine | EngineName = Engine.AUTO,
        grammar: str | os.PathLike[str] | GrammarSource | None = None,
        values: ValueMethods | ValuesFile | None = None,
        transformer: type[StructureTransformer] | None = None,
    ) -> Options:
        """Return the options of :func:`.load` by which a text is read.

        Raises:
            SgfGrammarError: The grammar or the file of the transformer has errors.
            FileNotFoundError: There is no such grammar.
            TypeError: A transformer is none.
            ValueError: No grammar defines the type of a row of the table; a method of the
                transformer belongs to no rule; there is no such format or engine.
        """
        table, dialect = table or PropertyTable.standard(), None
        file = None
        if grammar is not None:
            from pathlib import Path

            from sgf_lark.core.grammar import grammars

            if not isinstance(grammar, GrammarSource):
                grammar = Path(grammar)
            file = late.for_records(grammars.source(grammar), table.kinds)
        check_table(table, file)
        if transformer is not None:
            if late.structure_of(transformer) is None:
                message = "transformer: expected a class that extends SgfTransformer, found"
                raise TypeError(f"{message} {transformer!r}")
            check_methods(transformer, file)
        if isinstance(values, ValuesFile):
            named = values.load(file)
            transformer = late.structure_of(named) or transformer
            values = named if isinstance(named, ValueMethods) else None
        elif values is not None:
            if not isinstance(values, ValueMethods):
                message = "values: expected an object of a class that extends SgfValues, found"
                raise TypeError(f"{message} {values!r}")
            check_methods(type(values), file)
        if file is not None or values is not None:
            dialect = Dialect(file, values)
        format = None if format is None else Format.named(format)
        return cls(format, encoding, table, Engine(engine), dialect, transformer)

    def judging(self, *, strict: bool, check: bool, validate: bool, info_only: bool) -> Options:
        """Return the same with the others of :func:`.load`; ValueError for contradictions."""
        if check and (info_only or not validate):
            option = "info_only=True" if info_only else "validate=False"
            raise ValueError(f"check=True finds nothing with {option}: leave one of them out")
        asked = frozenset[str]() if check else None
        validate = validate and not info_only
        return self._replace(asked=asked, strict=strict, validate=validate, info_only=info_only)

    @classmethod
    def of_check(cls, options: CheckOptions | None, reading: ReadOptions) -> Options:
        """Return the options of :func:`.check`; ``options`` may have some of them, too."""
        if options is not None:
            given = {name: value for name, value in reading.items() if value is not None}
            reading = cast("ReadOptions", options.reading | given)
        asked = frozenset[str]() if options is None else options.asked
        return cls.of(**reading)._replace(asked=asked)

    def reader(self, name: str, most: int | None = MAX_ALIKE) -> GamesReader:
        """Return the reader of a file; ``most`` findings of a kind are listed, None for all."""
        book = RuleSets(self.table, self.engine, self.dialect, name)
        suspects = partial(suspect_finder, lints=False)
        return GamesReader(
            *(book, self.format, suspects, most),
            info_only=self.info_only,
            structure=self.transformer,
        )

    def judge(
        self,
        reader: GamesReader,
        limit: FindingLimit | None = None,
        *,
        is_part: bool = False,
        is_later: bool = False,
    ) -> FileJudge:
        asked, validate = self.asked, self.validate
        return FileJudge(
            reader, limit, asked=asked, validate=validate, is_part=is_part, is_later=is_later
        )
