"""Exam questions: their numbers are drawn, their solutions are the models', and a key opens
them.
"""

import math
import re
from dataclasses import replace
from statistics import NormalDist

import pytest
from driving import all_text, keys, put, sent, undescribed, visit

from lessons import LESSONS
from ui.base import staff_key
from ui.instructors import exam_page as page
from ui.instructors import questions

ASKED = [lesson for lesson in LESSONS if questions.forms(lesson.page)]
CORE = [lesson for lesson in LESSONS if not lesson.theme]
each = pytest.mark.parametrize("lesson", ASKED, ids=lambda lesson: lesson.id)
KEY = "a long and random text"


def number(text: str, before: str, after: str) -> float:
    """Return the number between two pieces of a text."""
    [found] = re.findall(re.escape(before) + r"([\d,.]+)" + re.escape(after), text)
    return float(found.replace(",", ""))


def settings_of(page_name: str, place: int, draw: int):
    lesson = next(lesson for lesson in LESSONS if lesson.page == page_name)
    question = questions.draw_questions([lesson], draw)[place]
    return question.settings, question


def test_every_lesson_with_a_script_has_a_question():
    assert [lesson for lesson in LESSONS if lesson.script] == ASKED
    assert {lesson.page for lesson in CORE} < {lesson.page for lesson in ASKED}


@each
def test_other_draws_have_other_numbers_and_every_placeholder_is_filled(lesson):
    drawn = [questions.draw_questions([lesson], draw) for draw in range(1, 13)]
    for place, form in enumerate(questions.forms(lesson.page)):
        texts = {asked[place].text for asked in drawn}
        solutions = {asked[place].solution for asked in drawn}
        assert len(texts) >= 3 and len(solutions) >= 3
        for asked in drawn:
            assert not re.search(r"[{}]|\bnan\b|\binf", asked[place].text + asked[place].solution)
            for name, values in form.vary.items():
                assert getattr(asked[place].settings, name) in values, name
    assert questions.draw_questions([lesson], 5) == questions.draw_questions([lesson], 5)
    with pytest.raises(ValueError, match="from 1 to 999, got 0"):
        questions.draw_questions([lesson], 0)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_the_wait_of_the_first_question_is_that_of_erlang(draw):
    fleet, question = settings_of("utilization_trap", 0, draw)
    places = fleet.fleet // fleet.gpus_per_job
    offered = places * fleet.utilization
    terms = [offered**n / math.factorial(n) for n in range(places)]
    last = offered**places / math.factorial(places) / (1 - fleet.utilization)
    waiting = last / (sum(terms) + last)
    spare = places * (1 - fleet.utilization) / fleet.job_length
    assert fleet.wait == pytest.approx(waiting / spare)
    assert number(question.text, "with a probability of ", "%") == pytest.approx(
        100 * waiting, rel=1e-3
    )
    assert f"fits {places} jobs" in question.solution


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_the_offered_load_is_jobs_times_gpus_times_hours(draw):
    _, question = settings_of("scheduling_policy", 0, draw)
    interactive = number(question.text, "GPUs. ", " interactive")
    training = number(question.text, "on average. ", " training")
    busy = (interactive * 8 * 0.5 + 20 * 20 * 2 + training * 288 * 18) / 24
    assert number(question.solution, "keep ", " GPUs busy") == pytest.approx(busy, abs=0.51)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_a_loaders_batch_takes_its_samples_over_its_workers(draw):
    job, question = settings_of("io_bottleneck", 0, draw)
    assert job.pipeline.bottleneck in ("workers", "compute")
    sample = job.latency + number(question.text, "bytes in ", " ms") / 1000 + job.decode_time
    batch = number(question.text, "a batch of ", " samples") * sample / job.workers
    assert job.utilization == pytest.approx(min(1, 0.05 / batch))
    packed, _ = settings_of("io_bottleneck", 1, draw)
    sample = packed.latency / packed.packing + 62.5e-6 + packed.decode_time
    assert packed.sample_time == pytest.approx(sample)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_opens_ask_for_servers_and_growth_fills_the_storage(draw):
    design, question = settings_of("storage_architecture", 0, draw)
    rate = number(question.text, "GPUs reads ", " GB/s") * 1e9
    operations = 3 * rate / design.file_size
    assert design.operations == pytest.approx(operations, rel=0.01)
    assert design.servers_needed == math.ceil(design.operations / 50_000)
    full, _ = settings_of("storage_architecture", 1, draw)
    years = math.log(full.capacity / full.data) / math.log(1 + full.growth)
    assert full.full_after == pytest.approx(years)


@pytest.mark.parametrize("draw", [1, 2, 3, 4, 5, 6])
def test_executors_are_handed_out_as_the_question_says(draw):
    pool, question = settings_of("drf_story", 0, draw)
    gains = {
        "Evaluation": max(5 / pool.cpu, 20e9 / pool.mem),
        "Joins": max(5 / pool.cpu, 80e9 / pool.mem),
        "Parsing": max(20 / pool.cpu, 20e9 / pool.mem),
    }
    handed = dict.fromkeys(gains, 0)
    for _ in range(pool.executors):
        serve = min(gains, key=lambda job: (round(handed[job] * gains[job], 9), job))
        handed[serve] += 1
    counts = f"{handed['Parsing']}, {handed['Joins']}, and {handed['Evaluation']}"
    assert f"Evaluation get {counts} executors" in question.solution


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_littles_law_gives_the_occupied_gpus(draw):
    center, question = settings_of("where_the_hours_go", 0, draw)
    assert center.now.stable
    hours = number(question.text, "it runs for ", " h on")
    occupied = number(question.text, "average. ", " jobs arrive") * hours * 256
    assert center.occupied == pytest.approx(occupied, rel=0.01)
    assert center.computing == pytest.approx(occupied / hours, rel=0.01)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_electives_questions_have_the_solutions_of_a_hand_calculation(draw):
    teams, _ = settings_of("fair_queueing", 0, draw)
    half_life = teams.remembered
    kept = 1 - 2 ** (-teams.alone / half_life)
    assert teams.locked_out == pytest.approx(half_life * math.log2(1 + kept))
    assert teams.longest == pytest.approx(half_life)
    pair, _ = settings_of("notebook_sharing", 0, draw)
    assert pair.equal.two == pytest.approx(2 * pair.second_length)
    assert pair.equal.one == pair.ordered.two == pytest.approx(60 + pair.second_length)
    run, _ = settings_of("placement", 0, draw)
    slower = (run.compute + run.far) / (run.compute + run.near)
    assert run.break_even == pytest.approx(run.runtime * (slower - 1))


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_an_autoscaler_oscillates_where_half_the_load_is_below_its_lower_threshold(draw):
    fleet, question = settings_of("autoscaling", 0, draw)
    assert fleet.upper < fleet.base and fleet.base / 2 < fleet.lower
    assert fleet.swing == 1 and fleet.changes > 1
    limit = number(question.solution, "so the limit is ", "%.")
    assert limit == pytest.approx(50 * fleet.upper, rel=1e-3)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_the_useful_share_is_that_of_the_formula_in_the_question(draw):
    run, question = settings_of("failures_at_scale", 0, draw)
    between = run.node_mtbf / (run.gpus / 8)
    loss = math.exp(run.recovery / between) * (math.exp(run.interval / between) - 1)
    share = run.interval / between / loss
    assert run.mtbf == pytest.approx(between) and run.share == pytest.approx(share)
    useful = number(question.solution, "%, so ", " GPUs")
    assert useful == pytest.approx(run.gpus * share, rel=1e-3)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_two_jobs_on_a_gpu_take_as_long_as_their_demand_for_the_busier_resource(draw):
    pair, question = settings_of("gpu_sharing", 0, draw)
    ridge = 989.4 / 3.35
    assert pair.ridge == pytest.approx(ridge, rel=1e-3)
    compute = pair.intensity / pair.ridge + 1
    memory = 1 + pair.ridge / pair.neighbor
    slower = number(question.solution, "each job takes ", " times")
    assert slower == pytest.approx(max(compute, memory), rel=5e-3)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_any_nodes_are_free_with_the_chance_of_a_binomial_tail(draw):
    nodes, question = settings_of("gpu_slices", 0, draw)
    terms = [
        math.comb(nodes.nodes, n) * nodes.free**n * (1 - nodes.free) ** (nodes.nodes - n)
        for n in range(nodes.needed, nodes.nodes + 1)
    ]
    assert nodes.gang["chance"] == pytest.approx(sum(terms))
    assert number(question.solution, "On average, ", " nodes") == pytest.approx(
        nodes.nodes * nodes.free, rel=5e-3
    )


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_the_last_of_memoryless_answers_takes_a_sum_of_fractions(draw):
    rollout, question = settings_of("last_answer", 0, draw)
    assert rollout.started <= rollout.places
    everything = [1 / left for left in range(1, rollout.answers + 1)]
    assert rollout.longest_wait == pytest.approx(60 * sum(everything))
    more = rollout.extra_answers
    first = [1 / left for left in range(more + 1, rollout.started + 1)]
    assert rollout.step == pytest.approx(60 * sum(first))
    assert number(question.solution, "the step takes ", " min.") == pytest.approx(
        sum(first), rel=5e-3
    )


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_the_weeks_of_a_trial_solve_the_formula_in_the_question(draw):
    trial, question = settings_of("policy_trial", 0, draw)
    z = NormalDist().inv_cdf((1 + trial.confidence) / 2)
    alone = 2 * (z * trial.deviation / trial.difference) ** 2
    needed = alone * (1 + trial.r) / (1 - trial.r)
    assert number(question.solution, "for about ", " weeks") == pytest.approx(needed, rel=0.1)
    independent = number(question.solution, "With a correlation of 0, ", " weeks")
    assert independent == max(1, math.ceil(alone))


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_the_best_interval_follows_the_square_root(draw):
    plan, _ = settings_of("spot_training", 0, draw)
    between = plan.mtbf / plan.nodes
    assert plan.young == pytest.approx(math.sqrt(2 * plan.dump * between))
    larger = replace(plan, nodes=4 * plan.nodes)
    assert larger.young == pytest.approx(plan.young / 2)


@pytest.mark.parametrize("draw", [1, 2, 3, 4])
def test_a_prompt_takes_its_arithmetic_and_the_knee_is_where_it_takes_as_long_as_the_weights(draw):
    chat, question = settings_of("stuttering_answers", 0, draw)
    arithmetic = 2 * 8.03e9 / 989e12
    prompt = number(question.solution, "The prompt takes ", " ms")
    assert prompt == pytest.approx(1000 * arithmetic * chat.prompt, rel=0.01)
    weights = 2 * 8.03e9 / chat.bandwidth
    assert chat.weights_time == pytest.approx(weights)
    assert chat.knee == pytest.approx(weights / arithmetic)


def test_without_a_key_the_page_says_how_to_set_one_and_shows_no_question(monkeypatch):
    monkeypatch.delenv(staff_key.SETTING, raising=False)
    app = visit("exam")
    assert not app.exception and page.PUBLIC in all_text(app) and "public" in page.PUBLIC
    assert staff_key.SETTING in page.COMMAND and page.COMMAND in all_text(app)
    assert not app.expander and "exam_lessons" not in keys(app)


def test_the_key_opens_the_questions_and_a_wrong_one_does_not(monkeypatch):
    monkeypatch.setenv(staff_key.SETTING, KEY)
    app = visit("exam")
    assert "Solution" not in sent(app) and "fits at once" not in sent(app)
    app.text_input(key="exam_staff_key").set_value("wrong")
    app.button(key="exam_open").click().run()
    assert "This is not the staff key." in app.error[0].value and not app.expander
    app.text_input(key="exam_staff_key").set_value(KEY)
    app.button(key="exam_open").click().run()
    assert not app.exception and not app.error
    assert len(app.expander) == sum(len(questions.forms(lesson.page)) for lesson in CORE)
    assert not undescribed(key for key in keys(app) if key.startswith("exam_"))
    before = all_text(app)
    assert all_text(put(app, "exam_number", 2)) != before
    put(app, "exam_lessons", ["fair"])
    assert len(app.expander) == 1


def test_the_exam_prints_without_its_solutions():
    asked = questions.draw_questions(CORE[:2], 7)
    exam = page.to_html(asked, 7, solved=False).decode()
    solved = page.to_html(asked, 7, solved=True).decode()
    assert "Solution." not in exam and solved.count("Solution.") == len(asked)
    assert "Numbers of draw 7" in exam
