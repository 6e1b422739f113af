"""HTML reports of what-ifs: a comparison, a scan, the best plan, each with its charts."""

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
    """Build the report of a what-if."""
    if isinstance(found, Comparison):
        return comparison_page(found)
    return scan_page(found) if isinstance(found, Scan) else best_page(found)


def comparison_page(found: Comparison) -> Report:
    """Build the report of a comparison."""
    return Report(
        f"What if: {full_name(found.trial)} {found.trial.season}",
        f"The real schedule, {found.runs:,} times with the {unchanged(found.trial)} and "
        f"{found.runs:,} times with the changed one, with the same luck. "
        f"{note(found.trial)}".rstrip(),
        [
            Section("What it would bring", [_effect_charts(found)], NOTE),
            Section("Wins", [_win_chart(found)]),
            *_response_section(found),
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


def _answer(comparison: Comparison) -> str:
    """Return the main result and, with bootstrapped charts, how certain it is."""
    text = f"{full_name(comparison.trial)} {comparison.sentence()}."
    return text if comparison.rebuilt is None else f"{text} {comparison.rebuilt.sentence()}"


def _response_section(comparison: Comparison) -> list[Section]:
    """Build the section on the opponents' response, if requested."""
    if comparison.answered is None:
        return []
    real, changed = comparison.answered
    bars = [
        _row(f"{line.name}, {words}", line.change(column, real), True)
        for column, words in enumerate(COLUMNS[1:])
        for line in (real, changed)
        if line is changed or column
    ]
    headings = ("Plan", *(words.capitalize() for words in COLUMNS[1:]))
    table = Table("Mean wins, and the change", headings, under_rows(comparison.answered, ", "))
    chart = _change_chart("Change of wins under answers", bars)
    return [Section("What the opponents' answer would leave", [chart, table], comparison.remains())]


def scan_page(found: Scan) -> Report:
    """Build the report of a scan."""
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
                        [finding_row(finding, "yes", "no") for finding in found.findings],
                    )
                ],
                "Yes: zero is ruled out even when all changes tried are taken together.",
            ),
        ],
        answer=found.verdict(),
        foot=_foot(found.trial, found.seed),
    )


def _best_and_worst(findings: Sequence[Finding]) -> Piece:
    """Chart all findings or, of very many, the first and last on the same scale."""
    bars = [_row(finding.words, finding.wins, finding.certain) for finding in findings]
    if len(bars) <= MOST_FINDINGS // 2:
        return _change_chart("Change of wins", bars)
    half = min(MOST_FINDINGS, len(bars)) // 2
    best, worst = bars[:half], bars[-half:]
    reach = _reach([*best, *worst])
    return Beside(
        [
            Headed("The best", _change_chart("Change of wins: the best", best, reach)),
            Headed("The worst", _change_chart("Change of wins: the worst", worst, reach)),
        ]
    )


def best_page(found: Best) -> Report:
    """Build the report of a search for the best plan."""
    headings = ("Plan", *(words.capitalize() for words in COLUMNS[1:]))
    bars = [
        _row(f"{line.name}{', answered' if column else ''}", found.change(index, column), True)
        for index, line in enumerate(found.lines)
        for column in (0, 1)
        if index or column
    ]
    return Report(
        f"The best plan: {full_name(found.trial)} {found.trial.season}",
        f"Found among {found.tried} plans, then measured over {found.runs:,} seasons with other "
        f"luck than that of the search. {note(found.trial)}".rstrip(),
        [
            Section("Wins", [_change_chart("Change of wins", bars)], found.remains()),
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
    """Return the name of the unchanged plan as a heading."""
    words = unchanged(trial)
    return words[:1].upper() + words[1:]


def _plans(trial: Trial, plan: Plan) -> Section:
    caption = (
        "Shares of calls where the plans differ: bars are the changed plan, marks the "
        f"{unchanged(trial)}."
    )
    return Section("The plans", [plan_comparison(trial.plan, plan)], caption)


def _calls(comparison: Comparison) -> Table:
    headings = ("Play", _heading(comparison.trial), "Changed", "Points")
    return Table("Share of each play", headings, call_rows(comparison))


def _games(comparison: Comparison) -> Table:
    cells = [
        (game, f"{chance:.1%}", f"{100 * change.mean:+.1f} ({PLUS_MINUS}{100 * change.margin:.1f})")
        for game, chance, change in comparison.by_game()
    ]
    return Table("", ("Game", "Chance", "Change, points"), cells)


# --- Charts --------------------------------------------------------------------------------


def _effect_charts(comparison: Comparison) -> Piece:
    """Chart the changes of wins and of points, each on its own axis."""
    games = len(comparison.trial.fixtures)
    changes = {"for": comparison.points_for / games, "against": comparison.points_against / games}
    points = [
        _row(f"points {whose}, a game", change, change.certain) for whose, change in changes.items()
    ]
    return Beside(
        [
            Headed(
                "Wins",
                _change_chart("Wins", [_row("wins", comparison.wins, comparison.wins.certain)]),
            ),
            Headed("Points", _change_chart("Points a game", points)),
        ]
    )


def _win_chart(comparison: Comparison) -> Chart:
    """Chart the distribution of wins with both plans."""
    import numpy as np

    games = len(comparison.trial.fixtures)
    samples = []
    for name, sample in (
        (_heading(comparison.trial), comparison.before),
        ("Changed plan", comparison.after),
    ):
        counts = np.bincount(np.floor(sample.wins).astype(int), minlength=games + 1)
        shares = (counts / max(1, sample.runs)).tolist()
        samples.append(Sample(name, shares, mean(sample.wins).mean))
    description = ", ".join(sample.words("wins") for sample in samples)
    return two_histograms("Wins with both plans", description, samples[0], samples[1], "wins")


def _row(label: str, change: Estimate, certain: bool) -> Row:
    span = (change.mean - change.margin, change.mean + change.margin)
    return Row(label, change.mean, f"{change:.2f}", span, faint=not certain)


def _reach(bars: Sequence[Row]) -> list[float]:
    return [0.0, *(figure for bar in bars for figure in bar.figures)]


def _change_chart(title: str, bars: Sequence[Row], reach: Sequence[float] = (0.0,)) -> Chart:
    """Chart changes around zero with whiskers; uncertain ones are faint."""
    description = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    key = [Sign("range", "95% interval")]
    if any(bar.faint for bar in bars):
        key.append(Sign("faint", "not told apart from zero"))
    return rows(title, description, bars, signed, reach=reach, key=key)


def plan_comparison(old: Plan, new: Plan) -> Piece:
    """Chart two plans side by side: shares of every call in usual situations where they differ.

    A bar is the new share, a mark across it the old one; all charts have the same scale.
    """
    charts = []
    for section in ("play", "formation"):
        for where, moment in CLASSES.items():
            before, after = (ch.mix(plan, section, moment) for plan in (old, new))
            if before is not None and after is not None and _differ(before, after):
                title = f"{section.capitalize()}s {where}"
                charts.append((title, SECTIONS[section], before, after))
    if not charts:
        return Note("In the usual situations both call alike.")
    most = max(max(*before, *after) for _, _, before, after in charts)
    return Beside([Headed(chart[0], _share_chart(*chart, (0.0, most))) for chart in charts])


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
        Row(call, after, f"{before:.0%} to {after:.0%}", mark=before)
        for call, before, after in zip(calls, old, new, strict=True)
    ]
    description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
    return rows(title, description, bars, percent, reach=reach)
