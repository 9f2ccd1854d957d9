"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

import streamlit as st

from lessons.utilization_trap import LESSON
from lessons.utilization_trap import chart as trap_chart
from lessons.utilization_trap import knee as trap_knee
from lessons.utilization_trap import settings as trap_fleet
from lessons.utilization_trap import simulation as trap_simulation
from lessons.utilization_trap import values as view
from lessons.utilization_trap import verdict as trap_verdict
from physics import constants as k
from ui.base import format as f
from ui.page import simulation
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(view.PRESETS)
    gpus = knobs.slider("fleet", "Fleet (GPUs)", k.TRAP_FLEET, step=8, help="GPUs of the fleet before any purchase.")
    knobs.slider(
        "gpus_per_job",
        "GPUs per job",
        k.TRAP_GPUS_PER_JOB,
        step=1,
        high=gpus,
        help="Every job takes this many GPUs; the fleet holds as many jobs as fit whole.",
    )
    knobs.slider(
        "utilization",
        "Utilization before buying (%)",
        k.TRAP_UTILIZATION,
        step=0.5,
        unit=0.01,
        help="Busy share of the servers. The arrival rate follows from it.",
    )
    knobs.slider(
        "added",
        "GPUs bought",
        k.TRAP_ADDED,
        step=trap_fleet.ADDED_STEP,
        help="The arrivals stay as they are, so the utilization falls.",
    )
    knobs.slider(
        "job_length", "Mean job length (h)", k.TRAP_JOB_LENGTH, step=0.1, unit=k.HOUR, help="Mean run time of a job."
    )
    knobs.slider(
        "target",
        "Target for the mean wait (min)",
        k.TRAP_TARGET,
        step=1,
        unit=k.MINUTE,
        help="Longest mean wait you accept.",
    )
    knobs.slider(
        "scv",
        "Variability of job lengths (SCV)",
        k.TRAP_SCV,
        step=0.5,
        help="Squared coefficient of variation: 0 is all jobs alike, 1 is exponential, 40 one GPU trace.",
    )

page.start()

fleet = view.settings(knobs.quantities)
now, words = fleet.now, view.live_values(fleet)
trial = trap_simulation.Trial(fleet)
found = simulation.held(page.lesson.id, trial.settings)
ratio = now.mean_wait / fleet.job_length
page.metrics(
    [
        Metric("Mean wait", f.duration(now.mean_wait), trap_verdict.target_words(fleet), fleet.on_target),
        Metric("P99 wait", view.percentile(fleet), view.percentile_note(fleet)),
        Metric("Jobs waiting", f.significant(now.mean_in_queue), "mean queue length"),
        Metric("Wait ÷ job length", f.significant(ratio), view.load_note(fleet)),
    ]
)
page.verdict(trap_verdict.verdict(fleet), fleet.on_target)
chart = st.container()
with st.container(horizontal=True, vertical_alignment="center"):
    chosen = page.views({"wait": "Wait", "knee": "Job size and knee"})
    pressed = simulation.button(page.lesson.id, trial.settings, trap_simulation.RUNS)
with chart:
    if chosen == "knee":
        page.figure(
            "knee",
            "How job size moves the knee: which utilization still meets the target?",
            trap_knee.knee_frame(fleet),
            trap_knee.knee_spec(page.look),
            trap_knee.knee_alt(fleet),
        )
    else:
        page.figure(
            "wait",
            "How does the mean wait grow with utilization?",
            trap_chart.wait_frame(fleet, trap_simulation.rows(fleet, found)),
            trap_chart.wait_spec(page.look),
            trap_chart.alt_text(fleet),
        )
st.caption(trap_knee.knee_words(fleet) if chosen == "knee" else trap_verdict.derived_words(fleet))
if pressed:
    simulation.run(page.lesson.id, trial.settings, trial.start, trap_simulation.RUNS, trial.refusal)
if found is not None:
    st.markdown(trial.words(found))
page.results(view.results(fleet))
page.explain(words)
page.close(words)
