"""`hashmark rules`: the games, and one game's options, calls, coaches and tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from hashmark.cli.common import AsJson, print_json, print_table
from hashmark.engine import registry
from hashmark.engine.options import option_text
from hashmark.engine.rule_set import RuleSet
from hashmark.text.phrases import capitalize

EXAMPLE = "hashmark rules fourth-down"


def command(
    rules: Annotated[
        str | None,
        typer.Argument(metavar="RULES", help="Game, e.g. fourth-down; default: list all."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or show the options and tables of one."""
    if rules is None:
        games = [registry.load(name) for name in registry.names()]
        if as_json:
            print_json([_brief(game) for game in games])
        else:
            rows = [(game.name, game.title, game.summary) for game in games]
            print_table(("rules", "title", "what it is"), rows, left_columns=9)
        return
    game = registry.load(rules)
    if as_json:
        print_json(_details(game))
    else:
        _print(game)


def _brief(game: RuleSet) -> dict[str, Any]:
    difficulty = game.presentation.difficulty
    effort = asdict(difficulty) if difficulty is not None else None
    return {"name": game.name, "title": game.title, "summary": game.summary, "effort": effort}


def _details(game: RuleSet) -> dict[str, Any]:
    return {
        **_brief(game),
        "version": game.version,
        "options": [
            {
                "name": o.name,
                "default": o.default_value,
                "allowed": o.allowed_texts(),
                "meaning": o.meaning,
            }
            for o in game.setup.options
        ],
        "presets": {name: dict(values) for name, values in game.setup.presets.items()},
        "questions": [
            {
                "name": q.name,
                "calls": [game.calls[call] for call in q.calls],
                "default": game.calls[q.default] if q.is_window else None,
            }
            for q in game.questions
        ],
        "coaches": [
            {"name": coach.name, "level": coach.level, "sentence": coach.description}
            for coach in game.coaches_by_strength()
        ],
        "statistics": list(game.statistics.names),
        "tables": [
            {"title": title, "columns": columns, "rows": rows}
            for title, columns, rows in game.words.list_tables()
        ],
    }


def _print(game: RuleSet) -> None:
    difficulty = game.presentation.difficulty
    effort = f"{capitalize(str(difficulty))}.\n" if difficulty is not None else ""
    typer.echo(f"{game.title} ({game.name})\n{game.summary}\n{effort}")
    if game.setup.options:
        rows = [
            (
                o.name,
                " | ".join(o.allowed_texts()),
                "" if o.default_value is None else option_text(o.default_value),
                o.meaning,
            )
            for o in game.setup.options
        ]
        print_table(("option", "values", "default", "meaning"), rows, left_columns=9)
        typer.echo()
    for name, values in game.setup.presets.items():
        expansion = " ".join(f"{key}={option_text(value)}" for key, value in values.items())
        meaning = game.setup.preset_meanings.get(name)
        typer.echo(f"preset={name}{f' ({meaning})' if meaning else ''} is short for {expansion}\n")
    calls = [
        (q.name, game.calls[call], game.words.meaning_for_question(q.name, game.calls[call]))
        for q in game.questions
        for call in q.calls
    ]
    print_table(("question", "call", "meaning"), calls, left_columns=9)
    typer.echo()
    coaches = [(coach.name, coach.level, coach.description) for coach in game.coaches_by_strength()]
    print_table(("coach", "level", "how it plays"), coaches, left_columns=9)
    for title, columns, lines in game.words.list_tables():
        typer.echo(f"\n{title}")
        print_table(columns, lines, left_columns=0)
