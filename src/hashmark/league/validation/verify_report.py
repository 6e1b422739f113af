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

LEAGUE_HEAD = ("league average", "real", "simulated", "error", "")
MEASURE_HEAD = (
    "by team",
    "r for",
    "r ag.",
    "SD z for",
    "SD z ag.",
    "far for",
    "far ag.",
)
MEASURE_LEGEND = (
    "for, ag.: own and opponents' plays. r: correlation over teams. SD z: standard deviation of "
    "z-scores; near 1, the real season differs from the simulation as much as chance explains. "
    f"far: share of teams with |z| above {FAR_Z_SCORE}."
)
TEAM_HEAD = (
    "team",
    "wins",
    "sim.",
    "90 %",
    "points for",
    "sim.",
    "z",
    "against",
    "sim.",
    "z",
)
BASELINE_HEAD = ("forecast of the even weeks", "RMSE", "MAE", "r")


def league_rows(report: VerifyReport) -> Rows:
    """Return every measure of the league, real against simulated."""
    rows: Rows = []
    for comparison in report.compared.values():
        if comparison.side == FOR:
            format_value = comparison.measure.format
            mark = "" if abs(comparison.relative_error) <= LEAGUE_TOLERANCE else "over 3 %"
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
            f"{report.central_90_wins[index, 0]:.1f}-{report.central_90_wins[index, 1]:.1f}",
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
        f"{report.season}: {report.seasons} simulated seasons on the real schedule, every team "
        "with "
        f"its own charts and real plan, seed {report.seed}. The 90 % interval of simulated wins "
        f"contains the real record of {percent(report.inside_share)} of the teams."
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
                        HeadedPiece("Scored per game", _points_chart(report, FOR, "scored")),
                        HeadedPiece("Allowed per game", _points_chart(report, AGAINST, "allowed")),
                    ]
                )
            ],
            "Each dot is a team; on the line, simulated equals real. Bars show the standard "
            "deviation "
            "of a single simulated season.",
        ),
        ReportSection(
            "Wins and calibration",
            [
                SideBySide(
                    [
                        HeadedPiece("Real and mean simulated wins", _wins_chart(report)),
                        HeadedPiece(
                            "Games in ten groups by the home team's forecast win probability, and "
                            "the share it won",
                            _calibration_chart(report),
                        ),
                    ]
                )
            ],
        ),
        ReportSection("Teams", [ReportTable("By real record", TEAM_HEAD, team_rows(report))]),
        ReportSection(
            "By measure",
            [ReportTable("Simulated and real teams compared", MEASURE_HEAD, measure_rows(report))],
            MEASURE_LEGEND,
        ),
    ]
    if result is not None:
        sections.append(_out_of_sample_section(result, report.season))
    return Report(
        f"Fidelity of the {report.season} charts",
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
    title = f"Points {word} per game"
    description = (
        f"Real and simulated points {word} of {len(points)} teams, "
        f"correlation {comparison.correlation:.2f}"
    )
    key = [EQUAL, LegendEntry("thin", "SD of a single season")]
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
    key = [EQUAL, LegendEntry("thin", "90 % interval")]
    return draw_scatter(
        "Wins", description, points, "real wins", "simulated, 90 % interval", key=key
    )


def _calibration_chart(report: VerifyReport) -> Chart:
    points = [
        ScatterPoint(
            group.chance,
            group.won,
            f"{group.games} games",
            tooltip=f"{group.games} games: forecast {percent(group.chance)}, won "
            f"{percent(group.won)}",
        )
        for group in report.bins
    ]
    description = "Forecast win probability of the home team and share of games won, in ten groups"
    key = [LegendEntry("diagonal", "perfectly calibrated")]
    return draw_scatter(
        "Calibration", description, points, "forecast", "won", percent_label, key=key
    )


def _out_of_sample_section(result: OutOfSampleResult, season: int) -> ReportSection:
    points = [
        ScatterPoint(
            float(real),
            float(expected),
            team,
            tooltip=f"{team}: {real:+.1f} real, {expected:+.1f} forecast",
        )
        for team, real, expected in zip(
            _names(result.teams, season),
            result.real_margins,
            result.simulated.expected,
            strict=True,
        )
    ]
    chart = draw_scatter(
        "Even weeks, forecast",
        "Real and forecast point difference per game in the even weeks",
        points,
        "real point difference",
        "forecast from the odd weeks",
        signed,
        key=[LegendEntry("diagonal", "forecast equals real")],
    )
    table = ReportTable("Errors in points per game", BASELINE_HEAD, baseline_rows(result))
    return ReportSection(
        "Out-of-sample: odd weeks forecast even weeks",
        [SideBySide([chart, table])],
        out_of_sample.summary_sentence(result),
    )
