"""Parts of a table's page, each rendered on its own so that unchanged ones stay in place."""

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
    """Return the template variables that every part may use."""
    rules = registry.load(table.header.rules)
    session = table.sitting
    return {
        "title": f"{rules.title}: {' – '.join(map(capital, table.header.names))}",
        "table": views.about(table, viewer),
        "names": [capital(name) for name in table.header.names],
        "teams": TEAMS,
        "worn": drawn.worn(rules, table.header.options),
        "viewer": viewer,
        "who": [who_sits(table, viewer, team) for team in range(2)],
        "alone": bool(session and rules.alone(session.game.match)),
        "begun": session is not None,
        "over": table.is_over,
        "version": table.version,
        "last": table.told,
        "turns": len(session.game.turns) if session is not None else 0,
        "moment": session.moment if session is not None else 0,
    }


def who_sits(table: Table, viewer: Viewer, team: int) -> str:
    """Return a short label of the player of a team."""
    seat = table.sitting.seats[team] if table.sitting else table.header.seats[TEAMS[team]]
    if seat != PERSON:
        return seat.replace("coach:", "coach ")
    if team in viewer.teams:
        return "you" if len(viewer.teams) == 1 else "here"
    if team in table.seats and not table.seats[team].holder:
        return "waiting for a friend"
    return "gone" if table.is_abandoned(team) else "a friend" if viewer.teams else "a player"


def all_parts(table: Table, viewer: Viewer) -> dict[str, Markup]:
    """Render every part of the page, by name."""
    values = frame(table, viewer)
    if table.sitting is None:
        return {
            name: _render_part(name, values, **_values_before(table, viewer)) for name in BEFORE
        }
    game = table.seen(viewer)
    with naming(game.names):
        during = _values_during(table, viewer, game)
        return {name: _render_part(name, values, **during) for name in DURING}


def _render_part(name: str, values: Mapping[str, Any], **extra: Any) -> Markup:
    return Markup(rendering.page(f"parts/{name}.html", **{**values, **extra}))


def joined(parts: Mapping[str, Markup]) -> str:
    """Join all parts into one response, each in an element with its name."""
    return "".join(
        Markup('<div data-part="{}">{}</div>\n').format(name, part) for name, part in parts.items()
    )


def _values_before(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the template variables of a table whose game has not begun."""
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


def _values_during(table: Table, viewer: Viewer, game: Game) -> dict[str, Any]:
    """Return the template variables of a table whose game has begun."""
    session = table.sitting
    assert session is not None
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
        "thinks": None if session.is_over else _team_to_call(table),
        "verdict": views.verdict(game) if session.is_over else "",
        "hints": table.kept.settings["hints"] != NEVER,
        "may_undo": views.may_take_back(table, viewer),
        "orders": views.orders(table, viewer),
        "meanings": {item: capital(MEANINGS[item]) for item in ORDERS},
        "coaches": [(item.name, item.sentence) for item in in_order(rules)],
        "absent": [team for team in range(2) if table.is_abandoned(team)],
        "left": [t for t in viewer.teams if session.seats[t] != PERSON],
        "open": table.open_seats(),
        "missing": [],
        "reviews": Reviews.possible(),
        "notice": rules.notice(rules.read_options(table.header.options)),
    }


def _team_to_call(table: Table) -> str:
    """Return the team that has to call now; empty if none."""
    session = table.sitting
    assert session is not None
    game = session.game
    return capital(game.names[game.asked]) if game.wants_call else ""


# --- Panels ------------------------------------------------------------------------------------


def plays(game: Game) -> str:
    """Render the whole play-by-play, the newest play first."""
    return rendering.page("panels/plays.html", plays=views.plays(game, game.turns)[::-1])


def box(game: Game) -> str:
    return rendering.page("panels/box.html", figures=views.figures(game))


def drives(game: Game) -> str:
    return rendering.page("panels/drives.html", figures=views.figures(game))


def help_with(game: Game) -> str:
    """Render the rules that apply to the current question."""
    text = "" if game.is_over else rules_about(game)
    return rendering.page("panels/help.html", text=rendering.markdown(text), rules=game.rules.name)


def past(game: Game, viewer: Viewer, turn: int) -> str:
    """Render the table as it stood after an earlier turn."""
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
        parts = {
            name: Markup(rendering.page(f"parts/{name}.html", **values))
            for name in ("board", "field", "told")
        }
    return joined(parts)
