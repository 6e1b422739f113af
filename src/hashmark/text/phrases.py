"""Small phrases about teams, the field and the clock that every game needs."""

from __future__ import annotations

import re

from hashmark.engine.team_names import TeamNames, short_names

# Places whose names end in "s" and are singular: "Dallas punts", but "the Bombers punt".
SINGULAR_PLACES = frozenset(
    ("angeles", "arkansas", "dallas", "kansas", "massachusetts", "orleans", "texas", "vegas")
)
MARKED_WORD = re.compile(r"\[(\w+)\]")
PLURAL_FORMS = {"has": "have", "is": "are", "was": "were", "does": "do", "its": "their"}


YOU = "you"  # the reader's own team, instead of its name


def is_plural_name(name: str) -> bool:
    """Return whether a team name is plural: "Bombers" is, "Dallas" is not."""
    if name == YOU:
        return True
    last = name.split()[-1].casefold() if name.strip() else ""
    is_plural = len(last) > 2 and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return is_plural and last not in SINGULAR_PLACES


def team_text(name: str) -> str:
    """Return a team as a sentence names it: "the Bombers", "Dallas", "home"."""
    needs_article = is_plural_name(name) and name != YOU and not name.casefold().startswith("the ")
    return f"the {name}" if needs_article else name


def plural_form(word: str) -> str:
    """Return the plural of a verb in the third person, or of "its": "tries" becomes "try"."""
    if word in PLURAL_FORMS:
        return PLURAL_FORMS[word]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "ches", "shes", "xes", "oes")):
        return word[:-2]
    return word.removesuffix("s")


def team_clause(name: str, predicate: str) -> str:
    """Return a team and what it does, with verbs that agree with its name.

    The words that change are in brackets: `"[recovers] [its] own fumble"` gives "home recovers its
    own fumble" and "the Bombers recover their own fumble".
    """
    form = plural_form if is_plural_name(name) else str
    return f"{team_text(name)} {MARKED_WORD.sub(lambda mark: form(mark[1]), predicate)}"


def team_sentence(name: str, predicate: str) -> str:
    """Return `team_clause` as a sentence, with a capital letter and a period."""
    return f"{capitalize(team_clause(name, predicate))}."


def yard_line(team: int, spot: int, names: TeamNames) -> str:
    """Describe a spot of the team with the ball: "the home 30", "midfield"."""
    line = short_yard_line(team, spot, names)
    return line if spot == 50 else f"the {line}"


def short_yard_line(team: int, spot: int, names: TeamNames) -> str:
    """Describe a spot as in a table: "home 30", "midfield"."""
    if spot == 50:
        return "midfield"
    owner, yards = (team, spot) if spot < 50 else (1 - team, 100 - spot)
    return f"{short_names(names)[owner]} {yards}"


def down_and_distance(down: int, to_go: int, spot: int) -> str:
    """Return down and distance: "3rd & 7", or "1st & goal" if the line to gain is the goal line."""
    return f"{ordinal(down)} & {'goal' if spot + to_go >= 100 else to_go}"


def down_text(down: int, to_go: int, team: int, spot: int, names: TeamNames) -> str:
    """Return the down as broadcasters say it: "1st & 10 at the ARI 46", "4th & goal at the 8"."""
    is_goal = spot + to_go >= 100 and spot > 50
    place = f"the {100 - spot}" if is_goal else yard_line(team, spot, names)
    return f"{down_and_distance(down, to_go, spot)} at {place}"


def yards_text(n: int) -> str:
    """Return a number of yards with its noun."""
    return "1 yard" if n == 1 else f"{n} yards"


def gain_text(yards: int) -> str:
    """Return what a play did to the ball, verbs marked as in `team_clause`: "[loses] 8 yards"."""
    if yards == 0:
        return "[gains] nothing"
    return f"[gains] {yards_text(yards)}" if yards > 0 else f"[loses] {yards_text(-yards)}"


def ordinal(n: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


FIRST_ORDINALS = tuple(ordinal(n) for n in range(1, 5))  # of downs and quarters


def clock_text(seconds: int) -> str:
    """Return a time as on a clock: "14:05"."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def capitalize(sentence: str) -> str:
    """Capitalize the first letter of a sentence."""
    return sentence[:1].upper() + sentence[1:]
