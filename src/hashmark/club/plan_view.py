"""A game plan drawn so that a person can read it: bars by down and distance, a map of fourth down.

A real plan has some 250 entries. What is shown are situations that everybody knows, each as the
plan answers it (`fitting`); the rest is in the file, which can be downloaded. Two plans are
compared in the same situations, and by counting the entries in which they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.club.play_view import INVENTED
from hashmark.games.data_driven.plans.plan import SECTIONS, Entry, Plan, fitting
from hashmark.games.data_driven.plans.text import shares_of, yard_line
from hashmark.games.data_driven.tables import RUNS
from hashmark.pages.shapes import Bar, Chart, Datum, Path, Shape, Sign, Words, widest

Moment = Mapping[str, int]


def at(
    down: int, to_go: int, spot: int, lead: int = 0, time: int = 1500, period: int = 1
) -> Moment:
    """A situation by its numbers."""
    keys = ("down", "to-go", "spot", "lead", "time", "period")
    return dict(zip(keys, (down, to_go, spot, lead, time, period), strict=True))


# The situations of the bars: their names, and where they are.
PLAYS_AT = {
    "1st and 10": at(1, 10, 30),
    "2nd and 2": at(2, 2, 38),
    "2nd and 6": at(2, 6, 34),
    "2nd and 10": at(2, 10, 30),
    "3rd and 1": at(3, 1, 39),
    "3rd and 4": at(3, 4, 36),
    "3rd and 8": at(3, 8, 32),
    "3rd and 15": at(3, 15, 25),
    "1st and goal at the 3": at(1, 3, 97),
    "1st and 10, 10 ahead, 4th quarter": at(1, 10, 30, 10, 600, 4),
    "1st and 10, 10 behind, 4th quarter": at(1, 10, 30, -10, 600, 4),
    "1st and 10, last minute of the half": at(1, 10, 40, 0, 60, 2),
}
IN_THE_OPEN = {name: moment for name, moment in PLAYS_AT.items() if moment["period"] == 1}
TEMPO_AT = {
    "in ordinary time": at(2, 7, 40),
    "last two minutes of the half": at(2, 7, 40, 0, 100, 2),
    "10 behind, 4th quarter, 8 minutes left": at(2, 7, 40, -10, 480, 4),
    "4 behind, two minutes left": at(2, 7, 40, -4, 110, 4),
    "10 ahead, 4th quarter": at(2, 7, 40, 10, 480, 4),
}
LEADS = (-8, -5, -2, -1, 0, 1, 4, 5, 12)  # after a touchdown, before the try
DISTANCES = (1, 2, 3, 4, 5, 6, 8, 10, 15)
SPOTS = tuple(range(3, 100, 4))
GO, PUNT, GOAL = "go", "punt", "field goal"
MAP_CALLS = {
    "play": GO,
    "punt": PUNT,
    "pooch-5": PUNT,
    "pooch-10": PUNT,
    "pooch-15": PUNT,
    "field-goal": GOAL,
}
WIDTH = 330.0
WIDE = 640.0
LEAST = 0.01  # share of calls that is drawn and told


@dataclass(frozen=True)
class Mix:
    """What a plan calls in a situation, as parts of one; empty where it says nothing."""

    name: str
    shares: Mapping[str, float]

    @property
    def runs(self) -> float:
        return sum(self.shares.get(call, 0.0) for call in RUNS)

    def to_json(self) -> dict[str, Any]:
        return {
            "situation": self.name,
            "shares": {call: round(part, 4) for call, part in self.shares.items()},
        }


@dataclass(frozen=True)
class Changed:
    """A call whose share differs between two plans, in a situation that is shown."""

    section: str
    situation: str
    call: str
    before: float
    after: float

    def to_json(self) -> dict[str, Any]:
        return {**self.__dict__, "before": round(self.before, 4), "after": round(self.after, 4)}


class PlanView:
    """A plan, and what of it is shown."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._sections = plan.sections()

    def _mix(self, section: str, name: str, moment: Moment) -> Mix:
        entry = fitting(self._sections[section], moment)
        shares = shares_of(entry) if entry is not None else {}
        return Mix(name, {call: shares[call] for call in SECTIONS[section] if call in shares})

    def _mixes(self, section: str, at: Mapping[str, Moment]) -> list[Mix]:
        return [self._mix(section, name, moment) for name, moment in at.items()]

    @property
    def plays(self) -> list[Mix]:
        return self._mixes("play", PLAYS_AT)

    @property
    def formations(self) -> list[Mix]:
        """As its defence calls them, level and early in the game."""
        return self._mixes("formation", IN_THE_OPEN)

    @property
    def tempo(self) -> list[Mix]:
        return self._mixes("tempo", TEMPO_AT)

    @property
    def tries(self) -> list[Mix]:
        """By the lead after a touchdown, as the plan counts it: with the six points."""
        return [self._mix("try", _ahead(lead), at(0, 2, 98, lead, 600, 4)) for lead in LEADS]

    def fourth(self) -> dict[tuple[int, int], Mix]:
        """By distance and spot: go, punt or kick, while the game is open."""
        found = {}
        for to_go in DISTANCES:
            for spot in SPOTS:
                if to_go <= 100 - spot:
                    found[to_go, spot] = _gathered(self._mix("instead", "", at(4, to_go, spot)))
        return found

    # --- Drawn -------------------------------------------------------------------------------

    def plays_chart(self) -> Chart:
        texts = [f"{one.runs:.0%} runs" for one in self.plays]
        return stacked("Plays by down and distance", "play", self.plays, texts)

    def formations_chart(self) -> Chart:
        return stacked("Formations by down and distance", "formation", self.formations)

    def fourth_chart(self) -> Chart:
        return fourth_map("Fourth down while the game is open", self.fourth())

    def tempo_chart(self) -> Chart:
        texts = [f"{one.shares.get('hurry-up', 0.0):.0%} in a hurry" for one in self.tempo]
        return stacked("Tempo while the clock runs", "tempo", self.tempo, texts)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.plan.name,
            "entries": {name: len(each) for name, each in self._sections.items()},
            "plays": [one.to_json() for one in self.plays],
            "formations": [one.to_json() for one in self.formations],
            "formations_note": INVENTED,
            "tempo": [one.to_json() for one in self.tempo],
            "tries": [one.to_json() for one in self.tries],
            "fourth_down": [
                {"to_go": to_go, "spot": spot, "shares": one.to_json()["shares"]}
                for (to_go, spot), one in self.fourth().items()
            ],
        }


def _gathered(one: Mix) -> Mix:
    """Kicks of a kind together; whatever else a plan does on fourth down is no part of the map."""
    found: dict[str, float] = {}
    for call, part in one.shares.items():
        if call in MAP_CALLS:
            found[MAP_CALLS[call]] = found.get(MAP_CALLS[call], 0.0) + part
    total = sum(found.values())
    return Mix(one.name, {call: part / total for call, part in found.items()} if total else {})


def _ahead(lead: int) -> str:
    if lead == 0:
        return "level"
    return f"{abs(lead)} {'ahead' if lead > 0 else 'behind'}"


# --- Two plans -------------------------------------------------------------------------------


def compared(before: Plan, after: Plan) -> list[Changed]:
    """What differs in the situations that are shown, the largest changes first."""
    one, other = PlanView(before), PlanView(after)
    found: list[Changed] = []
    pairs = (
        ("play", one.plays, other.plays),
        ("formation", one.formations, other.formations),
        ("tempo", one.tempo, other.tempo),
        ("try", one.tries, other.tries),
    )
    for section, old, new in pairs:
        for was, now in zip(old, new, strict=True):
            found += _differences(section, was.name, was.shares, now.shares)
    was_fourth, now_fourth = one.fourth(), other.fourth()
    for place, was in was_fourth.items():
        name = f"4th and {place[0]} at {yard_line(place[1])}"
        found += _differences("instead", name, was.shares, now_fourth[place].shares)
    found.sort(key=lambda each: -abs(each.after - each.before))
    return found


def _differences(
    section: str, name: str, was: Mapping[str, float], now: Mapping[str, float]
) -> list[Changed]:
    return [
        Changed(section, name, call, was.get(call, 0.0), now.get(call, 0.0))
        for call in dict.fromkeys((*was, *now))
        if abs(was.get(call, 0.0) - now.get(call, 0.0)) >= LEAST / 2
    ]


def entries_changed(before: Plan, after: Plan) -> dict[str, int]:
    """Of each section that differs, how many of the new plan's entries the old one has not."""
    made = {}
    for section in SECTIONS:
        old, new = before.section(section), after.section(section)
        if old != new:
            known = [(one.when, one.shares) for one in old]
            made[section] = sum(_is_new(one, known) for one in new) or 1
    return made


def _is_new(one: Entry, known: Sequence[tuple[Any, Any]]) -> bool:
    return (one.when, one.shares) not in known


# --- Shapes ----------------------------------------------------------------------------------


def stacked(title: str, section: str, mixes: Sequence[Mix], texts: Sequence[str] = ()) -> Chart:
    """A bar for each situation, cut into the shares of its calls; names stand over the bars."""
    beside = widest(texts) + 8 if texts else 0.0
    left, right, step, thick = 4.0, WIDTH - 4 - beside, 38.0, 15.0
    shapes: list[Shape] = []
    calls = SECTIONS[section]
    for row, one in enumerate(mixes):
        top = row * step + 14
        shapes.append(Words(left, top, one.name))
        x = left
        for call, part in one.shares.items():
            wide = part * (right - left)
            said = f"{one.name}: {spaced(call)} {part:.0%}"
            kind = f"call {section}-{calls.index(call)}"
            bar = Bar(x, top + 5, max(0.0, wide - 1), thick, kind)
            inside = f"{part:.0%}"
            drawn: list[Shape] = [bar]
            if wide > widest([inside]) + 4:
                drawn.append(
                    Words(
                        x + wide / 2,
                        top + 17,
                        inside,
                        "middle",
                        f"on {section}-{calls.index(call)}",
                    )
                )
            shapes.append(Datum(said, drawn))
            x += wide
        if not one.shares:
            shapes.append(Words(left, top + 17, "the plan says nothing", "start", "soft"))
        if texts:
            shapes.append(Words(right + 8, top + 17, texts[row], "start", "soft"))
    used = [call for call in calls if any(call in one.shares for one in mixes)]
    key = [Sign(f"call {section}-{calls.index(call)}", spaced(call)) for call in used]
    said = "; ".join(
        f"{one.name}: "
        + ", ".join(
            f"{spaced(call)} {part:.0%}" for call, part in one.shares.items() if part >= LEAST
        )
        for one in mixes
    )
    return Chart(title, f"{title}. {said}.", WIDTH, step * len(mixes) + 6, shapes, key)


def fourth_map(title: str, found: Mapping[tuple[int, int], Mix]) -> Chart:
    """Distances down, the field across: what is done most, the paler the less sure it is."""
    left, top, tall = 46.0, 18.0, 20.0
    wide = (WIDE - left - 6) / len(SPOTS)
    shapes: list[Shape] = []
    for row, to_go in enumerate(DISTANCES):
        y = top + row * tall
        shapes.append(Words(left - 8, y + 14, str(to_go), "end"))
        for place, spot in enumerate(SPOTS):
            one = found.get((to_go, spot))
            if one is None or not one.shares:
                continue
            most, part = max(one.shares.items(), key=lambda pair: pair[1])
            where = yard_line(spot)
            parts = ", ".join(f"{call} {share:.0%}" for call, share in one.shares.items())
            kind = f"call fourth-{(GO, PUNT, GOAL).index(most)} sure-{sureness(part)}"
            box = Bar(left + place * wide, y + 1, wide - 1.5, tall - 2, kind)
            letter = most[0].upper()
            shapes.append(
                Datum(
                    f"4th and {to_go} at {where}: {parts}",
                    [box, Words(box.x + box.width / 2, y + 14, letter, "middle", "on fourth")],
                )
            )
    bottom = top + len(DISTANCES) * tall
    shapes.append(Words(4, 12, "yards to go", "start", "soft"))
    for spot in (10, 30, 50, 70, 90):
        x = left + (spot - SPOTS[0] + 2) / 4 * wide
        shapes.append(Path(f"M{x:.1f} {bottom:.1f}v4", "axis"))
        shapes.append(Words(x, bottom + 16, yard_line(spot), "middle", "soft"))
    key = [
        Sign("call fourth-0 sure-3", "G: goes for it"),
        Sign("call fourth-1 sure-3", "P: punts"),
        Sign("call fourth-2 sure-3", "F: tries a field goal"),
        Sign("", "paler: less often"),
    ]
    goes = [
        f"4th and {to_go} at {yard_line(spot)}"
        for (to_go, spot), one in found.items()
        if one.shares.get(GO, 0.0) > 0.5
    ]
    said = f"It goes for it more often than not at: {', '.join(goes) or 'none of these places'}."
    return Chart(title, f"{title}. {said}", WIDE, bottom + 24, shapes, key, wide=True)


def sureness(part: float) -> int:
    """How sure a call is, in three steps."""
    return 3 if part >= 0.85 else 2 if part >= 0.6 else 1


def spaced(call: str) -> str:
    """A call as it is read."""
    return call.replace("-", " ")
