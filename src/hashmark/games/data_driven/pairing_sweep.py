"""One step of the backward induction of the pairing model: all situations at one moment."""

from __future__ import annotations

from typing import Any

from hashmark.games.data_driven.pairing_mix import bound_value, refine_mixes
from hashmark.games.data_driven.pairing_plays import (
    Pairing,
    Values,
    Work,
    fill_matrix,
    read_field_goal,
    read_kneel,
    read_punt,
    set_legal,
)

WORST_GAP, SUM_OF_GAPS, SOLVED = range(3)  # in `gaps`


def keep_better(w: Work, leads: int) -> None:
    """Keep the better of the value so far and the call in the first row of `other`."""
    for lead in range(leads):
        w.low[lead] = max(w.low[lead], w.other[0, lead])


def solve_state(
    v: Values,
    s: Pairing,
    when: Any,
    memory: Any,
    state: int,
    team: int,
    spot: int,
    down: int,
    to_go: int,
    first: int,
    leads: int,
    iterations: int,
    shares: Any,
    rates: Any,
    w: Work,
    gaps: Any,
) -> None:
    """Solve one situation for all leads; its values end in `w.low`."""
    set_legal(spot, w)
    fill_matrix(v, s, when, team, spot, down, to_go, first, leads, w)
    refine_mixes(memory, state, w.matrix, leads, w, iterations, shares, rates)
    bound_value(memory, state, w.matrix, leads, w, w.low, w.high)
    half = s.scale[3]
    for lead in range(leads):
        gap = w.high[lead] - w.low[lead]
        gaps[WORST_GAP] = max(gaps[WORST_GAP], gap)
        gaps[SUM_OF_GAPS] += gap
        w.low[lead] += half * gap
    gaps[SOLVED] += leads
    read_punt(v, s, when, team, spot, first, leads, w)
    keep_better(w, leads)
    read_field_goal(v, s, when, team, spot, first, leads, w)
    keep_better(w, leads)
    read_kneel(w, leads)
    keep_better(w, leads)


def sweep(
    v: Values,
    s: Pairing,
    when: Any,
    n: int,
    memory: Any,
    spots: Any,
    situations: Any,
    team: int,
    begin: int,
    end: int,
    first: int,
    leads: int,
    iterations: int,
    shares: Any,
    rates: Any,
    w: Work,
    gaps: Any,
) -> None:
    """Solve the situations of a team at some spots, and write home's chances to table `n`."""
    one = s.scale[1]
    for place in range(begin, end):
        for number in range(len(situations)):
            spot, down = spots[place], situations[number, 0]
            to_go = min(situations[number, 1], 100 - spot)
            state = (team * len(situations) + number) * len(spots) + place
            solve_state(
                v,
                s,
                when,
                memory,
                state,
                team,
                spot,
                down,
                to_go,
                first,
                leads,
                iterations,
                shares,
                rates,
                w,
                gaps,
            )
            for lead in range(leads):
                worth = w.low[lead]
                v.chances[n, team, number, place, first + lead] = (
                    one - worth if team == 1 else worth
                )


FUNCTIONS = (keep_better, solve_state)
