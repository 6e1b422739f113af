"""docs/guides/hosting.md and the container file name only options, files and routes that exist."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from hashmark.cli import app

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "guides" / "hosting.md").read_text(encoding="utf-8")
LIMITS_PAGE = (ROOT / "docs" / "reference" / "server.md").read_text(encoding="utf-8")
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")


def options() -> set[str]:
    """Return the options of `hashmark serve`."""
    import typer

    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    return {name for parameter in command.params for name in parameter.opts}


def block(kind: str) -> str:
    match = re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert match is not None
    return match[1]


def test_commands_on_the_page_use_existing_options() -> None:
    lines = re.findall(r"hashmark serve ([^\n]*)", f"{PAGE}{CONTAINER}".replace("\\\n", " "))
    named = {word for line in lines for word in line.split() if word.startswith("--")}
    assert {"--database", "--check", "--proxy", "--port"} <= named <= options()


def test_the_container_file_names_existing_files_and_options() -> None:
    """It is not built here: there is neither a container engine nor a network."""
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINER, re.MULTILINE)
    assert copied
    assert all((ROOT / name).exists() for line in copied for name in line.split())
    match = re.search(r"ENTRYPOINT (\[.*\])", CONTAINER)
    assert match is not None
    entry = [word.strip('",[]') for word in shlex.split(match[1])]
    assert entry[:2] == ["hashmark", "serve"]
    assert {word for word in entry if word.startswith("--")} <= options()
    extras = re.search(r"/src\[(.*?)\]", CONTAINER)
    assert extras is not None
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{one} = [" in declared for one in extras[1].split(","))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "hashmark@8642.service"
    unit.write_text(block("ini").replace("/opt/hashmark/bin/hashmark", shutil.which("true") or ""))
    completed = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True
    )
    complaints = [line for line in completed.stderr.splitlines() if unit.name in line]
    assert not complaints


def test_nginx_does_not_buffer_streams() -> None:
    front = block("nginx")
    streams = front[front.index("location ~ /stream$") :]
    for line in ("proxy_buffering off;", "gzip off;", "proxy_read_timeout 1h;"):
        assert line in streams
    for header in ("Host", "X-Forwarded-For", "X-Forwarded-Proto"):
        assert front.count(f"proxy_set_header {header} ") == 2
    assert front.count("{") == front.count("}")


def test_named_settings_and_routes_exist() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src" / "hashmark").rglob("*.py")
    )
    named = set(re.findall(r"HASHMARK_[A-Z_]+", f"{PAGE}{CONTAINER}"))
    assert named
    assert all(name in source for name in named)
    for route in re.findall(r"^\| `(/\S+)` \|", PAGE, re.MULTILINE):
        assert f'"{route}"' in source


def test_documented_limits_are_current() -> None:
    from hashmark.web.rate_limits import Limits

    limits = Limits()
    for text in (
        f"(saved up: {limits.burst}) | {limits.rate:g} |",
        f"| {limits.tables_each} | {limits.tables} |",
        f"| {limits.streams_each} | {limits.streams} |",
        f"| {limits.loaded} |",
        f"| {limits.body // 1024} KiB |",
        f"| {limits.log // 2**20} MiB |",
        f"| {limits.plays // 2**20} MiB |",
    ):
        assert text in LIMITS_PAGE
