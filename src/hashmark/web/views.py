"""What a viewer may know of a table, as plain data for the API and for page templates.

Everything is derived from `Table.view_for`, the feed and the public header. The seed, the numbers
that coaches drew and the full position are never included.
"""

from __future__ import annotations

from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.names import NAMES, SHORT_NAMES, by_name, naming
from hashmark.table.record import TEAMS, winner
from hashmark.table.sitting import PERSON, Sitting
from hashmark.table.wanted import CallWanted, DieWanted, Wanted
from hashmark.telling import summary
from hashmark.telling.answers import answers
from hashmark.telling.orders import MEANINGS
from hashmark.telling.report import PlayByPlay, sides
from hashmark.telling.speech import capital
from hashmark.web.store import LAID
from hashmark.web.tables import Table, Viewer

KEYS = (
    "1234567890qwertyiopasdfgjklzxcvbnm"  # in the order of the answers; the other keys are commands
)
LATELY = 14  # turns shown next to the field


def state(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the table as a viewer may know it."""
    data = {**about(table, viewer), "number": table.told, "moment": 0, "wanted": None}
    session = table.sitting
    if session is None:
        return data
    game = table.glance(viewer)
    return {
        **data,
        "moment": session.moment,
        "over": session.is_over,
        "wanted": wanted(table, viewer, game),
        **board(game),
        "turns": len(session.game.turns),
        "position": game.position.to_json(),
        "may_take_back": may_take_back(table, viewer),
    }


def about(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return what does not change with every play: game, seats, and the commitment to the dice."""
    header, rules = table.header, _rules(table)
    opened = header.opened() if table.is_over and header.is_sealed else None
    return {
        "id": table.id,
        "rules": rules.name,
        "title": rules.title,
        "options": header.options,
        "stage": table.kept.stage,
        "viewer": viewer.name,
        "names": dict(zip(TEAMS, header.names, strict=True)),
        "seats": {name: seat(table, team) for team, name in enumerate(TEAMS)},
        "dice": "typed" if header.dice == "typed" else "computer",
        "commitment": header.commitment if header.is_sealed else None,
        "words": dict(zip(TEAMS, header.words, strict=True)) if header.words else None,
        "opened": opened,
        "brought": bool(table.kept.settings.get("brought")),
        "hints": table.kept.settings["hints"],
        "waits_for": [TEAMS[team] for team in waits_for(table)],
        "rematch": table.kept.rematch or None,
        "league": table.league or None,
        "over": False,
    }


def _rules(table: Table) -> Any:
    from hashmark.table import registry

    return registry.load(table.header.rules)


def seat(table: Table, team: int) -> dict[str, Any]:
    """Return the occupant of a seat, whether it is free, and whether its player is absent."""
    occupant = table.sitting.seats[team] if table.sitting else table.header.seats[TEAMS[team]]
    return {
        "who": occupant,
        "free": team in table.seats and not table.seats[team].holder,
        "absent": table.is_abandoned(team),
    }


def waits_for(table: Table) -> list[int]:
    """Return the teams whose client seed or player is missing before the game can begin."""
    return table.missing_words() if table.kept.stage == LAID else []


@by_name
def board(game: Game) -> dict[str, Any]:
    """Return the scoreboard: score, clock and situation."""
    g, words = game.position, game.rules.words
    return {
        "score": dict(zip(TEAMS, map(int, g.score), strict=True)),
        "sides": len(sides(game)),
        "possession": TEAMS[g.possession] if g.possession in range(2) else None,
        "clock": capital(words.clock(game.match, g)),
        "situation": capital(words.situation(game.match, g)),
        "timeouts": _timeouts(game),
    }


def _timeouts(game: Game) -> dict[str, int] | None:
    """Return the timeouts left, if the game's clock text does not include them."""
    timeouts = game.rules.words.timeouts
    if timeouts is None:
        return None
    return dict(zip(TEAMS, timeouts(game.match, game.position), strict=True))


# --- Pending input -----------------------------------------------------------------------------


def wanted(table: Table, viewer: Viewer, game: Game) -> dict[str, Any] | None:
    """Return the pending input; the answers only for the team that is asked.

    `game` is the game as the viewer sees it.
    """
    session = table.sitting
    assert session is not None
    pending: Wanted | None = session.wanted()
    if isinstance(pending, CallWanted):
        return _call(viewer, pending, _seen_by(table, viewer, pending.team, game))
    if isinstance(pending, DieWanted):
        return _die(session, viewer, pending)
    return None


def _seen_by(table: Table, viewer: Viewer, team: int, game: Game) -> Game:
    """Return the game as the asked team sees it; two players at one screen see less of it."""
    return game if viewer.eye == team or team not in viewer.teams else table.glance(Viewer((team,)))


def _call(viewer: Viewer, pending: CallWanted, game: Game) -> dict[str, Any]:
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
    listed = [
        {
            "call": answer.name,
            "meaning": answer.meaning,
            "key": KEYS[index] if index < len(KEYS) else "",
            "default": answer.is_default,
        }
        for index, answer in enumerate(answers(game))
    ]
    also = [
        rules.calls[call] for call in pending.question.also if call not in pending.question.calls
    ]
    return {
        **data,
        "question": pending.question.name,
        "window": pending.question.is_window,
        "secret": pending.secret,
        "default": pending.default,
        "calls": listed,
        "also": len(also),
    }


def _die(session: Sitting, viewer: Viewer, pending: DieWanted) -> dict[str, Any]:
    """Return a pending die as data."""
    may_roll = pending.team in viewer.teams or (
        bool(viewer.teams) and session.seats[pending.team] != PERSON
    )
    die = pending.die
    return {
        "kind": "die",
        "moment": pending.moment,
        "team": TEAMS[pending.team],
        "yours": may_roll,
        "at": pending.at,
        "die": die.name,
        "say": die.say,
        "faces": sorted(set(die.faces)) if may_roll else [],
        "range": die.range(),
        "pool": pending.pool.say if pending.pool is not None else None,
        "rolled": _rolled_so_far(session),
    }


def _rolled_so_far(session: Sitting) -> dict[str, list[int]]:
    faces = session.waiting.faces if session.waiting is not None else ([], [])
    return {team: list(faces[index]) for index, team in enumerate(TEAMS)}


def may_take_back(table: Table, viewer: Viewer) -> bool:
    """Return whether an undo would have an effect for this viewer."""
    if not viewer.teams or table.league:
        return False
    session = table.begun()
    turn = session.waiting
    if turn is not None and turn.is_called:
        return turn.rolled > 0 or turn.team in viewer.teams
    team = viewer.teams[0] if len(viewer.teams) == 1 else -1
    return not session.may_take_back(team)[1]


def orders(table: Table, viewer: Viewer) -> list[dict[str, str]]:
    """Return the windows of the game and this viewer's standing order for each."""
    session = table.sitting
    if session is None or not viewer.teams:
        return []
    rules, team = session.game.rules, viewer.teams[0]
    return [
        {
            "window": question.name,
            "text": question.text,
            "order": session.order_for(team, question.name),
            "says": MEANINGS[session.order_for(team, question.name)],
            "default": rules.calls[question.default],
        }
        for question in rules.questions
        if question.is_window
    ]


# --- History -----------------------------------------------------------------------------------


@by_name
def plays(game: Game, turns: list[Turn]) -> list[dict[str, Any]]:
    """Return turns as play-by-play, each play under its heading."""
    blocks: list[dict[str, Any]] = []

    def echo(line: str) -> None:
        if line[:1] not in ("-", " "):
            blocks.append({"heading": line, "lines": []})
            return
        if not blocks:
            blocks.append({"heading": "", "lines": []})
        blocks[-1]["lines"] += _pieces(line)

    play_by_play = PlayByPlay(echo)
    for turn in turns:
        play_by_play.tell(game, turn)
    return blocks


def _pieces(line: str) -> list[dict[str, str]]:
    """Split a line of the play-by-play into call, text and dice."""
    if line.startswith("    "):
        return [{"kind": "dice", "text": line.strip(" []")}]
    if not line.startswith("- "):
        return [{"kind": "text", "text": capital(line.strip())}]
    call, _, rolled = line.removeprefix("- ").partition("  [")
    pieces = [{"kind": "call", "text": capital(call.strip())}]
    return [*pieces, {"kind": "dice", "text": rolled.strip(" []")}] if rolled else pieces


def lately(game: Game) -> list[dict[str, Any]]:
    """Return the last few plays, the newest first."""
    return plays(game, game.turns[-LATELY:])[::-1]


def last_dice(game: Game) -> list[dict[str, Any]]:
    """Return the dice of the last turn that rolled any."""
    for turn in reversed(game.turns[-LATELY:]):
        if turn.rolls:
            return [roll.to_json() for roll in game.rolled(turn)]
    return []


def last_words(game: Game) -> list[str]:
    """Return the sentences of the last turn that has any."""
    for turn in reversed(game.turns[-LATELY:]):
        sentences = game.sentences(turn)
        if sentences:
            return sentences
    return []


def history(game: Game) -> dict[str, Any]:
    """Return the whole game as data."""
    return summary.to_json(game)


@by_name
def figures(game: Game) -> dict[str, Any]:
    """Return box score, scores and drives as tables."""
    from hashmark.telling.report import DRIVES, SCORES, drive_rows, score_rows

    count = len(sides(game))
    return {
        "sides": [NAMES[team] for team in range(count)],
        "box": [row[: 1 + count] for row in summary.box_rows(game.rules, game)],
        "scores": {"headings": SCORES, "rows": score_rows(game)},
        "drives": {"headings": DRIVES, "rows": drive_rows(game)},
    }


def at_turn(game: Game, number: int) -> Game:
    """Return the game as it stood after so many turns, as far as it may be seen."""
    number = max(0, min(number, len(game.turns)))
    if number == len(game.turns):
        return game
    return game.as_told(game.turns[number].before, game.turns[:number])


@by_name
def verdict(game: Game) -> str:
    """Return the result in a few words."""
    lead = winner(game.position)
    if len(sides(game)) == 1:
        ways = {0: "wins", 1: "loses"}
        return f"{capital(NAMES[0])} {ways.get(lead, 'is level')}"
    return f"{capital(NAMES[lead])} wins" if lead in range(2) else "A tie"


def short_names(table: Table) -> list[str]:
    """Return short team names."""
    with naming(table.header.names):
        return [SHORT_NAMES[team] for team in range(2)]
