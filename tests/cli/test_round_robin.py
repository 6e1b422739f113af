"""Tests of `hashmark simulate --round-robin` in plain Python: the table, JSON and refusals."""

from __future__ import annotations

import json

import pytest

from fuzz.in_process import get_refusal, run_ok

PLAIN = ("simulate", "fourth-down", "--round-robin", "--engine", "plain", "--games", "2")


def test_the_table_and_its_json_agree() -> None:
    lines = run_ok(*PLAIN).out.splitlines()
    data = json.loads(run_ok(*PLAIN, "--json").out)
    names = [coach["name"] for coach in data["coaches"]]
    assert names[0] == "random"
    assert lines[0] == "4th Down!: 2 games of each pairing, half from each side, seed 0"
    assert lines[2].split("  ")[0] == "wins of the row, %"
    assert lines[4].startswith("Walk-on (random)")
    (score,) = [
        item["mean"]
        for item in data["scores"]
        if (item["coach"], item["opponent"]) == (names[0], names[1])
    ]
    assert f"{100 * score:.1f}" in lines[4]
    assert len(data["scores"]) == len(names) * (len(names) - 1) // 2
    assert lines[-1].startswith("A tie is half a win. Standard error of a cell: at most ")


def test_coaches_of_a_solo_game_play_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from hashmark.sim import round_robin

    monkeypatch.setattr(round_robin, "_participants", _without_search)
    drill = ("simulate", "two-minute-drill", *PLAIN[2:])
    output = run_ok(*drill).out
    assert "2 games of each coach alone" in output
    assert "Starter (book)" in output


def _without_search(rules, match, names):  # type: ignore[no-untyped-def]
    return tuple(coach for coach in rules.coaches_by_strength() if coach.name != "search")


@pytest.mark.parametrize(
    "given", [("--home", "bold"), ("--away", "bold"), ("--cluster", "local"), ("--out", "a.csv")]
)
def test_what_means_nothing_in_a_round_robin_is_refused(given: tuple[str, str]) -> None:
    expected = f"--round-robin plays all coaches on this machine: leave {given[0]} out"
    assert expected in get_refusal(*PLAIN, *given)
