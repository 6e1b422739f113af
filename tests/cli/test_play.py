"""Tests of `hashmark play`, `resume` and `replay` in one process."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fuzz.in_process import get_refusal, run_ok


def test_a_game_with_names_is_played_resumed_and_replayed(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    given = ("play", "fourth-down", "--seed", "3", "--log", log, "--names", "Otters,Herons")
    started = run_ok(*given, stdin_text="balanced\nq\n")
    assert started.out.startswith("4th Down!: Otters vs. Herons, seed 3\n")
    assert "Saved." in started.out
    resumed = run_ok("resume", log, stdin_text="q\n")
    assert "Saved. Resume with: hashmark resume" in resumed.out
    data = json.loads(run_ok("replay", log, "--json").out)
    assert data["header"]["names"] == {"home": "Otters", "away": "Herons"}
    assert "every digest matches" in run_ok("replay", log).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--seed", "5"), ", seed 5\n"),
        (("--dice", "typed"), ", real dice\n"),
        ((), ", dice "),
    ],
)
def test_the_first_line_names_the_source_of_the_dice(arguments: tuple[str, ...], said: str) -> None:
    first = run_ok("play", "fourth-down", *arguments, stdin_text="q\n").out
    assert said in first[: first.index("\n") + 1]


def test_two_coaches_play_to_the_end_without_a_log() -> None:
    done = run_ok("play", "fourth-down", "--home", "coach:book", "--away", "coach:bold")
    assert "Time of possession" in done.out


def test_a_game_alone_has_no_opponent() -> None:
    done = run_ok("play", "two-minute-drill", "--home", "coach:book", "--seed", "3").out
    assert "HOME 6 (1 ahead)" in done
    assert "AWAY" not in done
    box = done[done.index("Points") :].splitlines()
    assert box[0].split() == ["Points", "6"]
    message = get_refusal("play", "two-minute-drill", "--away", "human")
    assert "two-minute-drill is a solo game: leave --away out" in message
    reply = ("play", "two-minute-drill", "-o", "reply=true", "--home", "coach:book")
    both = run_ok(*reply, "--away", "coach:book", "--seed", "3").out
    assert "HOME 6   AWAY 5" in both


def test_invalid_seed_and_names_are_refused() -> None:
    assert "seed" in get_refusal("play", "fourth-down", "--seed", "-1")
    assert "names" in get_refusal("play", "fourth-down", "--names", "one")


def test_a_position_id_works_in_every_command(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    given = ("play", "fourth-down", "-o", "turnover-spot=start", "--seed", "3", "--log", log)
    output = run_ok(*given, stdin_text="h\nq\n").out
    text = re.findall(r"^position (hm\w+)$", output, re.M)[0]
    assert f"position {text}\n" in run_ok("replay", log).out
    replayed = json.loads(run_ok("replay", log, "--json").out)
    assert replayed["position_id"] == text
    assert "balanced" in run_ok("odds", "fourth-down", "--position", text).out
    run = ("simulate", "fourth-down", "--position", text, "--games", "2", "--engine", "plain")
    assert "2 games" in run_ok(*run).out
    begun = str(tmp_path / "b.log")
    run_ok("play", "--position", text, "--seed", "1", "--log", begun, stdin_text="q\n")
    header = json.loads(Path(begun).read_text().splitlines()[0])
    assert header["start"] == replayed["position"]
    assert header["options"] == {"turnover-spot": "start"}


def test_real_teams_are_arguments() -> None:
    output = run_ok(
        "play",
        "data-driven",
        "ARI-2008",
        "2007:PIT",
        "--home",
        "plan",
        "--pace",
        "off",
        "--seed",
        "1",
    ).out
    assert output.startswith("Data-Driven Football: Arizona vs. Pittsburgh, seed 1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("data-driven", "ARI-2008"), "name both teams, home first"),
        (("data-driven", "ARI", "PIT"), "team 'ARI': expected a team and a season"),
        (("data-driven", "ARX-2008", "PIT-2008"), "unknown team 'ARX': did you mean ARI"),
        (("data-driven", "ARI-2008", "ARI-2008"), "a team cannot play itself"),
        (("fourth-down", "ARI-2008", "PIT-2008"), "real teams play data-driven, not fourth-down"),
    ],
)
def test_wrong_teams_are_refused(arguments: tuple[str, ...], message: str) -> None:
    assert message in get_refusal("play", *arguments)


def test_a_coach_needs_no_prefix() -> None:
    seats = [("bold", "cautious"), ("coach:bold", "coach:cautious")]
    first, second = (
        run_ok("play", "fourth-down", "--home", home, "--away", away, "--seed", "3").out
        for home, away in seats
    )
    assert first == second


def test_options_may_have_hyphens_or_underscores() -> None:
    game = ("play", "fourth-down", "--home", "book", "--away", "book", "--seed", "3")
    first, second = (
        run_ok(*game, "-o", f"{name}=goal-line").out
        for name in ("punt-touchback", "punt_touchback")
    )
    assert first == second
