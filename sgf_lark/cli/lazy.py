"""Commands that are built when they are named or listed: each costs its imports and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from copy import copy
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command


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


class LazyGroup(TyperGroup):
    """A group whose commands are lazy."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # typer calls it so
        """Return the names in their order."""
        return list(self.commands)


def command_in(module: str, name: str) -> Callable[[], Any]:
    """Return a function that makes a command, or a group, of a module in ``commands``."""

    def make() -> Any:
        made_of = getattr(import_module(f".commands.{module}", __package__), name)
        if isinstance(made_of, typer.Typer):
            return lazy_group(made_of)
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command()(made_of)
        return get_command(app)

    return make


def lazy_group(app: typer.Typer) -> Any:
    """Return the group of an application, whose commands are made one by one."""
    empty = copy(app)
    empty.registered_commands = []
    empty.callback()(_nothing)  # typer takes an application for a group if it has a callback
    group = get_command(empty)
    group.commands = LazyCommands(  # type: ignore[attr-defined]  # it is a group
        {_name(info): _maker(app, info) for info in app.registered_commands}
    )
    return group


def _nothing() -> None:
    """Do nothing before a command."""


def _name(info: Any) -> str:
    name: str = info.name or info.callback.__name__.replace("_", "-")
    return name


def _maker(app: typer.Typer, info: Any) -> Callable[[], Any]:
    def make() -> Any:
        alone = copy(app)
        alone.registered_commands, alone.registered_callback = [info], None
        return get_command(alone)

    return make
