"""Team names in every season, and the spellings that identify a team."""

from __future__ import annotations

from collections.abc import Iterable

from hashmark.errors import HashmarkError, UnknownName, closest_name
from hashmark.league.data.schedule import CURRENT_CODES, TEAMS
from hashmark.sanitize import quote

# Current names; former ones are below.
NAMES = {
    "ARI": ("Arizona", "Cardinals"),
    "ATL": ("Atlanta", "Falcons"),
    "BAL": ("Baltimore", "Ravens"),
    "BUF": ("Buffalo", "Bills"),
    "CAR": ("Carolina", "Panthers"),
    "CHI": ("Chicago", "Bears"),
    "CIN": ("Cincinnati", "Bengals"),
    "CLE": ("Cleveland", "Browns"),
    "DAL": ("Dallas", "Cowboys"),
    "DEN": ("Denver", "Broncos"),
    "DET": ("Detroit", "Lions"),
    "GB": ("Green Bay", "Packers"),
    "HOU": ("Houston", "Texans"),
    "IND": ("Indianapolis", "Colts"),
    "JAX": ("Jacksonville", "Jaguars"),
    "KC": ("Kansas City", "Chiefs"),
    "LA": ("Los Angeles", "Rams"),
    "LAC": ("Los Angeles", "Chargers"),
    "LV": ("Las Vegas", "Raiders"),
    "MIA": ("Miami", "Dolphins"),
    "MIN": ("Minnesota", "Vikings"),
    "NE": ("New England", "Patriots"),
    "NO": ("New Orleans", "Saints"),
    "NYG": ("New York", "Giants"),
    "NYJ": ("New York", "Jets"),
    "PHI": ("Philadelphia", "Eagles"),
    "PIT": ("Pittsburgh", "Steelers"),
    "SEA": ("Seattle", "Seahawks"),
    "SF": ("San Francisco", "49ers"),
    "TB": ("Tampa Bay", "Buccaneers"),
    "TEN": ("Tennessee", "Titans"),
    "WAS": ("Washington", "Commanders"),
}
ALIASES = {
    **CURRENT_CODES,
    "ARZ": "ARI",
    "JAC": "JAX",
    "LAR": "LA",
    "WSH": "WAS",
    "St. Louis": "LA",
    "St Louis": "LA",
    "San Diego": "LAC",
    "Oakland": "LV",
    "Redskins": "WAS",
    "Bucs": "TB",
    "Niners": "SF",
    "Pats": "NE",
}
FORMER_NAMES = {  # last season, city and nickname; earliest first
    "LA": ((2015, "St. Louis", "Rams"),),
    "LAC": ((2016, "San Diego", "Chargers"),),
    "LV": ((2019, "Oakland", "Raiders"),),
    "WAS": ((2019, "Washington", "Redskins"), (2021, "Washington", "Football Team")),
}


def full_name(code: str, season: int | None = None) -> str:
    """Return the full name in a season, city and nickname; the code if unknown."""
    return " ".join(_city_and_nickname(code, season))


def nickname(code: str, season: int | None = None) -> str:
    """Return the nickname in a season, without the city."""
    return _city_and_nickname(code, season)[-1]


def _city_and_nickname(code: str, season: int | None) -> tuple[str, ...]:
    for last_season, city, nick in FORMER_NAMES.get(code, ()):
        if season is not None and season <= last_season:
            return city, nick
    return NAMES.get(code, (code,))


def code_in_season(team: str, season: int) -> str:
    """Return the code that a current team had in a season: OAK in 2008 for LV."""
    for former, current in CURRENT_CODES.items():
        if current == team and season <= FORMER_NAMES[team][-1][0]:
            return former
    return team


def parse_team(text: str, among: Iterable[str] = TEAMS) -> str:
    """Return the code of a team given as code, city, nickname or full name."""
    allowed = list(among)
    normalized = " ".join(text.replace("-", " ").replace("_", " ").split()).casefold()
    matches = {code for spelling, code in _spellings(allowed) if spelling == normalized}
    if len(matches) == 1:
        return matches.pop()
    if matches:
        candidates = " or ".join(f"{code} ({full_name(code)})" for code in sorted(matches))
        raise HashmarkError(f"team {quote(text)} is ambiguous: {candidates}?")
    closest = closest_name(normalized, (spelling for spelling, _ in _spellings(allowed)))
    suggestion = dict(_spellings(allowed)).get(closest or "")
    if suggestion is None:
        raise UnknownName("team", text, allowed)
    raise HashmarkError(
        f"unknown team {quote(text)}: did you mean {suggestion} ({full_name(suggestion)})? "
        f"allowed: {', '.join(allowed)}, or a team's city or nickname"
    )


def _spellings(allowed: Iterable[str]) -> list[tuple[str, str]]:
    """Return every accepted spelling of each team in lower case, with its code."""
    pairs = []
    for code in allowed:
        if code not in NAMES:
            pairs.append((code.casefold(), code))
            continue
        city_today, nickname = NAMES[code]
        spellings = [code, city_today, nickname, f"{city_today} {nickname}"]
        spellings += [alias for alias, target in ALIASES.items() if target == code]
        spellings += [
            f"{city} {former_nickname}" for _, city, former_nickname in FORMER_NAMES.get(code, ())
        ]
        pairs += [(spelling.casefold(), code) for spelling in spellings]
    return pairs
