"""Results of a simulation: shares with a correct confidence interval, and one-line summaries."""

from __future__ import annotations

import math

import pytest

from hashmark.sim import Share, simulate

NORMAL = 1.959964


def deviation(share: float, observed: float, of: int) -> float:
    """Return by how many standard errors of `share` the observed share deviates."""
    return abs(observed - share) / math.sqrt(share * (1 - share) / of)


@pytest.mark.parametrize(("count", "of"), [(1, 2), (3, 10), (109, 200), (1, 10_000), (199, 200)])
def test_the_count_is_1_96_errors_off_at_both_ends_of_the_interval(count: int, of: int) -> None:
    """Definition of Wilson's interval."""
    share = Share.from_count(count, of)
    assert 0 < share.low < share.mean < share.high < 1
    for end in (share.low, share.high):
        assert deviation(end, count / of, of) == pytest.approx(NORMAL)


@pytest.mark.parametrize("of", [1, 30, 200, 10**9])
def test_the_intervals_of_none_and_all_are_not_empty(of: int) -> None:
    none, everything = Share.from_count(0, of), Share.from_count(of, of)
    assert (none.mean, none.low) == (0, 0)
    assert (everything.mean, everything.high) == (1, 1)
    assert (
        none.high
        == pytest.approx(1 - everything.low)
        == pytest.approx(NORMAL**2 / (of + NORMAL**2))
    )


def test_the_interval_is_formatted_and_in_the_json() -> None:
    assert Share.from_count(200, 200).format_interval(3) == "98.115 to 100.000"
    assert Share.from_count(0, 200).format_interval(1) == "0.0 to 1.9"
    assert Share.from_count(0, 200).format_with_interval() == "0.0 % (95 % CI 0.0 to 1.9)"
    data = Share.from_count(50, 200).to_json()
    assert list(data) == ["mean", "error", "low", "high"]
    unknown = Share.from_count(0, 0).to_json()
    assert [unknown[name] for name in ("error", "low", "high")] == [None] * 3


def test_the_repr_of_a_result_is_one_line() -> None:
    text = repr(simulate("fourth-down", 20, home="bold", engine="plain"))
    assert "\n" not in text
    assert len(text) < 200
    assert text.startswith("<Result of fourth-down: 20 of 20 games, ")
    assert "won by bold" in text
