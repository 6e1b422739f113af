"""The command that a work shows makes the same figures; interrupted or not, they are the same."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import hashmark
from hashmark.club import season_work, whatif_work
from hashmark.club.kinds import Nowhere, Result, Running
from hashmark.club.works import Work
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.league.seasons import saved, simulate
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.sim import cluster

pytestmark = pytest.mark.heavy
OF_THE_RUN = ("seconds", "preparing_seconds", "seasons_of_an_earlier_run")


def by_the_command(work: Work, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the command prints, with the files beside it that the page offers."""
    for name, text in work.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return json.loads(hashmark(*shlex.split(work.command)[1:], "--json").out)


def figures(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name not in OF_THE_RUN}


def heard(result: Result) -> Any:
    """The result as it comes out of the database."""
    return json.loads(json.dumps(result.said))


def ready_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a recipe is made ready once: whoever plays it again takes what is there."""
    made: list[Replay] = []

    def ready(recipe: Recipe) -> Replay:
        made.extend([] if any(one.recipe == recipe for one in made) else [Replay(recipe)])
        return next(one for one in made if one.recipe == recipe)

    monkeypatch.setattr(simulate, "Replay", ready)


def test_a_season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "BLOCK", 2)
    work = Work.of(season_work.KIND.name, {"season": 2008, "runs": 6})
    told: list[tuple[int, int]] = []
    whole = work.run(Running(progress=lambda done, of: told.append((done, of))))
    assert whole.whole
    assert told[-1] == (6, 6)
    assert whole.report is not None
    assert "Who wins, and who was best" in whole.report.html()
    assert figures(heard(whole)) == figures(by_the_command(work, tmp_path, monkeypatch))
    # The same in two pieces, on other threads: not a figure is another one.
    ready_once(monkeypatch)
    kept, calls = Nowhere(), iter(range(100))
    part = work.run(Running(interrupted=lambda: next(calls) > 0, kept=kept))
    assert not part.whole
    assert 0 < part.said["runs"] < 6
    part = work.run(Running(kept=kept, threads=2))
    assert part.said["digest"] == whole.said["digest"]
    assert figures(heard(part)) == figures(heard(whole))
    assert kept.text == ""


def test_on_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seasons and what-ifs go where they are told; here a cluster that is this very process."""
    told = []

    def spread(address: str, work: Any, jobs: Any, interrupted: Any) -> Any:
        told.append(address)
        return ((job, work(job)) for job in jobs)

    monkeypatch.setattr(cluster, "spread", spread)
    ready_once(monkeypatch)
    work = Work.of("season", {"season": 2008, "runs": 4})
    assert work.run(Running(cluster="there")).said["digest"] == work.run(Running()).said["digest"]
    asked = {"season": 2008, "team": "ARI", "play": "plunge=-8%", "runs": 4}
    what_if = Work.of("whatif", asked)
    far, near = what_if.run(Running(cluster="there")), what_if.run(Running())
    assert heard(far) == heard(near)
    assert told == ["there"] * 2


def test_what_was_kept_of_something_else_is_begun_anew() -> None:
    for text in ("", "{", '{"format": "x"}', json.dumps({"format": saved.FORMAT})):
        place = saved.InText(lambda text=text: text, lambda said: None)  # type: ignore[misc]
        assert place.read("identity") is None


def test_what_if_with_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"season": 2008, "team": "ARI", "play": "plunge=-8%", "runs": 6, "answered": True}
    work = Work.of(whatif_work.KIND.name, asked)
    made = work.run(Running())
    said = heard(made)
    assert said == by_the_command(work, tmp_path, monkeypatch)
    assert set(said["answered"]) == {"remains", "unchanged", "changed"}
    assert said["answered"]["changed"]["plans_kept"]["change"] == said["wins"]
    assert "remains" in said["answered"]["remains"]
    assert made.report is not None
    assert "What the opponents" in made.report.html()
    ((name, text),) = made.files.items()
    assert name == "ARI-2008-changed.plan.toml"
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert plans.load(name).rows != plans.load("2008:ARI").rows


def test_what_if_with_a_whole_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = write_plan(plans.load("bold"))
    asked = {"season": 2008, "team": "ARI", "plan": text, "pass_rate": "+5%", "runs": 12}
    work = Work.of("whatif", asked)
    assert heard(work.run(Running())) == by_the_command(work, tmp_path, monkeypatch)
    stopped = work.run(Running(interrupted=lambda: True))
    assert not stopped.whole
    assert stopped.report is None
