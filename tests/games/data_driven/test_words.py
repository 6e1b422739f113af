"""Data-Driven Football in words and on paper: meeting cells, what is left, sheets, score pad."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from hashmark.conformance import ConformanceKit
from hashmark.engine import registry
from hashmark.engine.events import EventKind, GameEvent
from hashmark.engine.game import Game, ListedDice
from hashmark.engine.record import AWAY, HOME, TEAMS
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts.cells import is_number, parse
from hashmark.games.data_driven.events import (
    BEGINS_DRIVE,
    CALLS_PLAY,
    COMPLETES,
    FIELD_GOAL_GOOD,
    FLAG,
    LETS_ROLL,
    MEETS,
    OFFSETTING,
    RETURNS,
    RUNS,
    SACKED,
    TRAPPED,
)
from hashmark.games.data_driven.score_pad import BOX_SECONDS, TIMING, blank_score_pad
from hashmark.games.data_driven.sheet import list_plays, on_half
from hashmark.games.data_driven.tables import (
    ACTIONS,
    FORMATIONS,
    PLAYS,
    PRIORITY_ROWS,
    QUARTER_SECONDS,
)
from hashmark.games.data_driven.words import sentence, sheet_text, tally_plays_called
from hashmark.session.redaction import SPECTATOR, view_for
from hashmark.sheets import blank_sheet, render, sheet_of
from hashmark.sheets.document import Boxes, Cards, Columns, Document, Table
from hashmark.sheets.pagination import paginate
from hashmark.sheets.paper_sizes import Paper
from hashmark.sheets.shared_blocks import call_table
from hashmark.text.answers import question_lines
from hashmark.text.game_report import dice_on_table, drive_rows
from hashmark.text.summary import END_OF_GAME

DOWN = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 3, "to_go": 6}


def game(options: dict[str, Any], home: list[int], away: list[int], **start: object) -> Game:
    return Game(RULES, options, dice=ListedDice([home, away]), start={**DOWN, **start})


# --- Sentences -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        (RUNS, (8, 38), "The Bombers run for 8 yards to the Bombers 38."),
        (RUNS, (0, 50), "The Bombers run for no gain at midfield."),
        (SACKED, (-8, -2), "The Bombers are sacked for a loss of 8 yards in the Bombers end zone."),
        (
            COMPLETES,
            (12, 100),
            "The Bombers complete a pass for 12 yards into the Dallas end zone.",
        ),
        (
            RETURNS,
            (-1, 20),
            "The Bombers are stopped on the return for a loss of 1 yard at the Bombers 20.",
        ),
        (BEGINS_DRIVE, (92,), "The Bombers take over: 1st & goal at the 8."),
        (FIELD_GOAL_GOOD, (25,), "The Bombers kick a 25-yard field goal."),
        (FLAG, (p.DEF_15, 0), "The Bombers are flagged for a personal foul."),
        (TRAPPED, (), "The Bombers have their quarterback trapped."),
        (CALLS_PLAY, (1, 5), "The Bombers call an off-tackle run against a blitz."),
        (OFFSETTING, (), "Offsetting penalties."),
    ],
)
def test_plural_teams_take_plural_verbs(
    kind: EventKind, values: tuple[int, ...], said: str
) -> None:
    first, second, third = (*values, 0, 0, 0)[:3]
    event = GameEvent(kind, HOME, (first, second, third))
    assert sentence(event, ("Bombers", "Dallas")) == said


# --- Cells that meet -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rolled", "said"),
    [
        (4, "it rolls 4 yards forward"),
        (0, "it stops where it landed"),
        (-1, "it rolls 1 yard back"),
    ],
)
def test_a_rolling_punt_says_its_direction(rolled: int, said: str) -> None:
    """R61: Forward, backward, or not at all."""
    event = GameEvent(LETS_ROLL, HOME, (rolled, 0, 0))
    assert sentence(event, TEAMS) == f"Home lets the punt roll: {said}."


@pytest.mark.parametrize(
    ("offense", "defense", "row", "action", "said"),
    [
        ("8", "", "#", "ADD", "8 against 0: the yards are added (# meets #"),
        ("8*", "(1)", "#", "DEF", "8* against (1): the defense's result counts (# meets (#)"),
        ("INC", "-4", "INC", "OFF", "INC against -4: the offense's result counts (INC meets #"),
        ("13", "1", "B", "ADD", "13 against 1: the yards are added (B meets #"),
        (
            "INT 8",
            "(TD)",
            "INT",
            "INC",
            "INT 8 against (TD): the pass is incomplete (INT meets (TD)",
        ),
        (
            "F 8",
            "(1)",
            "F",
            "F@DEF",
            "F 8 against (1): fumble at the defense's yardage (F meets (#)",
        ),
        (
            "INT 8",
            "INT 9",
            "INT",
            "SHORT",
            "INT 8 against INT 9: the shorter one counts (INT meets INT",
        ),
    ],
)
def test_the_sentence_names_both_cells_and_which_counts(
    offense: str, defense: str, row: str, action: str, said: str
) -> None:
    packed = PRIORITY_ROWS.index(row) * len(ACTIONS) + ACTIONS.index(action)
    event = GameEvent(MEETS, HOME, (parse(offense), parse(defense), packed))
    assert RULES.words.sentence(event, TEAMS) == f"{said} on the Priority Chart)."


def test_meeting_cells_are_emitted_on_plays_and_on_returns() -> None:
    played = ConformanceKit(RULES.name, seed=6).play_game({}, 0, "book")
    met = [turn for turn in played.turns if any(event.kind is MEETS for event in turn.events)]
    kinds = {p.CALLS[turn.call] in FORMATIONS for turn in met}
    assert kinds == {True, False}
    for turn in met:
        cells = [roll.cell for roll in turn.rolls if roll.cells is not None]
        for event in turn.events:
            if event.kind is MEETS:
                assert {event.offense_cell, event.defense_cell} <= set(cells)


def test_a_breakaway_meets_in_its_own_row() -> None:
    """The row is B where a play broke away for a number, and nowhere else."""
    broke = 0
    for number in range(4):
        for turn in ConformanceKit(RULES.name, seed=6).play_game({}, number, "book").turns:
            names = [event.name for event in turn.events]
            for event in turn.events:
                if event.kind is MEETS:
                    away = names[names.index("meets") - 1] == "breaks away"
                    away = away and is_number(event.offense_cell)
                    assert ("(B meets" in RULES.words.sentence(event, TEAMS)) == away
                    broke += away
    assert broke


# --- At the question -----------------------------------------------------------------------


def test_what_is_left_is_shown_on_the_table_and_at_the_call() -> None:
    played = game({"audibles": "board", "max_usage": "true"}, [], [])
    assert dice_on_table(played) == [
        " Remaining: time-outs 3-3, hurry-ups 14-9, audibles 2-1 (offense) 1-2 (defense)"
    ]
    assert "  1 line-plunge    run straight up the middle: short and safe (14 left)" in [
        line.replace("   1 ", "  1 ") for line in question_lines(played)
    ]
    off = game({"audibles": "off", "max_usage": "false"}, [], [])
    assert dice_on_table(off) == [" Remaining: time-outs 3-3, hurry-ups 14-9"]
    assert not any("left)" in line for line in question_lines(off))


def test_the_other_teams_play_is_shown_once_it_is_revealed() -> None:
    played = game({"audibles": "board"}, [], [])
    played.play_named("draw")
    assert not any("draw" in line for line in dice_on_table(view_for(played, AWAY)))
    played.play_named("blitz")
    for viewer in (HOME, AWAY, SPECTATOR):
        assert (
            dice_on_table(view_for(played, viewer))[0]
            == " Home has called draw. Away has called blitz."
        )


def test_calls_are_described_in_football_terms() -> None:
    for name in (*PLAYS, *FORMATIONS):
        text = RULES.words.call_meanings[name]
        assert not any(word in text for word in ("play ", "formation"))
        assert len(text) > 20


@pytest.mark.parametrize("spot", [20, 30])
def test_a_touchback_names_its_spot_and_no_other(spot: int) -> None:
    played = game({"touchback_spot": str(spot)}, [], [])
    call = p.CALLS.index("touchback")
    text = RULES.words.meaning_at(played.match, played.position, call, "touchback", TEAMS)
    assert text == f"take the ball at the {spot}"
    assert not any(letter.isdigit() for letter in RULES.words.call_meanings["touchback"])


# --- On paper ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1])
def test_a_game_prints_on_four_pages(number: int) -> None:
    played = ConformanceKit(RULES.name, seed=7).play_game({}, number, "book")
    document = sheet_of(played)
    papers: tuple[Paper, ...] = ("a4", "letter")
    for paper in papers:
        assert sum(len(paginate(page, paper)) for page in document.pages) <= 4


def test_the_drives_on_the_sheet_end_as_in_the_drive_list() -> None:
    ends = set()
    for number in range(8):
        played = ConformanceKit(RULES.name, seed=8).play_game({}, number, "book")
        (table,) = (block for block in blocks(sheet_of(played)) if block.title == "Drives")
        results = [row[2] for row in table.rows]
        assert results == [row[2] for row in drive_rows(played)]
        ends.add(results[-1])
    assert END_OF_GAME in ends


def test_plays_never_called_agree_with_the_box_score() -> None:
    for number in range(4):
        played = ConformanceKit(RULES.name, seed=8).play_game({}, number, "random")
        (left,) = (block for block in blocks(sheet_of(played)) if block.title == "Remaining")
        ((_, *tried),) = tally_plays_called(played)
        for row, called in zip(left.rows, tried, strict=True):
            never = [] if row[-1] == "none" else str(row[-1]).split(", ")
            assert f"{len(PLAYS) - len(never)} of {len(PLAYS)}" == called


def blocks(document: Document) -> Iterator[Table]:
    """Yield the tables of a sheet, including those side by side."""
    for page in document.pages:
        for block in page.blocks:
            inner = chain(*block.columns) if isinstance(block, Columns) else (block,)
            yield from (item for item in inner if isinstance(item, Table))


def test_no_result_is_lost_between_the_plays() -> None:
    played = ConformanceKit(RULES.name, seed=7).play_game({"audibles": "board"}, 2)
    events = [e for turn in played.turns for e in turn.events if sheet_text(e, TEAMS)]
    rows = list_plays(played)
    assert sum(len(row.results) for row in rows) == len(events)
    assert [row.score for row in rows if row.score][-1:] == [
        f"{played.position.score[HOME]}–{played.position.score[AWAY]}"
    ]


def test_yard_lines_on_the_sheet_name_the_half() -> None:
    assert [on_half(spot) for spot in (0, 20, 50, 97)] == ["", "own 20", "50", "opp 3"]


def test_the_pad_has_boxes_of_ten_seconds_cards_and_the_timing_chart() -> None:
    pad, tally, cards, charts, calls = blank_score_pad().pages
    blocks = [block for block in pad.blocks if isinstance(block, Boxes)]
    clock = next(block for block in blocks if block.title == "Time")
    assert [row.label for row in clock.rows] == ["1st", "2nd", "3rd", "4th", "OT"]
    assert {len(row.boxes) for row in clock.rows} == {QUARTER_SECONDS // BOX_SECONDS}
    assert {"Hurry-ups"} <= {block.title for block in blocks}
    tallies = [block for block in tally.blocks if isinstance(block, Boxes)]
    assert [len(block.rows) for block in tallies] == [len(PLAYS)] * 2
    (deck,) = cards.blocks
    assert isinstance(deck, Cards)
    assert [card.sign for card in deck.cards] == list("ABCDEF") * 2
    timing = charts.blocks[0]
    assert isinstance(timing, Table)
    assert list(timing.rows) == list(TIMING)
    assert all(len(paginate(page, "a4")) == 1 for page in blank_score_pad().pages)
    assert "pooch" in str(calls)
    assert "pooch-" not in render(blank_sheet(RULES)).decode()


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_blank_sheets_list_no_call_that_no_question_lists(rules: str) -> None:
    game = registry.load(rules)
    hidden = {call for question in game.questions for call in question.unlisted_calls}
    hidden -= {call for question in game.questions for call in question.calls}
    words = set(render(blank_sheet(game)).decode().split())
    assert not {game.calls[call] for call in hidden} & words


def test_a_call_that_means_something_else_to_another_question_is_listed_twice() -> None:
    rows = call_table(registry.load("fourth-down")).rows
    meanings = [row[1] for row in rows if row[0] == "go-for-it"]
    assert len(set(meanings)) == len(meanings) == 2
    assert len([row for row in rows if row[0] == "field-goal"]) == 1
