"""`hashmark odds`: the exact distribution of the outcomes of a call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    EngineOption,
    Options,
    PositionOption,
    Rules,
    complete_call,
    next_score_ep,
    parse_count,
    parse_options,
    parse_start,
    print_figures,
    print_json,
    print_table,
    print_wrapped,
)
from hashmark.cli.output import TableOption, check_table_path, write_table
from hashmark.cli.progress import ProgressBar
from hashmark.engine import registry
from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import HashmarkError, TooManyOutcomes
from hashmark.number_text import percent
from hashmark.text.outcome_text import distinct_outcomes, outcome_table
from hashmark.text.phrases import capitalize

if TYPE_CHECKING:
    from hashmark.odds import Matrix, Outlook

EXAMPLE = (
    "hashmark odds fourth-down --position "
    '\'{"phase": "drive", "possession": "home", "spot": 30}\' --call balanced'
)

EXACT_METHOD = "Method: exact, every roll enumerated"
PLAY_METHOD = f"{EXACT_METHOD}; optional windows pass, and the book coach makes later decisions."
STEP_METHOD = f"{EXACT_METHOD}."
NO_FIGURES = "No figures for the whole play of"


def command(
    rules: Rules,
    position: PositionOption = None,
    call: Annotated[
        str | None,
        typer.Option(
            "--call", metavar="CALL", help="The call or its beginning; default: compare all calls."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="CALL",
            help="The other coach's secret call: odds of the whole play.",
        ),
    ] = None,
    grid: Annotated[
        bool, typer.Option("--table", help="Every call against every secret answer.")
    ] = False,
    option: Options = None,
    engine: EngineOption = "auto",
    through: Annotated[
        bool,
        typer.Option("--through", help="Follow whole plays: optional windows take their defaults."),
    ] = False,
    most: Annotated[
        str, typer.Option(metavar="N", help="Number of outcomes to print, e.g. 100 or 1e3.")
    ] = "20",
    out: TableOption = None,
    as_json: AsJson = False,
) -> None:
    """Exact odds of a call: every outcome with its probability.

    Keys left out of the position are as in a new game. The table shows figures for the whole play;
    the list below it, with --call, shows each position after one step (positions that read the same
    share a line; --json has them all). Where both coaches call in secret, --against and --table
    follow the play to its end: optional windows pass, and the book coach makes the other decisions.
    """
    from hashmark.odds import Follower, matrix
    from hashmark.odds.outlook import can_compile

    game = registry.load(rules)
    start = parse_start(rules, parse_options(option), position)
    m = game.new_match(start.options)
    g = game.new_position(m, start.position)
    can_compile(engine)
    check_table_path(out)
    limit = parse_count("--most", most, minimum=1)
    if game.is_over(g):
        raise HashmarkError("the game is over in this position: there is no call to make")
    if grid:
        cells = _run_engine(game, engine, lambda how: matrix(game, m, g, how))
        if out is not None:
            write_table(out, cells.to_json())
        _print_matrix(cells, next_score_ep(game, g), as_json)
        return
    if against is not None and call is None:
        raise HashmarkError("--against needs --call: name both secret calls")
    if call is not None:
        call = complete_call(game, m, g, call)
    calls = _calls(game, m, g, call, against)
    if call is not None and against is not None:
        between = Follower(game, m).after_secret_call(g, calls[0])
        if between is not None:
            against = complete_call(game, m, between, against)
        play = _run_engine(game, engine, lambda how: Follower(game, m, how).play(g, call, against))
        _write_outlooks(out, [play], True)
        _print_outlooks([play], [play], {}, as_json, True, limit)
    else:
        _print_steps(game, m, g, calls, engine, through, as_json, call is not None, limit, out)


def _print_steps(
    game: RuleSet,
    m: MatchRecord,
    g: PositionRecord,
    calls: list[int],
    engine: str,
    through: bool,
    as_json: bool,
    alone: bool,
    most: int,
    out: Path | None,
) -> None:
    """Print the positions after one step of each call, and the figures of its play."""
    from hashmark.odds import outlooks
    from hashmark.odds.odds_tables import describe_omitted_calls, heuristic_win_chances

    try:
        steps, omitted = _run_engine(
            game, engine, lambda how: outlooks(game, m, g, calls, how, through), by_parts=True
        )
        if not steps:
            raise next(iter(omitted.values()))
    except TooManyOutcomes as fault:
        if out is not None:
            raise
        print_parts(game, m, g, fault, as_json)
        return
    _write_outlooks(out, steps, alone or calls == [NO_CALL])
    if omitted:
        print(f"hashmark: {describe_omitted_calls(game, omitted)}", file=sys.stderr)
    plays, omitted_plays = _plays(game, m, g, [step.call for step in steps], engine)
    if not plays and len(steps) > 1 and not as_json:
        raise next(iter(omitted_plays.values()))
    if omitted_plays:
        print(
            f"hashmark: {describe_omitted_calls(game, omitted_plays, NO_FIGURES)}", file=sys.stderr
        )
    _print_outlooks(
        steps, plays, heuristic_win_chances(game, m, g), as_json, alone or calls == [NO_CALL], most
    )


def _write_outlooks(path: Path | None, steps: list[Outlook], alone: bool) -> None:
    """Write a row for each outcome of the only call, or for each of several calls."""
    from hashmark.api.odds import call_rows, outcome_rows

    if path is not None:
        write_table(path, outcome_rows(steps) if alone else call_rows(steps))


def _plays(
    game: RuleSet, m: MatchRecord, g: PositionRecord, calls: list[int], engine: str
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """Return the plays of these calls for their figures, and those that are too long."""
    from hashmark.odds.odds_tables import call_outlooks

    try:
        return _run_engine(game, engine, lambda how: call_outlooks(game, m, g, calls, how))
    except TooManyOutcomes as fault:
        return [], dict.fromkeys(calls, fault)


def _print_outlooks(
    steps: list[Outlook],
    plays: list[Outlook],
    wins: Mapping[int, float],
    as_json: bool,
    alone: bool,
    most: int,
) -> None:
    """Print outcomes of steps beside the figures of their plays, as far as they have some."""
    from hashmark.odds.odds_tables import ASSUMPTIONS_NOTE, NO_DICE_NOTE, compare_calls
    from hashmark.odds.plays import has_multi_step_plays

    expected_points = next_score_ep(steps[0].rules, steps[0].before)
    if as_json:
        figures = {play.call: play.figures for play in plays}
        entries = []
        for step in steps:
            more = {"win_chance": wins[step.call]} if step.call in wins else {}
            more |= expected_points
            entries.append({**step.to_json(), "figures": figures.get(step.call), **more})
        print_json(entries[0] if alone else entries)
        return
    headings, rows = compare_calls(plays, wins) if plays else ((), [])
    is_rolled = len(headings) > 1 or not plays or steps[0].call == NO_CALL
    if is_rolled:
        follows = len(headings) > 1 and not wins and has_multi_step_plays(steps[0].rules)
        print_wrapped(PLAY_METHOD if follows else STEP_METHOD)
    _print_expected_points(expected_points)
    if is_rolled:
        typer.echo()
    if len(headings) > 1:
        if wins:
            typer.echo(ASSUMPTIONS_NOTE)
        print_figures(headings, rows)
    elif not is_rolled:
        typer.echo(NO_DICE_NOTE)
    if len(steps) == 1:
        if len(headings) > 1:
            typer.echo()
        print_outcomes(steps[0], most)


Figures = TypeVar("Figures")


def _run_engine(
    game: RuleSet, engine: str, work: Callable[[str], Figures], by_parts: bool = False
) -> Figures:
    """Run a calculation with an engine; `auto` is plain Python while that is quick, else compiled.

    If the code must be compiled first, announce it and show progress. With `by_parts`, a
    calculation that is not quick is given up if the game has odds by parts.
    """
    from hashmark.odds.background_compile import OddsCompiler
    from hashmark.odds.outlook import QUICK_ENGINE

    if engine == "auto":
        try:
            return work(QUICK_ENGINE)
        except TooManyOutcomes:
            if by_parts and game.presentation.odds_tables is not None:
                raise
            if not extras.has("numba"):
                return work("auto")
    if engine != "plain":
        compiler = OddsCompiler(game)
        if not compiler.is_ready():
            from hashmark.compiler import registration

            registration.log_compiling(game.name, "odds", once=True)
            with ProgressBar(None, "compiling", "compiling (once)"):
                compiler.wait()
    return work("compiled" if engine == "auto" else engine)


def _calls(
    game: RuleSet, m: MatchRecord, g: PositionRecord, call: str | None, against: str | None
) -> list[int]:
    """Return the calls to look at: the one named, all legal ones, or the dice alone."""
    question = game.questions[game.question(m, g)]
    if not question.calls:
        if call is not None:
            raise HashmarkError("no call is pending in this position: leave --call out")
        return [NO_CALL]
    calls = [game.parse_call(m, g, call)] if call is not None else game.legal_calls(m, g)
    if against is None and set(calls) & set(question.secret_calls):
        raise HashmarkError(
            "both coaches call in secret here: use --call NAME --against NAME for one pair of "
            "calls, or --table for all"
        )
    return calls


def print_parts(
    game: RuleSet, m: MatchRecord, g: PositionRecord, error: TooManyOutcomes, as_json: bool
) -> None:
    """Print the odds of the parts of a roll whose outcomes are too many to list."""
    if game.presentation.odds_tables is None:
        raise error
    parts = game.presentation.odds_tables(m, g)
    if as_json:
        tables = [dict(zip(("title", "columns", "rows"), part, strict=True)) for part in parts]
        print_json({"rules": game.name, "call": None, "parts": tables})
        return
    print_wrapped(STEP_METHOD)
    typer.echo(f"{capitalize(str(error))}. Odds of each part:")
    for title, columns, rows in parts:
        typer.echo(f"\n{title}")
        print_figures(columns, rows)


def _print_expected_points(expected_points: Mapping[str, float]) -> None:
    """Print the expected points of the position and their method, if a table has them."""
    if expected_points:
        from hashmark.league.whatifs.expected_points import METHOD

        points = expected_points["next_score_ep"]
        typer.echo(f"Next-score EP: {points:+.2f} for the offense ({METHOD}).")


def _print_matrix(odds_matrix: Matrix, expected_points: Mapping[str, float], as_json: bool) -> None:
    """Print one table for each figure: calls down, the other coach's calls across."""
    if as_json:
        print_json([{**cell, **expected_points} for cell in odds_matrix.to_json()])
        return
    print_wrapped(PLAY_METHOD)
    _print_expected_points(expected_points)
    typer.echo()
    for title, headings, rows in odds_matrix.tables():
        typer.echo(f"{title}\n")
        print_figures(headings, rows)
        typer.echo()


def print_outcomes(outlook: Outlook, most: int) -> None:
    """Print the likeliest next positions in words; `--json` has all of them with their fields."""
    outcomes = ((outcome.chance, outcome.position) for outcome in outlook.outcomes)
    descriptions = distinct_outcomes(outlook.rules, outlook.m, outlook.before, outcomes, TEAMS)
    headings, rows = outcome_table(
        descriptions[:most], now=outlook.rules.words.when(outlook.m, outlook.before)
    )
    print_table(headings, rows, left_columns=len(headings))
    if len(descriptions) > most:
        rest = sum(chance for chance, _ in descriptions[most:])
        typer.echo(
            f"{len(descriptions) - most} more outcomes ({percent(rest, 4)}); list them with "
            "--most or --json"
        )
