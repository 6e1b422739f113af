"""Tests of `hashmark charts verify`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.league.data.real_stats import AGAINST, FOR


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("1950",), "'1950'"),
        (("2008", "--runs", "3"), "runs: 3 is not at least 10"),
        (("2008", "--seasons", "3"), "runs: 3 is not at least 10"),  # the old name
        (("2008", "--threads", "0"), "threads: 0 is not between 1 and"),
        (("2008", "--pbp", "nothing.parquet"), "nothing.parquet"),
    ],
)
def test_invalid_arguments_are_refused_in_one_sentence(
    arguments: tuple[str, ...], said: str
) -> None:
    assert said in get_refusal("charts", "verify", *arguments)


@pytest.mark.long
def test_simulated_figures_match_the_real_season(tmp_path: Path) -> None:
    html = tmp_path / "v.html"
    given = ("charts", "verify", "2008", "--runs", "40", "--json", "--html", str(html))
    data = json.loads(run_ok(*given).out)
    by_key = {(one["measure"], one["side"]): one for one in data["measures"]}
    for key in ("points", "completion", "sack", "rush_share"):
        assert by_key[key, FOR]["correlation"] > 0.9
    assert by_key["points", AGAINST]["correlation"] > 0.9
    assert by_key["yards_per_play", FOR]["correlation"] > 0.8
    off = {one["measure"]: one["off"] for one in data["league"]}
    assert abs(off["points"]) < 0.05
    assert abs(off["plays"]) < 0.03
    assert "<svg" in html.read_text(encoding="utf-8")
    again = json.loads(run_ok(*given[:5], "--json", "--threads", "1").out)
    assert again["digest"] == data["digest"]
