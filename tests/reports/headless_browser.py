"""Pages in a real browser: the effect of their script, and the real size of their letters."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from timeouts import TIMEOUT_SECONDS

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
needs_browser = pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
BROWSER_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--virtual-time-budget=2000",
    "--window-size=1280,900",
    "--dump-dom",
)


def evaluate_in_page(page: str, question: str, folder: Path) -> Any:
    """Return the result of a JavaScript function body after the page's own script has run.

    The page forbids any script but its own; for the test its policy is removed.
    """
    page = re.sub(r"<meta http-equiv[^>]*>", "", page)
    script = (
        "<script>addEventListener('load', () => { const said = document.createElement('pre');"
        "said.id = 'said'; let told; try { told = (() => {%s})(); } catch (fault) "
        "{ told = String(fault); } said.textContent = JSON.stringify(told);"
        "document.body.append(said); });</script></body>"
    )
    dom = dump_dom(page.replace("</body>", script % question), folder)
    match = re.search(r'<pre id="said">(.*?)</pre>', dom, re.DOTALL)
    assert match, dom[-2000:]
    return json.loads(html.unescape(match[1]))


def dump_dom(page: str, folder: Path) -> str:
    """Return the page's DOM as the browser leaves it."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    profile = f"--user-data-dir={folder / 'profile'}"
    done = subprocess.run(
        [BROWSER, *BROWSER_FLAGS, profile, path.as_uri()],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
