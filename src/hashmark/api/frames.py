"""Frames of games that were played, in the columns of simulated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hashmark import extras
from hashmark.engine.game import Game
from hashmark.engine.record import HOME, PositionRecord

if TYPE_CHECKING:
    import polars as pl

    from hashmark.api.nflverse import HomeWinProbabilities


def game_plays(game: Game, nflverse: bool = False) -> pl.DataFrame:
    """Return the plays of a game in progress or over."""
    extras.require("plays()", "numpy", "polars")
    from hashmark.api.nflverse import nflverse_frame
    from hashmark.sim.frames import play_frame
    from hashmark.sim.play_rows import PlayLog

    rules, log = game.rules, PlayLog(game.rules)
    counts = rules.statistics.empty_counts()
    for team, points in enumerate(game.start_score):
        counts[team][rules.statistics.names.index("points")] = points
    snaps: list[PositionRecord] = []
    for turn in game.turns:
        log.before_step(0, game.match, turn.before, turn.team, turn.call, counts)
        snaps += [turn.before] * (len(log.rows) - len(snaps))
        for event in turn.events:
            rules.statistics.add(counts, *event)
    log.end_play(counts)
    plays = play_frame(rules, [log.batch(0, 1)] if log.rows else [])
    if not nflverse:
        return plays
    return nflverse_frame(plays, rules, team_codes(game), home_win_probabilities(game, snaps))


def home_win_probabilities(game: Game, snaps: list[PositionRecord]) -> HomeWinProbabilities:
    """Return home's win probability before and after each play; None where no value is known.

    Rollouts are not used: they take seconds a play.
    """
    from hashmark.values.instant import instant_value

    values = [instant_value(game.rules, game.match, g) for g in [*snaps, game.position]]
    worths = [None if value is None else value.worth(HOME) for value in values]
    return worths[:-1], worths[1:]


def team_codes(game: Game) -> tuple[str, str]:
    """Return the codes of real teams as nflverse has them, else the names of the teams."""
    codes = [str(game.options.get(f"{side}_team") or "") for side in ("home", "away")]
    home, away = (code.partition(":")[2] or code for code in codes)
    return (home, away) if home and away and home != away else game.names
