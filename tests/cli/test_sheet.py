"""Tests of the generic score sheet of a game, and of the command `hashmark sheet`."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from hashmark.cli import app
from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.sheets import blank_sheet, render, sheet_of
from hashmark.sheets.document import Cell, Document, Field, Table

RULES = registry.load("fourth-down")


def played(turns: int = 10_000, seed: int = 5, start: dict[str, object] | None = None) -> Game:
    """Play a game of the book coaches for up to so many turns."""
    game = Header(RULES.name, seed=seed, start=start).new_game()
    while not game.is_over and len(game.turns) < turns:
        game.play(game.decide(RULES.coach("book")))
    return game


def write_log(path: Path, turns: int = 10_000) -> Path:
    game = played(turns)
    header = Header(RULES.name, seed=5)
    writer, again = log.LogWriter.create(path, header), header.new_game()
    for turn in game.turns:
        writer.write_turn(again, again.play(turn.call))
    writer.close()
    return path


def table(document: Document, page: int, heading: str) -> list[list[Cell]]:
    """Return the rows of the first table on a page that has such a column."""
    for block in document.pages[page].blocks:
        if isinstance(block, Table) and heading in [c.heading for c in block.columns]:
            return block.filled()
    raise AssertionError(f"no table with a column {heading}")


@pytest.mark.parametrize("seed", range(12))
def test_points_by_half_add_up(seed: int) -> None:
    game = played(seed=seed)
    for row, score in zip(table(sheet_of(game), 0, "Total"), game.position.score, strict=True):
        assert sum(int(cell.text) for cell in row[1:-1]) == score == int(row[-1].text)


def test_the_play_by_play_ends_with_the_score() -> None:
    game = played()
    rows = table(sheet_of(game), 1, "What happened")
    home, away = game.position.score
    assert rows[-1][-1].text == f"{home}–{away}"
    faces = [face for row in rows for face in re.findall(r"\b\d+\b", row[3].text)]
    assert len(faces) == sum(len(t.faces) for t in game.turns)
    shown_turns = [turn for turn in game.turns if turn.faces or game.sentences(turn)]
    whens = [RULES.words.when(game.match, turn.before) for turn in shown_turns]
    assert [row[0].text for row in rows] == whens


def test_an_unfinished_game_shows_the_ball() -> None:
    game = played(turns=4)
    fields = [block for block in sheet_of(game).pages[0].blocks if isinstance(block, Field)]
    assert any(mark.text == "ball" for field in fields for mark in field.marks)
    fields = [block for block in sheet_of(played()).pages[0].blocks if isinstance(block, Field)]
    assert not any(field.marks for field in fields)


def test_the_score_of_a_given_position_is_shown() -> None:
    start: dict[str, object] = {
        "phase": "drive",
        "period": 2,
        "clock": 20,
        "possession": "home",
        "spot": 30,
        "score": {"home": 21, "away": 3},
    }
    home, away = table(sheet_of(played(start=start)), 0, "Start")
    assert (home[1].text, away[1].text) == ("21", "3")
    assert sum(int(cell.text) for cell in home[1:-1]) == int(home[-1].text)


def test_a_game_that_has_not_begun_has_a_sheet() -> None:
    for form in ("text", "html", "pdf"):
        assert render(sheet_of(played(turns=0)), form)


def test_the_blank_sheet_has_a_page_for_each_half_and_the_tables() -> None:
    document = blank_sheet(RULES)
    assert [page.heading for page in document.pages] == ["1st half", "2nd half", "Tables"]
    assert all(not cell.text for row in table(document, 0, "Total") for cell in row[1:])
    for paper in ("a4", "letter"):
        assert len(PdfReader(BytesIO(render(document, "pdf", paper))).pages) == 3


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_sheets_in_every_form(name: str) -> None:
    rules = registry.load(name)
    game = Header(name, seed=3).new_game()
    documents = [blank_sheet(rules), sheet_of(game)]
    while not game.is_over and len(game.turns) < 2000:
        game.play(game.decide(rules.coach("random")))
    for document in [*documents, sheet_of(game)]:
        assert document.pages
        assert max(map(len, render(document, "text").decode().split("\n"))) <= 100
        assert render(document, "html").startswith(b"<!DOCTYPE html>")
        assert PdfReader(BytesIO(render(document, "pdf"))).pages


# --- The command -------------------------------------------------------------------------


def run(*arguments: object) -> tuple[str, str]:
    """Run the command; return its output and its messages."""
    done = CliRunner().invoke(app, ["sheet", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def test_text_goes_to_standard_output(tmp_path: Path) -> None:
    output, messages = run(write_log(tmp_path / "game.log"))
    assert "4th Down! · Final" in output
    assert messages == ""
    assert [path.name for path in tmp_path.iterdir()] == ["game.log"]


def test_a_pdf_goes_next_to_the_log_and_never_over_another(tmp_path: Path) -> None:
    game = write_log(tmp_path / "game.log")
    for name in ("game.pdf", "game-2.pdf", "game-3.pdf"):
        output, messages = run(game, "--format", "pdf")
        assert output == ""
        assert messages == f"wrote {tmp_path / name}\n"
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")


def test_blank_sheets_go_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("fourth-down", "--blank", "--format", "html")[1] == "wrote fourth-down-sheet.html\n"
    assert run("fourth-down", "--blank", "--format", "pdf", "--paper", "letter")
    assert len(PdfReader("fourth-down-sheet.pdf").pages) == 3


def test_a_log_can_name_the_game_of_a_blank_sheet(tmp_path: Path) -> None:
    output, _ = run(write_log(tmp_path / "game.log", 3), "--blank")
    assert output == run("fourth-down", "--blank")[0]


def test_the_file_name_selects_the_format(tmp_path: Path) -> None:
    game = write_log(tmp_path / "game.log", 6)
    for name, begins in (("a.pdf", b"%PDF"), ("a.html", b"<!DOCTYPE"), ("a.txt", b"4th Down!")):
        assert run(game, "--out", tmp_path / name)[1] == f"wrote {tmp_path / name}\n"
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert run(game, "--out", tmp_path / "a.pdf")[1] == f"replaced {tmp_path / 'a.pdf'}\n"


def test_standard_output_takes_any_format(tmp_path: Path) -> None:
    output, _ = run(write_log(tmp_path / "game.log", 6), "--format", "html", "--out", "-")
    assert output.startswith("<!DOCTYPE html>")


def refused(*arguments: object) -> str:
    with pytest.raises(HashmarkError) as fault:
        CliRunner().invoke(app, ["sheet", *map(str, arguments)], catch_exceptions=False)
    return str(fault.value)


def test_invalid_arguments_are_refused(tmp_path: Path) -> None:
    game = write_log(tmp_path / "game.log", 3)
    before = game.read_bytes()
    assert "is a game log" in refused(game, "--out", game)
    assert game.read_bytes() == before
    assert "add --blank" in refused("fourth-down")
    assert "cannot read nope.log" in refused("nope.log")
    assert "unknown rule set 'forth-down'" in refused("forth-down", "--blank")
    assert "cannot write" in refused(game, "--out", tmp_path / "no" / "sheet.pdf")
