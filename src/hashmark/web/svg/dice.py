"""Dice of a turn: each roll with its purpose, by team, and rerolls as chains.

It draws the data of a feed event ("rolls") and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from hashmark.engine.drawings import DrawnDie
from hashmark.engine.record import TEAMS
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.text.phrases import capitalize
from hashmark.web.svg.die_shapes import die_svg
from hashmark.web.svg.markup import EMPTY, class_names, join_markup, path, tag
from hashmark.web.svg.team_colors import team_class

RollData = Mapping[str, Any]  # in the layout of `engine/rolls.py`


def draw_dice(rolls: Sequence[RollData], names: TeamNames) -> Markup:
    """Draw all rolls of a turn; empty if there were none."""
    if not rolls:
        return EMPTY
    short = short_names(names)
    return tag("div", *(_roll(roll, short) for roll in rolls), class_="drawn-dice")


def _roll(roll: RollData, names: TeamNames) -> Markup:
    """Draw a roll: its purpose, the dice of each team, and their reading."""
    dice: Sequence[Mapping[str, Any]] = roll["dice"]
    teams = dict.fromkeys(die["team"] for die in dice)
    extras = [tag("span", f"{roll['bonus']:+d}", class_="roll-bonus")] if roll.get("bonus") else []
    if roll.get("reads"):
        extras.append(tag("span", f"= {roll['reads']}", class_="roll-reads"))
    return tag(
        "div",
        tag("span", str(roll["for"]), class_="roll-for"),
        tag("div", *(_hand(dice, team, names) for team in teams), *extras, class_="roll-dice"),
        class_="drawn-roll",
    )


def _hand(dice: Sequence[Mapping[str, Any]], team: str, names: TeamNames) -> Markup:
    """Draw one team's dice of a roll; rerolls follow the dice that they replace."""
    number = TEAMS.index(team)
    first_dice = [
        index for index, die in enumerate(dice) if die["team"] == team and die.get("after") is None
    ]
    return tag(
        "span",
        tag("span", capitalize(names[number]), class_="hand-name"),
        *(_chain(dice, index, names) for index in first_dice),
        class_=class_names("drawn-hand", team_class(number)),
    )


def _chain(dice: Sequence[Mapping[str, Any]], first: int, names: TeamNames) -> Markup:
    """Draw a die linked with its rerolls."""
    links = [first]
    while True:
        last = links[-1]
        next_dice = [index for index, die in enumerate(dice) if die.get("after") == last]
        if not next_dice:
            break
        links.append(next_dice[0])
    svgs = [_die(dice[index], names, again=index != first) for index in links]
    if len(svgs) == 1:
        return svgs[0]
    pieces = [svgs[0], *(join_markup((_LINK, svg)) for svg in svgs[1:])]
    return tag("span", *pieces, class_="chain")


_LINK = tag(
    "svg",
    path("M2 6H14M10 2L14 6L10 10", class_="link"),
    viewBox="0 0 16 12",
    aria_hidden="true",
    class_="drawn-link",
)


def _die(data: Mapping[str, Any], names: TeamNames, again: bool) -> Markup:
    team = TEAMS.index(data["team"])
    die = DrawnDie(str(data["die"]), int(data["face"]), team=team)
    note = ", rolled again" if again else ""
    title = f"{names[team]}, {die.kind}{note}: {die.face}"
    return die_svg(die, title, tumbles=True)
