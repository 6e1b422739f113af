"""Drawings of single dice of each kind."""

from __future__ import annotations

import pytest

from hashmark.engine.drawings import DrawnDie
from hashmark.engine.record import AWAY, HOME
from hashmark.web.svg.die_shapes import PIPS, body_color, die_group, die_svg, die_title, sides_of
from web.svg.game_positions import check_markup, elements, parse_markup, text_of

KINDS = ("d4", "d8", "d10", "d12", "d20", "d100", "coin", "d2", "d3", "d7", "ten-sided die", "odd")


@pytest.mark.parametrize("face", PIPS)
def test_a_d6_has_pips(face: int) -> None:
    root = check_markup(die_svg(DrawnDie("d6", face, team=HOME)))
    pips = next(element for element in root.iter() if element.get("class") == "pip")
    assert pips.get("d", "").count("M") == face == len(PIPS[face])
    assert not elements(root, "text")


@pytest.mark.parametrize("kind", KINDS)
def test_other_dice_have_an_outline_and_a_numeral(kind: str) -> None:
    root = check_markup(die_svg(DrawnDie(kind, 2, team=AWAY)))
    assert text_of(elements(root, "text")[0]) == "2"
    assert any(element.get("class") == "die-body" for element in root.iter())


def test_dice_of_different_kinds_have_different_outlines() -> None:
    drawn = {
        str(die_group(DrawnDie(kind, 1), 0, 0, 64)) for kind in ("d4", "d6", "d8", "d10", "d12")
    }
    assert len(drawn) == 5


def test_names_sides_and_colors_of_dice() -> None:
    assert die_title(DrawnDie("d6", 5, "d6a")) == "d6a: 5"
    assert die_title(DrawnDie("d6", 5, mark="faint")) == "d6: 5, left out"
    assert (sides_of("d20"), sides_of("ten-sided die"), sides_of("black die")) == (20, 10, 0)
    assert (body_color("black die"), body_color("d6")) == ("black", "")


def test_dice_of_the_visitors_have_a_second_edge() -> None:
    edges = [
        sum(
            element.get("class") == "die-edge"
            for element in parse_markup(die_svg(DrawnDie("d6", 3, team=team))).iter()
        )
        for team in (HOME, AWAY)
    ]
    assert edges == [0, 1]


def test_dice_with_a_color_of_their_own_keep_it() -> None:
    svg = parse_markup(die_svg(DrawnDie("black die", 3, team=HOME)))[0]
    assert "body-black" in svg.get("class", "")
    assert "is-home" not in svg.get("class", "")


def test_a_hidden_die_has_no_role() -> None:
    svg = parse_markup(die_svg(DrawnDie("d6", 3), hidden=True))[0]
    assert svg.get("aria-hidden") == "true"
    assert svg.get("role") is None
