"""Tests of signals during a wait for input: every signal counts at any moment."""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from hashmark.session import log
from timeouts import TIMEOUT_SECONDS

ASKING = str(Path(__file__).parent / "asking.py")
UP, LEFT = "\x1b[A", "\x1b[D"

Open = Callable[..., pexpect.spawn]


@pytest.fixture
def start() -> Iterator[Open]:
    """Start a program at a pseudo-terminal of its own."""
    started: list[pexpect.spawn] = []

    def run(command: str, *arguments: str) -> pexpect.spawn:
        child = pexpect.spawn(
            command,
            list(arguments),
            encoding="utf-8",
            timeout=TIMEOUT_SECONDS,
            dimensions=(40, 100),
        )
        started.append(child)
        return child

    yield run
    for child in started:
        child.close(force=True)


def asking(start: Open, *arguments: str) -> pexpect.spawn:
    return start(sys.executable, ASKING, *arguments)


class TestCtrlC:
    @pytest.mark.parametrize("hidden", [[], ["hidden"]])
    def test_ends_the_wait_when_sent_in_the_gap_before_it(
        self, start: Open, hidden: list[str]
    ) -> None:
        asking(start, "late", *hidden).expect_exact("0: left.")

    def test_ends_the_wait_when_sent_before_a_pipe_is_read(self, start: Open) -> None:
        shell = f"cat | {sys.executable} {ASKING} late"
        start("/bin/sh", "-c", shell).expect_exact("0: left.")

    def test_counts_in_a_program_started_with_interrupts_ignored(self, start: Open) -> None:
        shell = f"trap '' INT; exec {sys.executable} {ASKING} 1"
        child = start("/bin/sh", "-c", shell)
        child.expect_exact("0>")
        child.sendcontrol("c")
        child.expect_exact("0: left.")

    def test_that_python_dropped_ends_the_next_wait(self, start: Open) -> None:
        asking(start, "swallowed").expect_exact("0: left.")

    @pytest.mark.parametrize("hidden", [[], ["hidden"]])
    def test_counts_at_the_prompt_and_in_the_middle_of_a_line(
        self, start: Open, hidden: list[str]
    ) -> None:
        child = asking(start, "2", *hidden)
        child.expect_exact("0>")
        child.sendcontrol("c")
        child.expect_exact("0: left.")
        child.expect_exact("1>")
        child.send("half a wo")
        child.sendcontrol("c")
        child.expect_exact("1: left.")
        child.expect(pexpect.EOF)

    def test_counts_while_a_line_is_printed(self, start: Open) -> None:
        """A half-drawn line once suppressed all later output, including the farewell."""
        child = asking(start, "printing")
        child.expect(r"left (\d+) times of (\d+)\.")
        assert child.match is not None
        count, steps = map(int, child.match.groups())
        assert count == steps > 500
        farewells = re.findall(r"(\d+): farewell", str(child.before))
        assert farewells == [str(step) for step in range(1, steps + 1)]
        child.expect(pexpect.EOF)

    @pytest.mark.parametrize(
        "rounds", [40, pytest.param(1000, marks=pytest.mark.long, id="many rounds")]
    )
    @pytest.mark.parametrize("hidden", [[], ["hidden"], ["keys"]])
    @pytest.mark.parametrize("typed", ["", "half a wo"])
    def test_counts_at_any_moment(
        self, start: Open, hidden: list[str], rounds: int, typed: str
    ) -> None:
        """From the moment a round begins until well into the wait, and right after keys."""
        if "keys" in hidden:
            typed = ""  # the first key would end the wait
        draw = random.Random(rounds)
        child = asking(start, str(rounds), *hidden)
        child.delaybeforesend = None
        for number in range(rounds):
            child.expect_exact(f"round {number}")
            sleep_briefly(draw)
            if typed:
                child.expect_exact(f"{number}>")
                child.send(typed)
                sleep_briefly(draw)
            child.sendcontrol("c")
            child.expect_exact(f"{number}: left.")
        child.expect(pexpect.EOF)


def sleep_briefly(draw: random.Random) -> None:
    """Sleep for some microseconds up to two milliseconds; no test depends on the duration."""
    time.sleep(10 ** draw.uniform(-6, -2.7))


class TestAKey:
    def test_is_taken_at_once_and_not_shown(self, start: Open) -> None:
        child = asking(start, "4", "keys")
        for number, (sent, read) in enumerate([("x", "x"), ("\r", "\n"), (" ", "\n"), ("O", "o")]):
            child.expect_exact(f"{number}>")
            child.send(sent)
            child.expect_exact(f"{number}: read {read!r}.")
        child.expect(pexpect.EOF)

    def test_is_none_at_the_end_of_the_input(self, start: Open) -> None:
        child = asking(start, "1", "keys")
        child.expect_exact("0>")
        child.send("\x04")
        child.expect_exact("0: left.")

    def test_survives_a_stop(self, start: Open) -> None:
        shell = start("/bin/sh", "-i")
        shell.sendline("PS1='shell-''prompt '")
        shell.expect_exact("shell-prompt ")
        shell.sendline(" ".join([sys.executable, ASKING, "1", "keys"]))
        shell.expect_exact("0>")
        shell.sendcontrol("z")
        shell.expect_exact("shell-prompt ")
        shell.sendline("fg")
        shell.expect_exact("0>")
        shell.send("x")
        shell.expect_exact("0: read 'x'.")


class TestTheLine:
    def test_is_edited_and_remembered(self, start: Open) -> None:
        child = asking(start, "3")
        child.expect_exact("0>")
        child.sendline(f"bod{LEFT}l")
        child.expect_exact("0: read 'bold'.")
        child.expect_exact("1>")
        child.sendline(f"{UP}er")
        child.expect_exact("1: read 'bolder'.")
        child.expect_exact("2>")
        child.sendeof()
        child.expect_exact("2: left.")

    def test_is_typed_slowly(self, start: Open) -> None:
        """Nothing typed is lost, however long the wait."""
        child = asking(start, "1")
        child.expect_exact("0>")
        for letter in "unhurried":
            time.sleep(0.06)
            child.send(letter)
        child.sendline()
        child.expect_exact("0: read 'unhurried'.")

    def test_survives_a_resize_of_the_window(self, start: Open) -> None:
        child = asking(start, "2")
        child.expect_exact("0>")
        child.send("be")
        child.expect_exact("be")
        child.setwinsize(20, 50)
        child.expect_exact("0> be")  # drawn again
        child.sendline("fore")
        child.expect_exact("0: read 'before'.")
        child.expect_exact("1>")

    @pytest.mark.parametrize("hidden", [[], ["hidden"]])
    def test_survives_a_stop(self, start: Open, hidden: list[str]) -> None:
        shell = start("/bin/sh", "-i")
        shell.sendline("PS1='shell-''prompt '")
        shell.expect_exact("shell-prompt ")
        shell.sendline(" ".join([sys.executable, ASKING, "2", *hidden]))
        shell.expect_exact("0>")
        shell.send("be")
        if not hidden:
            shell.expect_exact("be")
        shell.sendcontrol("z")  # input that the program has not read yet is lost, as usual
        shell.expect_exact("shell-prompt ")
        shell.sendline("stty -a")
        shell.expect(" icanon .* echo ")  # the shell has an ordinary terminal
        shell.expect_exact("shell-prompt ")
        shell.sendline("fg")
        shell.expect_exact("0> (not shown) " if hidden else "0> be")
        shell.sendline("fore")
        index = shell.expect(["0: read 'fore'", "fore.*0: read 'before'"])
        assert index == (0 if hidden else 1)


def wait_until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_hangup_ends_the_program_and_the_log_is_complete(start: Open, tmp_path: Path) -> None:
    """The program ends, the log has every call, and the game can be resumed."""
    path = tmp_path / "game.log"
    arguments = ["play", "fourth-down", "--seed", "3", "--log", str(path)]
    child = start(sys.executable, "-m", "hashmark", *arguments)
    child.expect_exact("home>")
    child.sendline("balanced")
    child.expect_exact("calls balanced")
    child.expect_exact(">")
    child.ptyproc.fileobj.close()
    wait_until(lambda: not child.isalive())
    turns = len(log.replay(path).game.turns)
    assert turns
    child = start(sys.executable, "-m", "hashmark", "resume", str(path))
    child.expect_exact(">")
    child.sendcontrol("d")
    child.expect_exact("Saved. Resume with")
    child.expect(pexpect.EOF)
    assert len(log.replay(path).game.turns) == turns
