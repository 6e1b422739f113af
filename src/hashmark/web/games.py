"""Games as the lobby offers them: the declarations of each rule set, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.club.league_state import utc
from hashmark.table.opponents import by_ease, default_opponent, in_order
from hashmark.table.rules import Option, RuleSet, spoken
from hashmark.web.store import Kept


def all_games() -> list[RuleSet]:
    """Return all games, the easiest first."""
    return by_ease()


def described(rules: RuleSet) -> dict[str, Any]:
    """Return a game's declarations, for creating a table."""
    return {
        "rules": rules.name,
        "title": rules.title,
        "summary": rules.summary,
        "effort": str(rules.effort) if rules.effort else None,
        "alone": rules.alone(rules.new_match()),
        "options": [option(item) for item in rules.options],
        "presets": {name: dict(values) for name, values in rules.presets.items()},
        "coaches": [{"name": item.name, "sentence": item.sentence} for item in in_order(rules)],
        "opponent": default_opponent(rules.name),
    }


def option(declared: Option) -> dict[str, Any]:
    """Return an option's meaning and allowed values."""
    data: dict[str, Any] = {
        "name": declared.name,
        "meaning": declared.meaning,
        "default": None if declared.value is None else spoken(declared.value),
        "allowed": declared.spoken(),
        "picked": declared.pick is not None,
        "question": declared.question or declared.meaning,
    }
    if isinstance(declared.allowed, range):
        data |= {"kind": "number", "least": declared.allowed[0], "most": declared.allowed[-1]}
    elif declared.reader is not None and (declared.default is None or len(declared.allowed) == 1):
        data["kind"] = "text"
    else:
        data["kind"] = "choice"
    return data


def picks(rules: RuleSet, chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the choices for the game's picked options, given what has been chosen so far."""
    seats = {"home": chosen.get("home", "human"), "away": chosen.get("away", "human")}
    known = {declared.name for declared in rules.options}
    given: dict[str, Any] = {k: v for k, v in chosen.items() if k in known and v}
    result = []
    for declared in rules.options:
        if declared.pick is None:
            continue
        others = {k: v for k, v in given.items() if k != declared.name}
        values = list(declared.pick(rules.read_options(others), seats))
        if not values:
            continue
        names = [value for value, _ in values]
        if given.get(declared.name) not in names:
            given[declared.name] = names[0]
        result.append(
            {
                "option": declared.name,
                "question": declared.question or declared.meaning,
                "values": [{"value": value, "says": label} for value, label in values],
                "chosen": given[declared.name],
            }
        )
    return result


def listed(kept: Kept) -> dict[str, Any]:
    """Return a table as an entry of the lobby."""
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
