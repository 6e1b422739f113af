"""Documentation site with search, built in site/ by `make docs`; open site/index.html.

The site uses the pages of the repository in the same layout, with the README as its front page, so
that no page is written twice and links work in both places. Broken links, missing pictures and
anything that a page would load from another site are errors.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent.parent
STAGE = ROOT / "build" / "docs"
SITE = ROOT / "site"
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE")
LOADING_ATTRIBUTES = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
}


def stage_pages() -> None:
    """Copy the pages and the settings to where the site is built."""
    shutil.rmtree(STAGE, ignore_errors=True)
    hidden = shutil.ignore_patterns("*.py", "*.toml")
    shutil.copytree(ROOT / "docs", STAGE / "pages" / "docs", ignore=hidden)
    for page in PAGES:
        shutil.copy(ROOT / page, STAGE / "pages" / page)
    shutil.copy(ROOT / "docs" / "zensical.toml", STAGE)


class PageLinks(HTMLParser):
    """Collector of the addresses that a page loads and of those that it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value}
        if tag in LOADING_ATTRIBUTES and LOADING_ATTRIBUTES[tag] in values:
            self.loaded.append(values[LOADING_ATTRIBUTES[tag]])
        if tag == "a" and "href" in values:
            self.linked.append(values["href"])


def faults(site: Path) -> Iterator[str]:
    """Yield the addresses that are loaded from other sites, and those that do not exist."""
    for page in sorted(site.rglob("*.html")):
        name, links = page.relative_to(site), PageLinks()
        links.feed(page.read_text(encoding="utf-8"))
        yield from (
            f"{name} loads {address}" for address in links.loaded if not is_internal(address)
        )
        for address in filter(is_internal, [*links.loaded, *links.linked]):
            path = unquote(urlsplit(address).path)
            base = site if path.startswith("/") else page.parent
            if path and not (base / path.lstrip("/")).is_file():
                yield f"{name}: {address} is not there"


def is_internal(address: str) -> bool:
    """Return whether an address is part of this site."""
    parts = urlsplit(address)
    return not parts.scheme and not parts.netloc


def main() -> int:
    """Build the site and publish it in site/ if it has no faults."""
    stage_pages()
    built = subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=STAGE)
    if built.returncode:
        return built.returncode
    problems = list(faults(STAGE / "site"))
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(STAGE / "site", SITE)
    print(f"open {SITE / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
