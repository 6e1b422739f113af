"""Terminal text of what-ifs: a comparison, a scan, the best plan."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.league.whatifs.best_plan import BestPlan
from hashmark.league.whatifs.fourth_down_policy import FourthDownPolicy
from hashmark.league.whatifs.opponent_response import ResponseResults
from hashmark.league.whatifs.scan import Finding, Scan
from hashmark.league.whatifs.trial import OWN, THEIRS, Trial, mean_estimate
from hashmark.league.whatifs.whatif import Comparison, report_note, team_name, unchanged_plan_name
from hashmark.number_text import percent
from hashmark.text.tables import format_table
from hashmark.text.wrapping import wrap

MAX_SCREENED_FINDINGS = 16  # findings of a scan
WIDTH = 80
INTERVAL_NOTE = (
    "± is half of the 95 % CI of paired differences: both plans use the same dice on every play. "
    "pp: percentage points."
)
RESPONSE_COLUMNS = ("wins", "plans kept", "defenses respond", "both sides respond")


def report_lines(result: Comparison | Scan | BestPlan) -> list[str]:
    """Return the lines of a report."""
    if isinstance(result, Comparison):
        return comparison_lines(result)
    return scan_lines(result) if isinstance(result, Scan) else best_plan_lines(result)


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return the lines of a comparison."""
    trial = comparison.trial
    if not comparison.is_measured:
        return ["interrupted before the first run was finished"]
    plan = unchanged_plan_name(trial)
    lines = [
        *_headline(
            trial,
            f", {comparison.sentence()}.",
            comparison.runs,
            comparison.requested_runs,
            comparison.seed,
        ),
        *format_table(("per season", plan, "changed", "change"), _season_rows(comparison)),
        "",
        *format_table(("share of plays", plan, "changed", "change"), call_rows(comparison)),
    ]
    policies = [change for change in comparison.changes if isinstance(change, FourthDownPolicy)]
    for policy in policies:
        lines += ["", *_wrap(f"Unless score or clock decide: {policy.describe_go_for_it()}.")]
    if comparison.rebuilt is not None:
        lines += ["", *_wrap(comparison.rebuilt.sentence())]
    if comparison.answered is not None:
        lines += [
            "",
            *format_table(RESPONSE_COLUMNS, response_rows(comparison.answered, " ")),
            "",
            *_wrap(comparison.remaining_gain()),
        ]
    return [*lines, "", *_wrap(INTERVAL_NOTE)]


def _wrap(text: str) -> list[str]:
    return wrap(text, WIDTH, 0)


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
        (play, percent(old, 1), percent(new, 1), f"{100 * (new - old):+.1f} pp")
        for play, old, new in comparison.call_shares()
    ]


def scan_lines(scan: Scan) -> list[str]:
    """Return the lines of a scan."""
    trial = scan.trial
    if not scan.is_measured:
        return ["interrupted before anything was measured"]
    measured = [finding for finding in scan.findings if finding.is_confirmed]
    screened = [finding for finding in scan.findings if not finding.is_confirmed]
    rows = [
        finding_row(finding, finding.label, "*", "")
        for finding in measured or screened[:MAX_SCREENED_FINDINGS]
    ]
    runs = max(finding.runs for finding in scan.findings)
    lines = [
        *_headline(trial, f": {scan.verdict()}", runs, scan.runs, scan.seed),
        *format_table(("planned change", "wins", "net points", "runs", ""), rows),
        "",
        *_wrap("* significant at 95 %, corrected for the number of changes tried."),
    ]
    if measured and screened:
        lines += _wrap(
            f"{len(screened)} less promising changes were tried with {screened[0].runs:,} runs "
            f"only; {_count_certain(screened)} of them {_is_or_are(screened)} significant (see "
            "--json or --html)."
        )
    return [*lines, *_wrap(INTERVAL_NOTE)]


def _count_certain(findings: Sequence[Finding]) -> str:
    return str(sum(finding.is_significant for finding in findings) or "none")


def _is_or_are(findings: Sequence[Finding]) -> str:
    return "is" if sum(finding.is_significant for finding in findings) == 1 else "are"


def finding_row(finding: Finding, name: str, yes: str, no: str) -> tuple[str, ...]:
    """Return the table cells of a finding; the last one marks significance."""
    mark = yes if finding.is_significant else no
    return name, f"{finding.wins:.2f}", f"{finding.points:.1f}", f"{finding.runs:,}", mark


def best_plan_lines(best: BestPlan) -> list[str]:
    """Return the lines of a search for the best plan."""
    trial = best.trial
    if not best.is_measured:
        return [f"interrupted: {best.tried} plans tried, none measured"]
    stopped = " (search interrupted)" if trial.interrupted else ""
    return [
        *_headline(
            trial,
            f", {best.sentence()}.",
            best.results[0].plans_kept.runs,
            best.runs,
            best.seed,
        ),
        *format_table(RESPONSE_COLUMNS, response_rows(best.results, " ")),
        "",
        *_wrap(best.remaining_gain()),
        "",
        *_wrap(
            f"Best of {best.tried} plans tried{stopped}, measured with new dice. {INTERVAL_NOTE}"
        ),
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


def _headline(trial: Trial, text: str, runs: int, asked: int, seed: int) -> list[str]:
    """Return the result, how it was computed, what is assumed, and an empty line."""
    lines = []
    if trial.interrupted and runs < asked:
        lines.append(f"interrupted after {runs:,} of {asked:,} runs")
    lines += _wrap(f"{team_name(trial)} {trial.season}{text}")
    lines += _wrap(
        f"{'1 run' if runs == 1 else f'{runs:,} runs'} of the real schedule with each plan "
        f"({trial.games_played:,} games in {trial.seconds:.1f} s), seed {seed}."
    )
    return [*lines, *_wrap(report_note(trial)), ""]
