"""Commands as functions of bundles: objects of options, each a section of the help."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import FrozenInstanceError
from enum import StrEnum
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from textwrap import fill
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NoReturn,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import click
from click.core import augment_usage_errors

from .errors import no_command, wrong_value

T = TypeVar("T", bound=str)

#: Lines longer than this are hard to read, even if the terminal is wider.
MAX_WIDTH = 100

#: Width of the options in a help, and of the commands; the texts of longer ones are below.
OPTION_WIDTH, COMMAND_WIDTH = 26, 9


class OneOf(click.Choice[T]):
    """One of some values, in upper or lower case."""

    def __init__(self, values: Iterable[T]) -> None:
        super().__init__(values, case_sensitive=False)
        self.expected = f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002
        """Return the values, as the help shows them."""
        return "|".join(self.choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            raise wrong_value(value, param, self.expected, self.choices) from None


class PathType(click.Path):
    """The path of a file or folder, which a shell completes; it need not be there."""

    def __init__(self, kind: type[str | Path] = str) -> None:
        super().__init__(readable=False, path_type=kind)
        self.name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except ValueError:  # a null byte
            raise wrong_value(value, param, "the path of a file") from None


class NumberFrom(click.types.IntParamType):
    """A number from a least to a greatest one."""

    name = "N"

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least, self.most = least, most
        self.expected = f"a number from {least}" + ("" if most is None else f" to {most}")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ARG002
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if number < self.least or (self.most is not None and number > self.most):
            raise wrong_value(value, param, self.expected)
        return number


# ---- commands ----


class OptionField:
    """A field of a bundle, and the option that fills it."""

    name: str

    def __init__(self, names: Iterable[str], default: Any, attributes: dict[str, Any]) -> None:
        self.names, self.default, self.attributes = names, default, attributes

    def __set_name__(self, _: type, name: str) -> None:
        self.name = name
        self.names = [one.format(name.replace("_", "-")) for one in self.names]

    def option(self, annotation: Any) -> click.Option:
        """Return the option of the command line, whose type the annotation of the field means."""
        attributes = {"default": self.default, **_kind_of(annotation), **self.attributes}
        if attributes.get("required"):
            del attributes["default"]
        return click.Option([*self.names, self.name], **attributes)


def option(help: str, *names: str, default: Any = None, **attributes: Any) -> Any:
    """Return the field of a bundle that an option fills."""
    return OptionField(names or ("--{}",), default, {"help": help, **attributes})


class Argument(click.Argument):
    """An argument with a text in the help, which click has of its own since 8.5."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.make_metavar(ctx), self.help or ""


def argument(
    name: str, metavar: str, help: str, kind: Any = None, **attributes: Any
) -> click.Argument:
    """Return an argument of a command.

    Args:
        metavar: The argument as the help shows it: in brackets if it may be missing, with dots
            at its end if there may be several.
        kind: The type; that of a path, as a text, if None.
    """
    attributes |= {"metavar": metavar, "type": kind or PathType()}
    nargs = -1 if metavar.endswith("...") else 1
    made = Argument([name], required=metavar[0] != "[", nargs=nargs, **attributes)
    made.help = help
    return made


def flag(help: str, *names: str) -> Any:
    """Return the field of a bundle that an option without a value turns on."""
    return option(help, *names, is_flag=True, default=False)


def switch(help: str, default: bool | None = None) -> Any:  # noqa: FBT001
    """Return the field of a bundle that one option turns on and another one off."""
    return option(help, "--{0}/--no-{0}", default=default)


def _kind_of(annotation: Any) -> dict[str, Any]:
    is_tuple = get_origin(annotation) is tuple
    several: dict[str, Any] = {"multiple": True, "default": ()} if is_tuple else {}
    kind = annotation
    if get_origin(kind) is not Literal:
        kind = next(iter(get_args(kind)), kind)
    if get_origin(kind) is Literal or issubclass(kind, StrEnum):
        return several | {"type": OneOf(get_args(kind) or kind)}
    if kind is Path:
        return several | {"type": PathType(Path)}
    return several | ({"type": float} if kind is float else {})


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(option, flag, switch)
)
class Bundle:
    """Options that a command gets as one frozen object; each field is an option.

    The annotation of a field says what its option accepts: one of some values, a path,
    a number; the option of a tuple may be given several times.

    Attributes:
        is_common: The help of ``check`` explains the options, for other commands, too.
    """

    if TYPE_CHECKING:  # else each bundle would find out the types of them, too
        section: ClassVar[str]
        is_common: ClassVar[bool]
        fields: ClassVar[dict[str, OptionField]]

    def __init_subclass__(cls, section: str, *, is_common: bool = False) -> None:
        cls.section, cls.is_common = section, is_common
        names = (one for kind in reversed(cls.__mro__) for one in vars(kind).items())
        cls.fields = {name: one for name, one in names if isinstance(one, OptionField)}

    if not TYPE_CHECKING:  # type checkers know the arguments by the fields

        def __init__(self, **values: Any) -> None:
            defaults = {name: each.default for name, each in self.fields.items()}
            vars(self).update(defaults | values)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot set {name}")

    @classmethod
    def options(cls) -> list[click.Option]:
        annotations = get_type_hints(cls)
        return [each.option(annotations[name]) for name, each in cls.fields.items()]

    def given(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, by the names of their options."""
        values = {}
        for name, each in self.fields.items():
            value = getattr(self, name)
            if value not in (each.default, ()):
                values[max(each.names, key=len).partition("/")[0].lstrip("-")] = value
        return values


class HelpText(click.HelpFormatter):
    """Help with bold headings on a terminal; words are never broken."""

    def write_heading(self, heading: str) -> None:
        is_colorless = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        super().write_heading(heading if is_colorless else click.style(heading, bold=True))

    def write_text(self, text: str) -> None:
        parts = (self._fill(part, self.current_indent) for part in text.split("\n\n"))
        self.write("\n\n".join(parts) + "\n")

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = OPTION_WIDTH,
        col_spacing: int = 2,
    ) -> None:
        """Write rows of names and texts, with the texts in one column."""
        column = self.current_indent + col_max + col_spacing
        for name, text in rows:
            head, body = " " * self.current_indent + name, self._fill(text, column)
            is_beside = len(name) <= col_max
            self.write(f"{head:<{column}}{body[column:]}\n" if is_beside else f"{head}\n{body}\n")

    def _fill(self, text: str, indent: int) -> str:
        space = " " * indent
        filled = fill(
            text.replace("default: ", "default:\xa0"),
            max(self.width, indent + 20),
            initial_indent=space,
            subsequent_indent=space,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return filled.replace("\xa0", " ")


class HelpContext(click.Context):
    """The context of a command, with the form of its help."""

    formatter_class = HelpText


class Command(click.Command):
    """A command that gets its options in bundles.

    Args:
        function: The function of its arguments and bundles, which the annotations name; its
            docstring is the help, with examples at its end.
        is_brief: The help only names the options of bundles that ``check`` has, too.
    """

    context_class = HelpContext

    def __init__(
        self, function: Callable[..., None], arguments: Iterable[click.Argument], *, is_brief: bool
    ) -> None:
        name = function.__name__.strip("_").replace("_", "-")
        text, _, examples = cleandoc(function.__doc__ or "").partition("\n\nExamples:\n")
        self.examples = cleandoc(examples).splitlines()
        self.is_brief = is_brief
        self.bundles: dict[str, type[Bundle]] = {
            name: kind
            for name, kind in get_type_hints(function).items()
            if isinstance(kind, type) and issubclass(kind, Bundle)
        }
        options = (option for kind in self.bundles.values() for option in kind.options())
        super().__init__(
            name,
            callback=function,
            params=[*arguments, *options],
            help=text,
            short_help=" ".join(text.partition("\n\n")[0].split()),
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words after the command; errors know its context."""
        with augment_usage_errors(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the function with its arguments, and with an object of each bundle."""
        for name, kind in self.bundles.items():
            values = {field: ctx.params.pop(field) for field in kind.fields}
            ctx.params[name] = kind(**values)
        return super().invoke(ctx)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Leave them to :meth:`format_options`: only click 8.5 and later call this."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if arguments := [one for one in self.get_params(ctx) if isinstance(one, Argument)]:
            write_options("Positional arguments", arguments, ctx, formatter)
        common = list[str]()
        for kind in self.bundles.values():
            if self.is_brief and kind.is_common:
                common += (max(each.opts, key=len) for each in kind.options())
            else:
                write_options(kind.section, kind.options(), ctx, formatter)
        write_options("Help", [self.get_help_option(ctx)], ctx, formatter)
        if common:
            with formatter.section("Common options, which 'sgf-lark check --help' describes"):
                formatter.write_text(", ".join(common))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write_text(line)


def write_options(
    section: str,
    options: Iterable[click.Parameter | None],
    ctx: click.Context,
    formatter: click.HelpFormatter,
) -> None:
    """Write a section of options, or of arguments."""
    records = [record for one in options if one and (record := one.get_help_record(ctx))]
    with formatter.section(section):
        formatter.write_dl(records)


def command(
    *arguments: click.Argument, is_brief: bool = False
) -> Callable[[Callable[..., None]], Command]:
    """Return a decorator that makes a command of a function; see :class:`Command`."""
    return lambda function: Command(function, arguments, is_brief=is_brief)


# ---- groups ----


class LazyCommand(click.Command):
    """A command, or a group, that is imported when it is named."""

    def __init__(self, name: str, summary: str, module: str | None = None) -> None:
        super().__init__(name, short_help=summary)
        self.module = module or name

    def load(self) -> click.Command:
        module = import_module(f"sgf_lark.cli.commands.{self.module}")
        loaded: click.Command = getattr(module, self.name or "")
        return loaded

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        return self.load().make_context(*arguments, **options)


class CommandGroup(click.Group):
    """A group whose help has its commands in sections."""

    context_class = HelpContext

    def __init__(
        self,
        name: str,
        help: str,
        sections: Mapping[str, Iterable[click.Command]],
        **options: Any,
    ) -> None:
        self.sections = sections
        commands = [each for section in sections.values() for each in section]
        super().__init__(name, commands=commands, help=help, no_args_is_help=True, **options)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*self.commands]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command with its name and the words after it; ours is the error about others."""
        is_word = not args[0].startswith("-") and not ctx.resilient_parsing
        if is_word and args[0] not in self.commands:
            raise no_command(args[0], ctx, self.commands)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their sections, and the options."""
        for heading, commands in self.sections.items():
            with formatter.section(heading):
                rows = [(each.name or "", each.short_help or "") for each in commands]
                formatter.write_dl(rows, COMMAND_WIDTH)
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        write_options("Options", options, ctx, formatter)
