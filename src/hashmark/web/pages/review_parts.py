"""Review of a game as page data: the curve, mistakes as cards, and mistakes asked again.

It reads the review as `hashmark review --json` prints it, and the finished game, which gives the
situations. Every turn is a link to that moment of the replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.number_text import percent
from hashmark.text.answers import list_answers
from hashmark.text.game_report import score_text
from hashmark.text.phrases import capitalize
from hashmark.web.svg.markup import line, path, rect, tag, text
from hashmark.web.views import game_at_turn

WIDTH, HEIGHT = 720.0, 260.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 10.0, 12.0, 232.0
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
UNIT = "percentage points of win probability"
MARKS = {"blunder": "Blunder", "mistake": "Mistake", "inaccuracy": "Inaccuracy"}
MIN_SHOWN_LUCK = 0.05  # rolls that moved the win probability less are not listed
MAX_ROLLS = 6
Turns = Sequence[Mapping[str, Any]]


def review_values(game: Game, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page of a review shows."""
    turns: Turns = data["turns"]
    return {
        "curve": draw_curve(game, data),
        "teams": [_team_values(game, team, data["teams"][team]) for team in data["teams"]],
        "start": percent(data["start"], 1),
        "luck_adjusted": percent(data["luck_adjusted"], 1),
        "home": capitalize(game.names[0]),
        "mistakes": [_mistake_card(game, turn) for turn in mistakes(turns)],
        "rolls": [_roll_values(game, turn) for turn in _decisive_rolls(turns)],
        "decisions": [_decision_row(game, turn) for turn in turns if turn["decision"]],
        "source": capitalize(data["source"]),
        "exact": data["exact"],
        "unit": UNIT,
    }


def mistakes(turns: Turns, team: int | None = None) -> list[Mapping[str, Any]]:
    """Return the turns with a costly call, of one team or of both, in the order of the game."""
    return [
        turn
        for turn in turns
        if turn["decision"]
        and turn["decision"]["mark"]
        and (team is None or turn["team"] == TEAMS[team])
    ]


def points(chance: float) -> str:
    """Return a part of the win probability in percentage points."""
    return f"{100 * chance:.1f}"


def _team_values(game: Game, name: str, totals: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": capitalize(game.names[TEAMS.index(name)]),
        "decisions": totals["decisions"],
        "errors": points(totals["errors"]),
        "luck": f"{100 * totals['luck']:+.1f}",
        "marks": {MARKS[mark]: count for mark, count in totals["marks"].items()},
    }


def situation(game: Game, number: int) -> str:
    """Return period, clock, score, down and distance before a turn."""
    before, words = game.turns[number - 1].before, game.rules.words
    clock = capitalize(words.when(game.match, before))
    return (
        f"{clock}, {score_text(game, before.score)}, "
        f"{words.situation(game.match, before, game.names)}"
    )


def _mistake_card(game: Game, turn: Mapping[str, Any]) -> dict[str, Any]:
    decision = turn["decision"]
    return {
        "turn": turn["turn"],
        "mark": MARKS[decision["mark"]],
        "team": capitalize(game.names[TEAMS.index(turn["team"])]),
        "situation": situation(game, turn["turn"]),
        "call": turn["call"],
        "best": decision["best"],
        "loss": _loss_text(decision),
        "position_id": turn["position_id"],
    }


def _loss_text(decision: Mapping[str, Any]) -> str:
    error = decision["standard_error"]
    return f"{points(decision['loss'])}{f' ± {points(error)}' if error else ''} {UNIT}"


def _decisive_rolls(turns: Turns) -> list[Mapping[str, Any]]:
    large = [turn for turn in turns if abs(turn["luck"]) >= MIN_SHOWN_LUCK]
    return sorted(large, key=lambda turn: -abs(turn["luck"]))[:MAX_ROLLS]


def _roll_values(game: Game, turn: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "turn": turn["turn"],
        "situation": situation(game, turn["turn"]),
        "text": " ".join(turn["text"]),
        "team": capitalize(game.names[0 if turn["luck"] > 0 else 1]),
        "luck": points(abs(turn["luck"])),
    }


def _decision_row(game: Game, turn: Mapping[str, Any]) -> dict[str, Any]:
    decision = turn["decision"]
    return {
        "turn": turn["turn"],
        "team": capitalize(game.names[TEAMS.index(turn["team"])]),
        "call": turn["call"],
        "best": decision["best"] if decision["loss"] else "",
        "cost": points(decision["loss"]) if decision["clear"] else "too close",
        "mark": MARKS.get(decision["mark"], ""),
    }


# --- The curve ------------------------------------------------------------------------------------


def draw_curve(game: Game, data: Mapping[str, Any]) -> Markup:
    """Draw home's win probability turn by turn; each turn is a link to its moment."""
    turns: Turns = data["turns"]
    values = [data["start"], *(turn["after"] for turn in turns)]
    step = (WIDTH - LEFT - RIGHT) / max(len(turns), 1)
    spots = [(LEFT + index * step, _y(value)) for index, value in enumerate(values)]
    way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    home = capitalize(game.names[0])
    return tag(
        "svg",
        *_axis(home),
        *_periods(game, step),
        path(f"{way}V{_y(0.5):.1f}H{LEFT:g}z", class_="curve-area"),
        path(way, class_="curve-line"),
        *(_turn_link(game, turn, spots[turn["turn"]], step) for turn in turns),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="group",
        aria_label=f"Win probability of {home} after each turn",
        class_="curve",
    )


def _y(value: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * value


def _axis(home: str) -> list[Markup]:
    pieces = []
    for value in GRID:
        y = _y(value)
        pieces += [
            line(LEFT, y, WIDTH - RIGHT, y, class_="curve-even" if value == 0.5 else "curve-grid"),
            text(LEFT - 6, y + 4, percent(value, 0), text_anchor="end", class_="curve-label"),
        ]
    return pieces


def _periods(game: Game, step: float) -> list[Markup]:
    """Draw where each period begins, with its name below."""
    pieces, last = [], None
    for index, turn in enumerate(game.turns):
        period = turn.before.period
        if period == last:
            continue
        last = period
        x = LEFT + index * step
        pieces += [
            line(x, TOP, x, BOTTOM + 6, class_="curve-period"),
            text(x + 3, HEIGHT - 8, game.rules.words.period_name(period), class_="curve-label"),
        ]
    return pieces


def _turn_link(
    game: Game, turn: Mapping[str, Any], spot: tuple[float, float], step: float
) -> Markup:
    """Draw a turn as a link: a column to click, and a dot that can be focused if it matters."""
    x, y = spot
    mark = (turn["decision"] or {}).get("mark")
    counts = bool(mark) or abs(turn["luck"]) >= MIN_SHOWN_LUCK
    label = f"Turn {turn['turn']}: {percent(turn['after'], 0)}"
    if mark:
        label += f", {MARKS[mark].lower()} of {game.names[TEAMS.index(turn['team'])]}"
    dot = [
        tag(
            "circle", cx=x, cy=y, r=5 if mark else 3.5, class_="curve-mark" if mark else "curve-dot"
        )
    ]
    return tag(
        "a",
        tag("title", label),
        rect(x - step / 2, TOP, step, BOTTOM - TOP, class_="curve-column"),
        *(dot if counts else ()),
        href=f"replay?turn={turn['turn']}",
        aria_label=label,
        tabindex=None if counts else "-1",
        data_turn=str(turn["turn"]),
    )


# --- Asked again ----------------------------------------------------------------------------------


def lesson_values(
    game: Game, data: Mapping[str, Any], team: int | None, number: int, call: str
) -> dict[str, Any] | None:
    """Return a mistake asked again, with the verdict on a given call; None if there is none."""
    found = mistakes(data["turns"], team)
    if not found:
        return None
    number = min(number, len(found) - 1)
    turn = found[number]
    decision = turn["decision"]
    side = TEAMS.index(turn["team"])
    known = {item["call"]: item for item in decision["calls"]}
    return {
        "number": number,
        "count": len(found),
        "turn": turn["turn"],
        "team": capitalize(game.names[side]),
        "situation": situation(game, turn["turn"]),
        "calls": [
            {"name": answer.name, "meaning": answer.meaning}
            for answer in list_answers(game_at_turn(game, turn["turn"] - 1))
            if answer.name in known
        ],
        "verdict": _verdict(known, decision, turn, side, data["tie"], call)
        if call in known
        else None,
        "following": number + 1 if number + 1 < len(found) else None,
    }


def _verdict(
    known: Mapping[str, Mapping[str, Any]],
    decision: Mapping[str, Any],
    turn: Mapping[str, Any],
    side: int,
    tie: float,
    call: str,
) -> dict[str, Any]:
    """Return how good a call is, with the values of all calls, the best first."""

    def worth(name: str) -> float:
        item = known[name]
        return float(item[TEAMS[side]]) + tie * float(item["tie"])

    best = decision["best"]
    loss = worth(best) - worth(call)
    return {
        "call": call,
        "is_best": call == best,
        "is_same": call == turn["call"],
        "best": best,
        "loss": f"{points(loss)} {UNIT}",
        "values": [
            {"name": name, "value": percent(worth(name), 1), "chosen": name == call}
            for name in sorted(known, key=worth, reverse=True)
        ],
    }
