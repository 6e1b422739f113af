"""Tests of the command as a user runs it: output, exit status, and invalid input.

Tests of signals, streams and the disk start a process; all others run in this one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fuzz.in_process import CommandResult, get_refusal, run_command
from hashmark.cli import app
from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.session.header import Header
from hashmark.session.log import LogWriter
from timeouts import TIMEOUT_SECONDS

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def hashmark(*arguments: str, given: str = "", **kwargs: Any) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "hashmark", *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
        **kwargs,
    )


def asked(*arguments: str, said: str = "") -> CommandResult:
    """Run the command in this process, where only the output counts."""
    return run_command(list(arguments), said)


COMMANDS = ("rules", "play", "resume", "scenario", "odds", "simulate", "replay")


def test_help_lists_the_commands() -> None:
    done = hashmark("--help")
    assert done.returncode == 0
    assert all(f"\n  {command} " in done.stdout for command in COMMANDS)
    assert hashmark().stdout == done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    done = run_command([command, "--help"])
    assert done.status == 0
    assert "Example: " in done.out


def test_version_is_printed() -> None:
    assert hashmark("--version").stdout.startswith("hashmark 0")


def test_rules_lists_all_games_as_json() -> None:
    listed = json.loads(hashmark("rules", "--json").stdout)
    assert [game["name"] for game in listed] == registry.names()
    for name in registry.builtin_names():
        assert run_command(["rules", name]).status == 0
        whole = json.loads(run_command(["rules", name, "--json"]).out)
        assert whole["coaches"]
        assert whole["questions"]


def test_scenario_files_pass() -> None:
    path = str(SCENARIOS / "fourth-down.json")
    rows = json.loads(run_command(["scenario", path, "--json"]).out)
    assert all(row["ok"] for row in rows)
    done = asked("scenario", path)
    assert done.status == 0
    assert done.out.count("\nok ") == len(rows) - 1
    assert f"{len(rows)} passed, 0 failed" in done.out


def test_a_failing_scenario_shows_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"id": "x", "rules": "fourth-down", "expect": {"clock": 1}}]')
    done = run_command(["scenario", str(path)])
    assert done.status == 1
    assert "FAIL x\n       clock: expected 1, got 180" in done.out
    rows = json.loads(run_command(["scenario", str(path), "--json"]).out)
    assert rows == [{"id": "x", "ok": False, "diff": ["clock: expected 1, got 180"]}]


POSITION = '{"phase": "fourth-down", "possession": "away", "spot": 60, "to_go": 3}'


def test_odds_of_one_call() -> None:
    given = ("odds", "fourth-down", "--position", "-", "--call", "field-goal")
    data = json.loads(asked(*given, "--json", said=POSITION).out)
    assert sum(one["p"] for one in data["outcomes"]) == pytest.approx(1)
    assert len(data["outcomes"]) == 2
    good = next(one for one in data["outcomes"] if one["position"]["score"]["away"] == 3)
    assert good["p"] == pytest.approx(0.4)
    assert good["position"]["possession"] == "home"
    done = asked(*given, said=POSITION)
    assert "60.0000 %" in done.out
    assert "40.0000 %  away +3  Home starts a drive at the home 30\n" in done.out


def test_odds_of_all_calls_and_of_the_dice_alone() -> None:
    done = asked("odds", "fourth-down", "--position", "-", said=POSITION)
    assert all(call in done.out for call in ("go-for-it", "field-goal", "punt"))
    assert "50.0000 %  Away starts a drive at the away 30\n" in asked("odds", "fourth-down").out


def test_simulate() -> None:
    given = ("simulate", "fourth-down", "--games", "1_000", "--seed", "3", "--json")
    plain = json.loads(asked(*given, "--engine", "plain").out)
    threads = json.loads(asked(*given, "--threads", "2").out)
    compiled = json.loads(hashmark(*given).stdout)
    for key in ("games", "home_wins", "away_wins", "ties", "home_points", "digest"):
        assert compiled[key] == plain[key] == threads[key]
    assert compiled["games"] == 1000
    assert compiled["seconds"] > 0
    done = asked("simulate", "fourth-down", "--games", "1e3", "--home", "coach:bold")
    assert "home (bold) wins" in done.out


def test_play_from_standard_input_then_resume_then_replay(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    arguments = ("play", "fourth-down", "--away", "human", "--seed", "5", "--log", str(log))
    first = asked(*arguments, said="balanced\n?\n1\nq\n")
    assert first.status == 0
    assert "net points" in first.out
    assert f"hashmark resume {log}" in first.out
    second = asked("resume", str(log), said="1\n" * 500)
    assert second.status == 0
    assert "Time of possession" in second.out
    replayed = json.loads(asked("replay", str(log), "--json").out)
    assert replayed["over"]
    assert replayed["position"]["phase"] == "over"
    box = replayed["box"]["home"]["points"], replayed["box"]["away"]["points"]
    assert box == (replayed["position"]["score"]["home"], replayed["position"]["score"]["away"])
    assert "every digest matches" in asked("replay", str(log)).out
    assert "This game is over" in asked("resume", str(log)).out


def test_the_menu_from_standard_input() -> None:
    assert asked("play", said="q\n").status == 0
    assert asked("play").status == 0
    done = asked("play", "--seed", "1", "--dice", "auto", said="fourth-down\n2\nbalanced\nq\n")
    assert "calls balanced" in done.out
    assert "Saved." in done.out


def test_input_that_ends_saves_the_game(tmp_path: Path) -> None:
    done = hashmark("play", "fourth-down", "--away", "human", "--log", str(tmp_path / "a"))
    assert done.returncode == 0
    assert "Saved." in done.stdout
    assert hashmark("replay", str(tmp_path / "a")).returncode == 0


def test_resume_without_a_file_takes_the_last_game() -> None:
    assert "no unfinished game in" in get_refusal("resume")
    asked("play", "fourth-down", "--away", "human", "--seed", "1", said="q\n")
    assert "Which style?" in asked("resume", said="q\n").out


TYPED = ("play", "fourth-down", "--dice", "typed", "--away", "human")


def test_typed_dice_are_checked_and_used() -> None:
    done = asked(*TYPED, said="1\nbalanced\n21\n14 8\n6\nfield-goal\n14\nq\n")
    assert (
        "home rolls a coin for the opening kickoff; 1: home receives, 2: away receives (1 to 2):"
        in done.out
    )
    assert "home rolls a d20 for the drive (1 to 20):" in done.out
    assert "A d20 cannot show 21, only 1 to 20." in done.out
    assert "Home kicks a 25-yard field goal." in done.out


def test_typed_dice_can_be_undone_and_are_not_carried_over() -> None:
    done = asked(*TYPED, said="1\nbalanced\n14\nu\nrun-first\nx\n2, 5 6 7 8\npunt\nq\n")
    assert "Call undone." in done.out
    assert "Type the face of the die" in done.out
    assert "Extra dice ignored: 7 8" in done.out
    assert "Home punts; away ball at the away 30." in done.out


def test_typed_dice_can_be_corrected_by_two_players() -> None:
    """The dice lie on the table; only what was typed is undone, including the coin."""
    done = asked(*TYPED, said="2\nu\n1\nbalanced\n14 8 6\nu\nbalanced\n13 8 6\nq\n")
    assert done.out.count("Call undone.") == 2
    assert "Home drives 38 yards in 26 blocks" in done.out


def test_a_coachs_call_stands_when_its_dice_are_undone() -> None:
    arguments = ("play", "fourth-down", "--dice", "typed", "--home", "coach:random", "--seed", "4")
    done = asked(*arguments, "--away", "human", said="1\nu\nu\n10\n10\n5\nq\n")
    assert done.out.count("it stands") == 2
    assert done.out.count("home calls") >= 1


def test_closed_and_full_streams_cause_no_traceback() -> None:
    for line, status in (("rules > /dev/full", 2), ("rules >&-", 0), ("play fourth-down <&-", 0)):
        shell = f"{sys.executable} -m hashmark {line}"
        done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == status, line
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("odd", ["--5", "²", "+", "1.5", "9" * 5000], ids=range(5))
def test_odd_answers_are_refused_and_the_game_goes_on(odd: str) -> None:
    done = asked(*TYPED, said=f"{odd}\n1\n{odd}\nbalanced\n{odd}\n14\nq\n")
    assert done.status == 0, done.err
    assert "Saved." in done.out


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "full.log"
    log.symlink_to("/dev/full")
    hashmark("play", "fourth-down", "--away", "human", "--seed", "1", given="q\n")
    done = hashmark("play", "fourth-down", "--home", "coach:book", "--log", str(log))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_undo_never_goes_past_a_roll_of_two_players() -> None:
    moves = "balanced\nu\nq\n"
    two = asked("play", "fourth-down", "--away", "human", "--seed", "5", said=moves)
    assert "Cannot undo: rolls are final in a game between two players." in two.out
    one = asked("play", "fourth-down", "--seed", "5", said=moves)
    assert "Call undone." in one.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rules", "forth-down"), "did you mean 'fourth-down'"),
        (("play", "forth-down"), "did you mean 'fourth-down'"),
        (("play", "fourth-down", "--home", "coach:bok"), "did you mean 'book'"),
        (("play", "fourth-down", "--home", "robot"), "unknown coach of fourth-down 'robot'"),
        (("play", "fourth-down", "--dice", "real"), "unknown kind of dice 'real'"),
        (("play", "fourth-down", "--option", "x"), "expected NAME=VALUE"),
        (("play", "fourth-down", "--option", "x=1"), "unknown option of fourth-down 'x'"),
        (("play", "fourth-down", "--option", "turnover-spot=[1"), "not JSON"),
        (("play", "fourth-down", "--log", "/nowhere/a.log"), "cannot write /nowhere/a.log"),
        (("play", "fourth-down", "--seed", "x"), "Invalid value for '--seed'"),
        (("resume", "missing.log"), "cannot read missing.log"),
        (("replay", "missing.log"), "cannot read missing.log"),
        (("scenario", "missing.json"), "cannot read missing.json"),
        (("scenario",), "Missing argument"),
        (("odds", "fourth-down", "--call", "punt"), "no call is pending"),
        (("odds", "fourth-down", "--position", "missing"), "cannot read missing"),
        (("odds", "fourth-down", "--engine", "fast"), "unknown engine 'fast'"),
        (("simulate", "fourth-down", "--games", "0"), "games: 0 is not between 1 and"),
        (("simulate", "fourth-down", "--games", "-1"), "games: -1 is not between 1 and"),
        (("simulate", "fourth-down", "--games", "many"), "--games many: expected a whole number"),
        (("simulate", "fourth-down", "--games", "1.5e0"), "expected a whole number"),
        (("simulate", "fourth-down", "--games", "1e999"), "expected a whole number"),
        (("simulate", "fourth-down", "--home", "bok"), "did you mean 'book'"),
        (("simulate", "fourth-down", "--out", "x.xls"), "unknown file type for --out"),
        (("simulatte",), "Did you mean 'simulate'"),
        (("simulate", "fourth-down", "--gmes", "1"), "No such option: --gmes"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    assert message in get_refusal(*arguments)


@pytest.mark.parametrize(
    ("position", "call", "message"),
    [
        ("{", "punt", "standard input, line 1: not JSON"),
        ("[]", "punt", "a position must be a JSON object"),
        ('{"spot": 140}', "punt", "position.spot: 140 is not between 1 and 99"),
        ('{"clock": -3}', "punt", "position.clock: -3 is not between 0 and 180"),
        ('{"phase": "over"}', "punt", "the game is over in this position"),
        (POSITION, "pnt", "did you mean 'punt'"),
        (POSITION.replace("60", "40"), "field-goal", "out of range"),
        (POSITION.replace('"to_go": 3', '"to_go": null'), "punt", "needs to_go from 1 to 20"),
    ],
)
def test_bad_positions_are_one_sentence(position: str, call: str, message: str) -> None:
    error = get_refusal(
        "odds", "fourth-down", "--position", "-", "--call", call, stdin_text=position
    )
    assert message in error


def test_an_existing_log_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("mine")
    assert "already exists" in get_refusal("play", "fourth-down", "--log", str(path))
    assert path.read_text() == "mine"


def test_a_read_only_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **kwargs: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(HashmarkError, match=r"cannot write .*a\.log: Permission denied"):
        LogWriter.create(tmp_path / "a.log", Header("fourth-down"))


@pytest.mark.parametrize("rules", registry.builtin_names())
@pytest.mark.parametrize("command", ["replay", "replay --json", "sheet"])
def test_a_game_without_turns_can_be_replayed_and_printed(
    rules: str, command: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.log"
    LogWriter.create(path, Header(rules)).close()
    done = CliRunner().invoke(app, [*command.split(), str(path)])
    assert done.exit_code == 0, done.output
    if "--json" in command:
        assert json.loads(done.output)["drives"] == []


def test_a_full_pipe_ends_quietly() -> None:
    for command in ("play fourth-down --home coach:book --seed 1", "rules fourth-down"):
        line = f"{sys.executable} -m hashmark {command} | head -n 1"
        done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_interrupted_simulation_reports_what_was_done(tmp_path: Path, suffix: str) -> None:
    """Interrupt it as soon as its output file shows that games are being played."""
    out = tmp_path / f"games.{suffix}"
    arguments = ("simulate", "fourth-down", "--games", "1e12", "--out", str(out), "--json")
    running = subprocess.Popen(
        [sys.executable, "-m", "hashmark", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while running.poll() is None and not any(
        partial.stat().st_size > 100_000 for partial in tmp_path.glob("games.*.partial")
    ):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=TIMEOUT_SECONDS)
    assert running.returncode == 130, stderr
    assert "Traceback" not in stderr
    data = json.loads(stdout)
    assert data["interrupted"]
    assert 0 < data["games"] < 1e12
    assert data["home_wins"] + data["away_wins"] + data["ties"] == data["games"]
    assert _rows(out) == data["games"]


def _rows(path: Path) -> int:
    if path.suffix == ".csv":
        return len(path.read_text().splitlines()) - 1
    import polars as pl

    return int(pl.scan_parquet(path).select(pl.len()).collect().item())


def test_typed_dice_survive_a_restart(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    asked(*TYPED, "--log", log, said="1\nbalanced\n14\nq\n")
    done = asked("resume", log, said="8 6\nq\n")
    assert "- home calls balanced  [14 ...]" in done.out
    assert "Home drives 45 yards in 31 blocks" in done.out
