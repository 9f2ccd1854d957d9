"""Presenter's pages: one screen with question, bars, and controls; or a remote control for a
projector.

The remote has what the hall does not see: controls, clock, notes, the next step, the bars
beforehand.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import streamlit as st

from polls import store
from polls.store import Poll
from ui.base import device, state
from ui.base.device import unbroken
from ui.base.lesson import Film
from ui.base.words import fill, literal
from ui.charts.look import Look
from ui.classes import pace, results, rights, screen, sections, senders
from ui.classes.lecture import CONFIRM, MOVED, Lecture
from ui.classes.moves import PRESSES
from ui.classes.playlist import SCENES
from ui.page import shell
from ui.page.lesson import tour


def draw(lecture: Lecture, look: Look) -> None:
    """Draw the single-screen page: the question and the code during a vote, then the bars."""
    screen.mark_rehearsal(lecture.poll)
    _projector(lecture.poll, look)
    _confirm(lecture)
    is_offered = False
    if lecture.stage.plan:
        is_offered = _way(lecture)
    else:
        screen.keys(lecture)
    screen.body(lecture, look, partial(_class, lecture, look))
    if screen.is_wide(lecture):
        _below(lecture)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _class(lecture, look)
    sections.draw(lecture, is_offered)


def _projector(poll: Poll, look: Look) -> None:
    """Offer the projector's window until the PIN is noted: what stands here the hall would read."""
    if not rights.shown_pin():
        return
    if not look.present:
        st.markdown(
            "First open the projector window and move it to the big screen. This page is yours: "
            "it has your PIN, and you drive the class from here or from the remote."
        )
    with device.row("class_windows"):
        if not look.present:
            st.link_button(
                "Open the projector window",
                screen.link(poll.code, present="screen"),
                icon=":material/tv:",
                type="primary",
            )
            device.button(
                "Mirror this screen", "class_mirror", _mirror, icon=":material/screen_share:"
            )
        with st.popover("Your PIN", icon=":material/key:", key="class_pin_box"):
            rights.show_pin()


def _mirror() -> None:
    """Callback: make this page the hall's, in large type."""
    st.query_params["present"] = "1"


def remote(lecture: Lecture, look: Look) -> None:
    """Draw the presenter's remote control."""
    screen.mark_rehearsal(lecture.poll)
    rights.show_pin()
    _confirm(lecture)
    is_offered = _way(lecture, remote=True)
    late = pace.sentence(lecture)
    if late:
        st.warning(late, icon=":material/timer:")
    with device.row("class_steps"):
        _steps(lecture, remote=True)
    notes = list(_notes(lecture))
    if notes:
        st.markdown("**Notes**")
        st.markdown("\n".join(f"- {unbroken(note)}" for note in notes))
    screen.watch(lecture, partial(_live, lecture, look))
    lesson = lecture.question.lesson
    if lesson:
        shell.link(lesson.path, f"Show the lesson live: {lesson.title}", ":material/tune:")
    _all(lecture)
    sections.draw(lecture, is_offered)


def _class(lecture: Lecture, look: Look) -> None:
    """Draw what the class may do next, the count, and beside an open question the way in."""
    poll = lecture.poll
    is_wide = screen.is_wide(lecture)
    if not is_wide and not poll.may_vote:
        screen.task(lecture)
    _steps(lecture)
    st.metric("Class code", poll.code)
    screen.watch(lecture, partial(_count, poll))
    if is_wide or not poll.may_vote:
        return
    screen.draw_qr_code(poll, look)
    if look.present:
        st.markdown(screen.short_address())
    else:
        st.code(screen.link(poll.code), language=None, wrap_lines=True)


def _count(poll: Poll, number: int) -> None:
    """Draw the number of votes in this round."""
    kind = "Votes"
    if poll.rehearsal:
        kind = "Simulated votes"
    st.metric(f"{kind}, {results.NTH[poll.round]} round", number)
    warning = senders.warning(poll)
    if warning and not device.on_projector():
        st.caption(warning)


def _steps(lecture: Lecture, remote: bool = False) -> None:
    """Draw what the class may do next, the usual step first. None of it says what the hall has not
    seen.
    """
    poll = lecture.poll
    has_plan = bool(lecture.stage.plan)
    if lecture.step.do in SCENES or (lecture.step.shows and poll.phase != store.WAITING):
        return

    def step(label: str, key: str, icon: str, is_usual: bool, *args: Any) -> None:
        style = {"icon": f":material/{icon}:", "width": "stretch"}
        if is_usual and not remote and not has_plan:
            style["type"] = "primary"
        device.button(label, key, lecture.move, *args, **style)

    if poll.phase == store.WAITING and not has_plan:
        step("Open the vote", "class_start", "how_to_vote", True, store.OPEN)
    if poll.phase == store.OPEN:
        step("Close the round", "class_close", "lock", True, store.CLOSED)
    if poll.phase == store.CLOSED:
        step("Reveal the votes", "class_reveal", "bar_chart", poll.round == 2, store.REVEALED)
    if poll.round == 1 and not poll.may_vote:
        step("Vote again", "class_second", "forum", True, store.OPEN, 2)
    if poll.phase == store.CLOSED and lecture.step.do != "discussion":
        step("Open this vote again", "class_reopen", "lock_open", False, store.OPEN)


def _confirm(lecture: Lecture) -> None:
    """Ask about a press that would spoil or delete votes."""
    change = lecture.waiting
    if change is None:
        if state.get(CONFIRM):
            st.warning(MOVED, icon=":material/info:")
            state.drop(CONFIRM)
        return
    st.warning(change.confirm, icon=":material/warning:")
    with device.row("class_confirm"):
        device.button("Do it anyway", "class_confirm_yes", lecture.confirmed)
        device.button("Cancel", "class_confirm_no", state.drop, CONFIRM, type="primary")


def _way(lecture: Lecture, remote: bool = False) -> bool:
    """Draw the step that is shown, the way on and the way back; on the last step the results, and
    say whether. Where the hall may look, the way on does not say what comes.
    """
    steps = lecture.plan.steps
    index = lecture.place
    with device.line("class_head"):
        title = f"{index + 1} of {len(steps)}: {lecture.step.label}"
        st.header(title, anchor=False, width="stretch")
        screen.keys(lecture, clock=remote)
    with device.row("class_way"):
        if lecture.over:
            st.markdown("This is the last step.", width="stretch")
        else:
            label = "Next"
            if remote:
                label = f"Next: {_coming(lecture)}"
            device.button(
                label,
                "class_next",
                lecture.next,
                type="primary",
                icon=":material/arrow_forward:",
                width="stretch",
            )
        device.button(
            "Back",
            "class_back",
            lecture.back,
            icon=":material/arrow_back:",
            disabled=index == lecture.press == 0,
        )
        if lecture.step.do == "animation":
            device.button("Play or pause", "class_play", lecture.play, icon=":material/play_pause:")
    if lecture.over:
        sections.keep(lecture.poll)
    return lecture.over


def _coming(lecture: Lecture) -> str:
    """Return what the next press shows."""
    if lecture.press + 1 == lecture.presses:
        return lecture.plan.steps[lecture.place + 1].label
    if lecture.step.do == "reveal":
        return "the right answer"
    return ("the question", "the numbers", "the sentence")[(lecture.press + 1) % PRESSES]


def _below(lecture: Lecture) -> None:
    """Draw below revealed votes what to make of them."""
    poll_question = lecture.question
    if lecture.step.do in SCENES or not poll_question.answered:
        return
    if poll_question.right:
        st.caption(results.RULE)
    if not lecture.shows_answer:
        device.button(
            "Show the right answer", "class_right", lecture.tell, icon=":material/visibility:"
        )
    elif poll_question.lesson:
        lesson = poll_question.lesson
        shell.link(lesson.path, f"Open the lesson: {lesson.title}", ":material/arrow_forward:")


def _live(lecture: Lecture, look: Look, number: int) -> None:
    """Draw count and bars as they come in."""
    if lecture.step.do in SCENES:
        return
    _count(lecture.poll, number)
    if lecture.step.do == "question":
        return
    outcome = lecture.outcome(early=True)
    if outcome.shown and outcome.question.answered:
        st.markdown(unbroken(f"{outcome.verdict()} {outcome.certainty()}".strip()))
    screen.chart(outcome, True, look)


def _notes(lecture: Lecture) -> Iterator[str]:
    """What a lecturer may say at this step: the playlist's own note, then the lesson's."""
    step = lecture.step
    poll_question = lecture.question
    lesson = poll_question.lesson
    if step.notes:
        yield literal(step.notes)
    if step.do == "animation":
        _, view, settings = step.scene()
        if isinstance(view, Film):
            yield view.showing(settings).caption
    elif step.do == "tour" and lesson is not None:
        stop = step.tour[lecture.press // PRESSES]
        yield from filter(None, (stop.ask, tour.text(lesson, stop)))
    elif lesson and step.do != "picture":
        values = lesson.values(lesson.settings())
        if step.do == "discussion" and lesson.staff and poll_question.locks:
            yield from (fill(text, values) for text in lesson.staff.heard)
        elif lecture.poll.phase == store.REVEALED:
            right = poll_question.right
            options = poll_question.source(lesson).options
            for option in sorted(options, key=lambda option: option.id != right):
                yield f"**{poll_question.letter(option.id)}** {fill(option.feedback, values)}"


def _all(lecture: Lecture) -> None:
    """Draw, folded, all steps, each as the way to it."""
    with st.expander("All steps", icon=":material/list:", key="class_plan_steps"):
        caption = literal(lecture.plan.title) or "The steps of this question"
        if lecture.plan.minutes:
            caption += f", {lecture.plan.minutes:g} min"
        st.caption(caption)
        for number, step in enumerate(lecture.plan.steps):
            label = f"{number + 1}. {step.label}"
            if step.minutes:
                label += f" ({step.minutes:g} min)"
            device.button(
                label,
                f"class_step_{number}",
                lecture.go,
                number,
                type="tertiary",
                disabled=number == lecture.place,
            )
