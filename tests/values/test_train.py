"""Training of value functions: factors, packing, and the round trip through a file."""

from __future__ import annotations

import json
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.low_rank_values import LowRankValues, key_code
from hashmark.errors import HashmarkError
from hashmark.values import train
from hashmark.values.train import NO_ERROR, RegionData, factorize

RULES = registry.load("fourth-down")
M = RULES.new_match()
SPOTS, LEADS = (20, 40, 60), 97


def test_a_matrix_of_low_rank_is_found_exactly() -> None:
    generator = np.random.default_rng(3)
    matrix = generator.standard_normal((40, 3)) @ generator.standard_normal((3, 60))
    rows, columns = generator.random(40) + 0.1, generator.random(60) + 0.1
    factors, patterns = factorize(matrix, rows, columns, 3)
    assert np.abs(factors @ patterns - matrix).max() < 1e-9


def test_weights_say_where_errors_matter() -> None:
    generator = np.random.default_rng(4)
    matrix = generator.standard_normal((30, 30))
    rows = np.where(np.arange(30) < 3, 1.0, 1e-6)
    factors, patterns = factorize(matrix, rows, np.ones(30), 3)
    errors = np.abs(factors @ patterns - matrix).mean(axis=1)
    assert errors[:3].max() < 0.01 * errors[3:].mean()


def region() -> tuple[RegionData, Any]:
    """Return a region of three keys at two times, of rank 2, with exact worths and ties."""
    generator = np.random.default_rng(5)
    worths = 0.5 + 0.1 * np.einsum(
        "rk,rtl->ktl", generator.random((2, 3)), generator.random((2, 2, LEADS))
    )
    values = np.stack([worths, 0.1 * worths])
    blocks: list[Any] = [
        SimpleNamespace(time=(0, 2, clock, -1, -1), width=48) for clock in (10, 14)
    ]
    return RegionData(np.arange(3), blocks, [], values), values


def test_a_packed_region_gives_the_values_back() -> None:
    data, values = region()
    columns = np.ones((2, LEADS)) / LEADS
    factors, patterns = train.fit_region(None, data, np.ones(3), columns, 4)  # type: ignore[arg-type]
    positions = [
        RULES.new_position(M, {"phase": "drive", "possession": "away", "period": 2, "clock": 10,
                               "spot": spot, "score": {"home": 7, "away": 3}})
        for spot in SPOTS
    ]  # fmt: skip
    keys = np.array([train.split(RULES, M, g).key for g in positions])
    digits = train.digits_of(keys)
    codes = np.array([key_code(row, digits) for row in keys.tolist()])
    entry, content = train.pack_region(data, codes, factors, patterns)
    header = {
        "format": "hashmark-values/1", "rules": RULES.name, "version": RULES.version,
        "digits": digits, "max_lead": 48, "regions": [{**entry, "size": len(content)}],
        "error": asdict(NO_ERROR), "training": {},
    }  # fmt: skip
    function = LowRankValues(RULES, json.dumps(header).encode() + b"\n" + content)
    for number, g in enumerate(positions):
        for clock, share in ((10, 0.0), (14, 1.0), (12, 0.5)):
            g.clock = clock
            found = function.chances(M, g)
            assert found is not None
            worth, tie = (
                (1 - share) * values[kind, number, 0, 44] + share * values[kind, number, 1, 44]
                for kind in range(2)
            )
            assert found[2] + found[1] / 2 == pytest.approx(worth, abs=0.001)
            assert found[1] == pytest.approx(tie, abs=0.001)
        g.clock = 15
        assert function.chances(M, g) is None


def test_a_file_of_another_version_is_refused() -> None:
    header = {"format": "hashmark-values/0", "rules": RULES.name, "version": RULES.version}
    with pytest.raises(HashmarkError, match="another version"):
        LowRankValues(RULES, json.dumps(header).encode() + b"\n")


def test_positions_are_those_of_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "COACHES", ("book",))
    positions = list(train.simulated_positions(RULES, M, 2, 9))
    assert RULES.phase_names[positions[0].phase] == "coin-toss"
    assert not any(RULES.is_over(g) for g in positions)
    assert positions == list(train.simulated_positions(RULES, M, 2, 9))


def test_every_key_and_lead_has_a_weight() -> None:
    data, _ = region()
    visits = [train.Visit((0,), (2, 12, -1, -1), 3)] * 5
    weights = train.key_weights(data, visits, {(0,): 0, (1,): 1, (2,): 2})
    assert weights.tolist() == pytest.approx([5 + train.KEY_PRIOR] + 2 * [train.KEY_PRIOR])
    leads = train.lead_weights(data, visits)
    assert leads.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert leads.min() > 0
    assert leads[0, 51] == pytest.approx(leads[0, 45])


def test_a_game_that_is_not_solved_is_refused(tmp_path: Any) -> None:
    with pytest.raises(HashmarkError, match="hashmark solve fourth-down"):
        train.train(RULES, 1, 1, tmp_path / "values.bin")


def test_the_file_lies_with_the_game() -> None:
    assert train.data_file(RULES).exists()
