"""Without the extra, each environment says in one sentence what it lacks; nobody else loads it."""

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


def said_by(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("module", LACKING)
def test_what_is_lacking_is_named(module: str) -> None:
    library, name, extra = LACKING[module]
    assert said_by(PROGRAM.format(names=[library], module=module)) == (
        f"LacksLibrary hashmark.envs.{module} needs {name}, which is not installed: "
        f"pip install 'hashmark[{extra}]'\n"
    )


def test_the_package_loads_none_of_it() -> None:
    program = "import sys, hashmark, hashmark.sim, hashmark.cli; print(*sys.modules)"
    loaded = said_by(program).split()
    heavy = {"gymnasium", "pettingzoo", "pyspiel", "numpy", "hashmark.envs"}
    assert not heavy.intersection(loaded)


def test_one_environment_does_not_load_the_others() -> None:
    loaded = said_by("import sys, hashmark.envs.gymnasium; print(*sys.modules)").split()
    assert not {"pettingzoo", "pyspiel", "numba"}.intersection(loaded)
