"""What `?` says at the table: the odds of each answer to the question that is asked now."""

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

RECENT = 16  # looks that are kept
CAN_WIN = "can win"
ASSUMED = (
    "can win: with the best answers from here to the end, by the game's table (an estimate). "
    "The other columns: this play alone, its further answers those of the book coach."
)
LEAST_POINT = 0.01  # an estimate says no more of chances below this, or as near to 1
OPENLY = "Called openly"
NO_DICE = "Nothing is rolled for this: each call leads where it says."


def odds_of_answers(game: Game, engine: str = "auto") -> Shown:
    """The exact odds of each answer; of secret calls, each against each."""
    m, g = game.match, position_asked(game)
    follow = Follower(game.rules, m, engine, for_figures=True).follow
    return _tables(game, g, follow, engine)


class Looks:
    """The odds at one table: at once, kept for the next look, coarse while code is compiled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.warming = rules, Warming(rules)
        self.kept: OrderedDict[tuple[int, ...], Shown] = OrderedDict()
        self.long: set[int] = set()  # questions that are too much for plain Python

    def at(self, game: Game) -> Shown:
        """The odds of the answers here; what was looked at before is at hand."""
        g = position_asked(game)
        key = (game.asked, *g.flat())
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        made, exact = self._look(game, g)
        if exact:
            self.kept[key] = made
            if len(self.kept) > RECENT:
                self.kept.popitem(last=False)
        return made

    def _look(self, game: Game, g: Any) -> tuple[Shown, bool]:
        """The tables, and whether they are exact."""
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

        made = _tables(game, g, sampled, "")
        first = f"{self.warming.said()} Meanwhile: {plays[-1].said()}" if plays else ""
        return [(first, (), ()), *made], False


def position_asked(game: Game) -> Any:
    """The position whose odds are wanted, as the one who is asked may see it."""
    secret = before_secret_calls(game)
    return game.rules.view(game.match, game.position, game.asked) if secret is None else secret


def _tables(game: Game, g: Any, follow: Follow, engine: str) -> Shown:
    """The tables of a position: one of the open calls, and of secret calls each against each.

    Who answers a secret call is not shown what his opponent could have called openly.
    """
    rules, m = game.rules, game.match
    question, team = rules.questions[rules.question(m, g)], rules.asked(m, g)
    calls = rules.legal_calls(m, g)
    if not rules.figures_at(question.name):
        return [(NO_DICE, (), ())]
    pairs = secret_pairs(Follower(rules, m), g) if set(calls) & set(question.secret) else []
    hidden = {code for code, _, _ in pairs}
    open_calls = [code for code in calls if code not in hidden and team == game.asked]
    if not pairs and not has_long_plays(rules) and engine:
        return _by_step(rules, m, g, open_calls, engine)
    starts = [*(one[1] for one in pairs), *(g for _ in open_calls)]
    codes = [*(one[2] for one in pairs), *open_calls]
    found = follow(g, max(team, 0), starts, codes)
    shown: Shown = []
    if pairs:
        shown += matrix_of(rules, m, g, pairs, found[: len(pairs)]).tables()
    rest = [
        Outlook(rules, m, g, team, code, one)
        for code, one in zip(open_calls, found[len(pairs) :], strict=True)
    ]
    if rest:
        wins = reckoned(rules, m, g)
        title = OPENLY if pairs else ASSUMED if wins else ""
        shown.append((title, *comparison(rest, wins)))
    return shown


def _by_step(rules: RuleSet, m: Any, g: Any, calls: list[int], engine: str) -> Shown:
    """In games whose plays are one step, windows apart."""
    found, many = outlooks(rules, m, g, calls, engine, through=True)
    if not found:
        raise next(iter(many.values()))
    return [(left_out(rules, many), *comparison(found, reckoned(rules, m, g)))]


def looks_of_calls(
    rules: RuleSet, m: Any, g: Any, calls: Sequence[int], engine: str
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """The outlooks of open calls to the end of their plays, for their figures; and those calls
    whose plays are too long."""
    if has_long_plays(rules) and calls != [NO_CALL]:
        return Follower(rules, m, engine).calls_in_time(g, calls)
    return outlooks(rules, m, g, calls, engine, through=True)


def reckoned(rules: RuleSet, m: Any, g: Any) -> Mapping[int, float]:
    """The chance to win by each call, where the game can say it."""
    told = {} if rules.reckon is None else rules.reckon(m, g)
    return {call: chance for call, chance in told.items() if call != NO_CALL}


def comparison(
    found: Sequence[Outlook], wins: Mapping[int, float] | None = None
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Calls side by side for people: headings, and a line for each call.

    What means nothing at this question is left out, and so is a chance that is 0 for all calls.
    Beside chances to win, `ASSUMED` must say what the columns take for granted.
    """
    columns = [figure for figure in _columns(found[0]) if _says_something(figure, found)]
    rows = []
    for one in found:
        cells = [
            figure.shown(one.figures[figure.name] if has_come(one) and one.has(figure) else None)
            for figure in columns
        ]
        if wins:
            cells.insert(0, _roughly(wins.get(one.call)))
        rows.append((one.name or "(dice)", *cells))
    first = ("call", CAN_WIN) if wins else ("call",)
    return (*first, *(figure.heading for figure in columns)), rows


def has_come(one: Outlook) -> bool:
    """Whether anything comes of the call by itself: whoever calls an audible only calls again."""
    if len(one.outcomes) > 1 or any(map(any, one.some)):
        return True
    before, after = one.before, one.outcomes[0].position
    keys = ("score", "possession", "spot", "clock", "period", "phase")
    return any(getattr(before, key) != getattr(after, key) for key in keys)


def _roughly(chance: float | None) -> str:
    """The chance to win in whole points of a hundred: it is an estimate, and never sure."""
    if chance is None:
        return "-"
    if not LEAST_POINT <= chance <= 1 - LEAST_POINT:
        return "over 99%" if chance > LEAST_POINT else "under 1%"
    return f"{chance:.0%}"


def _columns(one: Outlook) -> tuple[Figure, ...]:
    """The figures that mean something where the call was made."""
    rules = one.rules
    return rules.figures_at(rules.questions[rules.question(one.m, one.before)].name)


def _says_something(figure: Figure, found: Sequence[Outlook]) -> bool:
    """Whether any call has such a chance, or such outcomes."""
    values = [one.figures[figure.name] for one in found]
    if figure.form == CHANCE:
        return any(value is not None and value >= TOO_SMALL for value in values)
    return any(one.has(figure) for one in found)


def left_out(rules: RuleSet, many: Mapping[int, TooManyOutcomes], lacking: str = "Without") -> str:
    """A line on the calls that are not in the table, or nothing if all are."""
    if not many:
        return ""
    names = listed("the dice" if call == NO_CALL else rules.calls[call] for call in many)
    return f"{lacking} {names}: {next(iter(many.values()))}"


def before_secret_calls(game: Game) -> Any:
    """Where both coaches call in secret and one of them is asked now, the position before
    either called, as the one who is asked sees it; else None."""
    rules, m, asked = game.rules, game.match, game.asked
    if not set(game.question.calls) & set(game.question.secret):
        return None
    other = Secrets.of(game).standing.get(1 - asked)
    if other is not None and not Secrets.of(game, other - 1).standing:
        return rules.view(m, game.turns[other - 1].before, asked)
    return rules.view(m, game.position, asked)
