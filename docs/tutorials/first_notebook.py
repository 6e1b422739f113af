# %% [markdown]
# # A first notebook
#
# From a first simulated game to a what-if. You need Hashmark with its plots:
# `pip install 'hashmark[plot]'`. The first simulation of a game compiles it, which takes a minute;
# the code is kept for the next time.

# %%
import hashmark as hm

hm.games()

# %% [markdown]
# ## One game
#
# Two real teams of 2008 play Data-Driven Football. Each calls its plays as often as it really did.
# The same seed gives the same dice.

# %%
game = hm.Game("data-driven", seed=8, home="2008:ARI", away="2008:PIT")
for _ in range(14):
    game.play(game.coach_call("plan"))
game

# %% [markdown]
# The legal calls of the team with the ball, and the last few sentences of the play-by-play:

# %%
print(game.legal)
print(*game.play_by_play[-3:], sep="\n")

# %% [markdown]
# The coaches play the rest. A game is a frame of drives and of plays.

# %%
game.play_out()
print(game)
game.drives().head(8)

# %% [markdown]
# With `nflverse=True`, plays have the columns of real play-by-play, so that code for real seasons
# runs on them. Here, expected points added on every run and pass:

# %%
import polars as pl

plays = game.plays(nflverse=True)
scrimmage = plays.filter(pl.col("play_type").is_in(["run", "pass"]) & pl.col("epa").is_not_null())
scrimmage.group_by("posteam", "play_type").agg(
    pl.len().alias("plays"),
    pl.col("yards_gained").mean().round(2),
    pl.col("epa").mean().round(3),
).sort("posteam", "play_type")

# %% [markdown]
# ## Thousands of games
#
# One game says little. With `rows=True` a simulation keeps a row for each game.

# %%
sim = hm.simulate("data-driven", 4000, home="2008:ARI", away="2008:PIT", seed=1, rows=True)
sim

# %%
ax = sim.plot()

# %%
sim.frame().select(
    pl.len().alias("games"),
    (pl.col("home_points") + pl.col("away_points")).mean().round(1).alias("points a game"),
    ((pl.col("home_points") - pl.col("away_points")).abs() <= 3).mean().alias("within 3 points"),
)

# %% [markdown]
# ## A decision
#
# 4th Down! is a smaller game about the same decisions. Odds are exact: every call with the
# distribution of its outcomes.

# %%
fourth = hm.Position(
    "fourth-down", {"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}
)
hm.odds("fourth-down", fourth)

# %% [markdown]
# The best call is exact once the game is solved (`hm.solve("fourth-down")`, some minutes). Until
# then it is estimated by playing on, with standard errors.

# %%
hm.best("fourth-down", fourth, games=2000).frame()

# %% [markdown]
# Real teams have game plans. This is what Arizona called most on fourth down in 2008:

# %%
plan = hm.plan("ARI", 2008)
ax = plan.plot()

# %% [markdown]
# ## A season
#
# The schedule of 2008, 200 times, playoffs included. `wins_se` is the standard error of the dice
# alone: the ratings of the teams are uncertain by more than that.

# %%
season = hm.season(2008, runs=200)
season.table().select("team", "real_record", "wins", "wins_se", "make_playoffs", "win_title").head(
    8
)

# %%
ax = season.plot("ARI")

# %% [markdown]
# ## What if?
#
# Would Arizona have won more with ten percentage points more passes? Both plans are simulated with
# the same dice on every play, so that small changes show.

# %%
whatif = hm.whatif(2008, "ARI", pass_rate="+10%", runs=400)
print(whatif.answer)
whatif.frame()

# %%
ax = whatif.plot()

# %% [markdown]
# Every frame can be written to a file (`frame.write_csv("wins.csv")`), or taken to pandas with
# `hm.to_pandas(frame)`. The [reference](../reference/python.md) lists everything else.
