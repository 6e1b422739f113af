"""Standing orders as text: which windows a player wants to be asked about."""

from __future__ import annotations

from hashmark.session.game_session import ALL_WINDOWS, ALWAYS, NEVER, WHEN_IT_MATTERS, GameSession

ORDER_MEANINGS = {
    WHEN_IT_MATTERS: "asked when it matters",
    ALWAYS: "asked whenever there is a choice",
    NEVER: "never asked",
}
USAGE = "change with ask always, ask never or ask matters; for one window: ask never tempo"


def parse_order(session: GameSession, team: int, words: str) -> None:
    """Parse and set a standing order: `always`, `never` or `matters`, for one window or all."""
    when, _, window = words.partition(" ")
    session.set_order(team, when, window.strip() or ALL_WINDOWS)


def order_lines(session: GameSession, team: int) -> list[str]:
    """Return how each window of the game is asked."""
    windows = [window for window in session.game.rules.questions if window.is_window]
    if not windows:
        return ["This game has no optional questions: you are asked whenever there is a choice."]
    width = max(len(window.name) for window in windows)
    lines = []
    for window in windows:
        when = ORDER_MEANINGS[session.order_for(team, window.name)]
        default = session.game.rules.calls[window.default]
        lines.append(f"  {window.name:<{width}}  {when}, else {default}")
    return [*lines, f"  ({USAGE})"]
