"""Generator of the value function of `hashmark.games.data_driven.match_values`.

    python tools/data_driven_value.py

Random pairings of real teams of all seasons are played by coaches `book`. The margins of whole
games give the rating of charts (ridge regression); positions of games, some of them changed, are
played out, and a small network is fitted to the shares of wins. Other pairings measure the error.
It takes three to five minutes. The file records seeds, data and figures.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hashmark.engine import registry
from hashmark.engine.value_function import MeasuredError
from hashmark.games.data_driven import match_values as v
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import value_features as f
from hashmark.games.data_driven.charts import files
from hashmark.games.data_driven.clock import LAST_QUARTER
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import QUARTER_SECONDS
from hashmark.sim.plain import play_game
from hashmark.storage import atomic_write
from hashmark.values.rollout_jobs import RolloutJob
from hashmark.values.rollout_runner import RolloutRunner

Floats = npt.NDArray[np.float64]
RULES = registry.load("data-driven")
TRAINING_SEED, TEST_SEED = 1, 2
COACH = "book"
RATED_PAIRINGS, RATED_GAMES = 1200, 400
RIDGE = 5.0  # of standardized figures of charts
CHANGED = 0.4  # share of training positions that are changed
PLAYOFFS = 0.1  # share of pairings
LATE = (240, 120, 40)  # seconds; later positions are sampled more often
CLOSE_SECONDS, CLOSE_LEAD = 300, 11
POINTS = (1, 2, 3, 3, 4, 6, 7, 7, 8, 10, 11, 14, 17, 21)
FREE_UNITS, MIXED_UNITS = 32, 56
BATCH, LEARNING_RATE = 1024, 0.004
DECAY = 1e-5
CALIBRATION_TENTHS = 10


# --- Data ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """A position with the shares of its rollouts."""

    m: Match
    margin: float
    g: Position
    home: float
    tie: float


def pairings(count: int, seed: int) -> Iterator[Match]:
    """Yield matches of two random teams of a season, or of two seasons."""
    dice = random.Random(seed)
    seasons = [name for name in files.list_names() if name.isdecimal()]
    for _ in range(count):
        season = dice.choice(seasons)
        other = season if dice.random() < 0.8 else dice.choice(seasons)
        home, away = (
            f"{year}:{dice.choice(list(files.load(year).teams))}" for year in (season, other)
        )
        options = {"charts": season, "home_team": home, "away_team": away}
        yield RULES.new_match({**options, "playoff": dice.random() < PLAYOFFS})


def play_out(
    m: Match, positions: list[Position], games: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Return the shares of home's wins and of ties, and home's mean margin."""
    runner = RolloutRunner(RULES, m, seed, "compiled", 1)
    winners, margins = runner.run([RolloutJob(g) for g in positions], 0, games)
    return (winners == 0).mean(axis=0), (winners == 2).mean(axis=0), margins.mean(axis=0)


def fit_rating(seed: int) -> tuple[list[float], dict[str, float]]:
    """Return the weights of the figures of charts, from the margins of whole games."""
    rows, margins = [], []
    for number, m in enumerate(pairings(RATED_PAIRINGS, seed)):
        home, away = (np.array(f.team_features(m, team)) for team in range(2))
        rows.append(home - away)
        margins.append(play_out(m, [RULES.new_position(m)], RATED_GAMES, number)[2][0])
    x, y = np.array(rows), np.array(margins)
    scale = x.std(axis=0) + 1e-9
    held = len(x) // 5
    figures = {"sd_of_margins": float(y.std())}
    error = x[:held] @ _ridge(x[held:], y[held:], scale) - y[:held]
    figures["sd_of_error"] = float(error.std())
    return _ridge(x, y, scale).round(6).tolist(), {k: round(e, 2) for k, e in figures.items()}


def _ridge(x: Floats, y: Floats, scale: Floats) -> Floats:
    z = x / scale
    fitted = np.linalg.solve(z.T @ z + RIDGE * np.eye(len(scale)), z.T @ y) / scale
    return np.where(scale > 1e-6, fitted, 0.0)


def game_positions(m: Match, seed: int, number: int) -> list[Position]:
    """Return the positions of a game at which a play, or the play of a two-point try, begins."""
    names = [coach.name for coach in RULES.all_coaches()]
    coaches = (names.index(COACH),) * 2
    seen: list[Position] = []

    def note(g: Any, *given: object) -> None:
        is_try = g.phase == p.TRY and g.asks == p.ASK_PLAY
        if g.phase != p.COIN_TOSS and (is_try or RULES.begins_play(m, g)):
            seen.append(g.copy())

    play_game(RULES, m, RULES.new_position(m), seed, number, coaches, note)
    return seen


def changed(g: Position, dice: random.Random) -> Position:
    """Return a position with another lead, clock or time-outs."""
    g = g.copy()
    if g.period > LAST_QUARTER:
        return g
    if dice.random() < 0.6:
        g.score[dice.randrange(2)] += dice.choice(POINTS)
    if dice.random() < 0.5:
        if dice.random() < 0.5:
            g.period = dice.choice((2, 4, 4, 4))
        g.clock = min(int(dice.expovariate(1 / 150)) + 2, QUARTER_SECONDS)
    if dice.random() < 0.4:
        g.timeouts = [dice.randrange(4) for _ in range(2)]
    return g


def is_close(g: Position) -> bool:
    """Return whether the game is in its last minutes, or in overtime, and not decided."""
    lead = abs(g.score[0] - g.score[1])
    return g.period >= LAST_QUARTER and g.clock < CLOSE_SECONDS and lead <= CLOSE_LEAD


def sample_game(m: Match, seed: int, number: int, count: int, change: float) -> list[Position]:
    """Return some positions of a game, those at the end of a half more often."""
    dice = random.Random(f"{seed} {number}")
    positions = game_positions(m, seed, number)
    weights = [1 + sum(f.seconds_in_half(g) < late for late in LATE) for g in positions]
    weights = [w + 3 * is_close(g) for w, g in zip(weights, positions, strict=True)]
    weights = [w + 3 * (g.phase != p.SCRIMMAGE) for w, g in zip(weights, positions, strict=True)]
    if not change:
        return dice.sample(positions, min(count, len(positions)))
    chosen = dice.choices(positions, weights, k=count)
    return [changed(g, dice) if dice.random() < change else g for g in chosen]


def samples(
    rating: list[float], matches: int, positions: int, games: int, seed: int, change: float
) -> list[Sample]:
    """Return positions of random pairings with the shares of their rollouts."""
    found = []
    for number, m in enumerate(pairings(matches, seed + 1000)):
        margin = v.expected_margin(rating, m)
        chosen = sample_game(m, seed, number, positions, change)
        home, tie, _ = play_out(m, chosen, games, 10_000 * seed + number)
        found += [Sample(m, margin, *row) for row in zip(chosen, home, tie, strict=True)]
    return found


# --- Fit -----------------------------------------------------------------------------------------


def arrays(found: list[Sample]) -> tuple[Floats, Floats, Floats]:
    """Return features with the constant 1, features of the lead, and worth, by position."""
    x = [[*f.position_features(s.m, s.g, s.margin), 1.0] for s in found]
    lead = [f.lead_features(s.g) for s in found]
    worth = [s.home + s.tie / 2 if s.g.possession == 0 else 1 - s.home - s.tie / 2 for s in found]
    return np.array(x, float), np.array(lead, float), np.array(worth)


class Fit:
    """Parameters of the network; those that must not be negative are squares."""

    def __init__(self, features: int, leads: int, seed: int) -> None:
        normal = np.random.default_rng(seed).standard_normal
        self.parts: dict[str, Floats] = {
            "free": 0.3 * normal((features, FREE_UNITS)),
            "free_out": 0.1 * normal(FREE_UNITS),
            "mixed": 0.5 * normal((features, MIXED_UNITS)),
            "leads": 0.15 * normal((leads, MIXED_UNITS)),
            "mixed_out": 0.2 * normal(MIXED_UNITS),
            "direct": np.zeros(features),
            "direct_leads": np.full(leads, 0.1),
        }
        self.parts["direct_leads"][0] = 0.8

    def gradient(self, x: Floats, lead: Floats, worth: Floats) -> tuple[float, dict[str, Floats]]:
        """Return the mean cross-entropy of a batch, and its gradient."""
        w = self.parts
        free = np.tanh(x @ w["free"])
        mixed = np.tanh(x @ w["mixed"] + lead @ w["leads"] ** 2)
        odds = free @ w["free_out"] + mixed @ w["mixed_out"] ** 2
        odds += x @ w["direct"] + lead @ w["direct_leads"] ** 2
        chance = 1 / (1 + np.exp(-odds))
        loss = np.mean(np.logaddexp(0, odds) - worth * odds)
        slope = (chance - worth) / len(worth)
        at_free = slope[:, None] * w["free_out"] * (1 - free**2)
        at_mixed = slope[:, None] * w["mixed_out"] ** 2 * (1 - mixed**2)
        return float(loss), {
            "free": x.T @ at_free,
            "free_out": free.T @ slope,
            "mixed": x.T @ at_mixed,
            "leads": 2 * w["leads"] * (lead.T @ at_mixed),
            "mixed_out": 2 * w["mixed_out"] * (mixed.T @ slope),
            "direct": x.T @ slope,
            "direct_leads": 2 * w["direct_leads"] * (lead.T @ slope),
        }

    def train(self, x: Floats, lead: Floats, worth: Floats, rounds: int, seed: int) -> None:
        """Run Adam with a falling learning rate."""
        generator = np.random.default_rng(seed)
        first = {name: np.zeros_like(part) for name, part in self.parts.items()}
        second = {name: np.zeros_like(part) for name, part in self.parts.items()}
        steps = rounds * (len(x) // BATCH)
        order = generator.permutation(len(x))
        for step in range(steps):
            begin = step * BATCH % (len(x) - BATCH + 1)
            if begin < BATCH:
                order = generator.permutation(len(x))
            rows = order[begin : begin + BATCH]
            _, slopes = self.gradient(x[rows], lead[rows], worth[rows])
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for name, slope in slopes.items():
                slope += DECAY * self.parts[name]
                first[name] += 0.1 * (slope - first[name])
                second[name] += 0.001 * (slope**2 - second[name])
                size = np.sqrt(second[name] / (1 - 0.999 ** (step + 1))) + 1e-8
                self.parts[name] -= rate * first[name] / (1 - 0.9 ** (step + 1)) / size

    def network(self) -> v.Network:
        """Return the network as the evaluator reads it."""
        w = {name: part.T for name, part in self.parts.items()}
        for name in ("leads", "mixed_out", "direct_leads"):
            w[name] = w[name] ** 2
        return v.Network(**{name: part.round(5).tolist() for name, part in w.items()})


def fit_ties(found: list[Sample], network: v.Network) -> list[float]:
    """Return weights of the share of ties, by Newton's method for a logistic regression."""
    chosen = [s for s in found if not s.m.playoff]
    x = np.array([v.tie_features(s.m, s.g) for s in chosen], float)
    worth = np.array([s.home + s.tie / 2 for s in chosen])
    room = 2 * np.minimum(worth, 1 - worth)
    share = np.divide(np.array([s.tie for s in chosen]), room, where=room > 0, out=0 * room)
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ weights))
        curve = x.T @ (x * (room * chance * (1 - chance))[:, None]) + 1e-2 * np.eye(len(weights))
        weights += np.linalg.solve(curve, x.T @ (room * (share - chance)) - 1e-2 * weights)
    return weights.round(5).tolist()


# --- Error ---------------------------------------------------------------------------------------


def measure(fitted: v.FittedFile, found: list[Sample], games: int) -> tuple[MeasuredError, Any]:
    """Return the error on positions the fit has not seen, and a calibration by tenths."""
    given, seen = [], []
    functions: dict[int, v.MatchValues] = {}
    for s in found:
        function = functions.setdefault(id(s.m), v.MatchValues(fitted, s.m))
        home, tie, _ = function.chances(s.m, s.g)
        given.append(home + tie / 2)
        seen.append(s.home + s.tie / 2)
    worths, played = np.array(given), np.array(seen)
    sizes = np.abs(worths - played)
    tenths = np.clip((worths * CALIBRATION_TENTHS).astype(int), 0, CALIBRATION_TENTHS - 1)
    rows = [np.flatnonzero(tenths == tenth) for tenth in range(CALIBRATION_TENTHS)]
    rms = tuple(float(np.sqrt((sizes[row] ** 2).mean()).round(4)) for row in rows)
    error = MeasuredError(
        mean=float(sizes.mean().round(4)),
        p99=float(np.quantile(sizes, 0.99).round(4)),
        rms_by_tenth=rms,
        calls=float(np.sqrt((sizes**2).mean()).round(4)),
        positions=len(sizes),
        reference=f"{games:,} games played out by coach {COACH}",
    )
    calibration = [
        [len(row), float(worths[row].mean().round(4)), float(played[row].mean().round(4))]
        for row in rows
    ]
    return error, calibration


def main() -> None:
    """Fit the value function and write its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairings", type=int, default=600)
    parser.add_argument("--positions", type=int, default=60, help="of each pairing")
    parser.add_argument("--games", type=int, default=100, help="played out from each position")
    parser.add_argument("--rounds", type=int, default=70, help="through all positions")
    parser.add_argument("--test-pairings", type=int, default=100)
    parser.add_argument("--test-games", type=int, default=5000)
    parser.add_argument("--out", type=Path, default=v.FILE)
    given = parser.parse_args()
    started = time.perf_counter()

    def report(text: str) -> None:
        print(f"{time.perf_counter() - started:.0f} s: {text}", file=sys.stderr)

    rating, figures = fit_rating(TRAINING_SEED)
    report(f"rating: {figures}")
    size = (given.pairings, given.positions, given.games)
    found = samples(rating, *size, TRAINING_SEED, CHANGED)
    report(f"{len(found):,} positions played out")
    x, lead, worth = arrays(found)
    fit = Fit(x.shape[1], lead.shape[1], TRAINING_SEED)
    fit.train(x, lead, worth, given.rounds, TRAINING_SEED)
    report(f"fitted; cross-entropy {fit.gradient(x, lead, worth)[0]:.5f}")
    header = {
        "format": v.FORMAT,
        "version": RULES.version,
        "options": v.option_fields(RULES.new_match()),
        "training": {
            "method": "ridge regression of margins on charts; network of win shares",
            "seed": TRAINING_SEED,
            "coach": COACH,
            "rated_pairings": RATED_PAIRINGS,
            "rated_games": RATED_GAMES,
            "rating": figures,
            "pairings": given.pairings,
            "positions": len(found),
            "games_per_position": given.games,
            "rounds": given.rounds,
            "test_seed": TEST_SEED,
            "test_pairings": given.test_pairings,
            "test_games_per_position": given.test_games,
        },
    }
    network = fit.network()
    fitted = v.FittedFile(
        {**header, "error": asdict(NO_ERROR)}, rating, network, fit_ties(found, network)
    )
    tests = samples(rating, given.test_pairings, 5, given.test_games, TEST_SEED, 0.0)
    error, calibration = measure(fitted, tests, given.test_games)
    report(str(error))
    content = {
        **header,
        "error": asdict(error),
        "calibration": calibration,
        "rating": rating,
        "ties": fitted.ties,
        "network": asdict(network),
    }
    text = json.dumps(content, separators=(",", ":")) + "\n"
    atomic_write.write_file(given.out, text.encode())
    report(f"{given.out}: {given.out.stat().st_size:,} bytes; calibration {calibration}")


NO_ERROR = MeasuredError(0.0, 0.0, (0.0,) * CALIBRATION_TENTHS, 0.0, 0, "")


if __name__ == "__main__":
    main()
