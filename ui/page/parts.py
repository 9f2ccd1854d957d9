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

    A script, which has no use for a second page, finds the parts of the laboratory here, too.
    """
    if not parts:
        return
    st.header("Going further", anchor=False)
    icon = ":material/arrow_forward:"
    for view in parts:
        if not view.laboratory or not device.in_browser():
            with line(f"{lesson.id}_{view.id}_line"):
                key = f"{lesson.id}_part_{view.id}"
                device.button(view.title, key, open_part, view, icon=icon)
                st.markdown(view.asks, width="stretch")
    shell.link(LABORATORY, "More in the laboratory", ":material/experiment:")


def heading(part: View) -> str:
    """Return the title and question of an open part, as Markdown."""
    kind = "The laboratory" if part.laboratory else "Going further"
    return f"**{kind}: {part.title}.** {part.asks}"


def back(lesson: Lesson, to_lesson: Callable[[], None], to_laboratory: bool) -> None:
    """Draw the button back to the lesson, or to the laboratory if the part was opened there.

    The first is a button. The second is a link, since Streamlit lets no button leave a page whose
    settings stand in the address.
    """
    icon = ":material/arrow_back:"
    key = f"{lesson.id}_back"
    if to_laboratory:
        with st.container(key=key, width="content"):
            shell.link(LABORATORY, "Back to the laboratory", icon)
        return
    device.button("Back to the lesson", key, to_lesson, type="tertiary", icon=icon)


def leave_all() -> None:
    """Make every lesson whose laboratory part is open start with its first picture again."""
    for lesson in lessons():
        flow = state.entry(state.FLOW, lesson.id)
        if flow.get("laboratory"):
            state.drop(f"{lesson.id}_view")
            state.write(state.FLOW, lesson.id, flow | {"laboratory": False, "view": None})


# The guess


def asks_first(lesson: Lesson, part: View) -> bool:
    """Return whether a part still needs the visitor's guess, which scripts skip."""
    is_open = part.id in lesson.guesses and given(lesson, part) is None
    return is_open and device.in_browser()


def given(lesson: Lesson, part: View) -> int | None:
    """Return the index of the value that the visitor guessed for a part; None before the guess."""
    return ledger.grown(lesson, "guesses").get(part.id)


def filled(lesson: Lesson, part: View) -> Guess:
    """Return a part's guess with the numbers of the part's initial settings."""
    guess = lesson.guesses[part.id]
    values = lesson.values(read(lesson.settings, part.opens or {})[0])
    return Guess(
        fill(guess.text, values),
        tuple(fill(value, values) for value in guess.values),
        fill(guess.model, values),
        fill(guess.found, values),
    )


def ask(lesson: Lesson, part: View, take: Callable[[View, int], None]) -> None:
    """Draw a part's question with a button for each value."""
    guess = filled(lesson, part)
    st.markdown(device.unbroken(guess.text))
    with line(f"{lesson.id}_guess_line"):
        for number, value in enumerate(guess.values):
            key = f"{lesson.id}_guess_{part.id}_{number}"
            device.button(device.unbroken(value), key, take, part, number)
    st.caption("Tap a value. Then the model shows its own value.")


def judge(lesson: Lesson, part: View | None) -> None:
    """Show the visitor's guess next to the model's number, with the reason."""
    if part is None or part.id not in lesson.guesses:
        return
    number = given(lesson, part)
    if number is None:
        return
    guess = filled(lesson, part)
    value = guess.values[number]
    icon = ":material/info:"
    if value == guess.model:
        icon = ":green[:material/check_circle:]"
    sentence = f"{icon} **You said:** {value}. **The model:** {guess.model}. {guess.found}"
    st.markdown(device.unbroken(sentence))
