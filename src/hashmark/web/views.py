"""What a viewer may know of a table, as plain data for the API and for page templates.

Everything is derived from `Table.view_for`, the feed and the public header. The seed, the numbers
that coaches drew and the full position are never included.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.session.game_session import HUMAN, GameSession
from hashmark.session.pending import PendingCall, PendingDie, PendingInput
from hashmark.text import summary
from hashmark.text.answers import answer_keys, group_answers, list_answers
from hashmark.text.game_report import PlayByPlay, PlayLine, playing_teams
from hashmark.text.phrases import capitalize
from hashmark.text.playback import scenes_backwards
from hashmark.text.standing_orders import ORDER_MEANINGS
from hashmark.web.tables.kick_odds import FIELD_GOAL_CALL, field_goal_fact
from hashmark.web.tables.table import Table, Viewer
from hashmark.web.tables.table_request import HINTS_NEVER
from hashmark.web.tables.table_store import NOT_STARTED

RECENT_TURNS = 14  # turns shown next to the field


def table_to_dict(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the table as a viewer may know it."""
    data = {
        **table_summary(table, viewer),
        "number": table.published_count,
        "moment": 0,
        "wanted": None,
    }
    session = table.session
    if session is None:
        return data
    game = table.public_summary(viewer)
    return {
        **data,
        "moment": session.moment,
        "over": session.is_over,
        "wanted": pending_input(table, viewer, game),
        **scoreboard_values(game),
        "turns": len(session.game.turns),
        "position": game.position.to_json(),
        "may_take_back": can_undo(table, viewer),
    }


def table_summary(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return what does not change with every play: game, seats, and the commitment to the dice."""
    header, rules = table.header, _rules(table)
    opened = header.reveal_json() if table.is_over and header.is_committed else None
    return {
        "id": table.id,
        "rules": rules.name,
        "title": rules.title,
        "options": header.options,
        "stage": table.row.stage,
        "viewer": viewer.name,
        "names": dict(zip(TEAMS, header.names, strict=True)),
        "seats": {name: seat_to_dict(table, team) for team, name in enumerate(TEAMS)},
        "dice": "typed" if header.dice == "typed" else "computer",
        "commitment": header.commitment if header.is_committed else None,
        "words": dict(zip(TEAMS, header.client_seeds, strict=True))
        if header.client_seeds
        else None,
        "opened": opened,
        "brought": bool(table.row.settings.get("brought")),
        "hints": table.row.settings["hints"],
        "talk": talk_to_dict(table),
        "waits_for": [TEAMS[team] for team in missing_teams(table)],
        "rematch": table.row.rematch or None,
        "league": table.league or None,
        "over": False,
    }


def talk_to_dict(table: Table) -> dict[str, Any] | None:
    """Return what two players at two screens say to each other, and who asks to take back."""
    talk = table.talk
    if not talk.is_between_people:
        return None
    asking = talk.offering_team
    return {
        "mode": talk.mode,
        "messages": [
            {"team": TEAMS[message["team"]] if message["team"] in range(2) else None}
            | {"text": message["text"]}
            for message in talk.messages
        ],
        "takeback": None if asking is None else TEAMS[asking],
    }


def _rules(table: Table) -> Any:
    from hashmark.engine import registry

    return registry.load(table.header.rules)


def seat_to_dict(table: Table, team: int) -> dict[str, Any]:
    """Return the occupant of a seat, whether it is free, and whether its player is absent."""
    occupant = table.session.seats[team] if table.session else table.header.seats[TEAMS[team]]
    return {
        "who": occupant,
        "free": team in table.seats and not table.seats[team].holder,
        "absent": table.is_abandoned(team),
    }


def missing_teams(table: Table) -> list[int]:
    """Return the teams whose client seed or player is missing before the game can begin."""
    return table.teams_without_seed() if table.row.stage == NOT_STARTED else []


def scoreboard_values(game: Game) -> dict[str, Any]:
    """Return the scoreboard: score, clock and situation."""
    g, words = game.position, game.rules.words
    return {
        "score": dict(zip(TEAMS, map(int, g.score), strict=True)),
        "sides": len(playing_teams(game)),
        "possession": TEAMS[g.possession] if g.possession in range(2) else None,
        "clock": capitalize(words.clock(game.match, g)),
        "situation": capitalize(words.situation(game.match, g, game.names)),
        "timeouts": _timeouts(game),
    }


def _timeouts(game: Game) -> dict[str, int] | None:
    """Return the timeouts left, if the game's clock text does not include them."""
    timeouts = game.rules.words.timeouts
    if timeouts is None:
        return None
    return dict(zip(TEAMS, timeouts(game.match, game.position), strict=True))


# --- Pending input -----------------------------------------------------------------------------


def pending_input(table: Table, viewer: Viewer, game: Game) -> dict[str, Any] | None:
    """Return the pending input; the answers only for the team that is asked.

    `game` is the game as the viewer sees it.
    """
    session = table.session
    assert session is not None
    pending: PendingInput | None = session.pending_input()
    if isinstance(pending, PendingCall):
        with_chances = table.row.settings["hints"] != HINTS_NEVER
        return _call(viewer, pending, _seen_by(table, viewer, pending.team, game), with_chances)
    if isinstance(pending, PendingDie):
        return _die(session, viewer, pending)
    return None


def _seen_by(table: Table, viewer: Viewer, team: int, game: Game) -> Game:
    """Return the game as the asked team sees it; two players at one screen see less of it."""
    return (
        game
        if viewer.perspective == team or team not in viewer.teams
        else table.public_summary(Viewer((team,)))
    )


def _facts(game: Game, with_chances: bool) -> dict[str, str]:
    """Return the figures that the buttons of single calls show."""
    calls = game.rules.calls
    if not any(calls[call] == FIELD_GOAL_CALL for call in game.legal_calls()):
        return {}
    return {FIELD_GOAL_CALL: field_goal_fact(game, with_chances)}


def _call(viewer: Viewer, pending: PendingCall, game: Game, with_chances: bool) -> dict[str, Any]:
    """Return a pending call as data."""
    data: dict[str, Any] = {
        "kind": "call",
        "moment": pending.moment,
        "team": TEAMS[pending.team],
        "yours": pending.team in viewer.teams,
        "text": pending.question.text,
    }
    if not data["yours"]:
        return data
    rules = game.rules
    keys, facts = answer_keys(rules), _facts(game, with_chances)
    listed = [
        {
            "call": answer.name,
            "meaning": answer.meaning,
            "key": keys.get(answer.name, ""),
            "fact": facts.get(answer.name, ""),
            "default": answer.is_default,
            "group": group.title,
            "rare": group.is_rare,
        }
        for group in group_answers(rules, list_answers(game))
        for answer in group.answers
    ]
    also = [
        rules.calls[call]
        for call in pending.question.unlisted_calls
        if call not in pending.question.calls
    ]
    return {
        **data,
        "question": pending.question.name,
        "window": pending.question.is_window,
        "secret": pending.is_secret,
        "default": rules.call_name(pending.question.default),
        "calls": listed,
        "number": pending.question.name in rules.presentation.number_questions,
        "also": len(also),
    }


def _die(session: GameSession, viewer: Viewer, pending: PendingDie) -> dict[str, Any]:
    """Return a pending die as data."""
    may_roll = pending.team in viewer.teams or (
        bool(viewer.teams) and session.seats[pending.team] != HUMAN
    )
    die = pending.die
    return {
        "kind": "die",
        "moment": pending.moment,
        "team": TEAMS[pending.team],
        "yours": may_roll,
        "at": pending.die_index,
        "die": die.name,
        "say": die.description,
        "faces": sorted(set(die.faces)) if may_roll else [],
        "range": die.describe_faces(),
        "pool": pending.pool.description if pending.pool is not None else None,
        "rolled": _rolled_so_far(session),
    }


def _rolled_so_far(session: GameSession) -> dict[str, list[int]]:
    faces = session.pending_turn.faces if session.pending_turn is not None else ([], [])
    return {team: list(faces[index]) for index, team in enumerate(TEAMS)}


def can_undo(table: Table, viewer: Viewer) -> bool:
    """Return whether an undo would have an effect for this viewer."""
    if not viewer.teams or table.league:
        return False
    session = table.require_session()
    turn = session.pending_turn
    if turn is not None and turn.is_started:
        return turn.rolled_count > 0 or turn.team in viewer.teams
    team = viewer.teams[0] if len(viewer.teams) == 1 else -1
    return not session.undo_target(team)[1]


def standing_orders(table: Table, viewer: Viewer) -> list[dict[str, str]]:
    """Return the windows of the game and this viewer's standing order for each."""
    session = table.session
    if session is None or not viewer.teams:
        return []
    rules, team = session.game.rules, viewer.teams[0]
    return [
        {
            "window": question.name,
            "text": question.text,
            "order": session.order_for(team, question.name),
            "says": ORDER_MEANINGS[session.order_for(team, question.name)],
            "default": rules.calls[question.default],
        }
        for question in rules.questions
        if question.is_window
    ]


# --- History -----------------------------------------------------------------------------------


def list_plays(game: Game, since: int = 0) -> list[dict[str, Any]]:
    """Return the turns after so many as play-by-play: each play, its heading, when it was over."""
    plays: list[dict[str, Any]] = []
    play_by_play = PlayByPlay()
    for number, turn in enumerate(game.turns[since:], since + 1):
        for line in play_by_play.next_lines(game, turn):
            if line.kind == "heading" or not plays:
                heading = line.text if line.kind == "heading" else ""
                plays.append({"heading": heading, "lines": [], "turn": number})
            if line.kind != "heading":
                plays[-1]["lines"] += _line_to_dicts(line)
        if plays:
            plays[-1]["turn"] = number
    return plays


def _line_to_dicts(line: PlayLine) -> list[dict[str, str]]:
    dice = [{"kind": "dice", "text": row} for row in line.dice]
    return [{"kind": line.kind, "text": capitalize(line.text)}, *dice]


def recent_plays(game: Game) -> list[dict[str, Any]]:
    """Return the last few plays, the newest first."""
    return list_plays(game, max(0, len(game.turns) - RECENT_TURNS))[::-1]


def own_play(game: Game, team: int | None) -> str:
    """Return a team's last play if others have followed it; "" if none has."""
    if team is None or len(playing_teams(game)) < len(TEAMS):
        return ""
    for number, scene in enumerate(islice(scenes_backwards(game), RECENT_TURNS)):
        if scene.includes(team):
            return " ".join(scene.sentences(game)) if number else ""
    return ""


def game_history(game: Game) -> dict[str, Any]:
    """Return the whole game as data."""
    return summary.game_json(game)


def stat_tables(game: Game) -> dict[str, Any]:
    """Return box score, scores and drives as tables."""
    from hashmark.text.game_report import DRIVE_HEADINGS, SCORE_HEADINGS, drive_rows, score_rows

    teams = playing_teams(game)
    return {
        "sides": list(teams),
        "box": [row[: 1 + len(teams)] for row in summary.box_rows(game.rules, game)],
        "scores": {"headings": SCORE_HEADINGS, "rows": score_rows(game)},
        "drives": {"headings": DRIVE_HEADINGS, "rows": drive_rows(game)},
    }


def game_at_turn(game: Game, number: int) -> Game:
    """Return the game as it stood after so many turns, as far as it may be seen."""
    number = max(0, min(number, len(game.turns)))
    if number == len(game.turns):
        return game
    return game.read_only_copy(game.turns[number].before, game.turns[:number])


def own_team(viewer: Viewer) -> int | None:
    """Return the team of a viewer who plays for one team alone."""
    return viewer.teams[0] if len(viewer.teams) == 1 else None
