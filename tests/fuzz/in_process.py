"""Runner of the command in this process with its own streams: as a user sees it, but fast."""

from __future__ import annotations

import io
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from unittest.mock import patch

from hashmark.cli.run import run


@dataclass(frozen=True)
class CommandResult:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


def run_command(arguments: list[str], stdin_text: str = "") -> CommandResult:
    """Run the command with these arguments and this standard input."""
    stdin = io.BytesIO(stdin_text.encode(errors="surrogatepass"))
    stdout, stderr = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(stdin, encoding="utf-8", errors="surrogateescape"),
        "stdout": io.TextIOWrapper(stdout, encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(stderr, encoding="utf-8", write_through=True),
    }
    with ExitStack() as stack:
        for name, stream in streams.items():
            stack.enter_context(patch.object(sys, name, stream))
        status = run(arguments)
    pdf = stdout.getvalue().startswith(b"%PDF")
    return CommandResult(
        status, "" if pdf else stdout.getvalue().decode(), stderr.getvalue().decode()
    )


def run_ok(*arguments: str, stdin_text: str = "") -> CommandResult:
    """Run the command; it must succeed."""
    result = run_command(list(arguments), stdin_text)
    assert result.status == 0, result.err
    return result


def get_refusal(*arguments: str, stdin_text: str = "") -> str:
    """Return the one-sentence error with which the command refuses."""
    result = run_command(list(arguments), stdin_text)
    return error_sentence(result.status, result.out, result.err)


def error_sentence(status: int, out: str, err: str) -> str:
    """Return the error of a command that refused: one sentence and nothing else."""
    assert status == 2, (status, out, err)
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("hashmark: ")
    return lines[0]
