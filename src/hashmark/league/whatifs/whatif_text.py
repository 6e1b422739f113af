"""What-ifs as text for a terminal: a comparison, a scan, the best plan."""

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
    """The lines of a report."""
    if isinstance(found, Comparison):
        return comparison_text(found)
    return scan_text(found) if isinstance(found, Scan) else best_text(found)


def comparison_text(found: Comparison) -> list[str]:
    """One change."""
    if not found.measured:
        return ["interrupted before the first run was over"]
    plan = unchanged(found.trial)
    said = [
        *_head(found.trial, found.runs, found.asked, found.seed),
        *table(("per season", plan, "changed", "change"), _season_rows(found)),
        "",
        *table(("share of plays", plan, "changed", "points"), call_rows(found)),
        f"\n{full_name(found.trial)} {found.sentence()}.",
    ]
    policies = [change for change in found.changes if isinstance(change, Policy)]
    said += [f"In the open game it {policy.where()}." for policy in policies]
    if found.rebuilt is not None:
        said.append(f"\n{found.rebuilt.sentence()}")
    if found.answered is not None:
        said += ["", *table(COLUMNS, under_rows(found.answered, " ")), f"\n{found.remains()}"]
    return [*said, f"\n{NOTE}"]


def _season_rows(found: Comparison) -> list[tuple[str, ...]]:
    before, after = found.before, found.after
    return [
        (name, f"{mean(old).mean:.2f}", f"{mean(new).mean:.2f}", f"{change:.2f}")
        for name, old, new, change in (
            ("wins", before.wins, after.wins, found.wins),
            ("points for", before.total(OWN), after.total(OWN), found.points_for),
            ("points against", before.total(THEIRS), after.total(THEIRS), found.points_against),
        )
    ]


def call_rows(found: Comparison) -> list[tuple[str, ...]]:
    """Each play's share before and after, and the change in points of a hundred."""
    return [
        (play, f"{old:.1%}", f"{new:.1%}", f"{100 * (new - old):+.1f}")
        for play, old, new in found.calls()
    ]


def scan_text(found: Scan) -> list[str]:
    """Many single changes."""
    if not found.measured:
        return ["interrupted before anything was measured"]
    measured = [one for one in found.findings if one.confirmed]
    screened = [one for one in found.findings if not one.confirmed]
    rows = [finding_row(one, "*", "") for one in measured or screened[:SHOWN]]
    said = [
        *_head(found.trial, max(one.runs for one in found.findings), found.runs, found.seed),
        *table(("change", "wins", "points", "runs", ""), rows),
        "\n* zero is ruled out, even when all changes of the table are taken together.",
    ]
    if measured and screened:
        said.append(
            f"{len(screened)} other changes were tried with {screened[0].runs:,} runs only: they "
            f"promised less, and {_certain(screened)} of them can be told apart from zero "
            "(--json and --html list them)."
        )
    return [*said, f"\n{found.verdict()}\n\n{NOTE}"]


def _certain(findings: Sequence[Finding]) -> str:
    return str(sum(one.certain for one in findings) or "none")


def finding_row(one: Finding, yes: str, no: str) -> tuple[str, ...]:
    """A finding as cells of a table; the last says whether it can be told apart from zero."""
    mark = yes if one.certain else no
    return one.words, f"{one.wins:.2f}", f"{one.points:.1f}", f"{one.runs:,}", mark


def best_text(found: Best) -> list[str]:
    """The best plan, and what remains of it."""
    if not found.measured:
        return [f"interrupted: {found.tried} plans were tried, and none was measured"]
    ended = ", when the search was interrupted," if found.trial.interrupted else ""
    return [
        *_head(found.trial, found.lines[0].kept.runs, found.runs, found.seed),
        *table(COLUMNS, under_rows(found.lines, " ")),
        f"\n{full_name(found.trial)} {found.sentence()}.",
        f"\n{found.remains()}",
        f"\nFound among {found.tried} plans{ended} and measured with other luck.\n{NOTE}",
    ]


def under_rows(lines: Sequence[Line], between: str) -> list[tuple[str, ...]]:
    """Each plan with its wins under every answer, and the change from the first, unchanged one."""
    rows = []
    for at, line in enumerate(lines):
        cells = []
        for column, sample in enumerate(line.samples()):
            cell = f"{mean(sample.wins).mean:.2f}"
            change = f"{between}{line.change(column, lines[0]):.2f}"
            cells.append(cell if at == column == 0 else cell + change)
        rows.append((line.name, *cells))
    return rows


def _head(trial: Trial, runs: int, asked: int, seed: int) -> list[str]:
    said = []
    if trial.interrupted and runs < asked:
        said.append(f"interrupted after {runs:,} of {asked:,} runs")
    said.append(
        f"{full_name(trial)} {trial.season}: {runs:,} runs of the real schedule with each plan "
        f"({trial.games:,} games in {trial.seconds:.1f} s), seed {seed}"
    )
    return [*said, *([note(trial)] if note(trial) else []), ""]
