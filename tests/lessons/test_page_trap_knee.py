"""Utilization trap: the second chart, how the size of the jobs moves the knee."""

from itertools import pairwise

import pytest
from driving import chart_frame, charts, unlocked

from lessons.utilization_trap import knee as trap_knee
from lessons.utilization_trap.settings import Fleet
from physics.queueing import highest_utilization
from ui.charts import Look


def frame(app):
    return chart_frame(next(chart for chart in charts(app) if "GPUs per job" in chart.alt))


def dot(rows):
    """The label of the present jobs, and the place of their point."""
    label = rows[rows.label.fillna("").str.startswith("your jobs")].iloc[0]
    return (label.gpus, round(label.utilization, 3), label.label)


def knees(fleet):
    rows = trap_knee.figure(fleet, Look()).frame
    return rows[rows.kind == "curve"].set_index("gpus").utilization.to_dict()


def test_the_chart_is_drawn_when_it_is_chosen_and_marks_the_present_jobs():
    app = unlocked("utilization_trap")
    assert not any("GPUs per job" in chart.alt for chart in charts(app))
    app.segmented_control(key="trap_view").set_value("knee").run()
    assert not app.exception
    assert dot(frame(app)) == (256, 0.747, "your jobs: 74.7%")
    app.slider(key="trap_gpus_per_job").set_value(128).run()
    assert dot(frame(app))[2] == "your jobs: 85.4%"
    assert "85.4%" in charts(app)[0].alt


def test_every_point_of_the_curve_is_the_inverse_of_the_mean_wait():
    found = knees(Fleet())
    assert found[1024] == pytest.approx(1 / 3) and round(found[256], 3) == 0.747 and round(found[128], 3) == 0.854
    for gpus, knee in found.items():
        assert knee == pytest.approx(highest_utilization(1800, 3600, 1024 // gpus), rel=1e-9)


@pytest.mark.parametrize("gpus", [8, 9, 100, 1024, 4096, 5120])
def test_smaller_jobs_never_lower_the_knee_and_the_curve_spans_all_sizes(gpus):
    found = knees(Fleet(fleet=gpus, gpus_per_job=1))
    sizes = sorted(found)
    assert (sizes[0], sizes[-1]) == (1, gpus) and len(sizes) <= 120
    assert all(found[one] >= found[other] for one, other in pairwise(sizes))
