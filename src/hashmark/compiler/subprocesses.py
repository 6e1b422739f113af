"""Child processes for work that cannot be interrupted in this process, such as compiling.

A thread will not do: it takes time from the caller and cannot be stopped.
"""

from __future__ import annotations

import os
import subprocess
import sys


def start_process(
    function: str, *arguments: str, read_output: bool = False, write_input: bool = False
) -> subprocess.Popen[str]:
    """Call `module:function` with string arguments in a child Python process.

    With `read_output`, its standard output can be read. With `write_input`, its standard input can
    be written; the input ends when this process ends. Ctrl-C does not reach the child: the caller
    must end it.
    """
    module, _, name = function.partition(":")
    program = f"import sys; from {module} import {name} as f; f(*sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE if write_input else subprocess.DEVNULL,
        stdout=subprocess.PIPE if read_output else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
