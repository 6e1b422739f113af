"""Fixtures and hooks that all tests share."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import sharing
from failing_disk import tape  # noqa: F401  (a fixture)

# No example fails for being slow: a busy machine is not a bug.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "100")
os.environ.setdefault("HASHMARK_CACHE", str(Path(__file__).parent.parent / ".cache"))
# NumPy's BLAS threads busy-wait for one another, which slows down tests on other workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The tests start the command hundreds of times: keep the bytecode of the sources and of the tests,
# even if the shell turns it off.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Everything loaded during collection stays: there is no garbage to collect.
gc.disable()

# Tests that `make test-quick` leaves out, because they compile or are slow.
HEAVY = (
    "cli/test_best.py",
    "cli/test_charts_build.py",
    "cli/test_commands.py",
    "cli/test_invented.py",
    "cli/test_odds.py",
    "cli/test_part_of_a_season.py",
    "cli/test_plan.py",
    "cli/test_review.py",
    "cli/test_season.py",
    "cli/test_serve.py",
    "cli/test_sheet.py",
    "cli/test_unforeseen.py",
    "cli/test_warm.py::test_a_game_is_compiled",
    "cli/test_weight.py",
    "cli/test_whatif.py",
    "club/test_charts_work.py",
    "club/test_made_again.py",
    "club/test_strengths.py",
    "club/test_team_view.py",
    "envs/",
    "fuzz/",
    "games/test_data_driven.py::test_a_plan_is_followed",
    "games/test_data_driven.py::test_every_shipped_file",
    "games/test_data_driven.py::test_the_odds_of_a_play",
    "games/test_data_driven.py::test_the_table_agrees",
    "games/test_data_driven_files.py",
    "games/test_data_driven_values.py",
    "games/test_data_driven_words.py",
    "games/test_fourth_down.py::test_plain_coaches",
    "games/test_rapid_roll.py::test_odds_of_whole_plays",
    "games/test_rapid_roll.py::test_reading_the_line",
    "games/test_rapid_roll.py::test_statistics_equal",
    "games/test_rapid_roll_values.py",
    "games/test_roll_for_yardage.py::test_plain_equals_compiled",
    "games/test_roll_for_yardage.py::test_the_book_beats",
    "games/test_roll_for_yardage_dice.py",
    "games/test_two_minute_drill.py::test_searching",
    "games/test_two_minute_drill.py::test_yardsticks",
    "games/test_two_minute_drill_best_use.py",
    "games/test_two_minute_drill_lookahead.py",
    "games/test_two_minute_drill_search.py",
    "games/test_two_minute_drill_values.py",
    "league/charts",
    "league/checks",
    "league/facts/test_coverage.py",
    "league/plans",
    "league/seasons",
    "league/whatifs",
    "odds/",
    "pages/test_in_browser.py",
    "referee/test_essence.py",
    "referee/test_golden.py",
    "referee/test_referee.py::test_kit[data-driven",
    "referee/test_referee.py::test_kit[fourth-down-every prefix",
    "referee/test_referee.py::test_kit[rapid-roll",
    "referee/test_referee.py::test_kit[roll-for-yardage",
    "referee/test_referee.py::test_kit[two-minute-drill",
    "sheet/test_html.py::test_any",
    "sheet/test_pdf.py::test_any",
    "sheet/test_text.py::test_any",
    "sim/",
    "table/test_cache.py",
    "table/test_compiled_cache.py",
    "table/test_generator.py::test_compiled_words",
    "table/test_inner_code.py",
    "table/test_position_id.py::test_every_position",
    "table/test_position_id.py::test_every_typo",
    "table/test_registry.py::test_a_plug_in",
    "table/test_secrets.py",
    "table/test_sitting_model.py",
    "table/test_writing.py",
    "terminal/",
    "test_docs.py::test_examples_run",
    "test_mutants.py",
    "values/test_coach.py",
    "values/test_looking.py",
    "values/test_player.py",
    "values/test_review",
    "values/test_solving.py",
    "web/drawn/test_papers.py::test_every_moment",
    "web/test_api.py::test_a_whole_game",
    "web/test_api.py::test_real_dice",
    "web/test_backups.py",
    "web/test_brought.py",
    "web/test_checking.py",
    "web/test_feeds.py",
    "web/test_going.py",
    "web/test_health.py",
    "web/test_keeping.py",
    "web/test_leagues.py",
    "web/test_leagues_pages.py",
    "web/test_migrating.py",
    "web/test_pages.py",
    "web/test_plan_pages.py",
    "web/test_queue.py",
    "web/test_seasons_api.py",
    "web/test_seasons_pages.py",
    "web/test_secrecy.py",
    "web/test_serving.py",
    "web/test_sharing.py",
    "web/test_streams.py",
    "web/test_tables.py::test_strangers",
    "web/test_thinking.py",
    "web/test_times.py",
    "web/test_two_servers.py",
    "web/test_workers.py",
    "web/test_works.py",
)
HEAVY_FILES = tuple(place.rstrip("/") for place in HEAVY if "::" not in place)
TESTS = Path(__file__).parent
COMPILED_CHECKS = ("compiled", "chances add up", "sampling follows", "essences", "a solver")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even read files of heavy tests when those are deselected."""
    if "not heavy" not in config.option.markexpr:
        return None
    place = collection_path.relative_to(TESTS).as_posix() if collection_path != TESTS else ""
    return True if f"{place}/".startswith(HEAVY_FILES) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark heavy tests, and move tests that use other tests' compiled code to the end."""
    items.sort(key=lambda item: item.nodeid.startswith("tests/cli/test_warm.py"))
    for item in items:
        place = item.nodeid.removeprefix("tests/")
        compiled_check = "test_kit[" in place and any(check in place for check in COMPILED_CHECKS)
        if place.startswith(HEAVY) or compiled_check:
            item.add_marker(pytest.mark.heavy)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one more than the number of cores, because browser, terminal and server tests wait.

    Without these, each worker only adds another collection of all tests.
    """
    return (os.cpu_count() or 1) + ("not heavy" not in config.option.markexpr)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Schedule tests that share compiled code on the same worker."""
    return sharing.scheduler(config, log)


for _ignored, _default in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    # A shell starts background jobs with interrupts ignored, and `nohup` with hang-ups ignored;
    # every program that a test starts would inherit that.
    if signal.getsignal(_ignored) is signal.SIG_IGN:
        signal.signal(_ignored, _default)


def pytest_collection_finish() -> None:
    """Turn garbage collection back on, without everything loaded so far and less often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def _all_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Data directories for the saved games of each test; the program creates them on demand."""
    folder = tmp_path_factory.mktemp("data")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_data(_all_data: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests away from the user's saved games."""
    monkeypatch.setenv("HASHMARK_DATA", str(next(_all_data)))
