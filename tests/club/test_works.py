"""Long work as a value: one key for one question, and a sentence for what cannot be asked."""

from __future__ import annotations

import re
import shlex
import tomllib
from typing import Any

import pytest

from hashmark.club import kinds, works
from hashmark.club.works import Work
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.table import extras
from hashmark.table.errors import HashmarkError
from hashmark.table.extras import LacksLibrary


def test_the_same_question_has_one_key() -> None:
    one = Work.of("season", {"season": 2008})
    same = Work.of("season", {"runs": "1000", "season": "2008", "seed": 0, "plan": "real"})
    assert one == same
    assert one.command == "hashmark season 2008 --runs 1000 --seed 0"
    assert one.title == "Season 2008, 1,000 times"
    others = [
        Work.of("season", {"season": 2007}),
        Work.of("season", {"season": 2008, "runs": 999}),
        Work.of("season", {"season": 2008, "seed": 1}),
        Work.of("season", {"season": 2008, "plan": "bold"}),
    ]
    assert len({one.key, *(other.key for other in others)}) == 5


def test_another_program_or_other_charts_are_another_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = Work.of("season", {"season": 2008})
    monkeypatch.setattr(kinds, "_digest", lambda path, changed: b"other charts")
    other = Work.of("season", {"season": 2008})
    monkeypatch.setattr(works, "fingerprint", lambda: "another program")
    third = Work.of("season", {"season": 2008})
    assert len({one.key, other.key, third.key}) == 3


def test_a_what_if_in_words_and_as_a_command() -> None:
    asked = {
        "season": 2008,
        "team": "Arizona",
        "play": ["plunge=-8%", " screen=+8% "],
        "fourth_down": "bold",
        "when": "spot=50+",
        "runs": 200,
        "answered": True,
    }
    work = Work.of("whatif", asked)
    assert work.settings["team"] == "ARI"
    assert work.title == (
        "What if: Arizona Cardinals 2008, 8 % fewer line plunges from spot 50 or more, 8 % more "
        "screens from spot 50 or more, was bold on fourth down from spot …, 200 times"
    )
    assert shlex.split(work.command)[:6] == [
        "hashmark",
        "whatif",
        "2008",
        "ARI",
        "--play=plunge=-8%",
        "--play=screen=+8%",
    ]
    assert work.command.endswith(
        "--fourth-down=bold --when=spot=50+ --runs 200 --seed 0 --answered"
    )
    assert Work.of("whatif", {**asked, "play": ["plunge=-8%", "screen=+8%"]}) == work
    assert work.files == {}


def test_a_whole_plan_comes_as_a_text_and_goes_as_a_file() -> None:
    text = write_plan(plans.load("bold"))
    work = Work.of("whatif", {"season": 2008, "team": "ARI", "plan": f"# mine\n{text}"})
    assert work.files == {"ARI-2008.plan.toml": text}
    assert "--plan ARI-2008.plan.toml" in work.command
    assert Work.of("whatif", {"season": 2008, "team": "ARI", "plan": text}).key == work.key


def test_a_name_of_a_plan_cannot_break_out_of_it() -> None:
    name = 'a"b\n[[play]]\x7f\\'
    text = write_plan(plans.load("bold")).replace('name = "bold"', f"name = {_toml(name)}")
    work = Work.of("whatif", {"season": 2008, "team": "ARI", "plan": text})
    assert tomllib.loads(work.files["ARI-2008.plan.toml"])["name"] == name


def _toml(text: str) -> str:
    return '"' + "".join(f"\\U{ord(letter):08x}" for letter in text) + '"'


CHANGE = {"season": 2008, "team": "ARI", "play": ["deep=+5%"]}


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("seasons", {}, "unknown kind of work 'seasons': did you mean 'season'?"),
        (None, {}, "unknown kind of work"),
        ("season", [], "expected names and values"),
        ("season", {}, "season: expected a whole number"),
        ("season", {"season": "soon"}, "season: 'soon' is not a whole number"),
        ("season", {"season": True}, "is not a whole number"),
        ("season", {"season": 1990}, "no schedule of the season 1990"),
        ("season", {"season": 2008, "runs": 0}, "runs: 0 is not between 1 and 10000"),
        ("season", {"season": 2008, "runs": 10**9}, "the command takes more"),
        ("season", {"season": 2008, "seed": -1}, "seed"),
        ("season", {"season": 2008, "plan": "../book"}, "unknown game plan"),
        ("season", {"season": 2008, "plan": 3}, "plan: 3 is not a text"),
        ("season", {"season": 2008, "weather": 1}, "unknown setting 'weather'"),
        ("whatif", {"season": 2008, "team": "ARI"}, "say what to change"),
        ("whatif", {"season": 2008, "team": "ARI", "when": "down=1"}, "say what to change"),
        ("whatif", {**CHANGE, "team": "Nowhere"}, "Nowhere"),
        ("whatif", {**CHANGE, "team": None}, "team"),
        ("whatif", {**CHANGE, "play": ["nothing"]}, "nothing"),
        ("whatif", {**CHANGE, "play": 5}, "is not a list of changes"),
        ("whatif", {**CHANGE, "play": [["deep=+5%"]]}, "is not a text"),
        ("whatif", {**CHANGE, "play": ["deep=+5%"] * 41}, "41 changes are more than 40"),
        ("whatif", {**CHANGE, "play": ["x" * 500]}, "500 letters are more than 200"),
        ("whatif", {**CHANGE, "answered": "yes"}, "neither true nor false"),
        ("whatif", {**CHANGE, "runs": 6000}, "runs: 6000 is not between 1 and 5000"),
        ("whatif", {**CHANGE, "plan": "= ="}, "the plan: not TOML"),
        ("whatif", {**CHANGE, "plan": 'format = "x"'}, "the plan: format must be"),
    ],
)
def test_what_cannot_be_asked(kind: Any, settings: Any, said: str) -> None:
    with pytest.raises(HashmarkError, match=re.escape(said)):
        Work.of(kind, settings)


def test_without_the_extra_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: library != "numba")
    with pytest.raises(LacksLibrary, match="needs Numba, which is not installed: pip install"):
        Work.of("season", {"season": 2008})
