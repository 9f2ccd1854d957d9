"""Class page for presenters and voters.

A voter's page shows the question, but not the votes before they are revealed. The whole page is
drawn from one reading of the class. Every few seconds, a small fragment reads the class again and
redraws the page if the class has changed.
"""

from typing import Any

import streamlit as st

from physics.texts import text_beside
from polls import rule, store
from polls.questions import LARGEST
from polls.store import Poll
from ui.base import device, state
from ui.charts.look import Look
from ui.classes import present, questions, rights, screen, sections, senders
from ui.classes.lecture import Lecture, answered
from ui.classes.questions import PollQuestion
from ui.classes.results import NTH
from ui.page import prediction, shell
from ui.record import local_storage, polls

_ONLINE = st.components.v2.component(
    "fleet_what_if_online",
    html='<div class="offline" role="status" hidden>Reconnecting. Your vote is kept.</div>',
    css=text_beside(__file__, "online.css"),
    js=text_beside(__file__, "online.js"),
)
#: How often a voter's page asks whether the round has moved on [s].
EVERY = 3.0
GONE = (
    "The database of class polls cannot be reached just now. Votes given before are kept and will "
    "be here when it is back; the lessons work without it."
)
NO_CLASS = (
    "There is no class with this code: a class is deleted after 24 hours or the time chosen when "
    "it was opened, and an empty one when nobody has presented it for an hour."
)
COUNTED = (
    "While you are in this class, the app counts how many of you have predicted, finished, and won "
    f"the challenge in each lesson. It keeps numbers only, and shows none below {rule.FEWEST}."
)


def draw(look: Look) -> str:
    """Draw the page for a presenter, a voter, or a visitor without a class.

    Returns a text for what it shows; after another text, the browser scrolls to the top.
    """
    code = _code()
    content = ""
    on_remote = st.query_params.get("remote") == "1"
    message = state.get("_class_said")
    if message:
        st.warning(message, icon=":material/info:")
        state.drop("_class_said")
    try:
        poll = polls.latest(code)
        polls.lock_votes(poll, code)
        # The projector's screen, too, takes a presenter's keys.
        presents = poll is not None and rights.presents(poll)
        if poll is not None and device.on_stage():
            screen.draw(Lecture.now(poll), look)
        elif poll is not None and presents:
            content = _draw_presenter(poll, look, on_remote)
        elif on_remote and (poll is not None or not code):
            st.markdown(
                "This page is the remote of a class. Enter the code and the PIN of your class to "
                "use it."
            )
            rights.enter(code, expanded=True)
        elif poll is not None:
            content = poll.lesson
            _draw_voter(poll, look, code)
        elif code and state.get(state.CLASS_JOINED) == code:
            _over(code)
        else:
            if code:
                st.warning(NO_CLASS, icon=":material/search_off:")
            _arrive(code)
    except polls.Gone:
        st.error(GONE, icon=":material/cloud_off:")
        _watch(code, polls.Gone)
    return content


def _draw_presenter(poll: Poll, look: Look, on_remote: bool) -> str:
    """Draw the presenter's screen or remote, and return a text for its content."""
    lecture = Lecture.now(poll)
    state.put(state.CLASS_REMOTE, on_remote)
    if poll.phase == store.OVER:
        sections.over(lecture)
    elif on_remote:
        present.remote(lecture, look)
    else:
        present.draw(lecture, look)
    return lecture.content


def _draw_voter(poll: Poll, look: Look, code: str) -> None:
    """Draw a voter's page: the question, or after the class the link to the report."""
    if not poll.rehearsal:
        polls.join(poll.code)
    if poll.phase == store.OVER:
        _watch(poll.code, poll)
        _over(poll.code)
        return
    screen.tell_voter(poll)
    _vote(poll, look)
    _ONLINE(key="class_online", height="content")
    if not poll.rehearsal:
        st.caption(COUNTED)
    with st.expander("Switch class or present", icon=":material/more_horiz:", key="class_more"):
        rights.enter(code)
        _leave()


def _code() -> str:
    """Return the class code of this visit: from the query string, or as joined or opened before."""
    queried = st.query_params.get("class")
    if queried:
        state.put("_class_code", rights.letters(queried)[:12] or "?")
    return str(state.get("_class_code") or "")


def _arrive(code: str) -> None:
    """Draw the forms to join, open, or resume a class."""
    st.markdown(
        "Students vote on a lesson's question, discuss it, and vote again. A vote "
        "carries no name and no address, only a random token that your browser keeps. A class is "
        "deleted after 24 hours, or after the time chosen when it was opened."
    )
    join, begin = st.columns(2, gap="large")
    with join:
        device.heading("Join a class")
        state.setdefault("class_code", "")
        st.text_input("Code (six letters)", key="class_code", max_chars=12, on_change=_join)
        device.button("Join", "class_join", _join, True, icon=":material/login:", type="primary")
    with begin:
        device.heading("Open a class")
        device.choice("First question", "class_lesson", questions.offered({}))
        rights.choose()
        device.button("Open a class", "class_open", rights.open_class, icon=":material/groups:")
        rights.enter(code)


def _join(pressed: bool = False) -> None:
    """Callback: show the class of the typed code; `pressed` is False if only the field changed."""
    code = rights.letters(state.get("class_code"))
    if not code:
        if pressed:  # a field that was only emptied asks for nothing
            rights.say("Type the six letters of the code first.")
        return
    state.put("_class_code", code)
    st.query_params["class"] = code


def _vote(poll: Poll, look: Look) -> None:
    """Draw the question with the voter's own answer, and the result once it is revealed."""
    poll_question = questions.of_poll(poll)
    _watch(poll.code, poll)
    my_vote = _my_vote(poll, poll_question)
    device.heading(poll_question.title)
    if poll.phase != store.WAITING:
        st.caption(f"Class {poll.code}, {NTH[poll.round]} vote")
    if poll_question.message:
        st.markdown(poll_question.message)
    # The label would fade with a closed vote; the question stays readable.
    st.markdown(f"**{poll_question.text}**")
    if poll.phase == store.WAITING:
        st.info(
            "The vote has not opened yet. This page follows the screen.",
            icon=":material/hourglass_top:",
        )
        return
    _choose(poll_question, poll.phase == store.OPEN)
    if poll.phase != store.OPEN:
        _after(poll, poll_question, my_vote, look)
        return
    if poll_question.locks:
        prediction.how_sure("class_sure")
    label = "Vote"
    if my_vote is not None:
        label = "Change my vote"
    icon = ":material/how_to_vote:"
    device.button(label, "class_vote", _cast, poll, poll_question, type="primary", icon=icon)
    if my_vote is not None:
        answer = poll_question.text_of(my_vote)
        if poll_question.number:
            answer += "."
        st.success(
            f"Your vote is in: {answer} You may change it until the round closes.",
            icon=":material/check:",
        )


def _choose(poll_question: PollQuestion, is_open: bool) -> None:
    """Draw a voter's answer field: options to choose from, or a number."""
    # The browser stores the token as soon as an option is chosen: a vote whose connection breaks
    # is then not cast a second time under another token.
    options: dict[str, Any] = {
        "key": _field(poll_question),
        "disabled": not is_open,
        "on_change": local_storage.token,
        "args": ("voter",),
    }
    if poll_question.number:
        st.number_input(
            screen.asks_number(poll_question.number),
            min_value=-LARGEST,
            max_value=LARGEST,
            value=None,
            step=1.0,
            format="%.10g",
            **options,
        )
        return
    labels = {
        option: f"**{poll_question.letter(option)}** {text}"
        for option, text in poll_question.options.items()
    }
    st.radio(
        poll_question.text,
        poll_question.ids,
        label_visibility="collapsed",
        index=None,
        format_func=lambda option: labels.get(option, option),
        **options,
    )


def _after(
    poll: Poll, poll_question: PollQuestion, my_vote: str | float | None, look: Look
) -> None:
    """Draw what follows a closed round: a discussion, or the right answer with its reason."""
    own_vote = "; you did not vote in it."
    if my_vote is not None:
        own_vote = f". You voted: {poll_question.text_of(my_vote)}"
    st.info(f"This round is closed{own_vote}", icon=":material/lock:")
    if poll.phase == store.REVEALED and (poll.told or not poll_question.has_answer):
        # The right answer, why it is right, and the bars, as the hall has seen them.
        if poll_question.has_answer:
            st.success(f"Right: {poll_question.right_answer()}", icon=":material/check_circle:")
            why = poll_question.why()
            if why:
                st.markdown(device.unbroken(why))
        screen.chart(answered(poll_question, poll), True, look)
    elif poll.round == 1:
        st.markdown(
            "Discuss it with your neighbors: what are the reasons for the other answers? A "
            "second vote may follow."
        )
    lesson = poll_question.lesson
    if poll.phase == store.REVEALED and (poll.told or poll.round == 2) and lesson:
        if poll_question.locks and state.committed(state.PREDICTIONS, lesson.id, poll_question.ids):
            st.markdown(
                "Your first vote is your locked prediction in the lesson. Now change the settings."
            )
        shell.link(lesson.path, f"Open the lesson: {lesson.title}", ":material/arrow_forward:")


def _over(code: str) -> None:
    """Draw the end of a class, with a link to the voter's own answers."""
    device.heading("The class is over")
    st.markdown("Your answers are in your report.")
    shell.link("pages/report.py", "Open your report", ":material/description:")
    _leave()
    rights.enter(code)


def _leave() -> None:
    """Draw the button that leaves the class."""
    device.button("Leave this class", "class_leave", rights.forget, icon=":material/logout:")


def _my_vote(poll: Poll, poll_question: PollQuestion) -> str | float | None:
    """Return the voter's answer in this round, and put it into the answer field.

    A vote of a finished first round becomes the lesson's locked prediction.
    """
    voter = local_storage.mine("voter")
    my_vote = None
    if voter:
        my_vote = polls.ask(store.my_vote, poll.code, poll.lesson, poll.round, voter)
    if not poll_question.number and my_vote not in poll_question.ids:
        my_vote = None
    if voter and poll_question.locks and not poll.rehearsal:
        first = my_vote
        if poll.round > 1:
            first = polls.ask(store.my_vote, poll.code, poll.lesson, 1, voter)
        if first in poll_question.ids:
            polls.record_vote(poll_question.id, poll.code, first)
            polls.lock_votes(poll, poll.code)
    round_key = [poll.code, poll.lesson, poll.round]
    is_new = state.get("_class_shown") != round_key
    if is_new:
        state.put("_class_shown", round_key)
        state.put("class_sure", None)
    key = _field(poll_question)
    if is_new or not poll.may_vote or state.get(key) is None:
        state.put(key, my_vote)
    return my_vote


def _field(poll_question: PollQuestion) -> str:
    """Return the key of the widget in which a voter answers."""
    return "class_number" if poll_question.number else "class_answer"


def _cast(poll: Poll, poll_question: PollQuestion) -> None:
    """Callback: cast or change the vote."""
    choice = state.get(_field(poll_question))
    request = ""
    if poll_question.number and not isinstance(choice, int | float):
        request = "Type a number"
    elif not poll_question.number and choice not in poll_question.ids:
        request = "Choose one of the answers"
    if request:
        rights.say(f"{request} first; there is no penalty for a wrong guess.")
        return
    voter = local_storage.token("voter")
    sure = state.get("class_sure") if poll_question.locks else None
    counted = rights.attempt(
        store.vote,
        poll.code,
        poll.lesson,
        poll.round,
        voter,
        choice,
        sure == "certain",
        refusal="Your vote could not be saved just now. Try again in a moment.",
    )
    if counted:
        senders.note(poll, device.network(st.context.ip_address) or "", voter)
        if poll_question.locks and poll.round == 1:
            # The confidence is stored when the vote becomes the locked prediction.
            state.put(f"{poll_question.id}_sure", sure)
    if counted is False:
        rights.say("This round was closed before your vote arrived; it was not counted.")


@st.fragment(run_every=EVERY)
def _watch(code: str, drawn_poll: Any) -> None:
    """Redraw the page when the class has changed since `drawn_poll`, or the database is back."""
    try:
        current = polls.latest(code, polls.MAX_AGE)
    except polls.Gone:
        if drawn_poll is not polls.Gone:
            st.warning(GONE, icon=":material/cloud_off:")
        return
    if current != drawn_poll:
        st.rerun()
