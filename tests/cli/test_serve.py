"""`hashmark serve`: what it says, where it listens, what it refuses."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from fuzz.in_process import refused
from hashmark.web import serving


def test_it_says_its_address_and_ends_with_status_0(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "hashmark", "serve", "--no-browser", "--port", "0"]
    served = subprocess.Popen(
        program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HASHMARK_DATA": str(tmp_path)},
    )
    assert served.stdout is not None
    said = served.stdout.readline()
    found = re.fullmatch(r"Hashmark is at (http://127\.0\.0\.1:\d+/) \(open it .*\)\n", said)
    assert found, said
    page = httpx.get(found[1])
    assert page.status_code == 200
    assert "Data-Driven Football" in page.text
    served.send_signal(signal.SIGINT)
    _, err = served.communicate(timeout=20)
    assert (served.returncode, err) == (0, "")
    assert (tmp_path / "tables.db").exists()


def test_a_browser_is_opened_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def opens(where: str) -> bool:
        opened.append(where)
        return True

    monkeypatch.setattr("webbrowser.open", opens)
    said: list[str] = []
    serving._ready("http://here/", True, said.append)
    assert opened == ["http://here/"]
    assert said[0] == "Hashmark is at http://here/"
    serving._ready("http://here/", False, said.append)
    assert opened == ["http://here/"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "70000"), "less than or equal to 65535"),
        (("--database", "nonsense"), "Could not parse"),
        (("--database", "sqlite://"), "name a file"),
        (("--database", "sqlite:////no/such/folder/a.db"), "there is no folder"),
        (("--host", "no such host"), "cannot listen at"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("serve", "--no-browser", *arguments)
