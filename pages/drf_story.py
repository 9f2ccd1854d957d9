"""DRF story: who gets the next executor of a shared pool, step by step, and what "fair" means."""

import streamlit as st

from lessons.drf_story import LESSON, acts, charts, table
from lessons.drf_story import settings as given
from lessons.drf_story import values as view
from lessons.drf_story import verdict as judged
from physics import constants as k
from ui.page.shell import open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(given.PRESETS)
    executors = knobs.number("executors", "Executors to hand out", k.DRF_EXECUTORS, step=1, help="One a step.")
    knobs.slider(
        "step",
        "Step shown",
        k.DRF_STEP,
        step=1,
        high=max(1, executors),
        help="The step that the log explains and the charts mark.",
    )
    view.stepper(knobs, executors)
    for name, label, default in (("policy_one", "First policy", "drf"), ("policy_two", "Second policy", "round_robin")):
        knobs.choice(name, label, given.POLICIES, default=default, help="Both hand out the same number of executors.")
    knobs.number("cpu", "Pool: vCPU", k.DRF_CPU, step=1, help="Virtual CPUs, what the jobs already hold included.")
    knobs.number("mem", "Pool: memory (GB)", k.DRF_MEMORY, step=1, unit=k.GB, help="What the jobs hold included.")

jobs = table.jobs(knobs)

with knobs.more():
    knobs.choice("measure", "Fairness of", given.MEASURES, help="What Jain's index is taken of.")
    knobs.choice(
        "misfit",
        "If the next in line does not fit",
        given.MISFITS,
        segmented=True,
        help="Skip passes over it; stop ends there, as the paper's algorithm is printed.",
    )
    knobs.number("gpu", "Pool: GPUs", k.DRF_GPUS, step=1, help="GPUs of the pool.")
    knobs.number("gpu_mem", "Pool: GPU memory (GB)", k.DRF_GPU_MEMORY, step=1, unit=k.GB, help="Of all GPUs.")
    st.caption(table.gpu_words(jobs))

with st.sidebar.expander("Knobs of the third act", icon=":material/theater_comedy:"):
    st.caption("They act on the view “A lie” alone.")
    names = {str(number): job.name for number, job in enumerate(jobs, 1)}
    knobs.choice("liar", "Who lies", names, help="The job that claims another demand than it has.")
    for name, label in zip(given.RESOURCES, ("vCPU", "memory", "GPUs", "GPU memory"), strict=True):
        knobs.steps(
            f"claim_{name}",
            f"Claims × its {label}",
            k.DRF_CLAIM,
            given.CLAIMS,
            help="1 is the truth; no effect on what it does not need.",
        )

page.start()

scenario = view.settings(knobs.quantities)
page.metrics(view.metrics(scenario))
page.verdict(*judged.verdict(scenario))
for which, column in enumerate(st.columns(2)):
    with column:
        view.step_log(page.look, scenario, which)
        page.figure(
            ("one", "two")[which],
            f"{scenario.labels[which]}: whose dominant share grows?",
            charts.shares_frame(scenario, which, page.look),
            charts.shares_spec(page.look),
            charts.shares_alt(scenario, which),
        )
st.caption(view.safe(view.derived_words(scenario)))

shown = page.views(given.VIEWS)
if shown == "before":
    spec = charts.bars_spec(page.look, "dominant share, before (hollow) and after", percent=True)
    page.figure("ends", "Who ends where?", charts.ends_frame(scenario), spec, charts.ends_alt(scenario))
    view.wide_table(view.difference_table(scenario))
elif shown == "pool":
    for which, column in enumerate(st.columns(2)):
        with column:
            frame, words = charts.pool_frame(scenario, which), charts.pool_alt(scenario, which)
            title = f"{scenario.labels[which]}: how full is the pool at this step?"
            page.figure(("pool_one", "pool_two")[which], title, frame, charts.pool_spec(page.look), words)
elif shown == "log":
    for which, label in enumerate(scenario.labels):
        st.markdown(view.safe(f"**{label}: every step**"))
        st.dataframe(view.log_frame(scenario, which), hide_index=True, height=260)
elif shown == "fairness":
    st.markdown("**How fair? It depends on what is counted.**")
    view.wide_table(view.fairness_table(scenario))
    st.caption("Jain's index. The knob “Fairness of” chooses what the metrics show; it stands in bold here.")
elif shown == "properties":
    st.markdown("**Divisible tasks, without starts and ceilings; every job needs some of every resource**")
    view.wide_table(acts.property_table())
    st.markdown("Counterexamples, one click each:")
    view.counterexamples(knobs)
    view.check(knobs, scenario)
else:
    spec = charts.bars_spec(page.look, "tasks, truth (hollow) and lie", percent=False)
    page.figure("lie", "Who gains by the lie?", charts.lie_frame(scenario), spec, acts.lie_words(scenario))
    st.markdown(view.safe(acts.lie_words(scenario)))
    view.wide_table(acts.lie_table(scenario))
    st.caption("Tasks are divisible here. CEEI divides what the starts leave; DRF counts the starts in the shares.")

page.results(view.results(scenario))
words = view.live_values(scenario)
page.explain(words)
page.close(words)
