"""`hashmark sheet`: the score sheet of a game, or a blank one to play on with real dice."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from hashmark.cli.common import FORMAT_HELP, OutOption, PaperOption, replay_log
from hashmark.cli.output import check_writable, free_path, write_file
from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.sanitize import escape_controls
from hashmark.session import log
from hashmark.storage.user_files import is_file
from hashmark.terminal.streams import raw_stream

EXAMPLE = "hashmark sheet fourth-down --blank --format pdf"

MIN_COLUMNS, MAX_COLUMNS = 80, 130  # of plain text on a terminal


def command(
    source: Annotated[
        str, typer.Argument(metavar="LOG|RULES", help="Game log; with --blank, a game.")
    ],
    blank: Annotated[bool, typer.Option("--blank", help="Blank sheet to print.")] = False,
    form: Annotated[
        Literal["text", "html", "pdf"] | None,
        typer.Option("--format", help=FORMAT_HELP),
    ] = None,
    paper: PaperOption = "a4",
    out: OutOption = None,
) -> None:
    """Print the score sheet of a game, or a blank one.

    Text goes to standard output. HTML and PDF go to a file next to the log (or, for a blank
    sheet, in the current folder), under a new name. A file named with --out is
    replaced.
    """
    from hashmark.sheets import FORMAT_BY_SUFFIX, SheetFormat, blank_sheet, render, sheet_of

    if out not in (None, "-"):
        check_writable(Path(out))
    path = Path(source)
    sheet_format: SheetFormat = form or FORMAT_BY_SUFFIX.get(Path(out or "").suffix.lower(), "text")
    if blank:
        document = blank_sheet(registry.load(_rules_name(source)))
        stem = Path(f"{_rules_name(source)}-sheet")
    else:
        document = sheet_of(_replay(path).game)
        stem = path.with_suffix("")
    content = render(document, sheet_format, paper, _columns() if out is None else 100)
    if out == "-" or (out is None and sheet_format == "text"):
        _write_stdout(content, sheet_format)
        return
    write_file(free_path(stem, sheet_format) if out is None else Path(out), content)


def _write_stdout(content: bytes, form: str) -> None:
    """Write to standard output: text sanitized for a terminal, a PDF unchanged."""
    sys.stdout.flush()
    binary = raw_stream(sys.stdout).buffer
    binary.write(content if form == "pdf" else escape_controls(content.decode()).encode())
    binary.flush()


def _rules_name(source: str) -> str:
    """Return the rule set of a blank sheet: given by name, or that of a log."""
    path = Path(source)
    if source not in registry.names() and is_file(path):
        return log.read_header(path).rules
    return source


def _replay(path: Path) -> log.Replay:
    """Replay the game of a log."""
    if str(path) in registry.names() and not is_file(path):
        raise HashmarkError(f"{path} is a game, not a log: name a game log, or add --blank")
    return replay_log(path)


def _columns() -> int:
    """Return the width of the terminal, within limits."""
    return max(MIN_COLUMNS, min(MAX_COLUMNS, shutil.get_terminal_size((100, 24)).columns))
