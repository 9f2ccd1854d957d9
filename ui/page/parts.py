"""Further parts of a lesson: their list under Going further, quick questions, and links back."""

from collections.abc import Callable, Sequence

import streamlit as st

from ui.base import device, state
from ui.base.device import line
from ui.base.lesson import Lesson, View, lessons
from ui.base.words import Guess, fill
from ui.knobs.declared import read
from ui.page import shell
from ui.record import ledger

#: The page that lists the parts of all lessons.
LABORATORY = "pages/laboratory.py"


def entries(lesson: Lesson, parts: Sequence[View], open_part: Callable[[View], None]) -> None:
    """Draw an entry for each part of Going further, and a link to the laboratory.

    Outside a browser, the parts of the laboratory are listed here, too.
    """
    if not parts:
        return
    device.heading("Going further")
    icon = ":material/arrow_forward:"
    for view in parts:
        if not view.laboratory or not device.in_browser():
            with line(f"{lesson.id}_{view.id}_line"):
                key = f"{lesson.id}_part_{view.id}"
                device.button(view.title, key, open_part, view, icon=icon)
                st.markdown(view.asks, width="stretch")
    shell.link(LABORATORY, "More in the laboratory", ":material/experiment:")


def heading(view: View) -> str:
    """Return the title and question of an open part, as Markdown."""
    kind = "The laboratory" if view.laboratory else "Going further"
    return f"**{kind}: {view.title}.** {view.asks}"


def back(lesson: Lesson, to_lesson: Callable[[], None], to_laboratory: bool) -> None:
    """Draw the button back to the lesson, or the link to the laboratory if that opened the part.

    The latter is a link, because Streamlit does not let a button leave a page that has settings in
    its address.
    """
    icon = ":material/arrow_back:"
    key = f"{lesson.id}_back"
    if to_laboratory:
        with st.container(key=key, width="content"):
            shell.link(LABORATORY, "Back to the laboratory", icon)
        return
    device.button("Back to the lesson", key, to_lesson, type="tertiary", icon=icon)


def leave_all() -> None:
    """Close every open laboratory part, so that its lesson starts with the first picture again."""
    for lesson in lessons():
        flow = state.entry(state.FLOW, lesson.id)
        if flow.get("laboratory"):
            state.drop(f"{lesson.id}_view")
            state.write(state.FLOW, lesson.id, flow | {"laboratory": False, "view": None})


# The guess


def asks_first(lesson: Lesson, view: View) -> bool:
    """Return whether a part needs the visitor's guess first; outside a browser none does."""
    is_open = view.id in lesson.guesses and guessed_index(lesson, view) is None
    return is_open and device.in_browser()


def guessed_index(lesson: Lesson, view: View) -> int | None:
    """Return the index of the value that the visitor guessed for a part; None before the guess."""
    return ledger.grown(lesson, "guesses").get(view.id)


def fill_guess(lesson: Lesson, view: View) -> Guess:
    """Return a part's guess, its texts filled with numbers of the part's initial settings."""
    guess = lesson.guesses[view.id]
    values = lesson.values(read(lesson.settings, view.opens or {})[0])
    return Guess(
        fill(guess.text, values),
        tuple(fill(value, values) for value in guess.values),
        fill(guess.model, values),
        fill(guess.found, values),
    )


def ask(lesson: Lesson, view: View, take: Callable[[View, int], None]) -> None:
    """Draw a part's question with a button for each value; `take` receives the pressed one."""
    guess = fill_guess(lesson, view)
    st.markdown(device.unbroken(guess.text))
    with line(f"{lesson.id}_guess_line"):
        for number, value in enumerate(guess.values):
            key = f"{lesson.id}_guess_{view.id}_{number}"
            device.button(device.unbroken(value), key, take, view, number)
    st.caption("Tap a value. Then the model shows its own value.")


def judge(lesson: Lesson, view: View | None) -> None:
    """Show the visitor's guess next to the model's number, with the reason."""
    if view is None or view.id not in lesson.guesses:
        return
    number = guessed_index(lesson, view)
    if number is None:
        return
    guess = fill_guess(lesson, view)
    value = guess.values[number]
    icon = ":material/info:"
    if value == guess.model:
        icon = ":green[:material/check_circle:]"
    sentence = f"{icon} **You said:** {value}. **The model:** {guess.model}. {guess.found}"
    st.markdown(device.unbroken(sentence))
