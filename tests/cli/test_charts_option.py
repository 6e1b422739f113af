"""Tests of `--charts DIR`: every command takes it and searches there first."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from hashmark.cli import app
from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts.files import SHIPPED


def leaves(command: Any, name: str = "") -> dict[str, Any]:
    """Return every leaf command by its full name."""
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        return {name: command}
    commands: dict[str, Any] = {}
    for word, subcommand in subcommands.items():
        commands |= leaves(subcommand, f"{name} {word}".strip())
    return commands


def test_every_command_takes_the_option() -> None:
    commands = leaves(typer.main.get_command(app))
    assert len(commands) > 20
    without = [
        name
        for name, command in commands.items()
        if not any("--charts" in parameter.opts for parameter in command.params)
    ]
    assert without == []


@pytest.mark.parametrize(
    ("arguments", "broken"),
    [
        (("charts", "verify", "2008", "--seasons", "10"), "2008.toml"),
        (("charts", "check", "mine"), None),
        (("plan", "show", "mine"), "mine.plan.toml"),
        (("plan", "list", "2008"), "2008.plans.toml"),
        (("season", "2008", "--runs", "10"), "2008.toml"),
        (("whatif", "2008", "ARI", "--scan", "--runs", "10"), "2008.toml"),
    ],
)
def test_the_folder_is_searched_first(
    tmp_path: Path, arguments: tuple[str, ...], broken: str | None
) -> None:
    """A broken file shows that it was found."""
    if broken is None:
        shutil.copy(SHIPPED / "invented.toml", tmp_path / "mine.toml")
    else:
        (tmp_path / broken).write_text("[", encoding="utf-8")
    done = CliRunner().invoke(app, [*arguments, "--charts", str(tmp_path)])
    if broken is None:
        assert done.exit_code == 0, done.output
    else:
        assert isinstance(done.exception, HashmarkError)
        assert broken in str(done.exception)


def test_a_missing_folder_is_refused() -> None:
    done = CliRunner().invoke(app, ["charts", "verify", "2008", "--charts", "/no/such/folder"])
    assert str(done.exception) == "--charts /no/such/folder: no such folder"
