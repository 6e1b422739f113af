"""The pages of what-ifs: a comparison, a scan, the best plan, each with its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from hashmark.games.data_driven.plans.plan import SECTIONS, Plan
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs.best import Best
from hashmark.league.whatifs.scan import Scan
from hashmark.league.whatifs.trial import Trial, mean
from hashmark.league.whatifs.whatif import CLASSES, Comparison, full_name, note, unchanged
from hashmark.league.whatifs.whatif_text import COLUMNS, call_rows, finding_row, line_rows
from hashmark.sim.results import Estimate
from hashmark.table.readable import PLUS_MINUS
from hashmark.telling import page
from hashmark.telling.page import Section, figure, ticks

MOST_FINDINGS = 40
NOTE = (
    "Whiskers are 95% intervals of paired differences: run for run both plans had the same dice, "
    "play by play and drive by drive."
)


def report(found: Comparison | Scan | Best) -> str:
    """The page of a report."""
    if isinstance(found, Comparison):
        return comparison_page(found)
    return scan_page(found) if isinstance(found, Scan) else best_page(found)


def comparison_page(found: Comparison) -> str:
    """One change."""
    return page.page(
        f"What if: {full_name(found.trial)} {found.trial.season}",
        f"The real schedule, {found.runs:,} times with the {unchanged(found.trial)} and "
        f"{found.runs:,} times with the changed one, with the same luck. "
        f"{note(found.trial)}".rstrip(),
        [
            Section("What it would bring", _brought(found), NOTE),
            Section("Wins", _wins(found)),
            _plans(found.trial, found.plan),
            Section("Calls", _calls(found), "Of a hundred plays called."),
            Section(
                "Game by game",
                _games(found),
                f"Chance to win with the {unchanged(found.trial)}, and change.",
            ),
        ],
        answer=f"{full_name(found.trial)} {found.sentence()}.",
        foot=_foot(found.trial, found.seed),
    )


def scan_page(found: Scan) -> str:
    """Many single changes."""
    shown = found.findings
    if len(shown) > MOST_FINDINGS:
        half = MOST_FINDINGS // 2
        shown = shown[:half] + shown[-half:]
    rows = [(one.words, one.wins, one.certain) for one in shown]
    return page.page(
        f"Every change on its own: {full_name(found.trial)} {found.trial.season}",
        "Each change tried alone on the real schedule, ranked by the wins that it would bring. "
        f"{note(found.trial)}".rstrip(),
        [
            Section("Best and worst", differences("Change of wins", rows), NOTE),
            Section(
                "All changes",
                page.table(
                    "Change of a season's wins and of its point difference, each ± half of its "
                    "95% interval",
                    ("Change", "Wins", "Points", "Runs", "Told apart from zero"),
                    [finding_row(one, "yes", "no") for one in found.findings],
                ),
                "Yes: zero is ruled out even when all changes tried are taken together.",
            ),
        ],
        answer=found.verdict(),
        foot=_foot(found.trial, found.seed),
    )


def best_page(found: Best) -> str:
    """The best plan, and what remains of it."""
    headings = ("Plan", *(words.capitalize() for words in COLUMNS[1:]))
    bars = [
        (f"{line.name}{', answered' if column else ''}", found.change(at, column), True)
        for at, line in enumerate(found.lines)
        for column in (0, 1)
        if at or column
    ]
    return page.page(
        f"The best plan: {full_name(found.trial)} {found.trial.season}",
        f"Found among {found.tried} plans, then measured over {found.runs:,} seasons with other "
        f"luck than that of the search. {note(found.trial)}".rstrip(),
        [
            Section("Wins", differences("Change of wins", bars), found.remains()),
            Section(
                "All of it",
                page.table("Mean wins, and the change", headings, line_rows(found, ", ")),
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
    return Section("The plans", plan_comparison(trial.plan, plan), said)


def _brought(found: Comparison) -> str:
    games = len(found.trial.fixtures)
    rows = [
        ("wins", found.wins, found.wins.certain),
        ("points for, a game", found.points_for / games, True),
        ("points against, a game", found.points_against / games, True),
    ]
    return differences("What the change brings", rows)


def _wins(found: Comparison) -> str:
    """The distribution of wins with both plans."""
    import numpy as np

    games = len(found.trial.fixtures)
    drawn = []
    plan = _heading(found.trial)
    for head, sample in ((plan, found.before), ("Changed plan", found.after)):
        counted = np.bincount(np.floor(sample.wins).astype(int), minlength=games + 1)
        shares = (counted / max(1, sample.runs)).tolist()
        said = f"{head}: {mean(sample.wins).mean:.2f} wins"
        drawn.append(page.histogram(said, said, shares, head=said))
    return page.side_by_side(*drawn)


def _calls(found: Comparison) -> str:
    headings = ("Play", _heading(found.trial), "Changed", "Points")
    return page.table("Share of each play", headings, call_rows(found))


def _games(found: Comparison) -> str:
    rows = [
        (game, f"{chance:.1%}", f"{100 * change.mean:+.1f} ({PLUS_MINUS}{100 * change.margin:.1f})")
        for game, chance, change in found.by_game()
    ]
    return page.table("", ("Game", "Chance", "Change, points"), rows)


# --- Pictures ------------------------------------------------------------------------------


def differences(title: str, rows: Sequence[tuple[str, Estimate, bool]]) -> str:
    """Changes up and down from a line of no change, with whiskers; pale if uncertain."""
    left = 20 + 6.7 * max((len(label) for label, _, _ in rows), default=0)
    width, step, right = left + 430, 20, 110
    finite = [one for _, one, _ in rows if one.margin < float("inf")]
    ends = [0.0, *(end for one in finite for end in (one.mean - one.margin, one.mean + one.margin))]
    scale = ticks(min(ends), max(ends))
    low, high = scale[0], scale[-1]

    def x(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (width - left - right)

    height = len(rows) * step + 26
    drawn = []
    for value in scale:
        drawn.append(
            f'<path class="axis" d="M{x(value):.1f} 4V{height - 20}"/><text class="name" '
            f'x="{x(value):.1f}" y="{height - 7}" text-anchor="middle">{value:g}</text>'
        )
    for at, (label, one, certain) in enumerate(rows):
        y = at * step + 6
        start, end = sorted((x(0), x(one.mean)))
        wide = max(end - start, 0.5)
        colour = "bar" if certain else "pale"
        low_end, high_end = x(one.mean - one.margin), x(one.mean + one.margin)
        drawn.append(
            f'<text x="{left - 6:.1f}" y="{y + 12}" text-anchor="end">{escape(label)}</text>'
            f'<rect class="{colour}" x="{start:.1f}" y="{y + 2}" width="{wide:.1f}" '
            f'height="13"/><path class="span" d="M{low_end:.1f} {y + 8.5}H{high_end:.1f}"/>'
            f'<text class="soft" x="{width - right + 8}" y="{y + 12}">{one:.2f}</text>'
        )
    drawn.append(f'<path class="mark" d="M{x(0):.1f} 4V{height - 20}"/>')
    said = "; ".join(f"{label}: {one:.2f}" for label, one, _ in rows)
    return figure(title, said, (width, height), "".join(drawn), "")


def plan_comparison(old: Plan, new: Plan) -> str:
    """Two plans side by side: the shares of every call in usual situations where they differ.

    A bar is the new share, a mark across it the old one.
    """
    pieces = []
    for section in ("play", "formation"):
        for where, moment in CLASSES.items():
            before, after = (ch.mix(plan, section, moment) for plan in (old, new))
            if before is not None and after is not None and _differ(before, after):
                title = f"{section.capitalize()}s {where}"
                pieces.append(_slopes(title, SECTIONS[section], before, after))
    if not pieces:
        return page.paragraph("In the usual situations both call alike.")
    return page.side_by_side(*pieces)


def _differ(old: Sequence[float], new: Sequence[float]) -> bool:
    return any(abs(after - before) >= 0.005 for before, after in zip(old, new, strict=True))


def _slopes(title: str, calls: Sequence[str], old: Sequence[float], new: Sequence[float]) -> str:
    """For each call the old share (a line) and the new one (a bar)."""
    left, step, room = 100, 16, 260
    top = max(*old, *new, 0.01)
    drawn = [f'<text x="4" y="13">{escape(title)}</text>']
    for at, call in enumerate(calls):
        y = 22 + at * step
        end = left + new[at] / top * room
        mark = left + old[at] / top * room
        drawn.append(
            f'<text x="{left - 6}" y="{y + 10}" text-anchor="end">{escape(call)}</text>'
            f'<rect class="bar" x="{left}" y="{y + 1}" width="{max(end - left, 0.5):.1f}" '
            f'height="10"/><line class="mark" x1="{mark:.1f}" x2="{mark:.1f}" y1="{y}" '
            f'y2="{y + 12}"/><text class="soft" x="{max(end, mark) + 6:.1f}" y="{y + 10}">'
            f"{old[at]:.0%} to {new[at]:.0%}</text>"
        )
    said = ", ".join(
        f"{call} {a:.0%} to {b:.0%}" for call, a, b in zip(calls, old, new, strict=True)
    )
    return figure(title, said, (left + room + 90, 26 + len(calls) * step), "".join(drawn), "wide")
