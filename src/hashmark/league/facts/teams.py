"""The one table of teams: their names in every season, and the ways in which one may be given."""

from __future__ import annotations

from collections.abc import Iterable

from hashmark.league.facts.schedule import TEAMS, TODAY
from hashmark.table.errors import HashmarkError, UnknownName, nearest
from hashmark.table.readable import shown

# Today's names; those of the past below.
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
    **TODAY,
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
FORMER = {  # city and nickname, with the last season that they had them; the earliest first
    "LA": ((2015, "St. Louis", "Rams"),),
    "LAC": ((2016, "San Diego", "Chargers"),),
    "LV": ((2019, "Oakland", "Raiders"),),
    "WAS": ((2019, "Washington", "Redskins"), (2021, "Washington", "Football Team")),
}


def name(code: str, season: int | None = None) -> str:
    """The team's full name, with city and nickname of the time; the code if it is not known."""
    return " ".join(_city_and_nickname(code, season))


def nickname(code: str, season: int | None = None) -> str:
    """The same without the city."""
    return _city_and_nickname(code, season)[-1]


def _city_and_nickname(code: str, season: int | None) -> tuple[str, ...]:
    for last, city, called in FORMER.get(code, ()):
        if season is not None and season <= last:
            return city, called
    return NAMES.get(code, (code,))


def code(team: str, season: int) -> str:
    """The code that a team of today had in a season: OAK in 2008 for LV."""
    for then, today in TODAY.items():
        if today == team and season <= FORMER[team][-1][0]:
            return then
    return team


def read(text: str, among: Iterable[str] = TEAMS) -> str:
    """The code of a team given in any way: ARI, Arizona, Cardinals, Arizona Cardinals."""
    allowed = list(among)
    given = " ".join(text.replace("-", " ").replace("_", " ").split()).casefold()
    found = {code for spelling, code in _spellings(allowed) if spelling == given}
    if len(found) == 1:
        return found.pop()
    if found:
        both = " or ".join(f"{code} ({name(code)})" for code in sorted(found))
        raise HashmarkError(f"team {shown(text)}: which of the two, {both}?")
    near = nearest(given, (spelling for spelling, _ in _spellings(allowed)))
    meant = dict(_spellings(allowed)).get(near or "")
    if meant is None:
        raise UnknownName("team", text, allowed)
    raise HashmarkError(
        f"unknown team {shown(text)}: did you mean {meant} ({name(meant)})? "
        f"allowed: {', '.join(allowed)}, or a team's city or nickname"
    )


def _spellings(allowed: Iterable[str]) -> list[tuple[str, str]]:
    """Every way to write each team, lower case."""
    pairs = []
    for code in allowed:
        if code not in NAMES:
            pairs.append((code.casefold(), code))
            continue
        place, nickname = NAMES[code]
        ways = [code, place, nickname, f"{place} {nickname}"]
        ways += [alias for alias, of in ALIASES.items() if of == code]
        ways += [f"{city} {called}" for _, city, called in FORMER.get(code, ())]
        pairs += [(way.casefold(), code) for way in ways]
    return pairs
