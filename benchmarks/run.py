"""Speed and memory, measured side by side in one run.

    python benchmarks/run.py [NAME ...] [--json]

Machines are shared and noisy, so figures that matter are ratios: both sides are measured in
turns in the same run, and the best of several turns counts on each side. Nothing here is a
test; a figure is written down, not asserted.
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

from hashmark.odds import Outcome, outlook
from hashmark.referee import Referee
from hashmark.sim import simulate
from hashmark.table import registry

HERE = Path(__file__).parent
TURNS = 5
BENCHMARKS: dict[str, Callable[[], dict[str, Any]]] = {}


def benchmark(function: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Put a benchmark on the list."""
    BENCHMARKS[function.__name__] = function
    return function


def coach_of(rules: str) -> str:
    """The coach that both sides of a comparison use."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return "book" if "book" in names else names[0]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "hashmark", *arguments]


def seconds_of(line: list[str]) -> dict[str, float]:
    """The best time of a whole command: by the clock, and of the processor alone."""
    clock, processor = [], []
    for _ in range(TURNS):
        used, began = processor_seconds(), time.perf_counter()
        subprocess.run(line, capture_output=True, check=True)
        clock.append(time.perf_counter() - began)
        processor.append(processor_seconds() - used)
    return {"seconds": round(min(clock), 3), "processor_seconds": round(min(processor), 3)}


def processor_seconds() -> float:
    """What all child processes have used so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def games_in_a_second(rules: str, coach: str) -> int:
    """A number of games that takes compiled code about a second."""
    games = 100
    while True:
        result = simulate(rules, games, home=coach, away=coach, threads=1)
        if result.seconds > 0.2:
            return int(games / result.seconds)
        games *= 4


@benchmark
def compiled_against_plain() -> dict[str, Any]:
    """The same games on one core in both engines: games a second and their ratio."""
    said: dict[str, Any] = {}
    for rules in registry.built_in():
        coach = coach_of(rules)
        plain_games = 200
        games = games_in_a_second(rules, coach)
        fast, slow = [], []
        for _ in range(TURNS):
            common: dict[str, Any] = {"home": coach, "away": coach, "threads": 1}
            fast.append(simulate(rules, games, **common))
            slow.append(simulate(rules, plain_games, engine="plain", **common))
        same = simulate(rules, plain_games, home=coach, away=coach).digest == slow[0].digest
        compiled = games / min(one.seconds for one in fast)
        plain = plain_games / min(one.seconds for one in slow)
        said[rules] = {
            "compiled_games_a_second": round(compiled),
            "plain_games_a_second": round(plain),
            "ratio": round(compiled / plain, 1),
            "same_digest": same,
        }
    return said


@benchmark
def compiled_against_c() -> dict[str, Any]:
    """4th Down! against a C program of the same rules, generator, coach and statistics."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return {"not measured": "there is no C compiler on this machine"}
    games = 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "fourth_down")
        source = str(HERE / "fourth_down.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        ours, theirs, same = [], [], True
        for _ in range(TURNS):
            out = subprocess.run([program, str(games), "0"], capture_output=True, check=True)
            c = json.loads(out.stdout)
            result = simulate("fourth-down", games, threads=1)
            theirs.append(games / c["seconds"])
            ours.append(games / result.seconds)
            same = same and c["digest"] == result.digest
    return {
        "compiled_games_a_second": round(max(ours)),
        "c_games_a_second": round(max(theirs)),
        "ratio": round(max(ours) / max(theirs), 3),
        "same_digest": same,
    }


@benchmark
def two_threads_against_one() -> dict[str, Any]:
    """The same games of 4th Down! on one thread and on two."""
    games = 2_000_000
    digests, rates = set(), []
    for threads in (1, 2):
        runs = [simulate("fourth-down", games, threads=threads) for _ in range(TURNS)]
        digests |= {run.digest for run in runs}
        rates.append(games / min(run.seconds for run in runs))
    return {"ratio": round(rates[1] / rates[0], 2), "same_digest": len(digests) == 1}


@benchmark
def memory() -> dict[str, Any]:
    """The largest memory of ten million games of 4th Down! in a process of their own."""
    line = command("simulate", "fourth-down", "--games", "10000000", "--json")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    subprocess.run(line, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    said: dict[str, Any] = {"games": 10_000_000, "megabytes": round(after / 1024)}
    if after == before:
        said["note"] = "an earlier process of this run was as large: run this benchmark alone"
    return said


@benchmark
def start_up() -> dict[str, Any]:
    """Seconds from the command to its answer, everything compiled before."""
    simulation = command("simulate", "fourth-down", "--games", "1000")
    subprocess.run(simulation, capture_output=True, check=True)
    return {
        "bare_python": seconds_of([sys.executable, "-c", "pass"]),
        "hashmark_help": seconds_of(command("--help")),
        "game_of_two_coaches": seconds_of(
            command("play", "fourth-down", "--home", "coach:book", "--seed", "1")
        ),
        "simulate_1000_games_cached": seconds_of(simulation),
    }


@benchmark
def odds_of_a_position() -> dict[str, Any]:
    """Milliseconds for the exact odds of a call, the slowest of many positions."""
    said: dict[str, Any] = {}
    for rules in registry.built_in():
        referee = Referee(rules)
        game = referee.rules
        said[rules] = {}
        for engine in ("compiled", "auto"):
            took: list[float] = []
            for m, g in referee.positions(2, every=7):
                for call in game.legal_calls(m, g)[:4]:
                    if not took:
                        outlook(game, m, g, call, engine)
                    began = time.perf_counter()
                    outlook(game, m, g, call, engine)
                    took.append(time.perf_counter() - began)
            said[rules][engine] = round(1000 * max(took), 2)
    return said


@benchmark
def batch_of_steps() -> dict[str, Any]:
    """Many steps by the batch kernel: how much longer plain Python takes for them, and how much
    longer it takes to make a Python object of each outcome, as was done before."""
    from hashmark.odds.batch import Batch

    said: dict[str, Any] = {}
    for name in registry.built_in():
        rules = registry.load(name)
        m = rules.new_match({})
        pairs = [
            (g, call)
            for other, g in Referee(name).positions(1, every=5)
            for call in rules.legal_calls(other, g)[:4]
        ]
        batch = Batch(rules, m)
        starts, calls = batch.positions([g for g, _ in pairs]), [call for _, call in pairs]
        few = batch.run(starts, calls, most=2000)
        kept = [at for at in range(len(pairs)) if at not in few.many]
        began = time.process_time()
        batch = Batch(rules, m)
        rows = batch.run(starts[kept], [calls[at] for at in kept])
        by_batch = time.process_time() - began
        began = time.process_time()
        for at in range(len(kept)):
            [Outcome(*end, rules.position) for end in batch.found_by(rows, at).ends.listed()]
        of_objects = time.process_time() - began
        began = time.process_time()
        for at in kept:
            outlook(rules, m, *pairs[at], "plain")
        by_plain = time.process_time() - began
        said[name] = {
            "rows": len(rows.rows),
            "plain_to_batch": round(by_plain / by_batch),
            "objects_to_batch": round(of_objects / by_batch, 1),
        }
    return said


@benchmark
def whole_plays() -> dict[str, Any]:
    """Processor seconds of the table of nine plays against six formations, and of one play."""
    from hashmark.games.data_driven import RULES
    from hashmark.odds import Follower, matrix

    m = RULES.new_match({})
    g = RULES.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    said = {}
    for engine in ("compiled", "plain"):
        play = Follower(RULES, m, engine)
        play.play(g, "draw", "blitz")
        began = time.process_time()
        play.play(g, "draw", "blitz")
        said[f"one_play_{engine}"] = round(time.process_time() - began, 3)
    matrix(RULES, m, g)
    began = time.process_time()
    matrix(RULES, m, g)
    said["table_compiled"] = round(time.process_time() - began, 3)
    return said


@benchmark
def judging_a_game() -> dict[str, Any]:
    """Every decision of a whole game played out: seconds, and the standard error of a call's value
    and of its difference to the best call."""
    from hashmark.values.rollouts import Rollouts

    said: dict[str, Any] = {}
    for name, games in (("rapid-roll", ROLLOUTS), ("data-driven", ROLLOUTS)):
        rules = registry.load(name)
        m = rules.new_match({})
        source = Rollouts(rules, m, games=games)
        source.player.ready()
        asked = decisions(name)
        began, used = time.perf_counter(), time.process_time()
        judged = source.judge_all(asked)
        took = (time.perf_counter() - began, time.process_time() - used)
        errors = [value.error for one in judged for value in one.calls.values()]
        apart = [e for one in judged for call, e in one.errors.items() if call != one.best]
        said[name] = {
            "decisions": len(judged),
            "calls": len(errors),
            "rollouts_of_each": games,
            "seconds": round(took[0], 1),
            "processor_seconds": round(took[1], 1),
            "error_of_a_value": round(sum(errors) / len(errors), 4),
            "error_of_a_difference": round(sum(apart) / len(apart), 4),
        }
    return said


@benchmark
def drill_of_best_play() -> dict[str, Any]:
    """The two-minute drill: what best play is worth at least, by drives of the searching coach in
    a minute of processor time, and what it reaches where the drill is made harder."""
    from hashmark.values.bounds import CONFIDENCE, at_least

    said: dict[str, Any] = {}
    for options, seconds in (({}, 60.0), ({"start-clock": 8}, 10.0), ({"start-clock": 4}, 10.0)):
        won, drives, used = 0, 0, 0.0
        while used < seconds:
            began = time.process_time()
            done = simulate(
                "two-minute-drill", 1000, seed=drives, home="search", options=options, threads=1
            ).totals
            used += time.process_time() - began
            won, drives = won + done.wins[0], drives + done.games
        key = ", ".join(f"{name} {value}" for name, value in options.items()) or "usual options"
        said[key] = {
            "drives": drives,
            "failed": drives - won,
            f"at_least_with_confidence_{CONFIDENCE}": at_least(won, drives),
        }
    return said


ROLLOUTS = 500


def decisions(name: str) -> list[tuple[Any, Any]]:
    """Where there is something to decide in a game by the book, and what was before it if the
    other team has called in secret."""
    from hashmark.odds.advice import before_secret_calls
    from hashmark.table.game import Game, SeededDice

    game = Game(name, dice=SeededDice(1), seed=1)
    found = []
    while not game.is_over:
        if len(game.legal()) > 1:
            found.append((game.position.copy(), before_secret_calls(game)))
        game.play(game.decide(game.rules.coach("book")) if game.wants_call else None)
    return found


@benchmark
def seasons() -> dict[str, Any]:
    """Real seasons: games a second of the replay, against the plain rules, and the standings."""
    import numpy

    from hashmark.games.data_driven import RULES
    from hashmark.league.seasons import games, standings
    from hashmark.league.seasons.season import Recipe, Replay, choose_plan
    from hashmark.sim import plain, threads

    replay = Replay(Recipe(2008, plan=choose_plan(2008, None)))
    replay.prepare()
    slate, few = replay.slate, 32
    which = numpy.arange(few)
    numbers = slate.numbers()[:few]
    coach = RULES.coaches.index(RULES.coach("plan"))
    fast, slow, threaded, processor = [], [], [], []
    for _ in range(TURNS):
        began, used = time.perf_counter(), time.process_time()
        replay.block(0, 0, 20)
        fast.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
        began = time.perf_counter()
        blocks = [(first, 20) for first in range(0, 80, 20)]
        work = lambda span: replay.block(0, *span)  # noqa: E731
        list(threads.spread(work, blocks, 2, lambda: False))
        threaded.append((time.perf_counter() - began) / len(blocks))
        began = time.perf_counter()
        scores = [
            plain.play_game(
                RULES,
                m := games.make_match(slate.charts, slate.pairings[at]),
                RULES.new_position(m),
                0,
                int(numbers[at]),
                (coach, coach),
            )[0].score
            for at in which
        ]
        slow.append(time.perf_counter() - began)
    compiled = 20 * replay.games_a_season / min(fast)
    plain_rate = few / min(slow)
    points = numpy.random.default_rng(0).poisson(3, (256, 10_000, 2)).astype(numpy.int16) * 7
    toss = standings.tosses(0, range(10_000))
    began = time.perf_counter()
    standings.rank(replay.games, points, toss, replay.places)
    ranked = time.perf_counter() - began
    return {
        "compiled_games_a_second": round(compiled),
        "plain_games_a_second": round(plain_rate, 1),
        "ratio": round(compiled / plain_rate, 1),
        "same_scores": slate.play(which, numbers, 0).points.tolist() == scores,
        "two_threads_against_one": round(min(fast) / min(threaded), 2),
        "processor_seconds_for_1000_seasons": round(50 * min(processor), 1),
        "seconds_for_10000_seasons_on_one_thread": round(10_000 * replay.games_a_season / compiled),
        "seconds_for_10000_standings": round(ranked, 2),
    }


@benchmark
def solved_games() -> dict[str, Any]:
    """4th Down! and Roll For Yardage! solved in an empty folder: time, memory, the file; then a
    best call and a review of a whole game, beyond the start of the command. And the reviews of
    games that are not solved."""
    from solving import solving

    return solving()


@benchmark
def environments_for_research() -> dict[str, Any]:
    """Steps a second of the environments on one core, against OpenSpiel's pig and backgammon, Pgx's
    backgammon and PettingZoo's card games."""
    from environments import environments

    return environments()


@benchmark
def several_servers_at_one_database() -> dict[str, Any]:
    """One, two and four servers at SQLite and at PostgreSQL, with the same tables: calls a second,
    how long one takes against a bare route, a thousand watchers of one game, memory."""
    from servers import several_servers

    return several_servers()


@benchmark
def tables_on_the_web() -> dict[str, Any]:
    """200 tables of `hashmark serve` against coaches, called without a pause and at a human pace:
    calls a second, how long one takes against a bare route of the same server, memory a table,
    bytes of the pages; and how soon a slow phone can play."""
    from slow_phone import slow_phone
    from tables import tables_at_once

    return {
        "without a pause": tables_at_once(),
        "at a human pace": tables_at_once(pause=2.0),
        "on a slow phone": slow_phone(),
    }


@benchmark
def tables_beside_long_work() -> dict[str, Any]:
    """Answer times of tables while a season is played beside the server, against without."""
    from works import tables_beside_work

    return tables_beside_work()


def main() -> None:
    """Run the benchmarks that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}: allowed: {', '.join(BENCHMARKS)}")
    said = {}
    for name in given.names or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr)
        said[name] = BENCHMARKS[name]()
        if not given.json:
            print(f"{name}: {json.dumps(said[name], indent=2)}")
    if given.json:
        print(json.dumps(said, indent=2))


if __name__ == "__main__":
    main()
