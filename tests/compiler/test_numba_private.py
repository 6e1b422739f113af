"""Private parts of Numba: other compiled code is not affected, and games do without them.

Damaged machine code in the cache is never run but compiled again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.extending import register_jitable

import hashmark
from hashmark.compiler import numba_private, registration
from hashmark.compiler.numba_private import InnerLibrary, unfinished_inner_code
from hashmark.sim import simulate


def test_code_compiled_meanwhile_is_usable_elsewhere() -> None:
    """Numba caches its own helpers globally: here they are compiled as inner functions."""

    def place(values: np.ndarray, at: float) -> int:
        return int(np.searchsorted(values, at)) + int(values.sum())

    values = np.arange(4.0)
    with unfinished_inner_code():
        assert numba.njit(place)(values, 2.5) == 9
    again = numba.njit(lambda values, at: np.searchsorted(values, at) + values.sum())
    assert again(values, 2.5) == 9


def third(n: int) -> int:
    return n + 3


def second(n: int) -> int:
    return 2 * third(n)


def first(n: int) -> int:
    return second(n) + second(n + 1)


register_jitable(third)
register_jitable(second)
register_jitable(forceinline=True)(first)


@pytest.mark.parametrize("in_line", [True, False])
def test_callees_of_inner_functions_are_linked_in_everywhere(in_line: bool) -> None:
    """In the loop itself, and in other code that is compiled from them afterwards."""
    with unfinished_inner_code(in_line):
        assert numba.njit(lambda n: first(n) + third(n))(1) == 8 + 10 + 4
    assert numba.njit(lambda n: second(n) - 1)(1) == 7
    with unfinished_inner_code(not in_line):
        assert numba.njit(lambda n: first(n))(2) == 10 + 12


def test_numba_settings_are_restored_afterwards() -> None:
    target = numba.core.registry.cpu_target
    options = target.options
    simulate("fourth-down", 1, engine="compiled")
    assert target.target_context.codegen()._library_class is not InnerLibrary
    assert target.options is options


WITHOUT = """
import sys
from operator import attrgetter
import numba.core.caching, numba.core.codegen
owner, _, name = sys.argv[1].rpartition(".")
delattr(attrgetter(owner)(numba.core), name)
from hashmark.sim import simulate
print(*(simulate("fourth-down", 5, seed=s, engine="compiled").digest for s in range(3)))
"""


@pytest.mark.parametrize(
    "missing", ["codegen.JITCodeLibrary", "caching.IndexDataCacheFile._data_path"]
)
def test_games_are_compiled_without_a_missing_private_name(missing: str, tmp_path: Path) -> None:
    """With one notice, the same results, and nothing in the cache."""
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT, missing],
        env={**os.environ, "HASHMARK_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    plain = [simulate("fourth-down", 5, seed=seed, engine="plain").digest for seed in range(3)]
    assert ran.stdout.split() == plain
    assert ran.stderr.count("is not supported") == 1
    assert not list(tmp_path.rglob("*.nb?"))


def test_no_other_module_imports_private_parts() -> None:
    sources = Path(hashmark.__file__).parent.rglob("*.py")
    importing = [path.name for path in sources if "numba.core" in path.read_text()]
    assert importing == ["numba_private.py"]


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
from hashmark.compiler import numba_private, registration

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
    assert all(numba_private.is_intact(path.read_bytes()) for path in found()), what
    restore()

assert run() == 0
shutil.copytree(folder, first)
assert run() == 1
runs = 0
for path in found():
    whole = path.read_bytes()
    places = [*range(0, len(whole), 1 + len(whole) // PLACES), len(whole) - 1]
    damaged = [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in places]
    damaged += [b"", whole[: len(whole) // 2], whole[: -numba_private.DIGEST_BYTES], whole + b"x"]
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
assert numba_private.is_intact(other)
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
    intact = data + numba_private.file_digest(data)
    assert numba_private.is_intact(intact)
    for index in range(len(intact)):
        for bit in range(8):
            assert not numba_private.is_intact(
                intact[:index] + bytes([intact[index] ^ 1 << bit]) + intact[index + 1 :]
            )
    assert not any(numba_private.is_intact(intact[:end]) for end in range(len(intact)))


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
