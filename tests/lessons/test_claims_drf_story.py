"""Every sentence of the DRF story that holds a number, proved from the model itself."""

from dataclasses import replace

import pytest
from drf_scenarios import scenario_of

from lessons import DRF_STORY as LESSON
from lessons.drf_story import lie, pool, properties
from lessons.drf_story.jobs import Job, parse
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import Scenario
from lessons.drf_story.verdict import step_words, verdict
from physics import constants as k
from physics.fairness import Claimant, allocate, check_properties, divide, jain_index
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import read

WORDS = LESSON.values(Scenario())
POOL = {"cpu": 200, "mem": 800}
SHAPES = {"Parsing": (20, 20), "Joins": (5, 80), "Evaluation": (5, 20)}
STARTS = {"Heaviest": (60, 240), "Medium": (40, 240), "Light evaluation": (20, 40)}


def jobs(**more) -> list[Claimant]:
    return [Claimant(name, {"cpu": c, "mem": m}) for name, (c, m) in (SHAPES | more).items()]


def notebook(ceiling=None) -> list[Claimant]:
    shape = {"cpu": 2, "mem": 16}
    return [Claimant(name, shape, {"cpu": c, "mem": m}, ceiling=ceiling) for name, (c, m) in STARTS.items()]


def said(option: str, question=LESSON.prediction) -> str:
    return fill(question.option(option).feedback, WORDS)


def preset(name: str) -> Scenario:
    return read(Scenario, PRESETS[name].changes)[0]


def test_the_message_speaks_of_the_constants():
    for name, (cpu, memory) in SHAPES.items():
        assert f"“{name}” takes {cpu} vCPU and {memory} GB" in LESSON.message
        job = next(job for job in Scenario().jobs if job.name == name)
        assert job.need[:2] == (cpu, memory) and not any(job.start)
    assert f"{k.DRF_CPU:g} vCPU and {k.DRF_MEMORY / k.GB:g} GB of memory" in LESSON.message
    assert f"hand out {k.DRF_EXECUTORS:g} executors" in LESSON.message and "give each job 4" in LESSON.message


@pytest.mark.parametrize(
    ("option", "policy", "counts", "shares"),
    [
        ("a", "round_robin", [4, 4, 4], [0.4, 0.4, 0.1]),
        ("d", "single:mem", [5, 2, 5], [0.5, 0.2, 0.125]),
        ("b", "asset", [3, 3, 6], [0.3, 0.3, 0.15]),
        ("c", "drf", [2, 2, 8], [0.2, 0.2, 0.2]),
    ],
)
def test_each_answer_is_what_a_policy_gives_and_its_test_shows_that_policy(option, policy, counts, shares):
    result = allocate(jobs(), POOL, policy, steps=12)
    assert list(result.executors.values()) == counts and list(result.dominant_share.values()) == pytest.approx(shares)
    answer = LESSON.prediction.option(option)
    assert answer.text == f"{counts[-1]} executors." and pool.GUESSES[option] == counts[-1]
    written = ", ".join(f"{100 * share:g} %" for share in shares[:2]) + f", and {100 * shares[2]:g} %"
    assert written in said(option) and LESSON.prediction.right == "c"
    shown = read(Scenario, answer.test.settings)[0]
    assert shown.step == 12 and (policy in shown.policies or option == "c")


def test_drf_serves_evaluation_four_times_as_often():
    assert "adds 10 % to the largest share of Parsing or Joins, but only 2.5 %" in said("c")
    assert "4 times as often as each of the others" in said("c")


def test_what_the_visitor_said_is_drawn_as_long_as_so_many_executors():
    for option, told in pool.GUESSES.items():
        rows = pool.figure(Scenario(step=12), Look(), option).frame
        bracket = rows[rows["kind"] == "guess"].iloc[0]
        assert bracket["high"] - bracket["low"] == pytest.approx(told * 20 / 800)
        assert bracket["low"] == pytest.approx((2 * 20 + 2 * 80) / 800)  # where Evaluation begins
    assert "guess" not in set(pool.figure(preset("draft"), Look(), "a").frame["kind"])


def test_every_executor_is_a_piece_of_the_bar_of_its_job():
    rows = pool.figure(Scenario(step=12), Look()).frame
    new = rows[(rows["kind"] == "bar") & (rows["opacity"] == 1)]
    assert len(new) == 2 * 2 * 12 and (new["rim"] == "ink").sum() == 4
    memory = new[new["top"] == new["top"].unique()[1]]
    assert list(memory["job"].astype(int)) == [0] * 2 + [1] * 2 + [2] * 8
    assert memory["high"].max() == pytest.approx((2 * 20 + 2 * 80 + 8 * 20) / 800)


def test_three_names_get_three_quarters_of_the_full_pool():
    one = allocate(jobs(), POOL)
    three = allocate(jobs(**{"Evaluation 2": (5, 20), "Evaluation 3": (5, 20)}), POOL)
    together = sum(share for name, share in three.dominant_share.items() if name.startswith("Evaluation"))
    assert one.dominant_share["Evaluation"] == 0.5 and together == pytest.approx(0.75)
    assert sum(three.dominant_share.values()) > 1  # as an answer's feedback says
    assert "ends with 50 % of it" in LESSON.reflection.text
    assert LESSON.reflection.option(LESSON.reflection.right).text == "75 % of the pool"
    assert all("75 %" in said(option, LESSON.reflection) for option in "abcd")


def test_turns_are_fair_by_count_and_not_by_share():
    result = allocate(jobs(), POOL, "round_robin", steps=12)
    assert jain_index(result.executors.values()) == 1 and WORDS["index_two:index"] == "0.818"
    assert jain_index(result.dominant_share.values()) == pytest.approx(0.818, abs=5e-4)
    assert WORDS["starved_index:number2"] == "0.99"


def test_the_notebooks_pool_is_overdrawn_and_its_turns_never_end():
    found = [fill(one.found, WORDS) for one in LESSON.corrections]
    assert sum(m for _, m in STARTS.values()) + 18 * 16 == 808 and len(allocate(notebook(), POOL).log) == 17
    assert "18 executors would use 808 of 800 GB" in found[0] and "ends after 17" in found[0]
    thirty, five = (allocate(notebook(limit), POOL, "round_robin", steps=n) for limit, n in ((30, 91), (5, 16)))
    assert (thirty.stop, len(thirty.log)) == ("no_fit", 17) and (five.stop, len(five.log)) == ("all_at_ceiling", 15)
    assert "asking for 91 executors with ceilings of 30, or for 16 with ceilings of 5, runs forever" in found[1]
    assert "the first ends after 17, when the pool is full, and the second after 15" in found[1]
    assert max(thirty.executors.values()) < 30 and "At 30 they never bind: the pool is full after 17" in found[2]


def test_the_notebooks_shares_meet_from_the_thirteenth_executor_on():
    history = allocate(notebook(), POOL).history
    meets = next(row["step"] for row in history if row["share_after"] >= row["shares"]["Heaviest"])
    assert meets == 13
    found = fill(LESSON.corrections[3].found, WORDS)
    assert "from executor 13 on, when Light evaluation has 31 % and the others 30 %" in found


def test_one_executor_shape_hides_what_multi_resource_fairness_does():
    same = [allocate(notebook(), POOL, policy, steps=15).executors for policy in ("drf", "single:mem")]
    found = fill(LESSON.corrections[4].found, WORDS)
    assert same[0] == same[1] and "DRF ends the same as fairness of memory alone" in found
    assert list(allocate(jobs(), POOL, "single:cpu", steps=12).executors.values()) == [2, 5, 5]
    assert "2, 2, and 8 under DRF, 5, 2, and 5 by memory only, 2, 5, and 5 by CPU only, 4, 4, and 4 by" in found
    assert "The notebook's equal executors" in LESSON.sources[3] and preset("draft").executors == 15
    assert list(preset("draft").runs[0].executors.values()) == [1, 1, 13]


def test_the_property_table_has_a_counterexample_for_every_no():
    """The laws behind every yes are in test_fair_properties."""
    broken = {
        "Asset fairness": ("asset", "asset"),
        "CEEI": ("lie", "ceei"),
        "One resource only": ("cpu_only", "single:cpu"),
    }
    for policy, (name, model) in (broken | {"Round-robin": ("turns", "round_robin")}).items():
        shown, size = preset(name), dict(zip(("cpu", "mem", "gpu", "gpu_mem"), preset(name).pool, strict=True))
        found = check_properties([job.claimant() for job in parse(PRESETS[name].changes["table"])], size, model)
        holds = (found.sharing_incentive, found.envy_freeness, found.pareto_efficiency, found.best_lie_gain == 0)
        assert all(says <= true for says, true in zip(properties.PROPERTIES[policy], holds, strict=True)), policy
        assert shown.jobs and (policy == "Round-robin" or holds == properties.PROPERTIES[policy])
        assert policy != "Round-robin" or (not found.envy_freeness and found.best_lie_gain > 0)
    assert properties.PROPERTIES["DRF"] == (True,) * 4
    assert list(preset("whole").runs[0].executors.values()) == [1, 1, 0]  # whole executors break a promise


def test_a_larger_claim_pays_under_ceei_and_not_under_drf():
    words = lie.verdict(preset("lie")).text
    assert (
        "A claims 8 times the memory that it needs." in words and "Under DRF A still has 4.17 true executors" in words
    )
    assert "Under CEEI A gains, because 3.23 true executors become 4.17" in words
    users = [Claimant("A", {"cpu": 16, "mem": 1}), Claimant("B", {"cpu": 1, "mem": 2})]
    assert divide(users, {"cpu": 100, "mem": 100}, "ceei").executors["A"] == pytest.approx(3.23, abs=0.01)


def test_each_step_says_who_is_served_and_why():
    said = step_words(Scenario(step=3))
    assert said.startswith("Step 3 of 12. DRF serves Parsing, with the lowest largest share (0 %). Round-robin serves")
    assert said.endswith("Round-robin serves Evaluation, next in turn.")
    assert "Round-robin serves nobody after 19 executors." in step_words(Scenario(executors=30, step=20))
    need = (1.0, 1.0, 0.0, 0.0)
    table = Job("A", (0.0,) * 4, need, 1.0, 1.0), Job("B", (5.0, 0.0, 0.0, 0.0), need)
    said = step_words(scenario_of(table, (20, 20, 1, 1), 5, 2))
    assert "DRF serves B, with the lowest largest share (25 %) of the jobs that can take one more." in said


@pytest.mark.parametrize(
    ("name", "says", "fixes"),
    [
        (
            "full",
            "Round-robin: the pool is full after 19 executors",
            "one more executor, for Evaluation, needs 5 vCPU more",
        ),
        ("ceilings", "Both policies: all jobs are at their caps after 15 executors", "Both policies: raise a cap"),
        (
            "too_large",
            "One executor of Parsing needs 256 vCPU, but the pool has 200 vCPU.",
            "at most 200 vCPU, or",
        ),
        ("whole", "Both policies: the pool is full after 2 executors", "one more executor, for C, needs 1 vCPU more"),
    ],
)
def test_a_hand_out_that_stops_says_why_and_what_would_fix_it(name, says, fixes):
    assert says in verdict(preset(name).at_end).text and fixes in LESSON.remedies(preset(name))


def test_jobs_that_hold_too_much_and_weights_that_starve_are_named():
    assert "already hold 520 GB of 500 GB" in verdict(replace(preset("draft"), mem=500e9)).text
    heavy = Job("A", (0.0,) * 4, (2.0, 16.0, 0.0, 0.0), 100.0)
    held = Job("C", (20.0, 160.0, 0.0, 0.0), (2.0, 16.0, 0.0, 0.0))
    starved = scenario_of((heavy, held), (200, 800, 1, 1), 15, 15, ("drf", "drf"))
    assert "leaves C with nothing" in verdict(starved).text
    assert "With equal weights, C would get" in LESSON.remedies(starved)
