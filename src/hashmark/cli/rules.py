"""`hashmark rules`: the games, and one game's options, calls, coaches and tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from hashmark.cli.common import AsJson, print_json, print_table
from hashmark.table import registry
from hashmark.table.rules import RuleSet, spoken
from hashmark.telling.speech import capital

EXAMPLE = "hashmark rules fourth-down"


def command(
    rules: Annotated[
        str | None, typer.Argument(metavar="[RULES]", help="One rule set; all if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or show one: summary, options, calls, coaches and tables."""
    if rules is None:
        games = [registry.load(name) for name in registry.names()]
        if as_json:
            print_json([_brief(game) for game in games])
        else:
            print_table(("rules", "title", "what it is"), map(_line, games), left=9)
        return
    game = registry.load(rules)
    if as_json:
        print_json(_details(game))
    else:
        _print(game)


def _line(game: RuleSet) -> tuple[str, str, str]:
    return game.name, game.title, game.summary


def _brief(game: RuleSet) -> dict[str, Any]:
    effort = asdict(game.effort) if game.effort is not None else None
    return {"name": game.name, "title": game.title, "summary": game.summary, "effort": effort}


def _details(game: RuleSet) -> dict[str, Any]:
    return {
        **_brief(game),
        "version": game.version,
        "options": [
            {"name": o.name, "default": o.value, "allowed": o.spoken(), "meaning": o.meaning}
            for o in game.options
        ],
        "presets": {name: dict(values) for name, values in game.presets.items()},
        "questions": [
            {
                "name": q.name,
                "calls": [game.calls[call] for call in q.calls],
                "default": game.calls[q.default] if q.is_window else None,
            }
            for q in game.questions
        ],
        "coaches": [{"name": c.name, "sentence": c.sentence} for c in game.all_coaches()],
        "statistics": list(game.statistics.names),
        "tables": [
            {"title": title, "columns": columns, "rows": rows}
            for title, columns, rows in game.words.tables()
        ],
    }


def _print(game: RuleSet) -> None:
    effort = f"{capital(str(game.effort))}.\n" if game.effort is not None else ""
    typer.echo(f"{game.title} ({game.name})\n{game.summary}\n{effort}")
    if game.options:
        rows = [
            (o.name, " | ".join(o.spoken()), "" if o.value is None else spoken(o.value), o.meaning)
            for o in game.options
        ]
        print_table(("option", "values", "default", "meaning"), rows, left=9)
        typer.echo()
    for name, values in game.presets.items():
        expansion = " ".join(f"{key}={spoken(value)}" for key, value in values.items())
        typer.echo(f"preset={name} is short for {expansion}\n")
    asked = [
        (q.name, game.calls[call], game.words.meant(q.name, game.calls[call]))
        for q in game.questions
        for call in q.calls
    ]
    print_table(("question", "call", "meaning"), asked, left=9)
    typer.echo()
    coaches = [(coach.name, coach.sentence) for coach in game.all_coaches()]
    print_table(("coach", "how it plays"), coaches, left=9)
    for title, columns, lines in game.words.tables():
        typer.echo(f"\n{title}")
        print_table(columns, lines, left=0)
