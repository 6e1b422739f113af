"""Training of the value functions that solved games ship.

    python -m hashmark.values.train fourth-down

compresses the solution in the user's data directory (`hashmark solve` makes it) into the file of
the game, measures its error on positions of simulated games, and prints the figures. The file
records them with the seed and the games, so that the same command gives the same file.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hashmark.engine import low_rank_values, registry
from hashmark.engine import solver_keys as k
from hashmark.engine.low_rank_values import FORMAT, LowRankValues, key_code
from hashmark.engine.record import HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.value_function import MeasuredError, ValueFunction
from hashmark.errors import HashmarkError
from hashmark.odds.arrays import Floats, Ints, Records
from hashmark.sim.plain import play_game
from hashmark.storage import atomic_write
from hashmark.values import solution
from hashmark.values.shipped import ShippedSource
from hashmark.values.solved import SolvedGame, StoredBlock
from hashmark.values.value import DEFAULT_TIE_VALUE

TRAINING_SEED, TEST_SEED = 1, 2
COACHES = ("best", "book")  # both teams are coached alike, by each in turn
TENTHS = 10
STEP = 2e-4  # resolution of the products, as a fraction of a win
MAX_LEVELS = 32_000
SKETCH = 12  # further directions of the randomized decomposition
POWER_ITERATIONS = 3
TIE_WEIGHT = 0.5  # of an error of the tie probability, against one of the worth
KEY_PRIOR = 0.05  # visits that every key counts in addition to its own
LEAD_PRIOR = 0.02  # of the mean weight of a lead
LEAD_BLUR = 3  # leads over which visits are averaged, to each side
DENSE_CLOCK = 9  # below this every clock is a knot, above it every `SPARSE_TICKS`
SPARSE_TICKS = {"fourth-down": 9, "roll-for-yardage": 4}
RANKS = {"fourth-down": 10, "roll-for-yardage": 10}
MAX_SUMMED_KEYS = 2000  # of a region whose times are summed up whole, one in `SUMMED_TIMES`
SUMMED_TIMES = 8
SAMPLED_KEYS = 400  # keys whose values are summed up at a partial time
LEADLESS_RANK = 4  # rank of overtimes, where the lead is part of the key
CALL_SAMPLES = 400  # decisions whose calls are compared


NO_ERROR = MeasuredError(0.0, 0.0, (0.0,) * TENTHS, 0.0, 0, "")  # before it is measured


@dataclass(frozen=True)
class Visit:
    """A position of a simulated game, split into its key, time and lead."""

    key: tuple[int, ...]
    time: tuple[int, int, int, int]
    lead: int


# --- Positions of simulated games ---------------------------------------------------------------


def simulated_positions(
    rules: RuleSet, m: MatchRecord, games: int, seed: int
) -> Iterator[PositionRecord]:
    """Yield every position of simulated games in which a call or dice are pending."""
    names = [coach.name for coach in rules.all_coaches()]
    for number in range(games):
        coach = names.index(COACHES[number % len(COACHES)])
        seen: list[PositionRecord] = []
        play_game(
            rules,
            m,
            rules.new_position(m),
            seed,
            number,
            (coach, coach),
            lambda g, *given, seen=seen: seen.append(g.copy()),
        )
        yield from seen


def split(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Visit:
    """Split a position into its key, time and lead."""
    key, place = g.copy(), [0] * k.PLACE_SIZE
    k.split_key(rules, m, key, place)
    time = (place[k.PERIOD], place[k.CLOCK], place[k.CARRIED], place[k.MORE_CARRIED])
    return Visit(tuple(key.flat()), time, place[k.LEAD])


# --- The matrix of a region ---------------------------------------------------------------------


@dataclass
class RegionData:
    """Times with the same keys, and the values of all keys at some of them."""

    keys: Ints  # numbers of the keys in the solution
    whole: list[StoredBlock]  # times at which the value of every key is read
    partial: list[StoredBlock]  # times at which only those of a sample are summed up
    values: Floats  # of the whole blocks: worth and tie probability by key, time and lead

    @property
    def has_leads(self) -> bool:
        return bool(self.whole[0].width >= 0)

    @property
    def times(self) -> list[tuple[int, ...]]:
        return [block.time[1:] for block in (*self.whole, *self.partial)]


def regions_of(solved: SolvedGame) -> list[RegionData]:
    """Return the regions of a solution, times with the same keys."""
    groups: dict[tuple[bool, bytes], list[StoredBlock]] = {}
    for block in _knots(solved):
        keys = np.sort(block.kind.members)
        groups.setdefault((block.width >= 0, keys.tobytes()), []).append(block)
    return [_region(solved, blocks) for blocks in groups.values()]


def _knots(solved: SolvedGame) -> list[StoredBlock]:
    """Return the blocks at the knots; other times are interpolated.

    Knots are all blocks with rules of their own (the ends of the halves), and of a steady stretch
    the last clocks, the first one, and every nth between them.
    """
    ticks = SPARSE_TICKS[solved.rules.name]
    highest: dict[tuple[int, ...], int] = {}
    for block in solved.blocks.values():
        span = _span(block)
        highest[span] = max(highest.get(span, 0), block.time[2])
    return [
        block
        for block in solved.blocks.values()
        if not block.time[0]
        or block.time[2] <= DENSE_CLOCK
        or block.time[2] % ticks == 1
        or block.time[2] == highest[_span(block)]
    ]


def _span(block: StoredBlock) -> tuple[int, ...]:
    """Return what the blocks of a steady stretch share."""
    return (block.time[0], block.time[1], *block.time[3:])


def _region(solved: SolvedGame, blocks: Sequence[StoredBlock]) -> RegionData:
    """Return a region; where values are sums of others, some times are summed up whole."""
    keys = np.sort(blocks[0].kind.members)
    whole = [block for block in blocks if (np.asarray(block.stored_index_of) >= 0).all()]
    partial = [block for block in blocks if block not in whole]
    if len(keys) <= MAX_SUMMED_KEYS:
        whole += partial[::SUMMED_TIMES]
        partial = [block for block in partial if block not in whole]
    values = np.stack([block_values(solved, block, keys) for block in whole], axis=2)
    return RegionData(keys, whole, partial, values)


def block_values(solved: SolvedGame, block: StoredBlock, keys: Ints) -> Floats:
    """Return worth and tie probability of keys in a block, by key and lead."""
    members = block.kind.member_of[keys]
    leads = range(-block.width, block.width + 1) if block.width >= 0 else range(1)
    chances = np.zeros((2, len(members), len(leads)), np.float32)
    rows = np.asarray(block.stored_index_of)[members]
    stored, missing = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
    if len(stored):
        found = np.asarray(block.values(rows[stored]))[rows[stored]]
        chances[:, stored] = found.transpose(1, 0, 2)
    for column, lead in enumerate(leads if len(missing) else ()):
        pairs = [(int(member), lead) for member in members[missing]]
        chances[:, missing, column] = np.array(solved.sums(block, pairs)).T
    won, lost = chances
    return np.stack([DEFAULT_TIE_VALUE * (1 + won - lost), 1 - won - lost])


# --- Weights: where games are --------------------------------------------------------------------


def key_weights(data: RegionData, visits: Sequence[Visit], numbers: dict[Any, int]) -> Floats:
    """Return how often simulated games reach each key of a region, with a prior for all."""
    counts = np.full(max(numbers.values()) + 1, KEY_PRIOR)
    for visit in visits:
        if visit.key in numbers:
            counts[numbers[visit.key]] += 1
    return counts[data.keys]


def lead_weights(data: RegionData, visits: Sequence[Visit]) -> Floats:
    """Return the weight of each lead at each time of a region, from games at similar times."""
    leads = data.values.shape[3]
    if not data.has_leads:
        return np.ones((len(data.times), 1))
    reach = leads // 2
    by_period = {period: np.zeros(leads) for period, *_ in data.times}
    for visit in visits:
        if visit.time[0] in by_period and abs(visit.lead) <= reach:
            by_period[visit.time[0]][visit.lead + reach] += 1
    blur = np.ones(2 * LEAD_BLUR + 1) / (2 * LEAD_BLUR + 1)
    weights = np.array([np.convolve(by_period[period], blur, "same") for period, *_ in data.times])
    weights = weights + weights[:, ::-1]  # either team may lead
    weights += LEAD_PRIOR * np.maximum(weights.mean(axis=1, keepdims=True), 1e-9)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


# --- Factorization and packing -------------------------------------------------------------------


def factorize(matrix: Floats, rows: Floats, columns: Floats, rank: int) -> tuple[Floats, Floats]:
    """Return thin factors of a matrix, the weighted sum of squared errors being smallest.

    `rows` and `columns` are weights. The method is randomized subspace iteration.
    """
    rank = min(rank, *matrix.shape)
    left, right = np.sqrt(rows)[:, None], np.sqrt(columns)[None]
    weighted = matrix * left * right
    generator = np.random.default_rng(TRAINING_SEED)
    width = min(rank + SKETCH, *matrix.shape)
    basis = weighted @ generator.standard_normal((weighted.shape[1], width), weighted.dtype)
    for _ in range(POWER_ITERATIONS):
        basis = np.linalg.qr(weighted @ (weighted.T @ np.linalg.qr(basis)[0]))[0]
    small = basis.T @ weighted
    directions, sizes, patterns = np.linalg.svd(small, full_matrices=False)
    factors = (basis @ directions[:, :rank]) * sizes[:rank] / left
    return factors, patterns[:rank] / right


def fit_region(
    solved: SolvedGame, data: RegionData, rows: Floats, columns: Floats, rank: int
) -> tuple[Floats, Floats]:
    """Return factors of the keys, and patterns by component, kind of value, time and lead.

    `rows` and `columns` are the weights of keys, and of leads by time. The values of all keys give
    the factors; at the partial times a sample of keys gives the patterns, by least squares.
    """
    kinds, keys, whole, leads = data.values.shape
    scale = np.array([1.0, TIE_WEIGHT], np.float32)
    centered = data.values - np.array([0.5, 0.0], np.float32)[:, None, None, None]
    matrix = (centered * scale[:, None, None, None]).transpose(1, 0, 2, 3).reshape(keys, -1)
    weights = np.tile(columns[:whole].reshape(-1), kinds)
    factors, found = factorize(matrix, rows / rows.sum(), weights / weights.sum(), rank)
    patterns = np.zeros((len(found), kinds, len(data.times), leads))
    patterns[:, :, :whole] = found.reshape(len(found), kinds, whole, leads)
    chosen = _sample(rows)
    root = np.sqrt(rows[chosen])[:, None]
    for time, block in enumerate(data.partial, whole):
        values = block_values(solved, block, data.keys[chosen])
        targets = (values - np.array([0.5, 0.0])[:, None, None]) * scale[:, None, None]
        targets = targets.transpose(1, 0, 2).reshape(len(chosen), -1)
        fitted = np.linalg.lstsq(factors[chosen] * root, targets * root, rcond=None)[0]
        patterns[:, :, time] = fitted.reshape(len(found), kinds, leads)
    return factors, patterns


def _sample(weights: Floats) -> Ints:
    """Return the indices of a sample of keys, likelier where games are."""
    count = min(SAMPLED_KEYS, len(weights))
    chances = np.sqrt(weights) / np.sqrt(weights).sum()
    generator = np.random.default_rng(TRAINING_SEED)
    return np.sort(generator.choice(len(weights), count, replace=False, p=chances))


def pack_region(
    data: RegionData, codes: Ints, factors: Floats, patterns: Floats
) -> tuple[dict[str, Any], bytes]:
    """Return a region as the entry in the header and its compressed numbers."""
    order = np.argsort(codes)
    flat = patterns.reshape(len(patterns), -1)
    tops = np.abs(factors).max(axis=0) + 1e-12, np.abs(flat).max(axis=1) + 1e-12
    levels = np.clip(tops[0] * tops[1] / STEP, 1, MAX_LEVELS)
    rows = np.round(factors[order] / tops[0] * levels).astype(np.int64)
    columns = np.round(patterns / (tops[1] / levels)[:, None, None, None]).astype(np.int64)
    columns = columns.transpose(1, 0, 2, 3)
    entry = {
        "has_leads": data.has_leads,
        "rank": len(levels),
        "keys": len(factors),
        "columns": patterns.shape[3],
        "times": [[int(number) for number in time] for time in data.times],
        "scales": [float(f"{scale:.9g}") for scale in tops[0] * tops[1] / levels**2],
        "tie_scale": 1 / TIE_WEIGHT,
    }
    parts = _steps(codes[order], "<u4"), _steps(rows.T, "<u2"), _steps(columns, "<u2")
    return entry, zlib.compress(b"".join(parts), 9)


def _steps(numbers: Ints, dtype: str) -> bytes:
    """Return the differences of neighbors along the last axis, which are small, as bytes."""
    return np.diff(numbers, prepend=0, axis=-1).astype(dtype).tobytes()


def digits_of(keys: Ints) -> list[list[int]]:
    """Return index, lowest value and base of each number in which keys differ."""
    lows, highs = keys.min(axis=0), keys.max(axis=0)
    return [
        [int(index), int(lows[index]), int(highs[index] - lows[index] + 1)]
        for index in np.flatnonzero(highs > lows)
    ]


def flat_keys(rules: RuleSet, keys: Records) -> Ints:
    """Return keys as rows of numbers, as `PositionRecord.flat` gives them."""
    return np.array([rules.position.from_array(key).flat() for key in keys], np.int64)


def compress(solved: SolvedGame, visits: Sequence[Visit]) -> tuple[dict[str, Any], bytes]:
    """Return the header of a value function, without its errors, and its regions."""
    rules = solved.rules
    flat = flat_keys(rules, solved.file.array("keys"))
    digits = digits_of(flat)
    numbers = {tuple(row): number for number, row in enumerate(flat.tolist())}
    codes = np.array([key_code(row, digits) for row in flat.tolist()], np.int64)
    entries, packed = [], []
    for data in regions_of(solved):
        rank = RANKS[rules.name] if data.has_leads else LEADLESS_RANK
        weights = key_weights(data, visits, numbers), lead_weights(data, visits)
        factors, patterns = fit_region(solved, data, *weights, rank)
        entry, content = pack_region(data, codes[data.keys], factors, patterns)
        entries.append({**entry, "size": len(content)})
        packed.append(content)
        print(f"region of {len(data.keys):,} keys, {len(data.times)} times: {len(content):,} bytes")
    header = {
        "format": FORMAT,
        "rules": rules.name,
        "version": rules.version,
        "digits": digits,
        "max_lead": solution.SolveTask(rules, solved.m).leads,
        "regions": entries,
    }
    return header, b"".join(packed)


# --- Error ---------------------------------------------------------------------------------------


def measure(
    solved: SolvedGame, function: ValueFunction, positions: Sequence[PositionRecord]
) -> MeasuredError:
    """Compare a value function with the solution, on positions and on the calls of decisions."""
    worths, errors = [], []
    for g in positions:
        found = function.chances(solved.m, g)
        if found is not None:
            worth = found[0] + DEFAULT_TIE_VALUE * found[1]
            worths.append(worth)
            errors.append(abs(worth - solved.value(g).worth(HOME)))
    sizes = np.array(errors)
    tenths = np.clip((np.array(worths) * TENTHS).astype(int), 0, TENTHS - 1)
    error = MeasuredError(
        mean=_rounded(sizes.mean()),
        p99=_rounded(np.quantile(sizes, 0.99)),
        rms_by_tenth=tuple(_rms(sizes[tenths == tenth]) for tenth in range(TENTHS)),
        calls=0.0,
        positions=len(sizes),
        reference="the solved game",
    )
    step = max(len(positions) // CALL_SAMPLES, 1)
    return replace(error, calls=_rms(_call_errors(solved, function, positions[::step])))


def _call_errors(
    solved: SolvedGame, function: ValueFunction, positions: Sequence[PositionRecord]
) -> Floats:
    """Return the errors of what calls lose against the best one."""
    rules, m = solved.rules, solved.m
    source, errors = ShippedSource(rules, m, function), [0.0]
    for g in positions:
        calls = rules.questions[rules.question(m, g)].calls
        if not calls or len(rules.legal_calls(m, g)) < 2:
            continue
        exact, judged = solved.judge(g), source.judge(g)
        errors += [judged.loss(call) - exact.loss(call) for call in judged.calls]
    return np.array(errors)


def _rms(errors: Floats) -> float:
    return _rounded(math.sqrt((errors**2).mean())) if len(errors) else 0.0


def _rounded(error: float) -> float:
    return float(f"{error:.3g}")


# --- Command -------------------------------------------------------------------------------------


def train(rules: RuleSet, games: int, test_games: int, out: Path) -> MeasuredError:
    """Write the value function of a solved game; return its error on other games."""
    m = rules.new_match()
    solved = solution.find(rules, m)
    if not isinstance(solved, SolvedGame):
        raise HashmarkError(f"solve the game first: hashmark solve {rules.name}")
    visits = [split(rules, m, g) for g in simulated_positions(rules, m, games, TRAINING_SEED)]
    header, body = compress(solved, visits)
    header["training"] = {
        "method": "low-rank factors of the solution, weighted by visits of simulated games",
        "seed": TRAINING_SEED,
        "games": games,
        "test_seed": TEST_SEED,
        "test_games": test_games,
        "coaches": list(COACHES),
        "rank": RANKS[rules.name],
    }
    header["error"] = asdict(NO_ERROR)
    positions = list(simulated_positions(rules, m, test_games, TEST_SEED))
    error = measure(solved, LowRankValues(rules, _content(header, body)), positions)
    header["error"] = asdict(error)
    atomic_write.write_file(out, _content(header, body))
    return error


def _content(header: dict[str, Any], body: bytes) -> bytes:
    return json.dumps(header, separators=(",", ":")).encode() + b"\n" + body


def data_file(rules: RuleSet) -> Path:
    """Return the file of a game's value function."""
    page = rules.presentation.rules_page
    assert page is not None
    return page.parent / low_rank_values.FILE_NAME


def main() -> None:
    """Train the value function of the game named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", choices=sorted(RANKS))
    parser.add_argument("--games", type=int, default=600, help="games that weigh the fit")
    parser.add_argument("--test-games", type=int, default=300, help="games that measure the error")
    parser.add_argument("--out", type=Path, help="file to write; default: the game's own")
    given = parser.parse_args()
    rules = registry.load(given.rules)
    out = given.out or data_file(rules)
    error = train(rules, given.games, given.test_games, out)
    print(f"{out}: {out.stat().st_size:,} bytes; {error}")


if __name__ == "__main__":
    main()
