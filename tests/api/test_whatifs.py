"""What-ifs from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.whatifs import GAME_COLUMNS, game_rows
from league.conftest import league, league_folder  # noqa: F401  (fixtures)
from league.invented_league import SEASON

RUNS = 20


@pytest.fixture
def whatif(league: Path) -> hm.WhatIf:  # noqa: F811
    return hm.whatif(SEASON, "Cardinals", pass_rate="+10%", runs=RUNS)


@pytest.mark.heavy
def test_a_whatif_has_its_effect_and_its_games(whatif: hm.WhatIf) -> None:
    games = whatif.games()
    assert games.height == 16
    assert games.columns == list(GAME_COLUMNS)
    assert games["wp_change"].sum() == pytest.approx(whatif.wins.mean)
    assert games.to_dicts() == game_rows(whatif._comparison)
    row = whatif.frame().row(0, named=True)
    assert (row["season"], row["team"], row["runs"]) == (SEASON, "ARI", RUNS)
    assert row["wins_change"] == whatif.wins.mean
    assert row["points_for_change_se"] == whatif.points_for.error
    shares = whatif.calls()
    assert shares["before"].sum() == pytest.approx(1)
    assert shares["after"].sum() == pytest.approx(1)
    assert "10 percentage points more passes" in whatif.answer


@pytest.mark.heavy
def test_a_whatif_is_shown_and_drawn(whatif: hm.WhatIf) -> None:
    check_looks(whatif)
    assert repr(whatif).startswith(f"<WhatIf {SEASON} ARI: ")
    assert len(whatif.plot().get_yticks()) == 16
    assert whatif.to_html().startswith("<!DOCTYPE html>")
    check_looks(whatif.plan)


@pytest.mark.parametrize(
    ("team", "given", "message"),
    [
        ("ARI", {}, "name a change"),
        ("ARX", {"pass_rate": "+10%"}, "unknown team 'ARX': did you mean ARI"),
        ("ARI", {"pass_rate": "much"}, "much"),
        ("ARI", {"play": "dep=+5%"}, "did you mean 'deep'|dep"),
        ("ARI", {"fourth_down": "bolld"}, "did you mean 'bold'"),
        ("ARI", {"pass_rate": "+10%", "runs": 0}, "runs"),
    ],
)
def test_wrong_requests_are_refused_at_once(
    team: str, given: dict[str, object], message: str
) -> None:
    with pytest.raises(hm.HashmarkError, match=message):
        hm.whatif(2008, team, **given)  # type: ignore[arg-type]
