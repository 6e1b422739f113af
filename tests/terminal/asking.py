"""A program that asks at a terminal, run by test_waiting.py as a person would run the game.

    asking.py ROUNDS [hidden]     ask so many times
    asking.py ROUNDS keys         wait so many times for a single key
    asking.py late [hidden]       ask once; a signal lands just before the wait
    asking.py swallowed           ask once, after an interrupt that Python dropped
    asking.py printing            say a line again and again, with an interrupt at each of its steps

`late` sends the signal from C, with no instruction of Python's between it and the wait: the
very gap in which a signal is noted but does not end the wait.
"""

from __future__ import annotations

import ctypes
import functools
import getpass
import itertools
import operator
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from hashmark.terminal import streams
from hashmark.terminal.screen import Quit, Screen

send = functools.partial(getattr(ctypes.CDLL(None), "raise"), signal.SIGINT)


def send_and_then(wait: Any) -> Any:
    """Both by C code alone."""
    return list(itertools.starmap(operator.call, [(send,), (wait,)]))[-1]


def send_before_the_wait(screen: Screen, hidden: bool) -> None:
    """Arrange for the signal: as the prompt was drawn, or as the read begins."""
    if screen.is_terminal and not hidden:
        import readline

        readline.set_pre_input_hook(send)
        return
    if screen.is_terminal:

        def raw_input(prompt: str, stream: Any, input: Any) -> Any:
            print(prompt, end="", flush=True)
            return send_and_then(input.readline)

        getpass._raw_input = raw_input  # type: ignore[attr-defined]
        return

    class LateInput:
        source = sys.stdin

        def readline(self) -> Any:
            return send_and_then(self.source.readline)

    sys.stdin = LateInput()


class Dropped:
    """Python drops what is raised while an object goes away."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def ask(screen: Screen, number: int, hidden: bool) -> str:
    """One round; a line about the terminal before it, as in a game."""
    try:
        screen.say(f"round {number}", "bold")
        if "keys" in sys.argv:
            return f"read {screen.key(f'{number}>')!r}"
        return f"read {screen.ask(f'{number}>', hidden)!r}"
    except (Quit, KeyboardInterrupt):
        return "left"


def interrupted(step: int, act: Callable[[], None]) -> int:
    """Do it, with an interrupt at this one of its steps; how many it took."""
    steps = 0

    def trace(frame: FrameType, event: str, value: object) -> Any:
        nonlocal steps
        steps += 1
        if steps == step:
            signal.raise_signal(signal.SIGINT)
        return trace

    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(None)
    return steps


def interrupt_printing(screen: Screen) -> None:
    """Every interrupt ends what is done, and every farewell is seen."""

    def say() -> None:
        screen.say("a line")
        screen.field("[..<..]")

    interrupted(0, say)  # what is looked up once is known from here on
    steps, left = interrupted(0, say), 0
    for step in range(1, steps + 1):
        try:
            interrupted(step, say)
        except KeyboardInterrupt:
            left += 1
        screen.say(f"{step}: farewell.")
    screen.say(f"left {left} times of {steps}.")


def main() -> None:
    streams.prepare()
    what, hidden = sys.argv[1], "hidden" in sys.argv
    screen = Screen()
    if what == "printing":
        interrupt_printing(screen)
        return
    rounds = int(what) if what.isdecimal() else 1
    if what == "late":
        send_before_the_wait(screen, hidden)
    if what == "swallowed":
        sys.unraisablehook = lambda _: None
        Dropped()
    for number in range(rounds):
        said = ask(screen, number, hidden)
        screen._waiting.pressed = False
        screen.say(f"{number}: {said}.")


if __name__ == "__main__":
    main()
