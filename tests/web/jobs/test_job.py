"""Jobs as values: one key for one question, and errors for invalid settings."""

from __future__ import annotations

import re
import shlex
import tomllib
from typing import Any

import pytest

from hashmark import extras
from hashmark.errors import HashmarkError
from hashmark.extras import MissingLibrary
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.web.jobs import job as job_module
from hashmark.web.jobs import job_types
from hashmark.web.jobs.job import Job


def test_the_same_question_has_one_key() -> None:
    job = Job.of("season", {"season": 2008})
    equal_job = Job.of("season", {"runs": "1000", "season": "2008", "seed": 0, "plan": "real"})
    assert job == equal_job
    assert job.command == "hashmark season 2008 --runs 1000 --seed 0"
    assert job.title == "2008 season, 1,000 runs"
    others = [
        Job.of("season", {"season": 2007}),
        Job.of("season", {"season": 2008, "runs": 999}),
        Job.of("season", {"season": 2008, "seed": 1}),
        Job.of("season", {"season": 2008, "plan": "bold"}),
    ]
    assert len({job.key, *(other.key for other in others)}) == 5


def test_another_program_or_other_charts_give_another_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = Job.of("season", {"season": 2008})
    monkeypatch.setattr(job_types, "_digest", lambda path, changed: b"other charts")
    second = Job.of("season", {"season": 2008})
    monkeypatch.setattr(job_module, "fingerprint", lambda: "another program")
    third = Job.of("season", {"season": 2008})
    assert len({first.key, second.key, third.key}) == 3


def test_a_what_if_has_a_title_and_a_command() -> None:
    settings = {
        "season": 2008,
        "team": "Arizona",
        "play": ["plunge=-8%", " screen=+8% "],
        "fourth_down": "bold",
        "when": "spot=50+",
        "runs": 200,
        "answered": True,
    }
    job = Job.of("whatif", settings)
    assert job.settings["team"] == "ARI"
    assert job.title == (
        "What if: 2008 Arizona Cardinals, 8 percentage points fewer line plunges from midfield on, "
        "8 percentage points more screens from midfield on, bold …, 200 runs"
    )
    assert shlex.split(job.command)[:6] == [
        "hashmark",
        "whatif",
        "2008",
        "ARI",
        "--play=plunge=-8%",
        "--play=screen=+8%",
    ]
    assert job.command.endswith("--fourth-down=bold --when=spot=50+ --runs 200 --seed 0 --answered")
    assert Job.of("whatif", {**settings, "play": ["plunge=-8%", "screen=+8%"]}) == job
    assert job.files == {}


def test_a_whole_plan_becomes_an_input_file() -> None:
    text = write_plan(plans.load("bold"))
    job = Job.of("whatif", {"season": 2008, "team": "ARI", "plan": f"# mine\n{text}"})
    assert job.files == {"ARI-2008.plan.toml": text}
    assert "--plan ARI-2008.plan.toml" in job.command
    assert Job.of("whatif", {"season": 2008, "team": "ARI", "plan": text}).key == job.key


def test_a_plan_name_cannot_inject_toml() -> None:
    name = 'a"b\n[[play]]\x7f\\'
    text = write_plan(plans.load("bold")).replace('name = "bold"', f"name = {_toml(name)}")
    job = Job.of("whatif", {"season": 2008, "team": "ARI", "plan": text})
    assert tomllib.loads(job.files["ARI-2008.plan.toml"])["name"] == name


def _toml(text: str) -> str:
    return '"' + "".join(f"\\U{ord(letter):08x}" for letter in text) + '"'


CHANGE = {"season": 2008, "team": "ARI", "play": ["deep=+5%"]}


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("seasons", {}, "unknown kind of job 'seasons': did you mean 'season'?"),
        (None, {}, "unknown kind of job"),
        ("season", [], "expected names and values"),
        ("season", {}, "season: expected a whole number"),
        ("season", {"season": "soon"}, "season: 'soon' is not a whole number"),
        ("season", {"season": True}, "is not a whole number"),
        ("season", {"season": 1990}, "no schedule for the 1990 season"),
        ("season", {"season": 2008, "runs": 0}, "runs: 0 is not between 1 and 10000"),
        ("season", {"season": 2008, "runs": 10**9}, "the command allows more"),
        ("season", {"season": 2008, "seed": -1}, "seed"),
        ("season", {"season": 2008, "plan": "../book"}, "unknown game plan"),
        ("season", {"season": 2008, "plan": 3}, "plan: 3 is not text"),
        ("season", {"season": 2008, "weather": 1}, "unknown setting 'weather'"),
        ("whatif", {"season": 2008, "team": "ARI"}, "choose what to change"),
        ("whatif", {"season": 2008, "team": "ARI", "when": "down=1"}, "choose what to change"),
        ("whatif", {**CHANGE, "team": "Nowhere"}, "Nowhere"),
        ("whatif", {**CHANGE, "team": None}, "team"),
        ("whatif", {**CHANGE, "play": ["nothing"]}, "nothing"),
        ("whatif", {**CHANGE, "play": 5}, "is not a list of changes"),
        ("whatif", {**CHANGE, "play": [["deep=+5%"]]}, "is not text"),
        ("whatif", {**CHANGE, "play": ["deep=+5%"] * 41}, "at most 40 changes are allowed, not 41"),
        ("whatif", {**CHANGE, "play": ["x" * 500]}, "500 characters, but the limit is 200"),
        ("whatif", {**CHANGE, "answered": "yes"}, "neither true nor false"),
        ("whatif", {**CHANGE, "runs": 6000}, "runs: 6000 is not between 1 and 5000"),
        ("whatif", {**CHANGE, "plan": "= ="}, "the plan: not TOML"),
        ("whatif", {**CHANGE, "plan": 'format = "x"'}, "the plan: format must be"),
    ],
)
def test_invalid_jobs_are_rejected(kind: Any, settings: Any, message: str) -> None:
    with pytest.raises(HashmarkError, match=re.escape(message)):
        Job.of(kind, settings)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: library != "numba")
    with pytest.raises(
        MissingLibrary, match="needs Numba, which is not installed: run `make fast`"
    ):
        Job.of("season", {"season": 2008})
