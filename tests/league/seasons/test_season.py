"""Season replays: independent of how work is split, resumable, and reported correctly."""

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

from hashmark.compiler import cache_dir
from hashmark.errors import HashmarkError
from hashmark.league.data.schedule import TEAMS
from hashmark.league.seasons import checkpoints, game_options, simulate
from hashmark.league.seasons.checkpoints import Checkpoint, CheckpointFile, merge_spans
from hashmark.league.seasons.outcome import SeasonOutcome
from hashmark.league.seasons.playoffs import CHAMPION
from hashmark.league.seasons.season import Recipe, Replay, round_robin
from hashmark.league.seasons.season_report import build_season_report
from hashmark.league.seasons.simulate import simulate_season
from hashmark.league.seasons.tally import ROBIN_GAMES, ROBIN_MARGIN, Tally
from hashmark.sim import cluster
from hashmark.storage import search_path, user_dirs
from league.invented_league import SEASON
from reports.page_checks import check_report

RECIPE = Recipe(SEASON, plan="book")
RUNS = 12
FIRST = 2  # seasons in the first block


@pytest.fixture(scope="module")
def replay(league_folder: Path) -> Replay:
    with search_path.search_first([league_folder]):
        return Replay(RECIPE)


@pytest.fixture
def small_blocks(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Split few seasons into many blocks, and share one prepared replay."""
    monkeypatch.setattr(simulate, "BLOCK", FIRST)
    monkeypatch.setattr(
        simulate, "Replay", lambda recipe: replay if recipe == RECIPE else Replay(recipe)
    )


@pytest.fixture(scope="module")
def whole(league_folder: Path) -> SeasonOutcome:
    """Return some seasons played in one go."""
    with search_path.search_first([league_folder]):
        return simulate_season(RECIPE, RUNS, 3, threads=1)


def test_every_team_meets_every_other_once_in_the_round_robin() -> None:
    rounds = round_robin()
    for games in rounds:
        assert sorted(team for pair in games for team in pair) == list(range(32))
    met = {frozenset(pair) for games in rounds for pair in games}
    assert len(met) == 32 * 31 // 2


def test_totals_of_a_block_are_the_sum_of_its_parts(replay: Replay) -> None:
    whole = replay.play_block(7, 0, 6)
    parts = Tally.empty()
    for first, count in ((4, 2), (0, 1), (1, 3)):
        parts.add(replay.play_block(7, first, count))
    assert parts.to_json() == whole.to_json()
    assert Tally.from_json(json.loads(json.dumps(whole.to_json()))).to_json() == whole.to_json()
    assert pickle.loads(pickle.dumps(replay)).play_block(7, 0, 6).to_json() == whole.to_json()


def test_totals_are_consistent(replay: Replay) -> None:
    totals = replay.play_block(0, 0, 31)
    assert totals.runs == 31
    assert totals.reached.sum(axis=0).tolist() == [20 * 31, 4 * 31, 4 * 31, 2 * 31, 31, 31]
    assert totals.wins.sum(axis=1).tolist() == [31] * 32
    halves = sum(n * int(count) for n, count in enumerate(totals.wins.sum(axis=0)))
    assert halves == 2 * 256 * 31
    assert totals.divisions.sum() == 8 * 31
    assert totals.seeds[:, 1:7].sum(axis=0).tolist() == [2 * 31] * 6
    assert totals.points[:, 0].sum() == totals.points[:, 1].sum()
    assert totals.robin[:, ROBIN_GAMES].tolist() == [62] * 32
    assert totals.robin[:, ROBIN_MARGIN].sum() == 0
    assert 0 < totals.best_records <= totals.reached[:, CHAMPION].sum()


@pytest.mark.usefixtures("small_blocks")
def test_result_does_not_depend_on_the_number_of_threads(
    league: Path, whole: SeasonOutcome
) -> None:
    three = simulate_season(RECIPE, RUNS, 3, threads=3)
    assert whole.tally.to_json() == three.tally.to_json()
    assert whole.games == RUNS * (256 + 11 + 32)
    assert whole.teams() == three.teams()


def press_after(seasons: int) -> Callable[[int], None]:
    """Return a progress callback that presses Ctrl-C once, after this many seasons."""
    pressed: list[int] = []

    def progress(done: int) -> None:
        if done >= seasons and not pressed:
            pressed.append(done)
            signal.raise_signal(signal.SIGINT)

    return progress


@pytest.mark.usefixtures("small_blocks")
def test_a_resumed_run_ends_with_the_same_result(
    league: Path, whole: SeasonOutcome, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "run.json"
    partial = simulate_season(RECIPE, RUNS, 3, threads=1, resume=path, progress=press_after(FIRST))
    assert partial.interrupted
    assert partial.checkpoint_path == path
    assert 0 < partial.runs < RUNS
    rest = simulate_season(RECIPE, RUNS, 3, threads=2, resume=path)
    assert rest.resumed_runs == partial.runs
    assert rest.tally.to_json() == whole.tally.to_json()
    assert not path.exists()


@pytest.mark.usefixtures("small_blocks")
def test_checkpoints_default_to_the_user_data_directory(league: Path) -> None:
    partial = simulate_season(RECIPE, RUNS, 3, threads=1, progress=press_after(FIRST))
    assert partial.checkpoint_path is not None
    assert user_dirs.data_dir() in partial.checkpoint_path.parents
    other = simulate_season(RECIPE, RUNS, 4, threads=1, progress=press_after(FIRST))
    assert other.resumed_runs == 0
    assert other.checkpoint_path != partial.checkpoint_path
    fresh = simulate_season(RECIPE, RUNS, 3, threads=1, fresh=True, progress=press_after(FIRST))
    assert fresh.resumed_runs == 0


@pytest.mark.usefixtures("small_blocks")
def test_a_crash_loses_only_the_latest_blocks(
    league: Path, whole: SeasonOutcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CheckpointFile, "every", 0.0)
    path = tmp_path / "run.json"

    def crash(done: int) -> None:
        if done >= 4 * FIRST:
            raise MemoryError

    with pytest.raises(MemoryError):
        simulate_season(RECIPE, RUNS, 3, threads=1, resume=path, progress=crash)
    rest = simulate_season(RECIPE, RUNS, 3, resume=path)
    assert rest.resumed_runs >= 2 * FIRST
    assert rest.tally.to_json() == whole.tally.to_json()


@pytest.mark.usefixtures("small_blocks")
def test_checkpoints_of_another_run_are_rejected(league: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    simulate_season(RECIPE, RUNS, 3, threads=1, resume=path, progress=press_after(FIRST))
    with pytest.raises(HashmarkError, match="a different run"):
        simulate_season(RECIPE, RUNS, 4, resume=path)
    bold = Recipe(SEASON, plan="bold")
    with pytest.raises(HashmarkError, match="a different run"):
        simulate_season(bold, RUNS, 3, resume=path)
    with pytest.raises(HashmarkError, match="more than 1 seasons"):
        simulate_season(RECIPE, 1, 3, resume=path)
    path.write_text('{"format": "hashmark-season/1"}')
    with pytest.raises(HashmarkError, match="not a saved season run"):
        simulate_season(RECIPE, RUNS, 3, resume=path)


def test_changed_sources_make_another_run(
    replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is resumed or distributed only with identical sources."""
    monkeypatch.setattr(replay.batch, "content", list)  # the games stay the same
    shutil.copytree(cache_dir.PACKAGE_DIR, tmp_path / "hashmark", ignore=_all_but_sources)
    identities = [(replay.identity(1), cluster.fingerprint())]
    monkeypatch.setattr(cache_dir, "PACKAGE_DIR", tmp_path / "hashmark")
    assert (replay.identity(1), cluster.fingerprint()) == identities[0]
    for source in ("league/seasons/standings.py", "league/whatifs/trial.py", "engine/dice.py"):
        with (cache_dir.PACKAGE_DIR / source).open("a") as file:
            file.write("# changed\n")
        identities.append((replay.identity(1), cluster.fingerprint()))
    assert (
        len({identity for identity, _ in identities}) == len({mark for _, mark in identities}) == 4
    )


def _all_but_sources(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if "." in name and not name.endswith(".py")]


def test_fingerprint_covers_every_package_that_plays_seasons() -> None:
    """Except for texts and errors, which do not affect a result."""
    code = (
        "import sys, hashmark.league.seasons.simulate\n"
        "import hashmark.league.whatifs.trial, hashmark.sim.cluster\n"
        "print(*{name.split('.')[1] for name in sys.modules if name.startswith('hashmark.')})"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    without_effect = {"text", "errors", "sanitize", "number_text", "extras"}
    assert set(process.stdout.split()) - without_effect <= set(cache_dir.RESULT_PACKAGES)


def test_remaining_blocks_of_a_checkpoint() -> None:
    checkpoint = Checkpoint("x")
    assert merge_spans([(5, 5), (0, 5), (20, 1)]) == [(0, 10), (20, 1)]
    checkpoint.completed = [(5, 5), (20, 1)]
    assert checkpoint.remaining_blocks(30, 8) == [(0, 5), (10, 8), (18, 2), (21, 8), (29, 1)]
    assert checkpoint.remaining_blocks(12, 8) == [(0, 5), (10, 2)]
    assert checkpoint.is_within(21)
    assert not checkpoint.is_within(20)
    assert checkpoints.default_path(2008, 10, "a") != checkpoints.default_path(2008, 11, "a")


# --- Reports --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def outcome(league_folder: Path) -> SeasonOutcome:
    with search_path.search_first([league_folder]):
        return simulate_season(RECIPE, 40, 1)


def test_team_rows_are_consistent(outcome: SeasonOutcome) -> None:
    teams = outcome.teams()
    assert sorted(team.team for team in teams) == sorted(TEAMS)
    assert sum(team.title.mean for team in teams) == pytest.approx(1)
    assert sum(team.wins.mean for team in teams) == pytest.approx(256)
    for team in teams:
        chances = (team.playoffs, team.divisional, team.conference, team.final, team.title.mean)
        assert list(chances) == sorted(chances, reverse=True)
        assert team.division_title <= team.playoffs
        assert team.low <= team.wins.mean <= team.high
        assert sum(team.distribution) == pytest.approx(1)
        mean = sum(n * share for n, share in enumerate(team.distribution))
        assert mean == pytest.approx(team.wins.mean)
    assert [team.record for team in teams if team.team == "PHI"] == ["9-6-1"]


def test_answer_names_the_best_team_and_the_champion(outcome: SeasonOutcome) -> None:
    best = outcome.teams_by_strength()[0]
    answer = outcome.answer()
    assert answer.startswith(f"2008: {best.code} rates highest, ")
    assert "PIT" in answer
    assert "the plan 'book'" in " ".join(outcome.notes())
    data = outcome.to_json()
    assert data["answer"]["champion"] == "PIT"
    assert json.loads(json.dumps(data)) == data


def test_notes_do_not_mention_overtime_since_2022(outcome: SeasonOutcome) -> None:
    """Since 2022 both teams possess the ball in playoff overtime, here as well: no note needed."""
    recent = replace(outcome, recipe=replace(outcome.recipe, season=2024))
    assert game_options.season_options(2024, playoff=True)["overtime"] == "both"
    assert "possession" not in " ".join(recent.notes())


def test_report_is_complete_and_self_contained(outcome: SeasonOutcome) -> None:
    report = build_season_report(outcome)
    parsed = check_report(report)
    assert len(report.charts()) == 32 + 4
    assert parsed.tags.count("table") == 1
    assert parsed.all("scope").count("row") == 32
    text = report.html()
    assert "prefers-color-scheme: dark" in text
    assert "nan" not in text.lower().replace("finance", "")
    assert all(f"{team}: mean " in text for team in map(outcome.code, TEAMS))
    assert outcome.answer() in parsed.words
