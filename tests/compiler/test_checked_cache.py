"""Checked cache: damaged machine code is never run but compiled again."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np

from hashmark.compiler import checked_cache, registration


def triangle(n: int) -> int:
    """Return the sum of the first n numbers."""
    total = 0
    for k in range(n):
        total += k
    return total


# A small function instead of a game's loop, compiled the same way. Each kind of damage is applied
# to the original files; the next run must give the right result and leave intact files, so that
# the following run finds its code.
ROTTEN = """
import shutil, sys
from pathlib import Path
from hashmark.compiler import checked_cache, registration

def triangle(n):
    total = n * 0
    for k in range(100):
        total += n + k
    return total

folder, first = Path(sys.argv[1]), Path(sys.argv[2])

def run(n=7):
    registration._dispatcher.cache_clear()
    dispatcher = registration._prepared(
        triangle, folder, (n,), registration.CompileOptions(3, True)
    )
    made = dispatcher(n)
    assert made == 100 * n + 4950, made
    return sum(dispatcher.stats.cache_hits.values())

def found():
    return sorted(p for p in folder.rglob("*.nb?"))

def restore():
    for path in found():
        path.unlink()
    shutil.copytree(first, folder, dirs_exist_ok=True)

def try_it(what):
    hits = run()
    assert hits == 0, what
    assert all(checked_cache.is_intact(path.read_bytes()) for path in found()), what
    restore()

assert run() == 0
shutil.copytree(folder, first)
assert run() == 1
runs = 0
for path in found():
    whole = path.read_bytes()
    places = [*range(0, len(whole), 1 + len(whole) // PLACES), len(whole) - 1]
    damaged = [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in places]
    damaged += [b"", whole[: len(whole) // 2], whole[: -checked_cache.DIGEST_BYTES], whole + b"x"]
    for content in damaged:
        path.write_bytes(content)
        try_it((path, content == b"", len(content)))
        runs += 1
    path.unlink()
    try_it((path, "gone"))

# The same file name was used for other arguments before.
(code,) = folder.rglob("*.nbc")
(index,) = folder.rglob("*.nbi")
code.unlink(), index.unlink()
assert run(7.0) == 0
other = code.read_bytes()
restore()
code.write_bytes(other)
assert checked_cache.is_intact(other)
try_it("other code")
assert run() == 1
print(runs, "right")
"""

PLACES = 6


def test_a_file_with_any_flipped_bit_is_compiled_again(tmp_path: Path) -> None:
    script = tmp_path / "rotten.py"
    script.write_text(ROTTEN.replace("PLACES", str(PLACES)))
    (tmp_path / "cache").mkdir()
    done = subprocess.run(
        [sys.executable, script, tmp_path / "cache", tmp_path / "first"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) >= 2 * (PLACES + 4)


def test_every_flipped_bit_is_detected() -> None:
    data = bytes(range(256))
    intact = data + checked_cache.file_digest(data)
    assert checked_cache.is_intact(intact)
    for index in range(len(intact)):
        for bit in range(8):
            assert not checked_cache.is_intact(
                intact[:index] + bytes([intact[index] ^ 1 << bit]) + intact[index + 1 :]
            )
    assert not any(checked_cache.is_intact(intact[:end]) for end in range(len(intact)))


def test_many_threads_may_request_the_same_code_at_once(tmp_path: Path) -> None:
    """Each gets the right answer, and no compiler setting is left changed."""
    registration._dispatcher.cache_clear()
    opt_level = numba.config.OPT

    def request(effort: int) -> int:
        options = registration.CompileOptions(effort, inline=effort > 1)
        compiled = registration._prepared(triangle, tmp_path, (np.int64(effort),), options)
        return int(compiled(np.int64(100)))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(request, [1, 2, 3, 1, 2, 3, 1, 2]))
    assert answers == [triangle(100)] * 8
    assert opt_level == numba.config.OPT
