"""Tests of `hashmark serve`: its output, its address, and refused arguments."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from fuzz.in_process import get_refusal, run_command, run_ok
from hashmark import extras
from hashmark.web import server as serving
from hashmark.web.tokens import caller_digest
from timeouts import TIMEOUT_SECONDS


def test_it_prints_its_address_and_ends_with_status_0(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "hashmark", "serve", "--no-browser", "--port", "0"]
    server = subprocess.Popen(
        program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HASHMARK_DATA": str(tmp_path)},
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    match = re.fullmatch(
        r"Hashmark is running at (http://127\.0\.0\.1:\d+/) \(open it .*\)\n", line
    )
    assert match, line
    page = httpx.get(match[1], timeout=TIMEOUT_SECONDS)
    assert page.status_code == 200
    assert "Data-Driven Football" in page.text
    server.send_signal(signal.SIGINT)
    _, err = server.communicate(timeout=TIMEOUT_SECONDS)
    assert (server.returncode, err) == (0, "")
    assert (tmp_path / "tables.db").exists()


def test_a_browser_is_opened_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_browser(where: str) -> bool:
        opened.append(where)
        return True

    monkeypatch.setattr("webbrowser.open", open_browser)
    lines: list[str] = []
    serving._announce("http://here/", True, lines.append)
    assert opened == ["http://here/"]
    assert lines[0] == "Hashmark is running at http://here/"
    serving._announce("http://here/", False, lines.append)
    assert opened == ["http://here/"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "70000"), "less than or equal to 65535"),
        (("--database", "nonsense"), "Could not parse"),
        (("--database", "sqlite://"), "name a file"),
        (("--database", "sqlite:////no/such/folder/a.db"), "no such folder"),
        (("--host", "no such host"), "cannot listen on"),
        (("--proxy", "my.proxy"), "expected an address such as 127.0.0.1"),
    ],
)
def test_invalid_arguments_are_refused(arguments: tuple[str, ...], said: str) -> None:
    assert said in get_refusal("serve", "--no-browser", *arguments)


def test_a_database_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    output = run_ok("serve", "--check").out
    assert "ok  the file does not exist yet: a server would create it" in output
    assert output.endswith("The database is ready.\n")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "tables.db").write_text("this is no database, and long enough to be seen as none")
    for more in ((), ("--database", "sqlite:////no/such/folder/a.db")):
        done = run_command(["serve", "--check", *more])
        assert (done.status, done.err) == (2, "hashmark: the database cannot be used as it is\n")
        assert "\nNO " in f"\n{done.out}"


def test_only_a_known_proxy_may_name_the_caller(tmp_path: Path) -> None:
    """The headers of other callers are ignored."""
    callers = {}
    for proxy in ("127.0.0.1", "10.0.0.0/8"):
        file = tmp_path / f"{proxy[:3]}.db"
        program = [sys.executable, "-m", "hashmark", "serve", "--no-browser", "--port", "0"]
        with subprocess.Popen(
            [*program, "--proxy", proxy, "--database", f"sqlite:///{file}"],
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdout is not None
            address = re.search(r"http://\S+/", server.stdout.readline())
            assert address is not None
            headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
            form = {"rules": "fourth-down"}
            response = httpx.post(
                f"{address[0]}api/tables", json=form, headers=headers, timeout=TIMEOUT_SECONDS
            )
            assert response.status_code == 201, response.text
            server.terminate()
        with sqlite3.connect(file) as connection:
            callers[proxy] = connection.execute("select caller from tables").fetchone()[0]
        connection.close()
    assert callers["127.0.0.1"] == caller_digest("203.0.113.9")
    assert callers["10.0.0.0/8"] == caller_digest("127.0.0.1")


def test_a_cluster_without_ray_is_refused_at_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = extras.has
    monkeypatch.setattr(extras, "has", lambda name: name != "ray" and real(name))
    message = get_refusal("serve", "--no-browser", "--port", "0", "--cluster", "auto")
    assert "serve --cluster needs" in message
