"""The parts of a table's page, each rendered by itself: what has not changed is left alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from hashmark.table import registry
from hashmark.table.game import Game
from hashmark.table.names import naming
from hashmark.table.opponents import in_order
from hashmark.table.record import TEAMS
from hashmark.table.sitting import ORDERS, PERSON
from hashmark.telling.book import rules_about
from hashmark.telling.orders import MEANINGS
from hashmark.telling.speech import capital
from hashmark.web import drawn, rendering, views
from hashmark.web.hall import NEVER
from hashmark.web.reviews import Reviews
from hashmark.web.store import LAID
from hashmark.web.tables import Table, Viewer

BEFORE = ("board", "laid", "tools")
DURING = ("board", "field", "told", "question", "after", "paper", "lately", "tools")


def frame(table: Table, viewer: Viewer) -> dict[str, Any]:
    """What every part of a table may need to know."""
    rules = registry.load(table.header.rules)
    sitting = table.sitting
    return {
        "title": f"{rules.title}: {' – '.join(map(capital, table.header.names))}",
        "table": views.about(table, viewer),
        "names": [capital(name) for name in table.header.names],
        "teams": TEAMS,
        "worn": drawn.worn(rules, table.header.options),
        "viewer": viewer,
        "who": [who_sits(table, viewer, team) for team in range(2)],
        "alone": bool(sitting and rules.alone(sitting.game.match)),
        "begun": sitting is not None,
        "over": table.is_over,
        "version": table.version,
        "last": table.told,
        "turns": len(sitting.game.turns) if sitting is not None else 0,
        "moment": sitting.moment if sitting is not None else 0,
    }


def who_sits(table: Table, viewer: Viewer, team: int) -> str:
    """Who plays a team, in a word or two."""
    now = table.sitting.seats[team] if table.sitting else table.header.seats[TEAMS[team]]
    if now != PERSON:
        return now.replace("coach:", "coach ")
    if team in viewer.teams:
        return "you" if len(viewer.teams) == 1 else "here"
    if team in table.seats and not table.seats[team].holder:
        return "waiting for a friend"
    return "gone" if table.is_abandoned(team) else "a friend" if viewer.teams else "a player"


def all_parts(table: Table, viewer: Viewer) -> dict[str, Markup]:
    """Every part of the page, by name."""
    values = frame(table, viewer)
    if table.sitting is None:
        return {name: _part(name, values, **_before(table, viewer)) for name in BEFORE}
    game = table.seen(viewer)
    with naming(game.names):
        more = _during(table, viewer, game)
        return {name: _part(name, values, **more) for name in DURING}


def _part(name: str, values: Mapping[str, Any], **more: Any) -> Markup:
    return Markup(rendering.page(f"parts/{name}.html", **{**values, **more}))


def joined(made: Mapping[str, Markup]) -> str:
    """All parts in one answer, each in an element that bears its name."""
    return "".join(
        Markup('<div data-part="{}">{}</div>\n').format(name, part) for name, part in made.items()
    )


def _before(table: Table, viewer: Viewer) -> dict[str, Any]:
    missing = table.missing_words()
    return {
        "board": None,
        "past": None,
        "laid": table.kept.stage == LAID,
        "missing": missing,
        "asked": [team for team in missing if team in viewer.teams],
        "open": table.open_seats(),
        "orders": [],
        "coaches": [],
        "may_undo": False,
    }


def _during(table: Table, viewer: Viewer, game: Game) -> dict[str, Any]:
    sitting = table.sitting
    assert sitting is not None
    rules = game.rules
    lately = views.lately(game)
    return {
        "board": views.board(game),
        "past": None,
        "field": drawn.field(rules, game.match, game.position, drawn.path_of(game), viewer.eye),
        "paper": drawn.paper(game, viewer.eye),
        "dice": drawn.dice(views.last_dice(game)),
        "said": views.last_words(game),
        "lately": lately,
        "wanted": views.wanted(table, viewer, table.glance(viewer)),
        "thinks": None if sitting.is_over else _thinks(table),
        "verdict": views.verdict(game) if sitting.is_over else "",
        "hints": table.kept.settings["hints"] != NEVER,
        "may_undo": views.may_take_back(table, viewer),
        "orders": views.orders(table, viewer),
        "meanings": {one: capital(MEANINGS[one]) for one in ORDERS},
        "coaches": [(one.name, one.sentence) for one in in_order(rules)],
        "absent": [team for team in range(2) if table.is_abandoned(team)],
        "left": [t for t in viewer.teams if sitting.seats[t] != PERSON],
        "open": table.open_seats(),
        "missing": [],
        "reviews": Reviews.possible(),
        "notice": rules.notice(rules.read_options(table.header.options)),
    }


def _thinks(table: Table) -> str:
    """Who is at it now."""
    sitting = table.sitting
    assert sitting is not None
    game = sitting.game
    return capital(game.names[game.asked]) if game.wants_call else ""


# --- Panels ------------------------------------------------------------------------------------


def plays(game: Game) -> str:
    """The whole play-by-play, the newest play first."""
    return rendering.page("panels/plays.html", plays=views.plays(game, game.turns)[::-1])


def box(game: Game) -> str:
    return rendering.page("panels/box.html", figures=views.figures(game))


def drives(game: Game) -> str:
    return rendering.page("panels/drives.html", figures=views.figures(game))


def help_with(game: Game) -> str:
    """The rules that concern what is asked now."""
    text = "" if game.is_over else rules_about(game)
    return rendering.page("panels/help.html", text=rendering.markdown(text), rules=game.rules.name)


def past(game: Game, viewer: Viewer, turn: int) -> str:
    """The table as it stood after an earlier turn."""
    rules = game.rules
    values = {
        "board": views.board(game),
        "past": turn,
        "names": [capital(name) for name in game.names],
        "who": ["", ""],
        "teams": TEAMS,
        "said": views.last_words(game),
        "dice": drawn.dice(views.last_dice(game)),
        "over": False,
        "thinks": None,
        "wanted": None,
    }
    with naming(game.names):
        values["field"] = drawn.field(
            rules, game.match, game.position, drawn.path_of(game), viewer.eye
        )
        made = {
            name: Markup(rendering.page(f"parts/{name}.html", **values))
            for name in ("board", "field", "told")
        }
    return joined(made)
