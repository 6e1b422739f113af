"""Charts of best play for docs/reference/best-play-charts.md, made from the solved games.

`python tools/best_charts.py` prints them; both games must be solved first (`hashmark solve`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.values import solution
from hashmark.values.solution import NotSolved
from hashmark.values.solved import SolvedGame

UNREACHED = "·"  # a position that no game reaches
SPOTS = (5, 10, 20, 30, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95)
MAX_TO_GO = 20

ChartRow = tuple[str, Sequence[str]]


def format_table(corner: str, columns: Iterable[str], rows: Iterable[ChartRow]) -> str:
    """Return a Markdown table."""
    heads = [corner, *columns]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' :-: |' * (len(heads) - 1)}"]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    return "\n".join(lines)


def spot_name(spot: int) -> str:
    """Return a spot in words, such as "own 20"."""
    return "50" if spot == 50 else f"own {spot}" if spot < 50 else f"their {100 - spot}"


class Charts:
    """The best calls of one solved game."""

    def __init__(self, name: str, short: dict[str, str]) -> None:
        """Load the solution; `short` maps calls to the letters that stand for them."""
        self.rules: RuleSet = registry.load(name)
        self.m = self.rules.new_match()
        solved_game = solution.find(self.rules, self.m)
        if solved_game is None:
            raise SystemExit(f"first: hashmark solve {name}")
        self.solved: SolvedGame = solved_game
        self.short = short

    def letter(self, **position_fields: Any) -> str:
        """Return the letter of the best call in a position.

        It is lower case if every call is within 0.5 percentage points of the best.
        """
        lead = position_fields.pop("lead", 0)
        score = {"home": 50 + max(lead, 0), "away": 50 + max(-lead, 0)}
        try:
            g = self.rules.new_position(
                self.m, {"possession": "home", **position_fields, "score": score}
            )
            judged = self.solved.judge(g)
        except NotSolved:
            return UNREACHED
        name = self.short[self.rules.calls[judged.best]]
        return name if judged.has_meaningful_choice else name.lower()

    def fourth_downs(self, situations: Sequence[tuple[str, dict[str, Any]]], phase: str) -> str:
        """Return a chart by spot and situation: what to call with how many yards to go."""
        rows = [
            (
                spot_name(spot),
                [self._call_ranges(spot, phase=phase, **situation) for _, situation in situations],
            )
            for spot in SPOTS
        ]
        return format_table("4th down", [name for name, _ in situations], rows)

    def _call_ranges(self, spot: int, **situation: Any) -> str:
        """Return the best calls as ranges of yards to go, such as "G to 4, P"."""
        farthest = min(MAX_TO_GO, 100 - spot)
        letters = [
            self.letter(spot=spot, to_go=yards, down=4, **situation).upper()
            for yards in range(1, farthest + 1)
        ]
        runs: list[list[Any]] = []
        for yards, letter in enumerate(letters, 1):
            if runs and runs[-1][0] == letter:
                runs[-1][1] = yards
            elif letter != UNREACHED:
                runs.append([letter, yards])
        ranges = [f"{letter} to {last}" for letter, last in runs[:-1]]
        return ", ".join([*ranges, runs[-1][0]]) if runs else UNREACHED

    def by_lead(
        self,
        leads: Iterable[int],
        times: Sequence[tuple[str, dict[str, Any]]],
        **position_fields: Any,
    ) -> str:
        """Return a chart by lead and time."""
        rows = [
            (
                _lead_label(lead),
                [self.letter(lead=lead, **position_fields, **when) for _, when in times],
            )
            for lead in leads
        ]
        return format_table("lead", [name for name, _ in times], rows)


def _lead_label(lead: int) -> str:
    return f"{lead:+d}" if lead else "level"


def fourth_down() -> list[str]:
    """Return the charts of 4th Down!."""
    short = {"balanced": "B", "run-first": "R", "pass-first": "P", "go-for-it": "G"}
    short |= {"field-goal": "F", "punt": "P", "one-point": "1", "two-point": "2"}
    charts = Charts("fourth-down", short)
    situations: list[tuple[str, dict[str, Any]]] = [
        ("1st half, 100 blocks, level", {"period": 1, "clock": 100}),
        ("2nd half, 60 blocks, 4 behind", {"period": 2, "clock": 60, "lead": -4}),
        ("20 blocks, 4 behind", {"period": 2, "clock": 20, "lead": -4}),
        ("20 blocks, 3 ahead", {"period": 2, "clock": 20, "lead": 3}),
    ]
    sections = ["#### Fourth down", charts.fourth_downs(situations, "fourth-down")]
    times = [(str(clock), {"period": 2, "clock": clock}) for clock in (170, 120, 80, 40, 20, 10, 5)]
    sections += ["#### The try: lead after the touchdown, blocks left in the second half"]
    sections += [charts.by_lead(range(-14, 15), times, phase="try")]
    sections += ["#### The style: lead, blocks left in the second half, first down at the own 25"]
    sections += [charts.by_lead(range(-10, 11), times, phase="drive", spot=25)]
    return sections


def roll_for_yardage() -> list[str]:
    """Return the charts of Roll For Yardage!."""
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
    sections = ["#### Fourth down", charts.fourth_downs(situations, "scrimmage")]
    moments = ((3, 29), (3, 15), (4, 29), (4, 15), (4, 8), (4, 4), (4, 2))
    times = [(f"Q{q}, {n}", {"period": q, "clock": n}) for q, n in moments]
    sections += ["#### The try: lead after the touchdown, quarter and plays left"]
    sections += [charts.by_lead(range(-14, 15), times, phase="try")]
    sections += ["#### The kickoff: lead, quarter and plays left"]
    sections += [charts.by_lead(range(-16, 9), times, phase="kickoff", spot=35)]
    sections += ["#### A kick that comes down: yard line of the receiving team, level"]
    spots = range(1, 41, 4)
    lines = [
        (f"Q{q}, {n}", [charts.letter(phase="return", spot=s, period=q, clock=n) for s in spots])
        for q, n in ((3, 15), (4, 15))
    ]
    sections += [format_table("own yard line", [str(spot) for spot in spots], lines)]
    return sections


def main(games: Sequence[Callable[[], list[str]]] = (fourth_down, roll_for_yardage)) -> None:
    """Print the charts of all or some games."""
    for game in games:
        print("\n\n".join(game()) + "\n")


if __name__ == "__main__":
    main()
