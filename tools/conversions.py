"""Third and fourth down conversions and touchdowns near the goal line, simulated and real.

    python tools/conversions.py SEASON PLAY-BY-PLAY [GAMES]

Simulates games between randomly drawn teams with their real plans and the options of a season, in
plain Python (thirty games per second), and counts plays that stand by down and distance and by
yards to the goal. The seed is fixed: the same command gives the same figures.
"""

from __future__ import annotations

import random
import sys

import polars as pl

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import rules as steps
from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.data import play_by_play
from hashmark.league.seasons import game_options
from hashmark.sim.plain import play_game

DISTANCES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 10), (11, 99))
ZONES = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 30))
# down, to go, yards to the goal, line reached, touchdown
PlayRow = tuple[int, int, int, bool, bool]


def simulate_plays(season: int, teams: list[str], games: int) -> list[PlayRow]:
    """Simulate games and return every play that stood."""
    rows: list[PlayRow] = []
    original_stand = steps.stand

    def record_stand(m: p.Match, g: p.Position) -> None:
        if g.phase == p.SCRIMMAGE and 0 <= g.play < len(PLAYS):
            kept_ball = g.holder == g.possession and g.changes == 0
            scored = g.result == p.ENDS_TOUCHDOWN and g.holder == g.possession
            converted = scored or (
                g.result == p.ENDS_DOWN and kept_ball and g.at >= g.spot + g.to_go
            )
            rows.append((g.down, g.to_go, 100 - g.spot, converted, scored))
        original_stand(m, g)

    steps.stand = record_stand
    coach = [coach.name for coach in RULES.coaches].index("plan")
    rng = random.Random(1)
    for number in range(games):
        home, away = rng.sample(teams, 2)
        m = RULES.new_match(
            {
                **game_options.season_options(season),
                "charts": str(season),
                "home_team": f"{home}-{season}",
                "away_team": f"{away}-{season}",
                "home_plan": f"{season}:{home}",
                "away_plan": f"{season}:{away}",
            }
        )
        play_game(RULES, m, RULES.new_position(m), 7, number, (coach, coach))
    steps.stand = original_stand
    return rows


def select_real_plays(plays: pl.DataFrame) -> pl.DataFrame:
    """Return the same plays from a season's play-by-play."""
    scored = (pl.col("touchdown") == 1) & (pl.col("td_team") == pl.col("posteam"))
    lost = (pl.col("fumble_lost") == 1) | (pl.col("interception") == 1)
    reached = (pl.col("yards_gained") >= pl.col("ydstogo")) & ~lost
    return plays.filter(
        pl.col("play_type").is_in(["run", "pass"])
        & pl.col("down").is_not_null()
        & (pl.col("two_point_attempt") == 0)
        & (pl.col("qb_kneel") == 0)
    ).select("down", to_go="ydstogo", goal="yardline_100", made=reached | scored, scored=scored)


def main() -> None:
    season, games = int(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    plays = play_by_play.select_plays(play_by_play.load(sys.argv[2], season))
    names = ["down", "to_go", "goal", "made", "scored"]
    simulated_plays = pl.DataFrame(
        simulate_plays(season, play_by_play.team_codes(plays), games), schema=names, orient="row"
    )
    real_plays, real_games = select_real_plays(plays), plays["game_id"].n_unique()

    def print_row(label: str, in_group: pl.Expr, column: str) -> None:
        simulated, real = simulated_plays.filter(in_group), real_plays.filter(in_group)
        share, error = simulated[column].mean() or 0.0, 0.5 / max(simulated.height, 1) ** 0.5
        print(
            f"{label:14} {share:7.3f} (±{error:.3f}) {real[column].mean() or 0.0:7.3f}"
            f"   {simulated.height / games:6.2f} {real.height / real_games:6.2f}"
        )

    print("                simulated    real   a game: simulated, real")
    for down in (3, 4):
        for low, high in DISTANCES:
            in_group = (pl.col("down") == down) & pl.col("to_go").is_between(low, high)
            print_row(f"{down} and {low}-{high}", in_group, "made")
    for low, high in ZONES:
        in_group = pl.col("goal").is_between(low, high)
        print_row(f"TD from {low}-{high}", in_group, "scored")


if __name__ == "__main__":
    main()
