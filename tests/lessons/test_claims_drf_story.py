"""Every sentence of the DRF story that holds a number, proved from the model itself."""

from dataclasses import replace

import pytest
from drf_scenarios import preset, scenario_of

from lessons import DRF_STORY as LESSON
from lessons.drf_story import cheat, pool
from lessons.drf_story.jobs import STORY, WITH_GPUS, Job
from lessons.drf_story.laboratory import lie, limits
from lessons.drf_story.pool import verdict
from lessons.drf_story.settings import SECOND_POOL, Scenario, say
from physics import constants as k
from physics.fairness import Claimant, allocate, check_properties, divide
from ui.base.words import fill
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

WORDS = LESSON.values(Scenario())
POOL = {"cpu": 200, "mem": 800}
SHAPES = {"Parsing": (20, 20), "Joins": (5, 80), "Evaluation": (5, 20)}
STARTS = {"Heaviest": (60, 240), "Medium": (40, 240), "Light evaluation": (20, 40)}


def jobs(**more) -> list[Claimant]:
    return [Claimant(name, {"cpu": c, "mem": m}) for name, (c, m) in (SHAPES | more).items()]


def notebook(ceiling=None) -> list[Claimant]:
    shape = {"cpu": 2, "mem": 16}
    return [
        Claimant(name, shape, {"cpu": c, "mem": m}, ceiling=ceiling)
        for name, (c, m) in STARTS.items()
    ]


def said(option: str, question=LESSON.prediction) -> str:
    return fill(question.option(option).feedback, WORDS)


def test_the_message_speaks_of_the_constants():
    for name, (cpu, memory) in SHAPES.items():
        assert f"“{name}” takes {cpu} vCPU and {memory} GB" in LESSON.message
        job = next(job for job in Scenario().table if job.name == name)
        assert job.need == (cpu, memory) and not any(job.start)
    assert f"{k.DRF_CPU:g} vCPU and {k.DRF_MEMORY / k.GB:g} GB of memory" in LESSON.message
    assert (
        f"hand out {k.DRF_EXECUTORS:g} executors" in LESSON.message
        and "each gets 4" in LESSON.message
    )


@pytest.mark.parametrize(
    ("option", "policy", "counts", "shares"),
    [
        ("a", "round_robin", [4, 4, 4], [0.4, 0.4, 0.1]),
        ("d", "single:mem", [5, 2, 5], [0.5, 0.2, 0.125]),
        ("b", "asset", [3, 3, 6], [0.3, 0.3, 0.15]),
        ("c", "drf", [2, 2, 8], [0.2, 0.2, 0.2]),
    ],
)
def test_each_answer_is_what_a_policy_gives_and_its_test_shows_that_policy(
    option, policy, counts, shares
):
    result = allocate(jobs(), POOL, policy, steps=12)
    assert list(result.executors.values()) == counts and list(
        result.dominant_share.values()
    ) == pytest.approx(shares)
    answer = LESSON.prediction.option(option)
    assert answer.text == f"{counts[-1]} executors." and pool.GUESSES[option] == counts[-1]
    written = ", ".join(f"{100 * share:g}%" for share in shares[:2]) + f", and {100 * shares[2]:g}%"
    assert written in said(option) and LESSON.prediction.right == "c"
    shown = read(Scenario, answer.test.settings)[0]
    assert shown.step == 12 and (policy in (shown.policy_one, shown.policy_two))


def test_drf_serves_evaluation_four_times_as_often():
    large, other, small = (max(cpu / 200, memory / 800) for cpu, memory in SHAPES.values())
    assert (large, other, small, large / small) == (0.1, 0.1, 0.025, 4)
    assert "adds 10% to the largest share of Parsing or Joins, but only 2.5%" in said("c")
    assert (
        "4 times as often as each of the others" in said("c")
        and "(10%, 10%, 2.5%)" in LESSON.staff.ten
    )
    assert say.written("gains", Scenario()) == "Parsing 10%, Joins 10%, Evaluation 2.5%"


def test_what_the_visitor_said_is_drawn_as_long_as_so_many_executors():
    for option, told in pool.GUESSES.items():
        rows = pool.figure(Scenario(step=12), Look(), option).frame
        bracket = rows[rows["kind"] == "guess"].iloc[0]
        assert bracket["high"] - bracket["x"] == pytest.approx(told * 20 / 800)
        assert bracket["x"] == pytest.approx((2 * 20 + 2 * 80) / 800)  # where Evaluation begins
    assert "guess" not in set(pool.figure(preset("draft"), Look(), "a").frame["kind"])


def test_every_executor_is_a_piece_of_the_bar_of_its_job():
    rows = pool.figure(Scenario(step=12), Look()).frame
    new = rows[(rows["kind"] == "bar") & (rows["opacity"] == 1)]
    assert len(new) == 2 * 2 * 12 and (new["rim"] == "ink").sum() == 4
    memory = new[new["y"] == new["y"].unique()[1]]
    assert list(memory["tone"]) == ["s0"] * 2 + ["s1"] * 2 + ["s2"] * 8
    assert memory["high"].max() == pytest.approx((2 * 20 + 2 * 80 + 8 * 20) / 800)


def test_three_names_get_three_quarters_of_the_full_pool():
    one = allocate(jobs(), POOL)
    three = allocate(jobs(**{"Evaluation 2": (5, 20), "Evaluation 3": (5, 20)}), POOL)
    together = sum(
        share for name, share in three.dominant_share.items() if name.startswith("Evaluation")
    )
    assert one.dominant_share["Evaluation"] == 0.5 and together == pytest.approx(0.75)
    assert WORDS["full.one:user"] == "50%" and WORDS["named.one:user"] == "75%"


SECOND = {"cpu": 128, "mem": 1024, "gpu": 16}
TAKES = {"Training": (8, 64, 2), "Inference": (4, 32, 1), "Preparation": (16, 64, 0)}


def test_in_the_pool_with_gpus_each_job_gets_half_of_what_it_needs_most():
    users = []
    for name, amounts in TAKES.items():
        users.append(Claimant(name, dict(zip(SECOND, amounts, strict=True))))
        job = next(job for job in WITH_GPUS if job.name == name)
        assert job.takes == amounts
        written = f"{amounts[0]} vCPU, {amounts[1]} GB, and"
        assert written in LESSON.reflection.text
    assert "128 vCPU, 1,024 GB, and 16 GPUs" in LESSON.reflection.text
    result = allocate(users, SECOND)
    assert list(result.dominant_share.values()) == [0.5] * 3
    assert result.executors["Preparation"] * 16 / 128 == 0.5 and len(result.log) == 16
    assert result.free == {"cpu": 0, "mem": 256, "gpu": 0}
    only = allocate(users, SECOND, "single:gpu")
    assert only.executors["Preparation"] == 7 and 7 * 16 / 128 == 0.875 and only.free["gpu"] == 12
    assert "its 7 executors would leave most GPUs idle" in said("c", LESSON.reflection)
    assert "4 of 16 executors" in said("d", LESSON.reflection)
    assert LESSON.reflection.option(LESSON.reflection.right).text == "50% of the CPUs"
    assert all("50%" in said(option, LESSON.reflection) for option in "abcd")


def test_the_tour_says_what_the_steps_show():
    log = allocate(jobs(), POOL).log
    assert set(log[:3]) == set(SHAPES) and log[3:7] == ["Evaluation"] * 4
    drf = allocate(jobs(), POOL)
    turns = allocate(jobs(), POOL, "round_robin")
    assert drf.free == {"cpu": 0, "mem": 0} and turns.free == {"cpu": 0, "mem": 60}
    assert len(drf.log) == 28 > len(turns.log) == 19


def by_product(names: int) -> float:
    """Evaluation's share under so many names: all names' shares are equal until a resource is used
    up, and of each resource one unit of share takes 1 or a part of it.
    """
    cpu = 1 + 0.25 + names
    memory = 0.25 + 1 + names
    assert cpu == memory  # Parsing and Joins mirror each other
    return names / max(0.25 + 1 + names, cpu)


def test_names_pay_by_the_arithmetic_of_equal_shares_until_users_are_counted():
    evaluation = STORY[2]
    for names in (1, 2, 3, 4):
        scenario = Scenario(liar="3", names=names)
        count = cheat.executors(scenario)["Evaluation"]
        share = cheat.share(scenario, evaluation, count)
        assert share == pytest.approx(by_product(names))
        users = replace(scenario, check="users")
        assert cheat.gain(users) == pytest.approx(1)
        assert cheat.gain(replace(scenario, check="use")) == pytest.approx(cheat.gain(scenario))
        won = cheat.judge(users).good is True
        assert won == (by_product(names) / by_product(1) >= 1.5)


def test_no_false_claim_pays_under_drf_whoever_lies():
    for liar in "123":
        for cpu in (0.1, 0.5, 1, 1.25, 2, 10):
            for mem in (0.1, 0.75, 1, 1.5, 4, 10):
                scenario = Scenario(liar=liar, claim_cpu=cpu, claim_mem=mem)
                assert cheat.gain(scenario) <= 1 + 1e-9
                assert not cheat.judge(scenario).good


def test_measured_use_takes_back_what_lies_idle():
    scenario = Scenario(liar="2", claim_cpu=8)
    assert cheat.gain(scenario) < 0.99
    assert cheat.gain(replace(scenario, check="use")) == pytest.approx(1)
    assert "sit idle" in cheat.verdict(scenario).text
    assert "The check corrects" in cheat.verdict(replace(scenario, check="use")).text


def test_the_challenge_is_not_won_at_its_start_at_the_knobs_ends_or_with_other_jobs():
    won = Scenario(liar="3", names=3, check="users")
    assert cheat.judge(won).good and not cheat.judge(Scenario()).good
    assert not cheat.judge(replace(won, table=WITH_GPUS, gpu=16)).good
    assert "nobody checks" in cheat.judge(replace(won, check="none")).text
    assert "does not catch the lie" in cheat.judge(replace(won, check="use")).text
    knobs = knobs_of(Scenario)
    for end in (0, -1):
        names = ("liar", "names", "claim_cpu", "claim_mem", "check")
        ends = {name: knobs[name].values({})[end] for name in names}
        assert not cheat.judge(Scenario(**ends)).good
    rows = cheat.figure(won, Look(), playing=True).frame
    goal = rows[rows["kind"] == "goal"].iloc[0]
    assert goal["x"] == pytest.approx(1.5 * by_product(1))


def test_a_cap_for_each_user_holds_names_together_and_a_quota_is_an_equal_part():
    for names in (1, 2, 3, 4):
        scenario = Scenario(liar="3", names=names)
        free = limits.shares(scenario, "none")["Evaluation"]
        assert free == pytest.approx(by_product(names))
        assert limits.shares(scenario, "user")["Evaluation"] == pytest.approx(min(0.5, free))
        assert limits.shares(scenario, "job")["Evaluation"] == pytest.approx(free)
        assert limits.shares(scenario, "quota")["Evaluation"] == pytest.approx(1 / 3)


def test_what_is_handed_out_by_hand_follows_the_same_arithmetic():
    in_turn = Scenario(policy_two="hand", given=(1, 2, 3) * 7)
    assert in_turn.two.executors == allocate(jobs(), POOL, "round_robin").executors
    assert in_turn.two.stop == "no_fit"
    assert verdict(in_turn).good is False and "Idle: 60 GB" in verdict(in_turn).text
    names = list(SHAPES)
    order = tuple(names.index(name) + 1 for name in allocate(jobs(), POOL).log)
    like_drf = Scenario(policy_two="hand", given=order)
    assert like_drf.two.dominant_share == like_drf.one.dominant_share
    assert verdict(like_drf).good is True
    assert (
        "The pool is out of CPU and memory, so no executor fits anymore. Idle: nothing."
        in verdict(like_drf).text
    )


def test_the_notebooks_pool_is_overdrawn_and_its_turns_never_end():
    found = [one.found for one in LESSON.corrections]
    assert (
        sum(m for _, m in STARTS.values()) + 18 * 16 == 808
        and len(allocate(notebook(), POOL).log) == 17
    )
    assert "18 executors would use 808 of 800 GB" in found[0] and "stops after 17" in found[0]
    thirty, five = (
        allocate(notebook(limit), POOL, "round_robin", steps=n) for limit, n in ((30, 91), (5, 16))
    )
    assert (thirty.stop, len(thirty.log)) == ("no_fit", 17) and (five.stop, len(five.log)) == (
        "all_at_ceiling",
        15,
    )
    assert "91 executors and ceilings of 30, or with 16 executors and ceilings of 5" in found[1]
    assert (
        "the first example stops after 17 executors, when the pool is full, and the second after 15"
        in found[1]
    )
    assert (
        max(thirty.executors.values()) < 30
        and "no job ever reaches its ceiling: the pool is full after 17" in found[2]
    )


def test_the_notebooks_shares_meet_from_the_thirteenth_executor_on():
    meets = next(
        row
        for row in allocate(notebook(), POOL).history
        if row["share_after"] >= row["shares"]["Heaviest"]
    )
    assert meets["step"] == 13
    assert [round(meets["shares"][name], 2) for name in STARTS] == [0.3, 0.3, 0.29]
    assert round(meets["share_after"], 2) == 0.31
    assert (
        "from executor 13 on: “Light evaluation” then has 31% and the others have 30%"
        in LESSON.corrections[3].found
    )


def test_one_executor_shape_hides_what_multi_resource_fairness_does():
    same = [
        allocate(notebook(), POOL, policy, steps=15).executors for policy in ("drf", "single:mem")
    ]
    found = fill(LESSON.corrections[4].found, WORDS)
    assert same[0] == same[1] and "the same result as counting memory alone" in found
    assert list(allocate(jobs(), POOL, "single:cpu", steps=12).executors.values()) == [2, 5, 5]
    assert (
        "2, 2, and 8 executors under DRF, 5, 2, and 5 if only memory counts, 2, 5, and 5 if only"
        in found
    )
    assert (
        list(preset("draft").one.executors.values()) == [1, 1, 13]
        and preset("draft").executors == 15
    )


def test_the_property_table_has_a_counterexample_for_every_no():
    """The laws behind every yes are in test_fair_properties."""
    lines = [
        line.strip("| ").split(" | ")
        for line in say("property_table", Scenario()).splitlines()
        if "/c" in line
    ]
    table = {policy: ["check" in mark for mark in marks] for policy, *marks in lines}
    pools = {
        "Asset fairness": ("asset", 30, [("A", 1, 3), ("B", 1, 1)]),
        "CEEI": ("ceei", 100, [("A", 16, 1), ("B", 1, 2)]),
        "One resource only": ("single:cpu", 100, [("A", 16, 1), ("B", 1, 2)]),
        "Round-robin": ("round_robin", 12, [("A", 1, 1), ("B", 2, 2)]),
    }
    for policy, (model, size, needs) in pools.items():
        users = [Claimant(name, {"cpu": cpu, "mem": mem}) for name, cpu, mem in needs]
        found = check_properties(users, {"cpu": size, "mem": size}, model)
        holds = (
            found.sharing_incentive,
            found.envy_freeness,
            found.pareto_efficiency,
            found.best_lie_gain == 0,
        )
        assert list(holds) == table[policy], policy
    assert table["DRF"] == [True] * 4 and len(table) == 5
    assert list(preset("whole").one.executors.values()) == [
        1,
        1,
        0,
    ]  # whole executors break a promise
    asset = preset("asset").two
    assert min(asset.dominant_share.values()) < 1 / 2 and asset.stop == "no_fit"


def test_a_larger_claim_pays_under_ceei_and_not_under_drf():
    """The published case, 100/31 and 25/6 executors in test_fairness."""
    words = lie.verdict(preset("lie")).text
    assert words.startswith(
        "A claims 8 times the memory that it needs. Under DRF, A still has 4.17 usable executors,"
    )
    assert (
        "Under CEEI, A gains: its false claim raises its usable executors from 3.23 to 4.17"
        in words
    )


def test_each_step_says_who_is_served_and_why():
    said = verdict(Scenario(step=3)).text
    assert said.startswith("Step 3 of 12. DRF: Parsing has the lowest dominant share")
    assert said.endswith("Round-robin: Evaluation is next in turn.")
    table = Job("A", (1.0, 1.0), weight=1.0, ceiling=1.0), Job("B", (1.0, 1.0), (5.0, 0.0))
    said = verdict(scenario_of(table, (20, 20), 5, 2, "drf", "single:mem")).text
    assert "DRF: B has the lowest dominant share of those below their ceilings." in said
    assert "Memory only: B has the lowest share of memory." in said


@pytest.mark.parametrize(
    ("scenario", "says", "fixes"),
    [
        (
            Scenario(executors=30),
            "Round-robin: no more executors fit after 19 executors",
            "robin can allocate more only in a larger pool",
        ),
        (
            preset("ceilings"),
            "DRF: all jobs are at their caps after 15 executors",
            "DRF can allocate more only with a higher cap",
        ),
        (
            preset("whole"),
            "DRF: no more executors fit after 2 executors",
            "DRF can allocate more only in a larger pool",
        ),
        (
            scenario_of([Job("A", (256, 20))], (200, 800)),
            "after 0 executors, with 200 vCPU",
            "only in a larger pool",
        ),
    ],
)
def test_a_hand_out_that_stops_says_why_and_what_would_fix_it(scenario, says, fixes):
    assert says in verdict(replace(scenario, step=scenario.last)).text and fixes in LESSON.remedies(
        scenario
    )


def test_the_parts_guesses_say_what_the_model_says():
    of_gpus = Scenario(**SECOND_POOL)
    turns = of_gpus.two
    assert list(turns.dominant_share.values())[:2] == [0.625, 0.375] and turns.free["GPU"] == 0
    assert of_gpus.one.dominant_share["Training"] == 0.5
    # An equal half of 9 CPUs and 18 GB holds more of B's executors than equal shares of the CPUs.
    jobs = [Job("A", (1, 8)), Job("B", (3, 1))]
    pool = {"CPU": 9.0, "memory": 18.0}
    equal_cpus = divide([job.claimant() for job in jobs], pool, "single:CPU").executors
    assert equal_cpus["B"] < min(4.5 / 3, 9 / 1)
