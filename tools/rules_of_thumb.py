"""Rules of thumb that a person can remember, and their cost against best play.

`python tools/rules_of_thumb.py [GAMES]` plays each rule, and `book`, against the coach `best`; both
games must be solved. The cost is the shortfall from winning half the games, with ties as half wins.
"""

from __future__ import annotations

import sys

from hashmark.engine.rule import rule
from hashmark.games.fourth_down import position as f
from hashmark.games.fourth_down.coaches import lead as lead_of
from hashmark.games.roll_for_yardage import position as y
from hashmark.games.roll_for_yardage.coaches import lead as lead_in
from hashmark.games.roll_for_yardage.plays import may_decline
from hashmark.sim.run import CoachSpec, simulate

GAMES = 1_000_000


@rule
def fourth_down(m: f.Match, g: f.Position) -> int:
    """4th Down!: balanced, go with six or less, seven points a touchdown."""
    lead = lead_of(g)
    last = g.period == 2 and g.clock <= 40
    if g.phase == f.DRIVE:
        return f.RUN_FIRST if last and lead > 0 else f.BALANCED
    if g.phase == f.TRY:
        if g.period == 2 and (lead == -5 or lead == -2 or lead == 5):
            return f.TWO_POINT
        return f.ONE_POINT
    if g.phase == f.UNTIMED_DOWN:
        if g.period == 2 and lead > 0:
            return f.END_HALF
        if 100 - g.spot <= 40 and not (g.period == 2 and lead < -3):
            return f.FIELD_GOAL
        return f.GO_FOR_IT
    if (last and lead < 0) or g.to_go <= 6 or (45 <= g.spot <= 60 and g.to_go <= 10):
        return f.GO_FOR_IT
    return f.FIELD_GOAL if g.spot > 60 else f.PUNT


@rule
def roll_for_yardage(m: y.Match, g: y.Position) -> int:
    """Roll For Yardage!: return everything, go with five or less, kick from the 30."""
    lead = lead_in(m, g)
    last = g.period == 4 and g.clock <= 10
    if g.phase == y.CHOICE:
        return y.RECEIVE
    if g.phase == y.KICKOFF:
        return y.KICK_OFF
    if g.phase == y.SAFETY_KICK:
        return y.KICK_AFTER_SAFETY
    if g.phase == y.RETURN:
        return y.RETURN_KICK
    if g.phase == y.PENALTY:
        return y.DECLINE if may_decline(m, g) else y.ACCEPT
    if g.phase == y.TRY:
        if g.period == 4 and (lead == -5 or lead == -2 or lead == 5):
            return y.TWO_POINT
        return y.EXTRA_POINT
    if g.down < 4 or g.to_go <= 5:
        return y.RUN_PLAY
    if last and lead < -3:
        return y.RUN_PLAY
    if g.spot >= 65:
        return y.FIELD_GOAL
    if g.spot >= 50 or (last and lead < 0):
        return y.RUN_PLAY
    return y.PUNT


def describe_cost(name: str, coach: CoachSpec, games: int) -> str:
    """Describe how often a coach wins against best play, over both sides of the field."""
    home = simulate(name, games, home=coach, away="best", seed=1)
    away = simulate(name, games, home="best", away=coach, seed=2)
    won = home.totals.wins[0] + away.totals.wins[1]
    tied = home.totals.ties + away.totals.ties
    share = (won + tied / 2) / (2 * games)
    error = 0.5 / (2 * games) ** 0.5
    return f"wins {share:.2%} of its games against best play (± {error:.2%})"


def main() -> None:
    """Play all rules of thumb and the book."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for name, rule_of_thumb in (
        ("fourth-down", fourth_down),
        ("roll-for-yardage", roll_for_yardage),
    ):
        for title, coach in (("book", "book"), ("the rule of thumb", rule_of_thumb)):
            print(f"{name}: {title} {describe_cost(name, coach, games)}", flush=True)


if __name__ == "__main__":
    main()
