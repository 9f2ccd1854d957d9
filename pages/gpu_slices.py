"""GPU slices: which instances fit on one GPU, and what stays free that the next job cannot use."""

import streamlit as st

from lessons.gpu_slices import LESSON, gang, slots, stream
from lessons.gpu_slices import values as view
from physics import constants as k
from ui.page.shell import Metric, open_page

page = open_page(LESSON)
knobs = page.knobs

with st.sidebar:
    knobs.presets(view.PRESETS)
    knobs.choice("gpu", "GPU with 80 GB", view.GPUS, help="Both list the same profiles and placements.", segmented=True)
    for name, profile in view.KINDS.items():
        knobs.slider(
            name,
            f"{profile} (instances)",
            view.KNOBS[name],
            step=1,
            help=f"How many instances of {profile} are asked for on the one GPU.",
        )
    with st.expander("Knobs of the stream", icon=":material/stacks:"):
        st.caption("They act on the view “Stream of requests” alone.")
        knobs.choice("rule", "Rule in the picture", view.RULES, help="Whose GPUs are drawn.", segmented=True)
        knobs.choice("mix", "Requests", view.MIX_WORDS, help="Which profiles are asked for, and how often.")
        knobs.slider("gpus", "GPUs", k.SLICES_GPUS, step=1, help="GPUs that serve the stream.")
        knobs.slider("stay", "Mean stay (arrivals)", k.SLICES_STAY, step=1, help="How long an instance is kept.")
        knobs.slider("draw", "Number of the stream", k.SLICES_DRAW, step=1, help="Each draws other requests.")
        knobs.slider("moment", "Shown after request", k.SLICES_MOMENT, step=1, help="When the GPUs are drawn.")
    with st.expander("Knobs of the second act", icon=":material/groups:"):
        st.caption("They act on the gang and on fragmentation alone.")
        knobs.slider(
            "free",
            "Free share (%)",
            k.SLICES_FREE,
            step=1,
            unit=0.01,
            help="Share of the time in which a node, or a GPU, is free.",
        )
        knobs.slider("nodes", "Nodes", k.SLICES_NODES, step=view.NODE_STEP, help="Nodes that may be used.")
        knobs.slider("needed", "Nodes of the gang", k.SLICES_NEEDED, step=1, help="All at the same time.")
        knobs.steps("block", "Nodes free together", k.SLICES_BLOCK, view.BLOCKS, help="1 makes every node independent.")
        knobs.slider("job", "GPUs of the next job", k.SLICES_JOB, step=1, help="All on one node of 8 GPUs.")

page.start()

wish = view.settings(knobs.quantities)
words = view.live_values(wish)
page.metrics([Metric(label, *note) for label, note in view.metrics_words(wish).items()])
page.verdict(view.verdict(wish), wish.fits)
page.figure(
    "slots",
    "Do the instances fit on one GPU?",
    slots.slots_frame(wish),
    slots.slots_spec(page.look),
    slots.slots_alt(wish),
)
shown = page.views(view.VIEWS)
if shown == "stream":
    page.verdict(stream.stream_words(wish))
    for column, figure in zip(st.columns(2), ("use", "held"), strict=True):
        with column:
            if figure == "use":
                title = "How much of the GPUs is in use?"
                page.figure("use", title, stream.use_frame(wish), stream.use_spec(page.look), stream.use_alt(wish))
            else:
                title, spec = "What is free at this moment?", stream.held_spec(page.look, wish.gpus)
                page.figure("held", title, stream.held_frame(wish), spec, stream.held_alt(wish))
    st.caption(stream.moment_words(wish))
elif shown == "gang":
    page.verdict(*gang.gang_verdict(wish))
    title, spec = "How likely is it that the gang can start?", gang.gang_spec(page.look)
    page.figure("gang", title, gang.gang_frame(wish), spec, gang.gang_alt(wish))
else:
    page.verdict(gang.free_words(wish))
    title, spec = "How many of the free GPUs can the next job not use?", gang.free_spec(page.look)
    page.figure("free", title, gang.free_frame(wish), spec, gang.free_alt(wish))
page.results(view.results(wish))
page.explain(words)
page.close(words)
