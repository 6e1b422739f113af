"""Request bodies of the league API, validated by pydantic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from hashmark.web.api.forms import Name, Options, RequestBody, Text, Token

Days = Annotated[float, Field(ge=1 / 24, le=60, description="Days per round; an hour is 1/24.")]
TeamNumber = Annotated[int, Field(ge=0, le=31, strict=True, description="Number of the team.")]


class NewLeague(RequestBody):
    """A new league."""

    title: Text = Field(
        "", description="Title; by default named after its season or game.", examples=["Sunday"]
    )
    rules: Name = Field("data-driven", description="Name of the game.")
    season: int | None = Field(
        None, ge=1900, le=9999, description="For data-driven: the season of the real teams."
    )
    real: bool = Field(
        False, description="Play the real schedule with all teams, and the playoffs."
    )
    teams: Annotated[list[Name], Field(max_length=64)] = Field(
        default_factory=list, description="Team names, or real teams by code, city or nickname."
    )
    own: Annotated[list[TeamNumber], Field(max_length=32)] = Field(
        default_factory=list, description="The teams you play yourself."
    )
    name: Name = Field("", description="Your name.")
    legs: Annotated[int, Field(ge=1, le=2, strict=True)] = Field(
        1, description="How often teams play each other: 1 or 2."
    )
    options: Options = Field(default_factory=dict, description="Rule options.")
    days: Days | None = Field(None, description="Days per round; no deadline by default.")
    hints: str = Field("demand", pattern="^(demand|never)$")
    listed: bool = Field(False, description="Whether the league is listed publicly.")
    begin: bool = Field(False, description="Whether to start the first round right away.")


class TeamInvitation(RequestBody):
    """Whom an invitation to a league is for."""

    team: TeamNumber | None = Field(None, description="Team number; any free team by default.")


class JoinRequest(RequestBody):
    """An invitation to a league, and what its bearer wants."""

    invitation: Token
    team: TeamNumber | None = Field(None, description="Team number, if you can choose.")
    name: Name = Field("", description="Your name.")


class TeamClaim(RequestBody):
    """A team that somebody takes or gives up."""

    team: TeamNumber
    name: Name = ""


class LeagueTeam(RequestBody):
    """A team."""

    team: TeamNumber


class CoachedRounds(RequestBody):
    """How much is left to the coaches."""

    upto: Annotated[int, Field(ge=0, le=99, strict=True)] = Field(
        0, description="All rounds through this one; 0 is the current round only."
    )


class Postponement(RequestBody):
    """Another date for the round that is on."""

    days: Days | None = Field(None, description="Days to extend by.")
    until: Annotated[str, Field(max_length=40)] | None = Field(
        None, description="New deadline, such as 2026-12-24T18:00Z; UTC by default."
    )
