"""Odds tables that `?` shows at the prompt: the odds of each answer to the current question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from hashmark.engine.figures import CHANCE, Figure
from hashmark.engine.game import Game
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import TooManyOutcomes, join_names
from hashmark.number_text import percent
from hashmark.odds.background_compile import OddsCompiler
from hashmark.odds.outlook import (
    MIN_SHOWN_CHANCE,
    QUICK_ENGINE,
    CallDistribution,
    Outlook,
    outlooks,
)
from hashmark.odds.plays import TITLES, Follower, build_matrix, has_multi_step_plays, secret_pairs
from hashmark.odds.sampled_plays import SampledPlays
from hashmark.session.redaction import SecretCalls

OddsTables = list[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
"""Tables: a title or nothing, the headings, the rows."""

FollowPlays = Callable[
    [PositionRecord, int, Sequence[PositionRecord], Sequence[int]], list[CallDistribution]
]
"""How plays are followed: from a position, for a team, these starts and calls."""

MAX_CACHED = 16  # cached positions
WIN_HEADING = "WP (est.)"
ASSUMPTIONS_NOTE = (
    "WP (est.): win probability, a heuristic estimate from a table searched ahead. The other "
    "columns: this play only, with further decisions by the book coach."
)
MIN_SHOWN_ESTIMATE = 0.01  # estimates below this, or this close to 1, are shown as bounds
OPEN_CALLS_TITLE = "Open calls"
SNAP_SUFFIX = "(exact, for a play without flags)"
NO_DICE_NOTE = "No dice are rolled here: every call has a certain outcome."


def answer_odds(game: Game, engine: str = "auto") -> OddsTables:
    """Return the exact odds of each answer; for secret calls, of each pair of calls."""
    m, g = game.match, visible_position(game)
    follow = Follower(game.rules, m, engine, for_figures=True).follow
    return _tables(game, g, follow, engine)


class OddsCache:
    """Odds for one game: immediate, cached, and sampled while the kernel is being compiled."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.compiler = rules, OddsCompiler(rules)
        self.cached: OrderedDict[tuple[int, ...], OddsTables] = OrderedDict()
        self.long_questions: set[int] = set()  # which plain Python cannot enumerate in time

    def tables_for(self, game: Game) -> OddsTables:
        """Return the odds of the answers here, cached if possible."""
        g = visible_position(game)
        key = (game.team_to_act, *g.flat())
        if key in self.cached:
            self.cached.move_to_end(key)
            return self.cached[key]
        tables, exact = self._compute(game, g)
        if exact:
            self.cached[key] = tables
            if len(self.cached) > MAX_CACHED:
                self.cached.popitem(last=False)
        return tables

    def _compute(self, game: Game, g: PositionRecord) -> tuple[OddsTables, bool]:
        """Return the tables, and whether they are exact."""
        m, question = game.match, self.rules.question(game.match, g)
        try:
            if question not in self.long_questions or not self.compiler.was_ready:
                return answer_odds(game, QUICK_ENGINE), True
        except TooManyOutcomes:
            self.long_questions.add(question)
        if self.compiler.is_ready():
            return answer_odds(game, "compiled"), True
        self.compiler.start()
        plays: list[SampledPlays] = []

        def sampled(
            g: PositionRecord, us: int, starts: Sequence[PositionRecord], calls: Sequence[int]
        ) -> list[CallDistribution]:
            plays.append(SampledPlays(self.rules, m, g, us))
            return plays[-1].follow(starts, calls)

        tables = _tables(game, g, sampled, "")
        note = ""
        if plays:
            progress, accuracy = self.compiler.describe_progress(), plays[-1].describe_accuracy()
            note = f"{progress} Until then, estimates: {accuracy}"
        return [(note, (), ()), *with_snap_tables(tables, self.rules, m, g)], False


def with_snap_tables(
    tables: OddsTables, rules: RuleSet, m: MatchRecord, g: PositionRecord
) -> OddsTables:
    """Replace estimates of secret calls by the game's own exact tables, which leave out flags."""
    find = rules.presentation.snap_tables
    titles = {title for _, title, _ in TITLES}
    calls = [str(row[0]) for title, _, rows in tables if title in titles for row in rows]
    if find is None or not calls:
        return tables
    exact = {table[0]: table for table in find(m, g, list(dict.fromkeys(calls)))}
    return [
        (f"{table[0]} {SNAP_SUFFIX}", *exact[table[0]][1:]) if table[0] in exact else table
        for table in tables
    ]


def visible_position(game: Game) -> PositionRecord:
    """Return the position whose odds are wanted, as the team to act sees it."""
    view: PositionRecord = game.rules.view(game.match, game.position, game.team_to_act)
    return before_secret_calls(game) or view


def _tables(game: Game, g: PositionRecord, follow: FollowPlays, engine: str) -> OddsTables:
    """Return the tables of a position: one of the open calls, and matrices of secret calls.

    A team that answers a secret call is not shown the open calls of its opponent.
    """
    rules, m = game.rules, game.match
    question, team = rules.questions[rules.question(m, g)], rules.team_to_act(m, g)
    calls = rules.legal_calls(m, g)
    if not rules.figures_at(question.name):
        return [(NO_DICE_NOTE, (), ())]
    pairs = secret_pairs(Follower(rules, m), g) if set(calls) & set(question.secret_calls) else []
    secret_calls = {code for code, _, _ in pairs}
    open_calls = [code for code in calls if code not in secret_calls and team == game.team_to_act]
    if not pairs and not has_multi_step_plays(rules) and engine:
        return _by_step(rules, m, g, open_calls, engine)
    starts = [*(pair[1] for pair in pairs), *(g for _ in open_calls)]
    codes = [*(pair[2] for pair in pairs), *open_calls]
    distributions = follow(g, max(team, 0), starts, codes)
    tables: OddsTables = []
    if pairs:
        tables += build_matrix(rules, m, g, pairs, distributions[: len(pairs)]).tables()
    open_outlooks = [
        Outlook(rules, m, g, team, code, distribution)
        for code, distribution in zip(open_calls, distributions[len(pairs) :], strict=True)
    ]
    if open_outlooks:
        wins = heuristic_win_chances(rules, m, g)
        title = OPEN_CALLS_TITLE if pairs else ASSUMPTIONS_NOTE if wins else ""
        tables.append((title, *compare_calls(open_outlooks, wins)))
    return tables


def _by_step(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, calls: list[int], engine: str
) -> OddsTables:
    """Return the table for games whose plays are one step, apart from windows."""
    found, many = outlooks(rules, m, g, calls, engine, through=True)
    if not found:
        raise next(iter(many.values()))
    table = compare_calls(found, heuristic_win_chances(rules, m, g))
    return [(describe_omitted_calls(rules, many), *table)]


def call_outlooks(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, calls: Sequence[int], engine: str
) -> tuple[list[Outlook], dict[int, TooManyOutcomes]]:
    """Return the outlooks of open calls to the end of their plays.

    Calls whose plays are too long are returned separately.
    """
    if has_multi_step_plays(rules) and calls != [NO_CALL]:
        return Follower(rules, m, engine).feasible_outlooks(g, calls)
    return outlooks(rules, m, g, calls, engine, through=True)


def heuristic_win_chances(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Mapping[int, float]:
    """Return the heuristic win probability of each call, if the game provides it."""
    chances = {} if rules.solver.heuristic_value is None else rules.solver.heuristic_value(m, g)
    return {call: chance for call, chance in chances.items() if call != NO_CALL}


def compare_calls(
    found: Sequence[Outlook], wins: Mapping[int, float] | None = None
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return a table that compares calls: headings, and a row for each call.

    Figures that do not apply to this question are omitted, as are chances that are 0 for all calls.
    Next to win probabilities, `ASSUMPTIONS_NOTE` must state what the columns assume.
    """
    columns = [figure for figure in _columns(found[0]) if _is_informative(figure, found)]
    rows = []
    for outlook in found:
        known = outlook.figures if has_outcome(outlook) else {}
        cells = [
            figure.format(known.get(figure.name) if outlook.shows(figure) else None)
            for figure in columns
        ]
        estimate = (_format_estimate(wins.get(outlook.call)),) if wins else ()
        rows.append((outlook.name or "(dice)", *estimate, *cells))
    leading = ("call", WIN_HEADING) if wins else ("call",)
    return (*leading, *(figure.heading for figure in columns)), rows


def has_outcome(outlook: Outlook) -> bool:
    """Return whether the call itself has any outcome: an audible only leads to another call."""
    if len(outlook.outcomes) > 1 or any(map(any, outlook.distribution.positive_chances)):
        return True
    before, after = outlook.before, outlook.outcomes[0].position
    keys = ("score", "possession", "spot", "clock", "period", "phase")
    return any(getattr(before, key) != getattr(after, key) for key in keys)


def _format_estimate(chance: float | None) -> str:
    """Format an estimated win probability in whole percent, never as certain."""
    if chance is None:
        return "-"
    if not MIN_SHOWN_ESTIMATE <= chance <= 1 - MIN_SHOWN_ESTIMATE:
        return ">99 %" if chance > MIN_SHOWN_ESTIMATE else "<1 %"
    return percent(chance)


def _columns(outlook: Outlook) -> tuple[Figure, ...]:
    """Return the figures that apply where the call was made."""
    rules = outlook.rules
    return rules.figures_at(rules.questions[rules.question(outlook.m, outlook.before)].name)


def _is_informative(figure: Figure, found: Sequence[Outlook]) -> bool:
    """Return whether any call has a visible chance or an outcome for a figure."""
    values = [outlook.figures[figure.name] for outlook in found]
    if figure.unit == CHANCE:
        return any(value is not None and value >= MIN_SHOWN_CHANCE for value in values)
    return any(outlook.shows(figure) for outlook in found)


def describe_omitted_calls(
    rules: RuleSet, many: Mapping[int, TooManyOutcomes], lacking: str = "No odds for"
) -> str:
    """Return a line on the calls missing from the table, or an empty string."""
    if not many:
        return ""
    names = join_names("the dice" if call == NO_CALL else rules.calls[call] for call in many)
    return f"{lacking} {names}: {next(iter(many.values()))}"


def before_secret_calls(game: Game) -> PositionRecord | None:
    """Return the position before either team's secret call, as the team to act sees it.

    None unless both teams call in secret and one of them is to call now.
    """
    asked, before = game.team_to_act, game.position
    if not set(game.question.calls) & set(game.question.secret_calls):
        return None
    other_turn = SecretCalls.from_game(game).hidden_turn_by_team.get(1 - asked)
    if other_turn and not SecretCalls.from_game(game, other_turn - 1).hidden_turn_by_team:
        before = game.turns[other_turn - 1].before
    view: PositionRecord = game.rules.view(game.match, before, asked)
    return view
