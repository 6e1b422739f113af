"""`hashmark review`: logs of every kind, in every form, and what cannot be reviewed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import answer, hashmark, refused
from hashmark.cli.progress import ProgressBar
from hashmark.cli.review import _Shown
from hashmark.table.rules import RuleSet
from hashmark.values import sources
from hashmark.values.rollouts import REVIEWED
from hashmark.values.value import GAMES
from values.enumerated import Enumerated
from values.test_review import LATE

KEPT: dict[str, Enumerated] = {}


def enumerated(rules: RuleSet, options: Any, *, tie: float = 0.5, **_: Any) -> Enumerated:
    """A source that knows all; what it has found is kept for the next test."""
    key = f"{rules.name} {options} {tie}"
    return KEPT.setdefault(key, Enumerated(rules, rules.new_match(options), tie))


@pytest.fixture(autouse=True)
def _enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "source_of", enumerated)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A short game of two coaches."""
    start, path = tmp_path / "start.json", tmp_path / "game.log"
    start.write_text(json.dumps({**LATE, "clock": 2}))
    seats = ("--home", "coach:random", "--away", "coach:book", "--seed", "27")
    hashmark("play", "fourth-down", *seats, "--position", str(start), "--log", str(path))
    return path


def test_text_goes_to_standard_output(log: Path) -> None:
    said = hashmark("review", str(log)).out
    assert said.startswith("4th Down!: home against away\n")
    assert "Turn by turn" in said


def test_json_adds_up(log: Path) -> None:
    read = json.loads(hashmark("review", str(log), "--format", "json").out)
    errors = [read["teams"][team]["errors"] for team in ("home", "away")]
    assert read["start"] + read["luck"] - errors[0] + errors[1] == pytest.approx(read["result"])
    assert read["exact"] is True
    assert read["over"] is True


def test_a_page_goes_next_to_the_log_under_a_free_name(log: Path) -> None:
    for name in ("game-review.html", "game-review-2.html"):
        done = hashmark("review", str(log), "--format", "html")
        assert done.out == ""
        assert done.err == f"wrote {log.with_name(name)}\n"
        assert "<h1>Review of 4th Down!" in log.with_name(name).read_text()


def test_the_name_of_the_file_says_the_form(log: Path) -> None:
    out = log.with_name("a.json")
    hashmark("review", str(log), "--out", str(out))
    assert json.loads(out.read_text())["rules"] == "fourth-down"
    assert hashmark("review", str(log), "--out", "-").out == hashmark("review", str(log)).out
    assert "game log" in refused("review", str(log), "--out", str(log))


def test_typed_dice_and_calls_taken_back(tmp_path: Path) -> None:
    start, path = tmp_path / "start.json", tmp_path / "game.log"
    start.write_text(json.dumps({**LATE, "clock": 2}))
    play = ("play", "fourth-down", "--dice", "typed", "--away", "human")
    given = (*play, "--position", str(start), "--log", str(path))
    hashmark(*given, said="go-for-it\n3\nu\nfield-goal\n11\nq\n")
    read = json.loads(hashmark("review", str(path), "--format", "json").out)
    assert [turn["call"] for turn in read["turns"]] == ["field-goal"]
    assert read["over"] is False


def test_what_cannot_be_reviewed_gets_a_sentence(log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    damaged = tmp_path / "damaged.log"
    damaged.write_text("".join([lines[0], lines[1].replace('"turn": 1', '"turn": 2'), *lines[2:]]))
    assert "the line was edited" in refused("review", str(damaged))
    unplayed = tmp_path / "unplayed.log"
    unplayed.write_text(lines[0])
    assert "nothing has been played yet" in refused("review", str(unplayed))
    assert "No such file" in refused("review", str(tmp_path / "none.log"))
    assert "not a game log" in refused("review", str(tmp_path / "start.json"))
    assert "expected a number from 0 to 1" in refused("review", str(log), "--tie", "2")
    assert "pdf" in refused("review", str(log), "--format", "pdf")


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
        made = Slow(rules, rules.new_match(options), tie)
        made.options = options
        return made

    monkeypatch.setattr(sources, "source_of", source_of)
    done = answer(["review", str(log), "--format", "json"])
    assert done.status == 130
    assert "hashmark: interrupted; 0 of " in done.err
    assert json.loads(done.out)["interrupted"] is True
    assert len(json.loads(done.out)["turns"]) == 0


def test_the_games_of_a_turn_move_the_bar_too() -> None:
    heard: list[tuple[float, int | None]] = []

    class Bar(ProgressBar):
        def update(self, done: float, total: int | None = None) -> None:
            heard.append((done, total))

    shown = _Shown(Bar(4, "turns"))
    shown.games(1, 2)  # of what was asked before the first turn nobody knows how far it is
    shown.turns(0, 4)
    shown.games(250, 500)
    shown.turns(1, 4)
    assert heard == [(0, 4), (0.5, 4), (1, 4)]


def test_a_review_plays_fewer_games_of_each_call(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    def source_of(rules: RuleSet, options: Any, **more: Any) -> Enumerated:
        given.update(more)
        return enumerated(rules, options)

    monkeypatch.setattr(sources, "source_of", source_of)
    hashmark("review", str(log), "--format", "json")
    assert given["games"] == REVIEWED < GAMES
    assert callable(given["progress"])
