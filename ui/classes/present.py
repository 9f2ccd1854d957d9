"""Presenter's pages: a screen with question, bars, and controls; or the projector's remote.

The remote shows what the hall must not see: controls, clock, notes, the next step, and the bars
before they are revealed.
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
from ui.classes.playlist import SCENES, VOTES
from ui.page import shell
from ui.page.lesson import tour


def draw(lecture: Lecture, look: Look) -> None:
    """Draw the single-screen page: the question and the code during a vote, then the bars."""
    has_plan = bool(lecture.stage.plan)
    screen.mark_rehearsal(lecture.poll)
    _projector(lecture.poll, look)
    _confirm(lecture)
    if has_plan:
        _navigation(lecture)
    else:
        screen.keys(lecture)
    screen.body(lecture, look, partial(_controls, lecture, look))
    if screen.is_wide(lecture):
        _below_bars(lecture)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _controls(lecture, look)
    sections.draw(lecture, has_results=has_plan and lecture.is_over)


def _projector(poll: Poll, look: Look) -> None:
    """Offer a window for the projector until the PIN is noted, so that the hall never sees it."""
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
    _navigation(lecture, remote=True)
    late = pace.sentence(lecture)
    if late:
        st.warning(late, icon=":material/timer:")
    with device.row("class_steps"):
        _actions(lecture, remote=True)
    notes = list(_notes(lecture))
    if notes:
        st.markdown("**Notes**")
        st.markdown("\n".join(f"- {unbroken(note)}" for note in notes))
    screen.watch(lecture, partial(_preview, lecture, look))
    lesson = lecture.question.lesson
    if lesson:
        shell.link(lesson.path, f"Show the lesson live: {lesson.title}", ":material/tune:")
    _all_steps(lecture)
    sections.draw(lecture, has_results=lecture.is_over)


def _controls(lecture: Lecture, look: Look) -> None:
    """Draw the actions, the class code, the number of votes, and during a vote the QR code."""
    poll = lecture.poll
    is_wide = screen.is_wide(lecture)
    if not is_wide and not poll.may_vote:
        screen.task(lecture)
    _actions(lecture)
    st.metric("Class code", poll.code)
    screen.watch(lecture, partial(_count, poll))
    if is_wide or not poll.may_vote:
        return
    screen.draw_qr_code(poll, look)
    if look.present:
        st.markdown(screen.short_address())
    else:
        st.code(screen.link(poll.code), language=None, wrap_lines=True)


def _count(poll: Poll, vote_count: int) -> None:
    """Draw the number of votes in this round."""
    kind = "Votes"
    if poll.rehearsal:
        kind = "Simulated votes"
    st.metric(f"{kind}, {results.NTH[poll.round]} round", vote_count)
    warning = senders.warning(poll)
    if warning and not device.on_projector():
        st.caption(warning)


def _actions(lecture: Lecture, remote: bool = False) -> None:
    """Draw buttons that open, close, or reveal a vote; their labels do not give the answer away."""
    poll = lecture.poll
    has_plan = bool(lecture.stage.plan)
    if lecture.step.do in SCENES or (lecture.step.has_no_vote and poll.phase != store.WAITING):
        return
    action = partial(_action, lecture, not remote and not has_plan)
    if poll.phase == store.WAITING and not has_plan:
        action("Open the vote", "class_start", "how_to_vote", True, store.OPEN)
    if poll.phase == store.OPEN:
        action("Close the round", "class_close", "lock", True, store.CLOSED)
    if poll.phase == store.CLOSED:
        action("Reveal the votes", "class_reveal", "bar_chart", poll.round == 2, store.REVEALED)
    if poll.round == 1 and not poll.may_vote:
        action("Vote again", "class_second", "forum", True, store.OPEN, 2)
    if poll.phase == store.CLOSED and lecture.step.do != "discussion":
        action("Open this vote again", "class_reopen", "lock_open", False, store.OPEN)


def _action(
    lecture: Lecture,
    has_primary: bool,
    label: str,
    key: str,
    icon: str,
    is_usual: bool,
    *phase_and_round: Any,
) -> None:
    """Draw a button that moves the class to a phase; the usual next one may be primary."""
    style = {"icon": f":material/{icon}:", "width": "stretch"}
    if is_usual and has_primary:
        style["type"] = "primary"
    device.button(label, key, lecture.move, *phase_and_round, **style)


def _confirm(lecture: Lecture) -> None:
    """Ask for confirmation of a press that would spoil or delete votes."""
    change = lecture.pending
    if change is None:
        if state.get(CONFIRM):
            st.warning(MOVED, icon=":material/info:")
            state.drop(CONFIRM)
        return
    st.warning(change.confirm, icon=":material/warning:")
    with device.row("class_confirm"):
        device.button("Do it anyway", "class_confirm_yes", lecture.confirmed)
        device.button("Cancel", "class_confirm_no", state.drop, CONFIRM, type="primary")


def _navigation(lecture: Lecture, remote: bool = False) -> None:
    """Draw the current step, the buttons forward and back, and on the last step the results.

    Only the remote says what comes next, because the hall may see the other screen.
    """
    steps = lecture.plan.steps
    index = lecture.index
    with device.line("class_head"):
        title = f"{index + 1} of {len(steps)}: {lecture.step.label}"
        st.header(title, anchor=False, width="stretch")
        screen.keys(lecture, clock=remote)
    with device.row("class_way"):
        if lecture.is_over:
            st.markdown("This is the last step.", width="stretch")
        else:
            label = "Next"
            if remote:
                label = f"Next: {_next_content(lecture)}"
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
    if lecture.is_over:
        sections.offer_results(lecture.poll)


def _next_content(lecture: Lecture) -> str:
    """Return in words what the next press shows."""
    if lecture.step.do in VOTES and lecture.poll.phase == store.WAITING:
        return "the vote"
    if lecture.step.do == "reveal" and lecture.poll.phase in (store.OPEN, store.CLOSED):
        return "the votes"
    if lecture.press + 1 == lecture.presses:
        return lecture.plan.steps[lecture.index + 1].label
    if lecture.step.do == "reveal":
        return "the right answer"
    return ("the question", "the numbers", "the sentence")[(lecture.press + 1) % PRESSES]


def _below_bars(lecture: Lecture) -> None:
    """Draw below revealed votes the rule of thumb, and the right answer's button or lesson."""
    poll_question = lecture.question
    if lecture.step.do in SCENES or not poll_question.has_answer:
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


def _preview(lecture: Lecture, look: Look, vote_count: int) -> None:
    """Draw the number of votes and their bars during the vote."""
    if lecture.step.do in SCENES:
        return
    _count(lecture.poll, vote_count)
    if lecture.step.do == "question":
        return
    outcome = lecture.outcome(early=True)
    if outcome.shown_rounds and outcome.question.has_answer:
        st.markdown(unbroken(f"{outcome.verdict()} {outcome.certainty()}".strip()))
    screen.chart(outcome, True, look)


def _notes(lecture: Lecture) -> Iterator[str]:
    """Yield what a lecturer may say at this step: the playlist's note, then the lesson's."""
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


def _all_steps(lecture: Lecture) -> None:
    """Draw an expander with all steps, each as a button that shows the step."""
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
                disabled=number == lecture.index,
            )
