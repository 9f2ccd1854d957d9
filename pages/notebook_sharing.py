"""Notebook sharing: what is gained when notebooks share a node and each cell gets its cores when it starts."""

import streamlit as st

from lessons.notebook_sharing import LESSON, figures, gantt
from lessons.notebook_sharing import think as pauses
from lessons.notebook_sharing import values as view
from lessons.notebook_sharing import verdict as judge
from lessons.notebook_sharing import words as say
from lessons.notebook_sharing.settings import SCHEDULERS, THINK, TOGETHER
from physics import constants as k
from ui.page import prediction
from ui.page.shell import open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(view.PRESETS)
    knobs.choice(
        "combination",
        "Notebooks on the node",
        TOGETHER,
        help="A alternates one and all cores, B and D use mostly one, C mostly all; alone on 8 cores they take "
        "2, 3, 6 and 8 minutes. Synthetic.",
    )
    knobs.slider("copies", "Copies of each", k.NOTEBOOK_COPIES, step=1, help="Users with the same notebook.")
    cores = knobs.slider(
        "cores",
        "Cores of the node",
        k.NOTEBOOK_CORES,
        step=1,
        help="All-core cells use them all; the work stays as it is.",
    )
    knobs.choice(
        "scheduler",
        "Scheduler",
        SCHEDULERS,
        default="dynamic",
        help="Naive shares by threads, partitioned by notebook, dynamic gives a cell its cores at its start.",
    )
    knobs.toggle(
        "moldable",
        "Moldable cells",
        default=True,
        help="Under dynamic: start on fewer cores and grow, or wait for all.",
    )
    knobs.slider(
        "overhead",
        "Overhead a cell (s)",
        k.NOTEBOOK_OVERHEAD,
        step=0.5,
        help="Under dynamic: a cell first holds its cores for so long without working.",
    )
    knobs.slider(
        "loss",
        "Oversubscription loss (%)",
        k.NOTEBOOK_LOSS,
        step=1,
        unit=0.01,
        help="Under naive: speed lost while threads exceed cores.",
    )
    with knobs.more():
        knobs.choice(
            "think",
            "Think time",
            THINK,
            help="No pauses, an attentive user's pauses, or those and one gap of a night.",
        )
        knobs.slider(
            "cull",
            "Culling time-out (h)",
            k.NOTEBOOK_CULL,
            step=0.25,
            unit=k.HOUR,
            help="A notebook idle for longer is shut down; its user runs all cells so far again.",
        )
        knobs.slider(
            "bound",
            "Accepted slowdown (ANTT)",
            k.NOTEBOOK_ANTT_BOUND,
            step=0.05,
            help="Mean slowdown that users accept.",
        )
        knobs.slider(
            "endless",
            "Threads that never end",
            k.NOTEBOOK_ENDLESS,
            step=1,
            high=cores,
            help="A cell that was there first and never ends, such as a server left running.",
        )
        knobs.slider("draw", "Draw of the pauses", k.NOTEBOOK_DRAW, step=1, help="Other random pauses, same law.")

page.start()

study = view.settings(knobs.quantities)
words = view.live_values(study)
page.metrics(say.metrics(study))
page.verdict(*judge.verdict(study))
page.figure(
    "gantt",
    "Who holds the cores when?",
    gantt.gantt_frame(study),
    gantt.gantt_spec(page.look, *gantt.scale(study)),
    gantt.gantt_alt(study),
)
st.caption(f"{say.derived_words(study)} {say.knob_notes(study)}")
page.results(view.results(study))
figure, said = figures.further(page.views(view.VIEWS), study, page.look)
page.figure(*figure)
st.caption(said)
page.explain(words)
asked = prediction.ask(page.lesson, page.lesson.predictions["2"], "2")
if asked:
    page.figure(
        "think",
        "Where are the pauses, and where is the idle time?",
        pauses.think_frame(study),
        pauses.think_spec(page.look),
        pauses.think_alt(),
    )
    st.caption(pauses.think_words(study))
    prediction.explain(page.lesson, words, page.lesson.predictions["2"], "2")
view.told(page, asked).close(words)
