"""One self-contained HTML page with SVG charts: the frame and the pieces that reports share.

    page("Season 2008", "10,000 seasons", [Section("Title chances", bars(...))])

Nothing is loaded from outside. Light and dark follow the reader's setting, charts have a title
and a description, and everything that a chart shows can also be read in a table or its tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count

STYLE = """
:root { color-scheme: light dark; --ground: #faf9f5; --card: #ffffff; --ink: #1d2127;
  --soft: #626a73; --line: #dedcd4; --main: #1f6f4a; --pale: #cfe3d6; --mark: #c2571a; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --card: #1c2024;
  --ink: #e8e6e0; --soft: #a0a7ae; --line: #343a40; --main: #5cb88a; --pale: #24493a;
  --mark: #f0955a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; margin: 0 0 .5rem; }
h3 { font-size: .95rem; font-weight: 600; color: var(--soft); margin: .4rem 0 .4rem; }
p { margin: .3rem 0 .8rem; max-width: 46rem; }
.lead { font-size: 1.1rem; }
.answer { border-left: 4px solid var(--main); padding: .2rem 0 .2rem 1rem; font-size: 1.15rem; }
.note, figcaption, footer { color: var(--soft); font-size: .9rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.1rem 1.2rem; margin: 1.2rem 0; }
.grid { display: grid; gap: 1rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.small { display: grid; gap: .8rem 1.2rem;
  grid-template-columns: repeat(auto-fill, minmax(min(45%, 12rem), 1fr)); }
figure { margin: 0; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .axis { stroke: var(--line); fill: none; }
svg .bar { fill: var(--main); }
svg .pale { fill: var(--pale); }
svg .span { stroke: var(--ink); stroke-width: 1.5; fill: none; }
svg .mark { stroke: var(--mark); stroke-width: 2; fill: none; }
svg .dot { fill: var(--main); fill-opacity: .8; }
svg .here { fill: var(--mark); }
svg .name { font-size: 9px; fill: var(--soft); }
svg.wide { max-width: 34rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
caption span { display: block; max-width: min(46rem, 80vw); }
th, td { padding: .28rem .5rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--soft); vertical-align: bottom; white-space: normal;
  line-height: 1.25; }
tbody tr:hover td, tbody tr:hover th { background: var(--pale); }
.left { text-align: left; }
tbody th { text-align: left; position: sticky; left: 0; background: var(--card); }
@media print { section { break-inside: avoid; } }
"""

_numbers = count(1)
Box = tuple[float, float, float, float]
Placer = Callable[[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Section:
    """A card of the page: its heading, what it holds (HTML) and a sentence about it."""

    title: str
    body: str
    text: str = ""


@dataclass(frozen=True)
class Bar:
    """One row of a bar chart."""

    label: str
    value: float
    text: str  # what is written beside it
    span: tuple[float, float] | None = None  # an interval
    mark: float | None = None  # a second value, such as the real one
    here: bool = False  # the one that the page is about


@dataclass(frozen=True)
class Dot:
    """One point of a scatter plot."""

    x: float
    y: float
    label: str = ""
    span: tuple[float, float] | None = None  # an interval of y
    here: bool = False  # the one that the page is about


# --- The frame --------------------------------------------------------------------------


def page(
    title: str, lead: str, sections: Iterable[Section], answer: str = "", foot: str = ""
) -> str:
    """The whole document; `lead`, `answer` and the texts of sections are plain text."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style></head><body><main>",
        f'<header><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p>',
        f'<p class="answer">{escape(answer)}</p>' if answer else "",
        "</header>",
    ]
    for section in sections:
        text = f"<p>{escape(section.text)}</p>" if section.text else ""
        parts.append(f"<section><h2>{escape(section.title)}</h2>{text}{section.body}</section>")
    parts.append(f"<footer><p>{escape(foot)}</p></footer>" if foot else "")
    parts.append("</main></body></html>\n")
    return "\n".join(part for part in parts if part)


def side_by_side(*pieces: str) -> str:
    """Pieces next to each other where there is room, else one below the other."""
    return f'<div class="grid">{"".join(pieces)}</div>'


def headed(heading: str, piece: str) -> str:
    """A piece with a small heading of its own."""
    return f"<div><h3>{escape(heading)}</h3>{piece}</div>"


def small_multiples(pieces: Iterable[str]) -> str:
    """Many small charts."""
    return f'<div class="small">{"".join(pieces)}</div>'


def paragraph(text: str) -> str:
    """A plain paragraph."""
    return f"<p>{escape(text)}</p>"


def table(
    caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1
) -> str:
    """A table; the first cell of a row is its heading, the first columns are flush left."""
    head = "".join(
        f'<th scope="col"{_side(at, left)}>{escape(text)}</th>' for at, text in enumerate(headings)
    )
    lines = []
    for row in rows:
        first, *others = row
        cells = "".join(
            f"<td{_side(at, left)}>{escape(text)}</td>" for at, text in enumerate(others, 1)
        )
        lines.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    return (
        f'<div class="scroll"><table><caption><span>{escape(caption)}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _side(at: int, left: int) -> str:
    return ' class="left"' if at < left else ""


# --- Charts -------------------------------------------------------------------------------


def figure(title: str, description: str, size: tuple[float, float], inside: str, css: str) -> str:
    """An SVG drawing with its title and description."""
    name = f"chart-{next(_numbers)}"
    width, height = size
    return (
        f'<figure><svg class="{css}" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(description)}</desc>{inside}</svg></figure>'
    )


def bars(title: str, description: str, rows: Sequence[Bar], most: float | None = None) -> str:
    """Horizontal bars with a label before and a figure behind; `most` is the end of the scale."""
    left = 12 + 8 * max((len(row.label) for row in rows), default=0)
    right, step = 14 + 7 * max((len(row.text) for row in rows), default=0), 20
    spans = [row.span[1] for row in rows if row.span]
    marks = [row.mark for row in rows if row.mark is not None]
    top = most or max([row.value for row in rows] + spans + marks, default=1.0) or 1.0
    width = 420
    scale = (width - left - right) / top
    drawn = []
    for at, row in enumerate(rows):
        y = at * step + 4
        colour = "pale" if row.span else "here" if row.here else "bar"
        drawn.append(f'<text x="{left - 6}" y="{y + 12}" text-anchor="end">{escape(row.label)}')
        drawn.append(f'</text><rect class="{colour}" x="{left}" y="{y + 2}" rx="2" height="13"')
        drawn.append(f' width="{max(row.value * scale, 0.5):.1f}"/>')
        end = max([row.value, *(row.span or ()), *([] if row.mark is None else [row.mark])])
        if row.span:
            drawn.append(_whisker(left + row.span[0] * scale, left + row.span[1] * scale, y + 8.5))
        if row.mark is not None:
            x = left + row.mark * scale
            drawn.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{y}" y2="{y + 17}"/>')
        x = left + end * scale + 6
        drawn.append(f'<text class="soft" x="{x:.1f}" y="{y + 12}">{escape(row.text)}</text>')
    return figure(title, description, (width, len(rows) * step + 8), "".join(drawn), "wide")


def _whisker(low: float, high: float, y: float) -> str:
    return (
        f'<path class="span" d="M{low:.1f} {y}H{high:.1f}'
        f'M{low:.1f} {y - 3}v6M{high:.1f} {y - 3}v6"/>'
    )


def histogram(
    title: str,
    description: str,
    shares: Sequence[float],
    first: int = 0,
    mark: float | None = None,
    highest: float | None = None,
    head: str = "",
) -> str:
    """Shares of whole numbers from `first` on; `mark` is a value to point at."""
    width, height, top, bottom = 200.0, 104.0, 20.0, 16.0
    step = (width - 8) / max(1, len(shares))
    tallest = highest or max(shares, default=1.0) or 1.0
    drawn = [f'<text x="4" y="13">{escape(head)}</text>']
    for at, share in enumerate(shares):
        tall = (height - top - bottom) * share / tallest
        x, y = 4 + at * step, height - bottom - tall
        drawn.append(
            f'<rect class="bar" x="{x + 0.5:.2f}" y="{y:.2f}" width="{step - 1:.2f}" '
            f'height="{tall:.2f}"><title>{first + at}: {share:.1%}</title></rect>'
        )
    drawn.append(f'<path class="axis" d="M4 {height - bottom}H{width - 4}"/>')
    for at in _few(range(len(shares))):
        x = 4 + (at + 0.5) * step
        drawn.append(
            f'<text class="name" x="{x:.1f}" y="{height - 5}" text-anchor="middle">{first + at}'
            "</text>"
        )
    if mark is not None:
        x = 4 + (mark - first + 0.5) * step
        drawn.append(
            f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{top - 2}" y2="{height - bottom}"/>'
        )
    return figure(title, description, (width, height), "".join(drawn), "")


def _few(places: range) -> list[int]:
    """A handful of evenly spaced places for the numbers under an axis."""
    gap = max(1, math.ceil(len(places) / 6))
    return [at for at in places if at % gap == 0]


def scatter(
    title: str,
    description: str,
    dots: Sequence[Dot],
    across: str,
    up: str,
    diagonal: bool = False,
) -> str:
    """Points in a plane with rounded axes; with `diagonal` both axes share a scale."""
    width, height, left, bottom, top, right = 420.0, 360.0, 44.0, 38.0, 10.0, 14.0
    xs = [dot.x for dot in dots]
    ys = [dot.y for dot in dots] + [end for dot in dots for end in dot.span or ()]
    if diagonal:
        xs = ys = [*xs, *ys]
    x_ticks, y_ticks = (
        ticks(min(xs, default=0), max(xs, default=1)),
        ticks(min(ys, default=0), max(ys, default=1)),
    )

    def place(x: float, y: float) -> tuple[float, float]:
        along = (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        over = (y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return (
            left + along * (width - left - right),
            height - bottom - over * (height - bottom - top),
        )

    drawn = [_axes(x_ticks, y_ticks, place)]
    if diagonal:
        (x0, y0), (x1, y1) = place(x_ticks[0], x_ticks[0]), place(x_ticks[-1], x_ticks[-1])
        drawn.append(f'<path class="axis" d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"/>')
    spots = [place(dot.x, dot.y) for dot in dots]
    for dot, spot, label in zip(dots, spots, _labels(dots, spots, width), strict=True):
        drawn.append(_dot(dot, spot, [place(dot.x, y)[1] for y in dot.span or ()]) + label)
    middle = (left + width - right) / 2
    drawn.append(
        f'<text class="soft" x="{middle}" y="{height - 4}" text-anchor="middle">{escape(across)}'
        f'</text><text class="soft" transform="translate(11 {(height - bottom) / 2}) rotate(-90)" '
        f'text-anchor="middle">{escape(up)}</text>'
    )
    return figure(title, description, (width, height), "".join(drawn), "wide")


def _axes(x_ticks: Sequence[float], y_ticks: Sequence[float], place: Placer) -> str:
    drawn = []
    for x in x_ticks:
        at, low = place(x, y_ticks[0])
        _, high = place(x, y_ticks[-1])
        drawn.append(
            f'<path class="axis" d="M{at:.1f} {low:.1f}V{high:.1f}"/>'
            f'<text class="name" x="{at:.1f}" y="{low + 13:.1f}" text-anchor="middle">{x:g}</text>'
        )
    for y in y_ticks:
        start, at = place(x_ticks[0], y)
        end, _ = place(x_ticks[-1], y)
        drawn.append(
            f'<path class="axis" d="M{start:.1f} {at:.1f}H{end:.1f}"/>'
            f'<text class="name" x="{start - 5:.1f}" y="{at + 3:.1f}" text-anchor="end">{y:g}'
            "</text>"
        )
    return "".join(drawn)


def _dot(dot: Dot, at: tuple[float, float], span: Sequence[float]) -> str:
    x, y = at
    colour = "here" if dot.here else "dot"
    said = f"{dot.label}: {dot.x:g}, {dot.y:g}" if dot.label else f"{dot.x:g}, {dot.y:g}"
    whisker = f'<path class="span" d="M{x:.1f} {span[0]:.1f}V{span[1]:.1f}"/>' if span else ""
    return (
        f'{whisker}<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="4">'
        f"<title>{escape(said)}</title></circle>"
    )


def _labels(dots: Sequence[Dot], spots: Sequence[tuple[float, float]], width: float) -> list[str]:
    """A name beside each dot, on a side where it hides nothing; none where there is no room."""
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in spots]
    drawn = []
    for dot, (x, y) in zip(dots, spots, strict=True):
        long = 6.0 * len(dot.label)
        corners = [
            (x + 6, y - 4),
            (x - 6 - long, y - 4),
            (x - long / 2, y - 14),
            (x - long / 2, y + 6),
            (x + 4, y - 13),
            (x - 4 - long, y - 13),
            (x + 4, y + 5),
            (x - 4 - long, y + 5),
        ]
        free = [
            (left, top)
            for left, top in corners
            if left + long <= width
            and not any(_meet((left, top, left + long, top + 8), other) for other in taken)
        ]
        if not dot.label or not free:
            drawn.append("")
            continue
        left, top = free[0]
        taken.append((left, top, left + long, top + 8))
        spot = f'x="{left:.1f}" y="{top + 7:.1f}"'
        drawn.append(f'<text class="name" {spot}>{escape(dot.label)}</text>')
    return drawn


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes (left, top, right, bottom) overlap."""
    apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    return not apart


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Round numbers that span a range."""
    if high <= low:
        low, high = low - 1, high + 1
    rough = (high - low) / wanted
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 2.5, 5, 10) if power * n >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(at * step, 10) for at in range(first, last + 1)]
