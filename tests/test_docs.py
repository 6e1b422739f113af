"""Tests of the documents: examples run, links resolve, every game has its page."""

from __future__ import annotations

import doctest
import re
import runpy
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import wrapping
from hashmark.cli import app
from hashmark.engine import registry

ROOT = Path(__file__).parent.parent
PAGES = wrapping.PAGES
PLACES = [ROOT, ROOT / "src" / "hashmark", ROOT / "src" / "hashmark" / "games", ROOT / "docs"]

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.mark.parametrize(
    "page", ["README.md", "docs/reference/environments.md", "docs/reference/python-modules.md"]
)
def test_examples_run(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried > 0
    assert failed == 0


@cache
def anchors(page: Path) -> set[str]:
    """Return the headings of a page as link anchors."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@each_page
def test_links_resolve(page: Path) -> None:
    links = re.findall(r"\]\(([^):#]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8"))
    for name, anchor in links:
        target = page.parent / name if name else page
        assert target.is_file(), name
        assert not anchor or anchor in anchors(target), f"{name}#{anchor}"


@each_page
def test_prose_is_not_too_wide(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    pieces = list(wrapping.pieces(text))
    assert "\n".join(line for piece in pieces for line in piece.lines) == text
    assert not [piece.number for piece in pieces if piece.too_wide]


WIDE = f"""# {"A heading " * 20}

- {"word " * 30}`{"code " * 10}` 20. {"word " * 9}
    - {"deeper " * 20}

      | {"cell | " * 30}

    {"code " * 30}

{"plain " * 30}
second line

    {"code " * 30}
"""


def test_wrapping_keeps_everything_but_the_ends_of_lines() -> None:
    pieces = list(wrapping.pieces(WIDE))
    assert [piece.number for piece in pieces if piece.too_wide] == [3, 4, 8, 10]
    for piece in pieces:
        if piece.too_wide:
            lines = wrapping.wrapped(piece)
            assert " ".join(lines).split() == " ".join(piece.lines).split()
            assert all(len(line) <= wrapping.WIDTH for line in lines)
            assert not any(wrapping.ITEM.match(line) for line in lines[1:])
            assert all(line.count("`") % 2 == 0 for line in lines)


SHORT_PAGES = [
    page for folder in ("tutorials", "guides", "explanation")
    for page in sorted((ROOT / "docs" / folder).glob("*.md"))
]  # fmt: skip
MAX_WORDS = 1500  # of prose and samples; longer pages are split


@pytest.mark.parametrize("page", SHORT_PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_pages_are_short(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").split()) <= MAX_WORDS


PICTURED = (
    *(ROOT / "docs" / "tutorials").glob("first-[glsw]*.md"),
    *(ROOT / "docs" / "explanation" / f"{name}.md" for name in ("seasons", "what-ifs", "how-true")),
    ROOT / "docs" / "explanation" / "values.md",
    ROOT / "docs" / "reference" / "plans.md",
)


@pytest.mark.parametrize("page", PICTURED, ids=lambda page: page.stem)
def test_pages_have_a_picture(page: Path) -> None:
    assert re.search(r"!\[[^\]]+\]\([^)]+\.(?:png|svg)\)", page.read_text(encoding="utf-8"))


@each_page
def test_named_files_exist(page: Path) -> None:
    named = re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|md))`", page.read_text(encoding="utf-8"))
    missing = [name for name in named if not any((place / name).is_file() for place in PLACES)]
    assert [name for name in missing if "my-game" not in name] == []


@cache
def named_tools() -> list[str]:
    """Return the tools that make figures of the docs, as a command names them."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return sorted(set(re.findall(r"python\s+(tools/\w+\.py)", text)))


@pytest.mark.parametrize("tool", named_tools())
def test_figure_tools_can_be_loaded(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their imports resolve; running them takes too long."""
    monkeypatch.syspath_prepend(ROOT / "tools")  # where a tool finds its parts
    namespace = runpy.run_path(str(ROOT / tool))
    assert callable(namespace["main"])
    assert tool in (namespace["__doc__"] or "")


def navigation_pages(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        items = entry.values() if isinstance(entry, dict) else [entry]
        for item in items:
            yield from [item] if isinstance(item, str) else navigation_pages(item)


def test_every_page_is_in_the_navigation_once() -> None:
    settings = tomllib.loads((ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8"))
    pages = [str(page.relative_to(ROOT)) for page in PAGES]
    assert sorted(navigation_pages(settings["project"]["nav"])) == sorted(pages)


def test_docs_site_reports_missing_and_external_files(tmp_path: Path) -> None:
    faults = runpy.run_path(str(ROOT / "tools" / "docs_site.py"))["faults"]
    page = '<img src="a.svg"><a href="b.html#x">b</a><a href="https://elsewhere.test/">c</a>'
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    assert list(faults(tmp_path)) == [
        "index.html: a.svg is not there",
        "index.html: b.html#x is not there",
    ]
    (tmp_path / "a.svg").touch()
    (tmp_path / "b.html").write_text('<script src="//elsewhere.test/x.js">', encoding="utf-8")
    assert list(faults(tmp_path)) == ["b.html loads //elsewhere.test/x.js"]


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_every_game_has_its_page_scenarios_and_a_line_in_the_readme(rules: str) -> None:
    assert (ROOT / "docs" / "reference" / "rules" / f"{rules}.md").exists()
    assert (ROOT / "tests" / "scenarios" / f"{rules}.json").exists()
    assert f"(docs/reference/rules/{rules}.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert f"`hashmark {command.name} " in reference


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = [
        *project["dependencies"],
        *(requirement for extra in extras for requirement in extra),
    ]
    page = (ROOT / "docs" / "reference" / "dependencies.md").read_text(encoding="utf-8")
    for requirement in requirements:
        assert re.split(r"[><=\[]", requirement)[0] in page


def test_the_picture_can_be_drawn() -> None:
    """The script beside it plays a game through the terminal UI, which changes."""
    svg = runpy.run_path(str(ROOT / "docs" / "picture.py"))["drawn"]()
    assert svg.startswith("<svg")
    assert "pass-first" in svg
