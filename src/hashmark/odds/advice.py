"""Odds tables that `?` shows at the prompt: the odds of each answer to the current question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hashmark.odds.outlook import QUICK, TOO_SMALL, Found, Outlook, outlooks
from hashmark.odds.plays import Follower, has_long_plays, matrix_of, secret_pairs
from hashmark.odds.sampled import SampledPlays
from hashmark.odds.warming import Warming
from hashmark.table.errors import TooManyOutcomes, listed
from hashmark.table.figures import CHANCE, Figure
from hashmark.table.game import Game
from hashmark.table.rules import NO_CALL, RuleSet
from hashmark.table.secrets import Secrets

Shown = list[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
"""Tables: a title or nothing, the headings, the rows."""

Follow = Callable[[Any, int, Sequence[Any], Sequence[int]], list[Found]]
"""How plays are followed: from a position, for a team, these starts and calls."""

RECENT = 16  # cached positions
CAN_WIN = "can win"
ASSUMED = (
    "can win: with the best answers from here to the end, by the game's table (an estimate). "
    "The other columns: this play alone, its further answers those of the book coach."
)
LEAST_POINT = 0.01  # estimates below this, or this close to 1, are shown as bounds
OPENLY = "Called openly"
NO_DICE = "Nothing is rolled for this: each call leads where it says."


def odds_of_answers(game: Game, engine: str = "auto") -> Shown:
    """Return the exact odds of each answer; for secret calls, of each pair of calls."""
    m, g = game.match, position_asked(game)
    follow = Follower(game.rules, m, engine, for_figures=True).follow
    return _tables(game, g, follow, engine)


class Looks:
    """Odds for one game: immediate, cached, and sampled while the kernel is being compiled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.warming = rules, Warming(rules)
        self.kept: OrderedDict[tuple[int, ...], Shown] = OrderedDict()
        self.long: set[int] = set()  # questions that plain Python cannot enumerate in time

    def at(self, game: Game) -> Shown:
        """Return the odds of the answers here, cached if possible."""
        g = position_asked(game)
        key = (game.asked, *g.flat())
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        tables, exact = self._look(game, g)
        if exact:
            self.kept[key] = tables
            if len(self.kept) > RECENT:
                self.kept.popitem(last=False)
        return tables

    def _look(self, game: Game, g: Any) -> tuple[Shown, bool]:
        """Return the tables, and whether they are exact."""
        m, question = game.match, self.rules.question(game.match, g)
        try:
            if question not in self.long or not self.warming.ready:
                return odds_of_answers(game, QUICK), True
        except TooManyOutcomes:
            self.long.add(question)
        if self.warming.is_ready():
            return odds_of_answers(game, "compiled"), True
        self.warming.begin()
        plays: list[SampledPlays] = []

        def sampled(g: Any, us: int, starts: Sequence[Any], calls: Sequence[int]) -> list[Found]:
            plays.append(SampledPlays(self.rules, m, g, us))
            return plays[-1].follow(starts, calls)

        tables = _tables(game, g, sampled, "")
        note = f"{self.warming.said()} Meanwhile: {plays[-1].said()}" if plays else ""
        return [(note, (), ()), *tables], False


def position_asked(game: Game) -> Any:
    """Return the position whose odds are wanted, as the team to act sees it."""
    secret = before_secret_calls(game)
    return game.rules.view(game.match, game.position, game.asked) if secret is None else secret


def _tables(game: Game, g: Any, follow: Follow, engine: str) -> Shown:
    """Return the tables of a position: one of the open calls, and matrices of secret calls.

    A team that answers a secret call is not shown the open calls of its opponent.
    """
    rules, m = game.rules, game.match
    question, team = rules.questions[rules.question(m, g)], rules.asked(m, g)
    calls = rules.legal_calls(m, g)
    if not rules.figures_at(question.name):
        return [(NO_DICE, (), ())]
    pairs = secret_pairs(Follower(rules, m), g) if set(calls) & set(question.secret) else []
    secret_calls = {code for code, _, _ in pairs}
    open_calls = [code for code in calls if code not in secret_calls and team == game.asked]
    if not pairs and not has_long_plays(rules) and engine:
        return _by_step(rules, m, g, open_calls, engine)
    starts = [*(pair[1] for pair in pairs), *(g for _ in open_calls)]
    codes = [*(pair[2] for pair in pairs), *open_calls]
    distributions = follow(g, max(team, 0), starts, codes)
    tables: Shown = []
    if pairs:
        tables += matrix_of(rules, m, g, pairs, distributions[: len(pairs)]).tables()
    open_outlooks = [
        Outlook(rules, m, g, team, code, distribution)
        for code, distribution in zip(open_calls, distributions[len(pairs) :], strict=True)
    ]
    if open_outlooks:
        wins = reckoned(rules, m, g)
        title = OPENLY if pairs else ASSUMED if wins else ""
        tables.append((title, *comparison(open_outlooks, wins)))
    return tables


def _by_step(rules: RuleSet, m: Any, g: Any, calls: list[int], engine: str) -> Shown:
    """Return the table for games whose plays are one step, apart from windows."""
    found, many = outlooks(rules, m, g, calls, engine, through=True)
    if not found:
        raise next(iter(many.values()))
    return [(left_out(rules, many), *comparison(found, reckoned(rules, m, g)))]


def looks_of_calls(
    rules: RuleSet, m: Any, g: Any, calls: Sequence[int], engine: str
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """Return the outlooks of open calls to the end of their plays.

    Calls whose plays are too long are returned separately.
    """
    if has_long_plays(rules) and calls != [NO_CALL]:
        return Follower(rules, m, engine).calls_in_time(g, calls)
    return outlooks(rules, m, g, calls, engine, through=True)


def reckoned(rules: RuleSet, m: Any, g: Any) -> Mapping[int, float]:
    """Return the heuristic win probability of each call, if the game provides it."""
    chances = {} if rules.reckon is None else rules.reckon(m, g)
    return {call: chance for call, chance in chances.items() if call != NO_CALL}


def comparison(
    found: Sequence[Outlook], wins: Mapping[int, float] | None = None
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return a table that compares calls: headings, and a row for each call.

    Figures that do not apply to this question are omitted, as are chances that are 0 for all calls.
    Next to win probabilities, `ASSUMED` must state what the columns assume.
    """
    columns = [figure for figure in _columns(found[0]) if _is_informative(figure, found)]
    rows = []
    for outlook in found:
        cells = [
            figure.shown(
                outlook.figures[figure.name] if has_come(outlook) and outlook.has(figure) else None
            )
            for figure in columns
        ]
        if wins:
            cells.insert(0, _format_estimate(wins.get(outlook.call)))
        rows.append((outlook.name or "(dice)", *cells))
    leading = ("call", CAN_WIN) if wins else ("call",)
    return (*leading, *(figure.heading for figure in columns)), rows


def has_come(outlook: Outlook) -> bool:
    """Return whether the call itself has any outcome: an audible only leads to another call."""
    if len(outlook.outcomes) > 1 or any(map(any, outlook.some)):
        return True
    before, after = outlook.before, outlook.outcomes[0].position
    keys = ("score", "possession", "spot", "clock", "period", "phase")
    return any(getattr(before, key) != getattr(after, key) for key in keys)


def _format_estimate(chance: float | None) -> str:
    """Format an estimated win probability in whole percent, never as certain."""
    if chance is None:
        return "-"
    if not LEAST_POINT <= chance <= 1 - LEAST_POINT:
        return "over 99%" if chance > LEAST_POINT else "under 1%"
    return f"{chance:.0%}"


def _columns(outlook: Outlook) -> tuple[Figure, ...]:
    """Return the figures that apply where the call was made."""
    rules = outlook.rules
    return rules.figures_at(rules.questions[rules.question(outlook.m, outlook.before)].name)


def _is_informative(figure: Figure, found: Sequence[Outlook]) -> bool:
    """Return whether any call has a visible chance or an outcome for a figure."""
    values = [outlook.figures[figure.name] for outlook in found]
    if figure.form == CHANCE:
        return any(value is not None and value >= TOO_SMALL for value in values)
    return any(outlook.has(figure) for outlook in found)


def left_out(rules: RuleSet, many: Mapping[int, TooManyOutcomes], lacking: str = "Without") -> str:
    """Return a line on the calls missing from the table, or an empty string."""
    if not many:
        return ""
    names = listed("the dice" if call == NO_CALL else rules.calls[call] for call in many)
    return f"{lacking} {names}: {next(iter(many.values()))}"


def before_secret_calls(game: Game) -> Any:
    """Return the position before either team's secret call, as the team to act sees it.

    None unless both teams call in secret and one of them is to call now.
    """
    rules, m, asked = game.rules, game.match, game.asked
    if not set(game.question.calls) & set(game.question.secret):
        return None
    other_turn = Secrets.of(game).standing.get(1 - asked)
    if other_turn is not None and not Secrets.of(game, other_turn - 1).standing:
        return rules.view(m, game.turns[other_turn - 1].before, asked)
    return rules.view(m, game.position, asked)
