"""The home page: a fleet whose line grows, the core course, the electives, and how far the visitor
is with each.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import groupby

import streamlit as st

from physics import constants as k
from ui import films
from ui.base import device, state
from ui.base import format as f
from ui.base.lesson import menu, with_page
from ui.base.words import Words, fill
from ui.charts.look import Look
from ui.films import small_fleet
from ui.page import prediction, shell
from ui.record import ledger, local_storage, recall

LOAD = f.share(float(k.HOME_LOAD))
HOOK = f"Every GPU is healthy, and there is work for only {LOAD} of them. Why do so many jobs wait?"
HOW = (
    "In each lesson you predict first. Then you test your prediction on a model, and the lesson explains what you saw. "
    "A wrong guess costs nothing."
)
CAPTION = "One chosen run. In three of five runs, the line reaches 8 jobs or more."


def opening(look: Look) -> None:
    """Show a fleet whose line grows, the question that it asks, and the page's one button.

    For a visitor who has begun no lesson it plays by itself.
    """
    states = [ledger.progress(lesson) for lesson in menu()]
    words, picture = st.columns([5, 6], gap="medium")
    with words:
        st.header(HOOK, anchor=False)
        with st.container(key="onward"):
            _onward()
        st.caption(" ".join(_so_far(states)) or HOW)
    with picture:
        plays = {*states} == {"new"}
        # A projector's picture is larger than any place that is kept for it.
        if look.present:
            kept = nullcontext()
        else:
            kept = device.place("home_picture", 265 if device.on_phone() else 285)
        with kept:
            films.play("home_film_fleet", small_fleet.sent, plays, look)
        st.caption(CAPTION)


def come_back() -> None:
    """Ask two questions about lessons that were finished on an earlier day, one at a time; nothing
    if none is due.
    """
    today = recall.day_of(ledger.now())
    key = "home_recall"
    due = recall.due(today)
    rests = local_storage.mine("rested") == str(today)
    left = [
        (lesson, name) for lesson, name in due if name not in ledger.given(lesson) and not rests
    ]
    shown = [one for one in due if state.get(f"_{key}_shown") == (one[0].id, one[1])]
    if not shown and not left:
        return
    lesson, name = (shown or left)[0]
    with st.container(key="coming_back"):
        st.header("Do you still remember?", anchor=False)
        count = f"Question {due.index((lesson, name)) + 1} of {len(due)} for today"
        st.caption(
            f"{count}, about “{lesson.title}”. Your answers go into your report and are not graded."
        )
        if prediction.transfer(with_page(lesson.page), name, key):
            if left:
                words = "Next question"
            else:
                words = "Done"
            device.button(words, f"{key}_next", state.drop, f"_{key}_shown")
        else:
            rest = ("rested", str(today))
            device.button(
                "Skip for today", f"{key}_skip", local_storage.keep_mine, *rest, type="tertiary"
            )


def course() -> None:
    """List the core course and then the electives by theme, a line each: title, question, minutes,
    progress.
    """
    core = [lesson for lesson in menu() if not lesson.theme]
    electives = [lesson for lesson in menu() if lesson.theme]
    minutes = round(sum(lesson.minutes for lesson in core), -1)
    _heading(
        "The core course", f"{len(core)} lessons, about {minutes} minutes in all, in this order"
    )
    with st.container(gap="xsmall"):
        for number, lesson in enumerate(core, 1):
            _row(f"{number}. {lesson.title}", lesson)
    _heading("Electives", "in any order")
    for theme, under in groupby(electives, lambda lesson: lesson.theme):
        with st.container(gap="xsmall"):
            st.markdown(f"**{theme}**")
            for lesson in under:
                _row(lesson.title, lesson)


def other_pages() -> None:
    """Link to the pages that are no lessons, in one line."""
    with st.container(horizontal=True):
        for path, (label, icon) in shell.OTHER_PAGES.items():
            if (shell.ROOT / path).exists():
                shell.link(path, label, icon)


def _onward() -> None:
    """Link to the lesson that was begun, else to the first that is new, else to the report."""
    first = {ledger.progress(lesson): lesson for lesson in reversed(menu())}
    lesson = first.get("predicted") or first.get("new")
    if lesson:
        if "predicted" in first:
            words = "Continue"
        elif "finished" in first:
            words = "Next"
        else:
            words = "Start"
        shell.link(lesson.path, f"**{words}: {lesson.title}**", ":material/arrow_forward:")
    else:
        shell.link(
            "pages/report.py", "**All done: download your report**", ":material/description:"
        )


def _so_far(states: list[str]) -> Iterator[str]:
    """Say how many lessons are finished and begun, and how many predictions were right, of those
    made certain too.
    """
    finished = states.count("finished")
    begun = states.count("predicted")
    if finished or begun:
        yield f"{finished} of {len(states)} lessons finished{f', {begun} begun' if begun else ''}."
    judged = [
        record for one in menu() if isinstance((record := ledger.record(one.id)).get("right"), bool)
    ]
    certain = [record["right"] for record in judged if record.get("sure") == "certain"]
    if certain:
        right = sum(record["right"] for record in judged)
        yield f"{right} of {len(judged)} predictions right; {sum(certain)} of your {len(certain)} certain ones."


def _heading(title: str, note: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header(title, anchor=False, width="content")
        st.caption(note, width="content")


def _row(label: str, lesson: Words) -> None:
    icon, words = shell.PROGRESS[(progress := ledger.progress(lesson))]
    title, question, told = st.columns([5, 14, 2.4], gap="xxsmall", vertical_alignment="center")
    with title:
        shell.link(lesson.path, f"**{label}**", icon)
    before = [one.title for one in menu() if one.id in lesson.after]
    question.caption(
        fill(lesson.question) + (f" *After {' and '.join(before)}.*" if before else "")
    )
    if lesson.minutes:
        minutes = [f"{lesson.minutes} min"]
    else:
        minutes = []
    told.caption(", ".join(minutes + ([] if progress == "new" else [words])))
