"""What best play looks like: the charts of docs/best-play.md, made from the solved games.

`python tools/best_charts.py` prints them; both games must be solved (`hashmark solve`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hashmark.table import registry
from hashmark.table.rules import RuleSet
from hashmark.values import solution
from hashmark.values.solution import NotSolved
from hashmark.values.solved import Solved

NOWHERE = "·"  # no game comes there
SPOTS = (5, 10, 20, 30, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95)
MOST_TO_GO = 20

Row = tuple[str, Sequence[str]]


def table(corner: str, columns: Iterable[str], rows: Iterable[Row]) -> str:
    """A table of Markdown."""
    heads = [corner, *columns]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' :-: |' * (len(heads) - 1)}"]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    return "\n".join(lines)


def spot_name(spot: int) -> str:
    """A spot as people say it."""
    return "50" if spot == 50 else f"own {spot}" if spot < 50 else f"their {100 - spot}"


class Charts:
    """The best calls of one solved game."""

    def __init__(self, name: str, short: dict[str, str]) -> None:
        """`short` are the letters that stand for calls."""
        self.rules: RuleSet = registry.load(name)
        self.m = self.rules.new_match()
        found = solution.find(self.rules, self.m)
        if found is None:
            raise SystemExit(f"first: hashmark solve {name}")
        self.solved: Solved = found
        self.short = short

    def letter(self, **given: Any) -> str:
        """The best call of a position; in small where no other gives away half a point."""
        lead = given.pop("lead", 0)
        score = {"home": 50 + max(lead, 0), "away": 50 + max(-lead, 0)}
        try:
            g = self.rules.new_position(self.m, {"possession": "home", **given, "score": score})
            judged = self.solved.judge(g)
        except NotSolved:
            return NOWHERE
        name = self.short[self.rules.calls[judged.best]]
        return name if judged.matters else name.lower()

    def fourth_downs(self, situations: Sequence[tuple[str, dict[str, Any]]], phase: str) -> str:
        """By spot and situation, what to call with how many yards to go."""
        rows = [
            (spot_name(spot), [self._runs(spot, phase=phase, **given) for _, given in situations])
            for spot in SPOTS
        ]
        return table("4th down", [name for name, _ in situations], rows)

    def _runs(self, spot: int, **given: Any) -> str:
        """Which calls are best from one yard to go on, with how far each is."""
        most = min(MOST_TO_GO, 100 - spot)
        found = [
            self.letter(spot=spot, to_go=yards, down=4, **given).upper()
            for yards in range(1, most + 1)
        ]
        runs: list[list[Any]] = []
        for yards, letter in enumerate(found, 1):
            if runs and runs[-1][0] == letter:
                runs[-1][1] = yards
            elif letter != NOWHERE:
                runs.append([letter, yards])
        said = [f"{letter} to {last}" for letter, last in runs[:-1]]
        return ", ".join([*said, runs[-1][0]]) if runs else NOWHERE

    def by_lead(
        self, leads: Iterable[int], times: Sequence[tuple[str, dict[str, Any]]], **given: Any
    ) -> str:
        """A chart by lead and time."""
        rows = [
            (_signed(lead), [self.letter(lead=lead, **given, **at) for _, at in times])
            for lead in leads
        ]
        return table("lead", [name for name, _ in times], rows)


def _signed(lead: int) -> str:
    return f"{lead:+d}" if lead else "level"


def fourth_down() -> list[str]:
    """The charts of 4th Down!."""
    short = {"balanced": "B", "run-first": "R", "pass-first": "P", "go-for-it": "G"}
    short |= {"field-goal": "F", "punt": "P", "one-point": "1", "two-point": "2"}
    charts = Charts("fourth-down", short)
    situations: list[tuple[str, dict[str, Any]]] = [
        ("1st half, 100 blocks, level", {"period": 1, "clock": 100}),
        ("2nd half, 60 blocks, 4 behind", {"period": 2, "clock": 60, "lead": -4}),
        ("20 blocks, 4 behind", {"period": 2, "clock": 20, "lead": -4}),
        ("20 blocks, 3 ahead", {"period": 2, "clock": 20, "lead": 3}),
    ]
    made = ["#### Fourth down", charts.fourth_downs(situations, "fourth-down")]
    times = [(str(clock), {"period": 2, "clock": clock}) for clock in (170, 120, 80, 40, 20, 10, 5)]
    made += ["#### The try: lead after the touchdown, blocks left in the second half"]
    made += [charts.by_lead(range(-14, 15), times, phase="try")]
    made += ["#### The style: lead, blocks left in the second half, first down at the own 25"]
    made += [charts.by_lead(range(-10, 11), times, phase="drive", spot=25)]
    return made


def roll_for_yardage() -> list[str]:
    """The charts of Roll For Yardage!."""
    short = {"scrimmage": "S", "field-goal": "F", "punt": "P", "hail-mary": "H"}
    short |= {"extra-point": "1", "two-point": "2", "kickoff": "K", "onside-kick": "O"}
    short |= {"return": "R", "fair-catch": "C"}
    charts = Charts("roll-for-yardage", short)
    situations: list[tuple[str, dict[str, Any]]] = [
        ("Q2, 20 plays, level", {"period": 2, "clock": 20, "second_half_choice": "away"}),
        ("Q4, 15 plays, 7 behind", {"period": 4, "clock": 15, "lead": -7}),
        ("Q4, 15 plays, level", {"period": 4, "clock": 15}),
        ("Q4, 6 plays, 3 behind", {"period": 4, "clock": 6, "lead": -3}),
        ("Q4, 6 plays, 3 ahead", {"period": 4, "clock": 6, "lead": 3}),
    ]
    made = ["#### Fourth down", charts.fourth_downs(situations, "scrimmage")]
    moments = ((3, 29), (3, 15), (4, 29), (4, 15), (4, 8), (4, 4), (4, 2))
    times = [(f"Q{q}, {n}", {"period": q, "clock": n}) for q, n in moments]
    made += ["#### The try: lead after the touchdown, quarter and plays left"]
    made += [charts.by_lead(range(-14, 15), times, phase="try")]
    made += ["#### The kickoff: lead, quarter and plays left"]
    made += [charts.by_lead(range(-16, 9), times, phase="kickoff", spot=35)]
    made += ["#### A kick that comes down: yard line of the receiving team, level"]
    spots = range(1, 41, 4)
    lines = [
        (f"Q{q}, {n}", [charts.letter(phase="return", spot=s, period=q, clock=n) for s in spots])
        for q, n in ((3, 15), (4, 15))
    ]
    made += [table("own yard line", [str(spot) for spot in spots], lines)]
    return made


def main(games: Sequence[Callable[[], list[str]]] = (fourth_down, roll_for_yardage)) -> None:
    """Print the charts of all games, or of some."""
    for game in games:
        print("\n\n".join(game()) + "\n")


if __name__ == "__main__":
    main()
