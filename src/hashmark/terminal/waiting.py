"""Waiting for a line so that every signal counts, wherever it lands.

Python only notes a signal when it comes, and acts on it before its next instruction. A Ctrl-C
that lands after the last instruction of ours and before the system call that waits for a key
(while readline draws the prompt, or turns a key into a letter) is noted and then sleeps with
the wait: it would count with the next key only. No order of checks before the wait closes that
gap, since the wait itself is in C, in readline or in a read of the system.

So a timer ticks while we wait. Each tick is a signal too and makes the wait look up, and Python
acts on all that it has noted: whatever lands in the gap counts at the next tick. Nothing else
changes: readline edits the line and knows its history, `getpass` hides what is typed, a pipe
is read as ever, and a wait without signals goes on after each tick as if nothing had been.

One gap is left, inside readline: told that a key is there, it reads, and does not look up until
it has one. But a terminal throws away what was typed when Ctrl-C is pressed, and the key may be
gone by then. So while we wait, the terminal is told to keep it, and we throw it away.

- Ctrl-C ends the wait. One that was swallowed on its way (Python drops what is raised in a
  finalizer or in a hook of a library) ends the next wait.
- Ctrl-C in the middle of a line that is being printed counts as soon as the line is there
  (`undisturbed`). The library that draws it is not made for being left half-way: it would go on to
  collect what it is told, and never show it. The terminal is changed and given back like that too.
- Ctrl-Z gives the terminal back as it was found, stops, and after `fg` takes it up as it was:
  keys arrive one by one, a hidden answer stays hidden, the line is drawn again.
- A new size of the window is readline's own affair; it hears of it between two ticks.
- A terminal that hangs up ends the program at once, as it does any other: each call was
  written before it was shown, so the log has them all.
"""

from __future__ import annotations

import atexit
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

TICK = 0.1  # seconds that a signal in the gap may wait
LOCAL_FLAGS, LETTERS = 3, 6  # where `termios` keeps them


class Waiting:
    """Around each wait for a line: `with waiting(): ...`."""

    def __init__(self, is_terminal: bool) -> None:
        here = threading.current_thread() is threading.main_thread()
        self.ticks = here and hasattr(signal, "setitimer")
        self.is_terminal = self.ticks and is_terminal
        self.stops = self.is_terminal and signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL
        self.pressed = False
        self.holding = self.held = False  # Ctrl-C has to wait a moment; one does
        self.taken = False  # the terminal is not as it was found
        self.prompt, self.hidden, self.by_key = "", False, False
        if self.is_terminal:
            import termios

            self.found = termios.tcgetattr(sys.stdin)
            self.keeping = [*self.found]
            self.keeping[LOCAL_FLAGS] |= termios.NOFLSH
            self.key_by_key = [*self.keeping]
            self.key_by_key[LOCAL_FLAGS] &= ~(termios.ICANON | termios.ECHO)
            self.key_by_key[LETTERS] = [*self.found[LETTERS]]
            self.key_by_key[LETTERS][termios.VMIN] = 1
            self.key_by_key[LETTERS][termios.VTIME] = 0
            atexit.register(self._leave)
            if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.SIG_IGN):
                signal.signal(signal.SIGINT, self._press)

    def __call__(self, prompt: str = "", hidden: bool = False, by_key: bool = False) -> Waiting:
        """For one wait, of a line or of a single key; its prompt is shown again after a stop."""
        self.prompt, self.hidden, self.by_key = prompt, hidden or by_key, by_key
        return self

    def __enter__(self) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.held, self.holding, self.taken = False, True, True
        if self.is_terminal:
            self._set(self.key_by_key if self.by_key else self.keeping)
        if self.stops:
            signal.signal(signal.SIGTSTP, self._stop)
        if self.ticks:
            signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        self.holding = False  # what was held counts at the first tick

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        with self.undisturbed():
            self._give_back(drop=fault is not None)
        if isinstance(fault, SystemError) and fault.__cause__ is not None:
            raise _first_cause(fault) from None

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """What must not be left half-way, and takes no time: Ctrl-C counts right after it."""
        self.held, self.holding = False, True
        try:
            yield
        finally:
            self.holding = False
        if self.held:
            self.held = False
            raise KeyboardInterrupt

    def _give_back(self, drop: bool = False) -> None:
        """The terminal as it was found."""
        if self.ticks:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self.stops:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        if self.is_terminal:
            self._set(self.found, drop)
        self.taken = False

    def _leave(self) -> None:
        """At the end of the program, if Ctrl-C came just before the terminal was given back.

        Else it is left alone: a program in the background may not touch it.
        """
        if self.taken:
            self._give_back()

    def _press(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        if not self.holding:
            raise KeyboardInterrupt
        self.held = True

    def _tick(self, number: int, frame: FrameType | None) -> None:
        """The wait has looked up: all that is left to do is what could not be done before it."""
        if self.held and not self.holding:
            self.held = False
            raise KeyboardInterrupt

    def _set(self, modes: list[Any], drop: bool = False) -> None:
        """Change the terminal; it may have hung up, which the next read or write will tell."""
        import termios

        with suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
            if drop:
                termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z in the middle of a line."""
        import termios

        ours = termios.tcgetattr(sys.stdin)
        self._set(self.found, drop=True)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)  # returns after `fg`
        signal.signal(signal.SIGTSTP, self._stop)
        self._set(ours)
        print(self.prompt + self._typed(), end="", flush=True)

    def _typed(self) -> str:
        """The line so far, unless it must not be seen."""
        import readline

        return "" if self.hidden else readline.get_line_buffer()


def _first_cause(fault: BaseException) -> BaseException:
    """What really ended a wait.

    `input` handles signals once more on its way out, with the interrupt under way; if a tick
    has come just then, Python calls that a fault of its own, caused by the interrupt.
    """
    while isinstance(fault, SystemError) and fault.__cause__ is not None:
        fault = fault.__cause__
    return fault
