"""Preview images of the page and of each game, for links that are shared elsewhere.

python tools/previews.py [--chromium /usr/bin/chromium]

It writes src/hashmark/web/static/preview/GAME.png, and hashmark.png for all other pages. Look at
them before you commit.
"""

from __future__ import annotations

import argparse

from markupsafe import Markup
from playwright.sync_api import sync_playwright

from hashmark.engine import registry
from hashmark.web import svg
from hashmark.web.pages.rendering import PREVIEW_DIR

SIZE = {"width": 1200, "height": 630}  # as sites show it
STYLE = """
body { margin: 0; font-family: Helvetica, Arial, sans-serif; background: #15201a; color: #fff;
  width: 1200px; height: 630px; display: grid; grid-template-rows: 1fr auto; overflow: hidden; }
.picture { display: grid; place-items: center; } .picture svg { width: 924px; height: 520px; }
.moment .moving { display: none; } .tray-ground { fill: #15201a; }
.moment-word { fill: #fff; font-size: 19px; font-weight: 800; letter-spacing: .08em; }
p { margin: 0; padding: 22px 40px; background: #15201a; font-size: 56px; font-weight: 800;
  display: flex; justify-content: space-between; align-items: baseline; }
small { font-size: 30px; font-weight: 400; color: #c8d3cb; }
"""


def preview_page(title: str, picture: Markup) -> str:
    """Return the page whose screenshot is the image."""
    drawn = svg.STYLE_SHEET.read_text(encoding="utf-8")
    return Markup(
        '<!doctype html><html data-theme="light"><meta charset="utf-8"><style>{}{}</style>'
        '<body><div class="picture">{}</div><p>{}<small>Hashmark</small></p>'
    ).format(Markup(drawn), Markup(STYLE), picture, title)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    given = parser.parse_args()
    games = [registry.load(name) for name in registry.names()]
    pictures = {rules.name: (rules.title, svg.draw_moment(rules)) for rules in games}
    pictures["hashmark"] = ("Gridiron football with dice", pictures["fourth-down"][1])
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=given.chromium, args=flags)
        page = browser.new_page(viewport=SIZE)
        for name, (title, picture) in pictures.items():
            if picture is not None:
                page.set_content(preview_page(title, picture))
                page.screenshot(path=PREVIEW_DIR / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
