"""`hashmark charts scoreboard`: forecasts of real games, ours beside baseline forecasters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hashmark import extras
from hashmark.cli.common import (
    AsJson,
    PlaysFolderOption,
    SeasonsOption,
    Threads,
    parse_count,
    print_json,
    print_table,
    print_wrapped,
)
from hashmark.cli.progress import ProgressBar
from hashmark.errors import HashmarkError
from hashmark.storage.user_files import is_dir

if TYPE_CHECKING:
    from hashmark.league.validation.scoreboard import Scoreboard
    from hashmark.league.validation.verify import VerifyReport

EXAMPLE = "hashmark charts scoreboard --pbp plays --fidelity"


def command(
    pbp: PlaysFolderOption = None,
    season: SeasonsOption = None,
    games: Annotated[
        str, typer.Option(metavar="N", help="Number of simulated games per pairing, e.g. 400.")
    ] = "400",
    old_games: Annotated[str | None, typer.Option("--runs", metavar="N", hidden=True)] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the dice.")] = 0,
    threads: Threads = None,
    fidelity: Annotated[
        bool, typer.Option("--fidelity", help="Also compare simulated with real season statistics.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score game forecasts out-of-sample against baselines.

    Odd weeks forecast the games of even weeks, for every season whose play-by-play is in the
    folder. Every fifth season (2007, 2012, 2017, 2022) is held out of all fitting and decides the
    result. Closing lines, and games before 2006, come from games.parquet in the same folder.
    """
    extras.require("charts scoreboard", "polars", "numba")
    from hashmark.league.seasons import game_options
    from hashmark.league.validation import fidelity_by_season, scoreboard, scoreboard_text

    count = parse_count("--games", old_games or games)
    if pbp is not None and not is_dir(pbp):
        raise HashmarkError(f"--pbp {pbp}: no such folder")
    with ProgressBar(None, "seasons", "reading the plays") as bar:

        def progress(what: str, done: int, total: int) -> None:
            bar.update(done, total)
            bar.set_step(what)

        board = scoreboard.build_scoreboard(pbp, count, seed, threads, season or None, progress)
        reports = []
        if fidelity:
            years = [season_games.season for season_games in (*board.tuning, *board.held_out)]
            reports = fidelity_by_season.verify_seasons(years, seed, threads, progress)
    if as_json:
        board_json = scoreboard_text.to_json(board)
        board_json["fidelity"] = fidelity_by_season.to_json(reports) if fidelity else None
        print_json(board_json)
        return
    _print(board)
    if fidelity:
        _print_fidelity(reports)
    typer.echo("")
    print_wrapped(game_options.assumptions_note())


def _print(board: Scoreboard) -> None:
    from hashmark.league.validation import scoreboard_text as words

    for sentence in words.sentences(board):
        print_wrapped(sentence)
    typer.echo("")
    for games, left_out in ((board.held_out, True), (board.tuning, False)):
        if games:
            typer.echo(f"{words.heading(games, left_out)}\n")
            print_table(words.HEAD, words.error_rows(board, left_out))
            typer.echo("")
            if pairs := words.paired_rows(board, left_out):
                typer.echo("Paired differences to the baseline EPA-SRS (negative is better):\n")
                print_table(words.HEAD, pairs)
                typer.echo("")
    typer.echo("Parameters fitted on all tuning seasons:\n")
    print_table(words.FITTED_HEAD, words.fitted_rows(board), word_columns=1)


def _print_fidelity(reports: list[VerifyReport]) -> None:
    from hashmark.league.validation import fidelity_by_season as by_season

    typer.echo(
        f"\nWhole seasons, simulated {by_season.SEASONS} times each, compared with the real ones:\n"
    )
    print_table(by_season.SEASON_HEAD, by_season.season_rows(reports), word_columns=1)
    typer.echo("")
    print_wrapped(by_season.LEGEND)
    typer.echo("")
    print_table(by_season.RATE_HEAD, by_season.rate_rows(reports))
