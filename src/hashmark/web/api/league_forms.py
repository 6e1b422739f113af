"""Request bodies of the league API, validated by pydantic."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from hashmark.web.api.forms import Name, Options, RequestBody, Text, Token

Days = Annotated[float, Field(ge=1 / 24, le=60, description="Days for a round; an hour is 1/24.")]
TeamNumber = Annotated[int, Field(ge=0, le=31, strict=True, description="A team by its number.")]


class NewLeague(RequestBody):
    """A new league."""

    title: Text = Field(
        "", description="What it is called; else after its season or game.", examples=["Sunday"]
    )
    rules: Name = Field("data-driven", description="The game, by its name.")
    season: int | None = Field(
        None, ge=1900, le=9999, description="For data-driven: whose real teams play."
    )
    real: bool = Field(
        False, description="The season's own schedule with all its teams, and playoffs after it."
    )
    teams: Annotated[list[Name], Field(max_length=64)] = Field(
        default_factory=list, description="Their names, or real teams by code, town or nickname."
    )
    own: Annotated[list[TeamNumber], Field(max_length=32)] = Field(
        default_factory=list, description="The teams that you hold yourself."
    )
    name: Name = Field("", description="What you are called.")
    legs: Annotated[int, Field(ge=1, le=2, strict=True)] = Field(
        1, description="Each meets each once or twice."
    )
    options: Options = Field(default_factory=dict, description="Switches of the rules.")
    days: Days | None = Field(None, description="Days for a round; else when you say so.")
    hints: str = Field("demand", pattern="^(demand|never)$")
    listed: bool = Field(False, description="Whether everybody sees it among the leagues.")
    begin: bool = Field(False, description="Whether the first round is on at once.")


class TeamInvitation(RequestBody):
    """Whom an invitation to a league is for."""

    team: TeamNumber | None = Field(None, description="A team; whichever is free if left out.")


class JoinRequest(RequestBody):
    """An invitation to a league, and what its bearer wants."""

    invitation: Token
    team: TeamNumber | None = Field(None, description="Where the invitation leaves the choice.")
    name: Name = Field("", description="What you are called.")


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
        0, description="All rounds up to this one; 0: only the one that is on."
    )


class Postponement(RequestBody):
    """Another date for the round that is on."""

    days: Days | None = Field(None, description="So many days later.")
    until: Annotated[str, Field(max_length=40)] | None = Field(
        None, description="A moment, such as 2026-12-24T18:00Z; UTC if it does not say."
    )
