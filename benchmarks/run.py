"""Benchmarks of speed and memory, each comparison measured side by side in one run.

    python benchmarks/run.py [NAME ...] [--json]

Machines are shared and noisy, so the figures that matter are ratios: both sides are measured
alternately in the same run, and the best of several repeats counts for each side. Benchmarks are
not tests: they report figures and assert nothing.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hashmark.conformance import ConformanceKit
from hashmark.engine import registry
from hashmark.odds import Outcome, outlook
from hashmark.sim import simulate

FOLDER = Path(__file__).parent
REPEATS = 5
BENCHMARKS: dict[str, Callable[[], dict[str, Any]]] = {}


def benchmark(function: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Register a benchmark."""
    BENCHMARKS[function.__name__] = function
    return function


def coach_of(rules: str) -> str:
    """Return the coach that both sides of a comparison use."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return "book" if "book" in names else names[0]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "hashmark", *arguments]


def time_command(arguments: list[str]) -> dict[str, float]:
    """Return the best wall-clock and processor seconds of a whole command."""
    clock, processor = [], []
    for _ in range(REPEATS):
        processor_before, start = children_processor_seconds(), time.perf_counter()
        subprocess.run(arguments, capture_output=True, check=True)
        clock.append(time.perf_counter() - start)
        processor.append(children_processor_seconds() - processor_before)
    return {"seconds": round(min(clock), 3), "processor_seconds": round(min(processor), 3)}


def children_processor_seconds() -> float:
    """Return the processor time of all child processes so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def games_in_a_second(rules: str, coach: str) -> int:
    """Return how many games compiled code plays in about one second."""
    games = 100
    while True:
        result = simulate(rules, games, home=coach, away=coach, threads=1)
        if result.seconds > 0.2:
            return int(games / result.seconds)
        games *= 4


@benchmark
def compiled_against_plain() -> dict[str, Any]:
    """Compare both engines on one core: games per second and their ratio."""
    results: dict[str, Any] = {}
    for rules in registry.builtin_names():
        coach = coach_of(rules)
        plain_games = 200
        games = games_in_a_second(rules, coach)
        compiled_runs, plain_runs = [], []
        for _ in range(REPEATS):
            settings: dict[str, Any] = {"home": coach, "away": coach, "threads": 1}
            compiled_runs.append(simulate(rules, games, **settings))
            plain_runs.append(simulate(rules, plain_games, engine="plain", **settings))
        same_digest = (
            simulate(rules, plain_games, home=coach, away=coach).digest == plain_runs[0].digest
        )
        compiled = games / min(run.seconds for run in compiled_runs)
        plain = plain_games / min(run.seconds for run in plain_runs)
        results[rules] = {
            "compiled_games_a_second": round(compiled),
            "plain_games_a_second": round(plain),
            "ratio": round(compiled / plain, 1),
            "same_digest": same_digest,
        }
    return results


@benchmark
def compiled_against_c() -> dict[str, Any]:
    """Compare 4th Down! with a C program of the same rules, generator, coach and statistics."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return {"not measured": "there is no C compiler on this machine"}
    games = 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "fourth_down")
        source = str(FOLDER / "fourth_down.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        compiled_rates, c_rates, same_digest = [], [], True
        for _ in range(REPEATS):
            process = subprocess.run([program, str(games), "0"], capture_output=True, check=True)
            c_result = json.loads(process.stdout)
            result = simulate("fourth-down", games, threads=1)
            c_rates.append(games / c_result["seconds"])
            compiled_rates.append(games / result.seconds)
            same_digest = same_digest and c_result["digest"] == result.digest
    return {
        "compiled_games_a_second": round(max(compiled_rates)),
        "c_games_a_second": round(max(c_rates)),
        "ratio": round(max(compiled_rates) / max(c_rates), 3),
        "same_digest": same_digest,
    }


@benchmark
def two_threads_against_one() -> dict[str, Any]:
    """Compare the same games of 4th Down! on one thread and on two."""
    games = 2_000_000
    digests, rates = set(), []
    for threads in (1, 2):
        runs = [simulate("fourth-down", games, threads=threads) for _ in range(REPEATS)]
        digests |= {run.digest for run in runs}
        rates.append(games / min(run.seconds for run in runs))
    return {"ratio": round(rates[1] / rates[0], 2), "same_digest": len(digests) == 1}


@benchmark
def memory() -> dict[str, Any]:
    """Measure the peak memory of ten million games of 4th Down! in a separate process."""
    arguments = command("simulate", "fourth-down", "--games", "10000000", "--json")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    subprocess.run(arguments, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    result: dict[str, Any] = {"games": 10_000_000, "megabytes": round(after / 1024)}
    if after == before:
        result["note"] = "an earlier process of this run was as large: run this benchmark alone"
    return result


@benchmark
def start_up() -> dict[str, Any]:
    """Measure the seconds from a command to its answer, with all code compiled before."""
    simulation = command("simulate", "fourth-down", "--games", "1000")
    subprocess.run(simulation, capture_output=True, check=True)
    return {
        "bare_python": time_command([sys.executable, "-c", "pass"]),
        "hashmark_help": time_command(command("--help")),
        "game_of_two_coaches": time_command(
            command("play", "fourth-down", "--home", "coach:book", "--seed", "1")
        ),
        "simulate_1000_games_cached": time_command(simulation),
    }


@benchmark
def odds_of_a_position() -> dict[str, Any]:
    """Measure the exact odds of a call: milliseconds for the slowest of many positions."""
    results: dict[str, Any] = {}
    for rules in registry.builtin_names():
        kit = ConformanceKit(rules)
        game = kit.rules
        results[rules] = {}
        for engine in ("compiled", "auto"):
            seconds: list[float] = []
            for m, g in kit.random_positions(2, every=7):
                for call in game.legal_calls(m, g)[:4]:
                    if not seconds:
                        outlook(game, m, g, call, engine)
                    start = time.perf_counter()
                    outlook(game, m, g, call, engine)
                    seconds.append(time.perf_counter() - start)
            results[rules][engine] = round(1000 * max(seconds), 2)
    return results


@benchmark
def batch_of_steps() -> dict[str, Any]:
    """Measure many steps by the batch kernel.

    Compares plain Python with it, and creating a Python object for each outcome, as was done
    before.
    """
    from hashmark.odds.batch import Batch

    results: dict[str, Any] = {}
    for name in registry.builtin_names():
        rules = registry.load(name)
        m = rules.new_match({})
        pairs = [
            (g, call)
            for other, g in ConformanceKit(name).random_positions(1, every=5)
            for call in rules.legal_calls(other, g)[:4]
        ]
        batch = Batch(rules, m)
        starts, calls = batch.positions([g for g, _ in pairs]), [call for _, call in pairs]
        probe = batch.run(starts, calls, max_leaves=2000)
        chosen = [index for index in range(len(pairs)) if index not in probe.abandoned]
        start = time.process_time()
        batch = Batch(rules, m)
        rows = batch.run(starts[chosen], [calls[index] for index in chosen])
        batch_seconds = time.process_time() - start
        start = time.process_time()
        for index in range(len(chosen)):
            [
                Outcome(*end, rules.position)
                for end in batch.distribution_of_input(rows, index).outcomes.to_list()
            ]
        object_seconds = time.process_time() - start
        start = time.process_time()
        for index in chosen:
            outlook(rules, m, *pairs[index], "plain")
        plain_seconds = time.process_time() - start
        results[name] = {
            "rows": len(rows.rows),
            "plain_to_batch": round(plain_seconds / batch_seconds),
            "objects_to_batch": round(object_seconds / batch_seconds, 1),
        }
    return results


@benchmark
def whole_plays() -> dict[str, Any]:
    """Measure the matrix of nine plays against six formations, and one play: processor seconds."""
    from hashmark.games.data_driven import RULES
    from hashmark.odds import Follower, matrix

    m = RULES.new_match({})
    g = RULES.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    results = {}
    for engine in ("compiled", "plain"):
        follower = Follower(RULES, m, engine)
        follower.play(g, "draw", "blitz")
        start = time.process_time()
        follower.play(g, "draw", "blitz")
        results[f"one_play_{engine}"] = round(time.process_time() - start, 3)
    matrix(RULES, m, g)
    start = time.process_time()
    matrix(RULES, m, g)
    results["table_compiled"] = round(time.process_time() - start, 3)
    return results


@benchmark
def judging_a_game() -> dict[str, Any]:
    """Measure judging every decision of a whole game by rollouts.

    Reports seconds, and the standard error of a call's value and of its difference to the best
    call.
    """
    from hashmark.values.rollouts import Rollouts

    results: dict[str, Any] = {}
    for name, games in (("rapid-roll", ROLLOUTS_PER_CALL), ("data-driven", ROLLOUTS_PER_CALL)):
        rules = registry.load(name)
        m = rules.new_match({})
        source = Rollouts(rules, m, games=games)
        source.runner.prepare()
        decisions = collect_decisions(name)
        start, processor_start = time.perf_counter(), time.process_time()
        judged = source.judge_all(decisions)
        elapsed = (time.perf_counter() - start, time.process_time() - processor_start)
        errors = [value.error for judgment in judged for value in judgment.calls.values()]
        difference_errors = [
            error
            for judgment in judged
            for call, error in judgment.errors.items()
            if call != judgment.best
        ]
        results[name] = {
            "decisions": len(judged),
            "calls": len(errors),
            "rollouts_of_each": games,
            "seconds": round(elapsed[0], 1),
            "processor_seconds": round(elapsed[1], 1),
            "error_of_a_value": round(sum(errors) / len(errors), 4),
            "error_of_a_difference": round(sum(difference_errors) / len(difference_errors), 4),
        }
    return results


@benchmark
def drill_of_best_play() -> dict[str, Any]:
    """Bound the value of best play in the two-minute drill from below.

    Plays drives of the searching coach for a minute of processor time, and shorter where the drill
    is made harder.
    """
    from clopper_pearson import CONFIDENCE, lower_bound

    results: dict[str, Any] = {}
    for options, seconds in (({}, 60.0), ({"start-clock": 8}, 10.0), ({"start-clock": 4}, 10.0)):
        won, drives, elapsed = 0, 0, 0.0
        while elapsed < seconds:
            start = time.process_time()
            totals = simulate(
                "two-minute-drill", 1000, seed=drives, home="search", options=options, threads=1
            ).totals
            elapsed += time.process_time() - start
            won, drives = won + totals.wins[0], drives + totals.games
        key = ", ".join(f"{name} {value}" for name, value in options.items()) or "usual options"
        results[key] = {
            "drives": drives,
            "failed": drives - won,
            f"at_least_with_confidence_{CONFIDENCE}": lower_bound(won, drives),
        }
    return results


ROLLOUTS_PER_CALL = 500


def collect_decisions(name: str) -> list[tuple[Any, Any]]:
    """Return the positions of a game by the book where there is a choice.

    Each comes with the position before the secret call, if the other team has made one.
    """
    from hashmark.engine.game import Game, SeededDice
    from hashmark.odds.odds_tables import before_secret_calls

    game = Game(name, dice=SeededDice(1), seed=1)
    positions = []
    while not game.is_over:
        if len(game.legal_calls()) > 1:
            positions.append((game.position.copy(), before_secret_calls(game)))
        game.play(game.decide(game.rules.coach("book")))
    return positions


@benchmark
def seasons() -> dict[str, Any]:
    """Measure real seasons: games per second, compiled and plain, and standings."""
    import numpy

    from hashmark.games.data_driven import RULES
    from hashmark.league.seasons import pairings as games
    from hashmark.league.seasons import standings
    from hashmark.league.seasons.season import Recipe, Replay, choose_plan
    from hashmark.sim import plain, threads

    replay = Replay(Recipe(2008, plan=choose_plan(2008, None)))
    replay.prepare()
    batch, plain_games = replay.batch, 32
    indices = numpy.arange(plain_games)
    numbers = batch.first_game_numbers()[:plain_games]
    coach = RULES.coaches.index(RULES.coach("plan"))
    compiled_seconds, plain_seconds, threaded_seconds, processor_seconds = [], [], [], []
    for _ in range(REPEATS):
        start, processor_start = time.perf_counter(), time.process_time()
        replay.play_block(0, 0, 20)
        compiled_seconds.append(time.perf_counter() - start)
        processor_seconds.append(time.process_time() - processor_start)
        start = time.perf_counter()
        blocks = [(first, 20) for first in range(0, 80, 20)]
        play_block = lambda span: replay.play_block(0, *span)  # noqa: E731
        list(threads.run_jobs(play_block, blocks, 2, lambda: False))
        threaded_seconds.append((time.perf_counter() - start) / len(blocks))
        start = time.perf_counter()
        scores = [
            plain.play_game(
                RULES,
                m := games.make_match(batch.charts, batch.pairings[index]),
                RULES.new_position(m),
                0,
                int(numbers[index]),
                (coach, coach),
            )[0].score
            for index in indices
        ]
        plain_seconds.append(time.perf_counter() - start)
    compiled_rate = 20 * replay.games_per_season / min(compiled_seconds)
    plain_rate = plain_games / min(plain_seconds)
    points = numpy.random.default_rng(0).poisson(3, (256, 10_000, 2)).astype(numpy.int16) * 7
    toss = standings.coin_tosses(0, range(10_000))
    start = time.perf_counter()
    standings.rank_seasons(replay.games, points, toss, replay.seeds_per_conference)
    ranking_seconds = time.perf_counter() - start
    return {
        "compiled_games_a_second": round(compiled_rate),
        "plain_games_a_second": round(plain_rate, 1),
        "ratio": round(compiled_rate / plain_rate, 1),
        "same_scores": batch.play(indices, numbers, 0).points.tolist() == scores,
        "two_threads_against_one": round(min(compiled_seconds) / min(threaded_seconds), 2),
        "processor_seconds_for_1000_seasons": round(50 * min(processor_seconds), 1),
        "seconds_for_10000_seasons_on_one_thread": round(
            10_000 * replay.games_per_season / compiled_rate
        ),
        "seconds_for_10000_standings": round(ranking_seconds, 2),
    }


@benchmark
def solved_games() -> dict[str, Any]:
    """Measure solving 4th Down! and Roll For Yardage! in an empty folder, and querying them.

    Reports time, memory and file size, then a best call and a review of a whole game, beyond the
    start of the command; and reviews of the games that are not solved.
    """
    from solving import measure_solving

    return measure_solving()


@benchmark
def python_api() -> dict[str, Any]:
    """Compare frames of games and plays with bare simulations, and time `import hashmark`."""
    from python_api import measure_frames, measure_import

    return {"import": measure_import(), **measure_frames()}


@benchmark
def environments_for_research() -> dict[str, Any]:
    """Measure the steps per second of the environments on one core.

    The reference is OpenSpiel's pig and backgammon, Pgx's backgammon and PettingZoo's card games.
    """
    from environments import measure_environments

    return measure_environments()


@benchmark
def several_servers_at_one_database() -> dict[str, Any]:
    """Measure one, two and four servers on SQLite and PostgreSQL with the same tables.

    Reports calls per second, response times against a bare route, a thousand spectators of one
    game, and memory.
    """
    from servers import measure_servers

    return measure_servers()


@benchmark
def tables_on_the_web() -> dict[str, Any]:
    """Measure 200 tables of `hashmark serve` against coaches, without a pause and at a human pace.

    Reports calls per second, response times against a bare route of the same server, memory per
    table, page bytes, and how soon a slow phone can play.
    """
    from slow_phone import measure_slow_phone
    from tables import measure_tables_at_once

    return {
        "without a pause": measure_tables_at_once(),
        "at a human pace": measure_tables_at_once(pause=2.0),
        "on a slow phone": measure_slow_phone(),
    }


@benchmark
def tables_beside_long_work() -> dict[str, Any]:
    """Compare the response times of tables with and without a season job."""
    from jobs import measure_tables_with_job

    return measure_tables_with_job()


def main() -> None:
    """Run the named benchmarks, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}: allowed: {', '.join(BENCHMARKS)}")
    results = {}
    for name in arguments.names or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr)
        results[name] = BENCHMARKS[name]()
        if not arguments.json:
            print(f"{name}: {json.dumps(results[name], indent=2)}")
    if arguments.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
