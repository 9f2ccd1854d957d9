"""Every sentence of the DRF story that holds a number, quoted and proved from the model itself."""

import random
import re
from dataclasses import replace

import pytest
from drf_scenarios import pool_of, scenario_of

from lessons.drf_story import charts, values, verdict
from lessons.drf_story.acts import PROPERTIES, lie_table, lie_words
from lessons.drf_story.jobs import Job, parse
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import CLAIMS, MEASURES, POLICIES, Scenario, measured
from physics import constants as k
from physics.fairness import Claimant, allocate, check_properties, divide, jain_index
from ui.base.words import fill, load
from ui.charts.look import Look

LESSON = load("drf_story")
WORDS = values.live_values(Scenario())
POOL = {"cpu": 200, "mem": 800}
SHAPE = {"cpu": 2, "mem": 16}
STARTS = {"Heaviest": (60, 240), "Medium": (40, 240), "Light evaluation": (20, 40)}
LIGHT = "Light evaluation"


def jobs(ceiling=None) -> list[Claimant]:
    return [Claimant(n, SHAPE, {"cpu": c, "mem": m}, ceiling=ceiling) for n, (c, m) in STARTS.items()]


def said(option: str, question=LESSON.prediction) -> str:
    return fill(question.option(option).feedback, WORDS)


def found(number: int) -> str:
    return fill(LESSON.corrections[number].found, WORDS)


def test_the_message_speaks_of_the_constants():
    text = LESSON.message
    assert f"{k.DRF_CPU:g} vCPU and {k.DRF_MEMORY / k.GB:g} GB of memory" in text
    assert f"“Heaviest” holds {k.DRF_HEAVIEST_CPU:g} vCPU and {k.DRF_HEAVY_MEMORY / k.GB:g} GB" in text
    assert f"“Medium” {k.DRF_MEDIUM_CPU:g} vCPU and {k.DRF_HEAVY_MEMORY / k.GB:g} GB" in text
    assert f"only {k.DRF_LIGHT_CPU:g} vCPU and {k.DRF_LIGHT_MEMORY / k.GB:g} GB" in text
    assert f"{k.DRF_EXECUTOR_CPU:g} vCPU and {k.DRF_EXECUTOR_MEMORY / k.GB:g} GB" in text
    assert f"hand out the next {k.DRF_EXECUTORS:g}." in text and "give each job 5" in text
    assert "DRF" in text and "Three jobs" in text and len(STARTS) == 3


def test_thirteen_of_the_fifteen_go_to_light():
    result = allocate(jobs(), POOL, steps=15)
    assert result.executors == {"Heaviest": 1, "Medium": 1, LIGHT: 13}
    assert LESSON.prediction.right == "c" and LESSON.prediction.option("c").text == "13."
    assert "Light starts at 10 %, the others at 30 %" in said("c")
    assert "an executor is 1 % of the CPUs: 5 of them take it to 15 %" in said("c")
    assert "memory leads, of which an executor is 2 %. After 13 executors Light has 31 %" in said("c")
    assert "the last two go to Heaviest and Medium" in said("c") and result.log[13:] == ["Heaviest", "Medium"]


def test_the_reply_gives_the_numbers_of_the_messages_pool():
    reply = fill(LESSON.reply, WORDS)
    assert "13 of the next 15 executors go to Light evaluation and one each to Heaviest and Medium" in reply
    assert "Light starts at 10 % of the pool, the others at 30 %; after 13 executors it has 31 %" in reply
    assert "(5 each); it leaves largest shares of 40 %, 40 % and 15 %" in reply and "would take 15 of the 15" in reply


def test_what_the_visitor_said_is_drawn_as_long_as_so_many_executors():
    for option, told in charts.GUESSES.items():
        assert LESSON.prediction.option(option).text.startswith(str(told))
        rows = charts.pool_frame(Scenario(), option).to_pandas()
        bracket = rows[rows["kind"] == "guess"].iloc[0]
        assert bracket["high"] - bracket["low"] == pytest.approx(told * 16 / 800)
        assert bracket["low"] == pytest.approx((240 + 240 + 40) / 800)
    assert "guess" not in set(charts.pool_frame(Scenario())["kind"].to_pylist())


def test_every_executor_is_a_piece_of_the_bar_in_the_order_of_the_hand_out():
    rows = charts.pool_frame(replace(Scenario(), step=15)).to_pandas()
    new = rows[(rows["kind"] == "bar") & (rows["opacity"] == 1)]
    assert len(new) == 2 * 2 * 15 and (new["rim"] == "ink").sum() == 4
    memory = new[new["top"] == new["top"].unique()[1]]
    assert list(memory["job"].astype(int)) == [2] * 13 + [0, 1]
    assert memory["high"].max() == pytest.approx(1 - 40 / 800)


def test_round_robin_leaves_forty_forty_and_fifteen():
    result = allocate(jobs(), POOL, "round_robin", steps=15)
    assert list(result.dominant_share.values()) == [0.4, 0.4, 0.15]
    assert "after 5 each, the dominant shares in the message's pool are 40 %, 40 % and 15 %" in said("a")
    assert "40 %, 40 % and 15 %" in said("d", LESSON.reflection)


def test_after_ten_executors_light_is_at_a_quarter():
    assert allocate(jobs(), POOL, steps=10).dominant_share[LIGHT] == 0.25
    assert "the first 5 raise its dominant share by no more than that each. After 10 of them it stands at 25 %" in said(
        "b"
    )
    assert "still below the 30 % of the others" in said("b") and "An executor is 2 % of the memory" in said("b")


def test_after_thirteen_light_is_no_longer_the_poorest():
    result = allocate(jobs(), POOL, steps=13)
    assert result.dominant_share == {"Heaviest": 0.3, "Medium": 0.3, LIGHT: 0.31}
    assert "After 13 executors Light reaches 31 % and passes the 30 %" in said("d")


def test_a_flood_of_three_jobs_takes_everything_and_a_ceiling_of_five_holds_light_to_five():
    flood = [*jobs(), *(Claimant(f"New {i}", SHAPE) for i in range(3))]
    result = allocate(flood, POOL, steps=15)
    assert sum(result.executors[f"New {i}"] for i in range(3)) == 15 and result.executors[LIGHT] == 0
    assert "they take 15 of the next 15 executors, and Light evaluation gets 0 instead of 13" in said(
        "a", LESSON.reflection
    )
    assert "taking 15 of the next 15" in said("c", LESSON.reflection)
    assert allocate(jobs(ceiling=5), POOL, steps=15).executors[LIGHT] == 5
    assert "With a ceiling of 5 Light evaluation gets 5 of the 15 instead of 13" in said("b", LESSON.reflection)


def test_round_robin_rewards_whoever_asks_for_larger_executors():
    """As the last answer of the reflection says: 12 and 12, <1, 1> and <2, 2>."""
    pool, other = {"cpu": 12, "mem": 12}, Claimant("B", {"cpu": 2, "mem": 2})
    honest = divide([Claimant("A", {"cpu": 1, "mem": 1}), other], pool, "round_robin").executors["A"]
    lying = divide([Claimant("A", {"cpu": 2, "mem": 2}), other], pool, "round_robin").executors["A"]
    assert 2 * lying > honest


def test_fair_by_count_is_not_fair_by_share():
    result = allocate(jobs(), POOL, "round_robin", steps=15)
    assert jain_index(result.executors.values()) == 1
    assert round(jain_index(result.dominant_share.values()), 3) == 0.878
    assert "1.000 in Jain's index of new executors" in fill(LESSON.takeaways[1], WORDS)
    assert "0.878 in that of dominant shares" in fill(LESSON.takeaways[1], WORDS)


def test_the_pool_is_not_honored_by_the_notebook():
    assert sum(m for _, m in STARTS.values()) + 18 * 16 == 808
    assert "18 executors would use 808 of 800 GB" in found(0) and "ends after 17" in found(0)
    assert len(allocate(jobs(), POOL).log) == 17


def test_round_robin_ends():
    assert "asking for 91 executors with ceilings of 30, or for 16 with ceilings of 5, runs forever" in found(1)
    thirty, five = (allocate(jobs(ceiling), POOL, "round_robin", steps=steps) for ceiling, steps in ((30, 91), (5, 16)))
    assert (thirty.stop, len(thirty.log)) == ("no_fit", 17)
    assert (five.stop, len(five.log)) == ("all_at_ceiling", 15)
    assert "the first ends after 17, when the pool is full, and the second after 15, with all jobs at their" in found(1)


def test_ceilings_of_thirty_never_bind():
    assert max(allocate(jobs(30), POOL, "round_robin").executors.values()) < 30
    assert "At 30 they never bind: the pool is full after 17 executors" in found(2)


def test_shares_meet_from_the_thirteenth_executor_on():
    history = allocate(jobs(), POOL).history
    meets = next(row["step"] for row in history if row["share_after"] >= min(row["shares"]["Heaviest"], 1))
    assert meets == 13 and "from executor 13 on, when Light evaluation has 31 % and the others 30 %" in found(3)
    after = allocate(jobs(), POOL).dominant_share.values()
    assert max(after) - min(after) <= 16 / 800 + 1e-9


def test_one_executor_shape_hides_what_multi_resource_fairness_does():
    same = [allocate(jobs(), POOL, policy, steps=15).executors for policy in ("drf", "single:mem")]
    assert same[0] == same[1] and "DRF ends the same as fairness of memory alone" in found(4)
    shapes = {"Heaviest": (8, 8), "Medium": (2, 32), LIGHT: (2, 8)}
    unlike = [
        Claimant(n, dict(zip(("cpu", "mem"), shapes[n], strict=True)), {"cpu": c, "mem": m})
        for n, (c, m) in STARTS.items()
    ]
    counts = {p: list(allocate(unlike, POOL, p).executors.values()) for p in ("drf", "round_robin")}
    counts |= {p: list(allocate(unlike, POOL, f"single:{p}").executors.values()) for p in ("mem", "cpu")}
    assert counts == {"drf": [2, 2, 25], "round_robin": [6, 6, 5], "mem": [3, 1, 27], "cpu": [0, 5, 15]}
    assert "2, 2, 25 under DRF, 3, 1, 27 by memory only, 0, 5, 15 by CPU only, 6, 6, 5 by round-robin" in found(4)


def test_whole_executors_break_a_promise_now_and_then():
    users = [Claimant(n, {"cpu": c, "mem": m}) for n, c, m in [("A", 4, 1), ("B", 4, 4), ("C", 1, 1)]]
    assert list(allocate(users, {"cpu": 8, "mem": 12}).executors.values()) == [1, 1, 0]
    assert "Whole executors break them now and then" in LESSON.takeaways[3]


def test_the_property_table_has_a_counterexample_for_every_no():
    """The laws behind every yes are in test_fair_properties."""
    broken = {
        "Asset fairness": ("asset", "asset", (False, True, True, True)),
        "CEEI": ("lie", "ceei", (True, True, True, False)),
        "One resource only": ("cpu_only", "single:cpu", (False, True, True, True)),
        "Round-robin": ("turns", "round_robin", None),
    }
    for policy, (preset, model, expected) in broken.items():
        wanted = PRESETS[preset].changes
        pool = {"cpu": wanted["cpu"], "mem": wanted["mem"] / k.GB, "gpu": 1, "gpu_mem": 1}
        result = check_properties([job.claimant() for job in parse(wanted["table"])], pool, model)
        shown = (
            result.sharing_incentive,
            result.envy_freeness,
            result.pareto_efficiency,
            result.best_lie_gain == 0,
        )
        if expected is not None:
            assert shown == expected == PROPERTIES[policy]
        else:
            assert not result.envy_freeness and result.best_lie_gain > 0
    assert PROPERTIES["Round-robin"] == (False, False, True, False) and PROPERTIES["DRF"] == (True,) * 4


def random_scenario(rng: random.Random) -> Scenario:
    """Draw a scenario that anybody could type: odd amounts, ceilings, weights, starts beyond the pool."""

    def four(top: int, empty: float) -> tuple[float, ...]:
        drawn = (round(rng.choice([rng.randint(0, top), rng.random() * top]), 3) for _ in "1234")
        return tuple(amount * (rng.random() > empty) for amount in drawn)

    jobs = tuple(
        Job(
            f"J{i}",
            four(30, 0.5),
            (*four(20, 0.3)[:3], 1.0),
            rng.choice([1.0, 1.0, 2.0, 10.0]),
            rng.choice([None, None, 0.0, 2.5]),
        )
        for i in range(rng.randint(1, 6))
    )
    executors = rng.choice([0, 1, 5, 20, 60])
    return scenario_of(
        jobs,
        tuple(float(rng.randint(5, 200)) for _ in "1234"),
        executors,
        rng.randint(0, max(1, executors)),
        (rng.choice(list(POLICIES)), rng.choice(list(POLICIES))),
        rng.choice(["skip", "stop"]),
        rng.choice(list(MEASURES)),
        rng.randrange(len(jobs)),
        tuple(rng.choice(CLAIMS) for _ in "1234"),
    )


@pytest.mark.slow
def test_every_sentence_chart_and_table_can_be_made_for_any_scenario():
    rng = random.Random(8)
    for _ in range(120):
        scenario = random_scenario(rng)
        words = [verdict.verdict(scenario).text, charts.ends_alt(scenario), values.difference_table(scenario)]
        words += [
            values.fairness_table(scenario),
            values.derived_words(scenario),
            *values.live_values(scenario).values(),
        ]
        words += [metric.value for metric in (*values.metrics(scenario), *values.so_far(scenario))] + [
            result.text for result in values.results(scenario)
        ]
        for which in (0, 1):
            words += [verdict.step_words(scenario, which), charts.shares_alt(scenario, which)]
            words += [charts.pool_alt(scenario, which)]
            assert len(charts.shares_frame(scenario, which, Look())) and len(charts.pool_frame(scenario))
            assert len(values.log_frame(scenario, which)) == len(scenario.runs[which].log)
        assert len(charts.lie_frame(scenario)) and len(charts.ends_frame(scenario))
        for text in words:
            assert text and not re.search(r"\bnan\b|\binf\b|\bNone\b|\{", fill(text, {})), (scenario, text)


@pytest.mark.slow
def test_every_change_that_a_failure_names_does_mend_it():
    rng, seen = random.Random(9), set()
    for _ in range(300):
        scenario = random_scenario(rng)
        good, sentence = verdict.verdict(scenario).good, verdict.verdict(scenario).text
        assert not re.search("A pool of|It fits|equal weights|one more|aise a ceiling|ask for [0-9]", sentence), (
            sentence
        )
        sentence = f"{sentence} {verdict.remedies(scenario)}"
        if "It fits from the start" in sentence:
            name = sentence.split("executor of ")[1].split(" needs")[0]
            place, job = next((i, j) for i, j in enumerate(scenario.jobs) if j.name == name)
            free = verdict.left_at_start(scenario)
            smaller = replace(job, need=tuple(min(need, left) for need, left in zip(job.need, free, strict=True)))
            larger = [
                max(size, size - left + need) for size, left, need in zip(scenario.pool, free, job.need, strict=True)
            ]
            for mended in (
                replace(scenario, table=(*scenario.jobs[:place], smaller, *scenario.jobs[place + 1 :])),
                replace(scenario, **pool_of([round(size, 9) for size in larger])),
            ):
                left = verdict.left_at_start(mended)
                assert all(need <= have + 1e-9 for need, have in zip(mended.jobs[place].need, left, strict=True))
            seen.add("large")
        for result in scenario.runs:
            if result.stop == "no_fit" and "pool full" in sentence:
                job, lacks = verdict.shortage(scenario, result)
                free = list(result.free.values())
                assert all(need <= free[r] + lacks.get(r, 0) + 1e-8 for r, need in enumerate(job.need) if need)
                seen.add("full")
        if "With equal weights" in sentence:
            name, count = re.search(r"equal weights (J\d) would get (\d+)\.", sentence).groups()
            equal = replace(scenario, table=tuple(replace(job, weight=1.0) for job in scenario.jobs))
            assert int(count) in [result.executors[name] for result in equal.runs] and int(count) > 0
            seen.add("starved")
        if "A pool of" in sentence:
            held = [sum(job.start[r] for job in scenario.jobs) for r in range(4)]
            mended = replace(
                scenario, **pool_of([max(size, round(h, 9)) for size, h in zip(scenario.pool, held, strict=True)])
            )
            assert min(verdict.left_at_start(mended)) >= -1e-9
            seen.add("over")
        if good:
            assert all(result.stop == "max_steps" for result in scenario.runs)
    assert seen == {"large", "full", "starved", "over"}


def test_who_tells_the_truth_is_not_called_a_liar():
    honest = Scenario()
    assert "tells the truth" in lie_words(honest) and "(lies)" not in lie_table(honest)
    lying = replace(honest, claim_cpu=8.0)
    assert "claims 8 times its vCPU" in lie_words(lying) and "(lies)" in lie_table(lying)
    drawn = {scenario: " ".join(charts.lie_frame(scenario)["label"]) for scenario in (honest, lying)}
    assert "lies" not in drawn[honest] and "Heaviest (lies, true tasks)" in drawn[lying]


def test_one_starved_user_hardly_shows_in_jains_index_and_is_all_that_the_balance_sees():
    text = values.balance_words(Scenario())
    assert "one starved user of 100 leaves it at 0.99, and the balance at 0." in text
    exported = {result.label: result.value for result in values.results(Scenario())}
    for which, place in enumerate(("first", "second")):
        shares = measured(Scenario(), which, Scenario().measure)
        assert exported[f"Balance, {place} policy"] == min(shares) / max(shares)
        assert values.jain_words(min(shares) / max(shares)) in text


@pytest.mark.parametrize("left", [1, 2])
def test_what_is_left_of_the_pool_is_written_for_one_as_for_many(left):
    scenario = scenario_of((Job("A", (0, 0, 0, 0), (0, 0, 1, 0)),), pool=(1, 1, 3, 1), executors=3 - left)
    assert verdict.verdict(scenario).text.endswith(f"Left under DRF: {left} GPU{'s' if left > 1 else ''}.")
