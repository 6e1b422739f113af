"""Review on the page: the curve and its links, mistakes as cards, mistakes asked again."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import TEAMS
from hashmark.web.pages import review_parts


@cache
def played_game() -> Game:
    game = Game("fourth-down", dice=SeededDice(seed=5))
    coach = game.rules.coach("random")
    while not game.is_over:
        game.play(game.decide(coach))
    return game


@cache
def review_data() -> dict[str, Any]:
    """Return a review as `hashmark review --json` prints it, with made-up values."""
    game = played_game()
    names, value, turns = game.rules.calls, 0.5, []
    for number, turn in enumerate(game.turns, 1):
        after = 0.3 if number % 2 else 0.6
        loss = 0.2 if number % 7 == 1 and turn.team in range(2) else 0.0
        values = {"home": 0.5, "tie": 0.0, "away": 0.5}
        better = (
            {"home": 0.3, "tie": 0.0, "away": 0.7}
            if turn.team
            else {"home": 0.7, "tie": 0.0, "away": 0.3}
        )
        legal = game.rules.legal_calls(game.match, turn.before)
        best = next((names[call] for call in legal if call != turn.call), names[turn.call])
        decision = {
            "best": best,
            "loss": loss,
            "standard_error": 0.01,
            "clear": True,
            "mark": "blunder",
            "calls": [{"call": names[turn.call], **values}, {"call": best, **better}],
        }  # fmt: skip
        turns.append(
            {
                "turn": number,
                "position_id": "id",
                "team": TEAMS[turn.team],
                "call": names[turn.call],
                "before": value,
                "called": value,
                "after": after,
                "luck": after - value,
                "text": game.sentences(turn),
                "decision": decision if loss else None,
            }
        )
        value = after
    totals = {"decisions": 3, "errors": 0.4, "luck": -0.1, "marks": {"blunder": 2}}
    return {
        "start": 0.5, "luck_adjusted": 0.42, "tie": 0.5, "exact": True, "source": "made up",
        "teams": {"home": totals, "away": totals}, "turns": turns,
    }  # fmt: skip


def test_every_turn_of_the_curve_is_a_link_to_its_moment() -> None:
    curve = review_parts.draw_curve(played_game(), review_data())
    links = re.findall(r'href="replay\?turn=(\d+)"', curve)
    assert links == [str(number) for number in range(1, len(played_game().turns) + 1)]
    assert "1st half" in curve
    assert "2nd half" in curve
    assert curve.count("curve-mark") == len(review_parts.mistakes(review_data()["turns"]))
    assert "style=" not in curve


def test_mistakes_are_cards_in_plain_words() -> None:
    values = review_parts.review_values(played_game(), review_data())
    cards = values["mistakes"]
    assert cards
    assert [card["turn"] for card in cards] == sorted(card["turn"] for card in cards)
    assert cards[0]["mark"] == "Blunder"
    assert cards[0]["loss"] == "20.0 ± 1.0 percentage points of win probability"
    assert values["luck_adjusted"] == "42.0 %"
    luck = [float(roll["luck"]) for roll in values["rolls"]]
    assert luck == sorted(luck, reverse=True)


@pytest.mark.parametrize("team", [None, 0, 1])
def test_mistakes_are_asked_again(team: int | None) -> None:
    game, data = played_game(), review_data()
    found = review_parts.mistakes(data["turns"], team)
    for number, turn in enumerate(found):
        asked = review_parts.lesson_values(game, data, team, number, "")
        assert asked is not None
        assert asked["verdict"] is None
        assert {item["name"] for item in asked["calls"]} == {turn["call"], turn["decision"]["best"]}
        for call in (turn["call"], turn["decision"]["best"]):
            answered = review_parts.lesson_values(game, data, team, number, call)
            assert answered is not None
            verdict = answered["verdict"]
            assert verdict["is_best"] == (call == turn["decision"]["best"])
            assert verdict["is_same"] == (call == turn["call"])
            assert verdict["values"][0]["name"] == turn["decision"]["best"]
            lost = "0.0" if verdict["is_best"] else "20.0"
            assert verdict["loss"] == f"{lost} percentage points of win probability"
        assert (asked["following"] is None) == (number == len(found) - 1)


def test_no_mistake_gives_no_lesson() -> None:
    data = {**review_data(), "turns": [{**review_data()["turns"][0], "decision": None}]}
    assert review_parts.lesson_values(played_game(), data, None, 0, "") is None
