"""Scheduling policy: who waits under which rule, found on a simulator of a fleet that is shared by three classes."""

import streamlit as st

from lessons.scheduling_policy import LESSON, challenge, trace, view
from physics import constants as k
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs
notes = {}

with st.sidebar:
    knobs.presets(view.PRESETS)
    knobs.choice("order", "Order of the queue", view.ORDERS, default="arrival", help="Who is the head of the queue.")
    knobs.choice("backfill", "Backfill", view.BACKFILLS, default="none", help="Who may go ahead of the head.")
    knobs.slider(
        "reserved",
        "Interactive slice (GPUs)",
        k.POLICY_RESERVED,
        step=8,
        help="GPUs that only interactive jobs may use.",
    )
    knobs.toggle("preemption", "Preemption", help="Stop running jobs of the lowest class for the head of the queue.")
    knobs.slider(
        "checkpoint_interval",
        "Checkpoint interval (h)",
        k.CHECKPOINT_INTERVAL,
        step=0.25,
        unit=k.HOUR,
        help="A stopped job loses its work since the last checkpoint.",
    )
    if knobs.enabled:
        notes["checkpoint"] = st.container()
    knobs.slider(
        "interactive_rate",
        "Interactive jobs an hour",
        k.INTERACTIVE_RATE,
        step=0.25,
        unit=1 / k.HOUR,
        format="%.2f",
        help="8 GPUs for half an hour on average; the message has 50 a day.",
    )
    knobs.slider(
        "training_rate",
        "Training jobs a day",
        k.TRAINING_RATE,
        step=0.5,
        unit=1 / k.DAY,
        help="12 to 24 hours each; the message says ten.",
    )
    with knobs.more():
        knobs.slider(
            "restart_time",
            "Restart (min)",
            k.RESTART_TIME,
            step=1,
            unit=k.MINUTE,
            help="Before a stopped job works again.",
        )
        knobs.slider(
            "training_size",
            "Largest training job (GPUs)",
            k.POLICY_TRAINING_SIZE,
            step=64,
            help="Sizes are 64, 128, … up to it, equally likely.",
        )
        for name in ("interactive", "search", "training"):
            knobs.slider(f"weight_{name}", f"Share of {name}", k.POLICY_WEIGHT, step=1, help="Weight in fair share.")
        if knobs.enabled:
            notes["weights"] = st.container()
        knobs.slider(
            "estimates",
            "Estimates ÷ runtime",
            k.POLICY_ESTIMATES,
            step=0.5,
            help="1 is exact; 10 is ten times too long.",
        )
        if knobs.enabled:
            notes["estimates"] = st.container()
        knobs.slider("fleet", "Fleet (GPUs)", k.FLEET_GPUS, step=64, help="All alike; a job may run on any of them.")
        knobs.number("seed", "Seed", k.POLICY_SEED, step=1, help="Number of the random draw; same seed, same jobs.")
        knobs.slider(
            "replications",
            "Replications",
            k.POLICY_REPLICATIONS,
            step=4,
            help="Simulated runs of 60 days, each with random jobs of its own; four times as many halve ±.",
        )

page.start()

scenario = view.settings(knobs.quantities)
for place, note in view.idle_notes(scenario).items():
    notes[place].caption(note)
found = view.simulated(scenario)
page.metrics([Metric(label, *words) for label, words in view.metrics_words(scenario, found).items()])
sentence, good = view.verdict(scenario, found, challenge.decided(page.lesson.id, scenario))
page.verdict(sentence if good else f"{sentence} {challenge.hint(page.lesson.id, scenario)}", good)
chart = st.container()
shown = page.views(view.VIEWS)
week = view.week(page.lesson.id, scenario) if shown == "week" else 0
with chart:
    if shown == "week":
        frame = view.week_frame(scenario, week)
        title = "Which GPUs work, which are idle, and why?"
        page.figure("week", title, frame, view.week_spec(page.look), view.week_alt(scenario, week, frame))
    elif shown == "queue":
        title = "Does the queue settle, or does it grow? (Thick: mean; band: to nine of ten; thin: first run)"
        frame = view.queue_frame(found, scenario)
        page.figure("queue", title, frame, view.queue_spec(page.look), view.queue_alt(found))
    else:
        title = "Which share of each class has started after how long?"
        page.figure("waits", title, view.waits_frame(found), view.waits_spec(page.look), view.waits_alt(found))
st.caption(view.message_words())
st.caption(view.load_words(scenario))
view.scoreboard(scenario, found)
page.results(view.results(scenario))
challenge.draw(page.lesson.id, scenario)
view.reveal()
words = view.live_values(scenario)
page.explain(words)
trace.draw(page.lesson.id)
page.close(words)
