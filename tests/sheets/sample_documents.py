"""Documents for the tests of score sheets: one with every block, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from hashmark.sheets.document import (
    Arrow,
    Block,
    Box,
    Boxes,
    BoxRow,
    Card,
    Cards,
    Cell,
    Column,
    Columns,
    Document,
    Entries,
    Entry,
    Field,
    Heading,
    Mark,
    Note,
    Page,
    Table,
)

SAMPLE = Document(
    "Sample & Sons",
    [
        Page(
            "1st quarter",
            [
                Entries([Entry("Home", "Bears"), Entry("Date", width=0.5)]),
                Heading("Field"),
                Field(
                    ticks=2,
                    hashes=True,
                    marks=[Mark(35, "ball"), Mark(45, "to gain", "gain"), Mark(25, "", "star")],
                    arrows=[Arrow(20, 55, "punt"), Arrow(70, 100, "missed", dashed=True)],
                ),
                Table(
                    [
                        Column("Play\nNumber", 1, "right"),
                        Column("Spot", 1, "center"),
                        Column("Result", 3),
                    ],
                    [
                        ["1", "← 35", "kickoff – touchback"],
                        ["2", "20 →", Cell("touchdown", "strong")],
                    ],
                    fill=12,
                    title="Plays",
                ),
            ],
        ),
        Page(
            "Clock",
            [
                Columns(
                    [
                        [
                            Boxes(
                                [
                                    BoxRow("Down", [Box("1", "current"), Box("2"), Box("3")]),
                                    BoxRow(
                                        "Clock", [Box("12", "crossed"), Box("", "crossed")] * 10, 10
                                    ),
                                    BoxRow(
                                        "Quarter", [Box("1st", "ticked", 2), Box("10", "shaded")]
                                    ),
                                ],
                                "Boxes",
                            ),
                            Table(
                                [Column("To go")], [[Cell("10", "struck")], [Cell("6", "shaded")]]
                            ),
                        ],
                        [
                            Field(
                                "", "GOAL", hashes=True, upright=True, arrows=[Arrow(25, 40, "15")]
                            )
                        ],
                    ],
                    [3, 2],
                ),
                Note("S scrimmage · K kickoff\nx < y & z", small=True),
            ],
            landscape=True,
        ),
    ],
)

texts = st.text(max_size=30) | st.sampled_from(
    [
        "",
        "touchdown",
        "a\nb",
        "<b>&\"'",
        "\x1b[31m",
        "Ж漢字é",
        "x" * 300,
        "← 35\u00a0→",
        "–½✓",
        "\ud800",
    ]
)
widths = st.floats(0.01, 50)
yards = st.floats(-1e6, 1e6)


def _rows(columns: list[Column]) -> st.SearchStrategy[list[list[str | Cell]]]:
    styles = st.sampled_from(["plain", "strong", "shaded", "struck"])
    cells = texts | st.builds(Cell, texts, styles)
    return st.lists(st.lists(cells, max_size=len(columns)), max_size=6)


tables: st.SearchStrategy[Table] = st.lists(
    st.builds(Column, texts, widths, st.sampled_from(["left", "center", "right"])),
    max_size=8,
).flatmap(
    lambda columns: st.builds(
        Table, st.just(columns), _rows(columns), st.integers(-1, 80), texts, st.booleans()
    )
)
boxes = st.builds(
    Box,
    texts,
    st.sampled_from(["open", "crossed", "ticked", "current", "shaded"]),
    widths,
)
box_rows = st.builds(BoxRow, texts, st.lists(boxes, max_size=8), st.integers(-1, 6))
across = st.floats(-2, 3)
marks = st.builds(Mark, yards, texts, st.sampled_from(["ball", "line", "gain", "star"]), across)
arrows = st.builds(Arrow, yards, yards, texts, st.booleans(), st.none() | across)
fields = st.builds(
    Field,
    texts,
    texts,
    st.integers(-1, 12),
    st.booleans(),
    st.booleans(),
    st.lists(marks, max_size=4),
    st.lists(arrows, max_size=8),
)
cards = st.builds(
    Cards,
    st.lists(st.builds(Card, texts, texts, texts), max_size=5),
    st.integers(1, 4),
    st.floats(1, 400),
)
plain_blocks = st.one_of(
    cards,
    st.builds(Heading, texts),
    st.builds(Note, texts, st.booleans()),
    st.builds(Entries, st.lists(st.builds(Entry, texts, texts, widths), max_size=4)),
    st.builds(Boxes, st.lists(box_rows, max_size=3), texts),
    tables,
    fields,
)


def _side_by_side(inner: st.SearchStrategy[Block]) -> st.SearchStrategy[Columns]:
    lists = st.lists(st.lists(inner, max_size=3), max_size=3)
    return st.builds(Columns, lists)


blocks: st.SearchStrategy[Block] = st.recursive(plain_blocks, _side_by_side, max_leaves=6)
documents = st.builds(
    Document,
    texts,
    st.lists(st.builds(Page, texts, st.lists(blocks, max_size=5), st.booleans()), max_size=3),
)
