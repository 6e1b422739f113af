"""Libraries that only some commands need."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from hashmark.table import extras

ROOT = Path(__file__).parents[2]


def test_the_extras_bring_the_libraries() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = project["optional-dependencies"]
    for library, (_, extra) in extras.LIBRARIES.items():
        named = re.compile(rf"{library.replace('_', '[-_]')}\b")
        assert any(named.match(one) for one in brought[extra])
        assert not any(named.match(one) for one in project["dependencies"])
    for extra in ("fast", "league", "cluster"):
        assert any(extra in one for one in brought["all"])


def test_a_library_that_is_there_and_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    extras.need("this", "numba", "polars")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(extras.LacksLibrary, match=r"rows needs Polars.*'hashmark\[league\]'"):
        extras.need("rows", "numba", "polars")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ImportError("broken", name="numba.core"), "Numba is installed, but cannot be loaded"),
        (ModuleNotFoundError("no", name="nothing"), None),
        (ImportError("no name"), None),
    ],
)
def test_an_import_that_fails_is_a_sentence(fault: ImportError, said: str | None) -> None:
    sentence = extras.sentence_of(fault)
    assert (sentence is None) == (said is None)
    assert said is None or said in str(sentence)
