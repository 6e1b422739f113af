"""Rapid Roll Football: charts, odds of the rule notes, statistics, sheet and coaches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.errors import HashmarkError, InvalidPosition
from hashmark.games.rapid_roll import RULES, cells, numbers, options
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import sheet as rapid_sheet
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.words import list_tables
from hashmark.odds import enumeration, outlook
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.sheets import blank_sheet, render, sheet_of
from hashmark.sheets.document import Boxes
from hashmark.sim import simulate

NOTES = Path(__file__).parents[3] / "docs" / "reference" / "rules" / "rapid-roll.md"
M = RULES.new_match()
LINE = [13, 41, 55, 62, 31, 15] * 20


def position_at(**json: Any) -> Any:
    start = {"phase": "scrimmage", "possession": "home", "clock": 20, "spot": 40, "log": LINE}
    return RULES.new_position(M, {**start, **json})


def outcomes(g: p.Position, call: str) -> list[tuple[Fraction, Any]]:
    """Return every position that a call can lead to, with its exact chance."""
    return [
        (chance, end)
        for chance, end, _ in enumeration.enumerate_step(RULES, M, g, RULES.call_codes[call])
    ]


def chance(g: p.Position, call: str, holds: Callable[[Any], bool]) -> Fraction:
    """Return the exact chance that a position after the call satisfies a condition."""
    return sum((odds for odds, end in outcomes(g, call) if holds(end)), Fraction(0))


def play_game(coach: str = "random", number: int = 0, **more: Any) -> Game:
    """Return a finished game."""
    game = Game(RULES, more, dice=SeededDice(8, number), seed=8, number=number)
    while not game.is_over:
        game.play(game.decide(RULES.coach(coach)))
    return game


# --- The charts --------------------------------------------------------------------------

# A second transcription, in the rulebook's own wording and order: one line for each row.
PRINTED_PLAYS = """
0-FUMBLE;0-FUMBLE;long gain;long gain;22;touchdown!;0-FUMBLE;defense 8;30
FLAG;FLAG;scramble;scramble;long gain;inc;long gain;defense 15;20
(2);(x2);inc;(x2) ob;scramble;scramble;ball ob;offense 0;10 TM
5;8 ob;inc;inc;inc;inc;(x2);def - long!;3
2;(1) ob;(2);inc;inc;inc;rd;defense 0;0
loss;loss;(1);(x2);inc;long gain;fair catch;defense 0;long gain
1;-5;(x2);inc;25 ob;inc;(2);defense 0;0
(1);6;(2) ob;13;inc;inc;(1);offense 0;7
6;3;inc;17;29;inc;loss TM;defense 5;15
(x2);(2) ob;FLAG;FLAG;INT 20;INT 30;(2);defense 10;25
long gain;long gain;INT 8;INT 12;FLAG;FLAG;FLAG;defense 20;0-FUMBLE
"""
PRINTED_KICKS = """
blocked -8;blocked -12;FUM -15;fum at 10 yl;+20 to RT;KT 5+;off 10;off 15;off 15
61;64;35, rd;long gain from 2 yl;+16 to RT;RT 15;def 15+;def 15+;def 5
55;58;ob at 5 yl;long gain from 2 yl;+9 to KT;KT 5;off 15;def 5+;def 15+
52;50;29, rd;ret to 18 yl;+14 to RT;RT 5;def 5;Off 5 TM;off 10
48;45;rd from 12 yard line;ret to 25 yl;+11 to RT;RT 10;off 5;off 10;off 5
45;42;rd from 12 yard line;ret to 20 yl;+12 to KT;RT 10;off 10 TM;DPI;off 5
42;38;30;ret to 15 yl;+10 to RT;RT 10;off 10;off 10;def 5
38;32;touchback;ret to 30 yl;+8 to RT;KT 5+;off 5;def 5;off 10
34;27;40;ret to 40 yl;+6 to RT;KT 10;def 5+;def 10;def 5+
missed!;21;35;touchback;+13 to RT;KT 15+;def 5+;off 5;off 15
FLAG;FLAG;FLAG;FLAG;+18 to RT;RT 5;def 10;off 15;off 10
"""


def as_transcribed(cell: str) -> str:
    """Return a cell in the rulebook's wording as the package writes it."""
    cell = cell.replace("def - long!", "defense long").replace("!", "").replace(",", "")
    cell = cell.replace("long gain", "long").replace("FUM ", "fumble ").replace("fum ", "fumble ")
    cell = re.sub(r" (yl|yard line)$", "", cell).replace("Off", "off")
    return re.sub(r"^\+(\d+) to (RT|KT)$", r"\2 \1", cell)


def test_charts_equal_a_second_transcription() -> None:
    for chart, printed in zip(t.CHARTS, (PRINTED_PLAYS, PRINTED_KICKS), strict=True):
        rows = [
            [as_transcribed(cell) for cell in line.split(";")]
            for line in printed.strip().splitlines()
        ]
        assert [list(column) for column in zip(*rows, strict=True)] == list(chart.values())


def test_charts_equal_the_notes() -> None:
    match = re.search(r"```json\n(.*?)```", NOTES.read_text(encoding="utf-8"), re.S)
    assert match is not None
    notes = json.loads(match.group(1))
    assert notes["columns"] == t.CELLS
    assert {column: tuple(rows) for column, rows in notes["shading"].items()} == t.SHADING


def test_every_cell_is_parsed_as_it_is_printed() -> None:
    for column, name in enumerate(t.COLUMNS):
        for row in t.SUMS:
            kind = t.KINDS[t.KIND[column, row]]
            cell = re.sub(r"\bn\b", str(t.YARDS[column, row]), kind)
            marks = t.MARKS[column, row]
            cell += {0: "", t.OUT_OF_BOUNDS: " ob", t.TIME_OUT: " TM", t.PLUS: "+"}[marks]
            assert cell == t.CELLS[name][row - 2]


def test_unreadable_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        t.parse_cell("gain of many")


# --- The figures of the notes ------------------------------------------------------------


def test_sums_and_steps_occur_as_often_as_the_notes_say() -> None:
    rolls = numbers.NUMBERS
    sums = [sum(numbers.sum_of(roll) == total for roll in rolls) for total in t.SUMS]
    assert sums == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    steps = [sum(numbers.step_of(roll) == step for roll in rolls) for step in range(1, 7)]
    assert steps == [10, 8, 6, 4, 2, 6]
    limits = {
        total: sorted({numbers.step_of(roll) for roll in rolls if numbers.sum_of(roll) == total})
        for total in t.SUMS
    }
    assert list(limits.values()) == [
        [6],
        [1],
        [2, 6],
        [1, 3],
        [2, 4, 6],
        [1, 3, 5],
        [2, 4, 6],
        [1, 3],
        [2, 6],
        [1],
        [6],
    ]
    assert sum(numbers.is_double(roll) for roll in rolls) == 6
    assert sum(numbers.sum_of(roll) % 2 == 0 for roll in rolls) == 18
    for digit in range(1, 7):
        assert sum(numbers.first_digit(roll) == digit for roll in rolls) == 6


def test_fumbles_are_lost_29_times_in_36() -> None:
    g = position_at(log=[], last_play="line-run", down=2)
    lost_odds = kept_odds = Fraction(0)
    for odds, end in outcomes(g, "line-run"):
        if 11 in (end.roll, end.log[1]):
            if end.possession == 0 and end.stats[0][p.TURNOVERS] == 0:
                kept_odds += odds
            else:
                lost_odds += odds
    assert lost_odds + kept_odds == Fraction(1, 36)
    assert lost_odds * 36 == Fraction(29, 36)


def test_the_kicking_team_recovers_9_of_36_onside_kicks() -> None:
    g = RULES.new_position(M, {"phase": "kickoff"})
    assert chance(g, "onside", lambda end: end.possession == 0) == Fraction(9, 36)


def test_an_extra_point_is_good_on_32_of_36_rolls() -> None:
    """32/36 at once; 32/35 counting replayed FLAGs without their penalties."""
    g = RULES.new_position(M, {"phase": "try", "possession": "home", "log": []})
    at_once = chance(g, "extra-point", lambda end: end.score[0] == 1 and not end.flagged)
    flagged = [(odds, end) for odds, end in outcomes(g, "extra-point") if end.roll == 66]
    again = sum((odds for odds, end in flagged if end.result == p.GOOD), Fraction(0))
    dropped = chance(g, "extra-point", lambda end: end.score[0] == 1 and end.log[1] == 66)
    assert at_once - dropped == Fraction(32, 36)
    assert Fraction(32, 36) + again + dropped == Fraction(32, 35)


def test_a_sneak_gains_a_yard_on_26_of_36_rolls() -> None:
    assert chance(position_at(), "sneak", lambda end: end.at == 41) == Fraction(26, 36)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_odds_of_whole_plays_count_yards_through_the_windows(engine: str) -> None:
    """The yards count when the play is settled, after its windows."""
    code = RULES.call_codes["sneak"]
    one_step = outlook(RULES, M, position_at(), code, engine)
    whole = outlook(RULES, M, position_at(), code, engine, through=True)
    assert one_step.mean("yards", 0) == 0
    assert whole.mean("yards", 0) == pytest.approx(26 / 36)
    assert {end.position.window for end in whole.outcomes} == {p.NONE}
    assert len(whole.outcomes) == 36


def test_a_long_gain_is_18_to_66_yards_or_all_the_way() -> None:
    assert numbers.LONG_GAIN.odds[-1] == (numbers.ALL_THE_WAY, Fraction(6, 36))
    gains = [gain for gain, _ in numbers.LONG_GAIN.odds[:-1]]
    assert (min(gains), max(gains)) == (18, 66)


@pytest.mark.parametrize(
    ("column", "flags"),
    [
        ("line-run", 2),
        ("end-run", 2),
        ("short-pass", 2),
        ("medium-pass", 2),
        ("deep-pass", 1),
        ("long-pass", 1),
        ("punt-return", 1),
        ("field-goal", 1),
        ("punt", 1),
        ("short-punt", 1),
        ("kickoff", 1),
        ("onside", 0),
    ],
)
def test_each_column_has_the_stated_number_of_flags(column: str, flags: int) -> None:
    index = t.COLUMNS.index(column)
    rolls = [numbers.sum_of(roll) for roll in numbers.NUMBERS]
    assert sum(t.KIND[index, row] == t.FLAG for row in rolls) == flags


def test_line_run_is_below_the_sneak_for_one_yard() -> None:
    """G1: 22/36 at once for the line run, 26/36 for the sneak."""
    short = position_at(down=3, to_go=1, log=[])
    made = Fraction(0)
    for odds, end in outcomes(short, "line-run"):
        if end.rewinds == 0 and end.window == p.MAGIC_CHOICE and end.at > 40:
            made += odds
    assert made == Fraction(5 + 4 + 3, 36)  # rows 8, 5 and 10 need no further number
    gains = [
        Fraction(sum(cells.gain_by_number(kind, 0, n) >= 1 for n in numbers.NUMBERS), 36)
        for kind in (t.FIRST_DIGIT, t.SUM, t.TWICE_SUM, t.LONG)
    ]
    assert gains == [1, 1, 1, 1]
    assert made + Fraction(4 + 3 + 2 + 1, 36) == Fraction(22, 36)


# --- Numbers and the line ----------------------------------------------------------------


def test_rewinds_are_reported_as_events() -> None:
    g = position_at(log=[13, 41, 55, 62, 31, 15], down=2, to_go=7, spot=30)
    rewinds = []
    for number in range(200):
        game = Game(RULES, {}, dice=SeededDice(1, number), start=g.to_json())
        turn = game.play_named("trick-pass")
        if game.position.roll == 31 or 31 in game.position.log[7:8]:
            rewinds = [event.values for event in turn.events if event.name == "rewinds"]
            break
    assert rewinds == [(31, 2, 1), (55, 4, 2)]
    assert "Home rewinds 2 places to 31." in " ".join(game.sentences(turn))


def test_a_long_overtime_ends_when_the_lines_are_full() -> None:
    """G62 with `until-decided`: another period begins only while there is room for it."""
    full = p.MAX_LOG_NUMBERS - 1
    start = {"phase": "scrimmage", "possession": "home", "spot": 50, "period": 10, "clock": 1}
    for length, phase in ((full, "over"), (full - 40, "scrimmage")):
        game = Game(
            RULES,
            {"overtime": "until-decided"},
            dice=SeededDice(1),
            start={**start, "log": [34] * length},
        )
        while game.position.log[0] == length and not game.is_over:
            default = game.question.default
            game.play(default if game.question.is_window else RULES.call_codes["sneak"])
        assert p.PHASES[game.position.phase] == phase


# --- Statistics --------------------------------------------------------------------------


@pytest.mark.parametrize("coach", [coach.name for coach in RULES.coaches])
@pytest.mark.parametrize("number", range(2))
def test_statistics_equal_those_recomputed_from_the_log(
    coach: str, number: int, tmp_path: Path
) -> None:
    """The running totals of the position equal those counted from the replayed log."""
    records = {"home": [10, 6], "away": [9, 7]} if number % 2 else None
    match_options = {"records": records} if records else {}
    header = Header(RULES.name, seed=8, game_number=number, options=match_options)
    game = header.new_game()
    writer = log.LogWriter.create(tmp_path / "game.log", header)
    while not game.is_over:
        writer.write_turn(game, game.play(game.decide(RULES.coach(coach))))
    writer.close()
    back = log.replay(tmp_path / "game.log").game
    names = RULES.statistics.names
    for team, counts in enumerate(back.statistics()):
        counted = dict(zip(names, counts, strict=True))
        running = dict(zip(p.TALLY, game.position.stats[team], strict=True))
        assert {key: counted[key.replace(".", "_")] for key in p.TALLY} == running
        assert counted["points"] == game.position.score[team]
        assert counted["yards"] == (
            running["passing.yards"] + running["rushing.yards"] - running["sacked.yards"]
        )


def test_turn_by_turn_statistics_agree() -> None:
    """The totals agree after every turn, not only at the end."""
    for number in range(3):
        game = Game(RULES, {}, dice=SeededDice(9, number), seed=9, number=number)
        while not game.is_over:
            game.play(game.decide(RULES.coach("bold")))
            counts = game.statistics()
            assert [row[2:] for row in counts] == game.position.stats


def test_numbers_written_are_those_of_the_clock() -> None:
    for number in range(10):
        game = play_game(number=number)
        written = [
            event.number for turn in game.turns for event in turn.events if event.name == "writes"
        ]
        g = game.position
        assert written == g.log[1 : 1 + g.log[0]]
        left_over = g.clock if g.period > 4 else 0
        assert len(written) == 40 * g.period - left_over


# --- Options and set-up positions ----------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("records", {"home": [10, 6]}, "the record of away is missing"),
        ("records", {"hime": [10, 6], "away": [1, 2]}, "did you mean 'home'"),
        ("records", {"home": [10], "away": [1, 2]}, "give wins and losses"),
        ("records", {"home": [10, -1], "away": [1, 2]}, "list of whole numbers"),
        ("records", {"home": "10-6", "away": [1, 2]}, "list of whole numbers"),
        ("records", "{", "not JSON"),
        ("records", 7, "expected an object"),
        ("shading", {"line-rum": [6]}, "did you mean 'line-run'"),
        ("shading", {"line-run": [13]}, "row 13 is not between 2 and 12"),
        ("shading", {"punt": [6]}, "unknown column"),
        ("numbers_per_quarter", 0, "1 to 80"),
        ("overtime", "sudden", "allowed: single"),
        ("decline", "maybe", "allowed: false, true"),
    ],
)
def test_invalid_options_are_refused(name: str, given: Any, message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        RULES.new_match({name: given})


def test_options_may_be_given_as_text() -> None:
    m = RULES.new_match({"records": '{"home": [10, 6], "away": [7, 9]}', "shading": "{}"})
    assert m.magic == [8, 0]
    assert not any(any(row) for row in m.shading)
    assert options.parse_records("none") is None
    assert options.magic_yards({"home": (8, 8, 1), "away": (8, 8)}) == [2, 0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"log": [17]}, "two dice cannot show 17"),
        ({"log": [34] * 399}, "only 400 numbers"),
        ({"clock": 41}, "a quarter has 40 numbers"),
        ({"clock": 0}, "phase scrimmage needs time left in period 1"),
        ({"phase": "coin-toss", "period": 2}, "needs an overtime period, 5 or later"),
        ({"spot": 95, "to_go": 6}, "beyond the goal line"),
        ({"phase": "kickoff", "possession": None}, "needs possession"),
        ({"spot": None}, "needs a spot"),
        ({"window": "penalty"}, "needs call, roll, play and carrier"),
        ({"window": "clock"}, "needs roll, the number about to go on the clock line"),
        ({"stats": {"home": {"passing": {"yard": 3}}}}, "passing.yards"),
        ({"stats": {"home": 3}}, "expected an object with counts"),
    ],
)
def test_impossible_positions_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        position_at(**given)


def test_a_partial_tally_keeps_the_rest() -> None:
    g = position_at(stats={"home": {"passing": {"yards": 30}, "turnovers": 2}})
    assert g.stats[0][p.PASSING_YARDS] == 30
    assert g.stats[0][p.TURNOVERS] == 2
    assert g.to_json()["stats"]["home"]["rushing"] == {"attempts": 0, "yards": 0, "touchdowns": 0}


# --- Coaches -----------------------------------------------------------------------------


def test_reading_the_line_wins_games() -> None:
    """The reader beats the planner, and the planner the book, by over three standard errors."""
    for home, away, games in (("reader", "planner", 1300), ("planner", "book", 300)):
        margin = simulate("rapid-roll", games, home=home, away=away, seed=3).margin()
        assert margin.mean > 3 * margin.error


def test_the_planner_ignores_the_line() -> None:
    """With another line the planner makes the same calls; the reader's calls change."""
    calls: dict[str, set[int]] = {"planner": set(), "reader": set()}
    for shift in range(12):
        line = [numbers.NUMBERS[(7 * i + 5 * shift * i + shift) % 36] for i in range(60)]
        for name, codes in calls.items():
            codes.add(RULES.decide(RULES.coach(name), M, position_at(log=line, down=2, to_go=7)))
    assert len(calls["planner"]) == 1
    assert len(calls["reader"]) > 1


# --- Words and the sheet -------------------------------------------------------------------


def test_every_event_has_its_sentence() -> None:
    seen = set()
    for number in range(12):
        for coach in ("random", "bold"):
            game = play_game(coach, number, records={"home": [16, 0], "away": [0, 16]})
            for turn in game.turns:
                seen |= {event.name for event in turn.events}
                assert all(game.sentences(turn))
    missing = {event.name for event in RULES.statistics.kinds} - seen
    assert missing <= {"throws long", "toss won", "kicks again", "repeated"}


def test_charts_for_people_have_every_cell() -> None:
    plays, kicks = list_tables()
    assert [row[1:] for row in plays[2]][4][0] == "2 *"
    assert [row[0] for row in kicks[2]] == [str(total) for total in t.SUMS]


def test_the_sheet_has_the_clock_lines() -> None:
    for number in range(4):
        game = play_game("book", number)
        g = game.position
        lines = rapid_sheet.numbers_by_period(game)
        assert [number for line in lines for number in line] == g.log[1 : 1 + g.log[0]]
        assert [len(line) for line in lines[:4]] == [40] * 4
        blocks = [block for block in sheet_of(game).pages[0].blocks if isinstance(block, Boxes)]
        shown = [box.text for row in blocks[1].rows for box in row.boxes if box.text]
        assert shown == [str(number) for number in g.log[1 : 1 + g.log[0]]]


def test_the_sheet_of_a_set_up_game_assigns_its_line_backward() -> None:
    g = position_at(
        period=2, clock=37, log=[*range(11, 17), 21, 22, 23], score={"home": 7, "away": 3}
    )
    game = Game(RULES, {}, dice=SeededDice(1), start=g.to_json())
    assert rapid_sheet.numbers_by_period(game) == [[11, 12, 13, 14, 15, 16], [21, 22, 23]]
    assert "7" in render(sheet_of(game), "text").decode()


def test_sheets_render_in_every_form() -> None:
    for document in (sheet_of(play_game("book", 1)), blank_sheet(RULES)):
        assert "Game clock" in render(document, "text").decode()
        assert render(document, "html").startswith(b"<!")
        assert render(document, "pdf").startswith(b"%PDF")


def test_the_play_by_play_list_has_every_play() -> None:
    game = play_game("bold", 2)
    snaps = sum(event.name == "snaps" for turn in game.turns for event in turn.events)
    plays = rapid_sheet.plays(game)
    assert len(plays) == snaps
    home, away = game.position.score
    assert [play.score for play in plays if play.score][-1] == f"{home}–{away}"
