"""Every rule set goes through the referee kit."""

from __future__ import annotations

import pytest

from hashmark.referee import CHECKS, Foul, Referee
from hashmark.referee.checks import fits
from hashmark.referee.invariants import foul_in_step
from hashmark.table import registry
from hashmark.table.events import Statistics

GAMES = registry.built_in()


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize(
    "rules", [pytest.param(game, marks=pytest.mark.xdist_group(game)) for game in GAMES]
)
def test_kit(rules: str, name: str) -> None:
    CHECKS[name](Referee(rules))


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_many_games(rules: str) -> None:
    """Thousands of seeded games, plain against compiled, and with invariants."""
    CHECKS["plain equals compiled"](Referee(rules, seconds=120, most=20_000))
    CHECKS["random playouts keep the rules"](Referee(rules, games=4000, seed=5))


class TestTheKitItself:
    """A check that cannot fail is worth nothing."""

    def test_points_that_nobody_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        referee = Referee("fourth-down")
        add = Statistics.add
        monkeypatch.setattr(
            Statistics,
            "add",
            lambda self, counts, event, *told: (
                None if event.name == "touchdown" else add(self, counts, event, *told)
            ),
        )
        with pytest.raises(Foul, match="points that no event told"):
            CHECKS["random playouts keep the rules"](referee)

    def test_clock_that_runs_backwards(self) -> None:
        referee = Referee("fourth-down")
        game = referee.game({}, 0)
        before = game.position.copy()
        before.clock = 3
        counts = referee.rules.statistics.zero()
        foul = foul_in_step(referee.rules, before, game.position, counts)
        assert foul == "the clock ran backwards"

    def test_dice_that_do_not_fit(self) -> None:
        from collections import Counter

        with pytest.raises(Foul, match="chi-square"):
            fits("loaded die", {1: 0.5, 2: 0.5}, Counter({1: 600, 2: 400}))
        with pytest.raises(Foul, match="do not know"):
            fits("third side", {1: 0.5, 2: 0.5}, Counter({1: 500, 3: 500}))
        fits("fair die", {1: 0.5, 2: 0.5}, Counter({1: 510, 2: 490}))
