"""Tests of `hashmark review`: logs of every kind, all formats, and refused logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import get_refusal, run_command, run_ok
from hashmark.cli.progress import ProgressBar
from hashmark.cli.review import _ReviewProgress
from hashmark.engine.rule_set import RuleSet
from hashmark.values import sources
from hashmark.values.value import DEFAULT_GAMES, REVIEW_GAMES
from values.enumerated import Enumerated
from values.test_review import LATE

KEPT: dict[str, Enumerated] = {}


def enumerated(rules: RuleSet, options: Any, *, tie: float = 0.5, **_: Any) -> Enumerated:
    """Return an exact source; its results are cached for the next test."""
    key = f"{rules.name} {options} {tie}"
    return KEPT.setdefault(key, Enumerated(rules, rules.new_match(options), tie))


@pytest.fixture(autouse=True)
def _enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "source_of", enumerated)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Log of a short game of two coaches."""
    start, path = tmp_path / "start.json", tmp_path / "game.log"
    start.write_text(json.dumps({**LATE, "clock": 2}))
    seats = ("--home", "coach:random", "--away", "coach:book", "--seed", "27")
    run_ok("play", "fourth-down", *seats, "--position", str(start), "--log", str(path))
    return path


def test_text_goes_to_standard_output(log: Path) -> None:
    output = run_ok("review", str(log)).out
    assert output.startswith("4th Down!: home vs. away\n")
    assert "Turn by turn" in output


def test_json_figures_add_up(log: Path) -> None:
    data = json.loads(run_ok("review", str(log), "--format", "json").out)
    errors = [data["teams"][team]["errors"] for team in ("home", "away")]
    assert data["start"] + data["luck"] - errors[0] + errors[1] == pytest.approx(data["result"])
    assert data["exact"] is True
    assert data["over"] is True


def test_a_page_goes_next_to_the_log_under_a_free_name(log: Path) -> None:
    for name in ("game-review.html", "game-review-2.html"):
        done = run_ok("review", str(log), "--format", "html")
        assert done.out == ""
        assert done.err == f"wrote {log.with_name(name)}\n"
        assert "<h1>Review of 4th Down!" in log.with_name(name).read_text()


def test_the_file_name_selects_the_format(log: Path) -> None:
    out = log.with_name("a.json")
    run_ok("review", str(log), "--out", str(out))
    assert json.loads(out.read_text())["rules"] == "fourth-down"
    assert run_ok("review", str(log), "--out", "-").out == run_ok("review", str(log)).out
    assert "game log" in get_refusal("review", str(log), "--out", str(log))


def test_undone_calls_are_left_out(tmp_path: Path) -> None:
    start, path = tmp_path / "start.json", tmp_path / "game.log"
    start.write_text(json.dumps({**LATE, "clock": 2}))
    play = ("play", "fourth-down", "--dice", "typed", "--away", "human")
    given = (*play, "--position", str(start), "--log", str(path))
    run_ok(*given, stdin_text="go-for-it\n3\nu\nfield-goal\n11\nq\n")
    data = json.loads(run_ok("review", str(path), "--format", "json").out)
    assert [turn["call"] for turn in data["turns"]] == ["field-goal"]
    assert data["over"] is False


def test_invalid_logs_are_refused(log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    damaged = tmp_path / "damaged.log"
    damaged.write_text("".join([lines[0], lines[1].replace('"turn": 1', '"turn": 2'), *lines[2:]]))
    assert "the line was edited" in get_refusal("review", str(damaged))
    unplayed = tmp_path / "unplayed.log"
    unplayed.write_text(lines[0])
    assert "there is nothing to review" in get_refusal("review", str(unplayed))
    assert "No such file" in get_refusal("review", str(tmp_path / "none.log"))
    assert "not a game log" in get_refusal("review", str(tmp_path / "start.json"))
    assert "expected a number from 0 to 1" in get_refusal("review", str(log), "--tie", "2")
    assert "pdf" in get_refusal("review", str(log), "--format", "pdf")


def test_ctrl_c_reports_the_turns_that_were_reviewed(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    class Slow(Enumerated):
        options: Any

        def judge(self, g: Any, before: Any = None) -> Any:
            asked.append(g)
            if len(asked) > 1:
                raise KeyboardInterrupt
            return enumerated(self.rules, self.options).judge(g)

    def source_of(rules: RuleSet, options: Any, *, tie: float = 0.5, **_: Any) -> Enumerated:
        source = Slow(rules, rules.new_match(options), tie)
        source.options = options
        return source

    monkeypatch.setattr(sources, "source_of", source_of)
    done = run_command(["review", str(log), "--format", "json"])
    assert done.status == 130
    assert "hashmark: interrupted; 0 of " in done.err
    assert json.loads(done.out)["interrupted"] is True
    assert len(json.loads(done.out)["turns"]) == 0


def test_rollouts_of_a_turn_advance_the_bar() -> None:
    updates: list[tuple[float, int | None]] = []

    class Bar(ProgressBar):
        def update(self, done: float, total: int | None = None) -> None:
            updates.append((done, total))

    progress = _ReviewProgress(Bar(4, "turns"))
    progress.games(1, 2)  # before the first turn the total is unknown
    progress.turns(0, 4)
    progress.games(250, 500)
    progress.turns(1, 4)
    assert updates == [(0, 4), (0.5, 4), (1, 4)]


def test_a_review_plays_fewer_rollouts_per_call(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def source_of(rules: RuleSet, options: Any, **more: Any) -> Enumerated:
        given.update(more)
        return enumerated(rules, options)

    monkeypatch.setattr(sources, "source_of", source_of)
    run_ok("review", str(log), "--format", "json")
    assert given["games"] == REVIEW_GAMES < DEFAULT_GAMES
    assert callable(given["progress"])
