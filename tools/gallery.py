"""Gallery for visual review: field, dice, score sheet and pictures of all games, day and night.

python tools/gallery.py gallery.html [--seed 3]
chromium --headless --screenshot=gallery.png --window-size=1280,4000 gallery.html
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from markupsafe import Markup

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.session.redaction import view_for
from hashmark.web import svg
from hashmark.web.svg.markup import tag

OPTIONS = {"data-driven": {"charts": "2024", "home_team": "CHI", "away_team": "GB"}}
GALLERY_CSS = """
body { margin: 0; font-family: Helvetica, Arial, sans-serif; }
[data-theme] { background: var(--paper); color: var(--ink); padding: 16px; }
.two { display: grid; grid-template-columns: 1fr 1fr; }
.phone { width: 328px; } .wide { max-width: 760px; } section > * { margin-bottom: 12px; }
.lobby { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
"""


def sample_moments(name: str, seed: int, count: int) -> list[Game]:
    """Return a game at some random moments."""
    rules = registry.load(name)
    options = OPTIONS.get(name, {})
    names = rules.team_names(options)
    whole = _play_until(name, seed, 10**6)
    rng = random.Random(seed)
    turn_counts = sorted(rng.sample(range(1, len(whole.turns)), count))
    assert names == whole.names
    return [_play_until(name, seed, turn_count) for turn_count in turn_counts]


def _play_until(name: str, seed: int, turns: int) -> Game:
    rules = registry.load(name)
    options = OPTIONS.get(name, {})
    dice = SeededDice(seed)
    game = Game(rules, options, dice=dice, seed=seed, names=rules.team_names(options))
    coach = (
        rules.coach("book") if any(c.name == "book" for c in rules.coaches) else rules.coaches[0]
    )
    while len(game.turns) < turns and not game.is_over:
        game.play(game.decide(coach))
    return game


def render_scene(game: Game, narrow: bool) -> Markup:
    """Render the field, the last dice and the score sheet, as the team to act sees them."""
    viewer = game.team_to_act if game.wants_call else -1
    view = view_for(game, viewer)
    rules, names = game.rules, game.names
    rolls = [roll.to_json() for roll in game.roll_groups(view.turns[-1])] if view.turns else []
    spots = svg.drive_path(view)
    situation = rules.words.situation(game.match, view.position, names)
    pieces = [
        tag("h2", f"{rules.title}: {situation}"),
        svg.draw_field(rules, game.match, view.position, spots, viewer, names=names),
        svg.draw_dice(rolls, names),
        svg.draw_game_sheet(view, viewer),
    ]
    return tag(
        "section",
        *pieces,
        class_=f"{svg.color_classes(rules, game.options)} {'phone' if narrow else 'wide'}",
    )


def render_page(seed: int, count: int, narrow: bool, only: str = "") -> str:
    names = [only] if only else registry.names()
    lobby = [
        tag(
            "div",
            svg.draw_lobby_picture(registry.load(n)),
            tag("p", " ".join(svg.game_sentences(registry.load(n)))),
        )
        for n in registry.names()
    ]
    scenes = [
        render_scene(game, narrow) for name in names for game in sample_moments(name, seed, count)
    ]
    halves = [
        tag(
            "div",
            *([] if only else [tag("div", *lobby, class_="lobby")]),
            *scenes,
            data_theme=theme,
        )
        for theme in ("light", "dark")
    ]
    style = Markup(svg.STYLE_SHEET.read_text(encoding="utf-8") + GALLERY_CSS)
    return Markup("<!DOCTYPE html>\n") + tag(
        "html",
        tag(
            "head", Markup('<meta charset="utf-8">'), Markup("<style>") + style + Markup("</style>")
        ),
        tag("body", tag("div", *halves, class_="two")),
        lang="en",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--moments", type=int, default=2)
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--game", default="")
    arguments = parser.parse_args()
    html = render_page(arguments.seed, arguments.moments, arguments.phone, arguments.game)
    arguments.file.write_text(html, encoding="utf-8")


if __name__ == "__main__":
    main()
