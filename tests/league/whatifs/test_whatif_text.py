"""What-ifs as text, page and JSON: what is said, and that only real plans are called real."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hashmark.league.whatifs import best, scan, whatif, whatif_page, whatif_text
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs.wanted import Wanted
from hashmark.sim.results import Estimate
from league.whatifs.made_up import MadeUp
from pages.soundness import sound_report

Found = whatif.Comparison | scan.Scan | best.Best


def compared(trial: MadeUp) -> Found:
    return whatif.ask(trial, Wanted(play=["deep=+5%"], fourth_down="bold@spot=50+"), runs=50)


def scanned(trial: MadeUp) -> Found:
    changes: list[ch.AnyChange] = [ch.play("deep=+5%"), ch.play("draw=+1%"), ch.play("screen=-1%")]
    return scan.scan(trial, 50, changes=changes)


def searched(trial: MadeUp) -> Found:
    return best.find_best(trial, best.read_budget("3"), 50)


QUESTIONS = [compared, scanned, searched]


def every_form(found: Found) -> dict[str, str]:
    """A page among them, which must be whole, with no text over another."""
    report = whatif_page.report(found)
    assert report.answer in sound_report(report).words
    return {
        "text": "\n".join(whatif_text.report(found)),
        "page": report.html(),
        "json": json.dumps(found.to_json()),
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_plan_that_is_not_real_is_never_called_so(question: Callable[[MadeUp], Found]) -> None:
    """The schedule is real whatever the plans are."""
    said = every_form(question(MadeUp("book")))
    for form, text in said.items():
        left = text.casefold().replace("the real schedule", "").replace("not its real one", "")
        assert "real" not in left, (form, left[max(0, left.find("real") - 80) :][:200])
        assert "book" in text, form
    note = "Every team follows the plan 'book', not its real one."
    assert note in said["text"]
    assert note in said["page"].replace("&#39;", "'")
    assert json.loads(said["json"])["plan"] == "book"


@pytest.mark.parametrize("question", QUESTIONS)
def test_real_plans_are_called_real(question: Callable[[MadeUp], Found]) -> None:
    said = every_form(question(MadeUp()))
    assert json.loads(said["json"])["plan"] == "real"
    for text in said.values():
        assert "book" not in text
        assert "not its real one" not in text
    if question is not scanned:
        assert "real plan" in said["text"]
        assert "real plan" in said["page"]


def test_a_comparison_says_where_its_policy_goes_for_it() -> None:
    said = "\n".join(whatif_text.report(compared(MadeUp())))
    assert "per season      real plan  changed" in said
    assert "called 5 % more long passes and was bold on fourth down from spot 50 or more" in said
    assert "In the open game it went for it on 4th and 1 to 2 from midfield on" in said


def test_the_answers_of_the_best_plan_have_keys_of_their_own() -> None:
    said = searched(MadeUp("book")).to_json()
    lines = said["plans"]
    assert [line["plan"] for line in lines] == ["plan 'book'", "best found", "equilibrium mix"]
    assert set(lines[0]) == {"plan", "plans_kept", "defences_answer", "both_sides_answer"}


@pytest.mark.parametrize(
    ("question", "runs", "said"),
    [
        (compared, 0, "interrupted before the first run was over"),
        (compared, 70, "interrupted after 20 of 50 runs"),
        (scanned, 0, "interrupted before anything was measured"),
        (searched, 0, "interrupted: 3 plans were tried, and none was measured"),
    ],
)
def test_an_interruption_is_told(question: Callable[[MadeUp], Found], runs: int, said: str) -> None:
    found = question(MadeUp(most=runs))
    assert whatif_text.report(found)[0] == said
    assert found.to_json()["interrupted"]
    assert found.measured == (runs > 0)


def test_both_distributions_are_in_one_picture_and_each_kind_of_figure_has_its_axis() -> None:
    charts = {chart.title: chart for chart in whatif_page.report(compared(MadeUp())).charts()}
    both = charts["Wins with both plans"]
    assert [sign.text.split(":")[0] for sign in both.key] == ["Real plan", "Changed plan"]
    assert "Wins" in charts
    assert "Points a game" in charts
    plans = [chart for title, chart in charts.items() if title.startswith("Plays ")]
    ends = {max(one.text for one in chart.words() if one.text.endswith("0%")) for chart in plans}
    assert len(plans) > 2
    assert len(ends) == 1  # shares are on one scale


def test_very_many_findings_are_the_best_and_the_worst_on_one_scale() -> None:
    changes = [ch.play(f"{play}=+{n}%") for play in ("deep", "draw", "screen") for n in range(1, 9)]
    report = whatif_page.report(scan.scan(MadeUp(), 50, changes=changes))
    sound_report(report)
    best, worst = report.charts()
    numbers = [[one.text for one in chart.words() if one.kind == "soft"] for chart in (best, worst)]
    assert numbers[0][:3] == numbers[1][:3]


@pytest.mark.parametrize("error", [0.0, 9.0])
def test_points_that_are_not_told_apart_from_zero_are_pale_as_wins_are(
    error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whatif.Comparison, "points_for", Estimate(1.0, error))
    monkeypatch.setattr(whatif.Comparison, "points_against", Estimate(1.0, 0.0))
    charts = {chart.title: chart for chart in whatif_page.report(compared(MadeUp())).charts()}
    signs = [sign.text for sign in charts["Points a game"].key]
    assert ("not told apart from zero" in signs) == bool(error)
