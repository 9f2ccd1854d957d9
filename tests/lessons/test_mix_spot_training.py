"""Spot's spares, mixed fleet and weak scaling, counted out by hand; and both can be drawn at every setting."""

import math
from dataclasses import replace

import pytest
from driving import all_text, frame_of, unlocked

from lessons.spot_training import mix, workers
from lessons.spot_training.settings import Plan
from lessons.spot_training.values import live_values
from ui.charts.look import Look


def enough(blocks: int, least: int, up: float) -> float:
    """Chance that at least so many of the blocks are up, summed term by term."""
    return sum(math.comb(blocks, i) * up**i * (1 - up) ** (blocks - i) for i in range(least, blocks + 1))


def fewest(needed: int, up: float, target: float, block: int) -> int:
    least = -(-needed // block)
    return block * next(m for m in range(least, 500) if enough(m, least, up) >= target * (1 - 1e-12))


def test_eight_replicas_take_12_spot_ones_alone_and_16_in_blocks_of_four():
    assert enough(11, 8, 0.95) < 0.999 <= enough(12, 8, 0.95)
    assert enough(3, 2, 0.95) < 0.999 <= enough(4, 2, 0.95)
    assert Plan().mix.spot(0) == 12 and Plan(block=4).mix.spot(0) == 16
    words = live_values(Plan())
    assert (words["story_mix_alone"], words["story_mix_blocks"]) == ("12", "16")
    # 12 and 16 at $1, paid for 95 % of the time; on demand 8 at $3.
    assert (words["story_mix_cost"], words["story_mix_blocks_cost"]) == ("$11.4", "$15.2")
    assert words["story_mix_safe"] == "$24"


@pytest.mark.parametrize("block", [1, 3, 4, 16])
def test_the_price_of_every_mix_is_on_demand_and_what_spot_is_up(block):
    plan = Plan(block=block, up=0.8, target=0.99, price=2.0, base=5)
    for held in range(9):
        spot = fewest(8 - held, 0.8, 0.99, block) if held < 8 else 0
        assert plan.mix.spot(held) == spot and plan.mix.cost(held) == pytest.approx(3 * held + 2 * 0.8 * spot)
    frame = mix.frame(plan.mix).to_pandas()
    each = frame[frame.kind == "each"]
    assert each.price.to_numpy() == pytest.approx(
        [plan.mix.cost(held) / 24 for held in range(9) if plan.mix.cost(held) <= 48]
    )
    assert frame[frame.kind == "point"].share.iloc[0] == pytest.approx(5 / 8)


def test_a_mix_can_be_drawn_and_said_at_the_ends_of_its_knobs():
    for change in (
        {"needed": 1},
        {"needed": 64, "block": 16, "up": 0.5, "target": 0.99999},
        {"base": 8},
        {"needed": 1, "base": 64, "up": 0.99},
        {"price": 10.0, "on_demand_price": 0.1, "up": 0.5},
    ):
        plan = replace(Plan(), **change)
        frame = mix.frame(plan.mix).to_pandas()
        assert frame.price.dropna().between(0, mix.TOP).all() and frame.share.dropna().between(0, 1).all()
        assert "nan" not in " ".join(mix.answers(plan.mix)) + mix.alt_words(plan.mix)
        assert mix.figure(plan.mix, Look()).spec is mix.spec(Look())
    assert "nothing vanishes" in mix.answers(Plan(base=8).mix)[0]
    assert "12 would do" in mix.answers(Plan(block=4).mix)[1]
    assert "up" in Plan(base=8).idle() and "up" not in Plan(base=7).idle()


def test_at_64_workers_the_cut_batch_is_used_to_20_7_and_the_grown_one_to_96_2_percent():
    words = live_values(Plan(workers=64))
    assert words["crew_efficiency"] == words["story_strong_64"] == "20.7 %"
    assert words["crew_weak"] == words["story_weak_64"] == "96.2 %"
    ring = 2 * 63 * (10e-6 + 2e9 / 64 / 50e9)
    assert 2 / (2 + ring) == pytest.approx(0.962, abs=5e-4)
    assert 2 / (2 * 0.02 + 2 * 0.98 / 64 + ring) / 64 == pytest.approx(0.207, abs=5e-4)
    assert "uses 64 workers to 20.7 %; a batch 64 times as large, to 96.2 %" in workers.scaling_words(
        Plan(workers=64).crew
    )
    alone = replace(Plan(), workers=1).crew
    assert alone.speedup(1) == alone.weak(1) == 1 and "1 times" not in workers.scaling_words(alone)


def test_weak_scaling_is_drawn_beside_strong_and_is_never_below_it():
    frame = workers.worker_frame(Plan().crew, "efficiency").to_pandas()
    strong, weak = (frame[frame.kind == kind].set_index("workers")["value"] for kind in ("curve", "weak"))
    assert (weak >= strong - 1e-12).all() and weak.iloc[0] == strong.iloc[0] == 1
    assert not (workers.worker_frame(Plan().crew, "cost").to_pandas().kind == "weak").any()


def test_the_third_act_waits_for_the_reflection_and_its_knobs_move_its_answer():
    app = unlocked("spot_training", {"_agent": "Mozilla/5.0"})
    assert "Part 3: a mixed fleet" not in str(app.get("button_group"))
    app = unlocked("spot_training", {"spot_view": "mix"})
    assert not app.exception and "**Ask for 12 spot replicas**, each alone, beside 0 on demand" in all_text(app)
    assert (frame_of(app, "Price against replicas on demand").kind == "each").sum() == 9
    app.slider(key="spot_block").set_value(4).run()
    assert "**Ask for 16 spot replicas**, in blocks of 4" in all_text(app)
