"""Markdown: only our own text is rendered, never a user's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hashmark
from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.session.header import Header
from hashmark.text.rules_page import rules_about

SOURCE = Path(hashmark.__file__).parent
CALLERS = {"web/pages/table_pages.py": 1, "web/pages/table_parts.py": 1}  # rules page, help panel


def test_markdown_is_rendered_in_two_places_only() -> None:
    """A third place needs a limit if its text may come from a user."""
    found = {
        path.relative_to(SOURCE).as_posix(): len(re.findall(r"rendering\.markdown\(", text))
        for path in SOURCE.rglob("*.py")
        if "rendering.markdown(" in (text := path.read_text(encoding="utf-8"))
    }
    assert found == CALLERS


@pytest.mark.parametrize("name", registry.builtin_names())
def test_help_contains_no_user_text(name: str) -> None:
    header = Header(name, names=("*Home*" * 9, "[Away](x)" * 9), seed=1)
    game: Game = header.new_game()
    text = rules_about(game)
    assert text
    assert "*Home*" not in text
    assert "[Away]" not in text
