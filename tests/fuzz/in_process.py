"""The command run in this process, with streams of its own: as a user sees it, without the wait."""

from __future__ import annotations

import io
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from unittest.mock import patch

from hashmark.cli.run import run


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


def answer(arguments: list[str], said: str = "") -> Done:
    """Run the command with these arguments and this standard input."""
    given = io.BytesIO(said.encode(errors="surrogatepass"))
    out, err = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(given, encoding="utf-8", errors="surrogateescape"),
        "stdout": io.TextIOWrapper(out, encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, encoding="utf-8", write_through=True),
    }
    with ExitStack() as stack:
        for name, stream in streams.items():
            stack.enter_context(patch.object(sys, name, stream))
        status = run(arguments)
    pdf = out.getvalue().startswith(b"%PDF")
    return Done(status, "" if pdf else out.getvalue().decode(), err.getvalue().decode())


def hashmark(*arguments: str, said: str = "") -> Done:
    """Run the command; it must do what it is asked."""
    done = answer(list(arguments), said)
    assert done.status == 0, done.err
    return done


def refused(*arguments: str, said: str = "") -> str:
    """The one sentence with which the command refuses."""
    done = answer(list(arguments), said)
    return the_sentence(done.status, done.out, done.err)


def the_sentence(status: int, out: str, err: str) -> str:
    """What a command said that refused: one sentence, and nothing else."""
    assert status == 2, (status, out, err)
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("hashmark: ")
    return lines[0]
