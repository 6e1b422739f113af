"""Reproducibility of jobs: the command gives the same figures, and so do interrupted runs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from fuzz.in_process import run_ok
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.league.seasons import checkpoints, simulate
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.sim import cluster
from hashmark.web.jobs import season_job, whatif_job
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.job_types import JobContext, JobResult, MemoryCheckpoint

pytestmark = pytest.mark.heavy
OF_THE_RUN = ("seconds", "preparing_seconds", "seasons_of_an_earlier_run")


def run_command(job: Job, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the job's command next to its input files and return the printed JSON."""
    for name, text in job.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return json.loads(run_ok(*shlex.split(job.command)[1:], "--json").out)


def figures(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in OF_THE_RUN}


def stored_result(result: JobResult) -> Any:
    """Return the result as the database would return it."""
    return json.loads(json.dumps(result.data))


def prepare_recipes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepare each recipe only once; later runs reuse it."""
    prepared: list[Replay] = []

    def prepare(recipe: Recipe) -> Replay:
        prepared.extend(
            [] if any(replay.recipe == recipe for replay in prepared) else [Replay(recipe)]
        )
        return next(replay for replay in prepared if replay.recipe == recipe)

    monkeypatch.setattr(simulate, "Replay", prepare)


def test_a_season_job_gives_the_same_figures_interrupted_or_by_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate, "BLOCK", 2)
    job = Job.of(season_job.KIND.name, {"season": 2008, "runs": 6})
    progress: list[tuple[int, int]] = []
    whole = job.run(JobContext(progress=lambda done, of: progress.append((done, of))))
    assert whole.is_complete
    assert progress[-1] == (6, 6)
    assert whole.report is not None
    assert "Title odds and team ratings" in whole.report.html()
    assert figures(stored_result(whole)) == figures(run_command(job, tmp_path, monkeypatch))
    # The same in two pieces, on other threads: every figure is equal.
    prepare_recipes_once(monkeypatch)
    checkpoint, calls = MemoryCheckpoint(), iter(range(100))
    part = job.run(JobContext(interrupted=lambda: next(calls) > 0, checkpoint=checkpoint))
    assert not part.is_complete
    assert 0 < part.data["runs"] < 6
    part = job.run(JobContext(checkpoint=checkpoint, threads=2))
    assert part.data["digest"] == whole.data["digest"]
    assert figures(stored_result(part)) == figures(stored_result(whole))
    assert checkpoint.text == ""


def test_a_cluster_gives_the_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seasons and what-ifs run on the given cluster; here the cluster is this process."""
    addresses = []

    def spread(address: str, work: Any, jobs: Any, interrupted: Any) -> Any:
        addresses.append(address)
        return ((job, work(job)) for job in jobs)

    monkeypatch.setattr(cluster, "run_jobs", spread)
    prepare_recipes_once(monkeypatch)
    work = Job.of("season", {"season": 2008, "runs": 4})
    assert (
        work.run(JobContext(cluster="there")).data["digest"]
        == work.run(JobContext()).data["digest"]
    )
    settings = {"season": 2008, "team": "ARI", "play": "plunge=-8%", "runs": 4}
    what_if = Job.of("whatif", settings)
    far, near = what_if.run(JobContext(cluster="there")), what_if.run(JobContext())
    assert stored_result(far) == stored_result(near)
    assert addresses == ["there"] * 2


def test_an_unusable_checkpoint_is_ignored() -> None:
    for text in ("", "{", '{"format": "x"}', json.dumps({"format": checkpoints.FORMAT})):
        store = checkpoints.CheckpointText(lambda text=text: text, lambda message: None)  # type: ignore[misc]
        assert store.read("identity") is None


def test_a_what_if_with_answers_equals_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"season": 2008, "team": "ARI", "play": "plunge=-8%", "runs": 6, "answered": True}
    job = Job.of(whatif_job.KIND.name, settings)
    result = job.run(JobContext())
    data = stored_result(result)
    assert data == run_command(job, tmp_path, monkeypatch)
    assert set(data["answered"]) == {"remains", "unchanged", "changed"}
    assert data["answered"]["changed"]["plans_kept"]["change"] == data["wins"]
    assert data["answered"]["remains"].startswith("If every opponent's defense responded")
    assert result.report is not None
    assert "If opponents respond" in result.report.html()
    ((name, text),) = result.files.items()
    assert name == "ARI-2008-changed.plan.toml"
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert plans.load(name).rows != plans.load("2008:ARI").rows


def test_a_what_if_with_a_whole_plan_equals_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = write_plan(plans.load("bold"))
    settings = {"season": 2008, "team": "ARI", "plan": text, "pass_rate": "+5%", "runs": 12}
    job = Job.of("whatif", settings)
    assert stored_result(job.run(JobContext())) == run_command(job, tmp_path, monkeypatch)
    stopped = job.run(JobContext(interrupted=lambda: True))
    assert not stopped.is_complete
    assert stopped.report is None
