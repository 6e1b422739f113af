"""Small tables for print and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.api.tables import TableView, html_table, percent


class Shares(TableView):
    def __repr__(self) -> str:
        return "<Shares>"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        return ("call", "share"), [("punt", "40.0 %"), ("<go>", "60.0 %")]


def test_a_table_prints_below_its_caption() -> None:
    assert str(Shares()).splitlines() == [
        "Shares", "", "call   share", "----  ------", "punt  40.0 %", "<go>  60.0 %",
    ]  # fmt: skip


def test_html_is_escaped() -> None:
    html = Shares()._repr_html_()
    assert html.startswith("<table><caption>Shares</caption>")
    assert "<td>&lt;go&gt;</td>" in html
    assert html == html_table("Shares", *Shares()._table())


def test_percentages() -> None:
    assert percent(0.1234) == "12.3 %"
    assert percent(0.5, 0) == "50 %"
    assert percent(None) == "–"
