"""Checks that every rule set must pass, by name."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from hashmark.conformance import abstraction
from hashmark.conformance.kit import ConformanceKit, Violation
from hashmark.conformance.question_checks import (
    questions_name_sections_of_the_book,
    should_prompt_marks_windows_that_matter,
)
from hashmark.conformance.rendering_checks import RenderingChecker
from hashmark.conformance.secrecy import check_secrets
from hashmark.engine.dice import Pool
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import TooManyOutcomes
from hashmark.odds import Outlook, enumeration, outlook
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.sim.plain import SamplingHandler

CHECKS: dict[str, Callable[[ConformanceKit], None]] = {}
SLOW_TURN_COST = 100  # number of ordinary turns that one turn of a slow coach counts as
MAX_COMPARED_LEAVES = 800  # of a step that is enumerated several times
MAX_LEAVES = 4000  # positions with more outcomes are left to the compiled enumeration


def register_check(function: Callable[[ConformanceKit], None]) -> Callable[[ConformanceKit], None]:
    """Register a check under its name in words."""
    CHECKS[function.__name__.replace("_", " ")] = function
    return function


@register_check
def random_playouts_keep_the_rules(kit: ConformanceKit) -> None:
    """Check field position, points, clock, and legal and illegal calls in random games."""
    for options in kit.option_sets():
        for number in range(max(1, kit.games // 4)):
            kit.check_game(kit.new_game(options, number), kit.rules.coach("random"))


@register_check
def coaches_make_legal_calls(kit: ConformanceKit) -> None:
    """Check that every built-in coach plays whole games under every switch without an illegal call.

    A slow coach may be asked only some of the questions under a switch. The calls of the random
    coach are checked in `random_playouts_keep_the_rules`.
    """
    coaches = [coach for coach in kit.rules.coaches if coach.name != "random"]
    for options in kit.option_sets():
        for coach in coaches:
            if options and kit.slow_coach_every > 1 and coach.name in kit.slow_coaches:
                kit.play_with_slow_coach(options, 0, coach.name)
            else:
                kit.play_game(options, 0, coach.name)


@register_check
def positions_survive_json(kit: ConformanceKit) -> None:
    """Check that a position is unchanged after a round trip through JSON and normalization."""
    for m, g in kit.random_positions(kit.games):
        restored = kit.rules.new_position(m, g.to_json())
        if restored != g:
            raise Violation(f"{kit.rules.name}: {g} came back from JSON as {restored}")


@register_check
def copies_are_independent(kit: ConformanceKit) -> None:
    """Check that playing on with a copy leaves the original alone."""
    for m, g in kit.random_positions(kit.games, every=3):
        if kit.rules.is_over(g):
            continue
        before, twin = g.to_json(), g.copy()
        twin.handler = SamplingHandler(kit.rules, kit.seed, 0)
        for _ in range(5):
            if not kit.rules.is_over(twin):
                random_step(kit.rules, m, twin)
        if g.to_json() != before:
            raise Violation(f"{kit.rules.name}: playing on with a copy of {before} changed it")


def random_step(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> None:
    """Make one step with a random call."""
    has_calls = rules.questions[rules.question(m, g)].calls
    rules.step(m, g, rules.decide(rules.coach("random"), m, g) if has_calls else NO_CALL)


@register_check
def logs_replay_to_the_same_digest(kit: ConformanceKit) -> None:
    """Check that a game written to a log and read back ends in the same position."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(max(2, kit.games // 4)):
            path = Path(folder) / f"{number}.log"
            switches = list(kit.option_sets())
            options = switches[number % len(switches)]
            header = Header(kit.rules.name, options=options, seed=kit.seed, game_number=number)
            game = kit.new_game(options, number)
            writer = log.LogWriter.create(path, header)
            for turn in kit.playout(game, kit.rules.coach("random")):
                writer.write_turn(game, turn)
            writer.close()
            replayed = log.replay(path).game
            if log.position_digest(replayed.position) != log.position_digest(game.position):
                raise Violation(f"{kit.rules.name}: game {number} replays to another position")


@register_check
def views_hide_secret_calls(kit: ConformanceKit) -> None:
    """Check that what other viewers receive does not distinguish one secret call from another."""
    check_secrets(kit, tries=2)


register_check(should_prompt_marks_windows_that_matter)
register_check(questions_name_sections_of_the_book)


@register_check
def undo_then_redo_restores_the_position(kit: ConformanceKit) -> None:
    """Check that undoing turns and playing them again leads to the same position."""
    for number in range(kit.games):
        game = kit.play_game({}, number)
        end, turns = game.position.copy(), list(game.turns)
        count = 1 + number * 7 % len(turns)
        for turn in reversed(turns[-count:]):
            game.undo()
            if game.position != turn.before:
                raise Violation(f"{kit.rules.name}: undo led to {game.position}")
        for turn in turns[-count:]:
            game.play(turn.call)
        if game.position != end:
            raise Violation(f"{kit.rules.name}: redo led to {game.position}, not to {end}")


@register_check
def every_moment_renders(kit: ConformanceKit) -> None:
    """Check that everything that can be shown of a game renders at every moment of it.

    Covers whole games, and stretches from positions set up under every switch.
    """
    checker = RenderingChecker(kit)
    rounds = max(1, kit.games // 20)
    for number in range(rounds):
        checker.check_whole_game(number)
    for number, options in enumerate([*kit.option_sets()] * rounds):
        checker.check_stretch(options, number)


@register_check
def plain_equals_compiled(kit: ConformanceKit) -> None:
    """Check that both engines play the same games bit for bit, with every coach and switch.

    Play at least two games of each kind, and as many as the kit's turns allow; only one game of a
    slow coach under a switch, if slow coaches are asked only some of the questions.
    """
    names = [coach.name for coach in kit.rules.coaches]
    pairs = list(zip(names, names[1:] + names[:1], strict=True))
    pairings: list[tuple[dict[str, Any], str, str]] = [({}, *pair) for pair in pairs]
    pairings += [(options, "random", names[-1]) for options in kit.option_sets()]
    for options, home, away in pairings:
        is_slow = home in kit.slow_coaches or away in kit.slow_coaches
        minimum = 1 if is_slow and options and kit.slow_coach_every > 1 else 2
        turns = compare_engines(kit, options, home, away, minimum)
        if is_slow:
            turns *= SLOW_TURN_COST
        affordable = min(kit.max_games, minimum * kit.turns // len(pairings) // turns)
        if affordable > minimum:
            compare_engines(kit, options, home, away, affordable)


def compare_engines(
    kit: ConformanceKit, options: dict[str, Any], home: str, away: str, games: int
) -> int:
    """Play some games in both engines and return the number of turns they took."""
    from hashmark.sim import simulate

    arguments: dict[str, Any] = {"home": home, "away": away, "options": options}
    runs = [
        simulate(kit.rules, games, seed=kit.seed, engine=engine, **arguments)
        for engine in ("plain", "compiled")
    ]
    if runs[0].totals != runs[1].totals:
        raise Violation(
            f"{kit.rules.name}, options {options}, {home} against {away}: "
            f"plain {runs[0].totals} is not compiled {runs[1].totals}"
        )
    return runs[0].totals.steps


@register_check
def chances_add_up_to_one(kit: ConformanceKit) -> None:
    """Check that the chances of an enumerated step are fractions whose sum is exactly 1."""
    rules = kit.rules
    is_affordable = EnumerationBudget(rules)
    for number, (m, g) in enumerate(
        kit.random_positions(max(1, kit.games // 10), every=5 * kit.position_stride)
    ):
        legal = rules.legal_calls(m, g) or ([] if rules.is_over(g) else [NO_CALL])
        stride = -(-len(legal) // kit.max_calls)
        for call in legal[number % stride :: stride] if legal else ():
            if not is_affordable(m, g, call):
                continue
            total = sum(
                (chance for chance, _, _ in enumeration.enumerate_step(rules, m, g, call)),
                Fraction(0),
            )
            if total != 1:
                raise Violation(f"{rules.name}: the chances of {call} in {g} add up to {total}")


@register_check
def plain_odds_equal_compiled_odds(kit: ConformanceKit) -> None:
    """Check that the compiled odds equal the plain ones, position by position."""
    rules = kit.rules
    is_affordable = EnumerationBudget(rules)
    for m, g in kit.random_positions(max(1, kit.games // 10), every=11 * kit.position_stride):
        if rules.is_over(g):
            continue
        for call in (rules.legal_calls(m, g) or [NO_CALL])[:3]:
            try:
                compiled = outlook(rules, m, g, call, "compiled")
            except TooManyOutcomes:
                continue
            if not math.isclose(
                sum(outcome.chance for outcome in compiled.outcomes), 1, rel_tol=1e-9
            ):
                raise Violation(f"{rules.name}: the compiled chances of {call} in {g} are not 1")
            if not is_affordable(m, g, call):
                continue
            exact = outlook(rules, m, g, call, "plain")
            if not are_close(odds_by_position(compiled), odds_by_position(exact)):
                raise Violation(f"{rules.name}: plain and compiled odds of {call} in {g} differ")
            if not are_close(expected_statistics(compiled), expected_statistics(exact)):
                raise Violation(f"{rules.name}: statistics of {call} in {g} differ")
            if not are_close(known_figures(compiled), known_figures(exact)):
                raise Violation(f"{rules.name}: figures of {call} in {g} differ")


class EnumerationBudget:
    """Limit on plain enumeration: compiled code counts the leaves of a step first."""

    def __init__(self, rules: RuleSet, most: int = MAX_LEAVES) -> None:
        self.rules, self.most = rules, most
        self.match: Any = None

    def __call__(self, m: MatchRecord, g: PositionRecord, call: int) -> bool:
        from hashmark.odds.batch import Batch

        if m is not self.match:
            self.match, self.batch = m, Batch(self.rules, m)
        return not self.batch.run(self.batch.positions([g]), [call], max_leaves=self.most).abandoned


def odds_by_position(outlook: Outlook) -> dict[tuple[int, ...], float]:
    return {outcome.key: outcome.chance for outcome in outlook.outcomes}


def expected_statistics(outlook: Outlook) -> dict[int, float]:
    """Return expectations and chances of all statistics of both teams, numbered."""
    distribution = outlook.distribution
    return dict(enumerate(chain(*distribution.means, *distribution.positive_chances)))


def known_figures(outlook: Outlook) -> dict[str, float]:
    """Return the figures of a call that have a value."""
    return {name: value for name, value in outlook.figures.items() if value is not None}


def are_close(ours: dict[Any, float], theirs: dict[Any, float]) -> bool:
    """Return whether two tables have the same keys and, up to rounding, the same figures."""
    return ours.keys() == theirs.keys() and all(
        math.isclose(ours[key], theirs[key], rel_tol=1e-9, abs_tol=1e-12) for key in ours
    )


def steps_to_compare(kit: ConformanceKit, every: int) -> Iterator[tuple[Any, Any, int]]:
    """Yield matches, positions and one call in each whose step has few outcomes.

    The legal calls take turns.
    """
    rules = kit.rules
    is_affordable = EnumerationBudget(rules, MAX_COMPARED_LEAVES)
    for number, (m, g) in enumerate(kit.random_positions(max(3, kit.games // 8), every)):
        legal = rules.legal_calls(m, g) or [NO_CALL]
        call = legal[number % len(legal)]
        if not rules.is_over(g) and is_affordable(m, g, call):
            yield m, g, call


@register_check
def equal_abstractions_have_equal_outcomes(kit: ConformanceKit) -> None:
    """Check that no later rule reads what the abstraction drops, and that only the lead can matter.

    Compare each position with its own abstraction, and with a twin in which both teams have more
    points: same legal calls, and same chances of the same abstractions, points and time.
    """
    rules = kit.rules
    for m, g, call in steps_to_compare(kit, every=23):
        rows = abstraction.outcome_chances(rules, m, g, call)
        if min(time for _, _, _, time in rows) < -rules.solver.max_clock_rise:
            raise Violation(f"{rules.name}: {call} in {g} turns progress back")
        for difference, twin in abstraction.equivalent_twins(rules, m, g):
            if abstraction.question_and_calls(rules, m, twin) != abstraction.question_and_calls(
                rules, m, g
            ):
                raise Violation(f"{rules.name}: {difference} changes what may be called in {g}")
            if abstraction.outcome_chances(rules, m, twin, call) != rows:
                raise Violation(f"{rules.name}: {difference} changes what {call} leads to in {g}")


@register_check
def solver_spec_holds(kit: ConformanceKit) -> None:
    """Check the solver spec: teams are symmetric, steady positions ignore the clock, instant calls
    roll no dice.
    """
    rules = kit.rules
    if rules.solver.spec is None:
        return
    for m, g, call in steps_to_compare(kit, every=29):
        rows = abstraction.solver_outcome_chances(rules, m, g, call)
        if rules.solver.spec.is_instant(m, g) and (
            len(rows) > 1 or len(rules.legal_calls(m, g)) > 2
        ):
            raise Violation(f"{rules.name}: {call} in {g} is not decided at once")
        for difference, twin in abstraction.solver_equivalents(rules, m, g):
            if abstraction.solver_outcome_chances(rules, m, twin, call) != rows:
                raise Violation(f"{rules.name}: {difference} changes what {call} leads to in {g}")


@register_check
def sampling_follows_the_odds(kit: ConformanceKit) -> None:
    """Check by chi-square that thousands of samples of a step follow the enumerated odds."""
    rules = kit.rules
    is_affordable = EnumerationBudget(rules)
    for number, (m, g) in enumerate(
        kit.random_positions(max(1, kit.games // 7), every=7 * kit.position_stride)
    ):
        if rules.is_over(g):
            continue
        legal = rules.legal_calls(m, g) or [NO_CALL]
        call = legal[number % len(legal)]
        if not is_affordable(m, g, call):
            continue
        chances = odds_by_position(outlook(rules, m, g, call, "plain"))
        counts: Counter[tuple[int, ...]] = Counter()
        for game in range(1000):
            after = g.copy()
            after.handler = SamplingHandler(rules, kit.seed + 1, game)
            rules.step(m, after, call)
            counts[tuple(after.flat())] += 1
        check_chi_square(f"{rules.name}: {call} in {g}", chances, counts)


@register_check
def dice_pools_follow_their_odds(kit: ConformanceKit) -> None:
    """Check by chi-square that dice rolled one by one follow the pool's exact distribution."""
    for pool in rolled_pools(kit):
        counts: Counter[Any] = Counter()
        g = kit.rules.position()
        for number in range(kit.pool_rolls):
            g.handler = SamplingHandler(kit.rules, kit.seed + 2, number)
            counts[g.handler.roll(g, pool, 0)] += 1
        check_chi_square(f"{kit.rules.name}: pool {pool.name}", dict(pool.odds), counts)


def rolled_pools(kit: ConformanceKit) -> list[Pool]:
    """Return every pool that random games of the rule set roll."""
    pools: dict[int, Pool] = {}

    class PoolRecorder(SamplingHandler):
        def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
            pools[id(pool)] = pool
            return super().roll(g, pool, team)

    rules = kit.rules
    m = rules.new_match()
    for number in range(kit.games):
        g = rules.new_position(m)
        g.handler = PoolRecorder(rules, kit.seed, number)
        while not rules.is_over(g):
            random_step(rules, m, g)
    return list(pools.values())


def check_chi_square(what: str, chances: dict[Any, Any], counts: Counter[Any]) -> None:
    """Raise if counts fail a chi-square test at six standard deviations; merge rare outcomes."""
    for outcome in counts:
        if outcome not in chances:
            raise Violation(f"{what}: {outcome} came up, which the odds do not know")
    total = sum(counts.values())
    cells, rare_expected, rare_observed = [], 0.0, 0
    for outcome, chance in chances.items():
        expected = float(chance) * total
        if expected >= 10:
            cells.append((expected, counts[outcome]))
        else:
            rare_expected += expected
            rare_observed += counts[outcome]
    if rare_expected >= 10:
        cells.append((rare_expected, rare_observed))
    freedom = len(cells) - 1
    if freedom < 1:
        return
    chi_square = sum((observed - expected) ** 2 / expected for expected, observed in cells)
    if chi_square > freedom + 6 * math.sqrt(2 * freedom) + 12:
        raise Violation(f"{what}: chi-square {chi_square:.1f} with {freedom} degrees of freedom")
