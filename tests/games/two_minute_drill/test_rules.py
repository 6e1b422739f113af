"""The two-minute drill: odds of the rule notes, benchmark coaches, clock, text and game sheet."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

from hashmark.conformance import ConformanceKit
from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError, InvalidPosition
from hashmark.games.two_minute_drill import RULES, odds
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.meaning import _groups_text, explain_call
from hashmark.games.two_minute_drill.tables import DICE, FULL_CLOCK_SPACES, KEEPABLE_SETS, OT
from hashmark.sheets import blank_sheet, render, sheet_of
from hashmark.sim import simulate

EIGHT, SEVEN, SIX = (8, 10, 12), (8, 10), (8,)


def percent(chance: Fraction, digits: int = 3) -> str:
    """Return a chance as the notes print it."""
    return f"{float(100 * chance):.{digits}f}"


# --- The tables of the notes --------------------------------------------------------------

GROUPS = {
    "no group": ("1.538", "2.095", "3.472"),
    "one pair": ("20.720", "23.472", "28.935"),
    "two pairs": ("32.479", "32.691", "31.829"),
    "three pairs": ("3.925", "3.627", "2.894"),
    "three of a kind with DT": ("24.540", "24.128", "22.859"),
    "three of a kind all OT": ("8.815", "7.276", "5.112"),
    "two threes, both with DT": ("0.508", "0.426", "0.289"),
    "two threes, one each": ("0.363", "0.295", "0.193"),
    "four of a kind with DT": ("5.692", "4.958", "3.858"),
    "four of a kind all OT": ("0.731", "0.506", "0.241"),
    "five of a kind": ("0.660", "0.505", "0.309"),
    "six of a kind, odd": ("0.0170", "0.0111", "0.0048"),
    "six of a kind, even": ("0.0123", "0.0092", "0.0048"),
}


@pytest.mark.parametrize(("column", "others"), [(0, EIGHT), (1, SEVEN), (2, SIX)])
def test_group_odds_of_the_forced_choice_match_the_notes(
    column: int, others: tuple[int, ...]
) -> None:
    chances = odds.groups(others)
    assert sum(chances.values()) == 1
    for name, figures in GROUPS.items():
        digits = len(figures[column].partition(".")[2])
        assert percent(chances[name], digits) == figures[column], name
    assert percent(odds.three_or_more(others)) == ("41.338", "38.115", "32.870")[column]


@pytest.mark.parametrize("others", [SIX, SEVEN])
def test_forced_hands_cover_every_roll(others: tuple[int, ...]) -> None:
    """Every roll of the offense dice counts once."""
    hands = odds.forced_hands(others)
    assert all(count > 0 for count in hands.values())
    assert sum(hands.values()) == 4 * 6 * 6 * prod(others)


def test_sums_of_a_fair_pair_are_exact() -> None:
    sums = odds.referee_sums(4)
    assert [sums[n] * 24 for n in range(2, 11)] == [1, 2, 3, 4, 4, 4, 3, 2, 1]
    assert all(sum(odds.referee_row(sides)) == 1 for sides in (4, 6, 8, 10, 12))


def test_referee_sums_under_forced_match_the_notes() -> None:
    """d4 and dta with eight dice, given that there is no group of three or more."""
    sums: Counter[int] = Counter()
    for offense, count in odds.forced_hands(EIGHT).items():
        for defense in product(range(1, 7), repeat=2):
            if odds.GROUPS.index(odds.group_name(offense, defense)) < odds.PAIRS_UP_TO:
                sums[offense[0] + defense[0]] += count
    total = sum(sums.values())
    printed = ["2.481", "8.301", "10.916", "17.161", "15.870", "18.242", "12.312", "9.683", "5.036"]
    assert [percent(Fraction(sums[n], total)) for n in range(2, 11)] == printed


@pytest.mark.parametrize(("others", "figure"), [(EIGHT, "38.061"), (SEVEN, "39.622")])
def test_last_chances_under_bold_match_the_notes(others: tuple[int, ...], figure: str) -> None:
    kept: Counter[tuple[int, ...]] = Counter()
    for first, second, *rest in product(*(range(1, n + 1) for n in (6, 6, *others))):
        low, high = sorted((first, second))
        kept[(high, *sorted((low, *rest))[-2:])] += 1
    good = total = 0
    for (three, count), four in product(kept.items(), range(1, 5)):
        for defense in product(range(1, 7), repeat=2):
            offense = (four, *three)
            total += count
            fits = any(a + b == 5 for a, b in product(offense, defense))
            stands = odds.GROUPS.index(odds.group_name(offense, defense)) >= odds.PAIRS_UP_TO
            good += count * (fits and not stands)
    assert percent(Fraction(good, total)) == figure


class EventNames(EffectHandler):
    """Effect handler that records the names of events."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.names.append(event.name)


GROUP_BY_EVENTS = {
    ("triple forward",): "three of a kind with DT",
    ("triple back",): "three of a kind all OT",
    ("triple forward", "triple forward"): "two threes, both with DT",
    ("triple back", "triple forward"): "two threes, one each",
    ("quad forward",): "four of a kind with DT",
    ("quad back",): "four of a kind all OT",
    ("five",): "five of a kind",
    ("six odd",): "six of a kind, odd",
    ("six even",): "six of a kind, even",
}


def test_rules_read_groups_as_the_odds_count_them() -> None:
    """Every roll of six dice, through the rules."""
    m = RULES.new_match()
    start = RULES.new_position(m, {"clock": 10, "timeouts": 0})
    start.phase = p.REROLL
    seen: Counter[str] = Counter()
    for faces in product(*(range(1, n + 1) for n in (4, 6, 6, 8)), range(1, 7), range(1, 7)):
        g = start.copy()
        g.handler = handler = EventNames()
        g.dice[:] = [*faces[:4], 0, 0, *faces[4:]]
        RULES.step(m, g, p.STAND)
        names = tuple(sorted(name for name in handler.names if (name,) in GROUP_BY_EVENTS))
        pairs = f"pips {sum(g.pips)}"
        seen[GROUP_BY_EVENTS.get(names, pairs)] += 1
    chances = odds.groups(SIX)
    total = sum(seen.values())
    for name in odds.GROUPS[odds.PAIRS_UP_TO :]:
        assert Fraction(seen[name], total) == chances[name], name
    for count, name in enumerate(odds.GROUPS[: odds.PAIRS_UP_TO]):
        assert Fraction(seen[f"pips {2 * count}"], total) == chances[name], name


# --- Coaches ------------------------------------------------------------------------------


@pytest.mark.parametrize(("coach", "chance"), [("forced", 0.006878), ("bold", 0.664738)])
def test_yardsticks_win_as_often_as_the_notes_say(coach: str, chance: float) -> None:
    """The exact win probabilities of the notes, within four standard errors."""
    games = 400_000
    won = simulate(RULES, games, home=coach, away=coach, seed=11).totals.wins[0]
    error = (chance * (1 - chance) / games) ** 0.5
    assert abs(won / games - chance) < 4 * error


def test_searching_is_better_than_the_book() -> None:
    """Late in the game, where a good answer counts most."""
    start = {"clock": 12, "spot": 40, "timeouts": 1}
    games = 500
    won = [
        simulate(RULES, games, home=name, away=name, start=start, seed=2).totals.wins[0] / games
        for name in ("search", "book")
    ]
    assert won[0] > won[1] + 0.2, won


# --- Clock and statistics -----------------------------------------------------------------

USED = (
    "clock_plays",
    "clock_yards",
    "clock_efforts",
    "clock_in_bounds",
    "clock_rerolls",
    "clock_picks",
    "clock_incomplete",
    "clock_fumbles",
    "clock_penalties",
    "clock_recoveries",
)
UNUSED = ("clock_saved", "clock_erased", "clock_beyond")
LOST = ("time", "downs", "fumble", "last_chance", "safety", "return")


@pytest.mark.parametrize("coach", ["random", "book", "bold", "forced"])
@pytest.mark.parametrize("options", [{}, {"reply": True, "start-spot": 70}])
def test_every_space_has_a_cause(coach: str, options: dict[str, Any]) -> None:
    names = RULES.statistics.names
    for number in range(40):
        game = ConformanceKit(RULES, seed=3).play_game(options, number, coach)
        rows = [dict(zip(names, row, strict=True)) for row in game.statistics()]
        used = sum(row[name] for row in rows for name in USED)
        unused = sum(row[name] for row in rows for name in UNUSED)
        assert used - unused == FULL_CLOCK_SPACES - game.position.clock
        lost = [sum(row[f"lost_on_{why}"] for why in LOST) for row in rows]
        assert sum(lost) == (game.position.winner != game.position.possession)


def test_play_fields_are_empty_between_plays() -> None:
    for number in range(30):
        game = ConformanceKit(RULES, seed=9).play_game({}, number)
        for turn in game.turns:
            g = turn.before
            if g.phase == p.SCRIMMAGE:
                assert not any((*g.dice, *g.pips, g.combined, g.gain, g.efforts))
                assert g.referee_ot == g.referee_dt == g.yards_ot == -1


# --- Words and sheet ----------------------------------------------------------------------


def explanations(
    calls: list[str], home: list[int], away: list[int], **start: Any
) -> dict[str, str]:
    """Return the explanation of each answer after some calls."""
    from hashmark.engine.game import ListedDice

    game = Game(RULES, start.pop("options", {}), dice=ListedDice([home, away]), start=start)
    game.play()
    for call in calls:
        game.play_named(call)
    m, g = game.match, game.position
    return {RULES.calls[call]: explain_call(m, g, call, TEAMS) for call in RULES.legal_calls(m, g)}


ROLL: tuple[list[int], list[int]] = ([2, 5, 6, 7, 9, 11], [4, 2])
PICKED = ["stand", "pick:d6a,d6b,d8"]


def test_choices_are_explained_with_groups_pips_and_price() -> None:
    texts = explanations(["stand"], *ROLL)
    assert texts["pick:d6a,d6b,d8"] == "d4=2 d6a=5 d6b=6 d8=7; pips: 1 offense, 1 defense"
    assert texts["buy:d6a,d8,d12"].startswith("1 space, 39 left: d4=2")
    triples = explanations(["stand"], [2, 2, 6, 5, 9, 11], [2, 4])
    assert triples["pick:d6a,d6b,d8"].endswith(
        "three 2s with a defense die: 1st & 5 at the home 30, 40 spaces left"
    )


def test_every_group_is_explained() -> None:
    """Each event alone, with a 5; events that are no group are not explained."""
    g = p.Position()
    g.phase, g.winner = p.OVER, g.possession
    texts = {
        kind.name: _groups_text(g, [GameEvent(kind, 0, (5, 0, 0))], TEAMS)
        for kind in p.STATISTICS.kinds
    }
    assert {name: words for name, words in texts.items() if words} == {
        "triple forward": "three 5s with a defense die: drive won",
        "triple back": "three 5s, all offense: drive won",
        "quad forward": "four 5s with a defense die: drive won",
        "quad back": "four 5s, all offense: drive won",
        "five": "five 5s, time-out by the defense: drive won",
        "six odd": "six 5s: drive won",
        "six even": "six 5s: drive won",
        "lost on last chance": "three or more of a kind: drive won",
    }


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (
            False,
            {
                2: "penalty on the offense",
                3: "incomplete pass",
                5: "fumble, defense recovers",
                6: "fumble, offense recovers",
                9: "good play",
                12: "penalty on the defense",
            },
        ),
        (True, {**dict.fromkeys((2, 3, 6, 9, 12), "not recovered"), 5: "ball recovered"}),
    ],
)
def test_every_referee_line_is_explained(chance: bool, said: dict[int, str]) -> None:
    dice = {"d4": 1, "d6a": 2, "d6b": 5, "d8": 8, "dta": 1, "dtb": 4}
    m = RULES.new_match()
    g = RULES.new_position(m, {"phase": "referee", "dice": dice, "chance": chance})
    found = {}
    for call in RULES.legal_calls(m, g):
        pair, _, words = explain_call(m, g, call, TEAMS).partition(": ")
        found[int(pair.partition(" = ")[2])] = words.partition(";")[0]
    assert found == said


def test_referee_pairs_are_explained_with_sum_and_result() -> None:
    texts = explanations([*PICKED, "done"], *ROLL)
    assert texts["referee:d6a,dta"] == "5 + 4 = 9: good play"
    assert texts["referee:d4,dtb"] == (
        "2 + 2 = 4: incomplete pass; 2nd & 10 at the home 25, 39 spaces left"
    )


def test_yards_are_explained_with_side_and_clock() -> None:
    texts = explanations([*PICKED, "turn:d8+1", "done", "referee:d6a,dta"], *ROLL, hash="left")
    assert texts["yards:d8"] == (
        "gain of 6 yards on the left, out of bounds, costs 3 spaces; 2nd & 4 at the home 31, "
        "37 spaces left"
        "; extra effort possible"
    )
    assert texts["yards:d4"].startswith("no gain on the left, out of bounds, costs 2 spaces; 2nd")


def test_results_are_explained_with_the_next_situation() -> None:
    home = [3, 5, 6, 7, 9, 11]
    calls = ["stand", PICKED[1], "referee:d6b,dta", "yards:d8"]
    texts = explanations(calls, home, [4, 2], spot=40, down=4, to_go=6, clock=30, hash="left")
    assert texts["play"].endswith("; drive lost")
    assert texts["penalty"] == "5 yards, costs 1 space; 4th & 1 at the home 45, 29 spaces left"
    won = explanations(
        [*PICKED, "done", "referee:d6a,dta"], *ROLL, spot=95, options={"reply": True}
    )
    assert won["yards:d8"].endswith("; drive won, 37 spaces left for the reply")


def test_every_answer_is_explained() -> None:
    words = RULES.words
    for m, g in ConformanceKit(RULES, seed=4).random_positions(12):
        for call in RULES.legal_calls(m, g):
            assert words.meaning_at(m, g, call, RULES.calls[call], TEAMS)


def test_the_dice_on_the_table_are_drawn() -> None:
    game = ConformanceKit(RULES, seed=4).new_game({}, 0)
    lying = RULES.words.dice_lines
    assert lying is not None
    assert lying(game.match, game.position, TEAMS) == []
    game.play()
    drawn = "\n".join(lying(game.match, game.position, TEAMS))
    for die in DICE:
        assert die in drawn


@pytest.mark.parametrize("options", [{}, {"reply": True, "start-spot": 80}])
def test_the_sheet_of_a_game_lists_its_plays(options: dict[str, Any]) -> None:
    for number in range(6):
        game = ConformanceKit(RULES, seed=5).play_game(options, number, "book")
        text = render(sheet_of(game)).decode()
        assert "Home: plays" in text
        assert ("Away: reply drive" in text) == (game.position.period == 2)
        rows = text.count("│ 1st &") + text.count("│ 2nd &")
        assert rows > 0
        assert render(sheet_of(game), "pdf").startswith(b"%PDF")


def test_the_sheet_says_that_the_reply_ends_in_a_field_goal() -> None:
    """The reply is won at the 20, and the sheet names that as the result of its last play."""
    start = {"period": 2, "possession": "away", "spot": 60, "to_go": 10, "clock": 6}
    seen = set()
    for number in range(12):
        referee = ConformanceKit(RULES, seed=5)
        game = referee.new_game({"reply": True}, number, start)
        for _ in referee.playout(game, RULES.coach("book")):
            pass
        in_range = any(
            event.name == "reaches range" for turn in game.turns for event in turn.events
        )
        matches = re.findall(r"(?:, |│ )field goal *│", render(sheet_of(game)).decode())
        assert len(matches) == (
            2 if in_range else 0
        )  # in the row of the play and in the scoring table
        seen.add(in_range)
    assert seen == {True, False}


def test_the_sheet_crosses_off_used_spaces() -> None:
    game = Game(
        RULES,
        {},
        dice=ConformanceKit(RULES).new_game({}, 0).dice,
        start={"clock": 18, "timeouts": 1},
    )
    text = render(sheet_of(game)).decode()
    assert text.count("[XX]") + text.count("/12/") + text.count("/10/") == 22
    blank = render(blank_sheet(RULES)).decode()
    assert "[XX]" not in blank
    assert "{12}" in blank
    assert "{10}" in blank


# --- Positions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"phase": "referee"}, "needs faces for d4, dta and dtb"),
        ({"phase": "pick", "dice": {"d4": 5}}, "dice.d4: 5 is not a face"),
        (
            {"phase": "referee", "dice": {"d4": 1, "d6a": 2, "dta": 3, "dtb": 4}},
            "four offense dice",
        ),
        ({"dice": {"d4": 1}}, "dice does not apply in phase scrimmage"),
        ({"winner": "home"}, "winner does not apply in phase scrimmage"),
        ({"spot": None}, "needs a spot"),
        ({"period": 2, "possession": "away", "spot": 80}, "the reply is won"),
    ],
)
def test_impossible_positions_are_refused(start: dict[str, Any], message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        RULES.new_position(RULES.new_match(), start)


def test_every_set_has_a_d6() -> None:
    assert len(KEEPABLE_SETS) == 9
    assert all({1, 2} & set(three) and set(three) <= set(OT) for three in KEEPABLE_SETS)


FOUR_DICE = {"d4": 1, "d6a": 2, "d6b": 4, "d8": 5, "dta": 3, "dtb": 6}
PLACED = {"referee_ot": "d6b", "referee_dt": "dta", "yards_ot": "d8"}


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({"phase": "special", "dice": FOUR_DICE}, "three or more of a kind"),
        (
            {"phase": "special", "dice": {**FOUR_DICE, "d4": 2, "dta": 2}, "timeouts": 0},
            "a time-out left",
        ),
        (
            {"phase": "result", "spot": 99, "dice": FOUR_DICE, **PLACED, "gain": 5},
            "the dice and 0 extra efforts give -1",
        ),
        ({"phase": "scrimmage", "spot": 99, "to_go": 108}, "to_go 108 at spot 99"),
        ({"phase": "effort", "dice": FOUR_DICE, **PLACED, "gain": -1}, "at its highest face"),
        (
            {"phase": "yards", "dice": FOUR_DICE, "referee_ot": "d4", "referee_dt": "dta"},
            "a referee sum of 7 or more",
        ),
    ],
)
def test_positions_that_play_cannot_reach_are_refused(start: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        RULES.new_position(RULES.new_match(), start)


@pytest.mark.parametrize("left", [{"efforts": 3}, {"combined": True}])
def test_a_new_play_does_not_pay_for_the_last(left: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition, match="does not apply in phase scrimmage"):
        RULES.new_position(RULES.new_match(), {"phase": "scrimmage", **left})


def test_presets_shorten_the_drill_and_the_rulebook_stays_the_default() -> None:
    clocks = [RULES.new_match({"preset": name}).start_clock for name in RULES.setup.presets]
    assert clocks == [10, 8, 6, 4]
    assert RULES.new_match().start_clock == FULL_CLOCK_SPACES
    fair = RULES.new_match({"preset": "fair"})
    assert fair.touchdown_in_time
    assert p.REFEREE_CLOCKS[fair.referee_clock] == "sheet"
    assert RULES.new_match({"preset": "fair", "start_clock": 9}).start_clock == 9
    assert set(RULES.setup.preset_meanings) == set(RULES.setup.presets)
    assert RULES.setup.default_preset in RULES.setup.presets


def test_a_preset_is_replaced_by_its_options() -> None:
    expanded = RULES.expand_preset({"preset": "hard", "reply": True})
    assert expanded == {**RULES.setup.presets["hard"], "reply": True}
    assert RULES.expand_preset({"reply": True}) == {"reply": True}
    with pytest.raises(HashmarkError, match="did you mean 'brutal'"):
        RULES.expand_preset({"preset": "brutl"})
