"""The dice of a turn: each roll under what it was for, by team, and dice rolled again in chains.

What is drawn is the data that a happening carries ("rolls"), and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from markupsafe import Markup

from hashmark.table.drawings import Die
from hashmark.table.names import SHORT_NAMES, naming
from hashmark.table.record import TEAMS
from hashmark.telling.speech import capital
from hashmark.web.drawn.shapes import die_svg
from hashmark.web.drawn.sides import side
from hashmark.web.drawn.tags import NOTHING, classes, joined, path, tag

Rolled = Mapping[str, Any]  # as `table/rolls.py` writes it


def dice(rolls: Sequence[Rolled], names: tuple[str, str] | None = None) -> Markup:
    """All rolls of a turn; nothing if nobody rolled. Without names, those in force."""
    if not rolls:
        return NOTHING
    with naming(names) if names else nullcontext():
        return tag("div", *(_roll(one) for one in rolls), class_="drawn-dice")


def _roll(one: Rolled) -> Markup:
    """What was rolled for, the dice of each team, and what they were read as."""
    thrown: Sequence[Mapping[str, Any]] = one["dice"]
    teams = dict.fromkeys(die["team"] for die in thrown)
    after = [tag("span", f"{one['bonus']:+d}", class_="roll-bonus")] if one.get("bonus") else []
    if one.get("reads"):
        after.append(tag("span", f"= {one['reads']}", class_="roll-reads"))
    return tag(
        "div",
        tag("span", str(one["for"]), class_="roll-for"),
        tag("div", *(_hand(thrown, team) for team in teams), *after, class_="roll-dice"),
        class_="drawn-roll",
    )


def _hand(thrown: Sequence[Mapping[str, Any]], team: str) -> Markup:
    """One team's dice of a roll; those that follow others stand behind them."""
    number = TEAMS.index(team)
    firsts = [
        at for at, die in enumerate(thrown) if die["team"] == team and die.get("after") is None
    ]
    return tag(
        "span",
        tag("span", capital(SHORT_NAMES[number]), class_="hand-name"),
        *(_chain(thrown, at) for at in firsts),
        class_=classes("drawn-hand", side(number)),
    )


def _chain(thrown: Sequence[Mapping[str, Any]], at: int) -> Markup:
    """A die and what was rolled again for it, linked."""
    links = [at]
    while True:
        last = links[-1]
        found = [n for n, die in enumerate(thrown) if die.get("after") == last]
        if not found:
            break
        links.append(found[0])
    drawn = [_die(thrown[n], again=n != at) for n in links]
    if len(drawn) == 1:
        return drawn[0]
    pieces = [drawn[0], *(joined((_LINK, one)) for one in drawn[1:])]
    return tag("span", *pieces, class_="chain")


_LINK = tag(
    "svg",
    path("M2 6H14M10 2L14 6L10 10", class_="link"),
    viewBox="0 0 16 12",
    aria_hidden="true",
    class_="drawn-link",
)


def _die(one: Mapping[str, Any], again: bool) -> Markup:
    team = TEAMS.index(one["team"])
    die = Die(str(one["die"]), int(one["face"]), team=team)
    how = ", rolled again" if again else ""
    title = f"{SHORT_NAMES[team]}, {die.kind}{how}: {die.face}"
    return die_svg(die, title, tumbles=True)
