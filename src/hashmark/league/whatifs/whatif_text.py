"""Terminal text of what-ifs: a comparison, a scan, the best plan."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.league.whatifs.answers import Line
from hashmark.league.whatifs.best import Best
from hashmark.league.whatifs.fourth import Policy
from hashmark.league.whatifs.scan import Finding, Scan
from hashmark.league.whatifs.trial import OWN, THEIRS, Trial, mean
from hashmark.league.whatifs.whatif import Comparison, full_name, note, unchanged
from hashmark.telling.columns import table

SHOWN = 16  # findings of a scan
NOTE = (
    "(±) is half of a 95% interval of paired differences: run for run both plans have the same "
    "dice,\nplay by play and drive by drive."
)
COLUMNS = ("wins", "opponents keep to their plans", "defences answer", "both sides answer")


def report(found: Comparison | Scan | Best) -> list[str]:
    """Return the lines of a report."""
    if isinstance(found, Comparison):
        return comparison_text(found)
    return scan_text(found) if isinstance(found, Scan) else best_text(found)


def comparison_text(found: Comparison) -> list[str]:
    """Return the lines of a comparison."""
    if not found.measured:
        return ["interrupted before the first run was over"]
    plan = unchanged(found.trial)
    lines = [
        *_head(found.trial, found.runs, found.asked, found.seed),
        *table(("per season", plan, "changed", "change"), _season_rows(found)),
        "",
        *table(("share of plays", plan, "changed", "points"), call_rows(found)),
        f"\n{full_name(found.trial)} {found.sentence()}.",
    ]
    policies = [change for change in found.changes if isinstance(change, Policy)]
    lines += [f"In the open game it {policy.where()}." for policy in policies]
    if found.rebuilt is not None:
        lines.append(f"\n{found.rebuilt.sentence()}")
    if found.answered is not None:
        lines += ["", *table(COLUMNS, under_rows(found.answered, " ")), f"\n{found.remains()}"]
    return [*lines, f"\n{NOTE}"]


def _season_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    before, after = comparison.before, comparison.after
    return [
        (name, f"{mean(old).mean:.2f}", f"{mean(new).mean:.2f}", f"{change:.2f}")
        for name, old, new, change in (
            ("wins", before.wins, after.wins, comparison.wins),
            ("points for", before.total(OWN), after.total(OWN), comparison.points_for),
            (
                "points against",
                before.total(THEIRS),
                after.total(THEIRS),
                comparison.points_against,
            ),
        )
    ]


def call_rows(found: Comparison) -> list[tuple[str, ...]]:
    """Return each play's share before and after, and the change in percentage points."""
    return [
        (play, f"{old:.1%}", f"{new:.1%}", f"{100 * (new - old):+.1f}")
        for play, old, new in found.calls()
    ]


def scan_text(found: Scan) -> list[str]:
    """Return the lines of a scan."""
    if not found.measured:
        return ["interrupted before anything was measured"]
    measured = [finding for finding in found.findings if finding.confirmed]
    screened = [finding for finding in found.findings if not finding.confirmed]
    rows = [finding_row(finding, "*", "") for finding in measured or screened[:SHOWN]]
    lines = [
        *_head(
            found.trial, max(finding.runs for finding in found.findings), found.runs, found.seed
        ),
        *table(("change", "wins", "points", "runs", ""), rows),
        "\n* zero is ruled out, even when all changes of the table are taken together.",
    ]
    if measured and screened:
        lines.append(
            f"{len(screened)} other changes were tried with {screened[0].runs:,} runs only: they "
            f"promised less, and {_count_certain(screened)} of them can be told apart from zero "
            "(--json and --html list them)."
        )
    return [*lines, f"\n{found.verdict()}\n\n{NOTE}"]


def _count_certain(findings: Sequence[Finding]) -> str:
    return str(sum(finding.certain for finding in findings) or "none")


def finding_row(one: Finding, yes: str, no: str) -> tuple[str, ...]:
    """Return the table cells of a finding; the last one marks significance."""
    mark = yes if one.certain else no
    return one.words, f"{one.wins:.2f}", f"{one.points:.1f}", f"{one.runs:,}", mark


def best_text(found: Best) -> list[str]:
    """Return the lines of a search for the best plan."""
    if not found.measured:
        return [f"interrupted: {found.tried} plans were tried, and none was measured"]
    stopped = ", when the search was interrupted," if found.trial.interrupted else ""
    return [
        *_head(found.trial, found.lines[0].kept.runs, found.runs, found.seed),
        *table(COLUMNS, under_rows(found.lines, " ")),
        f"\n{full_name(found.trial)} {found.sentence()}.",
        f"\n{found.remains()}",
        f"\nFound among {found.tried} plans{stopped} and measured with other luck.\n{NOTE}",
    ]


def under_rows(lines: Sequence[Line], between: str) -> list[tuple[str, ...]]:
    """Return each plan with its wins under every response, and the change from the first plan."""
    rows = []
    for index, line in enumerate(lines):
        cells = []
        for column, sample in enumerate(line.samples()):
            cell = f"{mean(sample.wins).mean:.2f}"
            change = f"{between}{line.change(column, lines[0]):.2f}"
            cells.append(cell if index == column == 0 else cell + change)
        rows.append((line.name, *cells))
    return rows


def _head(trial: Trial, runs: int, asked: int, seed: int) -> list[str]:
    lines = []
    if trial.interrupted and runs < asked:
        lines.append(f"interrupted after {runs:,} of {asked:,} runs")
    lines.append(
        f"{full_name(trial)} {trial.season}: {runs:,} runs of the real schedule with each plan "
        f"({trial.games:,} games in {trial.seconds:.1f} s), seed {seed}"
    )
    return [*lines, *([note(trial)] if note(trial) else []), ""]
