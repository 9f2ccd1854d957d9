"""The challenge of DRF story: it can be won, and not by turning one knob to its end."""

from dataclasses import replace

from lessons.drf_story import shares
from lessons.drf_story.settings import Scenario
from tests.driving import all_text, unlocked
from ui.charts.look import Look
from ui.knobs.declared import knobs_of, read

TURNS = read(Scenario, shares.START.changes)[0]


def test_turns_are_won_by_the_ratio_of_the_pool_however_large_it_is():
    """An executor takes 16 of the CPUs or 96 of the memory: alike where there are 6 GB for each vCPU."""
    for cpu in (119, 120, 133, 150, 200, 1000, 10_000):
        for ratio in (5.0, 5.7, 5.72, 6.0, 6.29, 6.31, 7.0):
            scenario = replace(TURNS, cpu=cpu, mem=cpu * ratio * 1e9)
            fits = cpu >= 6 * (16 + 4) and cpu * ratio >= 6 * (96 + 16)
            assert bool(shares.judge(scenario).good) == (fits and 6 / 1.05 <= ratio <= 6 * 1.05), (cpu, ratio)


def test_turns_are_not_won_at_the_start_by_a_knobs_end_by_another_policy_or_with_other_jobs():
    fair = replace(TURNS, mem=1200e9)
    assert shares.judge(fair).good and not shares.judge(TURNS).good and not shares.judge(Scenario()).good
    for name in ("cpu", "mem", "executors"):
        values = knobs_of(Scenario)[name].values({})
        assert not any(shares.judge(replace(TURNS, **{name: value})).good for value in (values[0], values[-1]))
    assert not shares.judge(replace(fair, policy_two="drf")).good and not shares.judge(replace(fair, executors=11)).good
    assert not shares.judge(replace(fair, table=Scenario().table)).good
    assert "1.5 times that of Simulation" in shares.judge(TURNS).text
    assert "no room for half of the executors" in shares.judge(replace(TURNS, mem=600e9)).text


def test_turns_are_won_on_the_page_and_the_goal_is_drawn():
    app = unlocked("drf_story", {"_agent": "Mozilla/5.0"})
    app.button(key="drf_challenge").click().run()
    start = "Not yet: if the jobs take turns, Indexing ends with a largest share of 72%"
    assert not app.exception and start in all_text(app)
    assert "goal: both lines end in this area" in shares.figures(TURNS, Look())[1].labels
    app.number_input(key="drf_mem").set_value(1200).run()
    assert "Won: with taking turns, largest shares end at 48% and 48%" in all_text(app)
    assert "won" in app.session_state["ledger"]["drf"]
