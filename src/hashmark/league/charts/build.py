"""Charts of all teams of a season from its play-by-play (docs/chart-building.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.tables import PASSES, PLAYS, RUNS
from hashmark.league.charts import (
    defence,
    fidelity,
    flags,
    formations,
    gains,
    offence,
    overlay,
    quantise,
    scores,
    short_field,
    special,
    supplements,
    tallies,
    targets,
)
from hashmark.league.charts.overlay import Cover, Rates
from hashmark.league.charts.tallies import LOWEST, RUN, YARDS, Array, Side
from hashmark.league.charts.targets import ADJUSTED, FAITHFUL, MODES, Aims
from hashmark.league.charts.write import SeasonCharts, TeamCharts, rows_text
from hashmark.league.facts import columns, coverage, pbp, pbp_bounds, teams
from hashmark.league.plans import formation_mix
from hashmark.table.errors import UnknownName

Progress = Callable[[str], None]
K_FLAG = 550.0
DEFAULT_MODE = ADJUSTED


@dataclass(frozen=True)
class Built:
    """A season's charts with what they were made of, for reports."""

    charts: SeasonCharts
    season: int
    mode: str
    weeks: str
    teams: list[str]
    aims: Aims
    mix: Array
    report: list[str]

    def text(self) -> str:
        """The chart file."""
        return self.charts.text()

    def fidelity(self) -> fidelity.Fidelity:
        """How near every column comes to what it was built for, exactly."""
        keys = [team.key for team in self.charts.teams]
        made = [team.columns for team in self.charts.teams]
        return fidelity.Fidelity(
            fidelity.offence_lines(keys, [*made], self.mix, self.aims),
            fidelity.defence_lines(keys, [*made], self.mix, self.aims),
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


def check_wishes(mode: str, weeks: str) -> None:
    """Refuse what cannot be built before anything is read."""
    if mode not in MODES:
        raise UnknownName("mode", mode, MODES)
    pbp.check_weeks(weeks)


def build_charts(
    source: Any,
    season: int | None = None,
    mode: str = DEFAULT_MODE,
    weeks: str = "all",
    mix: Array | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> Built:
    """Make the charts of every team of a season; `source` as in `pbp.load`.

    A season of which games are missing is refused, unless `partial` says that a part will do.
    """
    check_wishes(mode, weeks)
    if progress is not None:
        progress("reading plays")
    everything = pbp.load(source, season)
    plays = pbp.pick(everything, weeks=weeks)
    made_from = coverage.check(everything, weeks, partial)
    return build_from(plays, mode, weeks, mix, progress, made_from)


def build_from(
    plays: pl.DataFrame,
    mode: str = DEFAULT_MODE,
    weeks: str = "all",
    mix: Array | None = None,
    progress: Progress | None = None,
    made_from: MadeFrom | None = None,
) -> Built:
    """The same from plays that were read, picked and checked before."""
    say = progress or (lambda _: None)
    pbp_bounds.check_enough(plays)
    year = int(plays["season"][0])
    with pbp_bounds.enough_for("charts"):
        met = formation_mix.by_column(short_field.in_the_open(plays)) if mix is None else mix
        return _Builder(plays, year, mode, weeks, formations.mixes(met), say, made_from).build()


class _Builder:
    """The steps, in order; each keeps what later ones need."""

    def __init__(
        self,
        plays: pl.DataFrame,
        season: int,
        mode: str,
        weeks: str,
        mix: Array,
        say: Progress,
        made_from: MadeFrom | None = None,
    ) -> None:
        self.plays, self.season, self.mode, self.weeks = plays, season, mode, weeks
        self.mix, self.say, self.made_from = mix, say, made_from
        self.faithful = mode == FAITHFUL
        self.teams = pbp.teams(plays)
        self.flagged: dict[str, list[int]] = {}  # yards of interference, by play
        self.made = [
            TeamCharts(f"{team}-{season}", teams.name(team, season), season) for team in self.teams
        ]

    def build(self) -> Built:
        self.say("sorting plays into columns")
        self.scrimmage = columns.scrimmage(self.plays)
        seen = self.scrimmage.frame.group_by("column").agg(pl.col("weight").sum())
        pbp_bounds.check_columns(dict(seen.iter_rows()), PLAYS)
        self.say("team effects")
        points = scores.per_game(self.plays, self.teams)
        frame = self.scrimmage.frame
        self.aims, self.own, self.theirs = targets.aims(
            frame, short_field.in_the_open(frame), self.teams, self.mode, points
        )
        self.flags = flags.count(self.plays, self.teams)
        self.say("defence charts")
        covers = self.defence_charts()
        self.say("offence charts")
        self.offence_charts(covers)
        self.say("special teams")
        self.special = special.build(self.plays, self.teams, self.faithful)
        for team, own in zip(self.made, self.special.columns, strict=True):
            team.columns.update(own)
        self.say("supplements")
        self.values()
        charts = SeasonCharts(
            self.season,
            self.head(),
            self.league(),
            self.league_columns(),
            self.made,
            self.made_from,
        )
        return Built(
            charts,
            self.season,
            self.mode,
            self.weeks,
            self.teams,
            self.aims,
            self.mix,
            self.report(),
        )

    # --- Defence ----------------------------------------------------------------------

    def defence_charts(self) -> list[Cover]:
        """Charts of all defences; the cover that all of them together are, by column."""
        plan = formations.design(self.mix)
        rates, shift = self.defence_rates(plan)
        made = defence.build(rates, shift, self.mix, plan, self.usual())
        for team, charts in enumerate(self.made):
            picks = [self.picks(self.theirs, team, column) for column in range(len(PLAYS))]
            spots = [self.spots(self.theirs, team, column) for column in range(len(PLAYS))]
            charts.columns.update(
                {
                    name: list(row)
                    for name, row in defence.cells(made, plan, team, picks, spots).items()
                }
            )
        faced = self.aims.defence.calls
        return [
            defence.cover(made, self.mix, plan, column, faced[:, column])
            for column in range(len(PLAYS))
        ]

    def defence_rates(self, plan: formations.Design) -> tuple[Array, Array]:
        """The rates and shifts that every defence's mix must have, [team, column, event]."""
        league, side = self.aims.league, self.aims.defence
        rates = np.zeros((len(self.teams), len(PLAYS), len(formations.EVENTS)))
        shift = np.zeros((len(self.teams), len(PLAYS)))
        for column in range(len(PLAYS)):
            whole = _one(league.rates, 0, column)
            design = self.designed(plan, column, whole)
            p = overlay.under(whole, design)
            own = Rates(*(getattr(side.rates, name)[:, column] for name in _RATES))
            q = overlay.over(own, p, design)
            for event, rate in (
                (formations.INT, q.int),
                (formations.F, q.f),
                (formations.QT, q.qt),
                (formations.INC, q.inc),
            ):
                rates[:, column, event] = rate
            # Gains that come from `(#)` cells are the same for all: the numbers must do it.
            part = float(p.gain) * design.number / float(whole.gain)
            shift[:, column] = (side.yards[:, column] - league.yards[0, column]) / part
        return rates, shift

    def usual(self) -> defence.Usual:
        """What the league's calls come to."""
        league = self.aims.league
        yards = scores.yards_of_calls(league.rates, league.yards)
        return defence.Usual(yards[0], league.rates.gain[0])

    def designed(self, plan: formations.Design, column: int, whole: Rates) -> Cover:
        """The cover that an average defence is meant to be."""
        ways = np.einsum("f,fe->e", self.mix[column], plan.ways[:, column]) / 36
        parens: dict[int, float] = {}
        for at in range(len(self.mix[column])):
            for kind in (formations.PAREN, formations.LONG_PAREN):
                chance = self.mix[column, at] * plan.ways[at, column, kind] / 36
                if chance:
                    to = int(plan.paren[at, column, kind - formations.PAREN])
                    parens[to] = parens.get(to, 0.0) + chance
        part = formations.DEFENCE_PART
        events = {
            "int": float(whole.int) * part[formations.INT],
            "f": float(whole.f) * part[formations.F],
            "qt": float(whole.qt) * part[formations.QT],
            "inc": float(whole.inc) * part[formations.INC],
            "paren_td": float(ways[formations.PAREN_TD]),
        }
        number = 1 - sum(events.values()) - sum(parens.values())
        return Cover(**events, shifts={0: number}, parens=parens)

    # --- Offence ----------------------------------------------------------------------

    def offence_charts(self, covers: list[Cover]) -> None:
        flag_rates = self.flag_rates()
        wanted = [
            [self.wanted(team, column, flag_rates) for team in range(len(self.teams))]
            for column in range(len(PLAYS))
        ]
        own = [offence.own_gains(*each) for each in zip(wanted, covers, strict=True)]
        for team, charts in enumerate(self.made):
            charts.columns["breakaway"] = self.breakaway(team)
            charts.columns["qt"] = self.trapped(team)
            mean = offence.mean_of(charts.columns["breakaway"])
            carry = offence.Carry({})
            calls = self.aims.offence.calls[team]
            for column in np.argsort(calls):
                play = PLAYS[column]
                aim, its_own = wanted[column][team], own[column][team]
                cells = offence.column(
                    play, aim, covers[column], its_own, mean, float(calls[column]), carry
                )
                charts.columns[f"offence.{play}"] = cells
            if self.season >= offence.BIG_PLAYS_SINCE:
                self.big_plays(team, charts)

    def wanted(self, team: int, column: int, flag_rates: Array) -> offence.Wanted:
        side = self.aims.offence
        return offence.Wanted(
            rates=_one(side.rates, team, column),
            gains=side.gains[team, column],
            out=self.out(team, column),
            flags=flag_rates[team, column],
            interference=self.interference(PLAYS[column]),
            grounding=self.flags.grounding or [10],
            picks=self.picks(self.own, team, column),
            fumbles=self.spots(self.own, team, column),
        )

    def flag_rates(self) -> Array:
        """[team, column, kind]: own fouls at the team's rates, the defence's at the league's."""
        k = 0.0 if self.faithful else K_FLAG
        rates = np.zeros((len(self.teams), len(flags.KINDS)))
        for kind in range(len(flags.KINDS)):
            own, snaps = self.flags.offence[:, kind], self.flags.snaps
            league = own.sum() / snaps.sum()
            if kind in flags.OFFENSIVE:
                rates[:, kind] = (own + k * league) / (snaps + k)
            else:
                rates[:, kind] = league
        made = self.flags.column_rates(rates)
        return self.interference_rates(made)

    def interference_rates(self, rates: Array) -> Array:
        """Pass interference by column: as often as its yards say."""
        calls = self.aims.offence.calls.sum(0)
        found = self.flags.interference
        total = float(self.flags.offence[:, flags.PI].sum())
        for column, play in enumerate(PLAYS):
            if play in PASSES and found.height:
                part = found.filter(pl.col("column") == play).height / found.height
                rates[:, column, flags.PI] = part * total / calls[column]
        return rates

    def interference(self, play: str) -> list[int]:
        if play not in self.flagged:
            found = self.flags.interference.filter(pl.col("column") == play)["yards"].to_list()
            self.flagged[play] = [int(yards) for yards in found] or [5]
        return self.flagged[play]

    def picks(self, side: Side, team: int, column: int) -> list[int]:
        """Air yards of interceptions: the team's own in faithful mode, else the league's."""
        return self.numbers(side.picks, team, column, [8])

    def spots(self, side: Side, team: int, column: int) -> list[int]:
        """Where fumbles happened; bad snaps are at -1."""
        found = self.numbers(side.fumbles, team, column, [2])
        if PLAYS[column] in RUNS and not self.faithful:
            runs = self.own.results[:, RUN, columns.FUMBLE].sum()
            bad = round(len(found) * float(self.own.aborted.sum()) / max(float(runs), 1.0))
            found = [-1] * bad + found
        return found

    def numbers(self, counts: Array, team: int, column: int, otherwise: list[int]) -> list[int]:
        own = counts[team, column]
        league = counts[:, column].sum(0)
        if self.faithful and tallies.listed(own):
            return tallies.listed(own)
        return tallies.deciles(league) if league.sum() >= 1 else otherwise

    def out(self, team: int, column: int) -> float:
        """The part of gains that end out of bounds, drawn towards the league's."""
        k = 0.0 if self.faithful else 60.0
        own = float(self.own.out[team, column].sum())
        base = float(self.own.gains[team, column].sum())
        league = float(self.own.out[:, column].sum()) / max(
            float(self.own.gains[:, column].sum()), 1.0
        )
        return (own + k * league) / max(base + k, 1.0)

    def long_gains(self, column: slice | int, team: int, first: int) -> tuple[Array, float]:
        """The distribution of long gains of a team, and the part out of bounds."""
        prior = 5.0 if self.faithful else 60.0
        own, ended = self.own.gains[team, column], self.own.scores[team, column]
        all_gains, all_scores = self.own.gains[:, column].sum(0), self.own.scores[:, column].sum(0)
        out = self.own.out[:, column].sum(0)
        if isinstance(column, slice):
            own, ended = own.sum(0), ended.sum(0)
            all_gains, all_scores, out = all_gains.sum(0), all_scores.sum(0), out.sum(0)
        place = first - LOWEST
        league = gains.product_limit(all_gains, all_scores)
        head = np.zeros_like(own)
        head[place:] = 1.0
        made = gains.product_limit(own * head, ended * head, gains.at_least(league, place), prior)
        return made, float(out[place:].sum() / max(all_gains[place:].sum(), 1.0))

    def breakaway(self, team: int) -> list[int]:
        made, out = self.long_gains(RUN, team, gains.BREAKAWAY_FROM)
        return offence.long_chart(made, gains.BREAKAWAY_FROM, out)

    def big_plays(self, team: int, charts: TeamCharts) -> None:
        cells = offence.embolden(charts.columns["offence.short-pass"])
        if any(c.is_bold(cell) for cell in cells):
            charts.columns["offence.short-pass"] = cells
            made, out = self.long_gains(PLAYS.index("short-pass"), team, offence.BOLD_FROM)
            charts.columns["big-play"] = offence.long_chart(made, offence.BOLD_FROM, out)

    def trapped(self, team: int) -> list[int]:
        """The QT chart: sacks, scrambles and fumbles."""
        k = 0.0 if self.faithful else 60.0
        own = self.own
        sacks = own.sacks - own.sack_fumbles
        league = own.league()
        lost = league.sack_fumbles.sum() / league.sacks.sum()
        # Fumbles on scrambles are few: they stand among those on sacks.
        fumbled = float(own.sack_fumbles[team].sum() + own.scramble_fumbles[team])
        number = float(own.sacks[team].sum())
        lost = (league.sack_fumbles.sum() + league.scramble_fumbles.sum()) / league.sacks.sum()
        rate = (fumbled + 3 * k * lost) / max(number + 3 * k, 1.0)
        spots = tallies.listed(own.sack_fumbles[team])
        if not self.faithful or not spots:
            spots = tallies.deciles(own.sack_fumbles.sum(0))
        tiny = 1e-6 if self.faithful else k
        out = float(own.scrambles_out.sum() / max(own.scrambles.sum(), 1.0))
        return offence.trapped_chart(
            float(self.aims.offence.sacked[team]),
            min(float(rate), 0.6),
            sacks[team] + tiny * sacks.sum(0) / sacks.sum(),
            own.scrambles[team] + tiny * own.scrambles.sum(0) / own.scrambles.sum(),
            spots,
            out,
        )

    # --- Supplements --------------------------------------------------------------------

    def values(self) -> None:
        """Row sets and quotas of every team."""
        kept, number, kept_by, number_by = supplements.fumbles(self.plays, self.teams)
        recovery = supplements.recoveries(kept, number, self.faithful)
        adjust = supplements.recovery_adjust(kept_by, number_by, self.faithful)
        fouls = supplements.penalties(self.flags, self.faithful)
        contained = supplements.containment(self.theirs, self.faithful)
        league = float(self.aims.league.sacked[0])
        hurry, usage, field = supplements.quotas(self.plays, self.scrimmage.frame, self.teams)
        for at, team in enumerate(self.made):
            values = team.values
            values["recovery"] = rows_text(recovery[at])
            values["pat-miss"] = rows_text(self.special.pat_miss[at])
            muffs = self.muffed(at)
            if muffs:
                values["muffed-snap"] = rows_text(muffs)
            values["hurry-up"] = hurry[at]
            values["max-usage"] = dict(zip(PLAYS, usage[at], strict=True))
            values["home-field"] = dict(
                zip(("offence-audibles", "defence-audibles", "hfa", "road"), field[at], strict=True)
            )
            values["sack-rate"] = self.sack_rate(at, league)
            if adjust[at] is not None:
                one = adjust[at]
                assert one is not None
                values["recovery-adjust"] = {"kind": one.kind, "rows": rows_text(one.rows)}
            if fouls[at]:
                values["penalties"] = {
                    name: {one.kind: rows_text(one.rows)} for name, one in fouls[at].items()
                }
            team.columns["qr"] = contained[at]
            chart = self.special.fg_adjust[at]
            if chart is not None:
                team.columns["fg-adjust"] = chart

    def sack_rate(self, at: int, league: float) -> dict[str, Any]:
        found = supplements.sack_rate(float(self.aims.defence.sacked[at]), league)
        sack = tallies.mean(self.theirs.sacks[at], tallies.mean(self.theirs.sacks.sum(0), -6.0))
        scramble = tallies.mean(
            self.own.scrambles[at], tallies.mean(self.own.scrambles.sum(0), 7.0)
        )
        rows = {"kind": found.kind, "rows": rows_text(found.rows)} if found else {}
        return {**rows, "sack-yards": min(round(sack), -1), "qr-yards": max(round(scramble), 1)}

    def muffed(self, at: int) -> list[int]:
        """Rows only for teams clearly above the league, for the excess."""
        calls = self.aims.offence.calls[at].sum()
        league = float(self.own.aborted.sum() / self.aims.offence.calls.sum())
        excess = float(self.own.aborted[at] / calls) - league
        clearly = self.own.aborted[at] > league * calls + 2 * np.sqrt(league * calls)
        return quantise.rows_for(excess) if clearly else []

    # --- The league ---------------------------------------------------------------------

    def league(self) -> dict[str, Any]:
        five = self.plays.filter(
            (pl.col("penalty") == 1) & (pl.col("penalty_team") == pl.col("posteam"))
        )["penalty_type"].drop_nulls()
        before = {"False Start", "Delay of Game", "Offensive 12 On-field", "Illegal Substitution"}
        offence_five = [kind for kind in five if kind not in flags.BY_OFFENCE]
        share = sum(kind in before for kind in offence_five) / max(len(offence_five), 1)
        overtime = "sudden-death" if self.season < 2012 else "modified"
        return {
            "season": self.season,
            "kickoff-spot": special.kickoff_line(self.plays),
            "overtime": overtime,
            "overtime-seconds": 900 if self.season < 2017 else 600,
            "onside": "13-20",
            "pre-snap": rows_text(quantise.rows_for(share)),
            "holding": rows_text(quantise.rows_for(self.flags.end_zone_holding)),
            "between-downs": rows_text(quantise.rows_for(self.flags.between_downs)),
        }

    def league_columns(self) -> dict[str, list[int]]:
        made = {"squib-return": self.special.squib}
        for play in PASSES:
            yards = np.zeros(len(YARDS))
            for one in self.interference(play):
                yards[min(one, 90) - LOWEST] += 1.0
            numbers = quantise.spread(range(quantise.ROWS), YARDS.astype(float), yards, lowest=1)
            made[f"pi-yards.{play}"] = [
                c.cell_of(c.NUMBER, numbers[row]) for row in range(quantise.ROWS)
            ]
        return made | self.short_field()

    def short_field(self) -> dict[str, list[int]]:
        """E1, E2: what the charts made so far do not know of the goal line and the line to gain."""
        made = short_field.Charts(self.teams, [team.columns for team in self.made])
        frame = self.scrimmage.frame
        return short_field.charts(
            short_field.missing(frame, made), short_field.exactly_there(frame, made)
        )

    def head(self) -> list[str]:
        weeks = "" if self.weeks == "all" else f", {self.weeks} weeks only"
        part = [f"A part of the season: {self.made_from}."] if self.made_from is not None else []
        return [
            f"Charts of the {self.season} season{weeks}, made from play-by-play "
            f"(nflverse, CC BY 4.0) by `hashmark charts build`.",
            *part,
            f"Mode {self.mode}. Method: docs/chart-building.md; layout: docs/charts.md.",
        ]

    def report(self) -> list[str]:
        """What was used, what was left out and why."""
        frame = self.scrimmage.frame
        lines = [
            f"{self.season}, {self.weeks} weeks of the regular season: "
            f"{self.plays['game_id'].n_unique()} games, {self.plays.height} rows, "
            f"{len(self.teams)} teams",
            *([f"a part of the season: {self.made_from}"] if self.made_from is not None else []),
            f"runs and passes put into columns: {round(float(frame['weight'].sum()))}",
            f"draws are: {self.scrimmage.draw_rule}",
        ]
        lines += [f"left out: {n} {what}" for what, n in self.scrimmage.dropped.items()]
        lines += [
            f"spread over columns: {n} {what}" for what, n in self.scrimmage.spread.items() if n
        ]
        if not self.faithful:
            lines += [
                f"a team's own {name} counts half at {ratio:.0f} plays"
                for name, ratio in self.aims.ratios.items()
            ]
        return lines


_RATES = ("int", "f", "qt", "inc")


def _one(rates: Rates, team: int, column: int) -> Rates:
    return Rates(*(np.asarray(getattr(rates, name)[team, column]) for name in _RATES))
