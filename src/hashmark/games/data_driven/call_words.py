"""Descriptions of the calls in football terms, and of what each team has left to call with."""

from __future__ import annotations

from hashmark.engine.team_names import TeamNames
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS

PLAY_TEXTS = {
    "line-plunge": "run straight into the middle: short and safe",
    "off-tackle": "run just outside the tackle",
    "end-run": "run round the end: longer, or a loss",
    "draw": "fake a pass, run: against a rush",
    "screen": "throw behind the rush, blockers in front",
    "short-pass": "a quick throw, often complete",
    "medium-pass": "ten to twenty yards downfield",
    "long-pass": "deep: seldom complete, often far",
    "sideline-pass": "to the edge, where the clock stops",
}
FORMATION_TEXTS = {
    "standard": "4-3 or 3-4: sound against everything",
    "jam-middle": "the middle filled: against plunge, off-tackle, draw",
    "rush-wide": "ends rush wide: against end run, screen, sideline",
    "nickel": "five backs: against short, medium, sideline passes",
    "dime": "six backs, deep: against medium and long passes",
    "blitz": "linebackers rush the passer: sack or big gain",
}
CALL_TEXTS = {
    **PLAY_TEXTS,
    **FORMATION_TEXTS,
    "punt": "kick the ball away downfield",
    "field-goal": "three points if the kick reaches",
    "kneel": "lose a yard, let the clock run",
    "safety": "give two points and a free kick",
    "pooch-5": "a punt 5 yards shorter; any other number too",
    "pooch-10": "a punt 10 yards shorter, not returned",
    "pooch-15": "a punt 15 yards shorter, not returned",
    "receive": "take the kickoff",
    "kick": "kick off",
    "kickoff": "kick deep",
    "squib": "50 yards, a short return",
    "onside": "12 yards, recovered on 13 to 20",
    "return": "run it back",
    "touchback": "the ball comes out, nobody runs",
    "let-it-roll": "the ball rolls up to 10 yards",
    "fall-on-it": "no risk, no yards",
    "rekick": "the play again, after the penalty",
    "keep": "the play stands",
    "tack-on": "the yards at the end of the return",
    "accept": "the penalty instead of the play",
    "decline": "the play stands",
    "extra-point": "one point by a kick",
    "two-point": "one play for two points",
    "stand": "no audible",
    "audible": "call again, for an audible",
    "audible-timeout": "call again, for a time out",
    "let-it-run": "the clock runs",
    "timeout": "the play took 10 seconds",
    "hurry-up": "the play took 20 seconds, one off the quota",
    "spike": "the play took 10 seconds, a down is lost",
}


def explain_call(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Describe what a call means here: where it brings the ball, or how many are left."""
    if call == p.TOUCHBACK:
        return f"the ball on the {m.kick_touchback_spot}"
    left = _left(m, g, call)
    if left is None:
        return ""
    return f"{CALL_TEXTS[p.CALLS[call]]} ({left} left)"


def _left(m: Match, g: Position, call: int) -> int | None:
    """Return how often a call may still be made, or None if it is not limited."""
    if call < len(PLAYS):
        uses = g.usage[g.possession][call] if m.max_usage and g.possession >= 0 else p.NO_LIMIT
        return None if uses == p.NO_LIMIT else uses
    if call == p.HURRY_UP:
        return g.hurry_up[g.possession]
    on_offense = g.asks in (p.ASK_OFFENSE_AUDIBLE, p.ASK_OFFENSE_TIMEOUT)
    team = g.possession if on_offense else 1 - g.possession
    if call == p.AUDIBLE:
        return g.audibles[team][p.OFFENSE if on_offense else p.DEFENSE]
    return g.timeouts[team] if call in (p.TIMEOUT, p.AUDIBLE_TIMEOUT) else None


def status_lines(m: Match, g: Position, names: TeamNames) -> list[str]:
    """Return what is on the table: open calls, and what each team has left."""
    if g.phase in (p.COIN_TOSS, p.OVER):
        return []
    left = [f"time outs {_both(g.timeouts)}", f"hurry-ups {_both(g.hurry_up)}"]
    if m.audibles != p.AUDIBLES_OFF:
        offense, defense = ([row[side] for row in g.audibles] for side in range(2))
        left.append(f"audibles {_both(offense)} on offence, {_both(defense)} on defence")
    return [*_open_calls(g, names), f"Left: {', '.join(left)}"]


def _both(counts: list[int]) -> str:
    """Return both teams' counts, home first as on the scoreboard."""
    return "-".join(map(str, counts))


def _open_calls(g: Position, names: TeamNames) -> list[str]:
    """Return the calls visible to the viewer, while they can still be changed."""
    if g.asks not in (p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE, p.ASK_PLAY, p.ASK_FORMATION):
        return []
    sentences = []
    if 0 <= g.play < len(PLAYS):
        sentences.append(f"{names[g.possession]} has called {PLAYS[g.play]}.")
    if g.formation >= 0:
        sentences.append(f"{names[1 - g.possession]} has called {FORMATIONS[g.formation]}.")
    return [" ".join(sentences)] if sentences else []
