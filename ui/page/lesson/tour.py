"""Tour of a picture: an explanation in steps, each with its settings and one highlight.

A step's `look` names what is highlighted: `number 1` to `number 4`, `sentence` (the verdict),
`beside` (the second picture), or marks of the chart by their kind, their role (`here`), or the
start of their label.

`page` is the `Page` of `ui.page.lesson_page`. While a tour is in progress, `page.flow("tour")` is
{"at": number of the step, from 1, "before": settings to restore at the end, "view": their picture}.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.base import device
from ui.base.device import line, render_text
from ui.base.lesson import Lesson, Metric, Preset
from ui.base.words import Stop
from ui.knobs.declared import read
from ui.page import prediction
from ui.record import ledger

#: What a step may highlight in addition to numbers and marks, and the end of its container's key.
CONTAINERS = {"sentence": "verdict", "beside": "beside"}
#: Number of headline numbers on a phone.
PAIR = 2


def text(lesson: Lesson, stop: Stop) -> str:
    """Return the text of a tour step with the numbers of its settings."""
    return render_text(stop.text, lesson.values(read(lesson.settings, stop.settings)[0]))


def explain(page: Any) -> None:
    """Draw the feedback on the visitor's answer, the tour, and why other answers are tempting."""
    lesson = page.lesson
    if device.in_browser():
        st.header("Explain", anchor=f"{lesson.id}-explain")
    else:
        prediction.explain(lesson, page.values)
        steps = (f"{number}. {text(lesson, stop)}" for number, stop in enumerate(lesson.tour, 1))
        st.markdown("\n".join(steps))
    with st.container(key=f"{lesson.id}_tour"):
        if page.stop is None and device.in_browser():
            prediction.answer_in_short(lesson, page.values)
        if page.playing:
            st.caption("Leave the challenge to take the tour.")
        else:
            _step(page)
    if device.in_browser() and page.stop is None and ledger.grown(lesson, "toured"):
        prediction.why_others(lesson, page.values)


def _step(page: Any) -> None:
    """Draw the current step of the tour with its buttons, or the button that starts the tour."""
    lesson = page.lesson
    stop = page.stop
    key = f"{lesson.id}_tour"
    if stop is None:
        with line(f"{key}_line"):
            label = "Take the tour again" if ledger.grown(lesson, "toured") else "Start the tour"
            device.button(label, f"{key}_next", _move, page, 1, icon=":material/tour:")
            count = f"{len(lesson.tour)} steps in the picture. Your settings come back at its end."
            st.caption(count, width="stretch")
        return
    at = page.flow("tour")["at"]
    st.markdown(f"**{at} of {len(lesson.tour)}.** {text(lesson, stop)}")
    st.html(highlight(lesson.id, stop.look))
    with device.row(f"{key}_line"):
        style = {"disabled": at == 1, "shortcut": "Left"}
        device.button("Back", f"{key}_back", _move, page, -1, **style)
        style = {"type": "primary", "shortcut": "Right"}
        if at < len(lesson.tour):
            device.button("Next", f"{key}_next", _move, page, 1, **style)
            style = {"type": "tertiary"}
        device.button("End the tour", f"{key}_end", end, page, **style)


def highlight(prefix: str, look: str) -> str:
    """Return the CSS that outlines a number, the sentence, or the second picture.

    Charts highlight marks themselves.
    """
    number = _number(look)
    if number and device.on_phone():
        selector = f".st-key-{prefix}_pair > :nth-child({(number - 1) % PAIR + 1})"
    elif number:
        selector = f'[class*="st-key-{prefix}_"][class*="_metrics"] > :nth-child({number})'
    elif look in CONTAINERS:
        selector = f".st-key-{prefix}_{CONTAINERS[look]}"
    else:
        return "<style></style>"
    outline = "outline: 2px solid light-dark(#0072b2, #56b4e9); outline-offset: 4px"
    return f"<style>{selector} {{ {outline}; border-radius: 4px; }}</style>"


def _number(look: str) -> int:
    """Return the position of the highlighted headline number, from 1; 0 if none is highlighted."""
    kind, _, number = look.partition(" ")
    if kind == "number" and number.isdigit():
        return int(number)
    return 0


def in_front(page: Any, metrics: Sequence[Metric]) -> Sequence[Metric]:
    """Return the headline numbers, on a phone starting with those of the current tour step."""
    if page.stop is None or not device.on_phone() or _number(page.stop.look) <= PAIR:
        return metrics
    return [*metrics[PAIR:], *metrics[:PAIR]]


def selector(page: Any) -> str:
    """Return the CSS selector of the element that the current tour step explains."""
    look = page.stop.look
    if _number(look):
        return "[data-testid=stMetric]"
    if look in CONTAINERS:
        return f".st-key-{page.lesson.id}_{CONTAINERS[look]}"
    return f"[data-testid=stVegaLiteChart]:not(.st-key-{page.lesson.id}_beside *)"


def _move(page: Any, by: int) -> None:
    """Callback: go `by` steps forward, from the start if no tour is in progress."""
    start = {"at": 0, "before": dict(page.knobs.quantities), "view": page.view}
    tour = page.flow("tour") or start
    at = tour["at"] + by
    if 1 <= at <= len(page.lesson.tour):
        stop = page.lesson.tour[at - 1]
        page.knobs.apply(Preset(stop.settings, stop.view or page.first))
        page.hold(tour={**tour, "at": at})
        ledger.grow(page.lesson, "toured", at)


def end(page: Any) -> None:
    """End the tour and restore the earlier settings. Call this only in a callback."""
    tour = page.flow("tour")
    if tour is not None:
        page.hold(tour=None)
        page.knobs.apply(Preset(tour["before"], tour["view"]))


def leave(page: Any) -> None:
    """Restore the settings of a visitor who left the page during a tour and has returned to it.

    Call this before any knob is drawn. If a link has brought other settings, they are kept.
    """
    prefix = f"{page.lesson.id}_"
    if any(key.startswith(prefix) for key in page.knobs.query):
        page.hold(tour=None)
    else:
        end(page)
