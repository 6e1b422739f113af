"""Gain from common random numbers: the table of docs/explanation/what-ifs.md, "The same luck".

    python tools/same_luck.py [RUNS] [SEASON] [TEAM]

Simulates some changes of a team's plan (default 1,000 runs, 2008, ARI) in three ways: with
independent dice for both plans, with the same stream of dice for a game, and with the same dice for
each play. Prints half of the 95 % interval of the change of wins, then how many times fewer runs
the last way needs than the first, for wins and for the point difference. Takes half a minute of
processor time.
"""

from __future__ import annotations

import sys
from typing import Any

from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import fourth_down_policy, plan_changes
from hashmark.league.whatifs.plan_changes import PlanChange
from hashmark.league.whatifs.trial import (
    Lineup,
    Sample,
    Trial,
    paired_difference,
    real_season_setup,
)

RUNS, SEASON, TEAM = 1000, 2008, "ARI"
INDEPENDENT_SEED = 1  # of the unchanged plan, where both plans have independent dice
HEAD = ("change", "own luck", "one stream", "each play", "fewer runs", "for points")


CHANGES: dict[str, PlanChange] = {
    "5 % more long passes": plan_changes.parse_play("deep=+5%"),
    "8 % fewer line plunges on first down": plan_changes.parse_play("plunge=-8%@down=1"),
    "10 % more passes": plan_changes.parse_pass_rate("+10%"),
    "5 % more blitzes": plan_changes.parse_blitz_rate("+5%"),
    "bold on fourth down": fourth_down_policy.predefined_policy("bold"),
}


def point_difference(sample: Sample) -> Any:
    """Return the point difference of each season."""
    return sample.margins.sum(0)


def main() -> None:
    arguments = sys.argv[1:]
    runs = int(arguments[0]) if arguments else RUNS
    season = int(arguments[1]) if arguments[1:] else SEASON
    team = arguments[2] if arguments[2:] else TEAM
    keyed_trial, streamed_trial = (
        Trial(real_season_setup(Recipe(season), team), keyed=keyed) for keyed in (True, False)
    )
    lineups = [
        Lineup(keyed_trial.plan),
        *(Lineup(change.apply(keyed_trial.plan)) for change in CHANGES.values()),
    ]
    (keyed_base, *keyed_samples), (streamed_base, *streamed_samples) = (
        trial.play(lineups, runs) for trial in (keyed_trial, streamed_trial)
    )
    independent_base = keyed_trial.play(lineups[:1], runs, INDEPENDENT_SEED)[0]
    print(f"{HEAD[0]:38}" + "".join(f"{word:>12}" for word in HEAD[1:]))
    for label, sample, streamed in zip(CHANGES, keyed_samples, streamed_samples, strict=True):
        own_margin = paired_difference(sample.wins, independent_base.wins).margin
        streamed_margin = paired_difference(streamed.wins, streamed_base.wins).margin
        keyed_margin = paired_difference(sample.wins, keyed_base.wins).margin
        own_points = paired_difference(
            point_difference(sample), point_difference(independent_base)
        ).margin
        keyed_points = paired_difference(
            point_difference(sample), point_difference(keyed_base)
        ).margin
        ratios = f"{(own_margin / keyed_margin) ** 2:12.1f}{(own_points / keyed_points) ** 2:12.1f}"
        print(f"{label:38}{own_margin:12.3f}{streamed_margin:12.3f}{keyed_margin:12.3f}{ratios}")


if __name__ == "__main__":
    main()
