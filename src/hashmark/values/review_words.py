"""Sentences of a review: who coached and who rolled better, and each turning point."""

from __future__ import annotations

from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule_set import NO_CALL
from hashmark.engine.team_names import TeamNames
from hashmark.text.game_report import score_text
from hashmark.text.phrases import capitalize
from hashmark.values.review import Decision, Review, TurnReview

MIN_MENTIONED = 0.005  # smaller differences are not mentioned
MARK_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "": ""}
MARK_SIGNS_LEGEND = "?! gives away 5 points of a hundred or more, ? 10 or more, ?? 15 or more."


def describe_marks(review: Review) -> str:
    """Explain the marks and the points."""
    other = (
        "" if len(review.teams) == 1 else "; what a roll brought one team it took from the other"
    )
    return f"{MARK_SIGNS_LEGEND} Points are chances of winning{other}."


def format_points(chance: float) -> str:
    """Format a probability, or a part of one, in percentage points."""
    return f"{100 * chance:.1f}"


def format_signed_points(chance: float) -> str:
    """Format a gain or loss in percentage points, never as a signed zero."""
    text = f"{100 * chance:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def format_title(review: Review) -> str:
    """Return the title: the game and the teams."""
    sides = " against ".join(review.game.names[side.team] for side in review.teams)
    return f"{review.game.rules.title}: {sides}"


def describe_result(review: Review) -> str:
    """Describe the final score, or the current one if the game is not over."""
    game = review.game
    score = score_text(game, game.position.score)
    if review.interrupted:
        return f"Interrupted: the first {len(review.steps)} of {len(game.turns)} turns."
    if game.is_over:
        return f"Final score: {score}."
    return f"Not over yet: {score}; {game.names[HOME]} wins {review.result:.1%} with best play."


def describe_verdict(review: Review) -> str:
    """State in one sentence who coached better and who rolled better."""
    if len(review.teams) == 1:
        return capitalize(_solo_verdict(review)) + "."
    home, away = review.errors
    names = review.game.names
    coached = _comparison("coached", away - home, "both coached equally well", names)
    rolled = _comparison("rolled", review.luck, "the dice favoured nobody", names)
    if (away - home) * review.luck > 0 and min(abs(away - home), abs(review.luck)) >= MIN_MENTIONED:
        more = f"and rolled better by {format_points(abs(review.luck))} points"
        return f"{capitalize(coached)} {more}."
    return f"{capitalize(coached)}, {rolled}."


def _solo_verdict(review: Review) -> str:
    side = review.teams[0]
    luck = f"the dice brought {format_signed_points(review.luck)}"
    return f"{review.game.names[HOME]} gave away {format_points(side.errors)} points, {luck}"


def _comparison(did: str, more: float, level: str, names: TeamNames) -> str:
    if abs(more) < MIN_MENTIONED:
        return level
    return f"{names[HOME if more > 0 else AWAY]} {did} better by {format_points(abs(more))} points"


def describe_luck_adjusted(review: Review) -> str:
    """Describe the result with the luck taken out."""
    home = review.game.names[HOME]
    if review.is_settled:
        return (
            f"No call and no roll moved the chances by half a point: with best play "
            f"{home} wins {review.start:.1%} from every position of this game, so the "
            f"dice had nothing to bring or to take."
        )
    return (
        f"{capitalize(home)} began with {review.start:.1%} and "
        f"{'ended' if review.is_over else 'stands'} at {review.result:.1%}; "
        f"without the luck of the dice it would be {format_points(review.luck_adjusted)} points."
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
    """Format what a decision gave away, with its mark; empty where there was no choice."""
    if decision is None:
        return ""
    if not decision.is_conclusive:
        return "cannot tell"
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
    """Describe the luck of the dice and which team gained; in a solo game home may only lose."""
    moved = format_points(abs(step.luck))
    chance = f"{step.after_call:.1%} before, {step.after:.1%} after"
    home, away = review.game.names
    if step.luck < 0 and len(review.teams) == 1:
        return f"The dice took {moved} points from {home} ({chance})."
    lucky = home if step.luck > 0 else away
    return f"The dice brought {lucky} {moved} points (of {home}: {chance})."


def _decision_sentences(review: Review, decision: Decision) -> list[str]:
    """Describe the cost of a decision in numbers."""
    judged, names, tie = decision.call_values, review.game.rules.calls, review.source.tie
    best, call = names[judged.best], names[decision.call]
    team = capitalize(review.game.names[decision.team])
    if decision.call not in judged.calls:
        return [f"{team} called {call}; what that is worth is not known."]
    worth = judged.calls[decision.call].worth(decision.team, tie)
    highest = judged.value.worth(decision.team, tie)
    if not decision.is_conclusive:
        return [f"{team} called {call} ({worth:.1%}); {best} ({highest:.1%}) is too close to tell."]
    if decision.call == judged.best:
        return [f"{team} called {call} ({worth:.1%}), the best call."]
    error = f" ± {format_points(decision.error)}" if decision.error else ""
    sign = f": {_with_article(decision.mark)}" if decision.mark else ""
    sentences = [
        f"{team} called {call} ({worth:.1%}); the best call was {best} ({highest:.1%}), which is "
        f"{format_points(decision.loss)}{error} points more{sign}."
    ]
    for call_code in (judged.best, decision.call):
        if call_code in decision.break_evens:
            sentences.append(f"{capitalize(decision.break_evens[call_code].describe(names))}.")
    return sentences


def _with_article(mark: str) -> str:
    return f"{'an' if mark[0] in 'aeiou' else 'a'} {mark}"
