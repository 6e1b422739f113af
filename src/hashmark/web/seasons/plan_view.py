"""Charts of a game plan: bars by down and distance, and a fourth-down map.

A real plan has some 250 entries. The view shows well-known situations, each answered by the entry
that applies (`find_fitting_entry`); the whole plan can be downloaded as a file. A comparison of two
plans uses the same situations and counts the entries that differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hashmark.games.data_driven.plans.plan import SECTIONS, Entry, Plan, find_fitting_entry
from hashmark.games.data_driven.plans.text import share_fractions, yard_line
from hashmark.games.data_driven.tables import RUNS
from hashmark.number_text import percent
from hashmark.reports.shapes import (
    Bar,
    Chart,
    Datum,
    LegendEntry,
    Path,
    Shape,
    TextShape,
    max_text_width,
)
from hashmark.web.seasons.play_view import FORMATIONS_NOTE

Situation = Mapping[str, int]


def make_situation(
    down: int, to_go: int, spot: int, lead: int = 0, time: int = 1500, period: int = 1
) -> Situation:
    """Return a situation as a mapping."""
    keys = ("down", "to-go", "spot", "lead", "time", "period")
    return dict(zip(keys, (down, to_go, spot, lead, time, period), strict=True))


# Situations shown as bars, by name.
PLAY_SITUATIONS = {
    "1st & 10": make_situation(1, 10, 30),
    "2nd & 2": make_situation(2, 2, 38),
    "2nd & 6": make_situation(2, 6, 34),
    "2nd & 10": make_situation(2, 10, 30),
    "3rd & 1": make_situation(3, 1, 39),
    "3rd & 4": make_situation(3, 4, 36),
    "3rd & 8": make_situation(3, 8, 32),
    "3rd & 15": make_situation(3, 15, 25),
    "1st & goal at the 3": make_situation(1, 3, 97),
    "1st & 10, ahead by 10, 4th quarter": make_situation(1, 10, 30, 10, 600, 4),
    "1st & 10, behind by 10, 4th quarter": make_situation(1, 10, 30, -10, 600, 4),
    "1st & 10, last minute of the half": make_situation(1, 10, 40, 0, 60, 2),
}
EARLY_GAME_SITUATIONS = {
    name: moment for name, moment in PLAY_SITUATIONS.items() if moment["period"] == 1
}
TEMPO_SITUATIONS = {
    "normal situations": make_situation(2, 7, 40),
    "last two minutes of the half": make_situation(2, 7, 40, 0, 100, 2),
    "behind by 10, 4th quarter, 8 minutes left": make_situation(2, 7, 40, -10, 480, 4),
    "behind by 4, two minutes left": make_situation(2, 7, 40, -4, 110, 4),
    "ahead by 10, 4th quarter": make_situation(2, 7, 40, 10, 480, 4),
}
TRY_LEADS = (-8, -5, -2, -1, 0, 1, 4, 5, 12)  # after a touchdown, before the try
DISTANCES = (1, 2, 3, 4, 5, 6, 8, 10, 15)
SPOTS = tuple(range(3, 100, 4))
GO, PUNT, FIELD_GOAL = "go", "punt", "field goal"
FOURTH_DOWN_CHOICES = {
    "play": GO,
    "punt": PUNT,
    "pooch-5": PUNT,
    "pooch-10": PUNT,
    "pooch-15": PUNT,
    "field-goal": FIELD_GOAL,
}
CHART_WIDTH = 330.0
MAP_WIDTH = 640.0
MIN_SHARE = 0.01  # smallest share of calls that is described


@dataclass(frozen=True)
class CallMix:
    """Calls of a plan in a situation, as shares of one; empty if the plan has no entry."""

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
class CallChange:
    """Call whose share differs between two plans in a shown situation."""

    section: str
    situation: str
    call: str
    before: float
    after: float

    def to_json(self) -> dict[str, Any]:
        return {**self.__dict__, "before": round(self.before, 4), "after": round(self.after, 4)}


class PlanView:
    """Shown situations of a plan, as data and as charts."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._sections = plan.sections()

    def _mix(self, section: str, name: str, moment: Situation) -> CallMix:
        entry = find_fitting_entry(self._sections[section], moment)
        shares = share_fractions(entry) if entry is not None else {}
        return CallMix(name, {call: shares[call] for call in SECTIONS[section] if call in shares})

    def _mixes(self, section: str, situations: Mapping[str, Situation]) -> list[CallMix]:
        return [self._mix(section, name, moment) for name, moment in situations.items()]

    @property
    def plays(self) -> list[CallMix]:
        return self._mixes("play", PLAY_SITUATIONS)

    @property
    def formations(self) -> list[CallMix]:
        """Formations that the defense calls, in a tied game early on."""
        return self._mixes("formation", EARLY_GAME_SITUATIONS)

    @property
    def tempo(self) -> list[CallMix]:
        return self._mixes("tempo", TEMPO_SITUATIONS)

    @property
    def tries(self) -> list[CallMix]:
        """Tries by the lead after a touchdown, with its six points included."""
        return [
            self._mix("try", _lead_label(lead), make_situation(0, 2, 98, lead, 600, 4))
            for lead in TRY_LEADS
        ]

    def fourth_downs(self) -> dict[tuple[int, int], CallMix]:
        """Return the shares of going for it, punting and kicking, by distance and spot."""
        mixes = {}
        for to_go in DISTANCES:
            for spot in SPOTS:
                if to_go <= 100 - spot:
                    mixes[to_go, spot] = _group_kicks(
                        self._mix("instead", "", make_situation(4, to_go, spot))
                    )
        return mixes

    # --- Charts ------------------------------------------------------------------------------

    def plays_chart(self) -> Chart:
        texts = [f"{percent(mix.runs)} runs" for mix in self.plays]
        return stacked_bar_chart("Plays by down and distance", "play", self.plays, texts)

    def formations_chart(self) -> Chart:
        return stacked_bar_chart("Formations by down and distance", "formation", self.formations)

    def fourth_chart(self) -> Chart:
        return fourth_down_map("Fourth-down calls in a tie game, early on", self.fourth_downs())

    def tempo_chart(self) -> Chart:
        texts = [f"{percent(mix.shares.get('hurry-up', 0.0))} hurry-up" for mix in self.tempo]
        return stacked_bar_chart("Tempo while the clock runs", "tempo", self.tempo, texts)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.plan.name,
            "entries": {name: len(entries) for name, entries in self._sections.items()},
            "plays": [mix.to_json() for mix in self.plays],
            "formations": [mix.to_json() for mix in self.formations],
            "formations_note": FORMATIONS_NOTE,
            "tempo": [mix.to_json() for mix in self.tempo],
            "tries": [mix.to_json() for mix in self.tries],
            "fourth_down": [
                {"to_go": to_go, "spot": spot, "shares": mix.to_json()["shares"]}
                for (to_go, spot), mix in self.fourth_downs().items()
            ],
        }


def _group_kicks(mix: CallMix) -> CallMix:
    """Group the calls of a mix into going for it, punting and kicking; drop all others."""
    grouped: dict[str, float] = {}
    for call, share in mix.shares.items():
        if call in FOURTH_DOWN_CHOICES:
            grouped[FOURTH_DOWN_CHOICES[call]] = grouped.get(FOURTH_DOWN_CHOICES[call], 0.0) + share
    total = sum(grouped.values())
    return CallMix(
        mix.name, {call: share / total for call, share in grouped.items()} if total else {}
    )


def _lead_label(lead: int) -> str:
    if lead == 0:
        return "tied"
    return f"{'ahead' if lead > 0 else 'behind'} by {abs(lead)}"


# --- Two plans -------------------------------------------------------------------------------


def compare_plans(before: Plan, after: Plan) -> list[CallChange]:
    """Return the differences in the shown situations, the largest first."""
    before_view, after_view = PlanView(before), PlanView(after)
    changes: list[CallChange] = []
    pairs = (
        ("play", before_view.plays, after_view.plays),
        ("formation", before_view.formations, after_view.formations),
        ("tempo", before_view.tempo, after_view.tempo),
        ("try", before_view.tries, after_view.tries),
    )
    for section, old, new in pairs:
        for old_mix, new_mix in zip(old, new, strict=True):
            changes += _differences(section, old_mix.name, old_mix.shares, new_mix.shares)
    old_fourth, new_fourth = before_view.fourth_downs(), after_view.fourth_downs()
    for key, old_mix in old_fourth.items():
        name = f"4th & {key[0]} at {yard_line(key[1])}"
        changes += _differences("instead", name, old_mix.shares, new_fourth[key].shares)
    changes.sort(key=lambda change: -abs(change.after - change.before))
    return changes


def _differences(
    section: str, name: str, old: Mapping[str, float], new: Mapping[str, float]
) -> list[CallChange]:
    return [
        CallChange(section, name, call, old.get(call, 0.0), new.get(call, 0.0))
        for call in dict.fromkeys((*old, *new))
        if abs(old.get(call, 0.0) - new.get(call, 0.0)) >= MIN_SHARE / 2
    ]


def count_changed_entries(before: Plan, after: Plan) -> dict[str, int]:
    """Count, for each section that differs, the entries of the new plan that the old one lacks."""
    counts = {}
    for section in SECTIONS:
        old, new = before.section(section), after.section(section)
        if old != new:
            old_entries = [(entry.when, entry.shares) for entry in old]
            counts[section] = sum(_is_new(entry, old_entries) for entry in new) or 1
    return counts


def _is_new(entry: Entry, old_entries: Sequence[tuple[Any, Any]]) -> bool:
    return (entry.when, entry.shares) not in old_entries


# --- Shapes ----------------------------------------------------------------------------------


def stacked_bar_chart(
    title: str, section: str, mixes: Sequence[CallMix], texts: Sequence[str] = ()
) -> Chart:
    """Draw one bar for each situation, divided into the shares of its calls."""
    text_width = max_text_width(texts) + 8 if texts else 0.0
    left, right, step, thickness = 4.0, CHART_WIDTH - 4 - text_width, 38.0, 15.0
    shapes: list[Shape] = []
    calls = SECTIONS[section]
    for row, mix in enumerate(mixes):
        top = row * step + 14
        shapes.append(TextShape(left, top, mix.name))
        x = left
        for call, share in mix.shares.items():
            width = share * (right - left)
            description = f"{mix.name}: {call_label(call)} {percent(share)}"
            kind = f"call {section}-{calls.index(call)}"
            bar = Bar(x, top + 5, max(0.0, width - 1), thickness, kind)
            label = percent(share)
            bar_shapes: list[Shape] = [bar]
            if width > max_text_width([label]) + 4:
                bar_shapes.append(
                    TextShape(
                        x + width / 2,
                        top + 17,
                        label,
                        "middle",
                        f"on {section}-{calls.index(call)}",
                    )
                )
            shapes.append(Datum(description, bar_shapes))
            x += width
        if not mix.shares:
            shapes.append(TextShape(left, top + 17, "not in the plan", "start", "soft"))
        if texts:
            shapes.append(TextShape(right + 8, top + 17, texts[row], "start", "soft"))
    used = [call for call in calls if any(call in mix.shares for mix in mixes)]
    key = [LegendEntry(f"call {section}-{calls.index(call)}", call_label(call)) for call in used]
    description = "; ".join(
        f"{mix.name}: "
        + ", ".join(
            f"{call_label(call)} {percent(share)}"
            for call, share in mix.shares.items()
            if share >= MIN_SHARE
        )
        for mix in mixes
    )
    return Chart(title, f"{title}. {description}.", CHART_WIDTH, step * len(mixes) + 6, shapes, key)


def fourth_down_map(title: str, mixes: Mapping[tuple[int, int], CallMix]) -> Chart:
    """Draw the most frequent call by distance (rows) and field position (columns).

    The paler a cell, the less often the plan makes that call.
    """
    left, top, row_height = 46.0, 18.0, 20.0
    column_width = (MAP_WIDTH - left - 6) / len(SPOTS)
    shapes: list[Shape] = []
    for row, to_go in enumerate(DISTANCES):
        y = top + row * row_height
        shapes.append(TextShape(left - 8, y + 14, str(to_go), "end"))
        for column, spot in enumerate(SPOTS):
            mix = mixes.get((to_go, spot))
            if mix is None or not mix.shares:
                continue
            top_call, top_share = max(mix.shares.items(), key=lambda pair: pair[1])
            yards = yard_line(spot)
            parts = ", ".join(f"{call} {percent(share)}" for call, share in mix.shares.items())
            kind = (
                f"call fourth-{(GO, PUNT, FIELD_GOAL).index(top_call)} "
                f"sure-{predictability(top_share)}"
            )
            box = Bar(left + column * column_width, y + 1, column_width - 1.5, row_height - 2, kind)
            letter = top_call[0].upper()
            shapes.append(
                Datum(
                    f"4th & {to_go} at {yards}: {parts}",
                    [box, TextShape(box.x + box.width / 2, y + 14, letter, "middle", "on fourth")],
                )
            )
    bottom = top + len(DISTANCES) * row_height
    shapes.append(TextShape(4, 12, "yards to go", "start", "soft"))
    for spot in (10, 30, 50, 70, 90):
        x = left + (spot - SPOTS[0] + 2) / 4 * column_width
        shapes.append(Path(f"M{x:.1f} {bottom:.1f}v4", "axis"))
        shapes.append(TextShape(x, bottom + 16, yard_line(spot), "middle", "soft"))
    key = [
        LegendEntry("call fourth-0 sure-3", "G: goes for it"),
        LegendEntry("call fourth-1 sure-3", "P: punts"),
        LegendEntry("call fourth-2 sure-3", "F: tries a field goal"),
        LegendEntry("", "paler: less often"),
    ]
    spots = [
        f"4th & {to_go} at {yard_line(spot)}"
        for (to_go, spot), mix in mixes.items()
        if mix.shares.get(GO, 0.0) > 0.5
    ]
    text = f"Goes for it more often than not: {', '.join(spots) or 'never'}."
    return Chart(title, f"{title}. {text}", MAP_WIDTH, bottom + 24, shapes, key, wide=True)


def predictability(share: float) -> int:
    """Return how predictable a call is, in three steps."""
    return 3 if share >= 0.85 else 2 if share >= 0.6 else 1


def call_label(call: str) -> str:
    """Return a call's name as shown to people."""
    return call.replace("-", " ")
