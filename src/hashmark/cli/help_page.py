"""Help pages of the subcommands: arguments as `RULES`, without marks of programming types."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

BRACES = str.maketrans("", "", "{}")
MARKS = re.compile(r"\[required\]|\[[0-9<=x>]+\]|; [0-9<=x>]+(?=\])")


class HelpCommand(TyperCommand):
    """Command whose help names arguments plainly."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the pieces of the usage line; required arguments have no braces."""
        return [piece.translate(BRACES) for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the tables of arguments and options."""
        tables: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                tables[parameter.param_type_name].append(_plain(*record))
        for kind, rows in tables.items():
            if rows:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(rows)


def _plain(name: str, text: str) -> tuple[str, str]:
    """Return a row without type, range and the mark `[required]`, which the usage implies."""
    return re.sub(r" <.*>$", "", name), MARKS.sub("", text).rstrip()
