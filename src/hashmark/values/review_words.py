"""Sentences of a review: coaching, luck, and each turning point."""

from __future__ import annotations

from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule_set import NO_CALL
from hashmark.number_text import percent
from hashmark.text.game_report import score_text
from hashmark.text.phrases import capitalize
from hashmark.values.review import Decision, Review, TurnReview

MIN_MENTIONED = 0.005  # smaller differences are not mentioned
MARK_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "": ""}
MARK_SIGNS_LEGEND = (
    "?! costs at least 5 percentage points of win probability, ? at least 10, ?? at least 15."
)


def describe_marks(review: Review) -> str:
    """Explain the marks and the figures."""
    other = "" if len(review.teams) == 1 else "; a gain of one team is a loss of the other"
    return (
        f"{MARK_SIGNS_LEGEND} Cost and luck are percentage points of win probability; luck is the "
        f"win probability added by the dice{other}."
    )


def format_points(chance: float) -> str:
    """Format a probability, or a part of one, in percentage points."""
    return f"{100 * chance:.1f}"


def format_signed_points(chance: float) -> str:
    """Format a gain or loss in percentage points, never as a signed zero."""
    text = f"{100 * chance:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def format_title(review: Review) -> str:
    """Return the title: the game and the teams."""
    sides = " vs. ".join(review.game.names[side.team] for side in review.teams)
    return f"{review.game.rules.title}: {sides}"


def describe_result(review: Review) -> str:
    """Describe the final score, or the current one if the game is not over."""
    game = review.game
    score = score_text(game, game.position.score)
    if review.interrupted:
        return f"Interrupted: {len(review.steps)} of {len(game.turns)} turns reviewed."
    if game.is_over:
        return f"Final score: {score}."
    home = game.names[HOME]
    return f"In progress: {score}. Win probability of {home}: {percent(review.result, 1)}."


def describe_verdict(review: Review) -> str:
    """State in one sentence which team coached better and which got the better dice."""
    if len(review.teams) == 1:
        return capitalize(_solo_verdict(review)) + "."
    home, away = review.errors
    names = review.game.names
    coached, luck = away - home, format_points(abs(review.luck))
    coaching = "Both teams coached equally well"
    if abs(coached) >= MIN_MENTIONED:
        better = capitalize(names[HOME if coached > 0 else AWAY])
        amount = f"{format_points(abs(coached))} percentage points of win probability"
        coaching = f"{better} coached better by {amount}"
    if abs(review.luck) < MIN_MENTIONED:
        return f"{coaching}; the dice favored neither team."
    if coached * review.luck > 0 and abs(coached) >= MIN_MENTIONED:
        return f"{coaching} and got the better dice, worth {luck}."
    lucky = names[HOME if review.luck > 0 else AWAY]
    unit = "" if abs(coached) >= MIN_MENTIONED else " percentage points of win probability"
    return f"{coaching}; {lucky} got the better dice, worth {luck}{unit}."


def _solo_verdict(review: Review) -> str:
    side = review.teams[0]
    luck = f"the dice added {format_signed_points(review.luck)}"
    cost = f"{format_points(side.errors)} percentage points of win probability"
    return f"the calls of {review.game.names[HOME]} cost {cost}, {luck}"


def describe_luck_adjusted(review: Review) -> str:
    """Describe the result with the luck taken out."""
    home = review.game.names[HOME]
    if review.is_settled:
        return (
            "No call or roll moved the win probability by 0.5 percentage points or more: that of "
            f"{home} was {percent(review.start, 1)} throughout."
        )
    return (
        f"Win probability of {home}: {percent(review.start, 1)} at the start, "
        f"{percent(review.result, 1)} {'at the end' if review.is_over else 'now'}, "
        f"{percent(review.luck_adjusted, 1)} without the luck of the dice (each error "
        "takes the same share of the win probability as in the game, so this stays between 0 and "
        "100 %)."
    )


def describe_false_errors(review: Review) -> str:
    """State what a flawless coach would be charged because values are estimates; "" if nothing."""
    totals = [format_points(side.expected_false_errors) for side in review.teams]
    if review.exact or set(totals) == {"0.0"}:
        return ""
    amounts = " and ".join(
        f"{total} ({review.game.names[side.team]})"
        for total, side in zip(totals, review.teams, strict=True)
    )
    return (
        "Values are estimates: on average, even flawless coaching is charged up to "
        f"{amounts} percentage points."
    )


# --- One turn ----------------------------------------------------------------------------


def format_clock(review: Review, step: TurnReview) -> str:
    """Format period and clock briefly."""
    return review.game.rules.words.when(review.game.match, step.turn.before)


def format_situation(review: Review, step: TurnReview) -> str:
    """Format period, clock, score, down and distance."""
    game, g = review.game, step.turn.before
    situation = game.rules.words.situation(game.match, g, game.names)
    return f"{capitalize(format_clock(review, step))} | {score_text(game, g.score)} | {situation}"


def format_call(review: Review, step: TurnReview) -> str:
    """Format which team called what, or "dice" where nothing was called."""
    turn = step.turn
    if turn.call == NO_CALL:
        return "dice"
    return f"{review.game.names[turn.team]} {review.game.rules.calls[turn.call]}"


def turn_cells(review: Review, step: TurnReview) -> tuple[str, str, str]:
    """Return the cells that begin the row of a turn: its number, when it was, and the call."""
    return str(step.number), format_clock(review, step), format_call(review, step)


def format_cost(decision: Decision | None) -> str:
    """Format what a decision cost, with its mark; empty where there was no choice."""
    if decision is None:
        return ""
    if not decision.is_conclusive:
        return "too close"
    sign = MARK_SIGNS[decision.mark]
    return f"{format_points(decision.loss)}{f' {sign}' if sign else ''}"


def better_call_name(review: Review, decision: Decision | None) -> str:
    """Return the name of a call that was better or may have been, or an empty string."""
    other = None if decision is None else decision.better_call
    return "" if other is None else review.game.rules.calls[other]


def describe_turn(review: Review, step: TurnReview) -> list[str]:
    """Describe a turn: the call, the best call and why, and what the dice did."""
    sentences = [] if step.decision is None else _decision_sentences(review, step.decision)
    events_text = " ".join(review.game.sentences(step.turn))
    if events_text:
        sentences.append(events_text)
    if abs(step.luck) >= MIN_MENTIONED:
        sentences.append(_luck_sentence(review, step))
    return sentences


def _luck_sentence(review: Review, step: TurnReview) -> str:
    """Describe the luck of the dice: what they cost a team, or gave the only one."""
    moved = format_points(abs(step.luck))
    chance = f"{percent(step.after_call, 1)} before, {percent(step.after, 1)} after"
    home, away = review.game.names
    if len(review.teams) == 1:
        effect = "gave" if step.luck > 0 else "cost"
        return f"The dice {effect} {home} {moved} percentage points ({chance})."
    unlucky = away if step.luck > 0 else home
    return f"The dice cost {unlucky} {moved} percentage points ({home}: {chance})."


def _decision_sentences(review: Review, decision: Decision) -> list[str]:
    """Describe the cost of a decision in numbers."""
    judged, names, tie = decision.call_values, review.game.rules.calls, review.source.tie
    best, call = names[judged.best], names[decision.call]
    team = capitalize(review.game.names[decision.team])
    if decision.call not in judged.calls:
        return [f"{team} called {call}, which has no known value."]
    worth = judged.calls[decision.call].worth(decision.team, tie)
    highest = judged.value.worth(decision.team, tie)
    if not decision.is_conclusive:
        return [
            f"{team} called {call} ({percent(worth, 1)}); {best} ({percent(highest, 1)}) is too "
            "close to call."
        ]
    if decision.call == judged.best:
        return [f"{team} called {call} ({percent(worth, 1)}), the best call."]
    if format_points(decision.loss) == "0.0":
        return [f"{team} called {call} ({percent(worth, 1)}), as good as the best call, {best}."]
    error = f" ± {format_points(decision.error)}" if decision.error else ""
    sign = f": {_with_article(decision.mark)}" if decision.mark else ""
    sentences = [
        f"{team} called {call} ({percent(worth, 1)}); the best call was {best} "
        f"({percent(highest, 1)}), {format_points(decision.loss)}{error} percentage points "
        f"better{sign}."
    ]
    for call_code in (judged.best, decision.call):
        if call_code in decision.break_evens:
            sentences.append(
                f"{capitalize(decision.break_evens[call_code].describe(review.game.rules))}."
            )
    return sentences


def _with_article(mark: str) -> str:
    return f"{'an' if mark[0] in 'aeiou' else 'a'} {mark}"
