"""The pages of what-ifs: a comparison, a scan, the best plan, each with its pictures."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.games.data_driven.plans.plan import SECTIONS, Plan
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs.best import Best
from hashmark.league.whatifs.scan import Finding, Scan
from hashmark.league.whatifs.trial import Trial, mean
from hashmark.league.whatifs.whatif import CLASSES, Comparison, full_name, note, unchanged
from hashmark.league.whatifs.whatif_text import COLUMNS, call_rows, finding_row, under_rows
from hashmark.pages.axis import percent, signed
from hashmark.pages.histogram import Sample, two_histograms
from hashmark.pages.report import Beside, Headed, Note, Piece, Report, Section, Table
from hashmark.pages.rows import Row, rows
from hashmark.pages.shapes import Chart, Sign
from hashmark.sim.results import Estimate
from hashmark.table.readable import PLUS_MINUS

MOST_FINDINGS = 40
NOTE = (
    "Whiskers are 95% intervals of paired differences: run for run both plans had the same dice, "
    "play by play and drive by drive."
)


def report(found: Comparison | Scan | Best) -> Report:
    """The page of a report."""
    if isinstance(found, Comparison):
        return comparison_page(found)
    return scan_page(found) if isinstance(found, Scan) else best_page(found)


def comparison_page(found: Comparison) -> Report:
    """One change."""
    return Report(
        f"What if: {full_name(found.trial)} {found.trial.season}",
        f"The real schedule, {found.runs:,} times with the {unchanged(found.trial)} and "
        f"{found.runs:,} times with the changed one, with the same luck. "
        f"{note(found.trial)}".rstrip(),
        [
            Section("What it would bring", [_brought(found)], NOTE),
            Section("Wins", [_wins(found)]),
            *_under_answers(found),
            _plans(found.trial, found.plan),
            Section("Calls", [_calls(found)], "Of a hundred plays called."),
            Section(
                "Game by game",
                [_games(found)],
                f"Chance to win with the {unchanged(found.trial)}, and change.",
            ),
        ],
        answer=_answer(found),
        foot=_foot(found.trial, found.seed),
    )


def _answer(found: Comparison) -> str:
    """What it brings and, where charts were rebuilt, how sure that is."""
    said = f"{full_name(found.trial)} {found.sentence()}."
    return said if found.rebuilt is None else f"{said} {found.rebuilt.sentence()}"


def _under_answers(found: Comparison) -> list[Section]:
    """What the opponents' answer would leave of it, if that was asked for."""
    if found.answered is None:
        return []
    real, changed = found.answered
    lines = [
        _row(f"{line.name}, {words}", line.change(column, real), True)
        for column, words in enumerate(COLUMNS[1:])
        for line in (real, changed)
        if line is changed or column
    ]
    headings = ("Plan", *(words.capitalize() for words in COLUMNS[1:]))
    table = Table("Mean wins, and the change", headings, under_rows(found.answered, ", "))
    chart = _changes("Change of wins under answers", lines)
    return [Section("What the opponents' answer would leave", [chart, table], found.remains())]


def scan_page(found: Scan) -> Report:
    """Many single changes."""
    return Report(
        f"Every change on its own: {full_name(found.trial)} {found.trial.season}",
        "Each change tried alone on the real schedule, ranked by the wins that it would bring. "
        f"{note(found.trial)}".rstrip(),
        [
            Section("Best and worst", [_best_and_worst(found.findings)], NOTE),
            Section(
                "All changes",
                [
                    Table(
                        "Change of a season's wins and of its point difference, each ± half of "
                        "its 95% interval",
                        ("Change", "Wins", "Points", "Runs", "Told apart from zero"),
                        [finding_row(one, "yes", "no") for one in found.findings],
                    )
                ],
                "Yes: zero is ruled out even when all changes tried are taken together.",
            ),
        ],
        answer=found.verdict(),
        foot=_foot(found.trial, found.seed),
    )


def _best_and_worst(findings: Sequence[Finding]) -> Piece:
    """All findings; of very many the first and the last, beside each other on the same scale."""
    lines = [_row(one.words, one.wins, one.certain) for one in findings]
    if len(lines) <= MOST_FINDINGS // 2:
        return _changes("Change of wins", lines)
    half = min(MOST_FINDINGS, len(lines)) // 2
    best, worst = lines[:half], lines[-half:]
    reach = _reach([*best, *worst])
    return Beside(
        [
            Headed("The best", _changes("Change of wins: the best", best, reach)),
            Headed("The worst", _changes("Change of wins: the worst", worst, reach)),
        ]
    )


def best_page(found: Best) -> Report:
    """The best plan, and what remains of it."""
    headings = ("Plan", *(words.capitalize() for words in COLUMNS[1:]))
    lines = [
        _row(f"{line.name}{', answered' if column else ''}", found.change(at, column), True)
        for at, line in enumerate(found.lines)
        for column in (0, 1)
        if at or column
    ]
    return Report(
        f"The best plan: {full_name(found.trial)} {found.trial.season}",
        f"Found among {found.tried} plans, then measured over {found.runs:,} seasons with other "
        f"luck than that of the search. {note(found.trial)}".rstrip(),
        [
            Section("Wins", [_changes("Change of wins", lines)], found.remains()),
            Section(
                "All of it",
                [Table("Mean wins, and the change", headings, under_rows(found.lines, ", "))],
            ),
            _plans(found.trial, found.plan),
        ],
        answer=f"{full_name(found.trial)} {found.sentence()}.",
        foot=_foot(found.trial, found.seed),
    )


def _foot(trial: Trial, seed: int) -> str:
    return f"{trial.games:,} games, seed {seed}."


def _heading(trial: Trial) -> str:
    """The unchanged plan as a heading."""
    words = unchanged(trial)
    return words[:1].upper() + words[1:]


def _plans(trial: Trial, plan: Plan) -> Section:
    said = (
        "Shares of calls where the plans differ: bars are the changed plan, marks the "
        f"{unchanged(trial)}."
    )
    return Section("The plans", [plan_comparison(trial.plan, plan)], said)


def _calls(found: Comparison) -> Table:
    headings = ("Play", _heading(found.trial), "Changed", "Points")
    return Table("Share of each play", headings, call_rows(found))


def _games(found: Comparison) -> Table:
    lines = [
        (game, f"{chance:.1%}", f"{100 * change.mean:+.1f} ({PLUS_MINUS}{100 * change.margin:.1f})")
        for game, chance, change in found.by_game()
    ]
    return Table("", ("Game", "Chance", "Change, points"), lines)


# --- Pictures ------------------------------------------------------------------------------


def _brought(found: Comparison) -> Piece:
    """Wins and points are two kinds of figures, each on an axis of its own."""
    games = len(found.trial.fixtures)
    changes = {"for": found.points_for / games, "against": found.points_against / games}
    points = [
        _row(f"points {whose}, a game", change, change.certain) for whose, change in changes.items()
    ]
    return Beside(
        [
            Headed("Wins", _changes("Wins", [_row("wins", found.wins, found.wins.certain)])),
            Headed("Points", _changes("Points a game", points)),
        ]
    )


def _wins(found: Comparison) -> Chart:
    """The distribution of wins with both plans."""
    import numpy as np

    games = len(found.trial.fixtures)
    samples = []
    for name, sample in ((_heading(found.trial), found.before), ("Changed plan", found.after)):
        counted = np.bincount(np.floor(sample.wins).astype(int), minlength=games + 1)
        shares = (counted / max(1, sample.runs)).tolist()
        samples.append(Sample(name, shares, mean(sample.wins).mean))
    said = ", ".join(one.words("wins") for one in samples)
    return two_histograms("Wins with both plans", said, samples[0], samples[1], "wins")


def _row(label: str, change: Estimate, certain: bool) -> Row:
    span = (change.mean - change.margin, change.mean + change.margin)
    return Row(label, change.mean, f"{change:.2f}", span, faint=not certain)


def _reach(lines: Sequence[Row]) -> list[float]:
    return [0.0, *(figure for line in lines for figure in line.figures)]


def _changes(title: str, lines: Sequence[Row], reach: Sequence[float] = (0.0,)) -> Chart:
    """Changes up and down from a line of no change, with whiskers; pale if uncertain."""
    said = "; ".join(f"{line.label}: {line.text}" for line in lines)
    key = [Sign("range", "95% interval")]
    if any(line.faint for line in lines):
        key.append(Sign("faint", "not told apart from zero"))
    return rows(title, said, lines, signed, reach=reach, key=key)


def plan_comparison(old: Plan, new: Plan) -> Piece:
    """Two plans side by side: the shares of every call in usual situations where they differ.

    A bar is the new share, a mark across it the old one; all charts have the same scale.
    """
    found = []
    for section in ("play", "formation"):
        for where, moment in CLASSES.items():
            before, after = (ch.mix(plan, section, moment) for plan in (old, new))
            if before is not None and after is not None and _differ(before, after):
                title = f"{section.capitalize()}s {where}"
                found.append((title, SECTIONS[section], before, after))
    if not found:
        return Note("In the usual situations both call alike.")
    most = max(max(*before, *after) for _, _, before, after in found)
    return Beside([Headed(one[0], _shares(*one, (0.0, most))) for one in found])


def _differ(old: Sequence[float], new: Sequence[float]) -> bool:
    return any(abs(after - before) >= 0.005 for before, after in zip(old, new, strict=True))


def _shares(
    title: str,
    calls: Sequence[str],
    old: Sequence[float],
    new: Sequence[float],
    reach: Sequence[float],
) -> Chart:
    """For each call the old share (a mark) and the new one (a bar)."""
    lines = [
        Row(call, after, f"{before:.0%} to {after:.0%}", mark=before)
        for call, before, after in zip(calls, old, new, strict=True)
    ]
    said = ", ".join(f"{line.label} {line.text}" for line in lines)
    return rows(title, said, lines, percent, reach=reach)
