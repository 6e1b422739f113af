"""Characteristic habits of a plan: shares of calls in well-known situations."""

from __future__ import annotations

from hashmark.games.data_driven.plans.plan import Plan, find_fitting_entry
from hashmark.games.data_driven.plans.text import share_fractions
from hashmark.games.data_driven.tables import RUNS

# Heading: the section, the situation and the calls whose shares are summed.
HABITS: dict[str, tuple[str, dict[str, int], tuple[str, ...]]] = {
    "runs on 1st & 10": ("play", {"down": 1, "to-go": 10, "spot": 30}, RUNS),
    "runs on 2nd & 8": ("play", {"down": 2, "to-go": 8, "spot": 40}, RUNS),
    "runs on 3rd & 2": ("play", {"down": 3, "to-go": 2, "spot": 45}, RUNS),
    "long on 1st & 10": ("play", {"down": 1, "to-go": 10, "spot": 30}, ("long-pass",)),
    "go on 4th & 1 at their 43": ("instead", {"down": 4, "to-go": 1, "spot": 57}, ("play",)),
    "go on 4th & 3 at their 37": ("instead", {"down": 4, "to-go": 3, "spot": 63}, ("play",)),
}
HABIT_HEADINGS = ("run 1&10", "run 2&8", "run 3&2", "long 1&10", "go 4&1", "go 4&3")  # for a table
HABIT_LEGEND = (
    "Shares of runs and long passes by down and distance. go: share of tries on\n"
    "4th & 1 at the opponent's 43 and on 4th & 3 at the opponent's 37."
)
ORDINARY_SITUATION = {"lead": 0, "time": 1500, "period": 1}


def habit_shares(plan: Plan) -> dict[str, float]:
    """Return the share of each habit, by heading."""
    shares_by_heading = {}
    for heading, (section, situation, calls) in HABITS.items():
        entry = find_fitting_entry(plan.section(section), {**ORDINARY_SITUATION, **situation})
        shares = share_fractions(entry) if entry is not None else {}
        shares_by_heading[heading] = sum(shares.get(call, 0.0) for call in calls)
    return shares_by_heading
