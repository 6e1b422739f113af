"""Charts jobs on uploaded play-by-play: accepted files, rejected files, and results."""

from __future__ import annotations

import gzip
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from fuzz.in_process import run_ok
from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.data import play_by_play, play_file_limits
from hashmark.web.jobs import charts_job
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.job_types import JobContext, JobResult
from league.invented_season import small_season
from league.real_seasons import PLAYS_FOLDER, needs_plays


def as_parquet(plays: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    plays.write_parquet(out)
    return out.getvalue()


def run_charts_job(
    content: bytes, season: int, folder: Path, partial: bool = False
) -> tuple[Job, JobResult]:
    """Run a charts job on this content; return the job and its result."""
    job = Job.of("charts", charts_job.charts_settings(season, content, partial))
    name = shlex.split(job.command)[5]
    (folder / name).write_bytes(content)
    return job, job.run(JobContext(files={name: str(folder / name)}))


def test_the_file_type_is_detected_from_the_content() -> None:
    table = b"play_id,desc,down,ydstogo,qtr\n1,a,1,10,1\n"
    assert charts_job.detect_suffix(as_parquet(small_season())) == ".parquet"
    assert charts_job.detect_suffix(table) == ".csv"
    assert charts_job.detect_suffix(gzip.compress(table)) == ".csv.gz"
    for other in (b"", b"PAR1", b"\x89PNG\r\n", b"hello, world\n", b"a,b,c,d,e\0\n"):
        with pytest.raises(HashmarkError, match="this is not play-by-play"):
            charts_job.detect_suffix(other)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".csv.gz"])
def test_the_command_gives_the_same_files_and_json(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays = small_season()
    content = as_parquet(plays) if suffix == ".parquet" else plays.write_csv().encode()
    content = gzip.compress(content) if suffix == ".csv.gz" else content
    job, result = run_charts_job(content, 2030, tmp_path)
    assert result.report is not None
    assert "Fidelity</h2>" in result.report.html()
    assert job.command == (
        f"hashmark charts build 2030 --pbp pbp_2030{suffix} && "
        f"hashmark plan build 2030 --pbp pbp_2030{suffix}"
    )
    monkeypatch.chdir(tmp_path)
    first, second = (shlex.split(command)[1:] for command in job.command.split(" && "))
    printed = json.loads(run_ok(*first, "--json").out)
    run_ok(*second)
    assert printed == json.loads(json.dumps(result.data))
    assert set(result.files) == {"2030.toml", "2030.plans.toml"}
    for name, text in result.files.items():
        assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_partial_season_needs_the_partial_setting(tmp_path: Path) -> None:
    part = as_parquet(small_season().filter(pl.col("week") != 2))
    with pytest.raises(HashmarkError, match="week 2 is missing"):
        run_charts_job(part, 2030, tmp_path)
    _, result = run_charts_job(part, 2030, tmp_path, partial=True)
    assert result.data["made_from"]
    assert result.report is not None
    assert "not a full season" in result.report.lead


def test_errors_about_a_file_do_not_reveal_server_paths(tmp_path: Path) -> None:
    with pytest.raises(HashmarkError) as refused:
        run_charts_job(as_parquet(small_season().drop("desc")), 2030, tmp_path)
    assert "lacks the column desc" in str(refused.value)
    with pytest.raises(HashmarkError) as refused:
        run_charts_job(b"PAR1" + b"\0" * 100 + b"PAR1", 2030, tmp_path)
    assert "cannot read the file" in str(refused.value)
    assert str(tmp_path) not in str(refused.value)
    with pytest.raises(HashmarkError, match="no plays of 2031"):
        run_charts_job(as_parquet(small_season()), 2031, tmp_path)
    with pytest.raises(HashmarkError, match="did not arrive"):
        Job.of("charts", charts_job.charts_settings(2030, as_parquet(small_season()))).run(
            JobContext()
        )


def _shape(rows: int, columns: int) -> pl.DataFrame:
    return pl.DataFrame({f"column_{number}": [0] * rows for number in range(columns)})


def _csv(rows: int, columns: int) -> bytes:
    return _shape(rows, columns).write_csv().encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (as_parquet(_shape(200_001, 5)), "it has more than 200000 rows"),
        (as_parquet(_shape(1, 1001)), "it has more than 1000 columns"),
        (_csv(200_001, 5), "it has more than 200000 rows"),
        (_csv(1, 1001), "it has more than 1000 columns"),
        (gzip.compress(_csv(200_001, 5)), "it has more than 200000 rows"),
        (gzip.compress(b"a,b,c,d,e\n" + bytes(257 << 20), 1), "more than 256 MB unpacked"),
        (gzip.compress(b"a," * 40_000), "the first line has more than 64 kB"),
        (gzip.compress(b"a,b,c,d,e\n" * 9999)[:-30], "cannot read the file"),
        (b"\x1f\x8b" + b"\0" * 100, "cannot read the file"),
    ],
)
def test_files_beyond_the_limits_are_refused_before_they_are_decoded(
    content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_by_play, "load", None)
    with pytest.raises(HashmarkError, match=message):
        run_charts_job(content, 2030, tmp_path)


def test_a_league_has_a_limited_number_of_teams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_file_limits, "MAX_TEAMS", 1)
    with pytest.raises(HashmarkError, match=r"has \d+ teams, at most 1 are allowed"):
        run_charts_job(as_parquet(small_season()), 2030, tmp_path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "season: expected a whole number"),
        ({"season": 3000}, "season: 3000 is not between 1920 and 2100"),
        ({"season": 2030}, "upload one at /charts"),
        ({"season": 2030, "suffix": ".exe", "digest": "0" * 64}, "upload one"),
        ({"season": 2030, "suffix": ".csv", "digest": "0"}, "upload one"),
        ({"season": 2030, "partial": "on"}, "upload one"),
        ({"season": 2030, "path": "/etc/passwd"}, "unknown setting 'path'"),
    ],
)
def test_invalid_settings_are_rejected(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(HashmarkError, match=re.escape(message)):
        Job.of("charts", settings)


@needs_plays
@pytest.mark.heavy
def test_a_real_season_gives_the_shipped_charts(tmp_path: Path) -> None:
    _, result = run_charts_job((PLAYS_FOLDER / "pbp_2008.parquet").read_bytes(), 2008, tmp_path)
    for name in ("2008.toml", "2008.plans.toml"):
        assert result.files[name] == (charts.SHIPPED / name).read_text(encoding="utf-8")
    assert plans.SEASON_SUFFIX == ".plans.toml"
    assert result.report is not None
    assert "identical to the charts that come with the game" in result.report.lead
