"""Commands with helpful texts: help in sections, errors in its words."""

from __future__ import annotations

import inspect
from typing import Any

from typer.core import TyperCommand

from . import errors, help as help_


class HelpfulCommand(TyperCommand):
    """A command whose help has sections."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option for help, in the section of that name."""
        return help_.help_option(super().get_help_option(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line after the name of the command."""
        return help_.usage(self.get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of a command line; report the first that has no place."""
        if ctx.resilient_parsing:
            return self._parse_words(ctx, args)
        ctx.allow_extra_args = True
        with errors.in_words(ctx, args):
            rest: list[str] = super().parse_args(ctx, args)
        if rest:
            raise errors.unexpected(rest, ctx)
        return rest

    def _parse_words(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse words for completion, which needs no values: pydantic is slow to import."""
        given, rest, _ = self.make_parser(ctx).parse_args(args=args)
        for param in self.get_params(ctx):
            value, source = param.consume_value(ctx, given)
            ctx.params[param.name] = value
            ctx.set_parameter_source(param.name, source)
        ctx.args = rest
        return list(rest)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        self.format_usage(ctx, formatter)
        formatter.write(help_.command(inspect.cleandoc(self.help or ""), self.get_params(ctx)))
