"""Program that asks at a terminal; test_signals.py runs it as a player would run the game.

    asking.py ROUNDS [hidden]     ask so many times
    asking.py ROUNDS keys         wait so many times for a single key
    asking.py late [hidden]       ask once; a signal arrives just before the wait
    asking.py swallowed           ask once, after an interrupt that Python dropped
    asking.py printing            print a line repeatedly, with an interrupt at each of its steps

`late` sends the signal from C, with no Python instruction between it and the wait: the very gap in
which a signal is noted but does not end the wait.
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
    """Send the signal and wait, both in C code alone."""
    return list(itertools.starmap(operator.call, [(send,), (wait,)]))[-1]


def send_before_the_wait(screen: Screen, hidden: bool) -> None:
    """Arrange for the signal to arrive when the prompt is drawn, or when the read begins."""
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
    """Object whose finalizer raises an interrupt, which Python drops."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def ask(screen: Screen, number: int, hidden: bool) -> str:
    """Ask once, after a line about the round, as in a game."""
    try:
        screen.say(f"round {number}", "bold")
        if "keys" in sys.argv:
            return f"read {screen.read_key(f'{number}>')!r}"
        return f"read {screen.ask(f'{number}>', hidden)!r}"
    except (Quit, KeyboardInterrupt):
        return "left"


def interrupted(step: int, function: Callable[[], None]) -> int:
    """Run a function with an interrupt at this one of its steps; return how many it took."""
    steps = 0

    def trace(frame: FrameType, event: str, value: object) -> Any:
        nonlocal steps
        steps += 1
        if steps == step:
            signal.raise_signal(signal.SIGINT)
        return trace

    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(None)
    return steps


def interrupt_printing(screen: Screen) -> None:
    """Interrupt printing at every step; every interrupt must count and every farewell be seen."""

    def say() -> None:
        screen.say("a line")
        screen.print_field("[..<..]")

    interrupted(0, say)  # warm up caches
    steps, count = interrupted(0, say), 0
    for step in range(1, steps + 1):
        try:
            interrupted(step, say)
        except KeyboardInterrupt:
            count += 1
        screen.say(f"{step}: farewell.")
    screen.say(f"left {count} times of {steps}.")


def main() -> None:
    streams.install_streams()
    mode, hidden = sys.argv[1], "hidden" in sys.argv
    screen = Screen()
    if mode == "printing":
        interrupt_printing(screen)
        return
    rounds = int(mode) if mode.isdecimal() else 1
    if mode == "late":
        send_before_the_wait(screen, hidden)
    if mode == "swallowed":
        sys.unraisablehook = lambda _: None
        Dropped()
    for number in range(rounds):
        result = ask(screen, number, hidden)
        screen._input_guard.was_interrupted = False
        screen.say(f"{number}: {result}.")


if __name__ == "__main__":
    main()
