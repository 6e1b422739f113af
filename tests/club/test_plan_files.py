"""Plans as text: what is written is read back, packed or not."""

from __future__ import annotations

import pytest

from hashmark.club import plan_files
from hashmark.games.data_driven.plans.plan import BrokenPlan, load


def test_a_real_plan_comes_back_from_text_and_word() -> None:
    plan = plan_files.real(2008, "ARI")
    assert plan_files.read(plan_files.write(plan), "x") == plan
    assert load(plan_files.pack(plan)) == plan
    assert len(plan_files.pack(plan)) < 8000


def test_a_name_may_be_anything_that_is_short() -> None:
    for name in ('say "go" \\ or\nnot', "ütf \U0001f3c8", "\x1b[31m", "'''"):
        plan = plan_files.named(plan_files.real(2008, "ARI"), name)
        assert plan_files.read(plan_files.write(plan), "x") == plan
        assert load(plan_files.pack(plan)) == plan
        assert "\x1b" not in plan_files.write(plan)
    assert plan_files.named(plan, "") is plan


def test_too_much_is_refused_before_it_is_read() -> None:
    with pytest.raises(BrokenPlan, match="more than 128 kB"):
        plan_files.read("# " + "x" * plan_files.LARGEST_TEXT, "the plan")
