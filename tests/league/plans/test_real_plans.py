"""Season plans from play-by-play: shares, files, descriptions and warnings."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import coaches as c
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import check as plan_check
from hashmark.games.data_driven.plans import lookup_tables
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans import text as plan_text
from hashmark.games.data_driven.plans.plan import BrokenPlan, Entry
from hashmark.games.data_driven.tables import PASSES, RUNS
from hashmark.league.data import call_counts, play_by_play, schedule, situations
from hashmark.league.plans import formation_mix, real_plans, shares
from hashmark.league.seasons.pairings import play
from hashmark.league.validation.verify import season_pairings
from hashmark.sim.plain import play_game
from hashmark.storage import search_path
from league.real_seasons import PLAYS_FOLDER, needs_plays

SHIPPED = Path(charts.SHIPPED)
SEASONS = [2006, 2007, 2008, 2009, 2010, 2011, 2012, 2018, 2019, 2020, 2021, 2022, 2024, 2025]


# --- Shipped plans ------------------------------------------------------------------------


@pytest.mark.parametrize("season", SEASONS)
def test_every_season_has_a_plan_for_every_team(season: int) -> None:
    season_plans = plans.load_season(str(season)).plans
    assert len(season_plans) == 33
    for code, plan in season_plans.items():
        assert plan.name == f"{season}:{code}"
        assert len(plan.rows) <= plans.MAX_ENTRIES
        assert plan_check.find_warnings(plan) == []


def test_real_plans_show_the_team_s_run_tendency() -> None:
    """Arizona threw often in 2008; Atlanta and Baltimore ran."""

    def runs(team: str) -> float:
        situation = {"down": 1, "to-go": 10, "spot": 30, "lead": 0, "time": 1500, "period": 1}
        entry = plans.find_fitting_entry(plans.load(f"2008:{team}").section("play"), situation)
        assert entry is not None
        return sum(plan_text.share_fractions(entry).get(play, 0.0) for play in RUNS)

    assert runs("ARI") < runs("league") < min(runs("ATL"), runs("BAL"))
    assert runs("ATL") - runs("ARI") > 0.15


def test_all_teams_have_the_same_formation_entries() -> None:
    """Formations are not in the data."""
    season_plans = plans.load_season("2008").plans
    mixes = {tuple(map(str, plan.section("formation"))) for plan in season_plans.values()}
    assert len(mixes) == 1
    for _, mix in formation_mix.MIX_ENTRIES:
        assert sum(mix) == 100


@needs_plays
@pytest.mark.parametrize("season", [2008, 2022])
def test_the_shipped_plans_are_reproduced_byte_for_byte(season: int) -> None:
    frame = play_by_play.load(play_by_play.find_season_file(season, PLAYS_FOLDER), season)
    text = plan_text.write_season(str(season), real_plans.build_season_plans(frame))
    assert text == (SHIPPED / f"{season}.plans.toml").read_text(encoding="utf-8")


@needs_plays
def test_a_plan_calls_as_the_team_called() -> None:
    """Over its own situations a plan gives the team's passes, plus a few instead of runs."""
    frame = play_by_play.load(play_by_play.find_season_file(2008, PLAYS_FOLDER), 2008)
    plays = call_counts.add_situation(play_by_play.select_plays(frame))
    kind = pl.col("play_type")
    called = plays.filter(kind.is_in(["run", "pass"]) & (pl.col("two_point_attempt") == 0))
    called = called.filter(pl.col("down") > 0).with_columns(
        call_counts.first_matching_entry(situations.PLAY),
        passed=(kind == "pass") | (pl.col("qb_scramble") == 1),
    )
    for team in ("ARI", "ATL", "NE"):
        own = called.filter(pl.col("team") == team)
        entries = plans.load(f"2008:{team}").section("play")
        parts = [
            sum(plan_text.share_fractions(entry).get(play, 0.0) for play in PASSES)
            for entry in entries
        ]
        expected = sum(parts[entry] for entry in own["entry"])
        passes = float(own["passed"].sum())
        runs = real_plans.RUN_CALL_FACTOR * (own.height - passes)
        assert expected == pytest.approx(own.height * passes / (passes + runs), rel=0.02)


# --- The end of an overtime ----------------------------------------------------------------

LAST_SNAP = {"down": 2, "to-go": 7, "spot": 75, "lead": 0, "time": 8, "period": 5}


@pytest.mark.parametrize("season", SEASONS)
def test_plans_know_the_end_of_an_overtime(season: int) -> None:
    """Tied and in range with one play left: kick. With more time: stop the clock."""
    league = plans.load(f"{season}:league")

    def share(section: str, call: str, **other: int) -> float:
        entry = plans.find_fitting_entry(league.section(section), {**LAST_SNAP, **other})
        assert entry is not None
        return plan_text.share_fractions(entry).get(call, 0.0)

    assert share("instead", "field-goal") > 0.8 > 0.2 > share("instead", "field-goal", time=35)
    assert share("instead", "field-goal", down=4, time=25) > 0.75
    assert share("offence-timeout", "timeout", time=25) > 0.4
    assert share("offence-timeout", "timeout", time=25) > share(
        "offence-timeout", "timeout", time=400
    )
    assert share("tempo", "let-it-run", time=25) < 0.35 < share("tempo", "let-it-run", time=400)


def test_the_coach_kicks_when_an_overtime_runs_out() -> None:
    """The coach draws from the plan: nearly always a kick, never a punt or kneel in range."""
    m = RULES.new_match({"home_plan": "2024:DET", "away_plan": "2024:GB", "overtime_seconds": 600})
    g = RULES.new_position(m)
    g.phase, g.asks, g.possession, g.period, g.clock = p.SCRIMMAGE, p.ASK_PLAY, 0, 5, 8
    g.down, g.to_go, g.spot, g.overtime = 2, 7, 75, p.SUDDEN
    base = lookup_tables.find_row(m, g, c.HOME_PLAN, c.INSTEAD, 0)
    shares = m.plan_rows[base : base + len(plans.INSTEAD_CALLS)]
    named = dict(zip(plans.INSTEAD_CALLS, shares, strict=True))
    assert named["field-goal"] > 0.8 * sum(shares)
    assert named["punt"] == named["kneel"] == 0


@pytest.mark.long
def test_simulated_ties_are_as_rare_as_real_ones() -> None:
    """Eight of 1,855 real games since 2018 were ties: simulated ties agree within chance."""
    ties = games = real_ties = real_games = 0
    for season in [year for year in SEASONS if year >= 2017]:
        known = schedule.load(season).regular
        real_games += len(known)
        real_ties += sum(game.winner is None for game in known)
        played = play(str(season), season_pairings(season, known), runs=60)
        ties += int((played.margins == 0).sum())
        games += played.margins.size
    expected = ties / games * real_games
    assert (real_games, real_ties) == (1855, 8)
    assert abs(real_ties - expected) < 2 * expected**0.5


# --- Counting and shares -------------------------------------------------------------------


def test_the_coach_uses_the_first_matching_entry() -> None:
    """Data, files and the compiled coach must agree about the entry of a situation."""
    whens = situations.PLAY
    rng = random.Random(3)
    m = RULES.new_match({"home_plan": "2008:ARI"})
    entries = plans.load("2008:ARI").section("play")
    rows = []
    for _ in range(400):
        down, period = rng.randint(1, 4), rng.randint(1, 5)
        spot = rng.randint(1, 99)
        row = {"down": down, "to-go": min(rng.randint(1, 25), 100 - spot), "spot": spot}
        row |= {"lead": rng.randint(-30, 30), "period": period, "time": rng.randint(1, 900)}
        rows.append(row)
    halves = [900 if row["period"] in (1, 3) else 0 for row in rows]
    asked = [{**row, "time": row["time"] + half} for row, half in zip(rows, halves, strict=True)]
    numbers, asked_numbers = (
        pl.DataFrame(given).select(call_counts.first_matching_entry(whens))["entry"]
        for given in (rows, asked)
    )
    first = m.plan_starts[c.HOME_PLAN * lookup_tables.SECTION_STARTS_WIDTH + c.PLAY]
    for index, row in enumerate(rows):
        g = RULES.new_position(m)
        g.phase, g.possession, g.period, g.clock = p.SCRIMMAGE, 0, row["period"], row["time"]
        g.down, g.to_go, g.spot = row["down"], row["to-go"], row["spot"]
        g.score = [max(0, row["lead"]), max(0, -row["lead"])]
        base = lookup_tables.find_row(m, g, c.HOME_PLAN, c.PLAY, 0)
        entry = (
            (base - lookup_tables.FIRST_SHARE) // plans.ENTRY_WIDTH
            - c.HOME_PLAN * plans.MAX_ENTRIES
            - first
        )
        assert plans.find_fitting_entry(entries, asked[index]) is entries[entry]
        assert asked_numbers[index] == entry
        assert numbers[index] == entry or halves[index]


def test_team_shares_preserve_the_totals_of_each_call() -> None:
    rng = np.random.default_rng(1)
    league = rng.dirichlet(np.ones(5) * 4, size=8)
    plays = range(5, 85, 10)
    counts = np.array(
        [rng.multinomial(n, mix) for n, mix in zip(plays, league, strict=True)], float
    )
    counts[:, 0] += 6  # it leans to the first call everywhere
    team_shares = shares.team_shares(counts, league, entry_prior_plays=30.0, team_prior_plays=0.0)
    assert team_shares.sum(axis=1) == pytest.approx(np.ones(8))
    totals = (team_shares * counts.sum(axis=1, keepdims=True)).sum(axis=0)
    assert totals == pytest.approx(counts.sum(axis=0), rel=1e-3)


def test_an_entry_without_plays_follows_the_team_tendency() -> None:
    league = np.array([[0.5, 0.5], [0.5, 0.5]])
    counts = np.array([[80.0, 20.0], [0.0, 0.0]])
    team_shares = shares.team_shares(counts, league, entry_prior_plays=20.0, team_prior_plays=10.0)
    assert 0.6 < team_shares[1, 0] <= team_shares[0, 0] < 0.85


def test_rounded_shares_add_up_and_keep_rare_calls() -> None:
    exact = np.tile(np.array([0.6, 0.394, 0.006]), (50, 1))
    whole = shares.round_shares(exact, np.ones(50))
    assert (whole.sum(axis=1) == 100).all()
    assert whole[:, 2].sum() == pytest.approx(30, abs=1)


def test_plans_of_an_invented_season_follow_its_calls() -> None:
    """Two teams: one runs on first down, one throws; both punt."""
    season_plans = real_plans.build_season_plans(play_by_play.load(invented_season()))
    assert set(season_plans) == {"league", "AAA", "BBB"}
    situation = {"down": 1, "to-go": 10, "spot": 30, "lead": 0, "time": 1500, "period": 1}
    runs = {}
    for code, plan in season_plans.items():
        entry = plans.find_fitting_entry(plan.section("play"), situation)
        assert entry is not None
        runs[code] = sum(plan_text.share_fractions(entry).get(play, 0.0) for play in RUNS)
        fourth = plans.find_fitting_entry(
            plan.section("instead"), {**situation, "down": 4, "to-go": 8}
        )
        assert fourth is not None
        assert plan_text.share_fractions(fourth)["punt"] > 0.9
    assert runs["AAA"] > 0.85
    assert runs["BBB"] < 0.15
    assert 0.4 < runs["league"] < 0.6


def invented_season() -> pl.DataFrame:
    """Return a frame in the nflverse layout: drives of three plays and a punt, all game long."""
    blank: dict[str, Any] = dict.fromkeys(play_by_play.COLUMNS)
    rows = []
    for game in range(4):
        clock, plays = 3600, 0
        while clock > 200:
            for team, other in (("AAA", "BBB"), ("BBB", "AAA")):
                for down in range(1, 5):
                    runs = team == "AAA" or down == 2
                    kind = "punt" if down == 4 else "run" if runs else "pass"
                    plays += 1
                    row = {
                        "game_id": f"2030_{game:02d}_AAA_BBB",
                        "play_id": plays,
                        "season": 2030,
                        "week": game + 1,
                        "season_type": "REG",
                        "home_team": "BBB",
                        "away_team": "AAA",
                        "home_score": 0,
                        "away_score": 0,
                        "posteam": team,
                        "defteam": other,
                        "play_type": kind,
                        "down": down,
                        "ydstogo": 12 - 2 * down if down < 4 else 8,
                        "yardline_100": 70,
                        "qtr": 4 - clock // 901 if clock > 0 else 4,
                        "half_seconds_remaining": clock % 1800,
                        "score_differential": 0,
                        "yards_gained": 2,
                        "desc": "",
                        "run_location": "middle" if kind == "run" else None,
                        "pass_location": "middle" if kind == "pass" else None,
                        "air_yards": 6 if kind == "pass" else None,
                        "complete_pass": int(kind == "pass"),
                        "rush_attempt": int(kind == "run"),
                        "pass_attempt": int(kind == "pass"),
                        "punt_attempt": int(kind == "punt"),
                        "kick_distance": 44 if kind == "punt" else None,
                        "posteam_timeouts_remaining": 3,
                        "defteam_timeouts_remaining": 3,
                    }
                    rows.append({**blank, **row})
                    clock -= 35
    return pl.DataFrame(rows, infer_schema_length=None)


# --- Files -----------------------------------------------------------------------------


def test_a_plan_written_out_is_the_same_plan(tmp_path: Path) -> None:
    plan = plans.load("2008:ARI")
    path = tmp_path / "ari.plan.toml"
    path.write_text(plan_text.write_plan(plan), encoding="utf-8")
    assert plans.load(str(path)) == plan
    text = path.read_text(encoding="utf-8")
    assert text.count("[[audible]]") == 1
    path.write_text(text.replace("\naudible = 1", "\naudible = 1\nstand = 3"), encoding="utf-8")
    changed = plans.load(str(path))
    assert changed.section("audible")[0].shares == {"stand": 3, "audible": 1}
    assert changed.section("play") == plan.section("play")


def test_a_plan_made_in_memory_equals_the_file() -> None:
    plan = plans.load("book")
    assert plans.build_plan("book", plan.sections(), {"return-depth": 4, "roll-inside": 6}) == plan
    with pytest.raises(BrokenPlan, match=r"mine: \[\[play\]\] number 1, draw: 2000"):
        plans.build_plan("mine", {"play": [Entry({}, {"draw": 2000})]})


def test_a_game_is_played_with_real_plans() -> None:
    options = {"home_plan": "2008:ARI", "away_plan": "2008:PIT", "mode": "full"}
    m = RULES.new_match(options)
    coach = RULES.coaches.index(RULES.coach("plan"))
    g, counts, _ = play_game(RULES, m, RULES.new_position(m), 7, 0, (coach, coach))
    plays = RULES.statistics.names.index("plays")
    assert RULES.is_over(g)
    assert 40 < counts[0][plays] < 90


HEAD = (
    'format = "data-driven-plans/1"\nname = "x"\n[[try]]\nextra-point = 1\n[[tempo]]\nspike = 1\n'
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('format = "other"', "x.plans.toml: format must be"),
        (HEAD + "[[plays]]\n", "x.plans.toml: unknown section 'plays': did you mean 'play'"),
        (
            HEAD + "[[tempo]]\nrun = 1\n",
            r"x.plans.toml: \[\[tempo\]\] number 2: unknown call 'run'",
        ),
        (
            HEAD + "[teams.A]\nplay = 1\n",
            r"\[teams.A\] play must be a string with one line of shares",
        ),
        (HEAD + "[teams.A]\nkicks = 1\n", r"\[teams.A\]: unknown section 'kicks'"),
        (
            HEAD + '[teams.A]\ntry = "1 0\\n1 1"\n',
            r"\[teams.A\] try: 2 lines; expected 1, one for each league entry",
        ),
        (
            HEAD + '[teams.A]\ntry = "1 x"\n',
            r"\[teams.A\] try, line 1: '1 x' is neither 2 shares nor '='",
        ),
        (
            HEAD + '[teams.A]\ntry = "0 0"\n',
            r"\[teams.A\] try, line 1: every call has a share of 0",
        ),
        (HEAD + '[teams.A]\ntry = "1001 0"\n', r"line 1: 1001 is not a share from 0 to 1000"),
        (HEAD + "teams = 3\n", r"x.plans.toml: (\[teams\] must be a table|\[\[tempo\]\])"),
        (HEAD + "[teams]\nA = 1\n", r"\[teams.A\] must be a table"),
        ("format = [", "cannot read .*x.plans.toml"),
    ],
)
def test_a_broken_season_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.plans.toml").write_text(text, encoding="utf-8")
    with search_path.search_first([tmp_path]), pytest.raises(BrokenPlan, match=said):
        plans.load("x:A")


def test_a_line_with_an_equals_sign_copies_the_league(tmp_path: Path) -> None:
    text = HEAD + '[[try]]\ntwo-point = 1\n[teams.A]\ntry = """\n=\n3 1\n"""\n'
    (tmp_path / "x.plans.toml").write_text(text, encoding="utf-8")
    with search_path.search_first([tmp_path]):
        own, league = plans.load("x:A"), plans.load("x:league")
        with pytest.raises(UnknownName, match=r"unknown team in x.plans.toml 'B'"):
            plans.load("x:B")
    assert own.section("try")[0] == league.section("try")[0]
    assert own.section("try")[1].shares == {"extra-point": 3, "two-point": 1}
    assert own.section("tempo") == league.section("tempo")


def test_a_season_without_plans_is_an_error() -> None:
    with pytest.raises(HashmarkError, match="no season plan file '1950'"):
        plans.load("1950:ARI")


# --- Words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({}, "any other situation"),
        ({"down": (3, 3), "to-go": (7, 99)}, "3rd & 7 or more"),
        ({"down": (3, 4), "to-go": (1, 1)}, "3rd or 4th & 1"),
        ({"down": (1, 3), "spot": (45, 79)}, "1st to 3rd down, own 45 to their 21"),
        ({"spot": (1, 9)}, "up to own 9"),
        ({"spot": (50, 99)}, "at midfield or closer"),
        ({"down": (0, 0)}, "two-point try"),
        ({"lead": (-999, -9), "period": (4, 4)}, "behind by 9 or more, fourth quarter"),
        ({"lead": (1, 8)}, "ahead by 1 to 8"),
        ({"lead": (0, 0)}, "tied"),
        ({"lead": (-3, 3)}, "behind by 3 to ahead by 3"),
        ({"lead": (0, 999)}, "at least tied"),
        ({"time": (0, 120), "period": (2, 2)}, "last 2:00 of the half, second quarter"),
        ({"time": (121, 300)}, "5:00 to 2:01 left in the half"),
        ({"period": (5, 99)}, "overtime"),
        ({"period": (3, 4)}, "second half"),
    ],
)
def test_situations_are_described_in_words(when: dict[str, tuple[int, int]], said: str) -> None:
    assert plan_text.describe_situation(when) == said


def test_unused_and_forbidden_entries_give_warnings() -> None:
    entries = [
        Entry({"down": (1, 3)}, {"draw": 1}),
        Entry({"down": (2, 2), "spot": (97, 99)}, {"draw": 1, "end-run": 1}),
    ]
    warnings = plan_check.find_warnings(plans.build_plan("odd", {"play": entries}))
    assert "[[play]] number 2 (2nd down, at their 3 or closer) is never used" in warnings[0]
    assert "draw is not allowed on or inside the opponents' 3" in warnings[1]
    assert any("other situations on 4th down" in line for line in warnings)
    assert any("[[formation]] has no entry" in line for line in warnings)
