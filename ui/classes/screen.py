"""Projector screen of a class: question, code, count, timer, bars, animation, or picture.

No controls.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from physics.texts import text_beside
from polls import rule, store
from polls.store import Poll
from ui.base import device
from ui.base.device import unbroken
from ui.base.words import literal
from ui.charts.look import Look, filled
from ui.classes import questions, results, rights, scenes
from ui.classes.lecture import Lecture
from ui.classes.playlist import SCENES
from ui.classes.questions import Number, PollQuestion
from ui.classes.results import SIMULATED, Outcome
from ui.record import polls
from ui.server.allowance import Allowance

#: How often a screen asks whether the class has moved on, and for the count [s].
EVERY = 1.0
#: Above this length, message and answers together are written smaller [characters].
LONG = 620
#: Above this length, a message is written smaller still [characters].
LONGEST = 590
#: How often a server notes that a class is in use.
_NOTED = Allowance(at_once=1, rate=1 / store.USED_EVERY)
_KEYS = st.components.v2.component(
    "fleet_what_if_stage",
    html='<div class="times"><span class="timer" role="timer"></span>'
    '<span class="clock"></span></div>',
    css=text_beside(__file__, "times.css"),
    js=text_beside(__file__, "stage.js"),
)


def draw(lecture: Lecture, look: Look) -> None:
    """Draw the projector screen, which has no controls and is open to anyone with its link."""
    if lecture.poll.phase == store.OVER:
        device.heading("The class is over.")
        st.markdown("Your answers are in your report.")
        watch(lecture)
        return
    with device.line("stage_top"):
        st.markdown(
            f"{short_address()} &nbsp;·&nbsp; code **{lecture.poll.code}**", width="stretch"
        )
        keys(lecture)
        watch(lecture, partial(_count, lecture))
    body(lecture, look, partial(_beside, lecture, look))
    mark_rehearsal(lecture.poll)


def body(lecture: Lecture, look: Look, beside: Callable[[], None]) -> None:
    """Draw the content of the step; `beside` draws the column next to a question."""
    poll_question = lecture.question
    if lecture.step.do in SCENES:
        scenes.draw(lecture, look)
    elif is_wide(lecture):
        draw_question(poll_question, with_message=False, with_options=device.on_phone())
        _votes(lecture, look)
    else:
        left, right = st.columns([0.7, 0.3], gap="medium")
        with right:
            beside()
        with left:
            draw_question(poll_question, with_options=lecture.step.do != "question")


def is_wide(lecture: Lecture) -> bool:
    """Return whether the step uses the full width, without space for the QR code."""
    step = lecture.step.do
    return step in SCENES or (lecture.poll.phase == store.REVEALED and step != "question")


def draw_question(
    poll_question: PollQuestion, with_message: bool = True, with_options: bool = True
) -> None:
    """Draw the question with its message and its answers, in smaller letters if they are long."""
    key = "stage_question"
    length = len(poll_question.message)
    options_length = sum(map(len, poll_question.options.values()))
    if with_message and not with_options:
        key = "stage_message"
    if with_message and length > LONGEST:
        key += "_longest"
    elif with_message and with_options and length + options_length > LONG:
        key += "_long"
    title = poll_question.text
    if poll_question.lesson:
        title = f"{poll_question.title}: {title}"
    with st.container(key=key):
        device.heading(unbroken(title))
        if with_message and poll_question.message:
            st.markdown(unbroken(poll_question.message))
        if with_options and poll_question.number:
            st.markdown(f"*{asks_number(poll_question.number)}*")
        elif with_options:
            lines = [
                f"- **{poll_question.letter(option)}** {unbroken(text)}"
                for option, text in poll_question.options.items()
            ]
            st.markdown("\n".join(lines))


def asks_number(number: Number) -> str:
    """Return Markdown that asks for a numeric answer and names its unit."""
    if number.unit:
        return f"The answer is a number, in {literal(number.unit)}."
    return "The answer is a number."


def _votes(lecture: Lecture, look: Look) -> None:
    """Draw the bars of all rounds; once the presenter reveals it, also the right answer."""
    outcome = lecture.outcome()
    poll_question = outcome.question
    if lecture.shows_answer and poll_question.has_answer:
        right = poll_question.right_answer()
        separator = "  \n"
        if device.on_stage() and poll_question.right:
            # The bars below have its words, and need the room.
            right = f"**{poll_question.letter(poll_question.right)}**."
            separator = " "
        sentence = f"Right: {right}"
        if outcome.shown_rounds:
            # What to do next is for the lecturer.
            sentence += f"{separator}{outcome.verdict(not device.on_stage())}"
        st.success(unbroken(sentence), icon=":material/check_circle:")
    chart(outcome, lecture.shows_answer, look)


def chart(outcome: Outcome, reveal_answer: bool, look: Look) -> None:
    """Draw the bars of the rounds that may be shown, with a note on very small rounds.

    The right answer is marked if `reveal_answer` says so.
    """
    if outcome.shown_rounds:
        from ui.classes import bars  # only who sees votes needs Altair

        on_stage = device.on_stage()
        drawing = bars.drawing(outcome, reveal_answer, look, on_stage)
        st.vega_lite_chart(
            spec=filled(drawing.spec, drawing.rows),
            alt=drawing.alt,
            width="stretch",
            height=drawing.spec["height"],
        )
        if outcome.question.number:
            st.caption(
                "The answers are sorted and split into tenths; each bar shows the middle of a "
                "tenth. Equal bars mean agreement."
            )
        # In a hall the right answer takes its place; it stood there beside the bars alone.
        elif outcome.is_certain and not (reveal_answer and on_stage):
            meaning = "The solid part of a bar shows votes that were certain."
            if not on_stage:
                meaning += " Discussion helps most where many are certain and wrong."
            st.caption(meaning)
    few = f"fewer than {rule.FEWEST} votes"
    why = (
        f"{few}, so no bars: in a group this small, bars would show who voted for what. A class "
        "that agrees to show its bars can be opened as a small class."
    )
    if outcome.fewest < rule.FEWEST:
        why = "no votes, so no bars."
    for round in outcome.rounds:
        if round not in outcome.shown_rounds:
            st.info(f"{round.nth.capitalize()} vote: {why}", icon=":material/visibility_off:")
    if any(round.total < rule.FEWEST for round in outcome.shown_rounds):
        st.caption(f"{few.capitalize()}: this class agreed, when it was opened, to show them.")


def mark_rehearsal(poll: Poll) -> None:
    """Label a rehearsal for its presenter, and have its simulated voters vote."""
    if not poll.rehearsal:
        return
    if device.on_stage():
        st.badge(SIMULATED, icon=":material/smart_toy:", color="orange")
    else:
        st.warning(
            f"{SIMULATED} They are deleted when you end the rehearsal or this class, and they are "
            "never added to real votes.",
            icon=":material/smart_toy:",
        )
    poll_question = questions.of_poll(poll)
    if poll_question.number:
        polls.ask(store.simulate_numbers, poll, poll_question.number.right)
    elif poll_question.ids:
        polls.ask(store.simulate, poll, poll_question.ids, poll_question.right, poll_question.locks)


def tell_voter(poll: Poll) -> None:
    """Show what a voter must know before voting."""
    if poll.rehearsal:
        st.caption(
            "This is a rehearsal: your vote is not counted, and it is deleted with the rehearsal."
        )
    elif poll.small:
        st.caption(
            f"This class agreed, when it was opened, to show bars of fewer than {rule.FEWEST} "
            "votes: with so few votes, others may see how you voted."
        )


def link(code: str, **more: str) -> str:
    """Return the address of a class."""
    return f"{(st.context.url or '/class_poll').split('?')[0]}?{urlencode({'class': code, **more})}"


def short_address() -> str:
    """Return the short address of the class page, where visitors enter the code."""
    parts = urlsplit(st.context.url or "/class_poll")
    return f"{parts.netloc}{parts.path.rpartition('/')[0]}/class"


def code_to_scan(address: str, width: int) -> None:
    """Draw the QR code of an address."""
    picture = segno.make(address, error="m").svg_inline(scale=5, border=3, light="#ffffff")
    st.image(picture, width=width, alt=f"QR code of {address}")


def draw_qr_code(poll: Poll, look: Look) -> None:
    """Draw the QR code for the voters, larger on a projector."""
    code_to_scan(link(poll.code), 270 if look.present else 180)


def keys(lecture: Lecture, clock: bool = False) -> None:
    """Listen to a presenter's keys, and draw the timer and optionally the time of day."""
    is_presenter = rights.is_presenting(lecture.poll.code)
    data = {
        "at": lecture.mark,
        "keys": is_presenter,
        "left": lecture.time_left,
        "clock": clock,
        "plays": lecture.step.do == "animation",
    }
    callbacks: dict[str, Any] = {}
    if is_presenter:
        callbacks["on_key_change"] = lecture.key
    _KEYS(key="class_stage", data=data, height="content", **callbacks)


@st.fragment(run_every=EVERY)
def watch(lecture: Lecture, draw_count: Callable[[int], object] | None = None) -> None:
    """Redraw the page after another screen advances the class or replaces the PIN.

    `draw_count` draws the number of votes, which is kept up to date.
    """
    poll = lecture.poll
    try:
        current = polls.latest(poll.code, polls.MAX_AGE)
        vote_count = polls.ask(store.count, poll)
        moved = current != poll or Lecture.now(poll) != lecture or rights.was_ended(poll)
        if not _NOTED.take(poll.code):
            with suppress(polls.Gone):  # on a full disk, the class is still shown
                polls.ask(store.use, poll.code)
    except polls.Gone:
        st.warning(
            "The database cannot be reached just now; the votes are kept.",
            icon=":material/cloud_off:",
        )
        return
    if moved:
        st.rerun()
    if draw_count:
        draw_count(vote_count)


def _count(lecture: Lecture, vote_count: int) -> None:
    """Draw the number of votes in this round, except next to a picture."""
    poll = lecture.poll
    text = ""
    if lecture.step.do not in SCENES:
        text = f"{results.called(poll.round, poll.rehearsal)}: **{vote_count}**"
    st.markdown(text, width="content")


def _beside(lecture: Lecture, look: Look) -> None:
    """Draw next to the question the QR code while the class may vote, then the class's task."""
    if lecture.poll.may_vote:
        draw_qr_code(lecture.poll, look)
    else:
        task(lecture)


def task(lecture: Lecture) -> None:
    """Show the class's task while no vote is open."""
    text = "The vote is closed."
    if lecture.step.do == "discussion":
        text = "Discuss it with your neighbors: what are the reasons for each answer?"
    with st.container(key="stage_task"):
        st.markdown(text)
