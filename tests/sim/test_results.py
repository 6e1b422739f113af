"""What a simulation adds up to, as it is said: shares with an honest interval, one line each."""

from __future__ import annotations

import math

import pytest

from hashmark.sim import Share, simulate

NORMAL = 1.959964


def agrees(share: float, found: float, of: int) -> float:
    """How many standard errors, at this share, the share found is off."""
    return abs(found - share) / math.sqrt(share * (1 - share) / of)


@pytest.mark.parametrize(("count", "of"), [(1, 2), (3, 10), (109, 200), (1, 10_000), (199, 200)])
def test_the_interval_holds_every_share_that_agrees(count: int, of: int) -> None:
    """Wilson's interval by its definition: at its ends the count is just 1.96 errors off."""
    share = Share.counted(count, of)
    assert 0 < share.low < share.mean < share.high < 1
    for end in (share.low, share.high):
        assert agrees(end, count / of, of) == pytest.approx(NORMAL)


@pytest.mark.parametrize("of", [1, 30, 200, 10**9])
def test_none_and_all_say_how_little_is_known(of: int) -> None:
    none, everything = Share.counted(0, of), Share.counted(of, of)
    assert (none.mean, none.low) == (0, 0)
    assert (everything.mean, everything.high) == (1, 1)
    assert (
        none.high
        == pytest.approx(1 - everything.low)
        == pytest.approx(NORMAL**2 / (of + NORMAL**2))
    )


def test_the_interval_in_words_and_as_json() -> None:
    assert Share.counted(200, 200).between(3) == "98.115 to 100.000%"
    assert Share.counted(0, 200).between(1) == "0.0 to 1.9%"
    said = Share.counted(50, 200).to_json()
    assert list(said) == ["mean", "error", "low", "high"]
    unknown = Share.counted(0, 0).to_json()
    assert [unknown[name] for name in ("error", "low", "high")] == [None] * 3


def test_a_result_is_one_line() -> None:
    said = repr(simulate("fourth-down", 20, home="bold", engine="plain"))
    assert "\n" not in said
    assert len(said) < 200
    assert said.startswith("<Result of fourth-down: 20 of 20 games, ")
    assert "won by bold" in said
