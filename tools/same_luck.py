"""What dice of its own for each play save: the table of docs/what-ifs.md, "The same luck".

    python tools/same_luck.py [RUNS] [SEASON] [TEAM]

plays some changes of a team's plan (1,000 runs, 2008, ARI) in three ways, both plans with luck of
their own, with the same stream of dice for a game, and with the same dice for each play, and prints
half of the 95% interval of the change of wins; then how many times fewer runs the last way needs
than the first, for wins and for the point difference. Half a minute of processor time.
"""

from __future__ import annotations

import sys
from typing import Any

from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import changes, fourth
from hashmark.league.whatifs.changes import AnyChange
from hashmark.league.whatifs.trial import Lineup, Sample, Trial, difference, real_field

RUNS, SEASON, TEAM = 1000, 2008, "ARI"
OTHER_LUCK = 1  # the seed of the unchanged plan where each has luck of its own
HEAD = ("change", "own luck", "one stream", "each play", "fewer runs", "for points")


TRIED: dict[str, AnyChange] = {
    "5 % more long passes": changes.play("deep=+5%"),
    "8 % fewer line plunges on first down": changes.play("plunge=-8%@down=1"),
    "10 % more passes": changes.pass_rate("+10%"),
    "5 % more blitzes": changes.blitz_rate("+5%"),
    "bold on fourth down": fourth.policy_of("bold"),
}


def points(sample: Sample) -> Any:
    """The point difference of each season."""
    return sample.margins.sum(0)


def main() -> None:
    given = sys.argv[1:]
    runs = int(given[0]) if given else RUNS
    season, team = int(given[1]) if given[1:] else SEASON, given[2] if given[2:] else TEAM
    keyed, streams = (Trial(real_field(Recipe(season), team), keyed=one) for one in (True, False))
    lineups = [Lineup(keyed.plan), *(Lineup(one.apply(keyed.plan)) for one in TRIED.values())]
    (base, *ours), (stream, *theirs) = (one.play(lineups, runs) for one in (keyed, streams))
    other = keyed.play(lineups[:1], runs, OTHER_LUCK)[0]
    print(f"{HEAD[0]:38}" + "".join(f"{word:>12}" for word in HEAD[1:]))
    for words, sample, streamed in zip(TRIED, ours, theirs, strict=True):
        own = difference(sample.wins, other.wins).margin
        one = difference(streamed.wins, stream.wins).margin
        play = difference(sample.wins, base.wins).margin
        far = difference(points(sample), points(other)).margin
        near = difference(points(sample), points(base)).margin
        saved = f"{(own / play) ** 2:12.1f}{(far / near) ** 2:12.1f}"
        print(f"{words:38}{own:12.3f}{one:12.3f}{play:12.3f}{saved}")


if __name__ == "__main__":
    main()
