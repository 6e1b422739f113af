"""The reference of the Python API: current, complete, and readable."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import hashmark as hm

ROOT = Path(__file__).parent.parent
tool: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "api_reference.py"))
PAGE = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")


def test_the_page_is_current() -> None:
    assert tool["render_page"]() == PAGE, "run python tools/api_reference.py"


def test_every_public_name_has_a_section() -> None:
    assert sorted(re.findall(r"^### `hm\.(\w+)`$", PAGE, re.M)) == sorted(hm.__all__)


def test_signatures_have_types_and_defaults() -> None:
    assert "    home: CoachSpec = 'book'," in PAGE
    assert "hm.teams(season: int) -> TeamList" in PAGE
    assert "| `play(call)` | Make a call" in PAGE


def test_text_is_wrapped_without_breaking_code() -> None:
    text = "word " * 30 + "`a span of code`"
    lines = tool["_wrap"](text).split("\n")
    assert all(len(line) <= 100 for line in lines)
    assert any("`a span of code`" in line for line in lines)


def test_examples_and_indented_blocks_become_code() -> None:
    text = tool["_markdown"]("One line.\n\n>>> 1 + 1\n2\n\n    built = 1\n\nThe end.")
    assert text == (
        "One line.\n\n```python\n>>> 1 + 1\n2\n\n```\n\n```text\nbuilt = 1\n```\n\nThe end.\n"
    )
