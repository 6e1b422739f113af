"""The public names: listed, lazy, documented, typed; every example in a docstring runs."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hashmark as hm

SOURCE = Path(hm.__file__).parent
HEAVY_EXAMPLES = {"best", "simulation"}  # their examples compile
LIBRARIES = ("numpy", "numba", "polars", "pandas", "matplotlib", "jinja2", "rich", "typer")


def public_objects() -> dict[str, Any]:
    return {name: getattr(hm, name) for name in hm.__all__}


def documented() -> Iterator[tuple[str, Any]]:
    """Yield every public name, and the public methods of public classes."""
    for name, thing in public_objects().items():
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for method, value in vars(thing).items():
                if not method.startswith("_"):
                    yield f"{name}.{method}", value


def test_the_names_are_few_and_sorted() -> None:
    assert hm.__all__ == sorted(hm.__all__)
    assert len(hm.__all__) <= 30
    assert set(dir(hm)) == {*hm.__all__, "__version__"}
    with pytest.raises(AttributeError, match="has no attribute 'simulte'"):
        hm.simulte  # noqa: B018


@pytest.mark.parametrize(("name", "thing"), list(documented()))
def test_every_public_name_is_documented(name: str, thing: Any) -> None:
    text = inspect.getdoc(thing.fget if isinstance(thing, property) else thing)
    assert text, name
    assert text.splitlines()[0].endswith((".", ":")) or "\n" in text, name


@pytest.mark.parametrize(("name", "thing"), list(documented()))
def test_every_public_function_is_typed(name: str, thing: Any) -> None:
    function = thing.fget if isinstance(thing, property) else thing
    function = getattr(function, "__func__", function)
    if not inspect.isfunction(function):
        return
    annotations = function.__annotations__
    assert "return" in annotations, name
    parameters = [one for one in inspect.signature(function).parameters if one != "self"]
    assert set(parameters) - {"cls"} <= annotations.keys(), name


def in_new_process(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SOURCE
    )
    return run.stdout


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, hashmark; print(sorted(m for m in sys.modules if 'hashmark' in m))"
    assert in_new_process(code) == "['hashmark']\n"


def test_playing_needs_no_library() -> None:
    code = f"""
import sys
for name in {LIBRARIES!r}:
    sys.modules[name] = None
import hashmark as hm
game = hm.Game("fourth-down", seed=1).play_out()
hm.games(), hm.Position("fourth-down"), hm.odds("fourth-down"), hm.teams(2008)
hm.plan("ARI", 2008)
print(game.over, hm.simulate("fourth-down", 3).games)
"""
    assert in_new_process(code) == "True 3\n"


@pytest.mark.parametrize("name", hm.__all__)
def test_every_name_can_be_the_first(name: str) -> None:
    """Whatever is imported for the one does not hide the others."""
    code = f"import hashmark as hm; hm.{name}\nprint([n for n in hm.__all__ if not hasattr(hm, n)])"
    assert in_new_process(code) == "[]\n"


@pytest.mark.parametrize("package", ["odds", "games"])
def test_packages_with_the_name_of_a_function_can_be_called(package: str) -> None:
    arguments = "'fourth-down'" if package == "odds" else ""
    code = (
        f"import hashmark.{package} as p; import hashmark as hm; print(hm.{package}({arguments}))"
    )
    assert "fourth-down" in in_new_process(code)
    assert list(inspect.signature(getattr(hm, package)).parameters)[:1] == (
        ["rules"] if package == "odds" else []
    )


def test_no_other_public_name_is_that_of_a_package() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages & set(hm.__all__) == {"games", "odds"}


def example_modules() -> list[str]:
    modules = {f"hashmark.api.{path.stem}" for path in (SOURCE / "api").glob("*.py")}
    return sorted(modules - {"hashmark.api.__init__"})


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(one, marks=[pytest.mark.heavy] if one.split(".")[-1] in HEAVY_EXAMPLES else [])
        for one in example_modules()
    ],
)
def test_examples_of_docstrings_run(module: str) -> None:
    results = doctest.testmod(__import__(module, fromlist=["_"]))
    assert results.failed == 0


def test_types_of_the_package_are_shipped() -> None:
    assert (SOURCE / "py.typed").is_file()
    assert typing.get_type_hints(hm.make_callable)["package"] is str
