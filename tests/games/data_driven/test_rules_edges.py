"""Edge cases of Data-Driven Football that no game reaches: exact error and warning texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine.record import AWAY
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES, kicks, rules, scrimmage, setup
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import figures, layout
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.table_reader import MAX_NAME_LENGTH
from hashmark.games.data_driven.plans import check as plan_check
from hashmark.games.data_driven.plans import plan as plans
from hashmark.sim.plain import SamplingHandler

KICKOFF = {"phase": "kickoff", "possession": "home", "holder": "away"}
AUDIBLE = {
    "phase": "scrimmage",
    "possession": "home",
    "spot": 30,
    "asks": "offence-audible",
    "play": "screen",
    "formation": "blitz",
}
AGAIN = {**KICKOFF, "asks": "roll-again", "play": "kickoff"}
FOUL = {"return_foul": "off-10", "return_foul_by": "away"}


@pytest.mark.parametrize(
    ("options", "position", "said"),
    [
        ({}, AUDIBLE, "asks offence-audible needs the option audibles"),
        (
            {"audibles": "board"},
            {**AUDIBLE, "prompted": True},
            "prompted: needs the option audibles=pc",
        ),
        (
            {},
            {**KICKOFF, "asks": "kick-return", "play": "squib", "start": -3, "foul": "off-5"},
            "foul: a squib kick has no fouls",
        ),
        (
            {},
            {
                "phase": "scrimmage",
                "possession": "home",
                "spot": 95,
                "holder": "away",
                "asks": "roll-or-return",
                "play": "punt",
                "start": 10,
            },
            "start 10: a punt from 95 cannot come down behind its line",
        ),
        (
            {},
            {**AGAIN, "rolls_on": "kick-return", "start": 5},
            "asks roll-again on kick-return needs a return_foul",
        ),
        (
            {},
            {**AGAIN, "rolls_on": "kickoff", "holder": "home"},
            "asks roll-again on kickoff needs foul off-5",
        ),
        (
            {},
            {**AGAIN, **FOUL, "rolls_on": "kick-return", "start": 5, "shorter": 5},
            "shorter and penalty_roll apply only at the start of a play",
        ),
        (
            {},
            {**AGAIN, **FOUL, "rolls_on": "kick-return"},
            "asks roll-again needs start, -9 to 99",
        ),
    ],
)
def test_impossible_positions_are_refused(
    options: dict[str, Any], position: dict[str, Any], said: str
) -> None:
    with pytest.raises(HashmarkError) as complaint:
        RULES.new_position(RULES.new_match(options), position)
    assert str(complaint.value) == f"position: {said}"


def small_file(**teams: object) -> dict[str, Any]:
    return {"format": charts.FORMAT, "name": "small", "partial": True, "teams": teams}


def faults(raw: dict[str, Any]) -> list[str]:
    reader = charts.ChartFileReader(Path("case.toml"))
    reader.read_file(raw)
    return reader.faults


def test_names_that_are_too_long_are_refused() -> None:
    longest = MAX_NAME_LENGTH
    message = f"the name has {longest + 1} characters; at most {longest} are allowed"
    assert longest == 200
    assert faults({**small_file(), "name": "n" * longest}) == []
    assert faults(small_file(A={"name": "n" * longest})) == []
    assert faults(small_file(A={"name": "n" * (longest + 1)})) == [f"case.toml: team A: {message}"]
    plan = {"format": plans.FORMAT, "kickoff": [{"kickoff": 1}]}
    assert plans.parse({**plan, "name": "n" * longest}, "case").name == "n" * longest
    with pytest.raises(HashmarkError) as complaint:
        plans.parse({**plan, "name": "n" * (longest + 1)}, "case")
    assert str(complaint.value) == f"case: {message}"


def test_a_team_is_like_twenty_others_at_most() -> None:
    def line(length: int) -> dict[str, Any]:
        teams: dict[str, Any] = {f"T{n}": {"like": f"T{n + 1}"} for n in range(length)}
        return {**teams, f"T{length}": {"name": "Last"}}

    assert faults(small_file(**line(20))) == []
    assert faults(small_file(**line(21))) == [
        "case.toml: team T0: a chain of like has at most 20 teams"
    ]


def test_a_plan_has_four_hundred_entries_at_most() -> None:
    def long(length: int) -> dict[str, Any]:
        return {"format": plans.FORMAT, "kickoff": [{"kickoff": 1}] * length}

    assert len(plans.parse(long(400), "case").rows) == 400
    with pytest.raises(HashmarkError, match="case: 401 entries; at most 400 are allowed"):
        plans.parse(long(401), "case")


def test_broken_season_plans_are_refused() -> None:
    raw = {"format": plans.SEASON_FORMAT, "name": "1999", "kickoff": [{"kickoff": 1}]}
    with pytest.raises(HashmarkError) as complaint:
        plans.parse_season({**raw, "teams": 1}, "case")
    assert str(complaint.value) == "case: [teams] must be a table"
    season = plans.SeasonPlans(Path("case.plans.toml"), plans.parse_season(raw, "case"))
    with pytest.raises(HashmarkError, match=r"unknown team in case\.plans\.toml 'XYZ'"):
        season.team("XYZ")


def test_charts_that_are_hardly_intended_are_warned_about() -> None:
    """Warnings about a complete file."""
    file = charts.load("invented")
    assert not file.partial
    key, team = next(iter(file.teams.items()))

    def new_warnings(**changes: Any) -> set[str]:
        changed = replace(file, teams={**file.teams, key: replace(team, **changes)})
        return set(figures.find_warnings(changed)) - set(figures.find_warnings(file))

    def without(name: str) -> dict[str, Any]:
        return {other: column for other, column in team.columns.items() if other != name}

    no_yards = {**team.columns, "punt": (c.parse("0"),) * 30}
    assert new_warnings(columns=no_yards) == {f"team {key}, chart punt: no cell has any yards"}
    bold = {**without("big-play"), "offence.short-pass": (c.parse("6!"),) * 30}
    assert f"team {key}: bold short-pass results, but no big-play chart" in new_warnings(
        columns=bold
    )
    message = f"team {key}: no qr-yards, so a defense's QR rows have no effect"
    assert new_warnings(qr_yards=0) == {message}


def test_a_plan_report_names_warnings_or_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "bad.plan.toml"
    path.write_text('format = "x"\n', encoding="utf-8")
    book, broken = plan_check.check_plan("book"), plan_check.check_plan(str(path))
    assert book.fault == ""
    assert book.lines()[-1].startswith(f"book: {len(book.warnings)} warnings; entries: play ")
    assert broken.lines() == [
        f"fault: bad.plan.toml: format must be '{plans.FORMAT}', not 'x'",
        f"{path}: not readable",
    ]


def test_team_names_are_the_towns_if_they_differ() -> None:
    """Towns if they differ, else full names, else keys."""
    file = charts.load("invented")
    home, away = setup.team_names(RULES.parse_options({}))
    names = [team.name for team in file.teams.values()]
    assert any(name.startswith(home) for name in names)
    assert any(name.startswith(away) for name in names)
    assert home != away


def land_kickoff(landing: int) -> tuple[int, int, int, int]:
    g = RULES.new_position(RULES.new_match(), {"phase": "kickoff", "possession": "home"})
    g.handler = SamplingHandler(RULES, 1, 0)
    kicks.land_kickoff(g, landing)
    return g.result, g.at, g.holder, g.start


def test_a_kickoff_is_a_touchback_only_beyond_the_end_line() -> None:
    """Beyond the end line there is no choice; in the end zone there is; in the field a return."""
    assert land_kickoff(111) == (p.ENDS_TOUCHBACK, 0, AWAY, -11)
    assert land_kickoff(110) == (p.ENDS_TOUCHBACK, 0, AWAY, -10)
    unchanged = RULES.new_position(RULES.new_match(), {"phase": "kickoff", "possession": "home"})
    assert land_kickoff(109) == (unchanged.result, unchanged.at, AWAY, -9)
    assert land_kickoff(100) == (unchanged.result, unchanged.at, AWAY, 0)


def test_a_squib_is_refused_without_its_chart() -> None:
    m = RULES.new_match()
    g = RULES.new_position(m, {"phase": "kickoff", "possession": "home"})
    m.supplements = [0] * len(m.supplements)
    assert RULES.refusals[RULES.refusal(m, g, p.SQUIB)] == RULES.refusals[rules.NO_SQUIB]
    assert "squib" in RULES.refusals[rules.NO_SQUIB]


def test_the_sack_rate_changes_nothing_without_yards() -> None:
    """R25, R26: The defense's rate changes nothing if the charts have no yards for it."""
    m = RULES.new_match({"charts": "invented"})
    g = RULES.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 50})

    def outcomes(kind: int, qr: int, sack: int, yards: int) -> set[int]:
        m.set_kinds = [kind] * len(m.set_kinds)
        m.qr_yards, m.sack_yards = [qr, qr], [sack, sack]
        yards_seen = set()
        for number in range(60):
            g.handler = SamplingHandler(RULES, 1, number)
            yards_seen.add(scrimmage.adjust_sack(m, g, yards))
        return yards_seen

    assert outcomes(layout.SCRAMBLES, 6, 0, -4) == {-4, 6}
    assert outcomes(layout.SCRAMBLES, 0, 0, -4) == {-4}
    assert outcomes(layout.SCRAMBLES, 1, 0, 0) == {0, 1}
    assert outcomes(layout.SACKS, 0, -6, 4) == {4, -6}
    assert outcomes(layout.SACKS, 0, 0, 4) == {4}
    assert outcomes(layout.SACKS, 6, -6, 0) == {0}
