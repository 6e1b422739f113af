"""What a review says in words: who coached and who rolled better, and each turning point."""

from __future__ import annotations

from hashmark.table.names import NAMES, naming
from hashmark.table.record import AWAY, HOME
from hashmark.table.rules import NO_CALL
from hashmark.telling.report import score_words
from hashmark.telling.speech import capital
from hashmark.values.review import Decision, Review, Step

EVEN = 0.005  # a difference that is not worth a sentence
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "": ""}
SIGNS_MEAN = "?! gives away 5 points of a hundred or more, ? 10 or more, ?? 15 or more."


def legend(review: Review) -> str:
    """What signs and points mean."""
    other = (
        "" if len(review.sides) == 1 else "; what a roll brought one team it took from the other"
    )
    return f"{SIGNS_MEAN} Points are chances of winning{other}."


def points(chance: float) -> str:
    """A chance, or a part of one, in points of a hundred."""
    return f"{100 * chance:.1f}"


def signed_points(chance: float) -> str:
    """What was won or lost, never a zero with a sign."""
    said = f"{100 * chance:+.1f}"
    return "0.0" if said in ("+0.0", "-0.0") else said


def title(review: Review) -> str:
    """The game and who played."""
    with naming(review.game.names):
        sides = " against ".join(NAMES[side.team] for side in review.sides)
    return f"{review.game.rules.title}: {sides}"


def standing(review: Review) -> str:
    """How it ended, or how it stands."""
    game = review.game
    score = score_words(game, game.position.score)
    if review.interrupted:
        return f"Interrupted: the first {len(review.steps)} of {len(game.turns)} turns."
    if game.is_over:
        return f"Final score: {score}."
    with naming(game.names):
        return f"Not over yet: {score}; {NAMES[HOME]} wins {review.result:.1%} with best play."


def verdict(review: Review) -> str:
    """Who coached better and who rolled better, in one sentence."""
    with naming(review.game.names):
        if len(review.sides) == 1:
            return capital(_alone(review)) + "."
        home, away = review.errors
        coached = _better("coached", away - home, "both coached equally well")
        rolled = _better("rolled", review.luck, "the dice favoured nobody")
        if (away - home) * review.luck > 0 and min(abs(away - home), abs(review.luck)) >= EVEN:
            more = f"and rolled better by {points(abs(review.luck))} points"
            return f"{capital(coached)} {more}."
        return f"{capital(coached)}, {rolled}."


def _alone(review: Review) -> str:
    side = review.sides[0]
    luck = f"the dice brought {signed_points(review.luck)}"
    return f"{NAMES[HOME]} gave away {points(side.errors)} points, {luck}"


def _better(did: str, more: float, level: str) -> str:
    if abs(more) < EVEN:
        return level
    return f"{NAMES[HOME if more > 0 else AWAY]} {did} better by {points(abs(more))} points"


def adjusted(review: Review) -> str:
    """The result with the luck taken out."""
    with naming(review.game.names):
        if review.settled:
            return (
                f"No call and no roll moved the chances by half a point: with best play "
                f"{NAMES[HOME]} wins {review.start:.1%} from every position of this game, so the "
                f"dice had nothing to bring or to take."
            )
        return (
            f"{capital(NAMES[HOME])} began with {review.start:.1%} and "
            f"{'ended' if review.is_over else 'stands'} at {review.result:.1%}; "
            f"without the luck of the dice it would be {points(review.adjusted)} points."
        )


# --- One turn ----------------------------------------------------------------------------


def when(review: Review, step: Step) -> str:
    """Period and clock in short."""
    with naming(review.game.names):
        return review.game.rules.words.when(review.game.match, step.turn.before)


def where(review: Review, step: Step) -> str:
    """Period, clock, score, down and distance."""
    game, g = review.game, step.turn.before
    with naming(game.names):
        situation = game.rules.words.situation(game.match, g)
    return f"{capital(when(review, step))} | {score_words(game, g.score)} | {situation}"


def called(review: Review, step: Step) -> str:
    """Who called what; of dice alone that they are dice."""
    turn = step.turn
    if turn.call == NO_CALL:
        return "dice"
    with naming(review.game.names):
        return f"{NAMES[turn.team]} {review.game.rules.calls[turn.call]}"


def cost(decision: Decision | None) -> str:
    """What a decision gave away, with its mark; nothing where there was no choice."""
    if decision is None:
        return ""
    if not decision.clear:
        return "cannot tell"
    sign = SIGNS[decision.mark]
    return f"{points(decision.loss)}{f' {sign}' if sign else ''}"


def better(review: Review, decision: Decision | None) -> str:
    """What would have been better, or might have been."""
    other = None if decision is None else decision.better
    return "" if other is None else review.game.rules.calls[other]


def story(review: Review, step: Step) -> list[str]:
    """A turning point: what was called, what was best and why, what the dice did."""
    said = [] if step.decision is None else _decided(review, step.decision)
    told = " ".join(review.game.sentences(step.turn))
    if told:
        said.append(told)
    if abs(step.luck) >= EVEN:
        said.append(_rolled(review, step))
    return said


def _rolled(review: Review, step: Step) -> str:
    """What the dice brought, and to whom; nobody gains where home plays alone and loses."""
    moved = points(abs(step.luck))
    chance = f"{step.called:.1%} before, {step.after:.1%} after"
    with naming(review.game.names):
        home, lucky = NAMES[HOME], NAMES[HOME if step.luck > 0 else AWAY]
        if step.luck < 0 and len(review.sides) == 1:
            return f"The dice took {moved} points from {home} ({chance})."
        return f"The dice brought {lucky} {moved} points (of {home}: {chance})."


def _decided(review: Review, decision: Decision) -> list[str]:
    """What a decision cost, in numbers."""
    judged, names, tie = decision.judgement, review.game.rules.calls, review.source.tie
    best, call = names[judged.best], names[decision.call]
    with naming(review.game.names):
        team = capital(NAMES[decision.team])
    if decision.call not in judged.calls:
        return [f"{team} called {call}; what that is worth is not known."]
    worth = judged.calls[decision.call].worth(decision.team, tie)
    top = judged.value.worth(decision.team, tie)
    if not decision.clear:
        return [f"{team} called {call} ({worth:.1%}); {best} ({top:.1%}) is too close to tell."]
    if decision.call == judged.best:
        return [f"{team} called {call} ({worth:.1%}), the best call."]
    error = f" ± {points(decision.error)}" if decision.error else ""
    sign = f": {_article(decision.mark)}" if decision.mark else ""
    said = [
        f"{team} called {call} ({worth:.1%}); the best call was {best} ({top:.1%}), which is "
        f"{points(decision.loss)}{error} points more{sign}."
    ]
    for one in (judged.best, decision.call):
        if one in decision.break_evens:
            said.append(f"{capital(decision.break_evens[one].said(names))}.")
    return said


def _article(mark: str) -> str:
    return f"{'an' if mark[0] in 'aeiou' else 'a'} {mark}"
