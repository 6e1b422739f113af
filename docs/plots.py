"""Draws the plots of the pages on real teams: forecasts, what-ifs, season-2008, plans-2008 (.svg).

python docs/plots.py

Forecasts and what-ifs are read from the tables of the pages, the others from the shipped files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from hashmark.games.data_driven.plans.plan import LEAGUE, load_season
from hashmark.league.plans.habits import habit_shares
from hashmark.league.seasons import bootstrap_ratings_file
from hashmark.league.seasons.certainty import Certainty

DOCS = Path(__file__).parent
SHOWN_TEAMS = 6  # teams at either end of the plot of plans
HABIT = "runs on 1st & 10"
Z95 = 1.96  # standard errors in half of a 95 % interval
LABEL_WIDTH, PLOT_WIDTH, ROW_HEIGHT, TOP, BOTTOM = 300, 400, 22, 34, 44
STYLE = "font-family:system-ui,sans-serif;font-size:13px"
INK, GRID, DOT, OURS = "#1f2933", "#d5dbe1", "#52606d", "#1565c0"


@dataclass(frozen=True)
class PlotRow:
    """Estimate with half of its 95 % interval; `is_ours` highlights it."""

    label: str
    value: float
    margin: float = 0.0
    is_ours: bool = False


def draw(title: str, axis: str, rows: Sequence[PlotRow], ticks: Sequence[float], form: str) -> str:
    """Return an SVG with a dot and an interval for each row."""
    low, high = ticks[0], ticks[-1]
    width, height = LABEL_WIDTH + PLOT_WIDTH + 30, TOP + ROW_HEIGHT * len(rows) + BOTTOM

    def x(value: float) -> float:
        return LABEL_WIDTH + PLOT_WIDTH * (value - low) / (high - low)

    bottom = TOP + ROW_HEIGHT * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" style="{STYLE}" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>',
        f'<text x="12" y="22" font-weight="600">{escape(title)}</text>',
    ]
    for tick in ticks:
        line_color, label = (DOT, "0") if tick == 0 else (GRID, format(tick, form))
        parts.append(
            f'<path d="M{x(tick):.1f} {TOP}V{bottom}" stroke="{line_color}"/>'
            f'<text x="{x(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>'
        )
    parts += [_draw_row(row, TOP + ROW_HEIGHT * (i + 0.5), x) for i, row in enumerate(rows)]
    middle = LABEL_WIDTH + PLOT_WIDTH / 2
    parts.append(f'<text x="{middle}" y="{bottom + 36}" text-anchor="middle">{escape(axis)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _draw_row(row: PlotRow, y: float, x: Callable[[float], float]) -> str:
    color = OURS if row.is_ours else DOT
    text = (
        f'<text x="{LABEL_WIDTH - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(row.label)}</text>'
    )
    line = (
        f'<path d="M{x(row.value - row.margin):.1f} {y:.1f}H{x(row.value + row.margin):.1f}" '
        f'stroke="{color}" stroke-width="2"/>'
    )
    return f'{text}{line}<circle cx="{x(row.value):.1f}" cy="{y:.1f}" r="4.5" fill="{color}"/>'


def forecast_rows() -> Iterator[PlotRow]:
    """Yield differences in log loss from EPA-SRS on the held-out seasons."""
    page = (DOCS / "maintainers" / "forecasts.md").read_text(encoding="utf-8")
    block = page.split("<!-- output: held out -->")[1].split("<!--")[0]
    columns = r"^    (\S.*?)  +[+-][\d.]+ +[\d.]+ +[+-][\d.]+ +[\d.]+ +([+-][\d.]+) +([\d.]+)$"
    for label, value, error in re.findall(columns, block, re.M):
        yield PlotRow(label, float(value), Z95 * float(error), label.startswith("Hashmark"))


def whatif_rows() -> Iterator[PlotRow]:
    """Yield changes in wins of the scan of Arizona's plan."""
    page = (DOCS / "maintainers" / "measurements-real-teams.md").read_text(encoding="utf-8")
    block = page.split("### Scan of single changes")[1].split("###")[0]
    for label, value, margin in re.findall(r"^\| (.+?) \| ([+-][\d.]+) \(±([\d.]+)\)", block, re.M):
        words = re.sub(r"^called |, more .*$", "", label)
        words = words.replace("where that is worth more", "if better")
        yield PlotRow(words, float(value), float(margin))


def season_rows() -> Iterator[PlotRow]:
    """Yield the strengths of the ten teams of 2008 that were most likely best."""
    path = bootstrap_ratings_file.find_file(2008)
    assert path is not None
    for team in Certainty(bootstrap_ratings_file.read(path)).teams()[:10]:
        label = f"{team.team}, best with {team.best:.0%}"
        yield PlotRow(label, team.strength, Z95 * team.spread, team.team == "PIT")


def plan_rows() -> Iterator[PlotRow]:
    """Yield the share of runs on 1st & 10: the teams with most, the league, those with fewest."""
    shares = {code: habit_shares(plan)[HABIT] for code, plan in load_season("2008").plans.items()}
    ranked = sorted(shares.keys() - {LEAGUE}, key=lambda code: (-shares[code], code))
    for code in [*ranked[:SHOWN_TEAMS], LEAGUE, *ranked[-SHOWN_TEAMS:]]:
        yield PlotRow(code, 100 * shares[code], is_ours=code == LEAGUE)


def main() -> None:
    """Draw all plots."""
    drawings = {
        "forecasts": draw(
            "Forecasts of 496 games in held-out seasons",
            "log loss minus that of EPA-SRS (lower is better), 95 % CI",
            [*forecast_rows()],
            (-0.04, -0.02, 0, 0.02, 0.04, 0.06, 0.08, 0.1),
            "+.2f",
        ),
        "what-ifs": draw(
            "Arizona 2008: single changes of the plan (% are percentage points), 1,000 runs",
            "change in wins, with 95 % confidence interval",
            [*whatif_rows()],
            (-0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8),
            "+.1f",
        ),
        "season-2008": draw(
            "2008: the ten teams most likely to have been best",
            "strength in points per game, 95 % interval; blue: champion",
            [*season_rows()],
            (-4, -2, 0, 2, 4, 6, 8, 10),
            "+d",
        ),
        "plans-2008": draw(
            "Real plans of 2008: runs on 1st & 10, the six highest and six lowest",
            "percent of calls",
            [*plan_rows()],
            (30, 35, 40, 45, 50, 55, 60, 65, 70),
            "d",
        ),
    }
    for name, svg in drawings.items():
        (DOCS / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
