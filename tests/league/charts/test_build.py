"""Charts from play-by-play: loading, column assignment, quantization, whole seasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars as pl
import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.chart_file import ChartFile, Team
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league import build_charts
from hashmark.league.charts import (
    build,
    fidelity,
    formations,
    gain_distributions,
    overlay,
    quantize,
    score_adjustment,
)
from hashmark.league.charts import (
    defense as defence,
)
from hashmark.league.charts.overlay import CoverRates, ResultRates
from hashmark.league.charts.tallies import LOWEST_GAIN, YARDS
from hashmark.league.data import chart_columns as columns
from hashmark.league.data import play_by_play, schedule
from hashmark.league.data.play_checks import BrokenPlays
from league.invented_plays import frame, pass_play, row, run
from league.real_seasons import PLAYS_FOLDER, needs_plays

FOLDER = PLAYS_FOLDER
EXAMPLES = FOLDER.parent / "rules" / "data-driven-examples.toml"
SEASON = FOLDER / "pbp_2008.parquet"
SHIPPED_SEASONS = sorted(charts.SHIPPED.glob("20[0-9][0-9].toml"))
WHOLE = sum(OFFENSE_WEIGHTS)


def columns_of(*rows: dict[str, Any]) -> list[str | None]:
    return columns.assign_columns(play_by_play.load(frame(*rows))).frame["column"].to_list()


# --- Loading ---------------------------------------------------------------------------


def test_load_names_every_missing_column() -> None:
    with pytest.raises(BrokenPlays, match="lacks the columns desc, air_yards"):
        play_by_play.load(frame(run()).drop("desc", "air_yards"))


def test_load_rejects_an_ambiguous_or_absent_season() -> None:
    plays = frame(run(), run(season=2031, game_id="2031_01_B_A"))
    with pytest.raises(BrokenPlays, match="several seasons"):
        play_by_play.load(plays)
    with pytest.raises(BrokenPlays, match="no plays of 2029"):
        play_by_play.load(plays, 2029)
    assert play_by_play.load(plays, 2031).height == 1


def test_load_rejects_an_empty_season() -> None:
    with pytest.raises(BrokenPlays, match="empty"):
        play_by_play.load(frame(run()).head(0))
    with pytest.raises(BrokenPlays, match="no REG play"):
        play_by_play.select_plays(play_by_play.load(frame(run(season_type="POST"))))


def test_load_reads_parquet_csv_and_several_files(tmp_path: Path) -> None:
    plays = frame(run(week=1), run(week=2))
    plays[:1].write_parquet(tmp_path / "one.parquet")
    plays[1:].write_csv(tmp_path / "two.csv")
    both = play_by_play.load([tmp_path / "one.parquet", tmp_path / "two.csv"])
    assert both["week"].to_list() == [1, 2]
    assert both.equals(play_by_play.load(plays))
    assert both.equals(play_by_play.load(tmp_path))


def test_load_reports_what_it_cannot_read(tmp_path: Path) -> None:
    for name in ("none.parquet", "plays.txt"):
        with pytest.raises(BrokenPlays, match="cannot read"):
            play_by_play.load(tmp_path / name)
    (tmp_path / "bad.parquet").write_text("no plays")
    with pytest.raises(BrokenPlays, match="cannot read"):
        play_by_play.load(tmp_path / "bad.parquet")
    with pytest.raises(BrokenPlays, match="expected a path or a frame"):
        play_by_play.load(7)  # type: ignore[arg-type]


def test_load_normalizes_integer_flags_nan_and_nulls() -> None:
    plays = frame(run(sack=None), run(air_yards=float("nan")))
    with_integers = plays.with_columns(
        pl.col("shotgun").cast(pl.Int64), pl.col("week").cast(pl.Float64)
    )
    loaded = play_by_play.load(with_integers)
    assert loaded["sack"].to_list() == [0, 0]
    assert loaded["air_yards"].null_count() == 2
    assert loaded.schema["shotgun"] == pl.Int8


def test_load_accepts_a_pandas_frame_of_32_bit_floats() -> None:
    plays = frame(run(week=3), pass_play(7.0, "middle"))
    columns = {
        column.name: column.to_list()
        if column.dtype == pl.String
        else np.array(column.cast(pl.Float32).fill_null(float("nan")).to_list(), np.float32)
        for column in plays
    }
    assert play_by_play.load(pandas.DataFrame(columns)).equals(play_by_play.load(plays))


def test_odd_and_even_weeks_are_selected() -> None:
    plays = play_by_play.load(frame(*(run(week=week) for week in (1, 2, 3))))
    assert play_by_play.select_plays(plays, weeks="odd")["week"].to_list() == [1, 3]
    assert play_by_play.select_plays(plays, weeks="even")["week"].to_list() == [2]
    with pytest.raises(BrokenPlays, match="weeks must be"):
        play_by_play.select_plays(plays, weeks="some")


def test_find_reports_the_file_it_looked_for(tmp_path: Path) -> None:
    with pytest.raises(BrokenPlays, match=r"pbp_2030\.parquet"):
        play_by_play.find_season_file(2030, tmp_path)
    frame(run()).write_csv(tmp_path / "pbp_2030.csv")
    assert play_by_play.find_season_file(2030, tmp_path).name == "pbp_2030.csv"


def test_download_without_nflreadpy_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(play_by_play, "import_module", missing)
    with pytest.raises(BrokenPlays, match="needs the package nflreadpy"):
        play_by_play.download_season(2030)


# --- Columns ---------------------------------------------------------------------------


def test_passes_are_assigned_by_depth_and_side() -> None:
    passes = [(0, "left"), (3, "right"), (9, "middle"), (9, "left"), (12, "middle"), (19, "right")]
    rows = [pass_play(float(air), where) for air, where in [*passes, (20, "middle")]]
    assert columns_of(*rows) == [
        "screen",
        "short-pass",
        "short-pass",
        "sideline-pass",
        "medium-pass",
        "sideline-pass",
        "long-pass",
    ]


def test_runs_are_assigned_by_gap_and_draws_by_shotgun() -> None:
    runs = [run("tackle"), run("end"), run("guard"), run(where="middle")]
    plain = [run("tackle") for _ in range(27)]
    draws = [run(where="middle", shotgun=1.0), run("guard", shotgun=1.0)]
    assigned = columns_of(*runs, *draws, *plain)
    assert assigned[:6] == ["off-tackle", "end-run", "line-plunge", "line-plunge", "draw", "draw"]


def test_plays_without_a_side_are_spread_over_columns() -> None:
    known = [pass_play(6.0, "left")] * 3 + [pass_play(6.0, "middle")]
    assigned = columns.assign_columns(play_by_play.load(frame(*known, pass_play(6.0, None))))
    assert assigned.spread["passes without depth or side"] == 1
    shares = dict(assigned.frame[-2:].select("column", "weight").iter_rows())
    assert shares == {"short-pass": 0.25, "sideline-pass": 0.75}


def test_results_are_classified_and_fumbles_keep_the_gain_before() -> None:
    text = "(1:00) 1-A.Back left tackle to B 40 for 18 yards (2-C.Line). FUMBLES, RECOVERED by B."
    lost = run("tackle", fumble=1.0, fumbled_1_team="A", desc=text, yards_gained=11.0)
    rows = [
        lost,
        run(aborted_play=1.0, fumble=1.0, fumbled_1_team="A", yards_gained=0.0),
        run(qb_scramble=1.0, yards_gained=7.0),
        pass_play(None, None, sack=1.0, complete_pass=0.0, yards_gained=-6.0),
        pass_play(12.0, interception=1.0, complete_pass=0.0),
        pass_play(12.0, complete_pass=0.0),
        run("end", touchdown=1.0, td_team="A"),
    ]
    plays = columns.assign_columns(play_by_play.load(frame(*rows))).frame
    results = {(result, yards) for result, yards in plays.select("result", "yards").iter_rows()}
    assert (columns.FUMBLE, 18) in results
    assert (columns.ABORTED, -1) in results
    assert (columns.SCRAMBLE, 7) in results
    assert (columns.SACK, -6) in results
    assert {columns.INTERCEPTED, columns.INCOMPLETE} <= {result for result, _ in results}
    assert plays["scored"].sum() == 1


def test_rows_that_are_no_play_are_dropped_and_counted() -> None:
    rows = [run("end"), row(play_type="qb_kneel"), row(play_type="no_play", penalty=1.0), row()]
    assigned = columns.assign_columns(
        play_by_play.load(frame(*rows, pass_play(2.0, two_point_attempt=1.0)))
    )
    assert sum(assigned.dropped.values()) == 4
    assert assigned.frame["weight"].sum() == 1


# --- Quantization ----------------------------------------------------------------------


def ways(rows: list[int]) -> int:
    return sum(OFFENSE_WEIGHTS[row] for row in rows)


@pytest.mark.parametrize("wanted", range(WHOLE + 1))
def test_every_weight_of_216_is_reached_exactly(wanted: int) -> None:
    assert ways(quantize.nearest_rows(range(30), float(wanted))) == wanted


def test_five_rows_reach_only_some_totals() -> None:
    bits = quantize.reachable_totals(range(5), DEFENSE_WEIGHTS)
    reached = {total for total in range(37) if bits >> total & 1}
    assert {0, 1, 3, 4, 9, 12, 13, 20, 32, 33, 35, 36} <= reached
    assert not reached & {2, 5, 6, 7, 8}


def test_events_get_disjoint_rows_near_their_rates() -> None:
    wanted = {"INT": 4.2, "F": 1.8, "QT": 15.3, "INC": 60.2, "OFF 5": 6.1, "OFF 15": 0.6}
    dealt, free = quantize.allocate_rows(wanted, first=("INT", "F"))
    rows = [row for event in dealt.values() for row in event] + free
    assert sorted(rows) == list(range(30))
    for event, share in wanted.items():
        assert abs(ways(dealt[event]) - share) <= 1.0


def test_allocated_yards_keep_the_mean() -> None:
    values = np.arange(-5.0, 41.0)
    chances = np.exp(-np.abs(values - 4) / 5)
    rows = [3, 5, 6, 9, 10, 12, 14, 17, 20, 22, 24, 25, 28, 29]
    cells = quantize.allocate_yards(rows, values, chances)
    mean = float(values @ chances / chances.sum())
    got = sum(OFFENSE_WEIGHTS[row] * yards for row, yards in cells.items())
    assert abs(got - mean * ways(rows)) <= 0.5
    assert sorted(cells) == rows


def test_allocated_yards_reach_a_given_total_and_floor() -> None:
    values, chances = np.array([13.0, 20.0, 50.0]), np.array([0.7, 0.2, 0.1])
    cells = quantize.allocate_yards(range(30), values, chances, total=4321.0, lowest=13)
    assert sum(OFFENSE_WEIGHTS[row] * yards for row, yards in cells.items()) == 4321
    assert min(cells.values()) >= 13


# --- Gains and the Priority Chart --------------------------------------------------------


def histogram(**yards: float) -> Any:
    counts = np.zeros(len(YARDS))
    for name, count in yards.items():
        counts[int(name[1:]) - LOWEST_GAIN] = count
    return counts


def test_a_touchdown_is_censored_at_its_yards() -> None:
    distribution = gain_distributions.kaplan_meier(histogram(y2=6, y10=2), histogram(y5=2))
    assert distribution[2 - LOWEST_GAIN] == pytest.approx(0.6)
    assert distribution[5 - LOWEST_GAIN] == 0
    assert distribution[10 - LOWEST_GAIN] == pytest.approx(0.4)  # two are censored at 5


def test_an_open_tail_becomes_a_touchdown_from_anywhere() -> None:
    distribution = gain_distributions.kaplan_meier(histogram(y2=9), histogram(y70=1))
    assert distribution[-1] == pytest.approx(0.1)
    assert distribution.sum() == pytest.approx(1.0)


def test_tilting_sets_the_mean_and_deconvolution_removes_shifts() -> None:
    counts = np.exp(-((YARDS - 4.0) ** 2) / 50)
    shape = gain_distributions.kaplan_meier(counts, np.zeros(len(YARDS)))
    assert gain_distributions.mean_gain(
        gain_distributions.tilt_to_mean(shape, np.asarray(5.5))
    ) == pytest.approx(5.5, abs=1e-6)
    unshifted = gain_distributions.deconvolve(shape, {-1: 0.25, 0: 0.5, 2: 0.25})
    assert unshifted.sum() == pytest.approx(1.0)
    assert gain_distributions.mean_gain(unshifted) == pytest.approx(
        float(gain_distributions.mean_gain(shape)) - 0.25, abs=0.05
    )


COVER = CoverRates(
    inc=0.12,
    int=0.015,
    qt=0.04,
    f=0.006,
    paren_td=0.003,
    shifts={0: 0.5, -1: 0.266},
    parens={9: 0.05},
)


def test_solved_offense_and_defense_rates_reproduce_the_result() -> None:
    wanted = ResultRates(*(np.asarray(rate) for rate in (0.03, 0.012, 0.09, 0.34)))
    offense = overlay.solve_offense(wanted, COVER)
    result = overlay.combine(offense, COVER)
    for name in ("int", "f", "qt", "inc"):
        assert float(getattr(result, name)) == pytest.approx(float(getattr(wanted, name)))
    defense = overlay.solve_defense(wanted, offense, COVER)
    assert float(defense.int) == pytest.approx(COVER.int)
    assert float(defense.qt) == pytest.approx(COVER.qt)
    assert float(defense.inc) == pytest.approx(COVER.inc)


def test_closed_form_equals_the_priority_chart() -> None:
    offense = {
        c.cell_of(c.INT, 10): 0.03,
        c.cell_of(c.FUMBLE, 4): 0.01,
        c.cell_of(c.TRAPPED, 0): 0.08,
        c.cell_of(c.INC, 0): 0.3,
        c.cell_of(c.NUMBER, 8): 0.58,
    }
    defense_cells = {
        c.cell_of(c.INC, 0): 0.12,
        c.cell_of(c.INT, 12): 0.015,
        c.cell_of(c.TRAPPED, 0): 0.04,
        c.cell_of(c.FUMBLE, 2): 0.006,
        c.cell_of(c.PAREN_TD, 0): 0.003,
        c.cell_of(c.NUMBER, 0): 0.5,
        c.cell_of(c.NUMBER, -1): 0.266,
        c.cell_of(c.PAREN, 9): 0.05,
    }
    exact = fidelity.column_outcome(offense, {}, defense_cells)
    rates = overlay.combine(
        ResultRates(*(np.asarray(rate) for rate in (0.03, 0.01, 0.08, 0.3))), COVER
    )
    assert exact.events["INT"] == pytest.approx(float(rates.int))
    assert exact.events["F"] == pytest.approx(float(rates.f))
    assert exact.events["QT"] == pytest.approx(float(rates.qt))
    assert exact.events["INC"] == pytest.approx(float(rates.inc))


# --- Defenses ----------------------------------------------------------------------------


def test_the_formation_design_is_centered_over_the_mix() -> None:
    plan = formations.read_design()
    mix = formations.normalize_mix()
    assert np.allclose(np.einsum("cf,fc->c", mix, plan.shift), 0)
    for event in formations.DEFENSE_SHARE:
        assert np.allclose(np.einsum("cf,fc->c", mix, plan.relative_rate[:, :, event]), 1)


def test_the_formation_mix_has_the_rates_of_the_team() -> None:
    plan, mix = formations.read_design(), formations.normalize_mix()
    rates = np.zeros((2, len(PLAYS), len(formations.EVENTS)))
    rates[:, :, formations.F] = 0.007
    rates[:, 4:, formations.INC] = np.array([0.08, 0.16])[:, None]
    rates[:, 4:, formations.INT] = np.array([0.01, 0.022])[:, None]
    rates[:, 4:, formations.QT] = np.array([0.03, 0.06])[:, None]
    shift = np.array([[-0.6] * 9, [0.8] * 9])
    usual = defence.LeagueAverage(np.full(len(PLAYS), 5.0), np.full(len(PLAYS), 0.7))
    defenses = defence.build_defenses(rates, shift, mix, plan, usual)
    for team in range(2):
        calls = np.eye(2)[team]
        for column in range(4, 9):
            cover = defence.combined_cover(defenses, mix, plan, column, calls)
            assert cover.inc == pytest.approx(rates[team, column, formations.INC], abs=1 / 72)
            assert cover.int == pytest.approx(rates[team, column, formations.INT], abs=1 / 180)
            assert cover.qt == pytest.approx(rates[team, column, formations.QT], abs=1 / 72)
            assert cover.mean_shift == pytest.approx(shift[team, column], abs=0.25)
    parens = (defenses.labels == formations.PAREN) | (defenses.labels == formations.LONG_PAREN)
    assert (parens @ np.array(DEFENSE_WEIGHTS)).max() <= defence.MAX_PAREN_WAYS


def test_numbers_offset_rounded_event_rates() -> None:
    """A formation that intercepts too often allows more yards, to be as strong as designed."""
    worth = np.zeros((6, len(formations.EVENTS)))
    worth[:, formations.INT] = -60.0
    labels = np.full((1, 6, 5), formations.NUMBER)
    labels[0, 1, 4] = formations.INT  # one way of 36, where half a way was wanted
    wanted = np.zeros((1, 6, len(formations.EVENTS)))
    wanted[:, :, formations.INT] = 0.5
    offsets = defence._number_offsets(labels, wanted, np.full(6, 1 / 6), worth)[0]
    weight = np.array([36, 35, 36, 36, 36, 36])
    assert offsets[1] > 0 > offsets[0]
    assert (offsets * weight).sum() == pytest.approx(0)
    expected = 60 * 0.5 / 35 + 60 * 0.5 / 36
    assert offsets[1] - offsets[0] == pytest.approx(expected)


def test_no_formation_has_events_its_numbers_cannot_offset() -> None:
    """Rare formations must not absorb the rounding errors of the others."""
    plan, mix = formations.read_design(), formations.normalize_mix()
    rng = np.random.default_rng(0)
    rates = np.zeros((24, len(PLAYS), len(formations.EVENTS)))
    rates[:, 4:, formations.INC] = rng.uniform(0.05, 0.12, (24, 5))
    rates[:, 4:, formations.INT] = rng.uniform(0.004, 0.02, (24, 5))
    rates[:, 4:, formations.QT] = rng.uniform(0.03, 0.15, (24, 5))
    usual = defence.LeagueAverage(np.full(len(PLAYS), 6.0), np.full(len(PLAYS), 0.6))
    defenses = defence.build_defenses(rates, np.zeros((24, len(PLAYS))), mix, plan, usual)
    ways = np.array(DEFENSE_WEIGHTS)
    for column in range(4, 9):
        wanted = defence._wanted_ways(rates[:, column], plan, column)
        labels = defenses.labels[:, :, column]
        actual = np.stack([(labels == event) @ ways for event in range(len(formations.EVENTS))], -1)
        worth = defence._event_worth(plan, usual, column)
        missing_yards = (
            np.einsum("tfe,fe->tf", wanted - actual, worth) / actual[:, :, formations.NUMBER]
        )
        assert abs(missing_yards).max() < defence.MAX_OFFSET_YARDS + 1


# --- Points ------------------------------------------------------------------------------


def test_only_unexplained_points_change_gains() -> None:
    own = (np.log(np.array([5.0, 5.5, 4.8])), np.array([0.2, 0.19, 0.22]), np.full(3, 0.02))
    predictors = np.stack([*own, own[0], own[2]], 1)
    points = 20 + (predictors - predictors.mean(0)) @ score_adjustment.POINT_WEIGHTS
    assert np.allclose(score_adjustment.gain_factors(points, own, own, 0.5), 1)
    lucky = points + np.array([4.0, 0.0, -4.0])
    factors = score_adjustment.gain_factors(lucky, own, own, 0.5)
    assert factors[0] > 1 > factors[2]


# --- Whole seasons -----------------------------------------------------------------------


def test_an_unknown_mode_is_rejected() -> None:
    with pytest.raises(HashmarkError, match="unknown mode 'raw': allowed: adjusted, faithful"):
        build_charts(frame(run()), mode="raw")


@pytest.mark.parametrize("season", SHIPPED_SEASONS, ids=str)
def test_shipped_charts_are_complete(season: Path) -> None:
    chart_file, faults = charts.check(season)
    assert chart_file is not None
    assert not faults
    assert not chart_file.partial
    assert len(chart_file.teams) == 32
    year = int(season.stem)
    assert all(key == f"{key[: -len(season.stem) - 1]}-{year}" for key in chart_file.teams)
    assert chart_file.league.season == year
    assert chart_file.league.kickoff_spot == (30 if year <= 2010 else 35)
    columns = [team.columns for team in chart_file.teams.values()]
    assert all(
        f"defence.{formation}.{play}" in columns[0] for formation in FORMATIONS for play in PLAYS
    )
    assert all(min(team.max_usage or (0,)) >= 1 for team in chart_file.teams.values())


@pytest.mark.parametrize("season", SHIPPED_SEASONS, ids=str)
def test_shipped_charts_have_the_overtime_of_their_season(season: Path) -> None:
    """Also in the regular season both teams have the ball since 2025."""
    league = charts.load(season.stem).league
    options = schedule.overtime_options(int(season.stem), playoff=False)
    assert league.overtime == options["overtime"]
    assert league.overtime_seconds == options["overtime_seconds"]
    assert (league.overtime == "both") == (int(season.stem) >= 2025)


@pytest.fixture(scope="module")
def built() -> build.BuiltCharts:
    return build.build_charts(SEASON, 2008)


@pytest.fixture(scope="module")
def faithful(tmp_path_factory: pytest.TempPathFactory) -> ChartFile:
    path = tmp_path_factory.mktemp("charts") / "faithful.toml"
    path.write_text(build.build_charts(SEASON, 2008, mode="faithful").text(), encoding="utf-8")
    return charts.load(str(path))


@needs_plays
def test_columns_match_their_targets_within_dice_resolution(built: build.BuiltCharts) -> None:
    measured = built.fidelity()
    assert len(measured.lines) == 32 * 9
    assert not measured.out_of_tolerance
    assert measured.worst_yards < 0.02
    assert sum(line.event_error > 1 / 216 for line in measured.lines) < 0.05 * len(measured.lines)
    events, yards = measured.defense_error()
    assert events < 0.2 / 36
    assert yards < 0.15


@needs_plays
def test_the_shipped_charts_are_reproduced_byte_for_byte(built: build.BuiltCharts) -> None:
    assert built.text() == (charts.SHIPPED / "2008.toml").read_text(encoding="utf-8")


@needs_plays
def test_the_report_counts_used_and_excluded_plays(built: build.BuiltCharts) -> None:
    text = "\n".join(built.report)
    assert "256 games, 43982 rows, 32 teams" in text
    assert "omitted: 378 kneels" in text
    assert "rule for draws: inside run from shotgun" in text


@needs_plays
def test_league_rates_are_those_of_the_season(built: build.BuiltCharts) -> None:
    """In 2008, 63.8 % of open-field attempts were complete and 2.83 % of all intercepted.

    Spikes excluded, before the allowance for the effect of the rules.
    """
    side = built.targets.offense
    calls, rates = side.calls[:, 4:], side.rates
    thrown = (calls * (1 - rates.qt[:, 4:])).sum()
    caught = (calls * (rates.gain + rates.f)[:, 4:]).sum()
    assert caught / thrown == pytest.approx(0.638, rel=0.015)
    assert (calls * rates.int[:, 4:]).sum() / thrown == pytest.approx(0.0283, rel=0.06)


@needs_plays
def test_odd_weeks_alone_give_valid_charts(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(build.build_charts(SEASON, 2008, weeks="odd").text(), encoding="utf-8")
    assert charts.check(path)[1] == []


# --- Cells quoted in the rulebook ----------------------------------------------------


def rate(cells: tuple[int, ...], wanted: int) -> float:
    total = sum(w for cell, w in zip(cells, OFFENSE_WEIGHTS, strict=True) if cell == wanted)
    return total / WHOLE


def set_rate(team: Team, name: str) -> float:
    mask = team.sets[name].mask
    return sum(w for row, w in enumerate(OFFENSE_WEIGHTS) if mask >> row & 1) / WHOLE


@needs_plays
def test_faithful_charts_have_the_quoted_rates(faithful: ChartFile) -> None:
    """ARZ keeps 96 of 216 fumbles, misses 5 extra points and returns 3 kicks for touchdowns."""
    arizona = faithful.team("ARI-2008")
    assert set_rate(arizona, "recovery") == pytest.approx(96 / 216)
    assert set_rate(arizona, "pat-miss") == pytest.approx(5 / 216)
    touchdown = c.cell_of(c.TD, 0)
    assert rate(arizona.columns["kick-return"], touchdown) == pytest.approx(3 / 216, abs=1 / 216)
    assert arizona.home_field[2:] == (2, 0)  # six wins at home, three on the road


def quoted(team: str, key: str) -> list[tuple[str, int]]:
    """Return the quoted cells of a team as column and cell, without white boxes."""
    chart_file, faults = charts.check(EXAMPLES)
    assert chart_file is not None
    assert not faults
    cells_quoted = []
    for name, cells in chart_file.team(key).columns.items():
        cells_quoted += [(name, cell) for cell in set(cells) if cell != c.BLANK]
    return cells_quoted


@needs_plays
@pytest.mark.skipif(not EXAMPLES.is_file(), reason="the quoted cells are not here")
def test_faithful_charts_contain_most_of_the_quoted_values(faithful: ChartFile) -> None:
    """Quoted offense and special-teams results are in the same column, within a yard or two.

    Defenses were filled by hand; their interceptions are the team's own. The counts are those in
    docs/explanation/chart-building.md.
    """
    matched, missed = [0, 0, 0], []
    for team, key in (("ARI-2008", "ARZ-2008"), ("PIT-2008", "PIT-2008")):
        columns_of_team = faithful.team(team).columns
        for name, cell in quoted(team, key):
            if name.startswith("defence") or len(columns_of_team.get(name, ())) != 30:
                continue
            kind, number = c.kind_of(cell), c.number_of(cell)
            distances = [
                abs(number - c.number_of(other))
                for other in columns_of_team[name]
                if (c.is_number(cell) and c.is_number(other)) or kind == c.kind_of(other)
            ]
            for yards in range(3):
                matched[yards] += min(distances, default=99) <= yards
            if min(distances, default=99) > 2:
                missed.append((team, name, c.spell(cell)))
    assert missed == [("PIT-2008", "offence.off-tackle", "DEF 5X")]
    assert matched == [47, 60, 62]  # of 63: to the yard, within one, within two


@needs_plays
def test_faithful_defenses_have_their_real_interception_depths(faithful: ChartFile) -> None:
    """ARI's long interceptions of 2008: 25, 26, 29 and 43 yards downfield (quoted: 25, 29, 43)."""
    team_columns = faithful.team("ARI-2008").columns
    depths = {
        c.number_of(cell)
        for formation in FORMATIONS
        for cell in team_columns[f"defence.{formation}.long-pass"]
        if c.kind_of(cell) == c.INT
    }
    assert depths <= {25, 26, 29, 43}
    assert len(depths & {25, 29, 43}) >= 2


@needs_plays
def test_adjusted_charts_are_shrunk_to_the_league(built: build.BuiltCharts) -> None:
    team = next(
        charts_of_team for charts_of_team in built.charts.teams if charts_of_team.key == "ARI-2008"
    )
    mask = c.parse_rows(team.values["recovery"])
    kept = sum(w for row, w in enumerate(OFFENSE_WEIGHTS) if mask >> row & 1) / WHOLE
    assert 96 / 216 < kept < 0.534
