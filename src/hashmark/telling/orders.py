"""Standing orders in words: which windows a person wants to be asked about."""

from __future__ import annotations

from hashmark.table.sitting import ALWAYS, EVERY_WINDOW, NEVER, WHEN_IT_MATTERS, Sitting

MEANINGS = {
    WHEN_IT_MATTERS: "asked when it can matter",
    ALWAYS: "asked whenever there is a choice",
    NEVER: "never asked",
}
USAGE = "ask always, ask never or ask matters, for all windows or for one: ask never tempo"


def give_order(sitting: Sitting, team: int, words: str) -> None:
    """`always`, `never` or `matters`, with a window or for all."""
    when, _, window = words.partition(" ")
    sitting.order(team, when, window.strip() or EVERY_WINDOW)


def order_lines(sitting: Sitting, team: int) -> list[str]:
    """How each window of the game is asked."""
    windows = [one for one in sitting.game.rules.questions if one.is_window]
    if not windows:
        return ["This game has no windows: you are asked wherever there is a choice."]
    width = max(len(one.name) for one in windows)
    lines = []
    for one in windows:
        when = MEANINGS[sitting.order_for(team, one.name)]
        default = sitting.game.rules.calls[one.default]
        lines.append(f"  {one.name:<{width}}  {when}, else {default}")
    return [*lines, f"  ({USAGE})"]
