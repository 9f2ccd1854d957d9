"""Autoscaling: whether a rule that adds and removes replicas comes to rest, keeps its promise, and at what price."""

import streamlit as st

from lessons.autoscaling import LESSON, charts
from lessons.autoscaling import values as view
from lessons.autoscaling.verdict import verdict
from ui.base import format as f
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(view.PRESETS)
    knobs.choice("controller", "Controller", view.CONTROLLERS, help="The rule that asks for replicas.")
    knobs.choice("load", "Load", view.SHAPES, help="How the work that arrives changes over time.")
    for name, label, constant, step, unit, help in view.SLIDERS:
        knobs.slider(name, label, constant, step=step, unit=unit, help=help)
        if note := view.idle(name, knobs.quantities):
            st.caption(note)
    with knobs.more():
        knobs.choice(
            "multiply",
            "The HPA multiplies",
            view.MULTIPLY,
            help="The count that is multiplied by utilization ÷ target.",
        )
        if note := view.idle("multiply", knobs.quantities):
            st.caption(note)
        knobs.toggle(
            "kept",
            "Work in excess waits",
            help="On: it is served later. Off: it goes away at once, as with short time-outs.",
        )
        for name, label, constant, step, unit, help in view.MORE_SLIDERS:
            low = knobs.quantities["floor"] if name == "ceiling" else None
            knobs.slider(name, label, constant, step=step, unit=unit, help=help, low=low)
            if note := view.idle(name, knobs.quantities):
                st.caption(note)

page.start()

fleet = view.settings(knobs.quantities)
summary, words = fleet.summary, view.live_values(fleet)
page.metrics(
    [
        Metric("Target met", f.share(summary.slo_share), view.slo_words(fleet), fleet.meets or view.met_at_rest(fleet)),
        Metric("Cost ÷ cheapest", view.cost_ratio(fleet), view.cost_words(fleet), fleet.comparable),
        Metric("Changes of the request", f.significant(summary.changes), view.changes_words(fleet)),
        Metric(view.lost_label(fleet), view.lost(fleet), view.lost_words(fleet)),
    ]
)
page.verdict(verdict(fleet), fleet.good)
page.figure(
    "fleet",
    "Do the replicas follow the load?",
    charts.fleet_frame(fleet),
    charts.fleet_spec(page.look, charts.unit(fleet)[1], charts.end_of(fleet)),
    charts.fleet_alt(fleet),
)
st.caption(view.derived_words(fleet))
chosen = page.views(charts.VIEWS)
page.figure(
    chosen,
    charts.TITLES[chosen],
    charts.FRAMES[chosen](fleet),
    charts.spec_of(chosen, page.look, fleet),
    charts.ALTS[chosen](fleet),
)
st.header("Challenge", anchor=False)
st.markdown(view.challenge_task())
page.verdict(view.challenge_words(fleet), view.challenge_won(fleet) if view.in_challenge(fleet) else None)
page.results(view.results(fleet))
page.explain(words)
page.close(words)
