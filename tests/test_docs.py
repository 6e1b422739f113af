"""The documents say what is true: examples run, links lead somewhere, every game has its page."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from hashmark.cli import app
from hashmark.table import registry

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_examples_run(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("rules", registry.built_in())
def test_every_game_has_its_page_scenarios_and_a_line_in_the_readme(rules: str) -> None:
    assert (ROOT / "docs" / "rules" / f"{rules}.md").exists()
    assert (ROOT / "tests" / "scenarios" / f"{rules}.json").exists()
    assert f"(docs/rules/{rules}.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert f"`hashmark {command.name} " in reference


def test_every_dependency_is_explained() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(one for extra in extras for one in extra)]
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for requirement in wanted:
        assert re.split(r"[><=\[]", requirement)[0] in page
