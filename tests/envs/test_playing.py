"""One game in plain Python, a call at a time: the games of the simulator."""

from __future__ import annotations

import pytest

from hashmark.envs.calls import code_of
from hashmark.envs.playing import MOST_UNASKED, Play
from hashmark.envs.seats import set_up
from hashmark.sim.plain import play_game
from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.record import NOBODY
from hashmark.table.rules import LONGEST_GAME
from hashmark.table.thinking import CoachTable


def test_with_the_calls_of_a_coach_it_is_the_game_of_the_simulator() -> None:
    setting = set_up("fourth-down")
    rules, m = setting.rules, setting.match
    book = rules.coaches.index(rules.coach("book"))
    play = Play(setting)
    play.begin(9, 4)
    while play.asked != NOBODY:
        view = rules.view(m, play.position, play.asked)
        view.table = CoachTable(play.table.luck)
        play.call(rules.decide(rules.coach("book"), m, view))
    final, _, steps = play_game(rules, m, setting.start, 9, 4, (book, book))
    assert play.position == final
    assert play.steps == steps
    assert play.result(0) == -play.result(1)


def test_what_is_not_allowed_changes_nothing() -> None:
    play = Play(set_up("fourth-down"))
    with pytest.raises(HashmarkError, match=r"^reset comes before the first step$"):
        play.call(0)
    play.begin(1, 0)
    before = play.position.copy()
    for wrong in (-1, 99, 5, 1.0, True, "balanced", None):
        with pytest.raises(HashmarkError, match=r"^action .+ is not allowed here; allowed: 0 \("):
            play.call(wrong)
    assert play.position == before


def test_after_the_end_there_is_nothing_to_call() -> None:
    play = Play(set_up("two-minute-drill", options={"start-clock": 1}))
    play.begin(1, 0)
    while play.asked != NOBODY:
        play.call(int(play.mask.argmax()))
    assert play.is_over
    assert not play.mask.any()
    with pytest.raises(HashmarkError, match=r"^the game is over: reset begins the next one$"):
        play.call(0)


def test_a_game_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LONGEST_GAME > 20
    monkeypatch.setattr("hashmark.envs.playing.LONGEST_GAME", 20)
    play = Play(set_up("fourth-down", seat="both"))
    play.begin(1, 0)
    while play.asked != NOBODY:
        play.call(int(play.mask.argmax()))
    assert play.is_cut
    assert not play.is_over
    assert play.result(0) == 0.0


def test_games_in_which_nobody_is_asked_are_passed_by() -> None:
    start = {"phase": "try", "possession": "away", "period": 2, "clock": 0}
    play = Play(set_up("fourth-down", start=start))
    with pytest.raises(HashmarkError, match=rf"^start: of {MOST_UNASKED} games none comes"):
        play.begin_asked(1, 0)


def test_an_opponent_who_breaks_the_rules_gets_a_sentence() -> None:
    def punter(m: object, g: object) -> int:
        """Punts, whatever is asked."""
        return 5

    play = Play(set_up("fourth-down", opponent=punter))

    def go_on() -> None:
        for number in range(20):
            play.begin(1, number)
            while play.asked != NOBODY:
                play.call(int(play.mask.argmax()))

    with pytest.raises(HashmarkError, match=r"a coach called 'punt', which is not allowed there"):
        go_on()


def test_it_is_told() -> None:
    play = Play(set_up("data-driven"))
    play.begin(1, 0)
    assert play.sentences()[0].endswith("wins the toss.")
    assert play.names[0].upper() in play.standing(0)[0]


def test_whole_numbers_of_any_kind() -> None:
    numpy = pytest.importorskip("numpy")
    assert code_of(numpy.int32(4)) == 4
    assert code_of(numpy.array(4)) == 4
    assert code_of(True) is None
    assert code_of(4.0) is None
    assert registry.load("fourth-down").calls[5] == "punt"
