"""What a viewer may know of a table, as plain data: for programs, and for the templates of pages.

Everything here is made from `Table.seen`, the stream and the public header. The seed, the numbers
that coaches drew and the position itself never come in.
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

KEYS = "1234567890qwertyiopasdfgjklzxcvbnm"  # in the order of the answers; others are commands
LATELY = 14  # turns that are told beside the field


def state(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The table as a viewer may know it."""
    said = {**about(table, viewer), "number": table.told, "moment": 0, "wanted": None}
    sitting = table.sitting
    if sitting is None:
        return said
    game = table.glance(viewer)
    return {
        **said,
        "moment": sitting.moment,
        "over": sitting.is_over,
        "wanted": wanted(table, viewer, game),
        **board(game),
        "turns": len(sitting.game.turns),
        "position": game.position.to_json(),
        "may_take_back": may_take_back(table, viewer),
    }


def about(table: Table, viewer: Viewer) -> dict[str, Any]:
    """What does not change with every play: the game, who sits where, the promise of the dice."""
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
    """Who sits at a seat, whether somebody may take it, and whether its player is gone."""
    now = table.sitting.seats[team] if table.sitting else table.header.seats[TEAMS[team]]
    return {
        "who": now,
        "free": team in table.seats and not table.seats[team].holder,
        "absent": table.is_abandoned(team),
    }


def waits_for(table: Table) -> list[int]:
    """Whose word for the dice, or who at all, is waited for before the game begins."""
    return table.missing_words() if table.kept.stage == LAID else []


@by_name
def board(game: Game) -> dict[str, Any]:
    """The scoreboard: names, score, clock, situation."""
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
    """The time-outs that are left, where the clock does not tell them."""
    told = game.rules.words.timeouts
    if told is None:
        return None
    return dict(zip(TEAMS, told(game.match, game.position), strict=True))


# --- What is asked -----------------------------------------------------------------------------


def wanted(table: Table, viewer: Viewer, game: Game) -> dict[str, Any] | None:
    """What the table waits for; the answers only for the one who is asked.

    The game is as the viewer sees it.
    """
    sitting = table.sitting
    assert sitting is not None
    found: Wanted | None = sitting.wanted()
    if isinstance(found, CallWanted):
        return _call(viewer, found, _seen_by(table, viewer, found.team, game))
    if isinstance(found, DieWanted):
        return _die(sitting, viewer, found)
    return None


def _seen_by(table: Table, viewer: Viewer, team: int, game: Game) -> Game:
    """The game as the team sees that is asked: two at one screen see less of it than each."""
    return game if viewer.eye == team or team not in viewer.teams else table.glance(Viewer((team,)))


def _call(viewer: Viewer, found: CallWanted, game: Game) -> dict[str, Any]:
    said: dict[str, Any] = {
        "kind": "call",
        "moment": found.moment,
        "team": TEAMS[found.team],
        "yours": found.team in viewer.teams,
        "text": found.question.text,
    }
    if not said["yours"]:
        return said
    rules = game.rules
    listed = [
        {
            "call": one.name,
            "meaning": one.meaning,
            "key": KEYS[at] if at < len(KEYS) else "",
            "default": one.is_default,
        }
        for at, one in enumerate(answers(game))
    ]
    also = [rules.calls[call] for call in found.question.also if call not in found.question.calls]
    return {
        **said,
        "question": found.question.name,
        "window": found.question.is_window,
        "secret": found.secret,
        "default": found.default,
        "calls": listed,
        "also": len(also),
    }


def _die(sitting: Sitting, viewer: Viewer, found: DieWanted) -> dict[str, Any]:
    hands = found.team in viewer.teams or (
        bool(viewer.teams) and sitting.seats[found.team] != PERSON
    )
    die = found.die
    return {
        "kind": "die",
        "moment": found.moment,
        "team": TEAMS[found.team],
        "yours": hands,
        "at": found.at,
        "die": die.name,
        "say": die.say,
        "faces": sorted(set(die.faces)) if hands else [],
        "range": die.range(),
        "pool": found.pool.say if found.pool is not None else None,
        "rolled": _rolled_so_far(sitting),
    }


def _rolled_so_far(sitting: Sitting) -> dict[str, list[int]]:
    faces = sitting.waiting.faces if sitting.waiting is not None else ([], [])
    return {team: list(faces[at]) for at, team in enumerate(TEAMS)}


def may_take_back(table: Table, viewer: Viewer) -> bool:
    """Whether taking back would do anything for this viewer."""
    if not viewer.teams or table.league:
        return False
    sitting = table.begun()
    waiting = sitting.waiting
    if waiting is not None and waiting.is_called:
        return waiting.rolled > 0 or waiting.team in viewer.teams
    team = viewer.teams[0] if len(viewer.teams) == 1 else -1
    return not sitting.may_take_back(team)[1]


def orders(table: Table, viewer: Viewer) -> list[dict[str, str]]:
    """The windows of the game, and how this viewer wants each to be asked."""
    sitting = table.sitting
    if sitting is None or not viewer.teams:
        return []
    rules, team = sitting.game.rules, viewer.teams[0]
    return [
        {
            "window": one.name,
            "text": one.text,
            "order": sitting.order_for(team, one.name),
            "says": MEANINGS[sitting.order_for(team, one.name)],
            "default": rules.calls[one.default],
        }
        for one in rules.questions
        if one.is_window
    ]


# --- What has happened -------------------------------------------------------------------------


@by_name
def plays(game: Game, turns: list[Turn]) -> list[dict[str, Any]]:
    """Turns as they are told, each play under its heading."""
    told: list[dict[str, Any]] = []

    def echo(line: str) -> None:
        if line[:1] not in ("-", " "):
            told.append({"heading": line, "lines": []})
            return
        if not told:
            told.append({"heading": "", "lines": []})
        told[-1]["lines"] += _pieces(line)

    telling = PlayByPlay(echo)
    for turn in turns:
        telling.tell(game, turn)
    return told


def _pieces(line: str) -> list[dict[str, str]]:
    """A line of the play-by-play: who called, what was said of it, and the dice apart."""
    if line.startswith("    "):
        return [{"kind": "dice", "text": line.strip(" []")}]
    if not line.startswith("- "):
        return [{"kind": "text", "text": capital(line.strip())}]
    call, _, rolled = line.removeprefix("- ").partition("  [")
    said = [{"kind": "call", "text": capital(call.strip())}]
    return [*said, {"kind": "dice", "text": rolled.strip(" []")}] if rolled else said


def lately(game: Game) -> list[dict[str, Any]]:
    """The last few plays, the newest first."""
    return plays(game, game.turns[-LATELY:])[::-1]


def last_dice(game: Game) -> list[dict[str, Any]]:
    """The dice of the last turn that rolled any."""
    for turn in reversed(game.turns[-LATELY:]):
        if turn.rolls:
            return [one.to_json() for one in game.rolled(turn)]
    return []


def last_words(game: Game) -> list[str]:
    """What happened in the last turn that is told of, in sentences."""
    for turn in reversed(game.turns[-LATELY:]):
        said = game.sentences(turn)
        if said:
            return said
    return []


def history(game: Game) -> dict[str, Any]:
    """Everything that has happened, for programs."""
    return summary.to_json(game)


@by_name
def figures(game: Game) -> dict[str, Any]:
    """Box score, scores and drives as tables."""
    from hashmark.telling.report import DRIVES, SCORES, drive_rows, score_rows

    count = len(sides(game))
    return {
        "sides": [NAMES[team] for team in range(count)],
        "box": [row[: 1 + count] for row in summary.box_rows(game.rules, game)],
        "scores": {"headings": SCORES, "rows": score_rows(game)},
        "drives": {"headings": DRIVES, "rows": drive_rows(game)},
    }


def at_turn(game: Game, number: int) -> Game:
    """The game as it stood after so many turns, as far as it may be seen."""
    number = max(0, min(number, len(game.turns)))
    if number == len(game.turns):
        return game
    return game.as_told(game.turns[number].before, game.turns[:number])


@by_name
def verdict(game: Game) -> str:
    """Who has won, in a few words."""
    lead = winner(game.position)
    if len(sides(game)) == 1:
        ways = {0: "wins", 1: "loses"}
        return f"{capital(NAMES[0])} {ways.get(lead, 'is level')}"
    return f"{capital(NAMES[lead])} wins" if lead in range(2) else "A tie"


def short_names(table: Table) -> list[str]:
    """Names with little room."""
    with naming(table.header.names):
        return [SHORT_NAMES[team] for team in range(2)]
