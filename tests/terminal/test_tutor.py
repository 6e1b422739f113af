"""Tests of the tutor: it asks before a costly call, suggests a better one, and lets others pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import get_refusal, run_ok
from hashmark.cli.run import fill_tutor_default
from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.terminal.tutor import Tutor, parse_points
from hashmark.values import sources
from hashmark.values.value import CallValues, Value
from values.enumerated import Enumerated
from values.test_review import LATE

RULES = registry.load("fourth-down")
EXACT_SOURCE = Enumerated(RULES, RULES.new_match())
START: dict[str, Any] = {**LATE, "clock": 2}  # two behind: a punt throws the game away


@pytest.fixture(autouse=True)
def _enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    def source_of(rules: RuleSet, options: Any = None, *, m: Any = None) -> Enumerated:
        return EXACT_SOURCE

    monkeypatch.setattr(sources, "source_of", source_of)


def play(tmp_path: Path, said: str, *tutor: str) -> tuple[str, list[str]]:
    """Return the output of the game, and the calls in the log."""
    start, log = tmp_path / "start.json", tmp_path / "game.log"
    start.write_text(json.dumps(START))
    command = ("play", "fourth-down", *tutor, "--seed", "1", "--position", str(start))
    out = run_ok(*command, "--log", str(log), stdin_text=said).out
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return out, [line["call"] for line in lines if "turn" in line and "call" in line]


def test_a_costly_call_is_questioned_and_a_better_one_suggested(tmp_path: Path) -> None:
    out, calls = play(tmp_path, "punt\n?\nn\nq\n", "--tutor")
    assert "punt costs " in out
    assert "Are you sure?" in out
    assert "Win probability" in out[out.index("Are you sure?") :]
    assert calls == []


def test_a_confirmed_call_is_made(tmp_path: Path) -> None:
    out, calls = play(tmp_path, "punt\nwhat\ny\nq\n", "--tutor", "5")
    assert out.count("Are you sure?") == 2
    assert "Type y, n, ? or q." in out
    assert calls[0] == "punt"


def test_the_player_can_quit_at_the_confirmation(tmp_path: Path) -> None:
    out, calls = play(tmp_path, "punt\nq\n", "--tutor")
    assert out.count("Are you sure?") == 1
    assert calls == []


def test_a_call_below_the_threshold_passes(tmp_path: Path) -> None:
    out, calls = play(tmp_path, "punt\nq\n", "--tutor", "99")
    assert "Are you sure?" not in out
    assert calls[0] == "punt"


def test_without_a_tutor_no_confirmation_is_asked(tmp_path: Path) -> None:
    out, calls = play(tmp_path, "punt\nq\n")
    assert "Are you sure?" not in out
    assert calls[0] == "punt"


def test_the_best_call_is_never_questioned() -> None:
    game = Game(RULES, dice=SeededDice(1), start=START)
    tutor = Tutor(0.001)
    tutor.attach(game)
    best = EXACT_SOURCE.judge(game.position).best
    assert tutor.review_call(game, best) is None
    assert tutor.review_call(game, RULES.call_codes["punt"]) is not None
    assert tutor.review_call(game, RULES.call_codes["balanced"]) is None  # not asked here


class Rough(Enumerated):
    def judge(self, g: Any, before: Any = None) -> CallValues:
        calls = {call: Value(0.1 * call, 0.0, 1 - 0.1 * call, 0.05) for call in (3, 4, 5)}
        return CallValues(0, calls, dict.fromkeys(calls, 0.06))


def test_a_loss_within_the_error_is_not_questioned(monkeypatch: pytest.MonkeyPatch) -> None:
    rough = Rough(RULES, RULES.new_match())
    monkeypatch.setattr(sources, "source_of", lambda *given, **more: rough)
    game = Game(RULES, dice=SeededDice(1), start=START)
    tutor = Tutor()
    tutor.attach(game)
    assert tutor.review_call(game, RULES.call_codes["field-goal"]) is None
    doubt = tutor.review_call(game, RULES.call_codes["go-for-it"])
    assert doubt is not None
    assert doubt.message == ("go-for-it costs 20.0 percentage points of win probability (± 6.0).")
    assert doubt.suggestion == "Win probability: punt 50.0 %, go-for-it 30.0 %."


@pytest.mark.parametrize("text", ["0", "-1", "101", "five", "nan"])
def test_invalid_points_are_refused(text: str) -> None:
    with pytest.raises(HashmarkError, match="expected percentage points, such as 5"):
        parse_points(text)
    assert "expected percentage points" in get_refusal("play", "fourth-down", f"--tutor={text}")


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("play fourth-down --tutor", "play fourth-down --tutor=5"),
        ("play --tutor fourth-down", "play --tutor=5 fourth-down"),
        ("play --tutor --seed 1", "play --tutor=5 --seed 1"),
        ("play --tutor 7.5 fourth-down", "play --tutor 7.5 fourth-down"),
        ("play -- --tutor", "play -- --tutor"),
        ("rules --tutor", "rules --tutor"),
    ],
)
def test_points_may_be_left_out(given: str, made: str) -> None:
    assert fill_tutor_default(given.split()) == made.split()


def test_no_game_begins_without_a_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*given: Any, **more: Any) -> Any:
        raise HashmarkError("nobody knows")

    monkeypatch.setattr(sources, "source_of", unknown)
    log = tmp_path / "game.log"
    assert "nobody knows" in get_refusal("play", "fourth-down", "--tutor", "--log", str(log))
    assert not log.exists()
