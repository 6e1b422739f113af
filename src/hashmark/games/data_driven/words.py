"""How Data-Driven Football speaks."""

from __future__ import annotations

from hashmark.games.data_driven.position import Match, Position
from hashmark.table.rules import Words


def clock(m: Match, g: Position) -> str:
    return f"Q{g.period} {g.clock // 60}:{g.clock % 60:02d}"


WORDS = Words(
    clock=clock,
    situation=lambda m, g: "",
    sentence=lambda told: f"{told}",
    to_gain=lambda m, g: None,
    tables=list,
    calls={},
)
