"""The film of the DRF story is the two hand-outs: after each step the rows hold what the jobs hold."""

import pytest
from drf_scenarios import preset
from filmed import seen_at

from lessons.drf_story import PRESETS, film
from lessons.drf_story.jobs import Job
from lessons.drf_story.settings import Scenario
from ui.charts.look import Look
from ui.films import message

SETTINGS = {
    **{name: preset(name) for name in PRESETS},
    "message": Scenario(),
    "small": Scenario(tuple(Job(name, (0.5, 1.0)) for name in "ABCDE"), executors=100),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_after_every_step_the_rows_hold_what_the_jobs_hold(name):
    scenario = SETTINGS[name]
    shown = film.played(scenario)
    for step in range(0, int(shown.end), max(1, int(shown.end) // 12)):
        boxes, waiting = seen_at(shown, step)
        assert not len(waiting)
        for which, result in enumerate((scenario.one, scenario.two)):
            count = {job.name: result.log[:step].count(job.name) for job in scenario.table}
            for r in range(2):
                total = sum(job.start[r] + count[job.name] * job.need[r] for job in scenario.table) / scenario.pool[r]
                mine = boxes[boxes["first"] // film.SQUARES == which * 2 + r]
                seen = (mine["last"] - mine["first"] + 1).sum()
                # Sums of decimal shares may fall on either side of half a square.
                assert seen == pytest.approx(total * film.SQUARES, abs=0.5 + 1e-6)
    assert message(film.showing(scenario), Look())["kinds"]  # a heavier one is refused
    for box in shown.boxes.itertuples():
        row, which = map(int, box.kind.split())
        job = scenario.table[row].name
        assert box.words == (f"{box.begin:.0f}" if box.begin else job)
        assert not box.begin or (scenario.one, scenario.two)[which].log[int(box.begin) - 1] == job
