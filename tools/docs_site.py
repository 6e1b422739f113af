"""`make docs`: the docs as a site with search, in site/; open site/index.html.

The pages are those of the repository, laid out as they lie in it, with the README in front: no page
is written twice, and a link leads to the same place here and there. A broken link is an error, and
so is a picture that is not there and anything that a page would load from another site.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

HERE = Path(__file__).parent.parent
STAGE = HERE / "build" / "docs"
SITE = HERE / "site"
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE")
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


def lay_out() -> None:
    """The pages and the settings, where the site is built."""
    shutil.rmtree(STAGE, ignore_errors=True)
    hidden = shutil.ignore_patterns("*.py", "*.toml")
    shutil.copytree(HERE / "docs", STAGE / "pages" / "docs", ignore=hidden)
    for page in PAGES:
        shutil.copy(HERE / page, STAGE / "pages" / page)
    shutil.copy(HERE / "docs" / "zensical.toml", STAGE)


class Addresses(HTMLParser):
    """What a page loads by itself, and what it only leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])
        if tag == "a" and "href" in given:
            self.linked.append(given["href"])


def faults(site: Path) -> Iterator[str]:
    """What is loaded from elsewhere, and what is not there."""
    for page in sorted(site.rglob("*.html")):
        name, found = page.relative_to(site), Addresses()
        found.feed(page.read_text(encoding="utf-8"))
        yield from (f"{name} loads {one}" for one in found.loaded if not is_own(one))
        for address in filter(is_own, [*found.loaded, *found.linked]):
            path = unquote(urlsplit(address).path)
            where = site if path.startswith("/") else page.parent
            if path and not (where / path.lstrip("/")).is_file():
                yield f"{name}: {address} is not there"


def is_own(address: str) -> bool:
    """Is it a part of this site?"""
    parts = urlsplit(address)
    return not parts.scheme and not parts.netloc


def main() -> int:
    """Build the site, and put it in its place if it has no fault."""
    lay_out()
    built = subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=STAGE)
    if built.returncode:
        return built.returncode
    found = list(faults(STAGE / "site"))
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(STAGE / "site", SITE)
    print(f"open {SITE / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
