"""The film of the DRF story is the two hand-outs: after each step the rows hold what the jobs hold."""

import pytest
from driving import all_text, charts, keys, unlocked, visit

from lessons.drf_story import film
from lessons.drf_story.jobs import RESOURCES, Job, draft, parse
from lessons.drf_story.presets import PRESETS
from lessons.drf_story.settings import Scenario
from ui.charts.look import Look
from ui.films import message


def scenario_of(changes: dict) -> Scenario:
    """A preset's scenario; its table is written as in a link."""
    return Scenario(**(changes | ({"table": parse(changes["table"])} if "table" in changes else {})))


SIX = tuple(Job(name, (0.0, 0.0, 0.0, 0.0), (0.5, 1.0, 0.1, 4.0)) for name in "ABCDEF")
SETTINGS = {
    **{name: scenario_of(preset.changes) for name, preset in PRESETS.items()},
    "none": Scenario(executors=0),
    "small": Scenario(SIX, executors=400),
    "over": Scenario(draft(), cpu=10),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_after_every_step_the_rows_hold_what_the_jobs_hold(name):
    scenario = SETTINGS[name]
    shown, rows = film.played(scenario), len(scenario.used)
    for step in range(0, int(shown.end), max(1, int(shown.end) // 12)):
        boxes, waiting = shown.at(step)
        assert not len(waiting)
        for which, result in enumerate(scenario.runs):
            count = {job.name: result.log[:step].count(job.name) for job in scenario.jobs}
            for place, r in enumerate(scenario.used):
                total = sum(job.start[r] + count[job.name] * job.need[r] for job in scenario.jobs) / scenario.pool[r]
                mine = boxes[boxes["first"] // film.SQUARES == which * rows + place]
                seen = (mine["last"] - mine["first"] + 1).sum()
                # Sums of decimal shares may fall on either side of half a square.
                assert seen == pytest.approx(min(film.SQUARES, total * film.SQUARES), abs=0.5 + 1e-6)


@pytest.mark.parametrize("name", SETTINGS)
def test_each_executor_falls_at_its_own_step_in_the_color_of_the_job_that_is_served(name):
    scenario = SETTINGS[name]
    order = [job.name for job in scenario.jobs]
    for box in film.played(scenario).boxes.itertuples():
        row, which = map(int, box.kind.split())
        if box.begin:
            assert scenario.runs[which].log[int(box.begin) - 1] == order[row] and box.words == f"{box.begin:.0f}"
        else:
            assert box.words == order[row]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_film_can_be_sent_for_every_table_and_says_when_the_jobs_hold_too_much(name):
    shown = film.showing(SETTINGS[name])
    assert message(shown, Look())["kinds"]  # a heavier one is refused
    over = any(result.free[RESOURCES[r]] < 0 for result in SETTINGS[name].runs for r in SETTINGS[name].used)
    assert ("its rows end with the pool" in shown.caption) == over == (name == "over")


def test_the_film_is_sent_only_after_the_lock():
    assert "drf_film_pool" not in keys(visit("drf_story", {"drf_view": "film"}))
    app = unlocked("drf_story", {"drf_view": "film"})
    assert not app.exception and not charts(app) and "DRF hands out 12 executors" in all_text(app)
    assert "drf_film_pool" in keys(app)
