"""Signal handling around each wait for input, so that every signal counts at any moment.

Python only notes a signal when it arrives, and acts on it before its next instruction. A Ctrl-C
that arrives after our last instruction and before the system call that waits for a key (while
readline draws the prompt, or turns a key into a letter) is noted and then sleeps with the wait: it
would count with the next key only. No order of checks before the wait closes that gap, since the
wait itself is in C, in readline or in a system read.

So a timer ticks during the wait. Each tick is a signal too and wakes the wait, and Python acts on
all signals that it has noted: a signal in the gap counts at the next tick. Nothing else changes:
readline edits the line and keeps its history, `getpass` hides what is typed, a pipe is read as
usual, and a wait without signals continues after each tick.

One gap is left, inside readline: once it knows that a key is there, it reads, and does not wake up
until it has one. But a terminal discards pending input when Ctrl-C is pressed, and the key may be
gone by then. So during the wait the terminal is set to keep pending input, and we discard it.

- Ctrl-C ends the wait. One that was swallowed on its way (Python drops exceptions raised in a
  finalizer or in a hook of a library) ends the next wait.
- Ctrl-C while a line is being printed counts as soon as the line is complete
  (`defer_interrupts`). The library that draws it does not survive an interruption: it would
  continue to collect output and never show it. The terminal is changed and restored
  under the same protection.
- Ctrl-Z restores the terminal, stops, and after `fg` sets it up again: keys arrive one by one, a
  hidden answer stays hidden, the line is drawn again.
- A resize of the window is left to readline, which hears of it between two ticks.
- A terminal that hangs up ends the program at once, as usual: each call was written before it
  was shown, so the log has all of them.
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

TICK_SECONDS = 0.1  # longest delay of a signal in the gap
LOCAL_FLAGS, CONTROL_CHARACTERS = 3, 6  # indexes into the list of `termios.tcgetattr`


class InputGuard:
    """Context manager around each wait for a line: `with waiting(): ...`."""

    def __init__(self, is_terminal: bool) -> None:
        in_main_thread = threading.current_thread() is threading.main_thread()
        self.uses_timer = in_main_thread and hasattr(signal, "setitimer")
        self.is_terminal = self.uses_timer and is_terminal
        self.handles_stop = self.is_terminal and signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL
        self.was_interrupted = False
        self.defers_interrupt = self.is_interrupt_deferred = False
        self.is_terminal_changed = False
        self.prompt, self.hidden, self.by_key = "", False, False
        if self.is_terminal:
            import termios

            self.original_modes = termios.tcgetattr(sys.stdin)
            self.line_modes = [*self.original_modes]
            self.line_modes[LOCAL_FLAGS] |= termios.NOFLSH
            self.key_modes = [*self.line_modes]
            self.key_modes[LOCAL_FLAGS] &= ~(termios.ICANON | termios.ECHO)
            self.key_modes[CONTROL_CHARACTERS] = [*self.original_modes[CONTROL_CHARACTERS]]
            self.key_modes[CONTROL_CHARACTERS][termios.VMIN] = 1
            self.key_modes[CONTROL_CHARACTERS][termios.VTIME] = 0
            atexit.register(self._restore_at_exit)
            if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.SIG_IGN):
                signal.signal(signal.SIGINT, self._on_interrupt)

    def __call__(self, prompt: str = "", hidden: bool = False, by_key: bool = False) -> InputGuard:
        """Prepare for one wait, for a line or a key; the prompt is shown again after a stop."""
        self.prompt, self.hidden, self.by_key = prompt, hidden or by_key, by_key
        return self

    def __enter__(self) -> None:
        if self.was_interrupted:
            raise KeyboardInterrupt
        self.is_interrupt_deferred, self.defers_interrupt, self.is_terminal_changed = (
            False,
            True,
            True,
        )
        if self.is_terminal:
            self._set_modes(self.key_modes if self.by_key else self.line_modes)
        if self.handles_stop:
            signal.signal(signal.SIGTSTP, self._on_stop)
        if self.uses_timer:
            signal.signal(signal.SIGALRM, self._on_tick)
            signal.setitimer(signal.ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)
        self.defers_interrupt = False  # a deferred interrupt counts at the first tick

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        with self.defer_interrupts():
            self._restore(drop=fault is not None)
        if isinstance(fault, SystemError) and fault.__cause__ is not None:
            raise _first_cause(fault) from None

    @contextmanager
    def defer_interrupts(self) -> Iterator[None]:
        """Defer Ctrl-C to the end of a short block that must not be interrupted."""
        self.is_interrupt_deferred, self.defers_interrupt = False, True
        try:
            yield
        finally:
            self.defers_interrupt = False
        if self.is_interrupt_deferred:
            self.is_interrupt_deferred = False
            raise KeyboardInterrupt

    def _restore(self, drop: bool = False) -> None:
        """Restore the terminal to its original modes."""
        if self.uses_timer:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self.handles_stop:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        if self.is_terminal:
            self._set_modes(self.original_modes, drop)
        self.is_terminal_changed = False

    def _restore_at_exit(self) -> None:
        """Restore the terminal at exit, if Ctrl-C came just before it was restored.

        Otherwise leave it alone: a program in the background may not touch it.
        """
        if self.is_terminal_changed:
            self._restore()

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self.was_interrupted = True
        if not self.defers_interrupt:
            raise KeyboardInterrupt
        self.is_interrupt_deferred = True

    def _on_tick(self, number: int, frame: FrameType | None) -> None:
        """Raise a deferred interrupt; waking the wait has already done everything else."""
        if self.is_interrupt_deferred and not self.defers_interrupt:
            self.is_interrupt_deferred = False
            raise KeyboardInterrupt

    def _set_modes(self, modes: list[Any], drop: bool = False) -> None:
        """Change the terminal modes; a terminal that has hung up is reported by the next read."""
        import termios

        with suppress(termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
            if drop:
                termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def _on_stop(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-Z in the middle of a line."""
        import termios

        current_modes = termios.tcgetattr(sys.stdin)
        self._set_modes(self.original_modes, drop=True)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)  # returns after `fg`
        signal.signal(signal.SIGTSTP, self._on_stop)
        self._set_modes(current_modes)
        print(self.prompt + self._typed_text(), end="", flush=True)

    def _typed_text(self) -> str:
        """Return the line so far, unless it is hidden."""
        import readline

        return "" if self.hidden else readline.get_line_buffer()


def _first_cause(fault: BaseException) -> BaseException:
    """Return the exception that really ended a wait.

    `input` handles signals once more on its way out, while the interrupt is raised. If a tick
    arrives just then, Python reports a SystemError caused by the interrupt.
    """
    while isinstance(fault, SystemError) and fault.__cause__ is not None:
        fault = fault.__cause__
    return fault
