"""Home page: a fleet with a queue, the core course, the electives, and the progress."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from operator import attrgetter
from textwrap import shorten

import streamlit as st

from physics import constants as k
from ui import films
from ui.base import device, state
from ui.base import format as f
from ui.base.lesson import built_on, menu, with_page
from ui.base.words import Words, fill, literal
from ui.charts.look import Look
from ui.films import small_fleet
from ui.page import prediction, shell
from ui.record import ledger, local_storage, recall

#: The closing page of the core course.
YEAR = "pages/your_year.py"
#: Maximum length of the visitor's note under a finished lesson [characters].
NOTE_LENGTH = 120
LOAD = f.share(float(k.HOME_LOAD))
HOOK = f"Every GPU is healthy, and there is work for only {LOAD} of them. Why do so many jobs wait?"
HOW = (
    "In each lesson you predict first. Then you test your prediction on a model, and the lesson "
    "explains what you saw. A wrong guess costs nothing."
)
CAPTION = "One chosen run. In three of five runs, the line reaches 8 jobs or more."


def opening(look: Look) -> None:
    """Draw a fleet with a growing queue, the question about it, and the page's main button.

    The animation starts by itself for a visitor who has not started any lesson.
    """
    states = {lesson.page: ledger.progress(lesson) for lesson in menu()}
    texts, picture = st.columns([5, 6], gap="medium")
    with texts:
        device.heading(HOOK)
        with st.container(key="onward"):
            _onward(states)
        st.caption(" ".join(_so_far(list(states.values()))) or HOW)
    with picture:
        plays = {*states.values()} == {"new"}
        # On a projector the picture may be larger, so no fixed height is reserved for it.
        container: AbstractContextManager = nullcontext()
        if not look.present:
            container = device.reserved_box("home_picture", 265 if device.on_phone() else 285)
        with container:
            films.play("home_film_fleet", small_fleet.sent, plays, look)
        st.caption(CAPTION)


def come_back() -> None:
    """Ask two review questions about lessons finished on an earlier day, if any are due."""
    today = recall.day_of(ledger.now())
    key = "home_recall"
    answered = state.get(f"_{key}_shown")
    due = recall.due(today)
    visible = [(lesson, name) for lesson, name in due if (lesson.id, name) == answered]
    remaining = []
    if local_storage.mine("rested") != str(today):
        remaining = [
            (lesson, name) for lesson, name in due if name not in ledger.grown(lesson, "transfer")
        ]
    if not visible and not remaining:
        return
    lesson, name = (visible or remaining)[0]
    with st.container(key="coming_back"):
        device.heading("Do you still remember?")
        count = f"Question {due.index((lesson, name)) + 1} of {len(due)} for today"
        graded = "Your answers go into your report and are not graded."
        st.caption(f"{count}, about “{lesson.title}”. {graded}")
        if prediction.transfer(with_page(lesson.page), name, key):
            label = "Next question" if remaining else "Done"
            device.button(label, f"{key}_next", state.drop, f"_{key}_shown")
        else:
            skip = (local_storage.keep_mine, "rested", str(today))
            device.button("Skip for today", f"{key}_skip", *skip, type="tertiary")


def course() -> None:
    """List the core course: a link to each lesson with its question, minutes, and progress.

    Each lesson is a single element, which the style sheet lays out, so that a first visit loads
    less than with columns and captions.
    """
    core = [lesson for lesson in menu() if not lesson.theme]
    minutes = round(sum(lesson.minutes for lesson in core), -1)
    device.heading("A year at the center")
    st.caption(
        f"One center, its 1,024 GPUs, and one director: {len(core)} lessons in this order, about "
        f"{minutes} minutes in all"
    )
    for number, lesson in enumerate(core, 1):
        _link(f"{number}. {lesson.title}", lesson)
    shell.link_to_page(YEAR, "**Your year at the center**", ":material/flag:")


def electives() -> None:
    """List the electives by theme in an expander."""
    under_themes = [lesson for lesson in menu() if lesson.theme]
    label = f"{len(under_themes)} electives, in any order"
    box = device.expander(label, "home_electives", ":material/explore:")
    if box:
        with box:
            for theme, lessons in groupby(under_themes, attrgetter("theme")):
                st.markdown(f"**{theme}**")
                for lesson in lessons:
                    _link(lesson.title, lesson)


def other_pages() -> None:
    """Draw one line of links to the pages other than lessons."""
    with device.row():
        shell.other_pages()


def _onward(states: Mapping[str, str]) -> None:
    """Link to the first started lesson, or else to the first new one, or else to the report."""
    first = {states[lesson.page]: lesson for lesson in reversed(menu())}
    lesson = first.get("predicted") or first.get("new")
    path = "pages/report.py"
    label = "All done: download your report"
    icon = ":material/description:"
    if lesson:
        verb = "Next" if "finished" in first else "Start"
        if "predicted" in first:
            verb = "Continue"
        path = lesson.path
        label = f"{verb}: {lesson.title}"
        icon = ":material/arrow_forward:"
    shell.link(path, f"**{label}**", icon)


def _so_far(states: list[str]) -> Iterator[str]:
    """Yield up to two sentences on the visitor's progress: on lessons, and on predictions."""
    finished = states.count("finished")
    begun = states.count("predicted")
    if finished or begun:
        yield f"{finished} of {len(states)} lessons finished{f', {begun} begun' if begun else ''}."
    records = [ledger.record(lesson.id) for lesson in menu() if not ledger.is_curtained(lesson)]
    judged = [record for record in records if isinstance(record.get("right"), bool)]
    certain = [record["right"] for record in judged if record.get("sure") == "certain"]
    if certain:
        right = sum(record["right"] for record in judged)
        of_certain = f"{sum(certain)} of your {len(certain)} certain ones"
        yield f"{right} of {len(judged)} predictions right; {of_certain}."


def _sentence(lesson: Words) -> str:
    """Return a lesson's question or, once it is finished, the visitor's note or what it taught."""
    if ledger.progress(lesson) != "finished" or not lesson.learned:
        return fill(lesson.question)
    note = str(ledger.record(lesson.id).get("note") or "").strip()
    if note:
        return literal(shorten(note, NOTE_LENGTH, placeholder=" …"))
    return lesson.learned


def _link(title: str, lesson: Words) -> None:
    """Draw a link to a lesson with its sentence, prerequisites, minutes, and progress."""
    reached = ledger.progress(lesson)
    icon, progress = shell.PROGRESS[reached]
    parts = [_sentence(lesson)]
    needed = built_on(lesson)
    if needed and lesson.theme:  # the core course has an order of its own
        parts.append(f"*After {needed}.*")
    if lesson.minutes:
        parts.append(f"{lesson.minutes} min")
    if reached != "new":
        parts.append(progress)
    about = device.unbroken(" · ".join(parts))
    shell.link(lesson.path, f"**{title}** :gray[{about}]", icon)
