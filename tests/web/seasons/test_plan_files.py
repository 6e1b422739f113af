"""Plans as text: written and packed plans are read back unchanged."""

from __future__ import annotations

import pytest

from hashmark.games.data_driven.plans.plan import BrokenPlan, load
from hashmark.web.seasons import plan_files


def test_a_real_plan_survives_writing_and_packing() -> None:
    plan = plan_files.load_real_plan(2008, "ARI")
    assert plan_files.read(plan_files.write(plan), "x") == plan
    assert load(plan_files.pack(plan)) == plan
    assert len(plan_files.pack(plan)) < 8000


def test_any_short_name_survives_writing_and_packing() -> None:
    for name in ('say "go" \\ or\nnot', "ütf \U0001f3c8", "\x1b[31m", "'''"):
        plan = plan_files.rename_plan(plan_files.load_real_plan(2008, "ARI"), name)
        assert plan_files.read(plan_files.write(plan), "x") == plan
        assert load(plan_files.pack(plan)) == plan
        assert "\x1b" not in plan_files.write(plan)
    assert plan_files.rename_plan(plan, "") is plan


def test_too_long_a_text_is_rejected_before_parsing() -> None:
    with pytest.raises(BrokenPlan, match="larger than 128 kB"):
        plan_files.read("# " + "x" * plan_files.MAX_PLAN_BYTES, "the plan")
