"""Commands that are built when they are named or listed: each costs its imports and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from copy import copy
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import typer
from typer.core import TyperGroup
from typer.main import get_command

from . import errors, help as help_
from .candidates import Candidate
from .command import HelpfulCommand


class LazyCommands(MutableMapping[str, Any]):
    """The commands of a group by their names; each is made when it is first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], Any]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._makers[name] = lambda: command
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._makers[name]
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers


#: By section and name: the module in ``commands``, the name in it, the summary.
Sections: TypeAlias = Mapping[str, Mapping[str, tuple[str, str, str]]]


class Modules(NamedTuple):
    """A group whose commands are in modules of their own.

    Attributes:
        help: Its help.
        sections: Its commands.
    """

    help: str
    sections: Sections


class LazyGroup(TyperGroup):
    """A group whose commands are lazy; its help needs only their summaries.

    Attributes:
        summaries: By section and name, the first sentences of the commands.
    """

    summaries: Mapping[str, Mapping[str, str]] = {}

    def add_modules(self, sections: Sections) -> None:
        """Set the commands to those of modules."""
        rows = {name: row for section in sections.values() for name, row in section.items()}
        self.commands = LazyCommands({name: command_in(*row[:2]) for name, row in rows.items()})
        self.summaries = {
            section: {name: row[-1] for name, row in rows.items()}
            for section, rows in sections.items()
        }

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # typer calls it so
        """Return the names in their order."""
        return list(self.commands)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the words of a command line up to the command."""
        with errors.in_words(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the name of a command, the command, and its arguments."""
        if args[0] not in self.commands and not ctx.resilient_parsing:
            raise errors.no_command(args[0], self.commands, ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands, or the options, that a word can go on to."""
        rows = [row for names in self.summaries.values() for row in names.items()]
        options = super(TyperGroup, self).shell_complete(ctx, incomplete)
        return [*(Candidate(*row) for row in rows if row[0].startswith(incomplete)), *options]

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option for help, in the section of that name."""
        return help_.help_option(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        self.format_usage(ctx, formatter)
        formatter.write("\n" + help_.paragraphs(self.help or ""))
        rows = {section: list(rows.items()) for section, rows in self.summaries.items()}
        formatter.write(help_.listing(rows))
        formatter.write(help_.parameters(self.get_params(ctx)))
        text = f"'{ctx.command_path} COMMAND --help' shows the options of a command."
        formatter.write("\n" + help_.paragraphs(text))


def command_in(module: str, name: str) -> Callable[[], Any]:
    """Return a function that makes a command, or a group, of a module in ``commands``."""

    def make() -> Any:
        made_of = getattr(import_module(f"sgf_lark.cli.commands.{module}"), name)
        if isinstance(made_of, Modules):
            return _group_of(made_of)
        if isinstance(made_of, typer.Typer):
            return lazy_group(made_of)
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(cls=HelpfulCommand)(made_of)
        return get_command(app)

    return make


def lazy_group(app: typer.Typer) -> Any:
    """Return the group of an application, whose commands are made one by one."""
    commands = app.registered_commands
    group = _empty_group(app)
    group.commands = LazyCommands({_name(info): _maker(app, info) for info in commands})
    group.summaries = {"Commands": {_name(info): _summary(info) for info in commands}}
    return group


def _group_of(modules: Modules) -> Any:
    """Return the group of modules."""
    app = typer.Typer(
        add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=modules.help
    )
    group = _empty_group(app)
    group.add_modules(modules.sections)
    return group


def _empty_group(app: typer.Typer) -> Any:
    """Return the group of an application, without its commands."""
    empty = copy(app)
    empty.registered_commands = []
    # typer takes an application for a group if it has a callback
    empty.callback(cls=LazyGroup)(_nothing)
    return get_command(empty)


def _nothing() -> None:
    """Do nothing before a command."""


def _name(info: Any) -> str:
    name: str = info.name or info.callback.__name__.replace("_", "-")
    return name


def _summary(info: Any) -> str:
    return " ".join((info.callback.__doc__ or "").partition("\n\n")[0].split())


def _maker(app: typer.Typer, info: Any) -> Callable[[], Any]:
    def make() -> Any:
        alone, info.cls = copy(app), HelpfulCommand
        alone.registered_commands, alone.registered_callback = [info], None
        return get_command(alone)

    return make
