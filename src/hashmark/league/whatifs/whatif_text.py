"""Terminal text of what-ifs: a comparison, a scan, the best plan."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.league.whatifs.best_plan import BestPlan
from hashmark.league.whatifs.fourth_down_policy import FourthDownPolicy
from hashmark.league.whatifs.opponent_response import ResponseResults
from hashmark.league.whatifs.scan import Finding, Scan
from hashmark.league.whatifs.trial import OWN, THEIRS, Trial, mean_estimate
from hashmark.league.whatifs.whatif import Comparison, report_note, team_name, unchanged_plan_name
from hashmark.text.tables import format_table

MAX_SCREENED_FINDINGS = 16  # findings of a scan
INTERVAL_NOTE = (
    "(±) is half of a 95% interval of paired differences: run for run both plans have the same "
    "dice,\nplay by play and drive by drive."
)
RESPONSE_COLUMNS = ("wins", "opponents keep to their plans", "defences answer", "both sides answer")


def report_lines(result: Comparison | Scan | BestPlan) -> list[str]:
    """Return the lines of a report."""
    if isinstance(result, Comparison):
        return comparison_lines(result)
    return scan_lines(result) if isinstance(result, Scan) else best_plan_lines(result)


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return the lines of a comparison."""
    if not comparison.is_measured:
        return ["interrupted before the first run was over"]
    plan = unchanged_plan_name(comparison.trial)
    lines = [
        *_head(comparison.trial, comparison.runs, comparison.requested_runs, comparison.seed),
        *format_table(("per season", plan, "changed", "change"), _season_rows(comparison)),
        "",
        *format_table(("share of plays", plan, "changed", "points"), call_rows(comparison)),
        f"\n{team_name(comparison.trial)} {comparison.sentence()}.",
    ]
    policies = [change for change in comparison.changes if isinstance(change, FourthDownPolicy)]
    lines += [f"In the open game it {policy.describe_go_for_it()}." for policy in policies]
    if comparison.rebuilt is not None:
        lines.append(f"\n{comparison.rebuilt.sentence()}")
    if comparison.answered is not None:
        lines += [
            "",
            *format_table(RESPONSE_COLUMNS, response_rows(comparison.answered, " ")),
            f"\n{comparison.remaining_gain()}",
        ]
    return [*lines, f"\n{INTERVAL_NOTE}"]


def _season_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    before, after = comparison.before, comparison.after
    return [
        (name, f"{mean_estimate(old).mean:.2f}", f"{mean_estimate(new).mean:.2f}", f"{change:.2f}")
        for name, old, new, change in (
            ("wins", before.wins, after.wins, comparison.wins),
            (
                "points for",
                before.season_points(OWN),
                after.season_points(OWN),
                comparison.points_for,
            ),
            (
                "points against",
                before.season_points(THEIRS),
                after.season_points(THEIRS),
                comparison.points_against,
            ),
        )
    ]


def call_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """Return each play's share before and after, and the change in percentage points."""
    return [
        (play, f"{old:.1%}", f"{new:.1%}", f"{100 * (new - old):+.1f}")
        for play, old, new in comparison.call_shares()
    ]


def scan_lines(scan: Scan) -> list[str]:
    """Return the lines of a scan."""
    if not scan.is_measured:
        return ["interrupted before anything was measured"]
    measured = [finding for finding in scan.findings if finding.is_confirmed]
    screened = [finding for finding in scan.findings if not finding.is_confirmed]
    rows = [
        finding_row(finding, "*", "") for finding in measured or screened[:MAX_SCREENED_FINDINGS]
    ]
    lines = [
        *_head(scan.trial, max(finding.runs for finding in scan.findings), scan.runs, scan.seed),
        *format_table(("change", "wins", "points", "runs", ""), rows),
        "\n* zero is ruled out, even when all changes of the table are taken together.",
    ]
    if measured and screened:
        lines.append(
            f"{len(screened)} other changes were tried with {screened[0].runs:,} runs only: they "
            f"promised less, and {_count_certain(screened)} of them can be told apart from zero "
            "(--json and --html list them)."
        )
    return [*lines, f"\n{scan.verdict()}\n\n{INTERVAL_NOTE}"]


def _count_certain(findings: Sequence[Finding]) -> str:
    return str(sum(finding.is_significant for finding in findings) or "none")


def finding_row(finding: Finding, yes: str, no: str) -> tuple[str, ...]:
    """Return the table cells of a finding; the last one marks significance."""
    mark = yes if finding.is_significant else no
    return finding.words, f"{finding.wins:.2f}", f"{finding.points:.1f}", f"{finding.runs:,}", mark


def best_plan_lines(best: BestPlan) -> list[str]:
    """Return the lines of a search for the best plan."""
    if not best.is_measured:
        return [f"interrupted: {best.tried} plans were tried, and none was measured"]
    stopped = ", when the search was interrupted," if best.trial.interrupted else ""
    return [
        *_head(best.trial, best.results[0].plans_kept.runs, best.runs, best.seed),
        *format_table(RESPONSE_COLUMNS, response_rows(best.results, " ")),
        f"\n{team_name(best.trial)} {best.sentence()}.",
        f"\n{best.remaining_gain()}",
        f"\nFound among {best.tried} plans{stopped} and measured with other luck.\n{INTERVAL_NOTE}",
    ]


def response_rows(lines: Sequence[ResponseResults], between: str) -> list[tuple[str, ...]]:
    """Return each plan with its wins under every response, and the change from the first plan."""
    rows = []
    for index, line in enumerate(lines):
        cells = []
        for column, sample in enumerate(line.samples()):
            cell = f"{mean_estimate(sample.wins).mean:.2f}"
            change = f"{between}{line.change(column, lines[0]):.2f}"
            cells.append(cell if index == column == 0 else cell + change)
        rows.append((line.name, *cells))
    return rows


def _head(trial: Trial, runs: int, asked: int, seed: int) -> list[str]:
    lines = []
    if trial.interrupted and runs < asked:
        lines.append(f"interrupted after {runs:,} of {asked:,} runs")
    lines.append(
        f"{team_name(trial)} {trial.season}: {runs:,} runs of the real schedule with each plan "
        f"({trial.games_played:,} games in {trial.seconds:.1f} s), seed {seed}"
    )
    return [*lines, *([report_note(trial)] if report_note(trial) else []), ""]
