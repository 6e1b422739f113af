"""Request bodies of the API, validated by pydantic."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

MAX_NUMBER = 2**53
Value = TypeVar("Value")


def _check_utf8(value: Value) -> Value:
    """Raise UnicodeEncodeError if a text contains lone surrogates, at any depth."""
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_utf8(key)
            _check_utf8(item)
    elif isinstance(value, list):
        for item in value:
            _check_utf8(item)
    return value


Text = Annotated[str, Field(max_length=200), AfterValidator(_check_utf8)]
Name = Annotated[str, Field(max_length=80), AfterValidator(_check_utf8)]
Token = Annotated[str, Field(max_length=200)]
Number = Annotated[int, Field(ge=0, le=MAX_NUMBER, strict=True)]
Team = Literal["home", "away"]
Options = Annotated[dict[str, Any], AfterValidator(_check_utf8)]


class RequestBody(BaseModel):
    """Nothing but what is asked for is taken."""

    model_config = ConfigDict(extra="forbid")


class NewTable(RequestBody):
    """A new table."""

    rules: Name = Field(description="Name of the game.", examples=["fourth-down"])
    options: Options = Field(default_factory=dict, description="Rule options.")
    seats: dict[Team, Name] = Field(
        default_factory=dict,
        description="me, friend or coach:NAME. Default: you are home, and the book coach is away.",
    )
    dice: Literal["computer", "typed"] = "computer"
    names: dict[Team, Name] = Field(default_factory=dict, description="Team names.")
    hints: Literal["demand", "never"] = Field(
        "demand", description="Whether players may see odds and best calls."
    )
    listed: bool = Field(False, description="Whether the lobby lists the game publicly.")
    chat: Literal["free", "phrases", "off"] = Field("free", description="Chat between players.")
    pace: float | None = Field(None, ge=0, le=30, description="Seconds between plays of coaches.")


class ClientSeed(RequestBody):
    """A player is ready, with a word to be mixed into the dice."""

    word: Annotated[str, Field(max_length=64), AfterValidator(_check_utf8)] = ""


class Invitation(RequestBody):
    """An invitation, as it stands behind the # of its link."""

    invitation: Token


class Answer(RequestBody):
    """A call for the question of a moment."""

    moment: Number
    call: Text


class TypedDie(RequestBody):
    """What a real die shows."""

    moment: Number
    at: Number = Field(description="Index of the die within the turn, from 0.")
    face: Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER, strict=True)]


class UndoRequest(RequestBody):
    """The moment that something is for."""

    moment: Number


class StandingOrder(RequestBody):
    """When a window is to be asked."""

    when: Literal["matters", "always", "never"]
    window: Name = Field("all", description="Name of an optional decision, or all.")


class SeatAssignment(RequestBody):
    """Who is to sit at a seat."""

    team: Team
    who: Name = Field(description="coach:NAME, or human to take the seat back.")


class Message(RequestBody):
    """A message to the other player."""

    text: Text = Field(min_length=1, examples=["Nice play!"])


class Quiet(RequestBody):
    """Whether this player wants no chat."""

    quiet: bool


class TakebackAnswer(RequestBody):
    """Whether the opponent may take their last call back."""

    accept: bool


class SeatTeam(RequestBody):
    """A seat."""

    team: Team


class NewJob(RequestBody):
    """Long work."""

    kind: Name = Field(description="season or whatif.", examples=["season"])
    settings: Options = Field(
        default_factory=dict,
        description="Settings of the job, such as season, runs and seed.",
        examples=[{"season": 2008, "runs": 1000}],
    )


class ReplayRequest(RequestBody):
    """A season on charts that were brought."""

    runs: Number = Field(1000, description="Number of simulated seasons.")
    seed: Number = 0
