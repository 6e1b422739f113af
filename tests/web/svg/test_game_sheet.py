"""Game sheets of every game at every turn, and every kind of part."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.drawings import (
    Box,
    BoxLine,
    BoxSheet,
    Card,
    Cards,
    Chart,
    ChartCell,
    ChartRow,
    Choice,
    Choices,
    Drawing,
    DrawnDie,
    Slot,
    Slots,
    TextPart,
    Tray,
)
from hashmark.engine.record import AWAY, HOME
from hashmark.session.redaction import VIEWERS, view_for
from hashmark.web.svg import draw_game_sheet
from hashmark.web.svg.game_sheet import render_drawing
from web.svg.game_positions import GAMES, check_markup, elements, new_game, positions, text_of

EVERY = {"data-driven": 7, "rapid-roll": 7, "two-minute-drill": 1}


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_is_drawn_for_every_viewer(name: str) -> None:
    css_classes: set[str] = set()
    for game in positions(name, seed=8, every=EVERY.get(name, 3)):
        for viewer in VIEWERS:
            root = check_markup(draw_game_sheet(view_for(game, viewer), viewer))
            calls = [element.get("value") for element in elements(root, "button")]
            asked = game.wants_call and game.team_to_act == viewer
            assert not calls or asked
            assert len(set(calls)) == len(calls)
            legal = {game.rules.calls[call] for call in game.legal_calls()} if asked else set()
            assert set(calls) <= legal
            css_classes |= {element.get("class", "") for element in root.iter()}
    assert any(name.startswith("part part-") for name in css_classes)


def test_a_game_without_a_drawing_has_no_sheet() -> None:
    rules = replace(
        registry.load("fourth-down"),
        presentation=replace(registry.load("fourth-down").presentation, make_drawing=None),
    )
    assert draw_game_sheet(new_game(rules)) == ""
    silent = replace(
        rules, presentation=replace(rules.presentation, make_drawing=lambda game, viewer: None)
    )
    assert draw_game_sheet(new_game(silent)) == ""
    empty = replace(
        rules,
        presentation=replace(
            rules.presentation, make_drawing=lambda game, viewer: Drawing("Nothing", [])
        ),
    )
    assert draw_game_sheet(new_game(empty)) == ""


def render_parts(*parts: Any) -> Any:
    drawing = Drawing("Paper & <pencil>", parts)
    return check_markup(render_drawing(drawing, ("Otters", "Herons")))


def test_the_sheet_has_an_accessible_name() -> None:
    assert render_parts(TextPart("a < b"))[0].get("aria-label") == "Paper & <pencil>"


def test_dice_that_stand_for_a_call_are_buttons() -> None:
    dice = [
        DrawnDie("d6", 5, "d6a", HOME, call="yards:d6a"),
        DrawnDie("d6", 3, "d6b", AWAY, note="top"),
    ]
    root = render_parts(Tray("On the table", dice, "Pips: 2."))
    button = elements(root, "button")[0]
    assert (button.get("value"), button.get("data-die")) == ("yards:d6a", "d6a")
    assert len(elements(root, "button")) == 1
    assert text_of(elements(root, "li")[1]) == "d6b: 3 d6b top"
    assert "Pips: 2." in text_of(root)


def test_choices_name_their_dice() -> None:
    choice = Choice(
        "referee:d6a,dta", [DrawnDie("d6", 2, "d6a"), DrawnDie("d6", 5, "dta")], "2 + 5 = 7"
    )
    button = elements(render_parts(Choices("Which pair?", [choice])), "button")[0]
    assert button.get("value") == "referee:d6a,dta"
    assert button.get("data-dice") == "d6a dta"
    assert text_of(button) == "d6a: 2 d6a dta: 5 dta 2 + 5 = 7"


def test_dice_are_named_in_words_where_they_have_a_label() -> None:
    die = DrawnDie("d6", 2, "d6a", HOME, label="first blue d6")
    choices = Choices("Which?", [Choice("yards:d6a", [die], "gain of 2")], "Pick one.")
    root = render_parts(Tray("On the table", [die]), choices)
    lying = elements(root, "li")[0][0]
    assert (lying.get("data-die"), lying.get("data-label")) == ("d6a", "first blue d6")
    assert "first blue d6: 2 first blue d6" in text_of(lying)
    assert elements(root, "button")[0].get("data-dice") == "d6a"
    assert "Pick one." in text_of(root)


def test_slots_show_label_dice_and_text() -> None:
    root = render_parts(
        Slots("Pairs", [Slot("Referee", [DrawnDie("d6", 3)], "7: good"), Slot("Side")])
    )
    assert text_of(root) == "Pairs Referee d6: 3 7: good Side"


def test_a_line_without_calls_is_read_as_one_image() -> None:
    boxes = [Box("12", "hit"), Box("34"), Box("", "crossed"), Box("", "crossed"), Box()]
    root = render_parts(
        BoxSheet("Clock", [BoxLine("Numbers", boxes, "5 left"), BoxLine("", [Box("x", call="go")])])
    )
    first, second = (element for element in root.iter() if element.get("class") == "boxes")
    assert first.get("role") == "img"
    assert first.get("aria-label") == "Numbers: 12 (read), 34, 2 used, 1 blank"
    assert second.get("role") is None  # there is a button in it
    assert elements(second, "button")[0].get("value") == "go"


def test_a_chart_is_a_table_with_headings() -> None:
    rows = [
        ChartRow("10", [ChartCell("4", "green", "hit"), ChartCell("INC", "black")], current=True)
    ]
    root = render_parts(Chart("Draw", ["dice", "+0", "+1"], rows, HOME, note="they add up"))
    assert text_of(elements(root, "caption")[0]) == "Draw"
    assert [element.get("scope") for element in elements(root, "th")] == [
        "col",
        "col",
        "col",
        "row",
    ]
    hit, other = elements(root, "td")
    assert text_of(hit) == "4 (read)"
    assert set(hit.get("class", "").split()) == {"ground-green", "mark-hit"}
    assert text_of(other) == "INC"
    frame = next(element for element in root.iter() if element.get("class") == "chart-frame")
    assert frame.get("tabindex") == "0"  # it scrolls by keys
    assert frame.get("aria-label") == "Draw"


def test_cards_lie_open_or_face_down() -> None:
    cards = [Card("play", "draw", HOME), Card("play", "", AWAY), Card("play", is_played=False)]
    items = elements(render_parts(Cards("Calls", cards)), "li")
    assert [text_of(item) for item in items] == [
        "Otters: play draw",
        "Herons: play face down",
        "play not called yet",
    ]
    assert [item.get("class", "").split()[1] for item in items] == [
        "card-open",
        "card-down",
        "card-empty",
    ]
