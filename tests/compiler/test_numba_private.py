"""Private parts of Numba: other compiled code is not affected, and games do without them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.extending import register_jitable

import hashmark
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
