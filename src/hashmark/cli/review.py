"""`hashmark review`: a game split into decisions and luck."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hashmark import extras
from hashmark.cli.common import Tie, check_tie, limit_blas_threads, print_unwrapped, replay_log
from hashmark.cli.output import check_writable, free_path, write_file
from hashmark.cli.progress import ProgressBar
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.storage import search_path

EXAMPLE = "hashmark review game.log --format html"

FORMS = {".html": "html", ".json": "json"}


def command(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A game log.")],
    form: Annotated[
        Literal["text", "html", "json"] | None,
        typer.Option("--format", help="How to write it; else as the name of --out ends, or text."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Where to write it; `-` is standard output."),
    ] = None,
    tie: Tie = 0.5,
) -> None:
    """Review a game, finished or not: what every decision cost against the best call, what every
    roll brought, the turning points, and who coached and who rolled better.

    Calls that were taken back are left out. Text and JSON go to standard output; a page goes to a
    file next to the log, under a name that is not taken. A file named with --out is replaced if it
    exists. Ctrl-C ends the work and reports the turns that were reviewed.
    """
    check_tie(tie)
    limit_blas_threads()
    if out not in (None, "-"):
        check_writable(Path(str(out)))
    wanted = form or FORMS.get(Path(out or "").suffix.lower(), "text")
    extras.require("review", "numpy")
    review = _review(replay_log(file), file, tie)
    text = _render(review, wanted)
    if out == "-" or (out is None and wanted != "html"):
        print_unwrapped(text)
    else:
        stem = file.with_name(f"{file.stem}-review")
        write_file(free_path(stem, wanted) if out is None else Path(out), text)
    if review.interrupted:
        done, of = len(review.steps), len(review.game.turns)
        print(f"hashmark: interrupted; {done} of {of} turns are reviewed", file=sys.stderr)
        raise typer.Exit(130)


def _review(replay: log.Replay, file: Path, tie: float) -> Any:
    """Evaluate every turn, with progress."""
    from hashmark.values.review import Review
    from hashmark.values.rollouts import REVIEW_GAMES
    from hashmark.values.sources import source_of

    game = replay.game
    if not game.turns:
        raise HashmarkError(f"{file}: nothing has been played yet")
    with ProgressBar(len(game.turns), "turns") as bar:
        progress = _ReviewProgress(bar)
        with search_path.search_beside(file):
            source = source_of(
                game.rules, game.options, tie=tie, games=REVIEW_GAMES, progress=progress.games
            )
        return Review.of(game, source, progress.turns)


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


def _render(review: Any, form: str) -> str:
    """Return the review in the requested format."""
    from hashmark.values import review_report, review_text

    if form == "html":
        return review_report.build_report(review).html()
    if form == "json":
        return json.dumps(review.to_json(), indent=2, ensure_ascii=False) + "\n"
    return "\n".join(review_text.review_lines(review)) + "\n"
