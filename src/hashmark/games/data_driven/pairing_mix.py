"""Equilibrium of hidden calls by regret matching+, for many leads at once.

A block of memory holds, for each lead, the regrets of the nine plays and of the six formations, and
the mean mixes of both. In a sweep the memory of the moment after is a warm start, so a few
iterations suffice. Plain loops over arrays: they run compiled, and plain for a single lead.
"""

from __future__ import annotations

from typing import Any

from hashmark.games.data_driven.tables import FORMATIONS, PLAYS

PLAY_COUNT, FORMATION_COUNT = len(PLAYS), len(FORMATIONS)
PLAY_REGRET, FORMATION_REGRET = 0, PLAY_COUNT
PLAY_MIX = PLAY_COUNT + FORMATION_COUNT
FORMATION_MIX = PLAY_MIX + PLAY_COUNT
MEMORY_ROWS = FORMATION_MIX + FORMATION_COUNT
# Places of the numbers in `rates`: arrays, so that compiled loops stay in single precision.
GAIN, LOSS, KEEP, ZERO, EVEN = range(5)
COLD_ITERATIONS = 240  # from even mixes to an equilibrium close enough for a game


def match_regrets(
    memory: Any, state: int, first: int, legal: Any, rows: int, leads: int, mix: Any, total: Any
) -> None:
    """Set each mix in proportion to the positive regrets, or even if there are none."""
    count = 0
    for row in range(rows):
        count += legal[row]
    for lead in range(leads):
        total[lead] = 0
    for row in range(rows):
        if legal[row]:
            for lead in range(leads):
                total[lead] += memory[state, first + row, lead]
    for row in range(rows):
        for lead in range(leads):
            if legal[row] == 0:
                mix[row, lead] = 0
            elif total[lead] > 0:
                mix[row, lead] = memory[state, first + row, lead] / total[lead]
            else:
                mix[row, lead] = 1 / count


def pay_plays(matrix: Any, legal: Any, mix: Any, leads: int, pay: Any) -> None:
    """Compute what each play is worth against a mix of formations."""
    for play in range(PLAY_COUNT):
        if legal[play]:
            for lead in range(leads):
                pay[play, lead] = 0
            for formation in range(FORMATION_COUNT):
                for lead in range(leads):
                    pay[play, lead] += matrix[play, formation, lead] * mix[formation, lead]


def pay_formations(matrix: Any, legal: Any, mix: Any, leads: int, pay: Any) -> None:
    """Compute what the offense gets against each formation with a mix of plays."""
    for formation in range(FORMATION_COUNT):
        for lead in range(leads):
            pay[formation, lead] = 0
    for play in range(PLAY_COUNT):
        if legal[play]:
            for formation in range(FORMATION_COUNT):
                for lead in range(leads):
                    pay[formation, lead] += matrix[play, formation, lead] * mix[play, lead]


def add_regrets(
    memory: Any,
    state: int,
    first: int,
    legal: Any,
    rows: int,
    leads: int,
    mix: Any,
    pay: Any,
    rates: Any,
    sign: int,
    total: Any,
) -> None:
    """Add what each call would have gained over the mix; negative regrets become 0."""
    direction, keep, zero = rates[sign], rates[KEEP], rates[ZERO]
    for lead in range(leads):
        total[lead] = 0
    for row in range(rows):
        if legal[row]:
            for lead in range(leads):
                total[lead] += mix[row, lead] * pay[row, lead]
    for row in range(rows):
        if legal[row]:
            for lead in range(leads):
                gained = direction * (pay[row, lead] - total[lead])
                regret = keep * memory[state, first + row, lead] + gained
                memory[state, first + row, lead] = max(regret, zero)


def add_to_mean(
    memory: Any, state: int, first: int, rows: int, leads: int, mix: Any, share: float
) -> None:
    """Move the mean mix toward the current one."""
    for row in range(rows):
        for lead in range(leads):
            before = memory[state, first + row, lead]
            memory[state, first + row, lead] = before + share * (mix[row, lead] - before)


def refine_mixes(
    memory: Any,
    state: int,
    matrix: Any,
    leads: int,
    work: Any,
    iterations: int,
    shares: Any,
    rates: Any,
) -> None:
    """Refine the mixes of a state by some iterations; `shares` weights each in the mean."""
    match_regrets(
        memory,
        state,
        FORMATION_REGRET,
        work.all_legal,
        FORMATION_COUNT,
        leads,
        work.column_mix,
        work.total,
    )
    match_regrets(
        memory, state, PLAY_REGRET, work.legal, PLAY_COUNT, leads, work.row_mix, work.total
    )
    for number in range(iterations):
        pay_plays(matrix, work.legal, work.column_mix, leads, work.pay)
        add_regrets(
            memory,
            state,
            PLAY_REGRET,
            work.legal,
            PLAY_COUNT,
            leads,
            work.row_mix,
            work.pay,
            rates,
            GAIN,
            work.total,
        )
        match_regrets(
            memory, state, PLAY_REGRET, work.legal, PLAY_COUNT, leads, work.row_mix, work.total
        )
        pay_formations(matrix, work.legal, work.row_mix, leads, work.pay)
        add_regrets(
            memory,
            state,
            FORMATION_REGRET,
            work.all_legal,
            FORMATION_COUNT,
            leads,
            work.column_mix,
            work.pay,
            rates,
            LOSS,
            work.total,
        )
        match_regrets(
            memory,
            state,
            FORMATION_REGRET,
            work.all_legal,
            FORMATION_COUNT,
            leads,
            work.column_mix,
            work.total,
        )
        add_to_mean(memory, state, PLAY_MIX, PLAY_COUNT, leads, work.row_mix, shares[number])
        add_to_mean(
            memory, state, FORMATION_MIX, FORMATION_COUNT, leads, work.column_mix, shares[number]
        )


def bound_value(
    memory: Any, state: int, matrix: Any, leads: int, work: Any, low: Any, high: Any
) -> None:
    """Bound the value: what the mean mixes guarantee the offense, and what they allow it."""
    for row in range(PLAY_COUNT):
        for lead in range(leads):
            work.row_mix[row, lead] = memory[state, PLAY_MIX + row, lead]
    for row in range(FORMATION_COUNT):
        for lead in range(leads):
            work.column_mix[row, lead] = memory[state, FORMATION_MIX + row, lead]
    pay_formations(matrix, work.legal, work.row_mix, leads, work.pay)
    for lead in range(leads):
        low[lead] = work.pay[0, lead]
    for formation in range(1, FORMATION_COUNT):
        for lead in range(leads):
            low[lead] = min(low[lead], work.pay[formation, lead])
    pay_plays(matrix, work.legal, work.column_mix, leads, work.pay)
    is_first = True
    for play in range(PLAY_COUNT):
        if work.legal[play]:
            for lead in range(leads):
                if is_first or work.pay[play, lead] > high[lead]:
                    high[lead] = work.pay[play, lead]
            is_first = False


FUNCTIONS = (
    match_regrets, pay_plays, pay_formations, add_regrets, add_to_mean, refine_mixes, bound_value,
)  # fmt: skip
