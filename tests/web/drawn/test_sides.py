"""Colours: who wears which, and that everybody can read and tell them apart."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from hashmark.games.data_driven.team_colours import COLOURS as TEAM_COLOURS
from hashmark.games.data_driven.team_colours import FORMER
from hashmark.league.facts import teams
from hashmark.league.facts.schedule import TODAY
from hashmark.table import registry
from hashmark.table.drawings import COLOURS, USUAL
from hashmark.table.record import AWAY, HOME, NOBODY
from hashmark.web.drawn import CSS, worn
from hashmark.web.drawn.sides import ALIKE, alike, side
from web.drawn import colour_sight

AA = 4.5
SHEET = CSS.read_text(encoding="utf-8")
TEXT = (  # what is written on what
    ("ink", "paper"),
    ("ink", "ground"),
    ("muted", "paper"),
    ("muted", "ground"),
    ("accent", "paper"),
    ("warn", "paper"),
    ("line", "field"),
    ("line", "field-band"),
    ("gain-ink", "gain"),
    ("hit-ink", "hit"),
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everything_written_can_be_read(theme: str) -> None:
    known = colour_sight.themes()[theme]
    pairs = [
        *TEXT,
        *((name, "on-team") for name in COLOURS),
        *((name, "paper") for name in COLOURS),
    ]
    low = {pair: colour_sight.contrast(*(known[name] for name in pair)) for pair in pairs}
    assert {pair: value for pair, value in low.items() if value < AA} == {}


def test_pairs_that_look_alike_are_known() -> None:
    assert colour_sight.alike() == ALIKE


def test_the_usual_colours_are_told_apart_by_everybody() -> None:
    (home, _), (away, _) = USUAL
    assert colour_sight.least(home, away) > 2 * colour_sight.APART


def test_every_property_stands_once_for_day_and_night() -> None:
    root = SHEET[SHEET.index(":root {") : SHEET.index("}")]
    names = re.findall(r"--([\w-]+): ", root)
    assert len(names) == len(set(names)) > 25
    for theme in ("light", "dark"):
        assert f"[data-theme={theme}] {{ color-scheme: {theme}; }}" in SHEET
    page = (CSS.parents[2] / "static" / "app.css").read_text(encoding="utf-8")
    assert not set(names) & set(re.findall(r"--([\w-]+): ", page)), "nor in the page's own sheet"


def test_every_colour_can_be_worn_by_both() -> None:
    for name in COLOURS:
        for team in ("home", "away"):
            assert f".{team}-{name} {{ --{team}: var(--{name}); }}" in SHEET


def test_the_properties_that_a_page_counts_on() -> None:
    for name in ("field", "line", "ink", "paper", "home", "away", "accent", "muted", "warn"):
        assert re.search(rf"^:root {{[^}}]*--{name}: ", SHEET, re.M)


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert "url(" not in SHEET
    assert "@import" not in SHEET


def test_classes() -> None:
    assert [side(team) for team in (HOME, AWAY, NOBODY)] == ["is-home", "is-away", ""]


def test_games_without_colours_have_the_usual_ones() -> None:
    assert worn(registry.load("fourth-down")) == "home-blue away-orange"
    assert worn(registry.load("data-driven")) == "home-blue away-orange"  # invented teams


def test_teams_wear_their_own_unless_they_look_alike() -> None:
    rules = registry.load("data-driven")

    def pair(home: str, away: str) -> str:
        return worn(rules, {"charts": "2008", "home_team": home, "away_team": away})

    assert pair("CHI", "GB") == "home-navy away-green"
    assert pair("GB", "KC") == "home-green away-gold"  # green and red are alike to some
    assert pair("DAL", "NYG") == "home-navy away-red"
    assert pair("Oakland", "St. Louis") == "home-black away-blue"


def test_every_pair_of_teams_is_told_apart() -> None:
    from hashmark.web.drawn.sides import _other_than

    for home, away in permutations(TEAM_COLOURS.values(), 2):
        chosen = _other_than(home[0], away)
        assert not alike(home[0], chosen)


def test_every_team_of_the_league_has_colours() -> None:
    assert set(TEAM_COLOURS) == set(teams.NAMES)
    assert FORMER.items() >= TODAY.items()
    assert set(FORMER.values()) <= set(TEAM_COLOURS)
    for first, second in TEAM_COLOURS.values():
        assert first != second
        assert {first, second} <= set(COLOURS)
