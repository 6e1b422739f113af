"""Phrases about teams and the field."""

from __future__ import annotations

import pytest

from hashmark.engine.record import TEAMS
from hashmark.text import phrases


@pytest.mark.parametrize(
    ("team", "spot", "said"),
    [
        (0, 30, "the home 30"),
        (0, 50, "midfield"),
        (0, 51, "the away 49"),
        (1, 99, "the home 1"),
        (1, 1, "the away 1"),
    ],
)
def test_yard_lines_are_named_after_the_nearer_goal(team: int, spot: int, said: str) -> None:
    assert phrases.yard_line(team, spot, TEAMS) == said


def test_yard_lines_use_team_names() -> None:
    assert phrases.yard_line(0, 80, ("Otters", "Herons")) == "the Herons 20"


def test_yards_have_a_noun_and_sentences_a_capital() -> None:
    assert [phrases.yards_text(n) for n in (0, 1, -1, 2)] == [
        "0 yards",
        "1 yard",
        "-1 yards",
        "2 yards",
    ]
    assert phrases.capitalize("he runs.") == "He runs."
    assert phrases.capitalize("") == ""


@pytest.mark.parametrize(("number", "said"), [(1, "1st"), (11, "11th"), (22, "22nd"), (33, "33rd")])
def test_ordinals_have_english_endings(number: int, said: str) -> None:
    assert phrases.ordinal(number) == said


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("home", "Home tries its luck and misses."),
        ("Bombers", "The Bombers try their luck and miss."),
        ("The Bombers", "The Bombers try their luck and miss."),
        ("Arizona Cardinals", "The Arizona Cardinals try their luck and miss."),
        ("Dallas", "Dallas tries its luck and misses."),
        ("St. Louis", "St. Louis tries its luck and misses."),
        ("ARI", "ARI tries its luck and misses."),
        ("Express", "Express tries its luck and misses."),
    ],
)
def test_verbs_agree_with_the_team(name: str, text: str) -> None:
    assert phrases.team_sentence(name, "[tries] [its] luck and [misses]") == text


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("has", "have"),
        ("is", "are"),
        ("goes", "go"),
        ("loses", "lose"),
        ("chooses", "choose"),
        ("catches", "catch"),
        ("passes", "pass"),
        ("muffs", "muff"),
        ("carries", "carry"),
    ],
)
def test_plural_verbs(singular: str, plural: str) -> None:
    assert phrases.plural_form(singular) == plural


@pytest.mark.parametrize(
    ("down", "to_go", "spot", "text"),
    [
        (1, 10, 46, "1st & 10 at the ARI 46"),
        (3, 7, 60, "3rd & 7 at the PIT 40"),
        (4, 8, 92, "4th & goal at the 8"),
        (2, 70, 30, "2nd & goal at the ARI 30"),
        (2, 1, 50, "2nd & 1 at midfield"),
    ],
)
def test_downs_read_as_on_a_broadcast(down: int, to_go: int, spot: int, text: str) -> None:
    assert phrases.down_text(down, to_go, 0, spot, ("ARI", "PIT")) == text


def test_gains_and_losses_have_their_verb() -> None:
    assert [phrases.gain_text(n) for n in (8, 0, -1)] == [
        "[gains] 8 yards",
        "[gains] nothing",
        "[loses] 1 yard",
    ]
