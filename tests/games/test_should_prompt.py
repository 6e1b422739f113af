"""Which windows are worth a prompt, at the edges of each game's rule."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry


def should_prompt(
    rules: str, position: dict[str, Any], options: dict[str, Any] | None = None
) -> bool:
    """Return the game's answer for a position as it stands, without validating it."""
    game = registry.load(rules)
    m = game.new_match(options)
    g = game.new_position(m)
    g.update(position)
    assert game.questions[game.question(m, g)].is_window
    return bool(game.should_prompt(m, g))


def score(home: int, away: int) -> dict[str, int]:
    return {"home": home, "away": away}


class TestDataDriven:
    def clock(
        self, asks: str, period: int, clock: int, home: int = 0, away: int = 0, ball: str = "home"
    ) -> bool:
        return should_prompt(
            "data-driven",
            {
                "phase": "scrimmage",
                "asks": asks,
                "period": period,
                "clock": clock,
                "possession": ball,
                "spot": 40,
                "down": 2,
                "to_go": 5,
                "score": score(home, away),
            },
        )

    @pytest.mark.parametrize("asks", ["offence-timeout", "defence-timeout", "tempo"])
    def test_clock_windows_prompt_at_the_end_of_a_half(self, asks: str) -> None:
        for period in (1, 3):
            assert not self.clock(asks, period, 100)
        for period in (2, 4, 5):
            assert not self.clock(asks, period, 301)
            assert self.clock(asks, period, 300)
            assert self.clock(asks, period, 11)
            assert not self.clock(asks, period, 10)

    def test_a_team_well_ahead_is_not_prompted(self) -> None:
        assert self.clock("offence-timeout", 4, 100, 8, 0)
        assert not self.clock("offence-timeout", 4, 100, 9, 0)
        assert self.clock("offence-timeout", 2, 100, 9, 0)
        assert self.clock("defence-timeout", 4, 100, 9, 0)
        assert not self.clock("defence-timeout", 4, 100, 0, 9)
        assert not self.clock("defence-timeout", 5, 100, 9, 0, ball="away")

    def test_a_team_far_behind_is_prompted_for_tempo_all_quarter(self) -> None:
        assert self.clock("tempo", 4, 800, 0, 9)
        assert not self.clock("tempo", 4, 800, 0, 8)
        assert not self.clock("tempo", 3, 800, 0, 9)
        assert not self.clock("tempo", 5, 800, 0, 9)
        assert not self.clock("offence-timeout", 4, 800, 0, 9)
        assert self.clock("tempo", 4, 11, 0, 9)
        assert not self.clock("tempo", 4, 10, 0, 9)

    @pytest.mark.parametrize(
        ("side", "team"), [("offence", "away"), ("defence", "home")], ids=["offence", "defence"]
    )
    def test_an_audible_window_prompts_only_if_one_is_left(self, side: str, team: str) -> None:
        none = {"offence": 0, "defence": 0}
        for left in (0, 1):
            other = {"offence": 1, "defence": 1}
            own = {**other, side: left}
            position = {
                "phase": "scrimmage",
                "asks": f"{side}-audible",
                "possession": "away",
                "spot": 40,
                "down": 2,
                "to_go": 5,
                "play": "draw",
                "formation": "nickel",
                "audibles": {"home": other, "away": other} | {team: own},
            }
            assert should_prompt("data-driven", position, {"audibles": "board"}) == bool(left)
            alone = {**position, "audibles": {"home": none, "away": none} | {team: own}}
            expected = bool(left)
            assert should_prompt("data-driven", alone, {"audibles": "board"}) == expected


class TestRapidRoll:
    def clock(self, window: str, period: int, clock: int, home: int = 0, away: int = 0) -> bool:
        return should_prompt(
            "rapid-roll",
            {
                "phase": "scrimmage",
                "window": window,
                "period": period,
                "clock": clock,
                "possession": "home",
                "spot": 40,
                "down": 2,
                "to_go": 5,
                "roll": 34,
                "score": score(home, away),
            },
        )

    @pytest.mark.parametrize("window", ["clock", "other-clock"])
    def test_timeouts_prompt_at_the_end_of_a_half(self, window: str) -> None:
        for period in (1, 3):
            assert not self.clock(window, period, 5)
        for period in (2, 4, 5):
            assert not self.clock(window, period, 11)
            assert self.clock(window, period, 10)

    def test_a_team_well_ahead_is_not_prompted(self) -> None:
        assert self.clock("clock", 4, 5, 8, 0)
        assert not self.clock("clock", 4, 5, 9, 0)
        assert self.clock("clock", 2, 5, 9, 0)
        assert self.clock("other-clock", 4, 5, 9, 0)
        assert not self.clock("other-clock", 4, 5, 0, 9)
        assert self.clock("other-clock", 4, 5, 0, 8)

    def test_the_sideline_prompts_where_it_saves_the_number(self) -> None:
        for period in (1, 3):
            assert not self.clock("sideline", period, 3)
        for period in (2, 4):
            assert self.clock("sideline", period, 3)
            assert not self.clock("sideline", period, 4)

    @pytest.mark.parametrize("window", ["home-quarterback", "punt", "end-zone", "penalty"])
    def test_the_other_windows_always_prompt(self, window: str) -> None:
        assert self.clock(window, 3, 40)

    def magic(self, at: int, left: int, phase: str = "scrimmage", spot: int = 40) -> bool:
        return should_prompt(
            "rapid-roll",
            {
                "phase": phase,
                "window": "magic",
                "possession": "away",
                "spot": spot,
                "down": 2,
                "to_go": 10,
                "at": at,
                "magic": {"home": 90, "away": left},
            },
        )

    def test_magic_yards_prompt_where_they_reach_something(self) -> None:
        assert self.magic(47, 3)
        assert not self.magic(47, 2)
        assert not self.magic(50, 49)
        assert self.magic(50, 50)
        assert self.magic(-1, 2, spot=4)
        assert self.magic(0, 1, spot=4)
        assert not self.magic(-1, 1, spot=4)
        assert self.magic(99, 1, "try", spot=98)
        assert not self.magic(98, 1, "try", spot=98)
        assert not self.magic(97, 2, "try", spot=90)


@pytest.mark.parametrize("rules", ["fourth-down", "roll-for-yardage", "two-minute-drill"])
def test_these_games_prompt_at_every_window(rules: str) -> None:
    game = registry.load(rules)
    m = game.new_match()
    assert game.should_prompt(m, game.new_position(m)) is True


def test_only_the_drill_without_a_reply_is_played_alone() -> None:
    drill = registry.load("two-minute-drill")
    assert drill.is_solo(drill.new_match())
    assert not drill.is_solo(drill.new_match({"reply": True}))
    assert not any(
        game.is_solo(game.new_match())
        for game in map(registry.load, registry.builtin_names())
        if game is not drill
    )
