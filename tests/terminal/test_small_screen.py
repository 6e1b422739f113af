"""Tests at 80 columns by 24 rows: no word is broken, and every question shows the score."""

from __future__ import annotations

import signal

import pexpect
import pytest

from hashmark.engine import registry
from terminal.pseudo_terminal import COLUMNS, ROWS, hashmark, visible_lines

PROMPT = "\nOtters> "
CALLS = 5
COMMANDS = ("help", "h", "b", "ask")


def shown(child: pexpect.spawn) -> list[str]:
    """Return what is printed up to the next prompt; turn pages on the way."""
    printed = ""
    while True:
        index = child.expect_exact([PROMPT, "q close --", "e end of game   q save and quit"])
        printed += str(child.before) + str(child.after)
        if index == 0:
            return visible_lines(printed)
        child.send("e")


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_questions_fit_the_screen(rules: str) -> None:
    child = hashmark("play", rules, "--seed", "5", "--pace", "step", "--names", "Otters,Herons")
    try:
        for number in range(CALLS + len(COMMANDS)):
            lines = shown(child)
            for line in lines:
                assert len(line) <= COLUMNS, line
            assert any(line.startswith(" OTTERS ") for line in lines[-ROWS:]), lines
            child.sendline("1" if number < CALLS else COMMANDS[number - CALLS])
    finally:
        child.kill(signal.SIGKILL)  # closing alone would wait only a fifth of a second
        child.wait()
        child.close()


def test_charts_open_in_a_pager_with_the_name_on_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "cat")
    child = hashmark("charts", "show", "invented", "OTTERS")
    child.expect(pexpect.EOF)
    lines = visible_lines(str(child.before))
    assert "OTTERS): Offense" in lines[0]
    assert max(map(len, lines)) <= COLUMNS
    assert sum("): Offense" in line for line in lines) > 1
    child.close()
    assert child.exitstatus == 0
