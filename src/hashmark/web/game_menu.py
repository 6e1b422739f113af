"""Games as the lobby offers them: the declarations of each rule set, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.engine.options import Option, option_text
from hashmark.engine.rule_set import RuleSet
from hashmark.session.opponents import (
    coaches_in_order,
    default_opponent,
    games_by_difficulty,
)
from hashmark.web.leagues.league_state import format_utc
from hashmark.web.tables.table_store import TableRow


def all_games() -> list[RuleSet]:
    """Return all games, the easiest first."""
    return games_by_difficulty()


def game_to_dict(rules: RuleSet) -> dict[str, Any]:
    """Return a game's declarations, for creating a table."""
    return {
        "rules": rules.name,
        "has_rules_page": rules.presentation.rules_page is not None,
        "title": rules.title,
        "summary": rules.summary,
        "effort": str(rules.presentation.difficulty) if rules.presentation.difficulty else None,
        "alone": rules.is_solo(rules.new_match()),
        "options": [option_to_dict(item) for item in rules.setup.options],
        "presets": {name: dict(values) for name, values in rules.setup.presets.items()},
        "preset_meanings": dict(rules.setup.preset_meanings),
        "default_preset": rules.setup.default_preset,
        "coaches": [
            {"name": item.name, "level": item.level, "sentence": item.description}
            for item in coaches_in_order(rules)
        ],
        "quick_start": dict(rules.setup.quick_start),
        "opponent": default_opponent(rules.name),
    }


def option_to_dict(declared: Option) -> dict[str, Any]:
    """Return an option's meaning and allowed values."""
    data: dict[str, Any] = {
        "name": declared.name,
        "meaning": declared.meaning,
        "default": None if declared.default_value is None else option_text(declared.default_value),
        "allowed": declared.allowed_texts(),
        "picked": declared.list_choices is not None,
        "question": declared.question or declared.meaning,
    }
    if isinstance(declared.allowed, range):
        data |= {"kind": "number", "least": declared.allowed[0], "most": declared.allowed[-1]}
    elif declared.parser is not None and (declared.default is None or len(declared.allowed) == 1):
        data["kind"] = "text"
    else:
        data["kind"] = "choice"
    return data


def list_picks(rules: RuleSet, chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the choices for the game's picked options, given what has been chosen so far."""
    seats = {"home": chosen.get("home", "human"), "away": chosen.get("away", "human")}
    known = {declared.name for declared in rules.setup.options}
    given: dict[str, Any] = {k: v for k, v in chosen.items() if k in known and v}
    result = []
    for declared in rules.setup.options:
        if declared.list_choices is None:
            continue
        others = {k: v for k, v in given.items() if k != declared.name}
        values = list(declared.list_choices(rules.parse_options(others), seats))
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


def table_row_to_dict(row: TableRow) -> dict[str, Any]:
    """Return a table as an entry of the lobby."""
    names = row.header.get("names", {"home": "home", "away": "away"})
    return {
        "id": row.id,
        "rules": row.rules,
        "stage": row.stage,
        "names": names,
        "seats": row.header["seats"],
        "uploaded": bool(row.settings.get("brought")),
        "said": row.said,
        "when": format_utc(row.touched),
    }
