"""Parts of a table's page, each rendered on its own so that unchanged ones stay in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from markupsafe import Markup

from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.engine.record import AWAY, HOME, TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import short_names
from hashmark.number_text import whole_percent
from hashmark.sanitize import PLUS_MINUS
from hashmark.session.game_session import HUMAN, STANDING_ORDERS
from hashmark.session.opponents import coaches_in_order, default_opponent
from hashmark.text.game_report import result_text
from hashmark.text.phrases import capitalize
from hashmark.text.playback import Scene, find_highlight, last_scene, list_scenes
from hashmark.text.rules_page import rules_about
from hashmark.text.standing_orders import ORDER_MEANINGS
from hashmark.web import svg, views
from hashmark.web.pages import rendering, review_parts
from hashmark.web.pages.talk_parts import talk_values
from hashmark.web.tables.review_queue import ReviewQueue
from hashmark.web.tables.table import Table, Viewer
from hashmark.web.tables.table_request import HINTS_NEVER, REMATCH_SETTING
from hashmark.web.tables.win_probability import ChancePoint

PARTS_BEFORE_GAME = ("board", "pregame", "talk", "tools")
PARTS_DURING_GAME = (
    *("board", "field", "latest_play", "question"),
    *("postgame", "game_sheet", "play_by_play", "talk", "tools"),
)
PARTS_OF_SCENE = ("board", "field", "latest_play")  # what shows one play of the game
SHEET_COLUMNS = 5  # calls beside one another on the play sheet
MAX_SCENES = 8  # plays in one response; the page asks for the others after it has shown them


def base_values(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the template variables that every part may use."""
    rules = registry.load(table.header.rules)
    session = table.session
    return {
        "title": f"{rules.title}: {' – '.join(map(capitalize, table.header.names))}",
        "page_summary": _summary(table, rules),
        "page_preview": rules.name,
        "table": views.table_summary(table, viewer),
        "names": [capitalize(name) for name in table.header.names],
        "teams": TEAMS,
        "color_classes": svg.color_classes(rules, table.header.options),
        "viewer": viewer,
        "who": [seat_label(table, viewer, team) for team in range(2)],
        "alone": bool(session and rules.is_solo(session.game.match)),
        "begun": session is not None,
        "has_charts": rules.presentation.call_charts is not None,
        "over": table.is_over,
        "talk": talk_values(table, viewer),
        "version": table.page_version,
        "last": table.published_count,
        "turns": len(session.game.turns) if session is not None else 0,
        "moment": session.moment if session is not None else 0,
    }


def _summary(table: Table, rules: RuleSet) -> str:
    """Return what the page is about, for search engines and previews of links."""
    state = table.row.said if table.session is not None else "before kickoff"
    return f"{rules.title}, {'final' if table.is_over else 'live'}: {state}."


def seat_label(table: Table, viewer: Viewer, team: int) -> str:
    """Return a short label of the player of a team."""
    seat = table.session.seats[team] if table.session else table.header.seats[TEAMS[team]]
    if seat != HUMAN:
        return seat.replace("coach:", "coach: ")
    if team in viewer.teams:
        return "you" if len(viewer.teams) == 1 else "on this screen"
    if team in table.seats and not table.seats[team].holder:
        return "waiting for a friend"
    return "away" if table.is_abandoned(team) else "your opponent" if viewer.teams else "a player"


def render_parts(table: Table, viewer: Viewer) -> dict[str, Markup]:
    """Render every part of the page, by name."""
    values = base_values(table, viewer)
    if table.session is None:
        return {
            name: _render_part(name, values, **_values_before(table, viewer))
            for name in PARTS_BEFORE_GAME
        }
    game = table.view_for(viewer)
    during = _values_during(table, viewer, game)
    return {name: _render_part(name, values, **during) for name in PARTS_DURING_GAME}


def _render_part(name: str, values: Mapping[str, Any], **extra: object) -> Markup:
    return Markup(rendering.render_page(f"parts/{name}.html", **{**values, **extra}))


def join_parts(parts: Mapping[str, Markup]) -> str:
    """Join all parts into one response, each in an element with its name."""
    return "".join(
        Markup('<div data-part="{}">{}</div>\n').format(name, part) for name, part in parts.items()
    )


def _values_before(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the template variables of a table whose game has not begun."""
    missing = table.teams_without_seed()
    return {
        "board": None,
        "past": None,
        "missing": missing,
        "asked": [team for team in missing if team in viewer.teams],
        "open": table.open_seats(),
        "starts_at_once": _starts_at_once(table, viewer),
        "orders": [],
        "coaches": [],
        "may_undo": False,
    }


def _starts_at_once(table: Table, viewer: Viewer) -> bool:
    """Return whether the page kicks off by itself, with a random word: there is nobody to wait for,
    or the players have just played each other.
    """
    is_alone = set(viewer.teams) == set(table.seats)
    return is_alone or (REMATCH_SETTING in table.row.settings and bool(viewer.teams))


def _values_during(table: Table, viewer: Viewer, game: Game) -> dict[str, Any]:
    """Return the template variables of a table whose game has begun."""
    session = table.session
    assert session is not None
    rules = game.rules
    pending = views.pending_input(table, viewer, table.public_summary(viewer))
    return {
        **values_of_scene(game, viewer, last_scene(game)),
        "own_play": views.own_play(game, views.own_team(viewer)),
        "game_sheet": svg.draw_game_sheet(game, viewer.perspective),
        "recent_plays": views.recent_plays(game),
        "pending": pending,
        "answer_groups": _answer_groups(pending),
        "call_labels": call_labels(game),
        "asks": _asked_label(game, viewer, pending),
        "deciding_team": None if session.is_over else _team_to_call(table),
        "verdict": result_text(game, views.own_team(viewer)) if session.is_over else "",
        "hints": table.row.settings["hints"] != HINTS_NEVER,
        "may_undo": views.can_undo(table, viewer),
        "orders": views.standing_orders(table, viewer),
        "meanings": {item: capitalize(ORDER_MEANINGS[item]) for item in STANDING_ORDERS},
        "coaches": coaches_in_order(rules),
        "stand_in": default_opponent(rules.name),
        "absent": [team for team in range(2) if table.is_abandoned(team)],
        "left": [t for t in viewer.teams if session.seats[t] != HUMAN],
        "open": table.open_seats(),
        "missing": [],
        "reviews": ReviewQueue.is_available(),
        "notice": rules.setup.options_notice(rules.parse_options(table.header.options)),
    }


def values_of_scene(game: Game, viewer: Viewer, scene: Scene | None) -> dict[str, Any]:
    """Return the template variables of board, field and play panel after a scene."""
    highlight = None if scene is None else find_highlight(game, scene)
    return {
        "board": views.scoreboard_values(game),
        "past": None,
        "field": _draw_field(game, viewer),
        "dice": svg.draw_dice([] if scene is None else scene.rolls(game), game.names),
        "sentences": [] if scene is None else scene.sentences(game),
        "banner": highlight,
        "banner_class": "" if highlight is None else svg.team_class(highlight.team),
        "own_play": None,
    }


def call_labels(game: Game) -> dict[str, str]:
    """Return the legal calls in words, where their names are made of codes."""
    label = game.rules.presentation.label_call
    if label is None or not game.wants_call:
        return {}
    names = (game.rules.calls[call] for call in game.legal_calls())
    return {name: text for name in names if (text := label(game.position, name))}


def _answer_groups(pending: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the answers under the headings of the play sheet."""
    calls = pending.get("calls", ()) if pending is not None else ()
    groups = [
        {"title": title, "rare": is_rare, "calls": list(group)}
        for (title, is_rare), group in groupby(calls, itemgetter("group", "rare"))
    ]
    for group in groups:
        count = len(group["calls"])
        group["columns"] = count if count <= SHEET_COLUMNS else min(-(-count // 2), SHEET_COLUMNS)
    return groups


def _draw_field(game: Game, viewer: Viewer) -> Markup:
    return svg.draw_field(
        game.rules,
        game.match,
        game.position,
        svg.drive_path(game),
        viewer.perspective,
        names=game.names,
        past_drive=svg.last_drive(game),
    )


def _asked_label(game: Game, viewer: Viewer, pending: Mapping[str, Any] | None) -> str:
    """Return whose turn it is, as the player who is asked reads it."""
    if pending is None:
        return ""
    team = TEAMS.index(pending["team"])
    is_own = viewer.teams == (team,)
    return "Your turn." if is_own else f"{capitalize(game.names[team])}:"


def _team_to_call(table: Table) -> str:
    """Return the team that has to call now; empty if none."""
    session = table.session
    assert session is not None
    game = session.game
    return capitalize(game.names[game.team_to_act]) if game.wants_call else ""


# --- Panels ------------------------------------------------------------------------------------


def render_plays(game: Game) -> str:
    """Render the whole play-by-play, the newest play first."""
    return rendering.render_page("panels/plays.html", plays=views.list_plays(game)[::-1])


def render_box(game: Game) -> str:
    return rendering.render_page("panels/box.html", figures=views.stat_tables(game))


def render_drives(game: Game) -> str:
    chart = svg.draw_drive_chart(svg.charted_drives(game), game.names)
    figures = views.stat_tables(game)
    return rendering.render_page("panels/drives.html", figures=figures, chart=chart)


def render_curve(game: Game, points: Sequence[ChancePoint]) -> str:
    """Render the win probability through a game, for the page and for its script."""
    turns = len(game.turns)
    befores = [turn.before for turn in game.turns]
    periods = [n for n, (a, b) in enumerate(pairwise(befores), 1) if a.period != b.period]
    known = [(point.turn, point.home) for point in points]
    now = [(turns, known[-1][1])] if known else []  # a play in progress has no value of its own
    curve = svg.draw_win_curve([*known, *now], turns, periods, game.names)
    texts = [(point.turn, _chance_text(point, game)) for point in points]
    names = [capitalize(name) for name in short_names(game.names)]
    return rendering.render_page(
        "panels/curve.html", curve=curve, turns=turns, texts=texts, names=names
    )


def _chance_text(point: ChancePoint, game: Game) -> str:
    """Return the chance of the team that is ahead: "Home 62 %"."""
    team = HOME if point.home >= 0.5 else AWAY
    chance = max(point.home, 1 - point.home)
    name = capitalize(short_names(game.names)[team])
    margin = f" {PLUS_MINUS} {100 * point.margin:.0f}" if point.margin >= 0.005 else ""
    return f"{name} {whole_percent(chance)}{margin}"


def render_charts(game: Game) -> str:
    """Render the printed charts of the calls of this moment."""
    return rendering.render_page("panels/charts.html", charts=svg.render_call_charts(game))


def render_help(game: Game) -> str:
    """Render the rules that apply to the current question."""
    text = "" if game.is_over else rules_about(game)
    return rendering.render_page(
        "panels/help.html", text=rendering.markdown(text), rules=game.rules.name
    )


def render_past(game: Game, table: Table, viewer: Viewer, turn: int) -> str:
    """Render the table as it stood after an earlier turn."""
    return join_parts(_past_parts(game, table, viewer, turn))


def _past_parts(game: Game, table: Table, viewer: Viewer, turn: int) -> dict[str, Markup]:
    """Return the parts of the table as it stood after a turn."""
    past = views.game_at_turn(game, turn)
    return _scene_parts(past, table, viewer, last_scene(past), past=turn)


def learn_values(
    game: Game, table: Table, viewer: Viewer, data: Mapping[str, Any], number: int, call: str
) -> dict[str, Any]:
    """Return a position in which the viewer erred, drawn without what came after it."""
    lesson = review_parts.lesson_values(game, data, views.own_team(viewer), number, call)
    if lesson is None:
        return {"lesson": None, "parts": {}}
    return {"lesson": lesson, "parts": _past_parts(game, table, viewer, lesson["turn"] - 1)}


def render_replay(table: Table, game: Game, turn: int) -> str:
    """Render the page of a finished game as it stood after a turn, with the way through it."""
    viewer = Viewer()
    values = {**base_values(table, viewer), "turn": turn, "turns": len(game.turns)}
    return rendering.render_page(
        "replay.html",
        parts=_past_parts(game, table, viewer, turn),
        result=result_text(game, None),
        **values,
    )


def _scene_parts(
    game: Game, table: Table, viewer: Viewer, scene: Scene | None, **extra: object
) -> dict[str, Markup]:
    values = {**base_values(table, viewer), **values_of_scene(game, viewer, scene), "over": False}
    return {name: _render_part(name, values, **extra) for name in PARTS_OF_SCENE}


# --- Plays one by one --------------------------------------------------------------------------


def render_scenes(game: Game, table: Table, viewer: Viewer, since: int) -> str:
    """Render the plays since a turn, each as the table stood after it.

    The last one is left out if it is the present: the parts themselves show it. Attributes say how
    many turns the client has then seen, and whether there is more.
    """
    turns = len(game.turns)
    scenes = list_scenes(game, since) if since < turns else []
    shown = scenes[:MAX_SCENES]
    has_more = len(shown) < len(scenes)
    seen = shown[-1].end if has_more else turns
    if scenes and not has_more:
        shown = shown[:-1]
    rendered = [
        f'<div data-scene="{scene.end}">{_render_past_scene(game, table, viewer, scene)}</div>\n'
        for scene in shown
    ]
    more = "yes" if has_more else ""
    return f'<div data-scenes data-turns="{seen}" data-more="{more}">{"".join(rendered)}</div>\n'


def _render_past_scene(game: Game, table: Table, viewer: Viewer, scene: Scene) -> str:
    past = views.game_at_turn(game, scene.end)
    return join_parts(_scene_parts(past, table, viewer, scene))
