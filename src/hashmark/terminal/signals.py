"""Signal handling around each wait for input, so that every signal counts at any moment.

Python only notes a signal when it arrives, and acts on it before its next instruction. A Ctrl-C
that arrives after our last instruction and before the system call that waits for a key (while
readline draws the prompt, or turns a key into a letter) is noted and then sleeps with the wait: it
would count with the next key only. No order of checks before the wait closes that gap, since the
wait itself is in C, in readline or in a system read.

So a thread watches the pipe to which Python writes the number of each signal that it notes
(`signal.set_wakeup_fd`), and wakes the wait with signals of its own until Python has acted
(`SignalWaker`). Without signals the thread sleeps. Nothing else changes: readline edits the line
and keeps its history, `getpass` hides what is typed, a pipe is read as usual.

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
- A resize of the window is left to readline.
- A terminal that hangs up ends the program at once, as usual: each call was written before it
  was shown, so the log has all of them.
"""

from __future__ import annotations

import atexit
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

WAKE_SECONDS = 0.01  # between two attempts to wake a wait that a signal should have ended
TerminalModes = list[int | list[bytes | int]]  # as `termios.tcgetattr` returns them
LOCAL_FLAGS, CONTROL_CHARACTERS = 3, 6  # indexes into the list of `termios.tcgetattr`


class SignalWaker:
    """Thread that wakes a wait of the main thread until Python has acted on every signal noted."""

    def __init__(self) -> None:
        self.has_pending_signal = False
        self.main_thread = threading.get_ident()
        self.source, self.sink = os.pipe()
        os.set_blocking(self.sink, False)
        signal.signal(signal.SIGALRM, self._on_wake)
        signal.set_wakeup_fd(self.sink, warn_on_full_buffer=False)
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """End the thread, which reads the end of the pipe."""
        signal.set_wakeup_fd(-1)
        os.close(self.sink)
        self.has_pending_signal = False
        self.thread.join()
        os.close(self.source)

    def _watch(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while noted := os.read(self.source, 1):
            self.has_pending_signal = noted[0] != signal.SIGALRM
            while self.has_pending_signal:
                time.sleep(WAKE_SECONDS)
                signal.pthread_kill(self.main_thread, signal.SIGALRM)

    def _on_wake(self, number: int, frame: FrameType | None) -> None:
        """Note that the wait is awake: Python acts on all signals together."""
        self.has_pending_signal = False


class InputGuard:
    """Context manager around each wait for a line or a key: `with guard(prompt): ...`."""

    def __init__(self, is_terminal: bool) -> None:
        in_main_thread = threading.current_thread() is threading.main_thread()
        self.uses_waker = in_main_thread and hasattr(signal, "pthread_kill")
        self.waker: SignalWaker | None = None
        self.is_terminal = self.uses_waker and is_terminal
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
        try:
            with self.defer_interrupts():
                self._prepare()
        except KeyboardInterrupt:
            self._restore(drop=True)
            raise

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

    def _prepare(self) -> None:
        """Set the terminal and the signals up for a wait."""
        self.is_terminal_changed = True
        if self.is_terminal:
            self._set_modes(self.key_modes if self.by_key else self.line_modes)
        if self.handles_stop:
            signal.signal(signal.SIGTSTP, self._on_stop)
        if self.uses_waker:
            self.waker = SignalWaker()

    def _restore(self, drop: bool = False) -> None:
        """Restore the terminal and the signals to what they were before the wait."""
        if self.waker is not None:
            self.waker.stop()
            self.waker = None
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

    def _set_modes(self, modes: TerminalModes, drop: bool = False) -> None:
        """Change the terminal modes; a terminal that has hung up is reported by the next read."""
        import termios

        with suppress(termios.error):
            while not _try_to_set(modes):
                pass
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


def _try_to_set(modes: TerminalModes) -> bool:
    """Change the terminal modes; return False if a signal interrupted that."""
    import termios

    try:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
    except termios.error as fault:
        if fault.args[0] != errno.EINTR:
            raise
        return False
    return True


def _first_cause(fault: BaseException) -> BaseException:
    """Return the exception that really ended a wait.

    `input` handles signals once more on its way out, while the interrupt is raised. If another one
    arrives just then, Python reports a SystemError caused by the interrupt.
    """
    while isinstance(fault, SystemError) and fault.__cause__ is not None:
        fault = fault.__cause__
    return fault
