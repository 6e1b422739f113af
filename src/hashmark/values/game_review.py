"""Review of a game from its values to a rendered text: the same for the command and the server."""

from __future__ import annotations

import json

from hashmark.engine.game import Game
from hashmark.values import review_report, review_text, sources
from hashmark.values.review import Review, ReviewProgress
from hashmark.values.rollouts import REVIEW_GAMES
from hashmark.values.value import DEFAULT_TIE_VALUE, RolloutProgress


def review_game(
    game: Game,
    *,
    tie: float = DEFAULT_TIE_VALUE,
    threads: int | None = None,
    progress: ReviewProgress | None = None,
    rollout_progress: RolloutProgress | None = None,
) -> Review:
    """Review a game with the best source for its match."""
    source = sources.source_of(
        game.rules,
        game.options,
        m=game.match,
        tie=tie,
        games=REVIEW_GAMES,
        threads=threads,
        progress=rollout_progress,
    )
    return Review.of(game, source, progress)


def render_review(review: Review, form: str) -> str:
    """Return the review as `text`, `html` or `json`."""
    if form == "html":
        return review_report.build_report(review).html()
    if form == "json":
        return json.dumps(review.to_json(), indent=2, ensure_ascii=False) + "\n"
    return "\n".join(review_text.review_lines(review)) + "\n"
