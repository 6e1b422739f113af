"""Seasons replayed: the same for any cut, gone on with after an interruption, and told well."""

from __future__ import annotations

import json
import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.league.facts.schedule import TEAMS
from hashmark.league.seasons import preset, saved, simulate
from hashmark.league.seasons.outcome import Outcome
from hashmark.league.seasons.playoffs import CHAMPION
from hashmark.league.seasons.saved import InFile, Saved, joined
from hashmark.league.seasons.season import Recipe, Replay, round_robin
from hashmark.league.seasons.season_page import season_page
from hashmark.league.seasons.simulate import simulate_season
from hashmark.league.seasons.tally import ROBIN_GAMES, ROBIN_MARGIN, Tally
from hashmark.sim import cluster
from hashmark.table import cache, folders, places
from hashmark.table.errors import HashmarkError
from league.invented_league import SEASON
from pages.soundness import sound_report

RECIPE = Recipe(SEASON, plan="book")
RUNS = 12
FIRST = 2  # seasons, of the first block


@pytest.fixture(scope="module")
def replay(league_folder: Path) -> Replay:
    with places.look_in([league_folder]):
        return Replay(RECIPE)


@pytest.fixture
def small_blocks(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few seasons are as many blocks as many are, and are made ready once for all tests."""
    monkeypatch.setattr(simulate, "BLOCK", FIRST)
    monkeypatch.setattr(
        simulate, "Replay", lambda recipe: replay if recipe == RECIPE else Replay(recipe)
    )


@pytest.fixture(scope="module")
def whole(league_folder: Path) -> Outcome:
    """Some seasons in one go."""
    with places.look_in([league_folder]):
        return simulate_season(RECIPE, RUNS, 3, threads=1)


def test_every_team_meets_every_other_once_in_the_round_robin() -> None:
    rounds = round_robin()
    for games in rounds:
        assert sorted(team for pair in games for team in pair) == list(range(32))
    met = {frozenset(pair) for games in rounds for pair in games}
    assert len(met) == 32 * 31 // 2


def test_a_block_is_the_sum_of_its_parts(replay: Replay) -> None:
    whole = replay.block(7, 0, 6)
    parts = Tally.empty()
    for first, count in ((4, 2), (0, 1), (1, 3)):
        parts.add(replay.block(7, first, count))
    assert parts.to_json() == whole.to_json()
    assert Tally.from_json(json.loads(json.dumps(whole.to_json()))).to_json() == whole.to_json()
    assert pickle.loads(pickle.dumps(replay)).block(7, 0, 6).to_json() == whole.to_json()


def test_counts_add_up(replay: Replay) -> None:
    made = replay.block(0, 0, 31)
    assert made.runs == 31
    assert made.reached.sum(axis=0).tolist() == [20 * 31, 4 * 31, 4 * 31, 2 * 31, 31, 31]
    assert made.wins.sum(axis=1).tolist() == [31] * 32
    halves = sum(n * int(count) for n, count in enumerate(made.wins.sum(axis=0)))
    assert halves == 2 * 256 * 31
    assert made.divisions.sum() == 8 * 31
    assert made.seeds[:, 1:7].sum(axis=0).tolist() == [2 * 31] * 6
    assert made.points[:, 0].sum() == made.points[:, 1].sum()
    assert made.robin[:, ROBIN_GAMES].tolist() == [62] * 32
    assert made.robin[:, ROBIN_MARGIN].sum() == 0
    assert 0 < made.best_records <= made.reached[:, CHAMPION].sum()


@pytest.mark.usefixtures("small_blocks")
def test_the_same_for_any_number_of_threads(league: Path, whole: Outcome) -> None:
    three = simulate_season(RECIPE, RUNS, 3, threads=3)
    assert whole.tally.to_json() == three.tally.to_json()
    assert whole.games == RUNS * (256 + 11 + 32)
    assert whole.teams() == three.teams()


def press_after(seasons: int) -> Callable[[int], None]:
    """A progress that presses Ctrl-C once, after so many seasons."""
    pressed: list[int] = []

    def progress(done: int) -> None:
        if done >= seasons and not pressed:
            pressed.append(done)
            signal.raise_signal(signal.SIGINT)

    return progress


@pytest.mark.usefixtures("small_blocks")
def test_an_interrupted_run_goes_on_to_the_same_result(
    league: Path, whole: Outcome, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "run.json"
    part = simulate_season(RECIPE, RUNS, 3, threads=1, resume=path, progress=press_after(FIRST))
    assert part.interrupted
    assert part.saved == path
    assert 0 < part.runs < RUNS
    rest = simulate_season(RECIPE, RUNS, 3, threads=2, resume=path)
    assert rest.earlier == part.runs
    assert rest.tally.to_json() == whole.tally.to_json()
    assert not path.exists()


@pytest.mark.usefixtures("small_blocks")
def test_the_usual_place_is_the_users_data_folder(league: Path) -> None:
    part = simulate_season(RECIPE, RUNS, 3, threads=1, progress=press_after(FIRST))
    assert part.saved is not None
    assert folders.data() in part.saved.parents
    other = simulate_season(RECIPE, RUNS, 4, threads=1, progress=press_after(FIRST))
    assert other.earlier == 0
    assert other.saved != part.saved
    anew = simulate_season(RECIPE, RUNS, 3, threads=1, fresh=True, progress=press_after(FIRST))
    assert anew.earlier == 0


@pytest.mark.usefixtures("small_blocks")
def test_a_crash_loses_little(
    league: Path, whole: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InFile, "every", 0.0)
    path = tmp_path / "run.json"

    def crash(done: int) -> None:
        if done >= 4 * FIRST:
            raise MemoryError

    with pytest.raises(MemoryError):
        simulate_season(RECIPE, RUNS, 3, threads=1, resume=path, progress=crash)
    rest = simulate_season(RECIPE, RUNS, 3, resume=path)
    assert rest.earlier >= 2 * FIRST
    assert rest.tally.to_json() == whole.tally.to_json()


@pytest.mark.usefixtures("small_blocks")
def test_saved_runs_of_another_recipe_are_refused(league: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    simulate_season(RECIPE, RUNS, 3, threads=1, resume=path, progress=press_after(FIRST))
    with pytest.raises(HashmarkError, match="another run"):
        simulate_season(RECIPE, RUNS, 4, resume=path)
    bold = Recipe(SEASON, plan="bold")
    with pytest.raises(HashmarkError, match="another run"):
        simulate_season(bold, RUNS, 3, resume=path)
    with pytest.raises(HashmarkError, match="more than 1 seasons"):
        simulate_season(RECIPE, 1, 3, resume=path)
    path.write_text('{"format": "hashmark-season/1"}')
    with pytest.raises(HashmarkError, match="not a saved run"):
        simulate_season(RECIPE, RUNS, 3, resume=path)


def test_another_program_is_another_run(
    replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is gone on with, or spread, only where the same sources count the same seasons."""
    monkeypatch.setattr(replay.slate, "content", list)  # the games are the same
    shutil.copytree(cache.PACKAGE, tmp_path / "hashmark", ignore=_all_but_sources)
    seen = [(replay.identity(1), cluster.fingerprint())]
    monkeypatch.setattr(cache, "PACKAGE", tmp_path / "hashmark")
    assert (replay.identity(1), cluster.fingerprint()) == seen[0]
    for source in ("league/seasons/standings.py", "league/whatifs/trial.py", "table/dice.py"):
        with (cache.PACKAGE / source).open("a") as file:
            file.write("# changed\n")
        seen.append((replay.identity(1), cluster.fingerprint()))
    assert len({identity for identity, _ in seen}) == len({mark for _, mark in seen}) == 4


def _all_but_sources(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if "." in name and not name.endswith(".py")]


def test_all_that_plays_seasons_is_in_the_fingerprint() -> None:
    """But for the words about a game, which change nothing in it."""
    code = (
        "import sys, hashmark.league.seasons.simulate\n"
        "import hashmark.league.whatifs.trial, hashmark.sim.cluster\n"
        "print(*{name.split('.')[1] for name in sys.modules if name.startswith('hashmark.')})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) - {"telling"} <= set(cache.PROGRAM)


def test_what_is_left_of_a_run() -> None:
    state = Saved.new("x")
    assert joined([(5, 5), (0, 5), (20, 1)]) == [(0, 10), (20, 1)]
    state.done = [(5, 5), (20, 1)]
    assert state.left(30, 8) == [(0, 5), (10, 8), (18, 2), (21, 8), (29, 1)]
    assert state.left(12, 8) == [(0, 5), (10, 2)]
    assert state.fits(21)
    assert not state.fits(20)
    assert saved.usual_path(2008, 10, "a") != saved.usual_path(2008, 11, "a")


# --- What is said ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def outcome(league_folder: Path) -> Outcome:
    with places.look_in([league_folder]):
        return simulate_season(RECIPE, 40, 1)


def test_rows_of_the_table(outcome: Outcome) -> None:
    teams = outcome.teams()
    assert sorted(one.team for one in teams) == sorted(TEAMS)
    assert sum(one.title.mean for one in teams) == pytest.approx(1)
    assert sum(one.wins.mean for one in teams) == pytest.approx(256)
    for one in teams:
        chances = (one.playoffs, one.divisional, one.conference, one.final, one.title.mean)
        assert list(chances) == sorted(chances, reverse=True)
        assert one.division_title <= one.playoffs
        assert one.low <= one.wins.mean <= one.high
        assert sum(one.distribution) == pytest.approx(1)
        mean = sum(n * share for n, share in enumerate(one.distribution))
        assert mean == pytest.approx(one.wins.mean)
    assert [one.record for one in teams if one.team == "PHI"] == ["9-6-1"]


def test_the_answer(outcome: Outcome) -> None:
    best = outcome.by_strength()[0]
    said = outcome.answer()
    assert said.startswith(f"The best team of 2008 was {best.code}")
    assert "PIT" in said
    assert "the plan 'book'" in " ".join(outcome.notes())
    told = outcome.to_json()
    assert told["answer"]["champion"] == "PIT"
    assert json.loads(json.dumps(told)) == told


def test_notes_do_not_speak_of_an_overtime_that_is_not_played(outcome: Outcome) -> None:
    """Since 2022 both teams have the ball in the playoffs, here as well: nothing to warn of."""
    lately = replace(outcome, recipe=replace(outcome.recipe, season=2024))
    assert preset.options(2024, playoff=True)["overtime"] == "both"
    assert "possession" not in " ".join(lately.notes())


def test_the_page_is_whole_and_stands_alone(outcome: Outcome) -> None:
    report = season_page(outcome)
    read = sound_report(report)
    assert len(report.charts()) == 32 + 4
    assert read.tags.count("table") == 1
    assert read.all("scope").count("row") == 32
    text = report.html()
    assert "prefers-color-scheme: dark" in text
    assert "nan" not in text.lower().replace("finance", "")
    assert all(f"{team}: mean " in text for team in map(outcome.code, TEAMS))
    assert outcome.answer() in read.words
