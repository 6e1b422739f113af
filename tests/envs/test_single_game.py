"""A single game in plain Python, one call at a time: the games of the simulator."""

from __future__ import annotations

import pytest

from hashmark.engine import registry
from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.record import NOBODY
from hashmark.engine.rule_set import MAX_GAME_STEPS
from hashmark.envs.actions import action_code
from hashmark.envs.settings import make_setting
from hashmark.envs.single_game import MAX_GAMES_WITHOUT_QUESTION, SingleGame
from hashmark.errors import HashmarkError
from hashmark.sim.plain import play_game


def test_with_a_coachs_calls_it_equals_the_game_of_the_simulator() -> None:
    setting = make_setting("fourth-down")
    rules, m = setting.rules, setting.match
    book = rules.coaches.index(rules.coach("book"))
    play = SingleGame(setting)
    play.begin(9, 4)
    while play.asked != NOBODY:
        view = rules.view(m, play.position, play.asked)
        view.handler = CoachHandler(play.handler.coach_stream)
        play.call(rules.decide(rules.coach("book"), m, view))
    final, _, steps = play_game(rules, m, setting.start, 9, 4, (book, book))
    assert play.position == final
    assert play.steps == steps
    assert play.result(0) == -play.result(1)


def test_illegal_calls_are_refused_and_change_nothing() -> None:
    play = SingleGame(make_setting("fourth-down"))
    with pytest.raises(HashmarkError, match=r"^call reset\(\) before step\(\)$"):
        play.call(0)
    play.begin(1, 0)
    before = play.position.copy()
    for wrong in (-1, 99, 5, 1.0, True, "balanced", None):
        with pytest.raises(HashmarkError, match=r"^action .+ is not allowed here; allowed: 0 \("):
            play.call(wrong)
    assert play.position == before


def test_calls_after_the_end_are_refused() -> None:
    play = SingleGame(make_setting("two-minute-drill", options={"start-clock": 1}))
    play.begin(1, 0)
    while play.asked != NOBODY:
        play.call(int(play.mask.argmax()))
    assert play.is_over
    assert not play.mask.any()
    with pytest.raises(
        HashmarkError, match=r"^the game is over: call reset\(\) to start the next one$"
    ):
        play.call(0)


def test_an_endless_game_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_GAME_STEPS > 20
    monkeypatch.setattr("hashmark.envs.single_game.MAX_GAME_STEPS", 20)
    play = SingleGame(make_setting("fourth-down", seat="both"))
    play.begin(1, 0)
    while play.asked != NOBODY:
        play.call(int(play.mask.argmax()))
    assert play.is_truncated
    assert not play.is_over
    assert play.result(0) == 0.0


def test_a_start_without_any_question_is_refused() -> None:
    start = {"phase": "try", "possession": "away", "period": 2, "clock": 0}
    play = SingleGame(make_setting("fourth-down", start=start))
    with pytest.raises(
        HashmarkError, match=rf"^start: none of {MAX_GAMES_WITHOUT_QUESTION} games needs a call"
    ):
        play.begin_with_question(1, 0)


def test_an_illegal_call_of_the_opponent_raises_an_error() -> None:
    def punter(m: object, g: object) -> int:
        """Always punt."""
        return 5

    play = SingleGame(make_setting("fourth-down", opponent=punter))

    def go_on() -> None:
        for number in range(20):
            play.begin(1, number)
            while play.asked != NOBODY:
                play.call(int(play.mask.argmax()))

    with pytest.raises(HashmarkError, match=r"a coach called 'punt', which is not legal there"):
        go_on()


def test_events_and_standing_are_described() -> None:
    play = SingleGame(make_setting("data-driven"))
    play.begin(1, 0)
    assert play.sentences()[0].endswith("wins the toss.")
    assert play.names[0].upper() in play.standing(0)[0]


def test_actions_may_be_integers_of_any_type() -> None:
    numpy = pytest.importorskip("numpy")
    assert action_code(numpy.int32(4)) == 4
    assert action_code(numpy.array(4)) == 4
    assert action_code(True) is None
    assert action_code(4.0) is None
    assert registry.load("fourth-down").calls[5] == "punt"
