"""What several subcommands share: the types of their arguments and how they print."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark.table.errors import HashmarkError

Rules = Annotated[str, typer.Argument(metavar="RULES", help="The rule set, e.g. fourth-down.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="K=V", help="A switch of the rules; may be repeated."),
]
PositionFile = Annotated[
    str | None,
    typer.Option("--position", metavar="FILE", help="A position in JSON, `-` for standard input."),
]


def read_options(given: Sequence[str] | None) -> dict[str, Any]:
    """`K=V` pairs as a mapping; V may be JSON for options that are more than a word."""
    read: dict[str, Any] = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise HashmarkError(f"--option {pair}: expected NAME=VALUE")
        read[name] = _value(value)
    return read


def _value(text: str) -> Any:
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except json.JSONDecodeError as fault:
            raise HashmarkError(f"--option value {text!r} is not JSON: {fault.msg}") from None
    return None if text == "null" else text


def read_position(path: str) -> dict[str, Any]:
    """A position as scenarios write it, from a file or standard input."""
    name = "standard input" if path == "-" else path
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        read = json.loads(text)
    except OSError as fault:
        raise HashmarkError(f"cannot read {name}: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise HashmarkError(f"{name} is not UTF-8 text") from None
    except json.JSONDecodeError as fault:
        raise HashmarkError(f"{name}, line {fault.lineno}: not JSON ({fault.msg})") from None
    if not isinstance(read, dict):
        raise HashmarkError(f"{name}: a position is a JSON object")
    return read


def print_json(value: Any) -> None:
    """JSON on standard output."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], right: int = 1) -> None:
    """A plain table; columns from number `right` on are set flush right."""
    lines = [list(headings), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(headings))]
    for number, line in enumerate(lines):
        cells = [
            cell.rjust(width) if k >= right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        typer.echo("  ".join(cells).rstrip())
        if number == 0:
            typer.echo("  ".join("-" * width for width in widths))
