"""The games as the lobby offers them: whatever a rule set declares about itself, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.club.league_state import utc
from hashmark.table.opponents import by_ease, default_opponent, in_order
from hashmark.table.rules import Option, RuleSet, spoken
from hashmark.web.store import Kept


def all_games() -> list[RuleSet]:
    """All games, the easiest first."""
    return by_ease()


def described(rules: RuleSet) -> dict[str, Any]:
    """One game for whoever wants to lay a table."""
    return {
        "rules": rules.name,
        "title": rules.title,
        "summary": rules.summary,
        "effort": str(rules.effort) if rules.effort else None,
        "alone": rules.alone(rules.new_match()),
        "options": [option(one) for one in rules.options],
        "presets": {name: dict(values) for name, values in rules.presets.items()},
        "coaches": [{"name": one.name, "sentence": one.sentence} for one in in_order(rules)],
        "opponent": default_opponent(rules.name),
    }


def option(one: Option) -> dict[str, Any]:
    """A switch of the rules in words, and what it may be set to."""
    said: dict[str, Any] = {
        "name": one.name,
        "meaning": one.meaning,
        "default": None if one.value is None else spoken(one.value),
        "allowed": one.spoken(),
        "picked": one.pick is not None,
        "question": one.question or one.meaning,
    }
    if isinstance(one.allowed, range):
        said |= {"kind": "number", "least": one.allowed[0], "most": one.allowed[-1]}
    elif one.reader is not None and (one.default is None or len(one.allowed) == 1):
        said["kind"] = "text"
    else:
        said["kind"] = "choice"
    return said


def picks(rules: RuleSet, chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """What can be picked for the options of the game's invitation, after what was chosen so far."""
    seats = {"home": chosen.get("home", "human"), "away": chosen.get("away", "human")}
    known = {one.name for one in rules.options}
    given: dict[str, Any] = {k: v for k, v in chosen.items() if k in known and v}
    found = []
    for one in rules.options:
        if one.pick is None:
            continue
        before = {k: v for k, v in given.items() if k != one.name}
        values = list(one.pick(rules.read_options(before), seats))
        if not values:
            continue
        names = [value for value, _ in values]
        if given.get(one.name) not in names:
            given[one.name] = names[0]
        found.append(
            {
                "option": one.name,
                "question": one.question or one.meaning,
                "values": [{"value": value, "says": says} for value, says in values],
                "chosen": given[one.name],
            }
        )
    return found


def listed(kept: Kept) -> dict[str, Any]:
    """A table in the lobby."""
    names = kept.header.get("names", {"home": "home", "away": "away"})
    return {
        "id": kept.id,
        "rules": kept.rules,
        "stage": kept.stage,
        "names": names,
        "seats": kept.header["seats"],
        "said": kept.said,
        "when": utc(kept.touched),
    }
