"""A game as text: scoreboard, field, play-by-play, box score and drives."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hashmark.engine.game import Game, Turn
from hashmark.engine.position_id import PositionEncoder
from hashmark.engine.record import AWAY, HOME, PositionRecord, winner
from hashmark.engine.rolls import RollGroup
from hashmark.engine.rule_set import NO_CALL
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.text import summary
from hashmark.text.phrases import YOU, capitalize, short_yard_line, team_clause
from hashmark.text.tables import format_table

Echo = Callable[[str], object]
LINE_COLUMNS = 79  # columns of a line of the play-by-play, if it can be broken
WIDE_COLUMNS, NARROW_COLUMNS = 50, 40  # of the field: 100 yards
MARGIN_COLUMNS = 5  # beside the field and the names
SCORE_HEADINGS = ("team", "period", "clock", "score", "how")
DRIVE_HEADINGS = ("drive", "from", "result", "period", "clock", "yards", "time", "score")


def scoreboard(game: Game) -> str:
    """Return scores and clock in a line."""
    g = game.position
    teams = [team.upper() for team in playing_teams(game)]
    scores = _score_text(teams, g.score, "   ")
    return f" {scores}      {game.rules.words.clock(game.match, g)}"


def score_text(game: Game, score: Sequence[int]) -> str:
    """Return the score of all teams as text."""
    return _score_text(playing_teams(game), score, ", ")


def _score_text(teams: Sequence[str], score: Sequence[int], gap: str) -> str:
    """Return each team with its points; in a solo game also the lead."""
    words = gap.join(f"{team} {score[index]}" for index, team in enumerate(teams))
    return f"{words} ({_solo_lead(score[0] - score[1])})" if len(teams) == 1 else words


def playing_teams(game: Game) -> tuple[str, ...]:
    """Return the names of the teams that play: one in a solo game."""
    return _playing(game, game.names)


def _playing(game: Game, names: TeamNames) -> tuple[str, ...]:
    return names[:1] if game.rules.is_solo(game.match) else names


def _solo_lead(lead: int) -> str:
    """Describe the score of a solo game."""
    return f"{lead} ahead" if lead > 0 else f"{-lead} behind" if lead else "tied"


def situation_lines(game: Game) -> list[str]:
    """Return scoreboard, field and situation."""
    g, words = game.position, game.rules.words
    lines = [scoreboard(game)]
    if g.possession >= 0:
        names, to_gain = short_names(game.names), words.line_to_gain(game.match, g)
        width = field_width(shutil.get_terminal_size((100, 24)).columns, names)
        lines += draw_field(g.possession, g.spot, to_gain, names, width)
    return [*lines, f" {capitalize(words.situation(game.match, g, game.names))}."]


def field_width(columns: int, names: TeamNames) -> int:
    """Return the width of the field beside these names on a terminal of this many columns."""
    needed = WIDE_COLUMNS + MARGIN_COLUMNS + len("".join(names))
    return WIDE_COLUMNS if columns > needed else NARROW_COLUMNS


def _column(team: int, spot: int, width: int) -> int:
    """Return the column of a spot; the home team defends the left goal line."""
    yard = spot if team == HOME else 100 - spot
    return min(width - 1, max(0, yard * width // 100))


def draw_field(
    team: int, spot: int, to_gain: int | None, names: TeamNames, width: int = WIDE_COLUMNS
) -> list[str]:
    """Return the field in two lines: yard numbers, and the ball with the line to gain, if any."""
    numbers, turf = [" "] * (width + 2), ["."] * width
    for yard in range(10, 100, 10):
        position = yard * width // 100
        numbers[position : position + 2] = str(min(yard, 100 - yard))
        turf[position] = "|"
    if to_gain is not None and 0 < to_gain < 100:
        turf[_column(team, to_gain, width)] = "!"
    if team >= 0 and 0 < spot < 100:
        turf[_column(team, spot, width)] = ">" if team == HOME else "<"
    left, right = names
    return [
        f" {' ' * len(left)}  {''.join(numbers).rstrip()}",
        f" {left} [{''.join(turf)}] {right}",
    ]


def dice_on_table(game: Game) -> list[str]:
    """Return the dice or cards on the table while a play is decided, if the game draws them."""
    draw_lines = game.rules.words.dice_lines
    if draw_lines is None:
        return []
    return [f" {line}" for line in draw_lines(game.match, game.position, game.names)]


# --- The play-by-play --------------------------------------------------------------------


def _was_secret(game: Game, turn: Turn) -> bool:
    """Return whether the call was secret and the viewer knows it: the revealing turn names it."""
    question = game.rules.questions[game.rules.question(game.match, turn.before)]
    return not turn.is_call_hidden and turn.call in question.secret_calls


def _was_passed(game: Game, turn: Turn) -> bool:
    """Return whether the turn is the default of a window."""
    question = game.rules.questions[game.rules.question(game.match, turn.before)]
    return question.is_window and turn.call == question.default


def roll_texts(game: Game, turn: Turn) -> list[str]:
    """Return the dice of a turn, each roll with its purpose."""
    is_own = len(playing_teams(game)) == 1 or all(team == turn.team for team, _ in turn.faces)
    return [_roll_text(group, is_own, game.names) for group in game.roll_groups(turn)]


def _roll_text(group: RollGroup, is_own: bool, names: TeamNames) -> str:
    """Describe a roll ("yardage: home 6 1, away 5 5"); the team is omitted if it has called."""
    teams = dict.fromkeys(die.team for die in group.dice)
    faces = ", ".join(
        ("" if is_own else f"{names[team]} ")
        + " ".join(str(die.face) for die in group.dice if die.team == team)
        for team in teams
    )
    bonus = f", bonus {group.purpose.bonus:+d}" if group.purpose.bonus else ""
    reads = f" = {group.purpose.result_text}" if group.purpose.result_text else ""
    return f"{group.purpose.label}: {faces}{bonus}{reads}"


def call_line(game: Game, turn: Turn) -> str | None:
    """Return which team called what; for dice alone, that they are dice."""
    if turn.is_call_hidden:
        return team_clause(game.names[turn.team], "[has] made a secret call")
    if turn.call == NO_CALL:
        return "dice" if turn.faces else None
    return team_clause(game.names[turn.team], f"[calls] {game.rules.calls[turn.call]}")


def play_heading(game: Game, turn: Turn) -> str | None:
    """Return period, clock, score, down and distance before a play; None in the middle of one."""
    begins = game.rules.begins_play(game.match, turn.before)
    return situation_heading(game, turn.before) if begins else None


def situation_heading(game: Game, g: PositionRecord) -> str:
    """Return period, clock, score, down and distance in a line, with short names."""
    words, names = game.rules.words, short_names(game.names)
    score = _score_text(_playing(game, names), g.score, ", ")
    situation = words.situation(game.match, g, names)
    return f"{capitalize(words.when(game.match, g))} | {score} | {situation}"


@dataclass(frozen=True)
class PlayLine:
    """A line of the play-by-play: the heading of a play, a call with its dice, or a sentence."""

    kind: Literal["heading", "call", "text"]
    text: str
    dice: tuple[str, ...] = ()  # rows of rolls that fit a line of text

    def text_lines(self) -> list[str]:
        """Return the line as text: a call after a dash, its dice in brackets beside and below."""
        if self.kind == "heading":
            return [self.text]
        if self.kind == "text":
            return [f"  {self.text}"]
        first, rows = f"- {self.text}", [*self.dice]
        if rows:
            rows[0] = f"[{rows[0]}"
            rows[-1] += "]"
            if len(f"{first}  {rows[0]}") <= LINE_COLUMNS:
                first += f"  {rows.pop(0)}"
        return [first, *(f"    {row}" for row in rows)]


def turn_lines(
    game: Game, turn: Turn, everything: bool = False, remark: str = ""
) -> list[PlayLine]:
    """Return one turn: the call with a remark on it, its dice, and its events as sentences.

    Without `everything`, uninformative calls are omitted: a window that was passed, and a secret
    call, which the sentence that reveals it names.
    """
    call, sentences = call_line(game, turn), game.sentences(turn)
    call = f"{call} ({remark})" if call and remark else call
    secret = _was_secret(game, turn)
    if not everything and (secret or _was_passed(game, turn)):
        call = "dice" if turn.faces else None
        if sentences and (turn.faces or secret):
            call, sentences = sentences[0].rstrip("."), sentences[1:]
    lines = [PlayLine("text", sentence) for sentence in sentences]
    if not call:
        return lines
    return [PlayLine("call", call, _dice_rows(call, roll_texts(game, turn))), *lines]


def _dice_rows(call: str, rolls: Sequence[str]) -> tuple[str, ...]:
    """Return the rolls of a call in rows, broken where a line of text grows too long."""
    rows, room = [""], LINE_COLUMNS - len(f"- {call}  [")
    for roll in rolls:
        row = f"{rows[-1]} {roll};".lstrip()
        if len(row) <= room:
            rows[-1] = row
        else:
            room = LINE_COLUMNS - len("    [" if rows == [""] else "    ")
            rows.append(f"{roll};")
    rows[-1] = rows[-1].removesuffix(";")
    return tuple(filter(None, rows))


@dataclass
class PlayByPlay:
    """The lines of turn after turn, each play under its heading once there is a line of it."""

    pending_heading: str | None = None  # the heading of a play without a line so far
    last_heading: str | None = None

    def next_lines(
        self, game: Game, turn: Turn, everything: bool = False, remark: str = ""
    ) -> list[PlayLine]:
        """Return the lines of the next turn."""
        self.pending_heading = play_heading(game, turn) or self.pending_heading
        lines = turn_lines(game, turn, everything, remark)
        if not lines:
            return []
        heading, self.pending_heading = self.pending_heading, None
        if heading is None or heading == self.last_heading:
            return lines
        self.last_heading = heading
        return [PlayLine("heading", heading), *lines]


def play_lines(game: Game, turns: Iterable[Turn], everything: bool = False) -> Iterator[PlayLine]:
    """Yield the play-by-play: each play under its period, clock, score, down and distance."""
    plays = PlayByPlay()
    for turn in turns:
        yield from plays.next_lines(game, turn, everything)


def print_lines(lines: Iterable[PlayLine], echo: Echo) -> None:
    """Print lines of the play-by-play."""
    for line in lines:
        for text in line.text_lines():
            echo(text)


def print_turn(
    game: Game, turn: Turn, echo: Echo, everything: bool = False, remark: str = ""
) -> None:
    """Print one turn without its heading; see `turn_lines`."""
    print_lines(turn_lines(game, turn, everything, remark), echo)


def print_history(game: Game, echo: Echo, everything: bool = False) -> None:
    """Print the whole play-by-play."""
    print_lines(play_lines(game, game.turns, everything), echo)


def print_position_id(game: Game, echo: Echo) -> None:
    """Print the position of a game in progress as a line for commands that take a position."""
    position_id = None if game.is_over else position_id_of(game)
    if position_id is not None:
        echo(f"position {position_id}")


def position_id_of(game: Game) -> str | None:
    """Return the ID of the position, if it has one."""
    return PositionEncoder(game.rules, game.options).encode_or_none(game.position)


# --- Figures ------------------------------------------------------------------------------


def score_rows(game: Game) -> list[list[str]]:
    """Return the scoring summary: team, period, clock, the score then, and how."""
    words = game.rules.words
    return [
        [
            game.names[score.team],
            words.period_name(score.period),
            words.format_time(score.clock),
            f"{score.score[0]}-{score.score[1]}",
            score.how,
        ]
        for score in summary.list_scores(game)
    ]


def drive_rows(game: Game) -> list[list[str]]:
    """Return the drive list."""
    words = game.rules.words
    return [
        [
            game.names[drive.team],
            short_yard_line(drive.team, drive.spot, game.names),
            drive.result,
            words.period_name(drive.period),
            words.format_time(drive.clock),
            str(drive.yards),
            words.format_time(drive.time),
            f"{drive.score[0]}-{drive.score[1]}",
        ]
        for drive in summary.list_drives(game)
    ]


def result_text(game: Game, own_team: int | None = None) -> str:
    """Return the result: "You win 21–20" to the player of a team, "The Bombers win" to others."""
    won = winner(game.position)
    team = own_team if own_team is not None else won if len(playing_teams(game)) == 2 else HOME
    if team not in (HOME, AWAY):
        return f"Tie game, {_score_from(game, HOME)}"
    verb = "[ties]" if won not in (HOME, AWAY) else "[wins]" if won == team else "[loses]"
    name = YOU if own_team is not None else game.names[team]
    return capitalize(team_clause(name, f"{verb} {_score_from(game, team)}"))


def _score_from(game: Game, team: int) -> str:
    """Return the score from a team's point of view: "21–20"."""
    score = game.position.score
    return f"{int(score[team])}–{int(score[1 - team])}"


def print_summary(game: Game, echo: Echo) -> None:
    """Print the final score, the box score by team, the scores and the drive list."""
    echo("")
    for line in situation_lines(game):
        echo(line)
    echo("")
    teams, box = playing_teams(game), summary.box_rows(game.rules, game)
    for line in format_table(("", *teams), [row[: 1 + len(teams)] for row in box]):
        echo(line)
    lines: list[str] = []
    if scores := score_rows(game):
        lines += ["", *format_table(SCORE_HEADINGS, scores, left_columns=2, text_columns=1)]
    if drives := drive_rows(game):
        lines += ["", *format_table(DRIVE_HEADINGS, drives, left_columns=3)]
    for line in lines:
        echo(line)
