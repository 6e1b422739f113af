"""Parts that several subcommands share: the types of their arguments and how they print."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hashmark import extras
from hashmark.cli import completion
from hashmark.engine import registry
from hashmark.engine.position_id import DecodedPosition, decode_position, looks_like_id
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import HashmarkError, join_names
from hashmark.sanitize import quote, shorten
from hashmark.session import log
from hashmark.session.game_session import HUMAN
from hashmark.storage.user_files import display_name, is_file, parse_json, read_json
from hashmark.terminal.streams import without_wrapping
from hashmark.text.tables import format_fitting_table, format_table
from hashmark.text.wrapping import wrap

Rules = Annotated[
    str,
    typer.Argument(
        metavar="RULES", help="Game, e.g. fourth-down.", autocompletion=completion.complete_game
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="K=V", help="Option of the game; repeatable."),
]
PositionOption = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="FILE|ID|JSON",
        help="Position: a JSON file, `-` for standard input, a position ID, or JSON itself.",
    ),
]
Tie = Annotated[
    float, typer.Option("--tie", metavar="W", help="Value of a tie, from 0 (a loss) to 1 (a win).")
]
PaceOption = Annotated[
    str,
    typer.Option(
        "--pace",
        metavar="PACE",
        help="Pace of plays that you do not call: normal, fast, slow, step or off.",
    ),
]
PlaysFolderOption = Annotated[
    Path | None,
    typer.Option(
        "--pbp", metavar="FOLDER", help="Folder with the play-by-play; default: $HASHMARK_PBP."
    ),
]
SeasonsOption = Annotated[
    list[int] | None,
    typer.Option("--season", metavar="YEAR", help="Only this season; repeatable."),
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", help="Number of threads; default: all cores.")
]
Runs = Annotated[
    str, typer.Option(metavar="N", help="Number of simulated seasons, e.g. 1000 or 1e4.")
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Address of a Ray cluster to run on.")
]
PlayByPlayFiles = Annotated[
    list[Path] | None,
    typer.Option("--pbp", metavar="FILE", help="Play-by-play as Parquet or CSV; repeatable."),
]
PartialOption = Annotated[
    bool, typer.Option("--partial", help="Accept part of a season; the results say so.")
]
OutOption = Annotated[
    str | None,
    typer.Option("--out", metavar="FILE", help="Output file; `-` is standard output."),
]
OldRuns = Annotated[str | None, typer.Option("--seasons", metavar="N", hidden=True)]
EngineOption = Annotated[
    str,
    typer.Option(metavar="NAME", help="auto, compiled or plain (slow); all give the same results."),
]
FORMAT_HELP = "Format; default: by the name of --out, else text."
PaperOption = Annotated[Literal["a4", "letter"], typer.Option(help="Paper size.")]
SeasonArgument = Annotated[
    int,
    typer.Argument(
        metavar="SEASON", help="Year, e.g. 2008.", autocompletion=completion.complete_season
    ),
]
HtmlOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write an HTML report.")]


REAL_TEAM_GAME = "data-driven"
REPORT_WIDTH = 80  # of paragraphs on every terminal
COUNT_PATTERN = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?[eE]\+?[0-9]{1,2}")


def parse_count(option: str, text: str, minimum: int | None = None) -> int:
    """Parse a count such as 10000, 10_000 or 1e6; `minimum` is checked if there is one."""
    count = _parse_whole_number(option, text)
    if minimum is not None and count < minimum:
        raise HashmarkError(f"{option} {shorten(text)}: expected at least {minimum}")
    return count


def _parse_whole_number(option: str, text: str) -> int:
    given = text.replace("_", "").replace(",", "").strip()
    if re.fullmatch(r"[+-]?[0-9]{1,30}", given):
        return int(given)
    if COUNT_PATTERN.fullmatch(given) and float(given).is_integer():
        return int(float(given))
    raise HashmarkError(f"{option} {shorten(text)}: expected a whole number such as 10000 or 1e6")


def complete_call(rules: RuleSet, m: MatchRecord, g: PositionRecord, name: str) -> str:
    """Return the legal call that this name begins, if there is exactly one; else the name."""
    if rules.find_call(name) != NO_CALL:
        return name
    matches = [
        rules.calls[code]
        for code in rules.legal_calls(m, g)
        if rules.calls[code].startswith(name.strip().lower())
    ]
    if name and len(matches) > 1:
        raise HashmarkError(f"call {quote(name)} is ambiguous: {join_names(matches)}")
    return matches[0] if name and matches else name


def parse_options(given: Sequence[str] | None) -> dict[str, Any]:
    """Parse `K=V` pairs into a mapping; V may be JSON for structured options."""
    options: dict[str, Any] = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise HashmarkError(f"--option {shorten(pair)}: expected NAME=VALUE")
        options[name] = _value(value)
    return options


def _value(text: str) -> Any:
    if text[:1] in "[{":
        return parse_json(text, f"--option value {quote(text)}")
    return None if text == "null" else text


@dataclass(frozen=True)
class StartingPoint:
    """Starting point of a command: the options of the game, and a position unless it is new."""

    options: dict[str, Any]
    position: dict[str, Any] | None = None


def parse_start(rules: str, options: Mapping[str, Any], position: str | None) -> StartingPoint:
    """Parse the options and the position: a file, a position ID, or JSON itself.

    An ID includes its rule set and options; arguments that contradict them are refused.
    """
    if position is None:
        return StartingPoint(dict(options))
    if is_position_id(position):
        identified = decode_position(position)
        _check_consistent(rules, options, position, identified)
        return StartingPoint(identified.options, identified.position.to_json())
    if is_inline_json(position):
        source, given = "--position", parse_json(position, "--position")
    else:
        source, given = display_name(position), read_json(position)
    if not isinstance(given, dict):
        raise HashmarkError(f"{source}: a position must be a JSON object")
    return StartingPoint(dict(options), given)


def is_inline_json(position: str) -> bool:
    """Return whether the text is JSON itself; an existing file takes precedence."""
    return position.lstrip()[:1] == "{" and not is_file(Path(position))


def is_position_id(position: str) -> bool:
    """Return whether the text is an ID rather than a file; an existing file takes precedence."""
    return looks_like_id(position) and not is_file(Path(position))


def _check_consistent(
    name: str, options: Mapping[str, Any], text: str, identified: DecodedPosition
) -> None:
    """Raise if the rule set or an option contradicts the position ID."""
    rules, source = identified.rules, f"position ID {shorten(text)}"
    if rules.name != name:
        registry.load(name)
        raise HashmarkError(f"{source} belongs to {rules.name}, not {name}")
    given, stored = rules.parse_options(options), rules.parse_options(identified.options)
    for key in {*options, *rules.setup.presets.get(str(options.get("preset")), ())} & set(stored):
        if given[key] != stored[key]:
            raise HashmarkError(
                f"{source}: its option {key} is {quote(stored[key])}, not {quote(given[key])}"
            )


def complete_seat(seat: str | None) -> str | None:
    """Return a seat as logs have it: `bold` and `coach:bold` are the same coach."""
    is_plain = seat is not None and seat != HUMAN and ":" not in seat
    return f"coach:{seat}" if is_plain else seat


def team_arguments(rules: str | None, home: str | None, away: str | None) -> dict[str, Any]:
    """Return the options of a game between two real teams, given as arguments."""
    if home is None:
        return {}
    if rules != REAL_TEAM_GAME:
        raise HashmarkError(f"real teams play {REAL_TEAM_GAME}, not {rules}")
    if away is None:
        raise HashmarkError("name both teams, home first, e.g. ARI-2008 PIT-2008")
    from hashmark.league.seasons.real_teams import parse_real_team, real_game_options

    teams = [parse_real_team(text) for text in (home, away)]
    if teams[0] is None or teams[1] is None:
        wrong = home if teams[0] is None else away
        raise HashmarkError(f"team {quote(wrong)}: expected a team and a season, e.g. ARI-2008")
    return real_game_options(teams[0], teams[1])


def replay_log(path: Path) -> log.Replay:
    """Replay a log; print its notices on standard error."""
    replay = log.replay(path)
    for notice in replay.notices:
        print(f"hashmark: {notice}", file=sys.stderr)
    return replay


def limit_blas_threads() -> None:
    """Limit NumPy's linear algebra to one thread; more only cost time for a single look."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def check_tie(tie: float) -> None:
    """Raise unless a tie is worth at least a loss and at most a win."""
    if not 0 <= tie <= 1:
        raise HashmarkError(f"--tie {tie:g}: expected a number from 0 to 1")


def print_json(value: object) -> None:
    """Print JSON on standard output."""
    print_unwrapped(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_unwrapped(text: str) -> None:
    """Print output for a program without breaking any line."""
    with without_wrapping(sys.stdout):
        typer.echo(text, nl=False)


def print_wrapped(text: str) -> None:
    """Print a paragraph of a report."""
    for line in wrap(text, REPORT_WIDTH, 0):
        typer.echo(line)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    left_columns: int = 1,
    word_columns: int = 0,
) -> None:
    """Print a table; its first columns, and its last if it holds words, are left-aligned.

    On a terminal a last column that does not fit is wrapped below itself.
    """
    lines = format_table(headings, rows, left_columns, word_columns)
    last = lines[1].rstrip().rfind(" ") + 1
    width = shutil.get_terminal_size().columns
    if sys.stdout.isatty():
        lines[1] = lines[1][:width]
        lines = [piece for line in lines for piece in wrap(line, width, last)]
    for line in lines:
        typer.echo(line)


def print_figures(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of figures; on a terminal it is fitted to the width, as with `?` in a game."""
    on_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns
    for line in (
        format_fitting_table(headings, rows, width) if on_terminal else format_table(headings, rows)
    ):
        typer.echo(line)


EP_RULES = "data-driven"  # the game with a table of expected points


def next_score_ep(rules: RuleSet, g: PositionRecord) -> dict[str, float]:
    """Return the expected points of a position as a JSON item, empty where they are unknown."""
    if rules.name != EP_RULES or not extras.has("numpy"):
        return {}
    from hashmark.games.data_driven.position import Position
    from hashmark.league.whatifs import expected_points

    assert isinstance(g, Position)
    points = expected_points.next_score_ep(g)
    return {} if points is None else {"next_score_ep": round(points, 2)}
