"""Options of Data-Driven Football, and the match made from them and a chart file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeVar

from hashmark.engine.options import Option, option_text, parse_int
from hashmark.engine.record import TEAMS
from hashmark.engine.team_names import MAX_NAME_LETTERS, check_names
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.chart_file import ChartFile, League, Team
from hashmark.games.data_driven.charts.files import find_team
from hashmark.games.data_driven.charts.layout import (
    LEAGUE_SETS,
    LONG_COLUMNS,
    PENALTY_SETS,
    ROW_SETS,
    SHORT_COLUMNS,
    SHORT_FIELD_COLUMNS,
)
from hashmark.games.data_driven.menu_choices import (
    DEFAULT_CHARTS,
    ListChoices,
    load_charts,
    pick_away,
    pick_away_plan,
    pick_charts,
    pick_home,
    pick_home_plan,
)
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.lookup_tables import build_lookup_tables, store_plan
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.tables import (
    ACTIONS,
    FORMATIONS,
    KICKOFF_SPOT,
    KICKOFF_TOUCHBACK_SPOTS,
    OVERTIME_FORMATS,
    PLAYS,
    PRIORITY_ROWS,
    QUARTER_SECONDS,
    SECONDS_ALLOWED,
    SPOTS,
    TIMEOUTS_ALLOWED,
    TOUCHBACK_SPOT,
)
from hashmark.sanitize import quote

Value = TypeVar("Value")

SUPPLEMENTS = ("fg-adjust", "qr", "big-play", "squib-return")


def _name_option(
    name: str, meaning: str, allowed: str, default: str | None, choices: ListChoices, question: str
) -> Option:
    """Return an option that names a file, a team or a plan, and that the menu asks for."""

    def parse(given: object) -> str:
        if not isinstance(given, str) or not given:
            raise HashmarkError(f"option {name}: expected a name, not {quote(given)}")
        return given

    return Option(name, meaning, (allowed,), default, parse, choices, question)


def _season_number(name: str, meaning: str, allowed: range) -> Option:
    """Return an option that the chart file or the season sets if the user does not."""
    low, high = allowed[0], allowed[-1]

    def parse(given: object) -> int:
        number = parse_int(given)
        if number is None or number not in allowed:
            raise HashmarkError(f"option {name}: {quote(given)} is not between {low} and {high}")
        return number

    return Option(name, meaning, (f"{low} to {high}",), None, parse)


def _parse_neutral(given: object) -> bool:
    if option_text(given) not in ("true", "false"):
        raise HashmarkError(f"option neutral: {quote(given)} is not true or false")
    return option_text(given) == "true"


def _parse_overtime(given: object) -> str:
    if given not in OVERTIME_FORMATS:
        raise HashmarkError(
            f"option overtime: {quote(given)} is not one of {', '.join(OVERTIME_FORMATS)}"
        )
    return str(given)


DEFAULT_ON, DEFAULT_OFF = (True, False), (False, True)
OPTIONS = (
    _name_option(
        "charts", "Name of the chart file.", "a name", DEFAULT_CHARTS, pick_charts, "Which season?"
    ),
    _name_option(
        "home_team",
        "Home team: key, code, town or nickname; 2008:ARI names a team in another file.",
        "a team",
        None,
        pick_home,
        "Which team plays at home?",
    ),
    _name_option(
        "away_team",
        "Visiting team: key, code, town or nickname; 2008:ARI names a team in another file.",
        "a team",
        None,
        pick_away,
        "Which team plays on the road?",
    ),
    _name_option(
        "home_plan",
        "Game plan of the home team.",
        "a name or a packed plan",
        "book",
        pick_home_plan,
        "Which game plan for the home team?",
    ),
    _name_option(
        "away_plan",
        "Game plan of the visiting team.",
        "a name or a packed plan",
        "book",
        pick_away_plan,
        "Which game plan for the visiting team?",
    ),
    Option("mode", "Penalty rules: basic or full (R77 to R82).", p.MODES),
    Option(
        "timing",
        "Timing rules; in full timing every third 40-second play takes 30 seconds.",
        p.MODES,
    ),
    Option("containment", "Use the defense's QR chart against scrambles.", DEFAULT_ON),
    Option("sack_rate", "Use the defense's sack-rate chart.", DEFAULT_ON),
    Option("def_penalties", "Use the defense's penalty chart.", DEFAULT_ON),
    Option("recovery_adjust", "Use the defense's recovery chart.", DEFAULT_ON),
    Option("fg_adjust", "Use the defense's field goal chart.", DEFAULT_ON),
    Option("goal_line_deduction", "Three plays gain a yard less inside the 5.", DEFAULT_OFF),
    Option(
        "max_usage", "Limit how often each play may be called, by the team's chart.", DEFAULT_OFF
    ),
    Option("big_play", "Bold short-pass results roll on the big-play chart.", DEFAULT_OFF),
    Option("muffed_snap", "Teams with the chart may muff the snap.", DEFAULT_OFF),
    Option(
        "short_field",
        "Our extension: yards are harder to gain near the goal line and on short yardage.",
        DEFAULT_OFF,
    ),
    Option(
        "home_field",
        "Our extension: faces of a d20 that add a yard to a home gain or cut one off a road gain.",
        range(p.CROWD_DIE_FACES + 1),
        0,
    ),
    Option(
        "audibles", "Audibles: off, or by the rules of the board or PC version.", p.AUDIBLE_MODES
    ),
    _season_number(
        "kickoff_spot", "Spot of kickoffs; by default the chart file's, else the 35.", SPOTS
    ),
    Option("safety_kick_spot", "Spot of the free kick after a safety.", SPOTS, 20),
    _season_number(
        "touchback_spot", "Spot after a touchback; by default the 20, kickoffs excepted.", SPOTS
    ),
    _season_number(
        "kick_touchback_spot",
        "Spot after a kickoff touchback; by default touchback_spot if given, else the season's.",
        SPOTS,
    ),
    Option(
        "fg_depth",
        "Yards behind the line where the opponents take over after a miss.",
        range(21),
        8,
    ),
    Option("five_fifteen", "A 15-yard foul overrides a 5-yard foul of the other team.", DEFAULT_ON),
    Option("squib_coverage", "Use the coverage chart on squib returns.", DEFAULT_ON),
    Option("untimed_down", "A defensive penalty extends the half by one play.", DEFAULT_ON),
    Option("offence_fumble_return", "A team may advance its own fumble.", DEFAULT_OFF),
    Option("def5_presnap_roll", "In full mode, DEF 5 rolls on the pre-snap chart.", DEFAULT_OFF),
    Option("playoff", "Play overtime until one team wins.", DEFAULT_OFF),
    Option("spike_seconds", "Seconds that a spike takes.", range(61), 0),
    Option(
        "pi_weight", "Faces for pass interference on the die that picks a foul.", range(1, 6), 1
    ),
    Option("quarter_seconds", "Length of a quarter in seconds.", SECONDS_ALLOWED, QUARTER_SECONDS),
    Option("overtime", "Overtime format.", OVERTIME_FORMATS, None, _parse_overtime),
    _season_number("overtime_seconds", "Length of an overtime period in seconds.", SECONDS_ALLOWED),
    _season_number("overtime_timeouts", "Time-outs per team in overtime.", TIMEOUTS_ALLOWED),
    Option(
        "all_punt_fouls_offset",
        "Fouls on a punt and its return always offset, even by the same team.",
        DEFAULT_OFF,
    ),
    Option("decline_holding", "Offensive holding in the end zone may be declined.", DEFAULT_ON),
    Option(
        "neutral",
        "Neutral field: no home or road effects.",
        ("false", "true"),
        False,
        _parse_neutral,
    ),
)
PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {
        "mode": "full",
        "timing": "full",
        "goal_line_deduction": True,
        "max_usage": True,
        "big_play": True,
        "audibles": "board",
    },
    "short": {"quarter_seconds": 300},
}
PRESET_MEANINGS = {
    "recommended": "the full game with the rulebook's recommended options",
    "short": "quarters of 5 minutes",
}
QUICK_START = {
    "charts": "2025",
    "home_team": "SEA-2025",
    "away_team": "NE-2025",
    "home_plan": "2025:SEA",
    "away_plan": "2025:NE",
}
"""The last Super Bowl that the charts have."""


# --- The match -----------------------------------------------------------------------


def find_teams(file: ChartFile, values: Mapping[str, Any]) -> tuple[Team, Team]:
    """Return the two teams: those named, else the first and the last of the file."""
    keys = list(file.teams)
    if len(keys) < 1:
        raise HashmarkError(f"{file.path.name} has no teams")
    try:
        home, away = values["home_team"] or keys[0], values["away_team"] or keys[-1]
        return find_team(file, home), find_team(file, away)
    except HashmarkError as fault:
        if values["charts"] != DEFAULT_CHARTS:
            raise
        raise HashmarkError(
            f"{fault}; for real teams choose a season, such as -o charts=2008"
        ) from None


def team_names(values: Mapping[str, Any]) -> tuple[str, str]:
    """Return the teams' names for display: their towns, else full names, else keys."""
    pair = find_teams(load_charts(values), values)
    for name in (_town_name, lambda team: team.name, lambda team: team.key):
        home, away = (str(name(team))[:MAX_NAME_LETTERS].strip() for team in pair)
        with suppress(HashmarkError):
            return check_names(home, away)
    return TEAMS


def _town_name(team: Team) -> str:
    """Return the name without the nickname: Arizona for the Arizona Cardinals."""
    return team.name.removesuffix(" Football Team").rpartition(" ")[0] or team.name


def make_match(m: Match, values: Mapping[str, Any]) -> None:
    """Fill in the fields that come from the chart file: both teams' charts and the league's."""
    for option in OPTIONS:
        if option.allowed in (DEFAULT_ON, DEFAULT_OFF):
            setattr(m, option.name, int(values[option.name]))
    file = load_charts(values)
    home, away = find_teams(file, values)
    _fill_charts(m, file, (home, away))
    _fill_league(m, file, values)
    _fill_touchbacks(m, values, kick_touchback_spot(file, home, away))
    m.audible_counts = count_audibles(home, away, values["neutral"])
    if values["neutral"]:
        m.home_field = 0
    _fill_plans(m, ("book", "bold", values["home_plan"], values["away_plan"]))


def _fill_touchbacks(m: Match, values: Mapping[str, Any], season: int) -> None:
    """R51: Set one spot if it is given, else the 20, and the season's spot for kickoffs."""
    given = values["touchback_spot"]
    m.touchback_spot = first_given(given, None, TOUCHBACK_SPOT)
    m.kick_touchback_spot = first_given(values["kick_touchback_spot"], given, season)


def _fill_charts(m: Match, file: ChartFile, teams: tuple[Team, Team]) -> None:
    """Store the cells and row sets of both teams, in the order of the layout."""
    m.long_cells, m.short_cells, m.row_sets, m.set_kinds = [], [], [], []
    m.supplements, m.usage, m.penalty_rows = [], [], []
    for team in teams:
        columns = {**file.league.columns, **team.columns}
        for column in LONG_COLUMNS:
            m.long_cells += columns.get(column.name, (c.BLANK,) * len(column.rows))
        for column in SHORT_COLUMNS:
            m.short_cells += columns.get(column.name, (c.BLANK,) * len(column.rows))
        for name in ROW_SETS:
            row_set = (file.league if name in LEAGUE_SETS else team).sets.get(name)
            mask = row_set.mask if row_set else 0
            m.row_sets += [mask >> bit & 1 for bit in range(c.LONG_SIZE)]
            m.set_kinds.append(row_set.kind if row_set else 0)
        m.penalty_rows += _penalty_rows(team)
        m.supplements += [int(name in columns) for name in SUPPLEMENTS]
        m.usage += team.max_usage or (p.NO_LIMIT,) * len(PLAYS)
    m.sack_yards = [team.sack_yards for team in teams]
    m.qr_yards = [team.qr_yards for team in teams]
    m.hurry_up = [team.hurry_up for team in teams]
    m.longest_kick = [longest_kick_yards(team) for team in teams]


def _penalty_rows(team: Team) -> list[int]:
    """R89: Return for each row 16 plus a bit for each penalty-chart column that contains it."""
    rows = [16] * c.LONG_SIZE
    for bit, name in enumerate(PENALTY_SETS):
        mask = team.sets[name].mask if name in team.sets else 0
        rows = [row | (mask >> index & 1) << bit for index, row in enumerate(rows)]
    return rows


def _fill_plans(m: Match, names: tuple[str, ...]) -> None:
    """Store the game plans, each in its slot."""
    for slot, name in enumerate(names):
        store_plan(m, slot, build_lookup_tables(plans.load(name)))


def longest_kick_yards(team: Team) -> int:
    """R65: Return the largest number on the field goal chart."""
    numbers = [c.number_of(cell) for cell in team.columns["field-goal"] if c.is_number(cell)]
    return max(numbers, default=0)


def count_audibles(home: Team, away: Team, neutral: bool = False) -> list[int]:
    """R111: Return the audibles: the visitors' less crowd plus road, limited to 0 to 3.

    On neutral ground both teams have their own.
    """
    if neutral:
        return [*home.home_field[:2], *away.home_field[:2]]
    hfa, road = home.home_field[2], away.home_field[3]
    visiting = [max(0, min(3, own - hfa + road)) for own in away.home_field[:2]]
    return [*home.home_field[:2], *visiting]


def season_touchback(season: int) -> int:
    """Return the spot after a kickoff touchback in a season; other touchbacks go to the 20."""
    return next(
        (spot for since, spot in KICKOFF_TOUCHBACK_SPOTS if season >= since), TOUCHBACK_SPOT
    )


def kick_touchback_spot(file: ChartFile, home: Team, away: Team) -> int:
    """Return the spot of both teams' season, or the rulebook's if the seasons disagree."""
    seasons = [team.season or file.league.season for team in (home, away)]
    spots = {season_touchback(season) for season in seasons}
    return spots.pop() if len(spots) == 1 and all(seasons) else TOUCHBACK_SPOT


def encode_priority_chart(league: League) -> list[int]:
    """Return the Priority Chart in the form the rules read."""
    return [ACTIONS.index(action) for row in PRIORITY_ROWS for action in league.priority[row]]


def first_given(given: Value | None, season: Value | None, usual: Value) -> Value:
    """Return the user's value of a constant, else the season's, else that of the rules."""
    return given if given is not None else season if season is not None else usual


def _fill_league(m: Match, file: ChartFile, values: Mapping[str, Any]) -> None:
    """Store the league's tables, and the constants that a season may set."""
    league = file.league
    stops = [league.columns.get(column.name) for column in SHORT_FIELD_COLUMNS]
    m.short_field = int(bool(m.short_field) and any(stops))
    m.short_field_cells = [cell for column in stops for cell in column or (c.BLANK,) * c.LONG_SIZE]
    m.priority = encode_priority_chart(league)
    m.mismatch = [0] * (len(PLAYS) * len(FORMATIONS))
    for bit, side in enumerate(("offence", "defence")):
        for pair in league.mismatch[side].split():
            cell = (int(pair[0]) - 1) * len(FORMATIONS) + "ABCDEF".index(pair[1])
            m.mismatch[cell] |= 1 << bit

    m.kickoff_spot = first_given(values["kickoff_spot"], league.kickoff_spot, KICKOFF_SPOT)
    m.overtime_seconds = first_given(
        values["overtime_seconds"], league.overtime_seconds, QUARTER_SECONDS
    )
    m.overtime_timeouts = first_given(values["overtime_timeouts"], league.overtime_timeouts, 2)
    overtime = first_given(values["overtime"], league.overtime, OVERTIME_FORMATS[0])
    m.overtime = OVERTIME_FORMATS.index(overtime)


# --- Hooks ---------------------------------------------------------------------------


def normalize_call(name: str) -> str:
    """Normalize the name of a pooch punt: drop leading zeros; one of zero yards is a punt."""
    kind, dash, yards = name.partition("-")
    if kind == "pooch" and dash and yards.isascii() and yards.isdigit():
        short = yards.lstrip("0")
        return f"pooch-{short}" if short else "punt"
    return name
