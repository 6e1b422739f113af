"""Game plans of real teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hashmark import extras
from hashmark.api.tables import TableView, percent
from hashmark.api.teams import parse_season
from hashmark.league.seasons.real_teams import parse_real_team

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from hashmark.games.data_driven.plans.plan import Plan as GamePlan

MAX_TO_GO_OF_MAP = 15
FOURTH_DOWN_NAMES = {"play": "go for it", "field-goal": "field goal"} | dict.fromkeys(
    ("pooch-5", "pooch-10", "pooch-15"), "punt"
)
SHOWN_HABITS = ("runs on 1st & 10", "runs on 3rd & 2")  # in the line of a plan


class Plan(TableView):
    """A game plan: how often each call is made in each situation."""

    def __init__(self, plan: GamePlan) -> None:
        self._plan = plan

    @property
    def name(self) -> str:
        """The name of the plan."""
        return self._plan.name

    def frame(self) -> pl.DataFrame:
        """Return a row for each situation and call with its share."""
        extras.require("frame()", "polars")
        import polars as pl

        from hashmark.games.data_driven.plans.text import describe_situation, share_fractions

        rows = [
            {
                "section": section,
                "situation": describe_situation(entry.when),
                "call": call,
                "share": share,
            }
            for section, entries in self._plan.sections().items()
            for entry in entries
            for call, share in share_fractions(entry).items()
        ]
        return pl.DataFrame(rows)

    def to_toml(self) -> str:
        """Return the plan as a file to edit."""
        from hashmark.games.data_driven.plans.text import write_plan

        return write_plan(self._plan)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what the plan calls most on fourth down, by spot and distance, in an open game."""
        from hashmark.api.plots import fourth_down_map

        return fourth_down_map(fourth_down_calls(self._plan), ax)

    def _habits(self) -> dict[str, float]:
        from hashmark.league.plans.habits import habit_shares

        return habit_shares(self._plan)

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import chart_svg
        from hashmark.reports.axis import percent as percent_label
        from hashmark.reports.bar_chart import BarRow, draw_bar_chart

        bars = [BarRow(habit, share, percent(share, 0)) for habit, share in self._habits().items()]
        description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
        title = f"Habits of the plan {self.name}"
        return chart_svg(draw_bar_chart(title, description, bars, percent_label))

    def __repr__(self) -> str:
        habits = self._habits()
        words = ", ".join(f"{percent(habits[name], 0)} {name}" for name in SHOWN_HABITS)
        return f"<Plan {self.name}: {words}>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        return ("habit", "share"), [(k, percent(v)) for k, v in self._habits().items()]


def fourth_down_calls(plan: GamePlan) -> list[list[str | None]]:
    """Return the most frequent fourth-down call by yards to go and spot; None where none fits."""
    from hashmark.games.data_driven.plans.plan import INSTEAD_CALLS
    from hashmark.league.whatifs.plan_changes import GameSituation, call_mix

    def most_frequent(to_go: int, spot: int) -> str | None:
        if spot + to_go > 100:
            return None
        shares = call_mix(plan, "instead", GameSituation(4, to_go, spot))
        call = "play" if shares is None else INSTEAD_CALLS[shares.index(max(shares))]
        return FOURTH_DOWN_NAMES.get(call, call)

    return [
        [most_frequent(to_go, spot) for spot in range(1, 100)]
        for to_go in range(1, MAX_TO_GO_OF_MAP + 1)
    ]


def plan(name: str, season: int | None = None) -> Plan:
    """Return a game plan: how a team really called in a season, or a plan by its name.

    >>> import hashmark as hm
    >>> hm.plan("ARI", 2008)
    <Plan 2008:ARI: 42 % runs on 1st & 10, 14 % runs on 3rd & 2>
    >>> hm.plan("book").name
    'book'

    A team may be given by code, city or nickname, of today or of the time; `league` is the average
    team of the season. A name may also be the path of a plan file.
    """
    from hashmark.games.data_driven.plans import plan as plans

    if season is None:
        real = parse_real_team(name)
        return plan(real[1], real[0]) if real else Plan(plans.load(name))
    from hashmark.league.data.teams import parse_team

    code = name if name == plans.LEAGUE else parse_team(name)
    return Plan(plans.load(f"{parse_season(season)}:{code}"))
