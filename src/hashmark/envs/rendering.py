"""Image of the field as an RGB array, drawn with NumPy only, for the render mode `rgb_array`.

Home defends the left goal line, as on every other screen. The header shows the scoreboard, the
footer the situation in the game's own words, in letters three dots wide.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hashmark.engine.record import AWAY, HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import TeamNames

Picture: TypeAlias = npt.NDArray[np.uint8]  # rows, columns, RGB
Color: TypeAlias = tuple[int, int, int]

YARD_PIXELS = 6  # pixels per yard
END_ZONE_PIXELS = 10 * YARD_PIXELS  # depth of an end zone
WIDTH, FIELD_HEIGHT = 120 * YARD_PIXELS, 200
HEADER_HEIGHT, FOOTER_HEIGHT = 44, 36
HEIGHT = HEADER_HEIGHT + FIELD_HEIGHT + FOOTER_HEIGHT
BACKGROUND, WHITE = (24, 28, 36), (255, 255, 255)
GRASS, DARK_GRASS, LINE_COLOR = (56, 120, 62), (50, 111, 56), (196, 220, 198)
TEAM_COLORS = ((36, 92, 184), (217, 119, 6))
TO_GAIN_COLOR, BALL_COLOR, LACES_COLOR = (250, 214, 60), (120, 62, 28), (245, 236, 226)

# Each glyph has five rows of three dots, one octal digit per row.
_LETTERS = """
    A25755 B65656 C34443 D65556 E74647 F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755
    N65555 O25552 P65644 Q25563 R65655 S34216 T72222 U55557 V55552 W55775 X55255 Y55222 Z71247
    075557 126227 271747 371717 455711 574717 674757 771111 875757 975717
    :02020 .00002 ,00024 ;02024 -00700 &25253 (12221 )42224 /11244 '22000 +02720 !22202 %51245
    ?61202 =07070
"""
_GLYPHS = {
    one[0]: np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in one[1:]], bool)
    for one in _LETTERS.split()
}


def text_width(text: str, size: int) -> int:
    """Return the width of a text in pixels."""
    return max(0, 4 * len(text) - 1) * size


def draw_text(picture: Picture, text: str, x: int, y: int, size: int, color: Color = WHITE) -> None:
    """Draw text in capitals; unknown characters are blank, characters outside are cut off."""
    for index, letter in enumerate(text.upper()):
        glyph = _GLYPHS.get(letter)
        left = x + 4 * size * index
        if glyph is None or left < 0 or left + 3 * size > picture.shape[1]:
            continue
        dots = np.kron(glyph, np.ones((size, size), bool))
        picture[y : y + 5 * size, left : left + 3 * size][dots] = color


def pixel_x(team: int, spot: float) -> int:
    """Return the x coordinate of a team's spot."""
    return END_ZONE_PIXELS + round((spot if team == HOME else 100 - spot) * YARD_PIXELS)


def render_field(rules: RuleSet, m: MatchRecord, g: PositionRecord, names: TeamNames) -> Picture:
    """Return the image of a redacted position."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = BACKGROUND
    turf = picture[HEADER_HEIGHT : HEADER_HEIGHT + FIELD_HEIGHT]
    _draw_field(turf, names)
    _draw_ball(turf, rules, m, g)
    _draw_scoreboard(picture, rules, m, g, names)
    return picture


def _draw_field(turf: Picture, names: TeamNames) -> None:
    """Draw stripes, end zones with team names, yard lines and numbers."""
    for stripe in range(0, 100, 10):
        left = END_ZONE_PIXELS + stripe * YARD_PIXELS
        turf[:, left : left + 10 * YARD_PIXELS] = GRASS if stripe % 20 else DARK_GRASS
    turf[:, :END_ZONE_PIXELS], turf[:, -END_ZONE_PIXELS:] = TEAM_COLORS
    for team, left in ((HOME, 0), (AWAY, WIDTH - END_ZONE_PIXELS)):
        sideways = np.zeros((END_ZONE_PIXELS, FIELD_HEIGHT, 3), np.uint8)
        sideways[:] = TEAM_COLORS[team]
        name = names[team][: FIELD_HEIGHT // 16]
        x, y = (FIELD_HEIGHT - text_width(name, 4)) // 2, (END_ZONE_PIXELS - 20) // 2
        draw_text(sideways, name, x, y, 4)
        turf[:, left : left + END_ZONE_PIXELS] = np.rot90(sideways, 1 if team == HOME else -1)
    for yard in range(0, 101, 5):
        x = pixel_x(HOME, yard)
        turf[:, x - (yard % 100 == 0) : x + 1 + (yard % 100 == 0)] = LINE_COLOR
        if yard % 10 == 0 and 0 < yard < 100:
            label = str(min(yard, 100 - yard))
            for y in (14, FIELD_HEIGHT - 29):
                draw_text(turf, label, x - text_width(label, 3) // 2, y, 3, LINE_COLOR)
    turf[[*range(3), *range(-3, 0)]] = LINE_COLOR


def _draw_ball(turf: Picture, rules: RuleSet, m: MatchRecord, g: PositionRecord) -> None:
    """Draw the ball with an arrow in its team's color, and the line to gain."""
    if g.possession not in (HOME, AWAY):
        return
    to_gain = rules.words.line_to_gain(m, g)
    if to_gain is not None and 0 < to_gain < 100:
        x = pixel_x(g.possession, to_gain)
        turf[:, x - 1 : x + 2] = TO_GAIN_COLOR
    if not 0 < g.spot < 100:
        return
    x, y = pixel_x(g.possession, g.spot), FIELD_HEIGHT // 2
    turf[:, x - 1 : x + 2] = TEAM_COLORS[g.possession]
    down, across = np.ogrid[:FIELD_HEIGHT, :WIDTH]
    direction = 1 if g.possession == HOME else -1
    ahead = (across - x) * direction - 16
    turf[(ahead >= 0) & (ahead < 14) & (abs(down - y) <= 14 - ahead)] = TEAM_COLORS[g.possession]
    turf[((across - x) / 13) ** 2 + ((down - y) / 8) ** 2 <= 1] = BALL_COLOR
    turf[y, x - 6 : x + 7] = LACES_COLOR
    for lace in range(-4, 5, 4):
        turf[y - 2 : y + 3, x + lace] = LACES_COLOR


def _draw_scoreboard(
    picture: Picture, rules: RuleSet, m: MatchRecord, g: PositionRecord, names: TeamNames
) -> None:
    """Draw score and clock above the field, the situation below it."""
    sides = (HOME,) if rules.is_solo(m) else (HOME, AWAY)
    x = 10
    for team in sides:
        text = f"{names[team]} {g.score[team]}"
        picture[8:36, x - 4 : x + 2] = TEAM_COLORS[team]
        draw_text(picture, text, x + 8, 12, 4)
        x += 28 + text_width(text, 4)
    clock = rules.words.clock(m, g)
    size = 3 if text_width(clock, 3) < WIDTH - x - 10 else 2
    draw_text(picture, clock, max(x, WIDTH - 10 - text_width(clock, size)), 15, size)
    situation = rules.words.situation(m, g, names)
    size = 3 if text_width(situation, 3) < WIDTH - 20 else 2
    draw_text(picture, situation, 10, HEADER_HEIGHT + FIELD_HEIGHT + 11, size)
