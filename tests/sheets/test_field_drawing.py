"""The field as shapes: everything lies within its frame."""

from __future__ import annotations

import pytest

from hashmark.sheets.document import Arrow, Field, Mark
from hashmark.sheets.field_drawing import Label, Stroke, draw_field, field_height

MARKS = (Mark(40, "1st & 10"), Mark(50, style="gain"), Mark(20, style="star"))
ARROWS = (Arrow(20, 45, "punt"), Arrow(80, 60, dashed=True))


@pytest.mark.parametrize("upright", [False, True])
def test_shapes_lie_within_the_frame(upright: bool) -> None:
    field = Field("ARI", "PIT", hashes=True, upright=upright, marks=MARKS, arrows=ARROWS)
    width = 60.0 if upright else 180.0
    height = field_height(field, width, 120.0)
    shapes = draw_field(field, width, height)
    labels = [shape for shape in shapes if isinstance(shape, Label)]
    assert {"ARI", "PIT", "1st & 10", "punt"} <= {label.text for label in labels}
    assert any(isinstance(shape, Stroke) and shape.dashes for shape in shapes)
    for shape in shapes:
        for x, y in [shape.at] if isinstance(shape, Label) else shape.points:
            assert -0.01 <= x <= width + 0.01
            assert -0.01 <= y <= height + 0.01


def test_labels_and_drives_make_a_strip_taller() -> None:
    drives = [Arrow(20, 40)] * 12
    heights = [
        field_height(field, 180.0, 120.0)
        for field in (Field(), Field(marks=[Mark(40, "here")]), Field(arrows=drives))
    ]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3
