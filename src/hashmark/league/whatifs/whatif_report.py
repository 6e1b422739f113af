"""HTML reports of what-ifs: a comparison, a scan, the best plan, each with its charts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hashmark.games.data_driven.plans.plan import SECTIONS, Plan
from hashmark.league.whatifs import plan_changes
from hashmark.league.whatifs.best_plan import BestPlan
from hashmark.league.whatifs.opponent_response import ResponseResults
from hashmark.league.whatifs.scan import Finding, Scan
from hashmark.league.whatifs.trial import Trial, mean_estimate
from hashmark.league.whatifs.whatif import (
    COMPARED_SITUATIONS,
    Comparison,
    report_note,
    team_name,
    unchanged_plan_name,
)
from hashmark.league.whatifs.whatif_text import (
    RESPONSE_COLUMNS,
    call_rows,
    finding_row,
    response_rows,
)
from hashmark.number_text import percent
from hashmark.reports.axis import percent as percent_label
from hashmark.reports.axis import signed
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.histogram import NamedDistribution, draw_two_histograms
from hashmark.reports.report import (
    HeadedPiece,
    Paragraph,
    Report,
    ReportPiece,
    ReportSection,
    ReportTable,
    SideBySide,
)
from hashmark.reports.shapes import Chart, LegendEntry
from hashmark.sanitize import PLUS_MINUS
from hashmark.sim.results import Estimate

MAX_CHART_FINDINGS = 40
INTERVAL_NOTE = (
    "Whiskers are 95 % CIs of paired differences: both plans use the same dice on every play."
)


def build_report(result: Comparison | Scan | BestPlan) -> Report:
    """Build the report of a what-if."""
    if isinstance(result, Comparison):
        return comparison_report(result)
    return scan_report(result) if isinstance(result, Scan) else best_plan_report(result)


def comparison_report(comparison: Comparison) -> Report:
    """Build the report of a comparison."""
    return Report(
        f"What if: {team_name(comparison.trial)} {comparison.trial.season}",
        f"The real schedule, simulated {comparison.runs:,} times with the "
        f"{unchanged_plan_name(comparison.trial)} and with the changed one, with the same dice. "
        f"{report_note(comparison.trial)}".rstrip(),
        [
            ReportSection("Effect", [_effect_charts(comparison)], INTERVAL_NOTE),
            ReportSection("Wins", [_win_chart(comparison)]),
            *_response_section(comparison),
            _plans(comparison.trial, comparison.plan),
            ReportSection(
                "Calls", [_calls(comparison)], "Share of all plays; pp: percentage points."
            ),
            ReportSection(
                "Game by game",
                [_games(comparison)],
                (
                    f"Win probability with the {unchanged_plan_name(comparison.trial)}, and its "
                    "change."
                ),
            ),
        ],
        answer=_answer(comparison),
        foot=_foot(comparison.trial, comparison.seed),
    )


def _answer(comparison: Comparison) -> str:
    """Return the main result and, with bootstrapped charts, how certain it is."""
    text = f"{team_name(comparison.trial)} {comparison.trial.season}, {comparison.sentence()}."
    return text if comparison.rebuilt is None else f"{text} {comparison.rebuilt.sentence()}"


def _response_section(comparison: Comparison) -> list[ReportSection]:
    """Build the section on the opponents' response, if requested."""
    if comparison.answered is None:
        return []
    real, changed = comparison.answered
    bars = [
        _row(f"{line.name}, {words}", line.change(column, real), True)
        for column, words in enumerate(RESPONSE_COLUMNS[1:])
        for line in (real, changed)
        if line is changed or column
    ]
    pieces: list[ReportPiece] = [
        _change_chart("Change in wins when opponents respond", bars),
        _responses((real, changed)),
    ]
    title = "If opponents respond"
    return [ReportSection(title, pieces, comparison.remaining_gain())]


def _responses(lines: Sequence[ResponseResults]) -> ReportTable:
    headings = ("Plan", *(words.capitalize() for words in RESPONSE_COLUMNS[1:]))
    return ReportTable("Mean wins, and the change", headings, response_rows(lines, ", "))


def scan_report(scan: Scan) -> Report:
    """Build the report of a scan."""
    return Report(
        f"Single changes: {team_name(scan.trial)} {scan.trial.season}",
        "Each change simulated alone on the real schedule, ranked by the wins it adds. "
        f"{report_note(scan.trial)}".rstrip(),
        [
            ReportSection("Best and worst", [_best_and_worst(scan.findings)], INTERVAL_NOTE),
            ReportSection(
                "All changes",
                [
                    ReportTable(
                        "Change in a season's wins and net points, each ± half of its 95 % CI",
                        ("Planned change", "Wins", "Net points", "Runs", "Significant"),
                        [
                            finding_row(finding, finding.words, "yes", "no")
                            for finding in scan.findings
                        ],
                    )
                ],
                "Significant at 95 %, corrected for the number of changes tried.",
            ),
        ],
        answer=f"{team_name(scan.trial)} {scan.trial.season}: {scan.verdict()}",
        foot=_foot(scan.trial, scan.seed),
    )


def _best_and_worst(findings: Sequence[Finding]) -> ReportPiece:
    """Chart all findings or, of very many, the first and last on the same scale."""
    bars = [_row(finding.words, finding.wins, finding.is_significant) for finding in findings]
    if len(bars) <= MAX_CHART_FINDINGS // 2:
        return _change_chart("Change in wins", bars)
    half = min(MAX_CHART_FINDINGS, len(bars)) // 2
    best, worst = bars[:half], bars[-half:]
    reach = _reach([*best, *worst])
    return SideBySide(
        [
            HeadedPiece("Best", _change_chart("Change in wins: best", best, reach)),
            HeadedPiece("Worst", _change_chart("Change in wins: worst", worst, reach)),
        ]
    )


def best_plan_report(best: BestPlan) -> Report:
    """Build the report of a search for the best plan."""
    bars = [
        _row(
            f"{line.name}{', defenses respond' if column else ''}", best.change(index, column), True
        )
        for index, line in enumerate(best.results)
        for column in (0, 1)
        if index or column
    ]
    return Report(
        f"Best plan: {team_name(best.trial)} {best.trial.season}",
        f"Best of {best.tried} plans tried, then measured over {best.runs:,} seasons with new "
        f"dice. {report_note(best.trial)}".rstrip(),
        [
            ReportSection("Wins", [_change_chart("Change in wins", bars)], best.remaining_gain()),
            ReportSection("All plans", [_responses(best.results)]),
            _plans(best.trial, best.plan),
        ],
        answer=f"{team_name(best.trial)} {best.trial.season}, {best.sentence()}.",
        foot=_foot(best.trial, best.seed),
    )


def _foot(trial: Trial, seed: int) -> str:
    return f"{trial.games_played:,} games, seed {seed}."


def _heading(trial: Trial) -> str:
    """Return the name of the unchanged plan as a heading."""
    words = unchanged_plan_name(trial)
    return words[:1].upper() + words[1:]


def _plans(trial: Trial, plan: Plan) -> ReportSection:
    caption = (
        "Shares of calls where the plans differ: bars show the changed plan, marks the "
        f"{unchanged_plan_name(trial)}."
    )
    return ReportSection("The plans", [plan_comparison_charts(trial.plan, plan)], caption)


def _calls(comparison: Comparison) -> ReportTable:
    headings = ("Play", _heading(comparison.trial), "Changed", "Change")
    return ReportTable("Share of each play", headings, call_rows(comparison))


def _games(comparison: Comparison) -> ReportTable:
    cells = [
        (
            game,
            percent(chance, 1),
            f"{100 * change.mean:+.1f} ({PLUS_MINUS}{100 * change.margin:.1f})",
        )
        for game, chance, change in comparison.by_game()
    ]
    return ReportTable("", ("Game", "Win probability", "Change (pp)"), cells)


# --- Charts --------------------------------------------------------------------------------


def _effect_charts(comparison: Comparison) -> ReportPiece:
    """Chart the changes of wins and of points, each on its own axis."""
    games = len(comparison.trial.fixtures)
    wins = _row("wins", comparison.wins, comparison.wins.is_significant)
    changes = {"for": comparison.points_for / games, "against": comparison.points_against / games}
    points = [
        _row(f"points {whose} per game", change, change.is_significant)
        for whose, change in changes.items()
    ]
    return SideBySide(
        [
            HeadedPiece("Wins", _change_chart("Wins", [wins])),
            HeadedPiece("Points", _change_chart("Points per game", points)),
        ]
    )


def _win_chart(comparison: Comparison) -> Chart:
    """Chart the distribution of wins with both plans."""
    games = len(comparison.trial.fixtures)
    samples = []
    for name, sample in (
        (_heading(comparison.trial), comparison.before),
        ("Changed plan", comparison.after),
    ):
        counts = np.bincount(np.floor(sample.wins).astype(int), minlength=games + 1)
        shares = (counts / max(1, sample.runs)).tolist()
        samples.append(NamedDistribution(name, shares, mean_estimate(sample.wins).mean))
    description = ", ".join(sample.legend_text("wins") for sample in samples)
    return draw_two_histograms("Wins with both plans", description, samples[0], samples[1], "wins")


def _row(label: str, change: Estimate, certain: bool) -> BarRow:
    span = (change.mean - change.margin, change.mean + change.margin)
    return BarRow(label, change.mean, f"{change:.2f}", span, faint=not certain)


def _reach(bars: Sequence[BarRow]) -> list[float]:
    return [0.0, *(figure for bar in bars for figure in bar.values)]


def _change_chart(title: str, bars: Sequence[BarRow], reach: Sequence[float] = (0.0,)) -> Chart:
    """Chart changes around zero with whiskers; uncertain ones are faint."""
    description = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    key = [LegendEntry("range", "95 % CI")]
    if any(bar.faint for bar in bars):
        key.append(LegendEntry("faint", "not significant"))
    return draw_bar_chart(title, description, bars, signed, extra_values=reach, key=key)


def plan_comparison_charts(old: Plan, new: Plan) -> ReportPiece:
    """Chart two plans side by side: shares of every call in usual situations where they differ.

    A bar is the new share, a mark across it the old one; all charts have the same scale.
    """
    charts = []
    for section in ("play", "formation"):
        for where, moment in COMPARED_SITUATIONS.items():
            before, after = (plan_changes.call_mix(plan, section, moment) for plan in (old, new))
            if before is not None and after is not None and _differ(before, after):
                title = f"{section.capitalize()}s {where}"
                charts.append((title, SECTIONS[section], before, after))
    if not charts:
        return Paragraph("Both plans call the same in the usual situations.")
    most = max(max(*before, *after) for _, _, before, after in charts)
    return SideBySide(
        [HeadedPiece(chart[0], _share_chart(*chart, (0.0, most))) for chart in charts]
    )


def _differ(old: Sequence[float], new: Sequence[float]) -> bool:
    return any(abs(after - before) >= 0.005 for before, after in zip(old, new, strict=True))


def _share_chart(
    title: str,
    calls: Sequence[str],
    old: Sequence[float],
    new: Sequence[float],
    reach: Sequence[float],
) -> Chart:
    """Chart the old share (a mark) and the new one (a bar) of each call."""
    bars = [
        BarRow(call, after, f"{percent(before)} to {percent(after)}", mark=before)
        for call, before, after in zip(calls, old, new, strict=True)
    ]
    description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
    return draw_bar_chart(title, description, bars, percent_label, extra_values=reach)
