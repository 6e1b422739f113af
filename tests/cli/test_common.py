"""What subcommands share: options and positions as they are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.cli import common
from hashmark.table.errors import HashmarkError


def test_options_are_words_or_json() -> None:
    given = ["mode=full", 'shading={"a": [1]}', "records=[[1, 2]]", "plays=null", "x=a=b"]
    assert common.read_options(given) == {
        "mode": "full",
        "shading": {"a": [1]},
        "records": [[1, 2]],
        "plays": None,
        "x": "a=b",
    }
    assert common.read_options(None) == {}


@pytest.mark.parametrize(
    ("pair", "said"), [("mode", "--option mode: expected NAME=VALUE"), ("x=[1", "not JSON")]
)
def test_options_that_cannot_be_read(pair: str, said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        common.read_options([pair])


def test_a_position_is_an_object(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"spot": 30}')
    assert common.read_position(str(path)) == {"spot": 30}
    path.write_text("[]")
    with pytest.raises(HashmarkError, match="a position is a JSON object"):
        common.read_position(str(path))


def test_json_keeps_letters_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    common.print_json({"team": "Zürich"})
    assert capsys.readouterr().out == '{\n  "team": "Zürich"\n}\n'
