"""What several subcommands share: the types of their arguments and how they print."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark.table import log, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.files import is_file, parse_json, read_json, spoken
from hashmark.table.position_id import Identified, looks_like_id, read_id
from hashmark.table.readable import plain, shown
from hashmark.telling.columns import fitting, table
from hashmark.telling.wrapping import wrapped
from hashmark.terminal.streams import in_one_piece

Rules = Annotated[str, typer.Argument(metavar="RULES", help="The rule set, e.g. fourth-down.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="K=V", help="A switch of the rules; may be repeated."),
]
PositionGiven = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="FILE|ID",
        help="A position: a file in JSON, `-` for standard input, or a position ID.",
    ),
]
Tie = Annotated[float, typer.Option("--tie", metavar="W", help="What a tie is worth, from 0 to 1.")]
PaceOfPlays = Annotated[
    str,
    typer.Option(
        "--pace",
        metavar="PACE",
        help="How fast plays go by that you do not call: normal, fast, slow, step or off.",
    ),
]
PlaysFolder = Annotated[
    Path | None,
    typer.Option("--pbp", metavar="FOLDER", help="Where the seasons lie; HASHMARK_PBP."),
]
OnlySeasons = Annotated[
    list[int] | None, typer.Option("--season", help="Only this season; may be repeated.")
]
Threads = Annotated[int | None, typer.Option(help="How many threads; all cores if left out.")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the Ray cluster there.")
]
PlayByPlay = Annotated[
    list[Path] | None,
    typer.Option(
        "--pbp", metavar="FILE", help="Play-by-play: Parquet or CSV file; may be repeated."
    ),
]
Partial = Annotated[
    bool, typer.Option("--partial", help="A part of the season will do; what is made says so.")
]
HtmlPage = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page as well.")]


def read_options(given: Sequence[str] | None) -> dict[str, Any]:
    """`K=V` pairs as a mapping; V may be JSON for options that are more than a word."""
    read: dict[str, Any] = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise HashmarkError(f"--option {plain(pair)}: expected NAME=VALUE")
        read[name] = _value(value)
    return read


def _value(text: str) -> Any:
    if text[:1] in "[{":
        return parse_json(text, f"--option value {shown(text)}")
    return None if text == "null" else text


@dataclass(frozen=True)
class Start:
    """Where a command begins: the options of the game, and a position unless it is a new game."""

    options: dict[str, Any]
    position: dict[str, Any] | None = None


def read_start(rules: str, options: Mapping[str, Any], position: str | None) -> Start:
    """The options and the position that were given, by a file or by an ID.

    An ID brings its rule set and its options along; what contradicts them is refused.
    """
    if position is None:
        return Start(dict(options))
    if is_id(position):
        found = read_id(position)
        _agree(rules, options, position, found)
        return Start(found.options, found.position.to_json())
    read = read_json(position)
    if not isinstance(read, dict):
        raise HashmarkError(f"{spoken(position)}: a position is a JSON object")
    return Start(dict(options), read)


def is_id(position: str) -> bool:
    """Whether an ID was given rather than a file, which comes first if there is one."""
    return looks_like_id(position) and not is_file(Path(position))


def _agree(name: str, options: Mapping[str, Any], text: str, found: Identified) -> None:
    """What is said beside an ID must be what it says."""
    rules, where = found.rules, f"position ID {plain(text)}"
    if rules.name != name:
        registry.load(name)
        raise HashmarkError(f"{where}: it is of {rules.name}, not of {name}")
    said, own = rules.read_options(options), rules.read_options(found.options)
    for key in {*options, *rules.presets.get(str(options.get("preset")), ())} & set(own):
        if said[key] != own[key]:
            raise HashmarkError(
                f"{where}: its option {key} is {shown(own[key])}, not {shown(said[key])}"
            )


def replayed(path: Path) -> log.Replay:
    """The game of a log; what had to be said of it goes to standard error."""
    read = log.replay(path)
    for notice in read.notices:
        print(f"hashmark: {notice}", file=sys.stderr)
    return read


def without_blas_threads() -> None:
    """Keep NumPy's linear algebra to one thread: a look has no use for more, and they cost time."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def check_tie(tie: float) -> None:
    """A tie is worth no less than a loss, and no more than a win."""
    if not 0 <= tie <= 1:
        raise HashmarkError(f"--tie {tie:g}: expected a number from 0 to 1")


def print_json(value: Any) -> None:
    """JSON on standard output."""
    print_whole(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_whole(text: str) -> None:
    """What a program reads: no line of it is broken."""
    with in_one_piece(sys.stdout):
        typer.echo(text, nl=False)


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1, words: int = 0
) -> None:
    """A table on standard output; its first columns, and its last if of words, are flush left.

    On a terminal a last column that does not fit goes on below itself.
    """
    lines = table(headings, rows, left, words)
    last = lines[1].rstrip().rfind(" ") + 1
    width = shutil.get_terminal_size().columns
    if sys.stdout.isatty():
        lines[1] = lines[1][:width]
        lines = [piece for line in lines for piece in wrapped(line, width, last)]
    for line in lines:
        typer.echo(line)


def print_figures(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of figures; on a terminal no wider than that, as `?` shows it at the table."""
    on_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns
    for line in fitting(headings, rows, width) if on_terminal else table(headings, rows):
        typer.echo(line)
