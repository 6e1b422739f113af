"""What-ifs from the request to the report, with invented scores."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.whatifs import whatif_run
from hashmark.league.whatifs.change_request import ChangeRequest
from hashmark.league.whatifs.whatif_run import Question, WhatIfRequest, WhatIfResult
from league.whatifs.fake_trial import FakeTrial

CHANGE = whatif_run.ask_change(ChangeRequest(play=["deep=+5%"]), None, 20, 0, False)


def run(
    question: Question, monkeypatch: pytest.MonkeyPatch, max_runs: int | None = None
) -> WhatIfResult:
    def invent(*_: Any, **__: Any) -> FakeTrial:
        return FakeTrial(max_runs=max_runs)

    monkeypatch.setattr(whatif_run, "Trial", invent)
    return whatif_run.run_request(WhatIfRequest(2008, "ARI", question))


def test_a_change_gives_text_report_json_and_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(CHANGE, monkeypatch)
    assert result.is_complete
    assert result.report() is not None
    assert result.to_json()["sentence"] in " ".join(" ".join(result.lines()).split())
    changed = plans.parse_text(result.plan_text() or "", "the plan")
    assert changed.rows != plans.load("2008:ARI").rows


def test_an_interrupted_change_has_a_plan_and_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(CHANGE, monkeypatch, max_runs=0)
    assert not result.is_complete
    assert result.report() is None
    assert result.plan_text() is not None
    assert result.lines() == ["interrupted before the first run was finished"]


def test_a_scan_has_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(whatif_run.ask_scan(2, 0), monkeypatch).plan_text() is None


@pytest.mark.parametrize(("budget", "within"), [("x", None), (None, "x")])
def test_the_limits_of_a_search_are_checked_at_once(budget: str | None, within: str | None) -> None:
    with pytest.raises(HashmarkError, match="expected"):
        whatif_run.ask_best(10, 0, budget, within, print)
