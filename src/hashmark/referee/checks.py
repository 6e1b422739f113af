"""The checks that every rule set is put through, by name."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from hashmark.odds import Outlook, outlook, plain
from hashmark.referee import essence
from hashmark.referee.asking import check_book, check_windows
from hashmark.referee.referee import Foul, Referee
from hashmark.referee.secrecy import check_secrets
from hashmark.referee.telling import Listener
from hashmark.sim.plain import Sampler
from hashmark.table import log
from hashmark.table.dice import Pool
from hashmark.table.errors import TooManyOutcomes
from hashmark.table.header import Header
from hashmark.table.rules import NO_CALL, RuleSet

CHECKS: dict[str, Callable[[Referee], None]] = {}
A_THOUGHT = 100  # turns that a turn of a coach who takes long counts for
FEW_LEAVES = 800  # of a step that is enumerated again and again
MOST_LEAVES = 4000  # positions with more outcomes are left to the compiled enumeration


def check(function: Callable[[Referee], None]) -> Callable[[Referee], None]:
    """Put a check on the list under its name in words."""
    CHECKS[function.__name__.replace("_", " ")] = function
    return function


@check
def random_playouts_keep_the_rules(referee: Referee) -> None:
    """Ball on the field, points only from scoring events, clock, legal and illegal calls."""
    for options in referee.options():
        for number in range(max(1, referee.games // 4)):
            referee.watch(referee.game(options, number), referee.rules.coach("random"))


@check
def coaches_call_what_is_allowed(referee: Referee) -> None:
    """Every built-in coach plays whole games under every switch without an illegal call.

    One that takes long over a call may be spared many of the questions under a switch. What the
    random coach calls is watched in `random_playouts_keep_the_rules`.
    """
    coaches = [coach for coach in referee.rules.coaches if coach.name != "random"]
    for options in referee.options():
        for coach in coaches:
            if options and referee.thoughts > 1 and coach.name in referee.thinkers:
                referee.asked_now_and_then(options, 0, coach.name)
            else:
                referee.played(options, 0, coach.name)


@check
def positions_survive_json(referee: Referee) -> None:
    """Position to JSON to position is the same position, and settling changes nothing."""
    for m, g in referee.positions(referee.games):
        back = referee.rules.new_position(m, g.to_json())
        if back != g:
            raise Foul(f"{referee.rules.name}: {g} came back from JSON as {back}")


@check
def copies_are_equal_and_apart(referee: Referee) -> None:
    """A clone equals the original, and playing on with one leaves the other alone."""
    for m, g in referee.positions(referee.games, every=3):
        if referee.rules.is_over(g):
            continue
        was, twin = g.to_json(), g.copy()
        twin.table = Sampler(referee.rules, referee.seed, 0)
        for _ in range(5):
            if not referee.rules.is_over(twin):
                plain_step(referee.rules, m, twin)
        if g.to_json() != was:
            raise Foul(f"{referee.rules.name}: playing on with a copy of {was} changed it")


def plain_step(rules: RuleSet, m: Any, g: Any) -> None:
    """One step with a random call."""
    wants = rules.questions[rules.question(m, g)].calls
    rules.step(m, g, rules.decide(rules.coach("random"), m, g) if wants else NO_CALL)


@check
def logs_replay_to_the_same_digest(referee: Referee) -> None:
    """A game written to a log and read back ends in the same position."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(max(2, referee.games // 4)):
            path = Path(folder) / f"{number}.log"
            switches = list(referee.options())
            options = switches[number % len(switches)]
            header = Header(referee.rules.name, options=options, seed=referee.seed, number=number)
            game = referee.game(options, number)
            writer = log.Writer.create(path, header)
            for turn in referee.playout(game, referee.rules.coach("random")):
                writer.turn(game, turn)
            writer.close()
            back = log.replay(path).game
            if log.position_digest(back.position) != log.position_digest(game.position):
                raise Foul(f"{referee.rules.name}: game {number} replays to another position")


@check
def secrets_are_kept(referee: Referee) -> None:
    """Who must not know a call cannot tell it from another by anything he receives."""
    check_secrets(referee, tries=2)


@check
def windows_matter_or_pass(referee: Referee) -> None:
    """A window that is said not to matter is one that the coach by the book passes; one that is
    said to matter does so at times."""
    check_windows(referee)


@check
def questions_are_in_the_book(referee: Referee) -> None:
    """Whoever is asked something finds the rules that concern it."""
    check_book(referee.rules)


@check
def undo_then_redo_is_the_same(referee: Referee) -> None:
    """Taking turns back and playing them again leads to the same position."""
    for number in range(referee.games):
        game = referee.played({}, number)
        end, turns = game.position.copy(), list(game.turns)
        back = 1 + number * 7 % len(turns)
        for turn in reversed(turns[-back:]):
            game.undo()
            if game.position != turn.before:
                raise Foul(f"{referee.rules.name}: undo led to {game.position}")
        for turn in turns[-back:]:
            game.play(None if turn.call == NO_CALL else referee.rules.calls[turn.call])
        if game.position != end:
            raise Foul(f"{referee.rules.name}: redo led to {game.position}, not to {end}")


@check
def every_prefix_tells(referee: Referee) -> None:
    """At every moment of a game all that can be shown of it is shown, and makes sense.

    Whole games, and stretches from positions that are set up under every switch.
    """
    listener = Listener(referee)
    rounds = max(1, referee.games // 20)
    for number in range(rounds):
        listener.whole_game(number)
    for number, options in enumerate([*referee.options()] * rounds):
        listener.stretch(options, number)


@check
def plain_equals_compiled(referee: Referee) -> None:
    """The same games bit for bit, and the same statistics, with every coach and switch.

    At least two games of each kind, and as many as the turns that the referee has; one game of
    a coach that takes long, under a switch, if such coaches are spared many a question.
    """
    names = [coach.name for coach in referee.rules.coaches]
    pairs = list(zip(names, names[1:] + names[:1], strict=True))
    plans: list[tuple[dict[str, Any], str, str]] = [({}, *pair) for pair in pairs]
    plans += [(options, "random", names[-1]) for options in referee.options()]
    for options, home, away in plans:
        thinks = home in referee.thinkers or away in referee.thinkers
        least = 1 if thinks and options and referee.thoughts > 1 else 2
        turns = compare_engines(referee, options, home, away, least)
        if thinks:
            turns *= A_THOUGHT
        affordable = min(referee.most, least * referee.turns // len(plans) // turns)
        if affordable > least:
            compare_engines(referee, options, home, away, affordable)


def compare_engines(
    referee: Referee, options: dict[str, Any], home: str, away: str, games: int
) -> int:
    """Play some games in both engines; the turns they took."""
    from hashmark.sim import simulate

    common: dict[str, Any] = {"home": home, "away": away, "options": options}
    runs = [
        simulate(referee.rules, games, seed=referee.seed, engine=engine, **common)
        for engine in ("plain", "compiled")
    ]
    if runs[0].totals != runs[1].totals:
        raise Foul(
            f"{referee.rules.name}, options {options}, {home} against {away}: "
            f"plain {runs[0].totals} is not compiled {runs[1].totals}"
        )
    return runs[0].totals.steps


@check
def chances_add_up_to_one(referee: Referee) -> None:
    """The chances of an enumerated step are fractions whose sum is exactly 1."""
    rules = referee.rules
    affordable = Affordable(rules)
    for number, (m, g) in enumerate(
        referee.positions(max(1, referee.games // 10), every=5 * referee.sparse)
    ):
        legal = rules.legal_calls(m, g) or ([] if rules.is_over(g) else [NO_CALL])
        stride = -(-len(legal) // referee.calls)
        for call in legal[number % stride :: stride] if legal else ():
            if not affordable(m, g, call):
                continue
            total = sum((chance for chance, _, _ in plain.leaves(rules, m, g, call)), Fraction(0))
            if total != 1:
                raise Foul(f"{rules.name}: the chances of {call} in {g} add up to {total}")


@check
def enumeration_equals_its_compiled_twin(referee: Referee) -> None:
    """The compiled odds are the plain ones, position by position."""
    rules = referee.rules
    affordable = Affordable(rules)
    for m, g in referee.positions(max(1, referee.games // 10), every=11 * referee.sparse):
        if rules.is_over(g):
            continue
        for call in (rules.legal_calls(m, g) or [NO_CALL])[:3]:
            try:
                compiled = outlook(rules, m, g, call, "compiled")
            except TooManyOutcomes:
                continue
            if not math.isclose(sum(one.chance for one in compiled.outcomes), 1, rel_tol=1e-9):
                raise Foul(f"{rules.name}: the compiled chances of {call} in {g} are not 1")
            if not affordable(m, g, call):
                continue
            exact = outlook(rules, m, g, call, "plain")
            if not agree(odds_by_position(compiled), odds_by_position(exact)):
                raise Foul(f"{rules.name}: plain and compiled odds of {call} in {g} differ")
            for ours, theirs in ((compiled.means, exact.means), (compiled.some, exact.some)):
                flat = [dict(enumerate(ours[0] + ours[1])), dict(enumerate(theirs[0] + theirs[1]))]
                if not agree(*flat):
                    raise Foul(f"{rules.name}: statistics of {call} in {g} differ")
            if not agree(told(compiled), told(exact)):
                raise Foul(f"{rules.name}: figures of {call} in {g} differ")


class Affordable:
    """Whether plain enumeration of a step is affordable: compiled code counts its ways."""

    def __init__(self, rules: RuleSet, most: int = MOST_LEAVES) -> None:
        self.rules, self.most = rules, most
        self.match: Any = None

    def __call__(self, m: Any, g: Any, call: int) -> bool:
        from hashmark.odds.batch import Batch

        if m is not self.match:
            self.match, self.batch = m, Batch(self.rules, m)
        return not self.batch.run(self.batch.positions([g]), [call], most=self.most).many


def odds_by_position(outlook: Outlook) -> dict[tuple[int, ...], float]:
    return {one.key: one.chance for one in outlook.outcomes}


def told(one: Outlook) -> dict[str, float]:
    """The figures of a call that say something."""
    return {name: value for name, value in one.figures.items() if value is not None}


def agree(ours: dict[Any, float], theirs: dict[Any, float]) -> bool:
    """Whether two tables have the same keys and, but for rounding, the same figures."""
    return ours.keys() == theirs.keys() and all(
        math.isclose(ours[key], theirs[key], rel_tol=1e-9, abs_tol=1e-12) for key in ours
    )


def steps_to_compare(referee: Referee, every: int) -> Iterator[tuple[Any, Any, int]]:
    """Matches, positions and a call in each whose step has few outcomes; the calls take turns."""
    rules = referee.rules
    affordable = Affordable(rules, FEW_LEAVES)
    for number, (m, g) in enumerate(referee.positions(max(3, referee.games // 8), every)):
        legal = rules.legal_calls(m, g) or [NO_CALL]
        call = legal[number % len(legal)]
        if not rules.is_over(g) and affordable(m, g, call):
            yield m, g, call


@check
def equal_essences_lead_to_equal_outcomes(referee: Referee) -> None:
    """What a game forgets, no later rule reads; points shift the score and nothing else.

    Each position is compared with its own essence, and with one in which both teams have points
    more: the same answers, and the same chances of the same essences, points and time.
    """
    rules = referee.rules
    for m, g, call in steps_to_compare(referee, every=23):
        rows = essence.rows(rules, m, g, call)
        if min(time for _, _, _, time in rows) < -rules.clock_rise:
            raise Foul(f"{rules.name}: {call} in {g} turns progress back")
        for what, twin in essence.twins(rules, m, g):
            if essence.answers(rules, m, twin) != essence.answers(rules, m, g):
                raise Foul(f"{rules.name}: {what} changes what may be called in {g}")
            if essence.rows(rules, m, twin, call) != rows:
                raise Foul(f"{rules.name}: {what} changes what {call} leads to in {g}")


@check
def what_a_solver_is_told_is_so(referee: Referee) -> None:
    """Teams are alike, steady positions do not ask for the time, instant calls roll no dice."""
    rules = referee.rules
    if rules.solving is None:
        return
    for m, g, call in steps_to_compare(referee, every=29):
        rows = essence.as_a_solver_sees(rules, m, g, call)
        if rules.solving.instant(m, g) and (len(rows) > 1 or len(rules.legal_calls(m, g)) > 2):
            raise Foul(f"{rules.name}: {call} in {g} is not decided at once")
        for what, twin in essence.solved_alike(rules, m, g):
            if essence.as_a_solver_sees(rules, m, twin, call) != rows:
                raise Foul(f"{rules.name}: {what} changes what {call} leads to in {g}")


@check
def sampling_follows_the_odds(referee: Referee) -> None:
    """Thousands of samples of a step fall as enumeration says (chi-square)."""
    rules = referee.rules
    affordable = Affordable(rules)
    for number, (m, g) in enumerate(
        referee.positions(max(1, referee.games // 7), every=7 * referee.sparse)
    ):
        if rules.is_over(g):
            continue
        legal = rules.legal_calls(m, g) or [NO_CALL]
        call = legal[number % len(legal)]
        if not affordable(m, g, call):
            continue
        chances = odds_by_position(outlook(rules, m, g, call, "plain"))
        seen: Counter[tuple[int, ...]] = Counter()
        for game in range(1000):
            after = g.copy()
            after.table = Sampler(rules, referee.seed + 1, game)
            rules.step(m, after, call)
            seen[tuple(after.flat())] += 1
        fits(f"{rules.name}: {call} in {g}", chances, seen)


@check
def pools_throw_as_their_odds_say(referee: Referee) -> None:
    """Dice picked up one by one follow the pool's exact distribution (chi-square)."""
    for pool in pools_of(referee):
        seen: Counter[Any] = Counter()
        g = referee.rules.position()
        for number in range(referee.throws):
            g.table = Sampler(referee.rules, referee.seed + 2, number)
            seen[g.table.roll(g, pool, 0)] += 1
        fits(f"{referee.rules.name}: pool {pool.name}", dict(pool.odds), seen)


def pools_of(referee: Referee) -> list[Pool]:
    """Every pool that random games of the rule set roll."""
    found: dict[int, Pool] = {}

    class Watcher(Sampler):
        def roll(self, g: Any, pool: Pool, team: int) -> int:
            found[id(pool)] = pool
            return super().roll(g, pool, team)

    rules = referee.rules
    m = rules.new_match()
    for number in range(referee.games):
        g = rules.new_position(m)
        g.table = Watcher(rules, referee.seed, number)
        while not rules.is_over(g):
            plain_step(rules, m, g)
    return list(found.values())


def fits(what: str, chances: dict[Any, Any], seen: Counter[Any]) -> None:
    """A chi-square test at six standard deviations; rare outcomes are put together."""
    for outcome in seen:
        if outcome not in chances:
            raise Foul(f"{what}: {outcome} came up, which the odds do not know")
    total = sum(seen.values())
    cells, rest, rest_seen = [], 0.0, 0
    for outcome, chance in chances.items():
        expected = float(chance) * total
        if expected >= 10:
            cells.append((expected, seen[outcome]))
        else:
            rest += expected
            rest_seen += seen[outcome]
    if rest >= 10:
        cells.append((rest, rest_seen))
    freedom = len(cells) - 1
    if freedom < 1:
        return
    square = sum((got - expected) ** 2 / expected for expected, got in cells)
    if square > freedom + 6 * math.sqrt(2 * freedom) + 12:
        raise Foul(f"{what}: chi-square {square:.1f} with {freedom} degrees of freedom")
