"""Reviews of games: the source that is chosen, and the formats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hashmark.engine.rule_set import RuleSet
from hashmark.values import sources
from hashmark.values.game_review import render_review, review_game
from hashmark.values.rollouts import REVIEW_GAMES
from values.enumerated import Enumerated
from values.test_review import SOURCE, played


def test_the_source_gets_the_match_that_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match may have been made from charts that are not found any more."""
    given: dict[str, Any] = {}

    def source_of(rules: RuleSet, options: Any, **more: Any) -> Enumerated:
        given.update(more)
        return SOURCE

    monkeypatch.setattr(sources, "source_of", source_of)
    game = played(27, clock=2)
    review = review_game(game, threads=1)
    assert given["m"] is game.match
    assert (given["games"], given["threads"]) == (REVIEW_GAMES, 1)
    assert len(review.steps) == len(game.turns)
    assert render_review(review, "html").startswith("<!DOCTYPE html>")
    assert json.loads(render_review(review, "json")) == json.loads(json.dumps(review.to_json()))
    assert "Turn by turn" in render_review(review, "text")
