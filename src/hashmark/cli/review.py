"""`hashmark review`: a game split into decisions and luck."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hashmark import extras
from hashmark.cli.common import (
    FORMAT_HELP,
    OutOption,
    Tie,
    check_tie,
    limit_blas_threads,
    print_unwrapped,
    replay_log,
)
from hashmark.cli.output import check_writable, free_path, write_file
from hashmark.cli.progress import ProgressBar
from hashmark.errors import HashmarkError
from hashmark.values.value import REVIEW_GAMES

if TYPE_CHECKING:
    from hashmark.engine.game import Game
    from hashmark.values.review import Review

EXAMPLE = "hashmark review game.log --format html"

FORMS = {".html": "html", ".json": "json"}


def command(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A game log.")],
    form: Annotated[
        Literal["text", "html", "json"] | None,
        typer.Option("--format", help=FORMAT_HELP),
    ] = None,
    out: OutOption = None,
    tie: Tie = 0.5,
    games: Annotated[
        int, typer.Option(metavar="N", help="Rollouts per call, if values are estimated by them.")
    ] = REVIEW_GAMES,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the rollouts.")] = 0,
) -> None:
    """Review a game: cost of every call, luck, turning points.

    Works for games in progress too; undone calls are left out. Text and JSON go to standard output,
    an HTML page to a new file next to the log. A file named with --out is replaced. Ctrl-C stops
    and reports the turns reviewed so far.
    """
    check_tie(tie)
    limit_blas_threads()
    if out not in (None, "-"):
        check_writable(Path(str(out)))
    review_format = form or FORMS.get(Path(out or "").suffix.lower(), "text")
    extras.require("review", "numpy")
    from hashmark.values.review_report import render_review

    review = _review(replay_log(file).game, file, tie, games, seed)
    text = render_review(review, review_format)
    if out == "-" or (out is None and review_format != "html"):
        print_unwrapped(text)
    else:
        stem = file.with_name(f"{file.stem}-review")
        write_file(free_path(stem, review_format) if out is None else Path(out), text)
    if review.interrupted:
        done, of = len(review.steps), len(review.game.turns)
        print(f"hashmark: interrupted; {done} of {of} turns reviewed", file=sys.stderr)
        raise typer.Exit(130)


def _review(game: Game, file: Path, tie: float, games: int, seed: int) -> Review:
    """Review every turn, with progress."""
    from hashmark.values.review import review_game

    if not game.turns:
        raise HashmarkError(f"{file}: no play has been made yet, so there is nothing to review")
    with ProgressBar(len(game.turns), "turns") as bar:
        progress = _ReviewProgress(bar)
        return review_game(
            game,
            tie=tie,
            games=games,
            seed=seed,
            progress=progress.turns,
            rollout_progress=progress.games,
        )


class _ReviewProgress:
    """Progress of a review: turns that are done, and games played out for the next one."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar, self._done, self._of = bar, 0, 0

    def turns(self, done: int, of: int) -> None:
        self._done, self._of = done, of
        self._bar.update(done, of)

    def games(self, played: int, of: int) -> None:
        if self._of:
            self._bar.update(self._done + played / of, self._of)
