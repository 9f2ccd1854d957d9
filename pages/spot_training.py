"""Spot training: how often to write a checkpoint on machines that are taken away, and what the run costs."""

import streamlit as st

from lessons.spot_training import LESSON, charts, workers
from lessons.spot_training import settings as plans
from lessons.spot_training import values as view
from lessons.spot_training import verdict as verdicts
from physics import constants as k
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(view.PRESETS)
    knobs.steps(
        "interval",
        "Checkpoint interval (min)",
        k.SPOT_INTERVAL,
        plans.INTERVALS,
        unit=k.MINUTE,
        help="Work between two checkpoints, from 1 minute to 24 hours.",
    )
    knobs.steps(
        "mtbf",
        "A node is interrupted every (h)",
        k.SPOT_MTBF,
        plans.MTBFS,
        unit=k.HOUR,
        help="Mean time between interruptions of one spot node; the times are random.",
    )
    knobs.slider("nodes", "Nodes in the gang", k.SPOT_NODES, step=1, help="One node lost stops all of them.")
    knobs.slider(
        "dump",
        "Dump (min)",
        k.SPOT_DUMP,
        step=0.5,
        unit=k.MINUTE,
        help="Writing one checkpoint; no work is done meanwhile.",
    )
    knobs.slider("restart", "Restart (min)", k.SPOT_RESTART, step=1, unit=k.MINUTE, help="Until work goes on again.")
    knobs.slider(
        "deadline", "Deadline (h)", k.SPOT_DEADLINE, step=5, unit=k.HOUR, help="95 of 100 runs should be done by then."
    )
    notice = knobs.toggle(
        "notice", "2-minute notice", help="A dump of at most 2 minutes, begun at the notice, saves all work."
    )
    notice_note = [st.container()] if notice and knobs.enabled else []
    with knobs.more():
        knobs.slider(
            "work", "Work (h)", k.SPOT_WORK, step=10, unit=k.HOUR, help="Run time without dumps and interruptions."
        )
        knobs.slider("price", "Spot price ($/h)", k.SPOT_PRICE, step=0.1, help="Of a node, for an hour.")
        knobs.slider(
            "on_demand_price",
            "On-demand price ($/h)",
            k.SPOT_ON_DEMAND_PRICE,
            step=0.1,
            help="Of a node that is never taken away; also the price of a worker in the second act.",
        )
    with st.expander("Knobs of the second act", icon=":material/groups:"):
        st.caption("They act on the view “Second act” alone.")
        knobs.slider("workers", "Workers", k.SPOT_WORKERS, step=1, help="Where “you” stand in the charts.")
        knobs.slider("serial", "Serial share (%)", k.SPOT_SERIAL, step=0.5, unit=0.01, help="Cannot be split.")
        knobs.slider("gradient", "Gradient (GB)", k.SPOT_GRADIENT, step=0.5, unit=k.GB, help="Added up each step.")
        knobs.steps(
            "bandwidth",
            "Link bandwidth (GB/s)",
            k.SPOT_BANDWIDTH,
            workers.BANDWIDTHS,
            unit=k.GB,
            help="Of each worker's link, in one direction.",
        )
        knobs.slider(
            "latency", "Latency (µs)", k.SPOT_LATENCY, step=10, unit=1e-6, help="To start one message of the ring."
        )
        knobs.slider(
            "train_deadline",
            "Workers' deadline (h)",
            k.SPOT_TRAIN_DEADLINE,
            step=1,
            unit=k.HOUR,
            help="For the fewest.",
        )
        knobs.slider("budget", "Budget ($)", k.SPOT_BUDGET, step=50, help="For the fastest workers it pays.")
        knobs.slider("efficiency", "Efficiency (%)", k.SPOT_EFFICIENCY, step=1, unit=0.01, help="Wanted at the knee.")

page.start()

plan = view.settings(knobs.quantities)
crew = workers.settings(knobs.quantities)
for place in notice_note:
    place.caption(view.notice_words(plan))
page.metrics([Metric(label, *words) for label, words in view.metrics_words(plan).items()])
page.verdict(verdicts.verdict(plan), plan.good)
page.figure(
    "cost",
    "How does the interval change what the run costs, and how long it takes?",
    charts.cost_frame(plan),
    charts.cost_spec(page.look),
    view.alt_text(plan),
)
st.caption(view.derived_words(plan))
shown = page.views(view.VIEWS)
if shown == "money":
    page.figure(
        "money", "What is paid for?", charts.money_frame(plan), charts.money_spec(page.look), view.money_alt(plan)
    )
elif shown == "finish" and charts.drawable(plan):
    frame = charts.finish_frame(plan)
    page.figure("finish", "When is the run done?", frame, charts.finish_spec(page.look), view.finish_alt(plan))
    st.caption(view.finish_words(plan))
elif shown == "finish":
    st.info("Such a run takes centuries: shorten the interval to see when it is done.", icon=":material/hourglass:")
else:
    for column, (quantity, title) in zip(st.columns(3), workers.CHARTS.items(), strict=True):
        with column:
            frame, spec = workers.worker_frame(crew, quantity), workers.worker_spec(page.look, quantity)
            page.figure(f"workers_{quantity}", title, frame, spec, workers.worker_alt(crew, quantity))
    page.verdict("  \n".join(workers.answers(crew)))
page.results(view.results(plan))
words = view.live_values(plan, crew)
page.explain(words)
page.close(words)
