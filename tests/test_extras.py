"""Optional libraries and the extras that install them."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from hashmark import extras

ROOT = Path(__file__).parents[1]


def test_every_library_is_installed_by_its_extra_only() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras_of_project = project["optional-dependencies"]
    for library, (_, extra) in extras.LIBRARIES.items():
        requirement = re.compile(rf"{library.replace('_', '[-_]')}\b")
        assert any(requirement.match(line) for line in extras_of_project[extra])
        assert not any(requirement.match(line) for line in project["dependencies"])
    for extra in ("fast", "league", "cluster"):
        assert any(extra in line for line in extras_of_project["all"])


def test_need_refuses_a_missing_library_and_names_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    extras.require("this", "numba", "polars")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(extras.MissingLibrary, match=r"rows needs Polars.*run `make league`"):
        extras.require("rows", "numba", "polars")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ImportError("broken", name="numba.core"), "Numba is installed but cannot be loaded"),
        (ModuleNotFoundError("no", name="nothing"), None),
        (ImportError("no name"), None),
    ],
)
def test_a_failed_import_of_an_extra_gives_a_message(fault: ImportError, said: str | None) -> None:
    sentence = extras.explain_import_error(fault)
    assert (sentence is None) == (said is None)
    assert said is None or said in str(sentence)


def test_the_command_is_make_in_a_checkout_and_pip_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert extras.install_command("numba") == "make fast"
    assert extras.install_command("psycopg") == "pip install '.[postgres]'"
    monkeypatch.setattr(extras, "_in_checkout", lambda: False)
    assert extras.install_command("numba") == "pip install 'hashmark[fast]'"


def test_every_target_is_in_the_makefile() -> None:
    rule = re.search(r"^([a-z ]+): %: ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert rule is not None
    assert set(extras.MAKE_TARGETS) < set(rule[1].split())
