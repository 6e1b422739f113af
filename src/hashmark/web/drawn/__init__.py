"""What is drawn on the pages: the field, dice, a game's own paper, a picture for the lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from hashmark.table.game import Game
from hashmark.table.names import SHORT_NAMES
from hashmark.table.record import AWAY, HOME
from hashmark.table.rules import RuleSet
from hashmark.table.secrets import WATCHER
from hashmark.web.drawn.drive import path_of

__all__ = ["CSS", "dice", "field", "paper", "path_of", "picture", "sentences", "worn"]

CSS = Path(__file__).parent / "drawn.css"
BOX = '<svg class="drawn-field" viewBox="0 0 1200 420" role="img" aria-label="{}">'


def field(
    rules: RuleSet, match: Any, position: Any, path: Sequence[int] = (), viewer: int = WATCHER
) -> Markup:
    """The field with the ball and the line to gain."""
    g = rules.view(match, position, viewer)
    ball = g.possession in (HOME, AWAY) and 0 < g.spot < 100
    to_gain = rules.words.to_gain(match, g) if ball else None
    lines = [
        f'<path class="yard-line" d="M{100 + yard * 10} 0V420"/>'
        f'<text class="yard-number" x="{100 + yard * 10}" y="60">'
        f"{min(yard, 100 - yard) or 'G'}</text>"
        for yard in range(0, 101, 10)
    ]
    if to_gain is not None and 0 < to_gain < 100:
        lines.append(f'<path class="to-gain" d="M{_x(g.possession, to_gain)} 0V420"/>')
    spots = [f"{_x(g.possession, spot)},{210 - 20 * (at % 2)}" for at, spot in enumerate(path)]
    if ball and len(spots) > 1:
        lines.append(f'<polyline class="drive" points="{" ".join(spots)}"/>')
    if ball:
        x = _x(g.possession, g.spot)
        ahead = 1 if g.possession == HOME else -1
        lines.append(f'<ellipse class="ball" cx="{x}" cy="210" rx="16" ry="10"/>')
        lines.append(
            f'<path class="way" d="M{x + 26 * ahead} 198l{18 * ahead} 12l{-18 * ahead} 12z"/>'
        )
    words = escape(rules.words.situation(match, g))
    names = "".join(
        f'<text class="zone-name" transform="rotate({turn} {x} 210)" x="{x}" y="220">'
        f"{escape(name)}</text>"
        for name, x, turn in ((SHORT_NAMES[0], 50, -90), (SHORT_NAMES[1], 1150, 90))
    )
    return Markup(
        BOX.format(words)
        + '<rect class="grass" width="1200" height="420"/><rect class="zone home" width="100" '
        'height="420"/><rect class="zone away" x="1100" width="100" height="420"/>'
        + "".join(lines)
        + names
        + "</svg>"
    )


def _x(team: int, spot: int) -> int:
    return 100 + 10 * int(spot if team == HOME else 100 - spot)


def dice(rolls: Sequence[Mapping[str, Any]]) -> Markup:
    """The dice of a turn as they fell."""
    made = []
    for roll in rolls:
        shown = "".join(
            f'<span class="die {escape(one["team"])}"><b>{int(one["face"])}</b>'
            f"<small>{escape(one['die'])}</small></span>"
            for one in roll["dice"]
        )
        reads = f" = {escape(roll['reads'])}" if roll.get("reads") else ""
        made.append(
            f'<figure class="roll"><figcaption>{escape(roll["for"])}{reads}</figcaption>'
            f'<div class="dice">{shown}</div></figure>'
        )
    return Markup("".join(made))


def paper(game: Game, viewer: int) -> Markup | str:
    """The game's own paper, if it has one."""
    return ""


def picture(rules: RuleSet) -> Markup:
    """A picture of a game for the lobby."""
    return Markup(
        '<svg class="drawn-picture" viewBox="0 0 320 120" role="img" aria-label="{}">'
        '<rect class="grass" width="320" height="120"/><path class="yard-line" '
        'd="M40 0V120M80 0V120M120 0V120M160 0V120M200 0V120M240 0V120M280 0V120"/>'
        '<ellipse class="ball" cx="160" cy="60" rx="34" ry="20"/></svg>'
    ).format(rules.title)


def sentences(rules: RuleSet) -> tuple[str, ...]:
    """What a game is."""
    return (rules.summary,)


def worn(rules: RuleSet, options: Mapping[str, Any] | None = None) -> str:
    """The classes that give a match its colours."""
    return ""
