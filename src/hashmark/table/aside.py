"""A process of our own beside this one, for work that nothing could interrupt here: a compiler.

A thread would not do: it takes time from whoever waits, and it cannot be ended.
"""

from __future__ import annotations

import os
import subprocess
import sys


def begin(
    function: str, *words: str, heard: bool = False, told: bool = False
) -> subprocess.Popen[str]:
    """Call `module:function` with these words in another process; where `heard`, what it prints
    can be read, and where `told`, it can be written to: its input ends when this process does.
    Ctrl-C here is not meant for it: whoever began it ends it."""
    module, _, name = function.partition(":")
    program = f"import sys; from {module} import {name} as f; f(*sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE if told else subprocess.DEVNULL,
        stdout=subprocess.PIPE if heard else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
