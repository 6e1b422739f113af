"""Roll For Yardage!: its coaches, sheets, options and invariants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hashmark import sheets
from hashmark.conformance import ConformanceKit
from hashmark.engine.game import Game
from hashmark.errors import HashmarkError
from hashmark.games.roll_for_yardage import RULES
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.drives import list_drives
from hashmark.games.roll_for_yardage.rows import build_rows, row_dicts
from hashmark.games.roll_for_yardage.words import period_name
from hashmark.sheets.document import Document, Table
from hashmark.sim import simulate

SENSIBLE = ("book", "cautious", "bold")
OTHER_OPTIONS = {
    "plays_per_quarter": 15,
    "season": "postseason",
    "overtime_plays": 7,
    "tries_count": False,
    "defensive_penalty_spot": "start",
    "decline_rule": "any",
    "punt_rule": "any-down",
    "overtime_last_play": True,
}


def played_game(number: int, coach: str = "book", options: Mapping[str, Any] | None = None) -> Game:
    return ConformanceKit(RULES, seed=7).play_game(options or {}, number, coach)


# --- Coaches -----------------------------------------------------------------------------


def call_of(coach: str, **start: Any) -> str:
    m = RULES.new_match()
    score = dict(zip(("home", "away"), start.pop("score", (0, 0)), strict=True))
    given = {"phase": "scrimmage", "possession": "home", "score": score, **start}
    g = RULES.new_position(m, given)
    return RULES.calls[RULES.decide(RULES.coach(coach), m, g)]


@pytest.mark.parametrize("coach", SENSIBLE)
def test_no_coach_punts_when_behind_at_the_end(coach: str) -> None:
    for behind in (1, 3, 4, 8, 12):
        for spot in (10, 35, 50, 60):
            call = call_of(coach, period=4, clock=5, spot=spot, down=4, to_go=9, score=(0, behind))
            assert call in ("scrimmage", "field-goal")
    assert call_of(coach, period=4, clock=5, spot=70, down=4, to_go=9, score=(0, 8)) == "scrimmage"


@pytest.mark.parametrize("coach", SENSIBLE)
def test_fourth_and_long_deep_in_the_own_half_is_a_punt(coach: str) -> None:
    assert call_of(coach, period=1, clock=20, spot=15, down=4, to_go=15) == "punt"


@pytest.mark.parametrize("coach", SENSIBLE)
def test_three_points_that_win_are_kicked(coach: str) -> None:
    for score in ((7, 7), (7, 9), (7, 10)):
        call = call_of(coach, period=4, clock=1, spot=80, down=1, to_go=10, score=score)
        assert call == "field-goal"


@pytest.mark.parametrize("coach", SENSIBLE)
def test_a_lead_is_protected_on_the_last_play(coach: str) -> None:
    call = call_of(coach, period=4, clock=1, spot=20, down=1, to_go=10, score=(7, 3))
    assert call == "hail-mary"


def test_onside_kicks_are_for_the_end_of_the_game() -> None:
    assert call_of("book", phase="kickoff", period=4, clock=3, score=(0, 7)) == "onside-kick"
    assert call_of("book", phase="kickoff", period=4, clock=20, score=(0, 7)) == "kickoff"
    assert call_of("book", phase="kickoff", period=4, clock=3, score=(9, 7)) == "kickoff"


def test_coaches_try_for_two_when_it_helps() -> None:
    behind_by_two = {"phase": "try", "period": 4, "clock": 5, "score": (12, 14)}
    assert {call_of(coach, **behind_by_two) for coach in SENSIBLE} == {"two-point"}
    assert call_of("book", phase="try", period=1, clock=5, score=(6, 0)) == "extra-point"
    assert call_of("bold", phase="try", period=1, clock=5, score=(6, 0)) == "two-point"


@pytest.mark.parametrize("coach", SENSIBLE)
@pytest.mark.parametrize(
    ("face", "end", "lost", "call"),
    [
        (1, 100, False, "decline"),  # the defense's foul on a touchdown
        (1, 45, False, "accept"),
        (1, 30, True, "accept"),  # gives a lost ball back
        (2, 100, False, "accept"),  # the offense's foul on its touchdown
        (2, 45, False, "accept"),
        (2, 30, True, "decline"),
        (2, 0, False, "decline"),  # a safety
        (2, 20, False, "decline"),  # a loss longer than the penalty
    ],
)
def test_coaches_accept_the_penalties_that_help_them(
    coach: str, face: int, end: int, lost: bool, call: str
) -> None:
    start = {"spot": 40, "down": 2, "to_go": 10, "clock": 9}
    flag = {"penalty_face": face, "play_end": end, "play_lost": lost}
    assert call_of(coach, phase="penalty", **start, **flag) == call


@pytest.mark.parametrize(
    ("coach", "position", "call"),
    [
        ("hothead", {"down": 4, "to_go": 15, "spot": 15}, "scrimmage"),
        ("hothead", {"phase": "kickoff"}, "onside-kick"),
        ("punter", {"down": 4, "to_go": 1, "spot": 50}, "punt"),
        ("punter", {"down": 4, "to_go": 1, "spot": 70}, "field-goal"),
        ("punter", {"phase": "return", "spot": 20}, "fair-catch"),
        ("thumb", {"down": 4, "to_go": 5, "spot": 20}, "scrimmage"),
        ("thumb", {"down": 4, "to_go": 6, "spot": 20}, "punt"),
        ("thumb", {"down": 4, "to_go": 6, "spot": 50}, "scrimmage"),
        ("thumb", {"down": 4, "to_go": 6, "spot": 65}, "field-goal"),
        ("thumb", {"phase": "return", "spot": 2}, "return"),
    ],
)
def test_each_coach_follows_its_sentence(coach: str, position: dict[str, Any], call: str) -> None:
    assert call_of(coach, **{"period": 1, "clock": 20, **position}) == call


def test_the_book_beats_the_others() -> None:
    for other in ("random", "cautious", "bold"):
        result = simulate(RULES, 20_000, seed=3, home="book", away=other)
        assert result.totals.wins[0] > result.totals.wins[1]


# --- Sheets ------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, OTHER_OPTIONS])
def test_rows_cover_the_whole_game(options: dict[str, Any]) -> None:
    for number in range(20):
        game = played_game(number, "random", options)
        sheet_rows = build_rows(game)
        plays = game.match.plays_per_quarter
        for period in range(1, 5):
            numbers = [row.play for row in sheet_rows if row.period == period]
            assert numbers[0] == 1
            assert numbers == sorted(set(numbers))
            assert numbers[-1] >= plays
        assert sheet_rows[-1].score == tuple(game.position.score)
        assert len(row_dicts(game)) == len(sheet_rows)
        assert sum(drive.plays for drive in list_drives(game)) == sum(
            row.type in "SPF" for row in sheet_rows
        )


def test_points_by_quarter_add_up_to_the_score() -> None:
    for number in range(20):
        g = played_game(number, "random", {"season": "postseason"}).position
        assert [sum(quarters) for quarters in g.line] == list(g.score)


def plays_table(document: Document) -> Table:
    """Return the table of plays on the first sheet."""
    return next(
        block
        for block in document.pages[0].blocks
        if isinstance(block, Table) and block.columns[-1].heading == "Result"
    )


@pytest.mark.parametrize("turns", [0, 1, 40, 10_000])
def test_sheets_can_be_rendered_at_any_point_of_a_game(turns: int) -> None:
    referee = ConformanceKit(RULES, seed=7)
    game = referee.new_game({}, 0)
    for _, _turn in zip(range(turns), referee.playout(game, RULES.coach("book")), strict=False):
        pass
    document = sheets.sheet_of(game)
    assert len(document.pages) == min(game.position.period, 5) + 1  # and one for the whole game
    assert len(plays_table(document).columns) == 11
    for form in sheets.SHEET_FORMATS:
        assert sheets.render(document, form)


def test_blank_sheets_have_a_row_for_each_play_and_spares() -> None:
    document = sheets.blank_sheet(RULES)
    assert [page.heading for page in document.pages][-1] == "Overtime"
    assert [row[0] for row in plays_table(document).rows] == [
        *map(str, range(1, 31)),
        "",
        "",
        "",
        "",
    ]


# --- Set-up positions and options ----------------------------------------------------------


def test_overtime_plays_depend_on_the_season_and_the_option() -> None:
    assert RULES.new_match({}).overtime_plays == 20
    assert RULES.new_match({"season": "postseason"}).overtime_plays == 30
    assert RULES.new_match({"overtime_plays": "12"}).overtime_plays == 12
    assert RULES.new_match({"overtime_plays": "null"}).overtime_plays == 20
    assert RULES.new_match({"overtime_plays": 100}).overtime_plays == 100
    for wrong in (0, 1000, "many", True):
        with pytest.raises(HashmarkError, match="overtime_plays"):
            RULES.new_match({"overtime_plays": wrong})


def test_overtimes_have_their_ordinals() -> None:
    assert [period_name(4 + n) for n in (1, 2, 3, 11, 21, 22, 103)] == [
        "overtime",
        *(f"{n} overtime" for n in ("2nd", "3rd", "11th", "21st", "22nd", "103rd")),
    ]


def test_every_event_has_a_sentence() -> None:
    for number in range(30):
        game = played_game(number, "random", OTHER_OPTIONS)
        for turn in game.turns:
            assert all(text.endswith(".") for text in game.sentences(turn))
            assert RULES.words.situation(game.match, turn.before, game.names)
            assert RULES.words.clock(game.match, turn.before)


# --- Plain against compiled, and long runs --------------------------------------------------


@pytest.mark.parametrize("coach", [coach.name for coach in RULES.coaches])
def test_plain_equals_compiled_with_every_switch_turned(coach: str) -> None:
    runs = [
        simulate(RULES, 60, seed=5, home=coach, away="random", options=OTHER_OPTIONS, engine=engine)
        for engine in ("plain", "compiled")
    ]
    assert runs[0].totals == runs[1].totals


def check_position(game: Game) -> None:
    """Check the invariants of every position."""
    g, m = game.position, game.match
    max_plays = m.overtime_plays if g.period > 4 else m.plays_per_quarter
    assert [sum(quarters) for quarters in g.line] == list(g.score)
    assert 0 <= g.clock <= max_plays
    assert (g.phase == p.PENALTY) == (g.penalty_face > 0) == (g.play_end >= 0)
    assert (g.phase == p.CHOICE) == (g.chooser >= 0)
    assert (g.phase == p.OVER) == (g.winner >= 0)
    on_down = g.phase in (p.SCRIMMAGE, p.PENALTY)
    assert on_down == (g.down > 0) == (g.to_go > 0)
    assert g.spot + g.to_go <= 100
    no_ball = g.phase in (p.COIN_TOSS, p.CHOICE, p.OVER)
    assert no_ball == (g.possession < 0)
    assert (no_ball or g.phase == p.TRY) == (g.spot == 0)
    assert (g.period > 4 and not no_ball) == (g.ot_stage >= 0)
    assert g.clock > 0 or g.phase in (p.TRY, p.OVER)


def check_random_games(first: int, count: int, options: Mapping[str, Any]) -> None:
    referee = ConformanceKit(RULES, seed=11)
    coach = RULES.coach("random")
    points = RULES.statistics.names.index("points")
    for number in range(first, first + count):
        game = referee.new_game(options, number)
        check_position(game)
        for _ in referee.playout(game, coach):
            check_position(game)
        event_points = [counts[points] for counts in game.statistics()]
        assert event_points == list(game.position.score)


@pytest.mark.parametrize("options", [{}, {"season": "postseason"}, OTHER_OPTIONS])
def test_random_games_keep_the_invariants(options: dict[str, Any]) -> None:
    check_random_games(0, 60, options)


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_100000_random_games_keep_the_invariants(block: int) -> None:
    options = ({}, {"season": "postseason"}, OTHER_OPTIONS)[block % 3]
    check_random_games(10_000 * block, 10_000, options)
