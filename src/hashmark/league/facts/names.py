"""Names of the teams, by today's codes and by season."""

from __future__ import annotations

NAMES = {
    "ARI": "Arizona Cardinals",
    "ATL": "Atlanta Falcons",
    "BAL": "Baltimore Ravens",
    "BUF": "Buffalo Bills",
    "CAR": "Carolina Panthers",
    "CHI": "Chicago Bears",
    "CIN": "Cincinnati Bengals",
    "CLE": "Cleveland Browns",
    "DAL": "Dallas Cowboys",
    "DEN": "Denver Broncos",
    "DET": "Detroit Lions",
    "GB": "Green Bay Packers",
    "HOU": "Houston Texans",
    "IND": "Indianapolis Colts",
    "JAX": "Jacksonville Jaguars",
    "KC": "Kansas City Chiefs",
    "LA": "Los Angeles Rams",
    "LAC": "Los Angeles Chargers",
    "LV": "Las Vegas Raiders",
    "MIA": "Miami Dolphins",
    "MIN": "Minnesota Vikings",
    "NE": "New England Patriots",
    "NO": "New Orleans Saints",
    "NYG": "New York Giants",
    "NYJ": "New York Jets",
    "PHI": "Philadelphia Eagles",
    "PIT": "Pittsburgh Steelers",
    "SEA": "Seattle Seahawks",
    "SF": "San Francisco 49ers",
    "TB": "Tampa Bay Buccaneers",
    "TEN": "Tennessee Titans",
    "WAS": "Washington Commanders",
}
FORMER = {  # code: names with the last season that they had it
    "LA": ((2015, "St. Louis Rams"),),
    "LAC": ((2016, "San Diego Chargers"),),
    "LV": ((2019, "Oakland Raiders"),),
    "WAS": ((2019, "Washington Redskins"), (2021, "Washington Football Team")),
}


def name_of(code: str, season: int) -> str:
    """The team's name in that season; the code where it is not known."""
    for last, name in FORMER.get(code, ()):
        if season <= last:
            return name
    return NAMES.get(code, code)
