"""One die of each kind."""

from __future__ import annotations

import pytest

from hashmark.table.drawings import Die
from hashmark.table.record import AWAY, HOME
from hashmark.web.drawn.shapes import PIPS, body_of, die_svg, die_within, named, sides_of
from web.drawn.moments import look_at, read, tags, words

KINDS = ("d4", "d8", "d10", "d12", "d20", "d100", "coin", "d2", "d3", "d7", "ten-sided die", "odd")


@pytest.mark.parametrize("face", PIPS)
def test_a_d6_has_pips(face: int) -> None:
    root = look_at(die_svg(Die("d6", face, team=HOME)))
    pips = next(one for one in root.iter() if one.get("class") == "pip")
    assert pips.get("d", "").count("M") == face == len(PIPS[face])
    assert not tags(root, "text")


@pytest.mark.parametrize("kind", KINDS)
def test_others_have_an_outline_and_a_numeral(kind: str) -> None:
    root = look_at(die_svg(Die(kind, 2, team=AWAY)))
    assert words(tags(root, "text")[0]) == "2"
    assert any(one.get("class") == "die-body" for one in root.iter())


def test_outlines_differ() -> None:
    drawn = {str(die_within(Die(kind, 1), 0, 0, 64)) for kind in ("d4", "d6", "d8", "d10", "d12")}
    assert len(drawn) == 5


def test_names() -> None:
    assert named(Die("d6", 5, "d6a")) == "d6a: 5"
    assert named(Die("d6", 5, mark="faint")) == "d6: 5, left out"
    assert (sides_of("d20"), sides_of("ten-sided die"), sides_of("black die")) == (20, 10, 0)
    assert (body_of("black die"), body_of("d6")) == ("black", "")


def test_the_visitors_have_a_second_edge() -> None:
    edges = [
        sum(one.get("class") == "die-edge" for one in read(die_svg(Die("d6", 3, team=team))).iter())
        for team in (HOME, AWAY)
    ]
    assert edges == [0, 1]


def test_dice_with_a_colour_of_their_own_keep_it() -> None:
    svg = read(die_svg(Die("black die", 3, team=HOME)))[0]
    assert "body-black" in svg.get("class", "")
    assert "is-home" not in svg.get("class", "")


def test_hidden_where_words_say_the_same() -> None:
    svg = read(die_svg(Die("d6", 3), hidden=True))[0]
    assert svg.get("aria-hidden") == "true"
    assert svg.get("role") is None
