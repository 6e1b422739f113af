"""Descriptions of the calls in football terms, and of what each team has left to call with."""

from __future__ import annotations

from hashmark.engine.team_names import TeamNames
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.text.phrases import team_sentence

PLAY_TEXTS = {
    "line-plunge": "run straight up the middle: short and safe",
    "off-tackle": "run just outside the tackle",
    "end-run": "run around the end: a longer gain, or a loss",
    "draw": "fake a pass, then run: beats a pass rush",
    "screen": "throw over the rush with blockers in front",
    "short-pass": "a quick throw, usually complete",
    "medium-pass": "ten to twenty yards downfield",
    "long-pass": "go deep: often incomplete, sometimes a long gain",
    "sideline-pass": "throw to the sideline, where the clock can stop",
}
FORMATION_TEXTS = {
    "standard": "4-3 or 3-4: sound against any call",
    "jam-middle": "stack the middle: stops plunge, off-tackle, draw",
    "rush-wide": "ends rush wide: stops end run, screen, sideline",
    "nickel": "five backs: stops short, medium, sideline passes",
    "dime": "six backs, deep: stops medium and long passes",
    "blitz": "send the linebackers: a sack or a big gain",
}
CALL_TEXTS = {
    **PLAY_TEXTS,
    **FORMATION_TEXTS,
    "punt": "kick the ball downfield",
    "field-goal": "three points if the kick is long enough",
    "kneel": "lose a yard and run the clock",
    "safety": "give up two points, then take a free kick",
    "pooch-5": "a punt 5 yards shorter; other distances work too",
    "pooch-10": "a punt 10 yards shorter, with no return",
    "pooch-15": "a punt 15 yards shorter, with no return",
    "receive": "take the kickoff",
    "kick": "kick off",
    "kickoff": "kick deep",
    "squib": "a 50-yard kick with a short return",
    "onside": "a 12-yard kick, recovered on a roll of 13 to 20",
    "return": "run it back",
    "touchback": "take the ball upfield without a return",
    "let-it-roll": "let the ball roll up to 10 yards either way",
    "fall-on-it": "no risk, no return",
    "rekick": "kick again after the penalty",
    "keep": "let the play stand",
    "tack-on": "add the yards to the end of the return",
    "accept": "take the penalty instead of the play",
    "decline": "let the play stand",
    "extra-point": "kick for one point",
    "two-point": "run one play for two points",
    "stand": "keep the call",
    "audible": "use an audible to call again",
    "audible-timeout": "use a time-out to call again",
    "let-it-run": "let the clock run",
    "timeout": "stop the clock: the play takes 10 seconds",
    "hurry-up": "use one from the quota: the play takes 20 seconds",
    "spike": "stop the clock and use a down: the play takes 10 seconds",
}


def explain_call(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Describe what a call means here: where the ball will be, or how many are left."""
    if call == p.TOUCHBACK:
        return f"take the ball at the {m.kick_touchback_spot}"
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
    left = [f"time-outs {_both(g.timeouts)}", f"hurry-ups {_both(g.hurry_up)}"]
    if m.audibles != p.AUDIBLES_OFF:
        offense, defense = ([row[side] for row in g.audibles] for side in range(2))
        left.append(f"audibles {_both(offense)} (offense) {_both(defense)} (defense)")
    return [*_open_calls(g, names), f"Remaining: {', '.join(left)}"]


def _both(counts: list[int]) -> str:
    """Return both teams' counts, home first as on the scoreboard."""
    return "-".join(map(str, counts))


def _open_calls(g: Position, names: TeamNames) -> list[str]:
    """Return the calls visible to the viewer, while they can still be changed."""
    if g.asks not in (p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE, p.ASK_PLAY, p.ASK_FORMATION):
        return []
    sentences = []
    if 0 <= g.play < len(PLAYS):
        sentences.append(team_sentence(names[g.possession], f"[has] called {PLAYS[g.play]}"))
    if g.formation >= 0:
        sentences.append(
            team_sentence(names[1 - g.possession], f"[has] called {FORMATIONS[g.formation]}")
        )
    return [" ".join(sentences)] if sentences else []
