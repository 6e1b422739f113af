"""Data-Driven Football: chart files, the dice, secret calls, plans, odds of whole plays."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hashmark.cli import app
from hashmark.engine.game import Game, ListedDice, SeededDice
from hashmark.engine.record import AWAY, HOME
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import figures, team_sheet
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.dice import (
    DEFENSE_DICE,
    DEFENSE_WEIGHTS,
    OFFENSE_DICE,
    OFFENSE_WEIGHTS,
)
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.odds import Follower, matrix
from hashmark.session.redaction import SPECTATOR, view_for
from hashmark.sheets import render
from hashmark.sim import simulate
from hashmark.sim.plain import SamplingHandler
from hashmark.storage import search_path
from hashmark.text.game_report import call_line

M = RULES.new_match()
DOWN = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 3, "to_go": 6}


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def command_error(*arguments: str) -> str:
    """Return the error message that a command ends with."""
    result = run(*arguments)
    assert isinstance(result.exception, HashmarkError)
    return str(result.exception)


def write_file(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def invented_with(old: str, new: str) -> str:
    """Return the chart file of the invented teams with one change."""
    text = (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new, 1)


# --- Dice --------------------------------------------------------------------------------


def test_weights_are_those_of_the_dice() -> None:
    """R1, R2, R4: Every combination of faces, counted."""
    offense = Counter(
        10 * black + yellow + white
        for black in (3, 3, 3, 2, 2, 1)
        for yellow in (0, 0, 1, 2, 3, 4)
        for white in range(6)
    )
    defense = Counter(red + green for red in (1, 1, 1, 2, 2, 3) for green in (0, 0, 0, 0, 1, 2))
    assert [offense[row] for row in range(10, 40)] == list(OFFENSE_WEIGHTS)
    assert [defense[row] for row in range(1, 6)] == list(DEFENSE_WEIGHTS)
    assert dict(OFFENSE_DICE.odds) == {row: Fraction(offense[row], 216) for row in offense}
    assert dict(DEFENSE_DICE.odds) == {row: Fraction(defense[row], 36) for row in defense}


# --- Cells and chart files -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "color"),
    [
        ("", "white"),
        ("7", "green"),
        ("-3", "red"),
        ("4*", "green"),
        ("26!", "green"),
        ("(4)", "green"),
        ("(-2)", "red"),
        ("(TD)", "green"),
        ("B", "green"),
        ("INC", "black"),
        ("INT 12", "red"),
        ("F -5", "red"),
        ("QT", "red"),
        ("OFF 10", "yellow"),
        ("OFF 12*", "yellow"),
        ("DEF 5X", "yellow"),
        ("PI 24", "yellow"),
        ("BLK -7", "red"),
    ],
)
def test_cells_are_read_and_spelt_the_same(text: str, color: str) -> None:
    cell = c.parse(text)
    assert c.spell(cell) == text
    assert c.color(cell) == color


@pytest.mark.parametrize("text", ["x", "7**", "INTx", "OFF 7", "DEF 6", "PI", "(", "5 yards", "٣"])
def test_invalid_cell_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        c.parse(text)


def test_row_sets_round_trip_and_bad_ones_are_refused() -> None:
    assert c.spell_rows(c.parse_rows("10-18,20-32,38")) == "10-18,20-32,38"
    for wrong in ("9", "10-40", "12-10", "10-12,11", "ten", ""):
        with pytest.raises(ValueError, match=r"."):
            c.parse_rows(wrong)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('format = "data-driven-charts/1"', 'format = "other"', "format must be"),
        ("[teams.OTTERS.offence]", "[teams.OTTERS.offense]", "did you mean 'offence'"),
        ('recovery = "10', 'recovery = "1', "team OTTERS, chart recovery"),
        ("[league]", "[league]\nseason = true", "league: season"),
        ("[league]", "[league]\nkickoff-spot = 140", "kickoff-spot is 140, not between 1 and 99"),
        ("[league]", '[league]\novertime = "golden"', "'golden'"),
        ("hurry-up = 14", "hurry-up = -1", "hurry-up is -1"),
        ("hfa = 1", "hfa = 4", "hfa is 4, not between 0 and 3"),
        ('kind = "NG"', 'kind = "SCK"', "chart recovery-adjust"),
        (
            '  "OFF 40", "66", "65"',
            '  "INT 3", "66", "65"',
            "team OTTERS, chart kickoff, row 10: 'INT 3' is not allowed here, only",
        ),
        ('  "TD", "34", "15"', '  "TD", "34", "12"', "chart breakaway, row 12"),
        ('  "TD", "34", "15"', '  "TD", "34"', "29 cells; 30 are required"),
        ('  "TD", "34", "15"', '  "TD", 34, "15"', "must be a string in quotes"),
        (
            "[teams.OTTERS.penalties]",
            '[teams.OTTERS.penalties]\npi = { commit = "10", cancel = "11" }\n[teams.MOLES]',
            "give commit rows or cancel rows, not both",
        ),
        ("[teams.OTTERS]", '[teams.OTTERS]\nlike = "STOATS"', "'STOATS'"),
    ],
)
def test_a_broken_file_names_the_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = write_file(tmp_path, invented_with(old, new))
    result = run("charts", "check", str(path))
    assert result.exit_code == 1
    assert said in result.output
    with pytest.raises(HashmarkError, match=r"^mine\.toml: "):
        charts.load(str(path))


@pytest.mark.parametrize("text", ["[", "format = 3", "teams = 1", "\x00"])
def test_invalid_chart_files_are_refused(tmp_path: Path, text: str) -> None:
    path = write_file(tmp_path, text)
    assert run("charts", "check", str(path)).exit_code == 1
    with pytest.raises(HashmarkError):
        charts.load(str(path))


def test_a_column_of_penalties_alone_is_refused(tmp_path: Path) -> None:
    flags = ", ".join(['"OFF 5"'] * 30)
    text = f"""format = "data-driven-charts/1"
partial = true
[teams.A.offence]
draw = [{flags}]
"""
    result = run("charts", "check", str(write_file(tmp_path, text)))
    assert "the roll would never end" in result.output


def test_every_shipped_file_is_sound() -> None:
    """Only files of quoted cells may have warnings: they are kept as printed."""
    files = sorted(charts.SHIPPED.glob("*.toml"))
    chart_files = [path for path in files if path.name.count(".") == 1]
    assert len(chart_files) >= 2
    for path in chart_files:
        file, faults = charts.check(path)
        assert not faults
        assert file is not None
        assert file.partial or not figures.find_warnings(file), path.name


def test_like_inherits_charts_cell_by_cell(tmp_path: Path) -> None:
    more = """
[teams.MOLES]
like = "OTTERS"
pat-miss = "10"
[teams.MOLES.offence.draw]
10 = "9"
"""
    text = (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8") + more
    teams = charts.load(str(write_file(tmp_path, text))).teams
    moles, otters = teams["MOLES"], teams["OTTERS"]
    assert moles.columns["offence.draw"][0] == c.parse("9")
    assert moles.columns["offence.draw"][1:] == otters.columns["offence.draw"][1:]
    assert moles.columns["punt"] == otters.columns["punt"]
    assert c.spell_rows(moles.sets["pat-miss"].mask) == "10"


def test_chart_files_are_searched_for_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--charts, beside the file that names it, the working directory, the user's, the package."""
    text = (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8")
    order = [tmp_path / name for name in ("given", "beside", "here", "user")]
    for folder in order:
        folder.mkdir()
        write_file(folder, text, "invented.toml")
    monkeypatch.chdir(order[2])
    monkeypatch.setenv("HASHMARK_DATA", str(order[3]))
    with search_path.search_first([order[0]]), search_path.search_beside(order[1] / "game.log"):
        for folder in order:
            assert charts.find("invented") == folder / "invented.toml"
            (folder / "invented.toml").unlink()
        assert charts.find("invented").parent == charts.SHIPPED
    assert "did you mean 'invented'" in command_error("charts", "check", "inventd")
    assert "no such folder" in command_error("charts", "check", "invented", "--charts", "nowhere")


def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    path = write_file(tmp_path, invented_with("", ""))
    assert charts.load(str(path)).teams["OTTERS"].name == "Millbrook Otters"
    path.write_text(invented_with('name = "Millbrook', 'name = "Upper'), encoding="utf-8")
    assert charts.load(str(path)).teams["OTTERS"].name == "Upper Otters"


def test_figures_are_exact() -> None:
    team = charts.load("invented").teams["OTTERS"]
    by_name = {figure.name: figure for figure in figures.owner_figures(team)}
    plunge = by_name["offence.line-plunge"]
    assert plunge.yards + sum(plunge.events.values()) == 1
    rows = zip(team.columns["offence.line-plunge"], OFFENSE_WEIGHTS, strict=True)
    sums = [(c.number_of(cell) * way, way) for cell, way in rows if c.is_number(cell)]
    assert plunge.mean == Fraction(sum(yards for yards, _ in sums), sum(way for _, way in sums))
    report = json.loads(run("charts", "check", "invented", "--json").output)
    assert report["faults"] == []
    row = next(figure for figure in report["columns"]["OTTERS"] if figure["column"] == plunge.name)
    assert Fraction(row["mean"]) == plunge.mean


def test_charts_are_shown_and_printed(tmp_path: Path) -> None:
    shown = run("charts", "show", "invented", "OTTERS").output
    for word in ("Offense", "Special teams", "Formation F: blitz", "OFF 10", "hurry-up: 14"):
        assert word in shown
    for suffix, start in ((".pdf", b"%PDF"), (".html", b"<!DOCTYPE html>"), (".txt", b"Millbrook")):
        out = tmp_path / f"otters{suffix}"
        assert run("charts", "show", "invented", "OTTERS", "--out", str(out)).exit_code == 0
        assert out.read_bytes().lower().startswith(start.lower())
    assert "allowed: OTTERS, HERONS" in command_error("charts", "show", "invented", "STOATS")
    bad = str(tmp_path / "otters.doc")
    assert ".doc" in command_error("charts", "show", "invented", "OTTERS", "--out", bad)


def test_team_sheets_have_the_colors_of_the_cells() -> None:
    file = charts.load("invented")
    page = render(team_sheet.build_document(file, file.teams["OTTERS"]), "html").decode()
    for ground in ("green", "red", "black", "yellow"):
        assert f"ground-{ground}" in page or ground in page


def test_export_has_every_cell() -> None:
    lines = run("charts", "export", "invented").output.splitlines()
    assert lines[0] == "team,chart,column,row,cell"
    assert "OTTERS,offence,line-plunge,10,F 4" in lines
    assert sum(line.startswith("OTTERS,defence,") for line in lines) == 6 * 9 * 5


# --- Secret calls ---------------------------------------------------------------------------


def test_the_other_side_never_sees_an_unrevealed_call() -> None:
    views = []
    for call in ("long-pass", "draw"):
        game = Game(RULES, start=DOWN, dice=SeededDice(1, 0))
        game.play_named(call)
        assert RULES.view(game.match, game.position, 0).play == PLAYS.index(call)
        views.append(RULES.view(game.match, game.position, 1).to_json())
    assert views[0] == views[1]
    for viewer in (AWAY, SPECTATOR):
        assert call_line(game, view_for(game, viewer).turns[-1]) == "home has made a secret call"
    assert call_line(game, view_for(game, HOME).turns[-1]) == "home calls draw"
    game.play_named("nickel")
    assert "draw" in game.sentences(game.turns[-1])[0]


def test_a_coach_answers_a_secret_call_without_knowing_it() -> None:
    """The drawn formation does not depend on the play that was called."""
    for coach in ("book", "bold", "plan"):
        answers = set()
        for play in ("draw", "long-pass"):
            game = Game(RULES, start=DOWN, dice=SeededDice(1, 0), seed=3)
            game.play_named(play)
            answers.add(game.decide(RULES.coach(coach)))
        assert len(answers) == 1


# --- The Priority Chart is data -----------------------------------------------------------------


def test_a_priority_chart_of_the_league_changes_the_result(tmp_path: Path) -> None:
    """G5: With QT against INC changed to INC, a trapped passer throws the ball away."""
    text = """format = "data-driven-charts/1"
partial = true
{priority}
[teams.A.offence]
screen = { 10 = "QT" }
[teams.A.defence.standard]
screen = { 1 = "INC" }
"""
    ends = []
    for priority in ("", '[league.priority]\nQT = { INC = "DEF" }'):
        write_file(tmp_path, text.replace("{priority}", priority), "two.toml")
        with search_path.search_first([tmp_path]):
            dice = ListedDice([[1, 0, 0, 3, 0, 0], [1, 0]])
            game = Game(RULES, {"charts": "two"}, start=DOWN, dice=dice)
            game.play_named("screen")
            game.play_named("standard")
            ends.append(" ".join(game.sentences(game.turns[-1])))
    assert "trapped" in ends[0]
    assert "trapped" not in ends[1]
    assert "incomplete" in ends[1]


# --- Options and presets ---------------------------------------------------------------------


def test_a_preset_sets_options_and_can_be_overridden() -> None:
    m = RULES.new_match({"preset": "recommended"})
    assert (m.mode, m.timing, m.audibles) == (p.FULL, 1, p.AUDIBLES_BOARD)
    assert (m.goal_line_deduction, m.max_usage, m.big_play) == (1, 1, 1)
    assert RULES.new_match({"preset": "recommended", "mode": "basic"}).mode == p.BASIC
    with pytest.raises(HashmarkError, match="did you mean 'recommended'"):
        RULES.new_match({"preset": "recomended"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"charts": "nothing"}, "no chart file 'nothing'"),
        ({"home_team": "STOATS"}, "allowed: OTTERS, HERONS"),
        ({"home_plan": "boook"}, "did you mean 'book'"),
        ({"kickoff_spot": 100}, "not between 1 and 99"),
        ({"charts": 7}, "expected a name"),
        ({"overtime": "golden"}, "sudden-death, modified, none"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        RULES.new_match(options)


# --- Game plans ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format = 1", "format must be"),
        ("[[plays]]\ndraw = 1", "did you mean 'play'"),
        ("[play]\ndraw = 1", "double brackets"),
        ("[[play]]\ndrow = 1", "did you mean 'draw'"),
        ("[[play]]\ndraw = 0", "every call has a share of 0"),
        ("[[play]]\ndraw = 1001", "not a share"),
        ("[[play]]\nwhen = { dawn = 1 }\ndraw = 1", "did you mean 'down'"),
        ("[[play]]\nwhen = { down = [3, 1] }\ndraw = 1", "the low end 3 is above the high end 1"),
        ("[numbers]\nreturn-depth = 10", "not from 0 to 9"),
    ],
)
def test_a_broken_plan_names_the_place(tmp_path: Path, text: str, said: str) -> None:
    head = "" if text.startswith("format") else 'format = "data-driven-plan/1"\n'
    write_file(tmp_path, head + text, "mine.plan.toml")
    with search_path.search_first([tmp_path]), pytest.raises(HashmarkError, match=said):
        plans.load("mine")


def test_a_plan_is_followed(tmp_path: Path) -> None:
    """A team whose plan has only draws calls no other play, except where a draw is not allowed."""
    text = """format = "data-driven-plan/1"
[[instead]]
when = { down = 4 }
punt = 1
[[instead]]
play = 1
[[play]]
draw = 1
[[formation]]
blitz = 1
"""
    write_file(tmp_path, text, "draws.plan.toml")
    with search_path.search_first([tmp_path]):
        options = {"home_plan": "draws", "away_plan": "draws"}
        result = simulate("data-driven", 200, home="plan", away="book", options=options, seed=2)
        names = RULES.statistics.names
        calls = {play: f"{play.replace('-', '_')}_calls" for play in PLAYS}
        counted = {play: result.totals.sums[0][names.index(name)] for play, name in calls.items()}
    assert counted.pop("draw") > 200 * 20
    assert counted.pop("line-plunge") < 200 * 2
    assert not any(counted.values())


# --- Odds of whole plays --------------------------------------------------------------------------


def test_the_table_agrees_with_the_odds_of_one_play() -> None:
    g = RULES.new_position(M, {**DOWN, "spot": 95, "to_go": 5})
    odds = matrix(RULES, M, g)
    assert odds.calls == [play for play in PLAYS if play != "long-pass"]
    assert odds.against == list(FORMATIONS)
    whole = Follower(RULES, M).play(g, "screen", "blitz")
    assert sum(outcome.chance for outcome in whole.outcomes) == pytest.approx(1, abs=1e-12)
    cell = odds.cells["screen", "blitz"]
    assert cell["expected_yards"] == pytest.approx(whole.mean("yards", 0))
    assert cell["turnover_chance"] == pytest.approx(whole.chance("turnovers", 0))


@pytest.mark.parametrize("tries", [500, pytest.param(3000, marks=pytest.mark.long)])
def test_the_odds_of_a_play_are_those_of_many_plays(tries: int) -> None:
    """The exact chance of a first down agrees with the frequency over many played games."""
    g = RULES.new_position(M, DOWN)
    whole = Follower(RULES, M).play(g, "medium-pass", "nickel")
    exact, made = whole.chance("first_downs", 0), 0
    for number in range(tries):
        game = Game(RULES, start=DOWN, dice=SeededDice(5, number))
        game.play_named("medium-pass")
        game.play_named("nickel")
        while not RULES.is_play_over(game.match, game.position):
            if not game.wants_call:
                game.play()
            elif game.question.is_window:
                game.play(game.question.default)
            else:
                game.play(game.decide(RULES.coach("book")))
        index = RULES.statistics.names.index("first_downs")
        made += game.statistics()[0][index]
    spread = (exact * (1 - exact) / tries) ** 0.5
    assert abs(made / tries - exact) < 4 * spread


def test_secret_calls_have_odds_of_both_or_none() -> None:
    g = RULES.new_position(M, DOWN)
    with pytest.raises(HashmarkError, match="does not answer punt with a secret call"):
        Follower(RULES, M).play(g, "punt", "nickel")


# --- The last possession of overtime ----------------------------------------------------------


@pytest.mark.parametrize("overtime", ["modified", "both"])
@pytest.mark.parametrize(
    ("spot", "behind", "may_kick"), [(40, 3, False), (80, 3, True), (80, 7, False), (40, 7, False)]
)
def test_no_plan_gives_up_the_last_possession_of_overtime(
    overtime: str, spot: int, behind: int, may_kick: bool
) -> None:
    m = RULES.new_match({"overtime": overtime})
    given = {**DOWN, "period": 5, "clock": 500, "down": 4, "to_go": 10, "spot": spot}
    g = RULES.new_position(m, {**given, "score": {"away": behind}})
    assert p.OVERTIME_STAGES[g.overtime] == "reply"
    for number in range(40):
        g.handler = SamplingHandler(RULES, 1, number)
        call = RULES.calls[RULES.decide(RULES.coach("plan"), m, g)]
        assert call in PLAYS or (call == "field-goal" and may_kick)
