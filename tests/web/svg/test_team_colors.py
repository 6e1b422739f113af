"""Team colors: how they are chosen, and that they are readable and distinguishable for everyone."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from hashmark.engine import registry
from hashmark.engine.drawings import DEFAULT_COLORS, TEAM_COLORS
from hashmark.engine.record import AWAY, HOME, NOBODY
from hashmark.games.data_driven.team_colors import FORMER_CODES
from hashmark.games.data_driven.team_colors import TEAM_COLORS as TEAM_COLOURS
from hashmark.league.data import teams
from hashmark.league.data.schedule import CURRENT_CODES
from hashmark.web.svg import STYLE_SHEET, color_classes
from hashmark.web.svg.team_colors import SIMILAR_COLORS, are_similar, team_class
from web.svg import color_vision

AA = 4.5
SHEET = STYLE_SHEET.read_text(encoding="utf-8")
TEXT = (  # foreground and background
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
def test_all_text_has_enough_contrast(theme: str) -> None:
    colors = color_vision.themes()[theme]
    pairs = [
        *TEXT,
        *((name, "on-team") for name in TEAM_COLORS),
        *((name, "paper") for name in TEAM_COLORS),
    ]
    contrasts = {pair: color_vision.contrast(*(colors[name] for name in pair)) for pair in pairs}
    assert {pair: value for pair, value in contrasts.items() if value < AA} == {}


def test_the_list_of_similar_colors_is_complete() -> None:
    assert color_vision.similar_pairs() == SIMILAR_COLORS


def test_the_default_colors_are_distinct_for_everyone() -> None:
    (home, _), (away, _) = DEFAULT_COLORS
    assert color_vision.least_difference(home, away) > 2 * color_vision.MIN_DISTANCE


def test_every_property_is_defined_once_for_both_themes() -> None:
    root = SHEET[SHEET.index(":root {") : SHEET.index("}")]
    names = re.findall(r"--([\w-]+): ", root)
    assert len(names) == len(set(names)) > 25
    for theme in ("light", "dark"):
        assert f"[data-theme={theme}] {{ color-scheme: {theme}; }}" in SHEET
    page = (STYLE_SHEET.parents[2] / "static" / "app.css").read_text(encoding="utf-8")
    assert not set(names) & set(re.findall(r"--([\w-]+): ", page)), "nor in the page's own sheet"


def test_every_color_is_available_to_both_teams() -> None:
    for name in TEAM_COLORS:
        for team in ("home", "away"):
            assert f".{team}-{name} {{ --{team}: var(--{name}); }}" in SHEET


def test_the_properties_that_pages_use_are_defined() -> None:
    for name in ("field", "line", "ink", "paper", "home", "away", "accent", "muted", "warn"):
        assert re.search(rf"^:root {{[^}}]*--{name}: ", SHEET, re.M)


def test_the_style_sheet_loads_nothing_else() -> None:
    assert "url(" not in SHEET
    assert "@import" not in SHEET


def test_each_team_has_a_css_class() -> None:
    assert [team_class(team) for team in (HOME, AWAY, NOBODY)] == ["is-home", "is-away", ""]


def test_games_without_colors_use_the_defaults() -> None:
    assert color_classes(registry.load("fourth-down")) == "home-blue away-orange"
    assert color_classes(registry.load("data-driven")) == "home-blue away-orange"  # invented teams


def test_teams_wear_their_own_colors_unless_similar() -> None:
    rules = registry.load("data-driven")

    def pair(home: str, away: str) -> str:
        return color_classes(rules, {"charts": "2008", "home_team": home, "away_team": away})

    assert pair("CHI", "GB") == "home-navy away-green"
    assert pair("GB", "KC") == "home-green away-gold"  # green and red look alike to some people
    assert pair("DAL", "NYG") == "home-navy away-red"
    assert pair("Oakland", "St. Louis") == "home-black away-blue"


def test_every_pair_of_teams_is_distinguishable() -> None:
    from hashmark.web.svg.team_colors import _distinct_color

    for home, away in permutations(TEAM_COLOURS.values(), 2):
        chosen = _distinct_color(home[0], away)
        assert not are_similar(home[0], chosen)


def test_every_team_of_the_league_has_colors() -> None:
    assert set(TEAM_COLOURS) == set(teams.NAMES)
    assert FORMER_CODES.items() >= CURRENT_CODES.items()
    assert set(FORMER_CODES.values()) <= set(TEAM_COLOURS)
    for first, second in TEAM_COLOURS.values():
        assert first != second
        assert {first, second} <= set(TEAM_COLORS)
