"""The list of games, whichever modules were imported before."""

from __future__ import annotations

import subprocess
import sys

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api import catalog
from hashmark.engine import registry


def test_all_games_are_listed() -> None:
    games = hm.games()
    assert [game.name for game in games] == list(registry.names())
    assert len(games) >= 5
    assert games[0] == games["data-driven"]
    fourth = games["fourth-down"]
    assert (fourth.title, "punt" in fourth.calls) == ("4th Down!", True)
    assert "bold" in fourth.coaches
    assert "punt-touchback" in fourth.options
    assert repr(fourth) == "<GameInfo fourth-down: 4th Down!>"
    assert [game.name for game in catalog.games()] == [game.name for game in games]
    check_looks(games, has_picture=False)


def test_a_wrong_name_is_refused_with_a_suggestion() -> None:
    with pytest.raises(hm.UnknownName, match="did you mean 'fourth-down'"):
        hm.games()["forth-down"]


@pytest.mark.parametrize(
    "before",
    [
        "import hashmark.games",
        "import hashmark.games.fourth_down",
        "from hashmark.games import fourth_down",
        "import hashmark; hashmark.Game('fourth-down')",
        "from hashmark import games",
        "from hashmark.engine import registry; registry.load('rapid-roll')",
    ],
)
def test_games_can_be_called_after_any_import(before: str) -> None:
    """`hashmark.games` is a package too, which Python sets as an attribute when it is imported."""
    code = f"{before}\nimport hashmark as hm\nprint(len(hm.games()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(run.stdout) >= 5
