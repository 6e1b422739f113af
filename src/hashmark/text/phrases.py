"""Small phrases about the field and the clock that every game needs."""

from __future__ import annotations

from hashmark.engine.team_names import TeamNames


def yard_line(team: int, spot: int, names: TeamNames) -> str:
    """Describe a spot of the team with the ball: "the home 30", "midfield"."""
    if spot == 50:
        return "midfield"
    if spot < 50:
        return f"the {names[team]} {spot}"
    return f"the {names[1 - team]} {100 - spot}"


def yards_text(n: int) -> str:
    """Return a number of yards with its noun."""
    return "1 yard" if n == 1 else f"{n} yards"


def ordinal(n: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


FIRST_ORDINALS = tuple(ordinal(n) for n in range(1, 5))  # of downs and quarters


def clock_text(seconds: int) -> str:
    """Return a time as on a clock: "14:05"."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def capitalize(sentence: str) -> str:
    """Capitalize the first letter of a sentence."""
    return sentence[:1].upper() + sentence[1:]
