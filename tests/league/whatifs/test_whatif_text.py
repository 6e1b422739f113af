"""What-ifs as text, report and JSON; only real plans are called real."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hashmark.league.whatifs import best_plan as best
from hashmark.league.whatifs import plan_changes as ch
from hashmark.league.whatifs import scan, whatif, whatif_report, whatif_text
from hashmark.league.whatifs.change_request import ChangeRequest
from hashmark.sim.results import Estimate
from league.whatifs.fake_trial import FakeTrial
from reports.page_checks import check_report

WhatIfResult = whatif.Comparison | scan.Scan | best.BestPlan


def run_comparison(trial: FakeTrial) -> WhatIfResult:
    return whatif.run_whatif(
        trial, ChangeRequest(play=["deep=+5%"], fourth_down="bold@spot=50+"), runs=50
    )


def run_scan(trial: FakeTrial) -> WhatIfResult:
    changes: list[ch.PlanChange] = [
        ch.parse_play("deep=+5%"),
        ch.parse_play("draw=+1%"),
        ch.parse_play("screen=-1%"),
    ]
    return scan.scan_changes(trial, 50, changes=changes)


def run_search(trial: FakeTrial) -> WhatIfResult:
    return best.find_best(trial, best.parse_budget("3"), 50)


RUNNERS = [run_comparison, run_scan, run_search]


def render_all(result: WhatIfResult) -> dict[str, str]:
    """Return the text, report and JSON of a result; the report must be well formed."""
    report = whatif_report.build_report(result)
    assert report.answer in check_report(report).words
    return {
        "text": " ".join(" ".join(whatif_text.report_lines(result)).split()),
        "page": report.html(),
        "json": json.dumps(result.to_json()),
    }


@pytest.mark.parametrize("question", RUNNERS)
def test_other_plans_are_never_called_real(question: Callable[[FakeTrial], WhatIfResult]) -> None:
    """Only the schedule is real."""
    forms = render_all(question(FakeTrial("book")))
    for form, text in forms.items():
        rest = text.casefold().replace("the real schedule", "").replace("instead of its own", "")
        assert "real" not in rest, (form, rest[max(0, rest.find("real") - 80) :][:200])
        assert "book" in text, form
    note = "Every team follows the plan 'book' instead of its own."
    assert note in forms["text"]
    assert note in forms["page"].replace("&#39;", "'")
    assert json.loads(forms["json"])["plan"] == "book"


@pytest.mark.parametrize("question", RUNNERS)
def test_real_plans_are_called_real(question: Callable[[FakeTrial], WhatIfResult]) -> None:
    forms = render_all(question(FakeTrial()))
    assert json.loads(forms["json"])["plan"] == "real"
    for text in forms.values():
        assert "book" not in text
        assert "instead of its own" not in text
    if question is not run_scan:
        assert "real plan" in forms["text"]
        assert "real plan" in forms["page"]


def test_a_comparison_says_where_its_policy_goes_for_it() -> None:
    text = "\n".join(whatif_text.report_lines(run_comparison(FakeTrial())))
    assert "per season      real plan  changed" in text
    words = " ".join(text.split())
    assert "5 percentage points more long passes (measured: 5.8 % to 5.8 % of all plays)" in words
    assert "bold fourth-down calls from midfield on (measured: " in words
    assert "Unless score or clock decide: going for it on 4th & 1 to 2 from midfield on" in words


def test_json_of_the_best_plan_has_a_key_for_each_response() -> None:
    data = run_search(FakeTrial("book")).to_json()
    lines = data["plans"]
    assert [line["plan"] for line in lines] == ["plan 'book'", "best found", "equilibrium mix"]
    assert set(lines[0]) == {"plan", "plans_kept", "defences_answer", "both_sides_answer"}


@pytest.mark.parametrize(
    ("question", "runs", "said"),
    [
        (run_comparison, 0, "interrupted before the first run was finished"),
        (run_comparison, 70, "interrupted after 20 of 50 runs"),
        (run_scan, 0, "interrupted before anything was measured"),
        (run_search, 0, "interrupted: 3 plans tried, none measured"),
    ],
)
def test_interruptions_are_reported(
    question: Callable[[FakeTrial], WhatIfResult], runs: int, said: str
) -> None:
    result = question(FakeTrial(max_runs=runs))
    assert whatif_text.report_lines(result)[0] == said
    assert result.to_json()["interrupted"]
    assert result.is_measured == (runs > 0)


def test_both_distributions_share_a_chart_and_each_measure_has_its_axis() -> None:
    charts = {
        chart.title: chart
        for chart in whatif_report.build_report(run_comparison(FakeTrial())).charts()
    }
    both = charts["Wins with both plans"]
    assert [sign.text.split(":")[0] for sign in both.key] == ["Real plan", "Changed plan"]
    assert "Wins" in charts
    assert "Points per game" in charts
    plans = [chart for title, chart in charts.items() if title.startswith("Plays ")]
    ends = {
        max(label.text for label in chart.texts() if label.text.endswith("0 %")) for chart in plans
    }
    assert len(plans) > 2
    assert len(ends) == 1  # all shares are on one scale


def test_many_findings_are_cut_to_best_and_worst_on_one_scale() -> None:
    changes = [
        ch.parse_play(f"{play}=+{n}%") for play in ("deep", "draw", "screen") for n in range(1, 9)
    ]
    report = whatif_report.build_report(scan.scan_changes(FakeTrial(), 50, changes=changes))
    check_report(report)
    best, worst = report.charts()
    numbers = [
        [label.text for label in chart.texts() if label.kind == "soft"] for chart in (best, worst)
    ]
    assert numbers[0][:3] == numbers[1][:3]


@pytest.mark.parametrize("error", [0.0, 9.0])
def test_uncertain_point_changes_are_faint(error: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whatif.Comparison, "points_for", Estimate(1.0, error))
    monkeypatch.setattr(whatif.Comparison, "points_against", Estimate(1.0, 0.0))
    charts = {
        chart.title: chart
        for chart in whatif_report.build_report(run_comparison(FakeTrial())).charts()
    }
    signs = [sign.text for sign in charts["Points per game"].key]
    assert ("not significant" in signs) == bool(error)
