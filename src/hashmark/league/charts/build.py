"""Chart builder: the charts of all teams of a season from its play-by-play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from hashmark.errors import UnknownName
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.tables import PASSES, PLAYS, SHORT_PASS
from hashmark.league.charts import (
    defense,
    fidelity,
    formations,
    gain_distributions,
    offense,
    overlay,
    penalties,
    quantize,
    score_adjustment,
    short_field,
    special_teams,
    supplements,
    tallies,
    targets,
)
from hashmark.league.charts.chart_file_text import SeasonCharts, TeamCharts, format_rows
from hashmark.league.charts.overlay import CoverRates, ResultRates
from hashmark.league.charts.season_counts import SeasonCounts
from hashmark.league.charts.tallies import LOWEST_GAIN, RUN_COLUMNS, YARDS
from hashmark.league.charts.targets import ADJUSTED, FAITHFUL, MODES, SeasonTargets
from hashmark.league.data import (
    chart_columns,
    coverage,
    play_by_play,
    play_checks,
    schedule,
    teams,
)
from hashmark.league.data.arrays import Floats
from hashmark.league.plans import formation_mix

Progress = Callable[[str], None]
DEFAULT_MODE = ADJUSTED
HOME_FIELD_KEYS = ("offence-audibles", "defence-audibles", "hfa", "road")
PRE_SNAP_FOULS = {
    "False Start",
    "Delay of Game",
    "Offensive 12 On-field",
    "Illegal Substitution",
}


@dataclass(frozen=True)
class BuiltCharts:
    """The charts of a season with the targets they were built for, for reports."""

    charts: SeasonCharts
    season: int
    mode: str
    weeks: str
    teams: list[str]
    targets: SeasonTargets
    mix: Floats
    report: list[str]

    def text(self) -> str:
        """Return the chart file as text."""
        return self.charts.text()

    def fidelity(self) -> fidelity.ChartFidelity:
        """Compute exactly how closely every column matches its target."""
        keys = [team.key for team in self.charts.teams]
        columns = [team.columns for team in self.charts.teams]
        return fidelity.ChartFidelity(
            fidelity.measure_offenses(keys, columns, self.mix, self.targets),
            fidelity.measure_defenses(keys, columns, self.mix, self.targets),
        )

    def to_json(self) -> dict[str, Any]:
        made_from = self.charts.made_from
        return {
            "season": self.season,
            "mode": self.mode,
            "weeks": self.weeks,
            "made_from": made_from.to_json() if made_from is not None else None,
            "teams": self.teams,
            "report": self.report,
            "fidelity": self.fidelity().to_json(),
        }


def check_request(mode: str, weeks: str) -> None:
    """Reject an unknown mode or week selection before any data is read."""
    if mode not in MODES:
        raise UnknownName("mode", mode, MODES)
    play_by_play.check_weeks(weeks)


def build_charts(
    source: play_by_play.PlaySource,
    season: int | None = None,
    mode: str = DEFAULT_MODE,
    weeks: str = "all",
    mix: Floats | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> BuiltCharts:
    """Build the charts of every team of a season; `source` as in `play_by_play.load`.

    A season with missing games is rejected unless `partial` is set.
    """
    check_request(mode, weeks)
    if progress is not None:
        progress("reading plays")
    everything = play_by_play.load(source, season)
    plays = play_by_play.select_plays(everything, weeks=weeks)
    made_from = coverage.check(everything, weeks, partial)
    return build_from_plays(plays, mode, weeks, mix, progress, made_from)


def build_from_plays(
    plays: pl.DataFrame,
    mode: str = DEFAULT_MODE,
    weeks: str = "all",
    mix: Floats | None = None,
    progress: Progress | None = None,
    made_from: MadeFrom | None = None,
) -> BuiltCharts:
    """Build the charts from plays that are already loaded, selected and checked."""
    notify = progress or (lambda _: None)
    play_checks.check_sample_size(plays)
    year = int(plays["season"][0])
    with play_checks.translate_sparse_data_errors("charts"):
        formation_shares = (
            formation_mix.mix_by_column(short_field.open_field_plays(plays)) if mix is None else mix
        )
        return _Builder(
            plays, year, mode, weeks, formations.normalize_mix(formation_shares), notify, made_from
        ).build()


class _Builder:
    """The build steps in order; each stores what later steps need."""

    def __init__(
        self,
        plays: pl.DataFrame,
        season: int,
        mode: str,
        weeks: str,
        mix: Floats,
        notify: Progress,
        made_from: MadeFrom | None = None,
    ) -> None:
        self.plays, self.season, self.mode, self.weeks = plays, season, mode, weeks
        self.mix, self.notify, self.made_from = mix, notify, made_from
        self.faithful = mode == FAITHFUL
        self.teams = play_by_play.team_codes(plays)
        self.team_charts = [
            TeamCharts(f"{team}-{season}", teams.full_name(team, season), season)
            for team in self.teams
        ]

    def build(self) -> BuiltCharts:
        self.notify("assigning plays to columns")
        self.scrimmage = chart_columns.assign_columns(self.plays)
        column_weights = self.scrimmage.frame.group_by("column").agg(pl.col("weight").sum())
        play_checks.check_all_columns_seen(dict(column_weights.iter_rows()), PLAYS)
        self.notify("team effects")
        points = score_adjustment.points_per_game(self.plays, self.teams)
        frame = self.scrimmage.frame
        self.targets, self.offense, self.defense = targets.build_targets(
            frame, short_field.open_field_plays(frame), self.teams, self.mode, points
        )
        self.flags = penalties.count_penalties(self.plays, self.teams)
        self.counts = SeasonCounts(
            self.targets, self.offense, self.defense, self.flags, self.faithful
        )
        self.notify("defense charts")
        covers = self.build_defense_charts()
        self.notify("offense charts")
        self.build_offense_charts(covers)
        self.notify("special teams")
        self.special = special_teams.build_special_teams(self.plays, self.teams, self.faithful)
        for team, special_columns in zip(self.team_charts, self.special.columns, strict=True):
            team.columns.update(special_columns)
        self.notify("supplements")
        self.build_supplements()
        charts = SeasonCharts(
            self.season,
            self.header_lines(),
            self.league_values(),
            self.league_columns(),
            self.team_charts,
            self.made_from,
        )
        return BuiltCharts(
            charts,
            self.season,
            self.mode,
            self.weeks,
            self.teams,
            self.targets,
            self.mix,
            self.report(),
        )

    # --- Defense ----------------------------------------------------------------------

    def build_defense_charts(self) -> list[CoverRates]:
        """Build the charts of all defenses; return their combined cover by column."""
        plan = formations.read_design(self.mix)
        rates, shift = self.defense_rates(plan)
        defenses = defense.build_defenses(rates, shift, self.mix, plan, self.league_average())
        for team, charts in enumerate(self.team_charts):
            interceptions, fumbles = (
                [sample(self.defense, team, column) for column in range(len(PLAYS))]
                for sample in (self.counts.interception_yards, self.counts.fumble_spots)
            )
            charts.columns |= defense.team_cells(defenses, plan, team, interceptions, fumbles)
        faced = self.targets.defense.calls
        return [
            defense.combined_cover(defenses, self.mix, plan, column, faced[:, column])
            for column in range(len(PLAYS))
        ]

    def defense_rates(self, plan: formations.FormationDesign) -> tuple[Floats, Floats]:
        """Return the rates and shifts each defense's mix must have, [team, column, event]."""
        league, side = self.targets.league, self.targets.defense
        rates = np.zeros((len(self.teams), len(PLAYS), len(formations.EVENTS)))
        shift = np.zeros((len(self.teams), len(PLAYS)))
        for column in range(len(PLAYS)):
            league_rates = league.rates.at(0, column)
            design = self.designed_cover(plan, column, league_rates)
            offense_rates = overlay.solve_offense(league_rates, design)
            needed = overlay.solve_defense(
                side.rates.at(slice(None), column), offense_rates, design
            )
            for name, event in targets.EVENTS.items():
                rates[:, column, event] = getattr(needed, name)
            # `(#)` cells are the same for all teams, so the number cells must make the difference.
            number_share = float(offense_rates.gain) * design.number_rate / float(league_rates.gain)
            shift[:, column] = (side.yards[:, column] - league.yards[0, column]) / number_share
        return rates, shift

    def league_average(self) -> defense.LeagueAverage:
        """Return what the league's calls yield."""
        league = self.targets.league
        yards = score_adjustment.yards_per_call(league.rates, league.yards)
        return defense.LeagueAverage(yards[0], league.rates.gain[0])

    def designed_cover(
        self, plan: formations.FormationDesign, column: int, whole: ResultRates
    ) -> CoverRates:
        """Return the cover that an average defense is designed to be."""
        ways = np.einsum("f,fe->e", self.mix[column], plan.ways[:, column]) / 36
        parens: dict[int, float] = {}
        for formation in range(len(self.mix[column])):
            for kind in (formations.PAREN, formations.LONG_PAREN):
                chance = self.mix[column, formation] * plan.ways[formation, column, kind] / 36
                if chance:
                    yards = int(plan.paren_yards[formation, column, kind - formations.PAREN])
                    parens[yards] = parens.get(yards, 0.0) + chance
        events = {
            name: float(getattr(whole, name)) * formations.DEFENSE_SHARE[event]
            for name, event in targets.EVENTS.items()
        }
        events["paren_td"] = float(ways[formations.PAREN_TD])
        number = 1 - sum(events.values()) - sum(parens.values())
        return CoverRates(**events, shifts={0: number}, parens=parens)

    # --- Offense ----------------------------------------------------------------------

    def build_offense_charts(self, covers: list[CoverRates]) -> None:
        flag_rates = self.counts.flag_rates()
        targets_by_column = [
            [self.counts.column_target(team, column, flag_rates) for team in range(len(self.teams))]
            for column in range(len(PLAYS))
        ]
        gains_by_column = [
            offense.solve_own_gains(*column_inputs)
            for column_inputs in zip(targets_by_column, covers, strict=True)
        ]
        for team, charts in enumerate(self.team_charts):
            charts.columns["breakaway"] = self.long_gain_chart(
                RUN_COLUMNS, team, gain_distributions.BREAKAWAY_MIN_YARDS
            )
            charts.columns["qt"] = self.counts.trapped_chart(team)
            mean = offense.chart_mean(charts.columns["breakaway"])
            carry = offense.RoundingCarry({})
            calls = self.targets.offense.calls[team]
            for column in np.argsort(calls):
                play = PLAYS[column]
                target, own_gains = targets_by_column[column][team], gains_by_column[column][team]
                cells = offense.build_column(
                    play, target, covers[column], own_gains, mean, float(calls[column]), carry
                )
                charts.columns[f"offence.{play}"] = cells
            if self.season >= offense.BIG_PLAYS_FIRST_SEASON:
                self.add_big_plays(team, charts)

    def long_gain_chart(self, columns: slice, team: int, first: int) -> list[int]:
        return offense.build_long_gain_chart(*self.counts.long_gains(columns, team, first), first)

    def add_big_plays(self, team: int, charts: TeamCharts) -> None:
        cells = offense.mark_big_plays(charts.columns["offence.short-pass"])
        if any(c.is_bold(cell) for cell in cells):
            charts.columns["offence.short-pass"] = cells
            charts.columns["big-play"] = self.long_gain_chart(
                slice(SHORT_PASS, SHORT_PASS + 1), team, offense.BIG_PLAY_MIN_YARDS
            )

    # --- Supplements --------------------------------------------------------------------

    def build_supplements(self) -> None:
        """Set the row sets and quotas of every team."""
        kept_own, own_fumbles, kept_against, fumbles_against = supplements.count_fumbles(
            self.plays, self.teams
        )
        recovery = supplements.build_recovery_rows(kept_own, own_fumbles, self.faithful)
        adjustments = supplements.build_recovery_adjustments(
            kept_against, fumbles_against, self.faithful
        )
        penalty_rows = supplements.build_penalty_rows(self.flags, self.faithful)
        containment = supplements.build_containment(self.defense, self.faithful)
        league = float(self.targets.league.sacked[0])
        hurry, usage, home_field = supplements.build_quotas(
            self.plays, self.scrimmage.frame, self.teams
        )
        for index, team in enumerate(self.team_charts):
            values = team.values
            values["recovery"] = format_rows(recovery[index])
            values["pat-miss"] = format_rows(self.special.pat_miss[index])
            if muffs := self.counts.muffed_snap_rows(index):
                values["muffed-snap"] = format_rows(muffs)
            values["hurry-up"] = hurry[index]
            values["max-usage"] = dict(zip(PLAYS, usage[index], strict=True))
            values["home-field"] = dict(zip(HOME_FIELD_KEYS, home_field[index], strict=True))
            values["sack-rate"] = self.sack_values(index, league)
            if (adjustment := adjustments[index]) is not None:
                values["recovery-adjust"] = adjustment.values()
            if penalty_rows[index]:
                values["penalties"] = {
                    name: {rows.kind: format_rows(rows.rows)}
                    for name, rows in penalty_rows[index].items()
                }
            team.columns["qr"] = containment[index]
            if (chart := self.special.fg_adjust[index]) is not None:
                team.columns["fg-adjust"] = chart

    def sack_values(self, index: int, league: float) -> dict[str, Any]:
        adjustment = supplements.build_sack_rows(float(self.targets.defense.sacked[index]), league)
        sack = tallies.histogram_mean(
            self.defense.sacks[index], tallies.histogram_mean(self.defense.sacks.sum(0), -6.0)
        )
        scramble = tallies.histogram_mean(
            self.offense.scrambles[index],
            tallies.histogram_mean(self.offense.scrambles.sum(0), 7.0),
        )
        rows = adjustment.values() if adjustment is not None else {}
        return {**rows, "sack-yards": min(round(sack), -1), "qr-yards": max(round(scramble), 1)}

    # --- The league ---------------------------------------------------------------------

    def league_values(self) -> dict[str, Any]:
        own_fouls = self.plays.filter(
            (pl.col("penalty") == 1) & (pl.col("penalty_team") == pl.col("posteam"))
        )["penalty_type"].drop_nulls()
        five_yard_fouls = [kind for kind in own_fouls if kind not in penalties.OFFENSE_FOULS]
        pre_snap = sum(kind in PRE_SNAP_FOULS for kind in five_yard_fouls)
        share = pre_snap / max(len(five_yard_fouls), 1)
        overtime = schedule.overtime_options(self.season, playoff=False)
        return {
            "season": self.season,
            "kickoff-spot": special_teams.kickoff_line(self.plays),
            "overtime": overtime["overtime"],
            "overtime-seconds": overtime["overtime_seconds"],
            "onside": "13-20",
            "pre-snap": format_rows(quantize.rows_for_rate(share)),
            "holding": format_rows(quantize.rows_for_rate(self.flags.end_zone_holding)),
            "between-downs": format_rows(quantize.rows_for_rate(self.flags.between_downs)),
        }

    def league_columns(self) -> dict[str, list[int]]:
        league_charts = {"squib-return": self.special.squib}
        for play in PASSES:
            yards = np.zeros(len(YARDS))
            for foul_yards in self.counts.interference_yards(play):
                yards[min(foul_yards, 90) - LOWEST_GAIN] += 1.0
            numbers = quantize.allocate_yards(
                range(quantize.ROW_COUNT), YARDS.astype(float), yards, lowest=1
            )
            league_charts[f"pi-yards.{play}"] = [
                c.cell_of(c.NUMBER, numbers[row]) for row in range(quantize.ROW_COUNT)
            ]
        return league_charts | self.short_field_columns()

    def short_field_columns(self) -> dict[str, list[int]]:
        """E1, E2: corrections near the goal line and line to gain that the charts lack."""
        team_charts = short_field.LeagueCharts(
            self.teams, [team.columns for team in self.team_charts]
        )
        frame = self.scrimmage.frame
        return short_field.build_columns(
            short_field.measure_gaps(frame, team_charts),
            short_field.exact_gain_shares(frame, team_charts),
        )

    def header_lines(self) -> list[str]:
        weeks = "" if self.weeks == "all" else f", {self.weeks} weeks only"
        partial = [f"Partial season: {self.made_from}."] if self.made_from is not None else []
        return [
            f"Charts of the {self.season} season{weeks}, made from play-by-play "
            f"(nflverse, CC BY 4.0) by `hashmark charts build`.",
            *partial,
            f"Mode {self.mode}. Method: docs/explanation/chart-building.md; "
            "layout: docs/reference/charts.md.",
        ]

    def report(self) -> list[str]:
        """Describe which plays were used, and which were excluded and why."""
        frame = self.scrimmage.frame
        lines = [
            f"{self.season}, {self.weeks} weeks of the regular season: "
            f"{self.plays['game_id'].n_unique()} games, {self.plays.height} rows, "
            f"{len(self.teams)} teams",
            *([f"partial season: {self.made_from}"] if self.made_from is not None else []),
            f"runs and passes assigned to columns: {round(float(frame['weight'].sum()))}",
            f"rule for draws: {self.scrimmage.draw_rule}",
        ]
        lines += [f"omitted: {count} {reason}" for reason, count in self.scrimmage.dropped.items()]
        lines += [
            f"spread over columns: {count} {reason}"
            for reason, count in self.scrimmage.spread.items()
            if count
        ]
        if not self.faithful:
            lines += [
                f"shrinkage of {name}: a team's own rate has weight one half at {ratio:.0f} plays"
                for name, ratio in self.targets.variance_ratios.items()
            ]
        return lines
