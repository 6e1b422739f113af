"""Missing extras: each environment names the library it lacks; nothing else loads it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
for name in {names}:
    sys.modules[name] = None
try:
    import hashmark.envs.{module}
except Exception as fault:
    print(type(fault).__name__, fault)
"""
LACKING = {
    "gymnasium": ("gymnasium", "Gymnasium", "envs"),
    "pettingzoo": ("pettingzoo", "PettingZoo", "envs"),
    "open_spiel": ("pyspiel", "OpenSpiel", "envs"),
    "vector": ("numba", "Numba", "fast"),
}


def run_program(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("module", LACKING)
def test_the_missing_library_is_named(module: str) -> None:
    library, name, extra = LACKING[module]
    assert run_program(PROGRAM.format(names=[library], module=module)) == (
        f"MissingLibrary hashmark.envs.{module} needs {name}, which is not installed: "
        f"run `make {extra}`\n"
    )


def test_the_package_does_not_load_the_libraries() -> None:
    program = "import sys, hashmark, hashmark.sim, hashmark.cli; print(*sys.modules)"
    loaded = run_program(program).split()
    heavy = {"gymnasium", "pettingzoo", "pyspiel", "numpy", "hashmark.envs"}
    assert not heavy.intersection(loaded)


def test_one_environment_does_not_load_the_others() -> None:
    loaded = run_program("import sys, hashmark.envs.gymnasium; print(*sys.modules)").split()
    assert not {"pettingzoo", "pyspiel", "numba"}.intersection(loaded)
