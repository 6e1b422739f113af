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

import xdist_groups
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
    "cli/test_crash_report.py",
    "cli/test_warm.py::test_a_game_is_compiled",
    "cli/test_missing_extras.py",
    "cli/test_whatif.py",
    "web/jobs/test_charts_job.py",
    "web/jobs/test_reproducibility.py",
    "web/seasons/test_strengths.py",
    "web/seasons/test_team_view.py",
    "envs/",
    "fuzz/",
    "games/data_driven/test_rules.py::test_a_plan_is_followed",
    "games/data_driven/test_rules.py::test_every_shipped_file",
    "games/data_driven/test_rules.py::test_the_odds_of_a_play",
    "games/data_driven/test_rules.py::test_the_table_agrees",
    "games/data_driven/charts/test_files.py",
    "games/data_driven/test_coaches.py",
    "games/data_driven/test_words.py",
    "games/fourth_down/test_rules.py::test_plain_coaches",
    "games/rapid_roll/test_rules.py::test_odds_of_whole_plays",
    "games/rapid_roll/test_rules.py::test_reading_the_line",
    "games/rapid_roll/test_rules.py::test_statistics_equal",
    "games/rapid_roll/test_coaches.py",
    "games/roll_for_yardage/test_rules.py::test_plain_equals_compiled",
    "games/roll_for_yardage/test_rules.py::test_the_book_beats",
    "games/roll_for_yardage/test_pools.py",
    "games/two_minute_drill/test_rules.py::test_searching",
    "games/two_minute_drill/test_rules.py::test_yardsticks",
    "games/two_minute_drill/test_best_use.py",
    "games/two_minute_drill/test_lookahead.py",
    "games/two_minute_drill/test_search.py",
    "games/two_minute_drill/test_coaches.py",
    "league/charts",
    "league/validation",
    "league/data/test_coverage.py",
    "league/plans",
    "league/seasons",
    "league/whatifs",
    "odds/",
    "reports/test_in_browser.py",
    "conformance/test_abstraction.py",
    "conformance/test_golden.py",
    "conformance/test_kit.py::test_kit[data-driven",
    "conformance/test_kit.py::test_kit[fourth-down-every moment",
    "conformance/test_kit.py::test_kit[rapid-roll",
    "conformance/test_kit.py::test_kit[roll-for-yardage",
    "conformance/test_kit.py::test_kit[two-minute-drill",
    "sheets/test_html.py::test_any",
    "sheets/test_pdf.py::test_any",
    "sheets/test_text.py::test_any",
    "sim/",
    "compiler/test_cache_dir.py",
    "engine/test_generator.py::test_compiled_words",
    "compiler/test_numba_private.py",
    "engine/test_position_id.py::test_every_position",
    "engine/test_position_id.py::test_every_typo",
    "engine/test_registry.py::test_a_plug_in",
    "session/test_redaction.py",
    "session/test_game_session_model.py",
    "storage/test_atomic_write.py",
    "terminal/",
    "test_docs.py::test_examples_run",
    "test_mutants.py",
    "values/test_coach.py",
    "values/test_odds_panel.py",
    "values/test_rollout_runner.py",
    "values/test_review",
    "values/test_solve_on_disk.py",
    "web/svg/test_game_sheet.py::test_every_moment",
    "web/api/test_tables_api.py::test_a_whole_game",
    "web/api/test_tables_api.py::test_real_dice",
    "web/test_backups.py",
    "web/jobs/test_uploads.py",
    "web/db/test_preflight.py",
    "web/leagues/test_feeds.py",
    "web/tables/test_autoplay.py",
    "web/test_health.py",
    "web/tables/test_persistence.py",
    "web/leagues/test_leagues.py",
    "web/pages/test_leagues_pages.py",
    "web/db/test_migrate.py",
    "web/pages/test_table_pages.py",
    "web/pages/test_plan_pages.py",
    "web/jobs/test_queue.py",
    "web/api/test_seasons_api.py",
    "web/pages/test_seasons_pages.py",
    "web/test_secrecy.py",
    "web/test_server.py",
    "web/tables/test_table_sync.py",
    "web/tables/test_event_stream.py",
    "web/tables/test_table.py::test_strangers",
    "web/tables/test_coach_pool.py",
    "web/pages/test_times.py",
    "web/db/test_two_server_processes.py",
    "web/jobs/test_workers.py",
    "web/jobs/test_jobs.py",
)
HEAVY_FILES = tuple(place.rstrip("/") for place in HEAVY if "::" not in place)
TESTS = Path(__file__).parent
COMPILED_CHECKS = ("compiled", "chances add up", "sampling follows", "abstractions", "solver spec")


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
    return xdist_groups.create_scheduler(config, log)


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
