"""League games played out by coaches: from the start, from the middle, in a separate process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.fairness import verify_bytes
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header, new_salt
from hashmark.web.leagues.autoplay_pool import AutoplayPool, play_out
from web.harness import run_async

COACHES = ("coach:book", "coach:bold")


def log_lines_after(calls: int, header: Header) -> list[str]:
    """Return the log lines of a game in which a person has made some calls."""
    lines: list[str] = []
    chain = ""

    def persist(line: object) -> None:
        nonlocal chain
        text, chain = log.seal_line(chain, line)  # type: ignore[arg-type]
        lines.append(text)

    persist(header.to_json())
    session = GameSession(header, header.new_game(), persist=persist)
    for _ in range(calls):
        while session.advance():
            pass
        pending = session.pending_input()
        if pending is None:
            break
        session.answer(session.moment, pending.team, pending.calls[0])  # type: ignore[union-attr]
    return lines


@pytest.mark.parametrize("calls", [0, 1, 9])
def test_a_game_is_resumed_from_its_current_state(calls: int) -> None:
    header = Header("fourth-down", seed=5, salt=new_salt(), client_seeds=("", ""))
    lines = log_lines_after(calls, header)
    played = play_out(lines, COACHES)
    whole = "".join([*lines, *played.lines]).encode()
    session, _ = GameSession.resume_bytes(whole, "the game")
    assert session.is_over
    assert tuple(session.game.position.score) == played.score
    assert session.seats == list(COACHES)
    assert "final" in played.scoreboard
    assert verify_bytes(whole, "the game").to_json()["verified"] is True
    assert play_out(lines, COACHES) == played  # the dice are those of the seed


def test_only_shipped_files_are_used_when_asked_to() -> None:
    header = Header(
        "data-driven", {"charts": "/etc/passwd"}, {"home": "coach:book", "away": "coach:book"}
    )
    first, _ = log.seal_line("", header.to_json())
    with pytest.raises(HashmarkError):
        play_out([first], COACHES, only_shipped=True)


def test_a_game_without_an_end_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header("fourth-down", seats=dict.fromkeys(("home", "away"), "coach:book"))
    first, _ = log.seal_line("", replace(header, salt=new_salt()).to_json())
    monkeypatch.setattr("hashmark.web.leagues.autoplay_pool.MAX_GAME_STEPS", 3)
    with pytest.raises(HashmarkError, match="cannot finish this game"):
        play_out([first], COACHES)


def first_line() -> str:
    header = Header("fourth-down", seed=3, salt=new_salt(), client_seeds=("", ""))
    return log.seal_line("", header.to_json())[0]


def test_the_process_is_restarted_after_a_rest_or_a_crash(tmp_path: Path) -> None:
    async def scenario() -> None:
        pool, header_line = AutoplayPool(), first_line()
        pool.stop()  # nothing was started
        played = await pool.play_out([header_line], COACHES, True)
        assert played.lines
        assert await pool.play_out([header_line], COACHES, True) == played
        pool.stop()
        assert pool._process._executor is None
        try:
            assert await pool.play_out([header_line], COACHES, True) == played
            with pytest.raises(HashmarkError):  # errors in the process are passed on
                await pool.play_out(["{}\n"], COACHES, True)
            executor = pool._process._executor
            assert executor is not None
            for process in (executor._processes or {}).values():
                process.kill()
            with pytest.raises(HashmarkError, match="restarting it"):
                await pool.play_out([header_line], COACHES, True)
            assert await pool.play_out([header_line], COACHES, True) == played
        finally:
            pool.stop()

    run_async(scenario)
