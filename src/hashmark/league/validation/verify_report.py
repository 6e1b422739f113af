"""Report of `hashmark charts verify`: tables for the terminal and an HTML page."""

from __future__ import annotations

from collections.abc import Iterable

from hashmark.league.data import teams
from hashmark.league.data.real_stats import AGAINST, FOR
from hashmark.league.seasons import game_options
from hashmark.league.seasons.season import partial_source_notes
from hashmark.league.validation import out_of_sample, verify
from hashmark.league.validation.out_of_sample import OutOfSampleResult
from hashmark.league.validation.verify import (
    FAR_Z_SCORE,
    LEAGUE_TOLERANCE,
    MeasureComparison,
    VerifyReport,
)
from hashmark.number_text import percent
from hashmark.reports.axis import percent as percent_label
from hashmark.reports.axis import signed
from hashmark.reports.report import HeadedPiece, Report, ReportSection, ReportTable, SideBySide
from hashmark.reports.scatter import ScatterPoint, draw_scatter
from hashmark.reports.shapes import Chart, LegendEntry

Rows = list[tuple[str, ...]]

LEAGUE_HEAD = ("league average", "real", "simulated", "off", "")
MEASURE_HEAD = (
    "by team",
    "correlation for",
    "against",
    "spread of z for",
    "against",
    f"beyond {FAR_Z_SCORE} for",
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


def league_rows(report: VerifyReport) -> Rows:
    """Return every measure of the league, real against simulated."""
    rows: Rows = []
    for comparison in report.compared.values():
        if comparison.side == FOR:
            format_value = comparison.measure.format
            mark = (
                "" if abs(comparison.relative_error) <= LEAGUE_TOLERANCE else "off by more than 3 %"
            )
            if not comparison.measure.is_main and mark:
                mark = f"({mark})"
            rows.append(
                (
                    comparison.measure.label,
                    format_value(comparison.league_real),
                    format_value(comparison.league_simulated),
                    percent(comparison.relative_error, 1, sign="+"),
                    mark,
                )
            )
    return rows


def measure_rows(report: VerifyReport) -> Rows:
    """Return by measure how teams differ, real against simulated."""
    rows: Rows = []
    for key, side in report.compared:
        if side != FOR:
            continue
        sides = [report.compared[key, item] for item in (FOR, AGAINST)]
        rows.append(
            (
                sides[0].measure.label,
                *(f"{item.correlation:.2f}" for item in sides),
                *(f"{item.z.std():.2f}" for item in sides),
                *(percent((abs(item.z) > FAR_Z_SCORE).mean()) for item in sides),
            )
        )
    return rows


def team_rows(report: VerifyReport) -> Rows:
    """Return wins and points of every team, best real record first."""
    scored, allowed = (report.compared["points", side] for side in (FOR, AGAINST))
    order = sorted(
        range(len(report.teams)), key=lambda index: (-report.real_wins[index], report.teams[index])
    )
    return [
        (
            teams.code_in_season(report.teams[index], report.season),
            f"{report.real_wins[index]:g}",
            f"{report.wins[index]:.1f}",
            f"{report.central_90_wins[index, 0]:g}-{report.central_90_wins[index, 1]:g}",
            *_value_cells(scored, index),
            *_value_cells(allowed, index),
        )
        for index in order
    ]


def _value_cells(comparison: MeasureComparison, index: int) -> tuple[str, str, str]:
    return (
        f"{comparison.real[index]:.1f}",
        f"{comparison.simulated[index]:.1f}",
        f"{comparison.z[index]:+.1f}",
    )


def baseline_rows(result: OutOfSampleResult) -> Rows:
    return [
        (
            prediction.name,
            f"{prediction.rms_error:.2f}",
            f"{prediction.mean_absolute_error:.2f}",
            f"{prediction.correlation:.2f}",
        )
        for prediction in (result.simulated, *result.baselines)
    ]


def describe_simulation(report: VerifyReport) -> str:
    """Describe the simulation and its inputs."""
    text = (
        f"{report.seasons} seasons of {report.season} simulated on the real schedule, every team "
        f"with its own charts and real plan, seed {report.seed}. Real records inside the central "
        f"90 % of the simulated: {percent(report.inside_share)} of the teams."
    )
    return " ".join(
        [
            text,
            *partial_source_notes(report.made_from),
            game_options.assumptions_note(report.options),
        ]
    )


# --- The page ----------------------------------------------------------------------------

EQUAL = LegendEntry("diagonal", "simulated equals real")


def build_report(report: VerifyReport, result: OutOfSampleResult | None = None) -> Report:
    """Build a self-contained HTML page."""
    sections = [
        ReportSection(
            "The league", [ReportTable("Averages of the season", LEAGUE_HEAD, league_rows(report))]
        ),
        ReportSection(
            "Points",
            [
                SideBySide(
                    [
                        HeadedPiece("Scored, a game", _points_chart(report, FOR, "scored")),
                        HeadedPiece("Allowed, a game", _points_chart(report, AGAINST, "allowed")),
                    ]
                )
            ],
            "A dot is a team; the line is where simulated equals real. The bar is the spread of a "
            "single simulated season.",
        ),
        ReportSection(
            "Wins and calibration",
            [
                SideBySide(
                    [
                        HeadedPiece("Real wins against mean simulated wins", _wins_chart(report)),
                        HeadedPiece(
                            "Games in ten groups by the chance that the simulation gave the home "
                            "team, and how many it won",
                            _calibration_chart(report),
                        ),
                    ]
                )
            ],
        ),
        ReportSection("Teams", [ReportTable("By real record", TEAM_HEAD, team_rows(report))]),
        ReportSection(
            "By measure",
            [
                ReportTable(
                    "How teams differ, simulated against real", MEASURE_HEAD, measure_rows(report)
                )
            ],
            "A spread of z near 1 means that the real season lies as far off as chance has it.",
        ),
    ]
    if result is not None:
        sections.append(_out_of_sample_section(result, report.season))
    return Report(
        f"Charts of {report.season}, verified",
        describe_simulation(report),
        sections,
        verify.summary_sentence(report),
        f"Digest of all games: {report.digest}.",
    )


def _points_chart(report: VerifyReport, side: str, word: str) -> Chart:
    comparison = report.compared["points", side]
    points = [
        ScatterPoint(
            real,
            simulated,
            team,
            (simulated - spread, simulated + spread),
            tooltip=f"{team}: {real:.1f} real, {simulated:.1f} simulated",
        )
        for team, real, simulated, spread in _columns(comparison, report.season)
    ]
    title = f"Points {word} a game"
    description = (
        f"Real and simulated points {word} of {len(points)} teams, "
        f"correlation {comparison.correlation:.2f}"
    )
    key = [EQUAL, LegendEntry("thin", "spread of a single season")]
    return draw_scatter(title, description, points, f"real points {word}", "simulated", key=key)


def _columns(
    comparison: MeasureComparison, season: int
) -> Iterable[tuple[str, float, float, float]]:
    names = _names(comparison.teams, season)
    columns = (
        names,
        comparison.real.tolist(),
        comparison.simulated.tolist(),
        comparison.spread.tolist(),
    )
    return zip(*columns, strict=True)


def _names(codes: Iterable[str], season: int) -> list[str]:
    """Return team codes as of that season: OAK in 2008."""
    return [teams.code_in_season(team, season) for team in codes]


def _wins_chart(report: VerifyReport) -> Chart:
    points = [
        ScatterPoint(
            float(real),
            float(mean),
            team,
            (float(low), float(high)),
            tooltip=f"{team}: {real:g} real, {mean:.1f} simulated, {low:.1f} to {high:.1f}",
        )
        for team, real, mean, (low, high) in zip(
            _names(report.teams, report.season),
            report.real_wins,
            report.wins,
            report.central_90_wins,
            strict=True,
        )
    ]
    description = f"Real and simulated wins, correlation {report.win_correlation:.2f}"
    key = [EQUAL, LegendEntry("thin", "central 90 %")]
    return draw_scatter(
        "Wins", description, points, "real wins", "simulated, central 90 %", key=key
    )


def _calibration_chart(report: VerifyReport) -> Chart:
    points = [
        ScatterPoint(
            group.chance,
            group.won,
            f"{group.games} games",
            tooltip=f"{group.games} games: chance {percent(group.chance)}, won {percent(group.won)}",
        )
        for group in report.bins
    ]
    description = "Chance given to the home team and share of the games that it won, in ten groups"
    key = [LegendEntry("diagonal", "won as often as given")]
    return draw_scatter(
        "Calibration", description, points, "chance given", "won", percent_label, key=key
    )


def _out_of_sample_section(result: OutOfSampleResult, season: int) -> ReportSection:
    points = [
        ScatterPoint(
            float(real),
            float(expected),
            team,
            tooltip=f"{team}: {real:+.1f} real, {expected:+.1f} predicted",
        )
        for team, real, expected in zip(
            _names(result.teams, season),
            result.real_margins,
            result.simulated.expected,
            strict=True,
        )
    ]
    chart = draw_scatter(
        "Even weeks predicted",
        "Real and predicted point difference a game in the even weeks",
        points,
        "real point difference",
        "predicted from the odd weeks",
        signed,
        key=[LegendEntry("diagonal", "predicted equals real")],
    )
    table = ReportTable("Errors in points a game", BASELINE_HEAD, baseline_rows(result))
    return ReportSection(
        "Odd weeks predict even weeks",
        [SideBySide([chart, table])],
        out_of_sample.summary_sentence(result),
    )
