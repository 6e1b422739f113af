"""The report of `hashmark charts verify`: tables for the terminal, and one HTML page."""

from __future__ import annotations

from collections.abc import Iterable

from hashmark.league.checks import holdout, verify
from hashmark.league.checks.holdout import HoldOut
from hashmark.league.checks.verify import CLOSE, FAR_OFF, Compared, Report
from hashmark.league.facts import teams
from hashmark.league.facts.real import AGAINST, FOR
from hashmark.league.seasons import preset
from hashmark.league.seasons.season import part_notes
from hashmark.pages.axis import percent, signed
from hashmark.pages.report import Beside, Headed, Section, Table
from hashmark.pages.report import Report as Page
from hashmark.pages.scatter import Point, scatter
from hashmark.pages.shapes import Chart, Sign

Rows = list[tuple[str, ...]]

LEAGUE_HEAD = ("league average", "real", "simulated", "off", "")
MEASURE_HEAD = (
    "by team",
    "correlation for",
    "against",
    "spread of z for",
    "against",
    f"beyond {FAR_OFF} for",
    "against",
)
TEAM_HEAD = (
    "team",
    "wins",
    "simulated",
    "90 %",
    "points for",
    "simulated",
    "z",
    "against",
    "simulated",
    "z",
)
BASELINE_HEAD = ("prediction of the even weeks", "error", "mean size", "correlation")


def league_rows(report: Report) -> Rows:
    """Every measure of the league, real against simulated."""
    rows: Rows = []
    for one in report.compared.values():
        if one.side == FOR:
            said = one.measure.said
            mark = "" if abs(one.off) <= CLOSE else "off by more than 3 %"
            if not one.measure.main and mark:
                mark = f"({mark})"
            rows.append(
                (
                    one.measure.words,
                    said(one.league_real),
                    said(one.league_simulated),
                    f"{one.off:+.1%}",
                    mark,
                )
            )
    return rows


def measure_rows(report: Report) -> Rows:
    """How teams differ, real against simulated, by measure."""
    rows: Rows = []
    for key, side in report.compared:
        if side != FOR:
            continue
        both = [report.compared[key, one] for one in (FOR, AGAINST)]
        rows.append(
            (
                both[0].measure.words,
                *(f"{one.correlation:.2f}" for one in both),
                *(f"{one.z.std():.2f}" for one in both),
                *(f"{(abs(one.z) > FAR_OFF).mean():.0%}" for one in both),
            )
        )
    return rows


def team_rows(report: Report) -> Rows:
    """Wins and points of every team, best real record first."""
    scored, allowed = (report.compared["points", side] for side in (FOR, AGAINST))
    order = sorted(
        range(len(report.teams)), key=lambda at: (-report.real_wins[at], report.teams[at])
    )
    return [
        (
            teams.code(report.teams[at], report.season),
            f"{report.real_wins[at]:g}",
            f"{report.wins[at]:.1f}",
            f"{report.inner_wins[at, 0]:g}-{report.inner_wins[at, 1]:g}",
            *_pair(scored, at),
            *_pair(allowed, at),
        )
        for at in order
    ]


def _pair(one: Compared, at: int) -> tuple[str, str, str]:
    return f"{one.real[at]:.1f}", f"{one.simulated[at]:.1f}", f"{one.z[at]:+.1f}"


def baseline_rows(result: HoldOut) -> Rows:
    return [
        (one.name, f"{one.error:.2f}", f"{one.mean_error:.2f}", f"{one.correlation:.2f}")
        for one in (result.simulated, *result.baselines)
    ]


def summary(report: Report) -> str:
    """How sure it is and how it was got."""
    said = (
        f"{report.seasons} seasons of {report.season} simulated on the real schedule, every team "
        f"with its own charts and real plan, seed {report.seed}. Real records inside the central "
        f"90 % of the simulated: {report.inside:.0%} of the teams."
    )
    return " ".join([said, *part_notes(report.made_from), preset.invented_note(report.options)])


# --- The page ----------------------------------------------------------------------------

EQUAL = Sign("diagonal", "simulated equals real")


def document(report: Report, result: HoldOut | None = None) -> Page:
    """One self-contained HTML page."""
    sections = [
        Section("The league", [Table("Averages of the season", LEAGUE_HEAD, league_rows(report))]),
        Section(
            "Points",
            [
                Beside(
                    [
                        Headed("Scored, a game", _points(report, FOR, "scored")),
                        Headed("Allowed, a game", _points(report, AGAINST, "allowed")),
                    ]
                )
            ],
            "A dot is a team; the line is where simulated equals real. The bar is the spread of a "
            "single simulated season.",
        ),
        Section(
            "Wins and calibration",
            [
                Beside(
                    [
                        Headed("Real wins against mean simulated wins", _wins(report)),
                        Headed(
                            "Games in ten groups by the chance that the simulation gave the home "
                            "team, and how many it won",
                            _calibration(report),
                        ),
                    ]
                )
            ],
        ),
        Section("Teams", [Table("By real record", TEAM_HEAD, team_rows(report))]),
        Section(
            "By measure",
            [Table("How teams differ, simulated against real", MEASURE_HEAD, measure_rows(report))],
            "A spread of z near 1 means that the real season lies as far off as chance has it.",
        ),
    ]
    if result is not None:
        sections.append(_held_out(result, report.season))
    return Page(
        f"Charts of {report.season}, verified",
        summary(report),
        sections,
        verify.sentence(report),
        f"Digest of all games: {report.digest}.",
    )


def _points(report: Report, side: str, word: str) -> Chart:
    one = report.compared["points", side]
    points = [
        Point(
            real,
            simulated,
            team,
            (simulated - spread, simulated + spread),
            said=f"{team}: {real:.1f} real, {simulated:.1f} simulated",
        )
        for team, real, simulated, spread in _columns(one, report.season)
    ]
    title = f"Points {word} a game"
    said = (
        f"Real and simulated points {word} of {len(points)} teams, "
        f"correlation {one.correlation:.2f}"
    )
    key = [EQUAL, Sign("thin", "spread of a single season")]
    return scatter(title, said, points, f"real points {word}", "simulated", key=key)


def _columns(one: Compared, season: int) -> Iterable[tuple[str, float, float, float]]:
    names = _names(one.teams, season)
    columns = (names, one.real.tolist(), one.simulated.tolist(), one.spread.tolist())
    return zip(*columns, strict=True)


def _names(codes: Iterable[str], season: int) -> list[str]:
    """Teams as they were called then: OAK in 2008."""
    return [teams.code(team, season) for team in codes]


def _wins(report: Report) -> Chart:
    points = [
        Point(
            float(real),
            float(mean),
            team,
            (float(low), float(high)),
            said=f"{team}: {real:g} real, {mean:.1f} simulated, {low:.1f} to {high:.1f}",
        )
        for team, real, mean, (low, high) in zip(
            _names(report.teams, report.season),
            report.real_wins,
            report.wins,
            report.inner_wins,
            strict=True,
        )
    ]
    said = f"Real and simulated wins, correlation {report.win_correlation:.2f}"
    key = [EQUAL, Sign("thin", "central 90 %")]
    return scatter("Wins", said, points, "real wins", "simulated, central 90 %", key=key)


def _calibration(report: Report) -> Chart:
    points = [
        Point(
            one.chance,
            one.won,
            f"{one.games} games",
            said=f"{one.games} games: chance {one.chance:.0%}, won {one.won:.0%}",
        )
        for one in report.bins
    ]
    said = "Chance given to the home team and share of the games that it won, in ten groups"
    key = [Sign("diagonal", "won as often as given")]
    return scatter("Calibration", said, points, "chance given", "won", percent, key=key)


def _held_out(result: HoldOut, season: int) -> Section:
    points = [
        Point(
            float(real),
            float(expected),
            team,
            said=f"{team}: {real:+.1f} real, {expected:+.1f} predicted",
        )
        for team, real, expected in zip(
            _names(result.teams, season), result.truth, result.simulated.expected, strict=True
        )
    ]
    drawn = scatter(
        "Even weeks predicted",
        "Real and predicted point difference a game in the even weeks",
        points,
        "real point difference",
        "predicted from the odd weeks",
        signed,
        key=[Sign("diagonal", "predicted equals real")],
    )
    table = Table("Errors in points a game", BASELINE_HEAD, baseline_rows(result))
    return Section(
        "Odd weeks predict even weeks", [Beside([drawn, table])], holdout.sentence(result)
    )
