"""The projector: larger type, less around it, and keys for a lecturer's next move. It changes looks, never numbers.

`?present=1` in the query string turns it on for the visit, `?present=0` off.
"""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from ui.base import state
from ui.base.device import on_projector as on
from ui.base.lesson import Preset
from ui.knobs.widgets import Knobs

#: One rem is the theme's 14 px at a desk. Everything in the app is sized in rem, so this one rule enlarges all of it;
#: the rest takes away what a hall does not need. Streamlit has no option for a size that depends on the query string.
#: A page is laid out for 1280 × 720; where there is more, it is enlarged by `--grown`; charts and films, drawn in px,
#: by a zoom. A chart's own box keeps its size in px, because Streamlit measures it there: the box around it and
#: what is drawn in it are zoomed.
STYLE = """<style>
html { font-size: calc(17px * var(--grown, 1)) !important; }
:root { --beside: 2.25rem; }
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding: 0.25rem 1.5rem 1rem !important; max-width: none; }
[data-testid="stSidebarHeader"] { display: none; }
[data-testid="stSidebarUserContent"] { padding-top: 0.5rem; }
[data-testid="stVerticalBlock"] { gap: 0.38rem; }
[data-testid="stMetricValue"] { font-size: 1.75rem; }
[class*="st-key-stage_question"] :is(p, li) { font-size: 1.2rem; }
.st-key-stage_question_long :is(p, li) { font-size: 1.08rem !important; }
[class*="st-key-stage_question"] ul { padding-left: 0.2rem; list-style: none; }
[class*="st-key-stage_question"] li { margin: 0 0 0.5rem; padding-left: 1.1em; text-indent: -1.1em; }
[class*="_question"] { flex-wrap: nowrap !important; }
[class*="_question"] > [data-testid="stElementContainer"] { min-width: 0; }
@media (min-width: 1600px) and (min-height: 880px) { :root { --grown: 1.25; } }
@media (min-width: 1880px) and (min-height: 1040px) { :root { --grown: 1.5; } }
@media (min-width: 2500px) and (min-height: 1380px) { :root { --grown: 2; } }
@media (min-width: 3800px) and (min-height: 2060px) { :root { --grown: 3; } }
@media (min-width: 1600px) and (min-height: 880px) {
  [data-testid="stSidebar"] { min-width: calc(256px * var(--grown)); }
  [data-testid="stImage"],
  [class*="_film_"]:not([class*="_table"], [class*="_beside"]),
  [data-testid="stElementContainer"]:has(> [data-testid="stFullScreenFrame"] > * > [data-testid="stVegaLiteChart"]) {
    zoom: var(--grown);
  }
  [data-testid="stElementContainer"] > [data-testid="stFullScreenFrame"] > :has(> [data-testid="stVegaLiteChart"]) {
    zoom: calc(1 / var(--grown)); width: calc(100% / var(--grown)); height: calc(100% / var(--grown));
  }
  [data-testid="stVegaLiteChart"] svg.marks { zoom: var(--grown); }
}
</style>"""

#: What is added to it for a class's projector of two screens.
STAGE = f"<style>{(Path(__file__).parent / 'stage.css').read_text(encoding='utf-8')}</style>"


def switch() -> None:
    """Draw the button that begins or ends the mode. A link to the page that is open would look like that page."""
    words = "End projector mode" if on() else "Begin projector mode"
    st.button(words, key="projector_mode", icon=":material/present_to_all:", width="stretch", on_click=_turn)


def controls(knobs: Knobs, steps: Mapping[str, Preset]) -> None:
    """Draw the lecturer's button for the next preset, with its key: N. (P pins, V shows.)

    Parameters
    ----------
    knobs : Knobs
        After all of them are drawn.
    steps : mapping
        The lesson's presets in the order in which they tell the story.
    """
    if not steps:
        return
    names = list(steps)
    at = int(state.get(f"_{knobs.lesson}_step", 0) or 0) % len(names)
    name = names[(at + 1) % len(names)]
    st.button(
        f"Next: {steps[name].words}",
        key=f"{knobs.lesson}_next",
        icon=":material/skip_next:",
        shortcut="n",
        on_click=_step,
        args=(knobs, steps[name], (at + 1) % len(names)),
    )


def _turn() -> None:
    st.query_params["present"] = "0" if on() else "1"


def _step(knobs: Knobs, wanted: Preset, position: int) -> None:
    knobs.apply(wanted)
    state.put(f"_{knobs.lesson}_step", position)
