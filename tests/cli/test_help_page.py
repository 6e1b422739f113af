"""Tests of help pages: arguments in plain form, and nothing wider than a terminal."""

from __future__ import annotations

import re

import pytest

from fuzz.in_process import run_ok
from hashmark.cli import charts, plan
from hashmark.cli.commands import app

GROUPS = {(): app, ("charts",): charts.app, ("plan",): plan.app}
COMMANDS = [
    (*group, str(command.name))
    for group, typer_app in GROUPS.items()
    for command in typer_app.registered_commands
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_fits_80_columns_and_shows_no_types(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = run_ok(*command, "--help").out
    assert max(len(line) for line in page.splitlines()) <= 80
    assert not re.search(
        r"<\w+( range)?>|<list|\[required|x>=|<=x|\{|\.\.\.\.|…", page.split("Example:")[0]
    )
    assert "Example: hashmark" in " ".join(page.split())


@pytest.mark.parametrize("group", [(), ("charts",), ("plan",)], ids=" ".join)
def test_summaries_of_commands_are_whole_sentences(
    group: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = run_ok(*group, "--help").out
    lines = page.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert lines
    assert all(re.fullmatch(r"  \w+ +[A-Z].*[^.]\.", line) and len(line) <= 80 for line in lines)


def test_usage_names_arguments_plainly() -> None:
    assert "Usage: hashmark whatif [OPTIONS] SEASON TEAM\n" in run_ok("whatif", "--help").out
    assert "Usage: hashmark scenario [OPTIONS] FILE...\n" in run_ok("scenario", "--help").out
    assert "Usage: hashmark play [OPTIONS] [RULES] [HOME] [AWAY]\n" in run_ok("play", "--help").out
