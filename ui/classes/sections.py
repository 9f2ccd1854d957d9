"""Presenter's expanders: questions, progress, results, screens, playlists, and the end."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st

from polls import questions as written
from polls import rule, store
from polls.questions import Question as Own
from polls.store import Poll
from ui.base import device, state
from ui.classes import after_class, playlist, questions, results, rights, screen
from ui.classes.lecture import Lecture
from ui.record import polls

EXAMPLE = """\
[[questions]]
name = "queue"
text = "Which queue is longer?"
options = ["The first", "The second"]
right = "b"
why = "It holds the longer jobs."

[[questions]]
name = "wait"
text = "How long does a job wait?"
number = true
unit = "h"
right = 2.5
"""
_RIGHT = {"none": "None (opinion question)"}
_RIGHT |= {letter: letter.upper() for letter in written.IDS}


def draw(lecture: Lecture, has_results: bool) -> None:
    """Draw the expanders, including the results unless the page has them already."""
    poll = lecture.poll
    with st.expander(
        "Next question, results, end of class", icon=":material/more_horiz:", key="class_more"
    ):
        _next_and_end(lecture, has_results)
    with st.expander("A question of your own", icon=":material/edit:", key="class_own"):
        _own_question(lecture)
    box = device.expander("How far along is the class?", "class_progress", ":material/checklist:")
    if box:
        box.dataframe(results.progress(polls.ask(store.progress, poll.code)), hide_index=True)
        box.caption(
            "The app counts the students who have opened the class page with this code, by "
            "what they had done before and what they did in the same visit. A number below "
            f"{rule.FEWEST} is not shown."
        )
    with st.expander("Two screens", icon=":material/present_to_all:", key="class_screens"):
        _two_screens(poll)
    with st.expander("Playlist", icon=":material/playlist_play:", key="class_playlist"):
        _choose_playlist(lecture)


def _next_and_end(lecture: Lecture, has_results: bool) -> None:
    """Draw the choice of the next question, the results, and the buttons that end the class."""
    poll = lecture.poll
    offered = questions.offered(polls.ask(store.own_questions, poll.code))
    device.choice("Next question", "class_lesson", offered)
    device.button(
        "Start this question",
        "class_ask",
        lecture.ask,
        icon=":material/campaign:",
        help="Earlier votes of this class on that question are deleted.",
    )
    if not has_results:
        offer_results(poll)
    lifetime = (
        f"This class is deleted {rights.LIFETIME_NAMES[poll.lifetime]} after it was opened, or "
        "when you delete it. While it has no votes, members, or questions of its own, it is "
        "deleted an hour after its last screen is closed."
    )
    if poll.lifetime > store.LIFETIME:
        lifetime += f" {rights.EARNS}"
    st.caption(lifetime)
    with device.row():
        if poll.rehearsal:
            device.button(
                "End the rehearsal",
                "class_rehearsal_end",
                lecture.end_rehearsal,
                icon=":material/smart_toy:",
            )
        device.button(
            "Replace the PIN",
            "class_pin_new",
            rights.replace_pin,
            icon=":material/key:",
            help="Other browsers that present this class must enter the new one.",
        )
        _leave()
        _ask_twice(
            "class_end",
            "End this class",
            f"This closes the vote, and phones say that the class is over. {_stays(poll)}",
            "End the class",
            lecture.end,
        )


def offer_results(poll: Poll) -> None:
    """Offer downloads of this class's revealed votes before the class is deleted."""
    votes, certain = polls.ask(store.results, poll)
    own = polls.ask(store.own_questions, poll.code)
    numbers = polls.ask(store.numbers, poll)
    answered = results.outcomes(votes, certain, own, poll.fewest, numbers)
    today = datetime.now(UTC).date().isoformat()
    name = f"{'simulated-' if poll.rehearsal else ''}votes-of-class-{poll.code}-{today}"
    with device.row():
        device.download(
            "Results of this class (CSV)",
            after_class.table(answered, poll.rehearsal),
            f"{name}.csv",
            "class_results",
            help="All votes revealed so far, with one row per question and vote. They are deleted "
            "with the class.",
            disabled=not answered,
        )
        device.download(
            "Results to print (HTML)",
            after_class.page(poll, answered, today),
            f"{name}.html",
            "class_page",
            help="Both votes on each question as bars, what was learned, and what remained wrong.",
            disabled=not answered,
        )


def over(lecture: Lecture) -> None:
    """Draw the page of a class that has ended: its results, and how long they are stored."""
    poll = lecture.poll
    device.heading("The class is over")
    st.markdown(f"Nobody can vote anymore. {_stays(poll)}")
    offer_results(poll)
    with device.row("class_over"):
        device.button("Resume this class", "class_resume", lecture.resume, icon=":material/replay:")
        _leave()
        _ask_twice(
            "class_delete",
            "Delete this class",
            "This deletes all votes, results, and own questions of this class now, for good.",
            "Delete class and votes",
            lecture.delete,
        )
    screen.watch(lecture)


def _stays(poll: Poll) -> str:
    """Return a sentence on what is kept after a class has ended, and for how long."""
    return (
        f"The votes, results, and own questions stay until {rights.LIFETIME_NAMES[poll.lifetime]} "
        "after the class was opened. Until then you can come back with code and PIN, download the "
        "results, or delete them."
    )


def _leave() -> None:
    """Draw the button that ends presenting in this browser."""
    device.button("Stop presenting here", "class_leave", rights.forget, icon=":material/logout:")


def _ask_twice(key: str, label: str, loss: str, yes: str, act: Callable[[], None]) -> None:
    """Draw a button that says what would be lost, and acts after a second press."""
    flag = f"_{key}_asked"
    if not state.get(flag):
        device.button(label, key, state.put, flag, True, icon=":material/stop_circle:")
        return
    st.warning(loss, icon=":material/warning:")
    device.button(yes, f"{key}_yes", act, type="primary")
    device.button("Cancel", f"{key}_no", state.drop, flag)


def _own_question(lecture: Lecture) -> None:
    """Draw the form for a question, and the upload of a file of questions."""
    st.text_input("Question", key="class_own_text", max_chars=written.LONGEST_TEXT)
    st.text_input(
        "Name (optional)",
        key="class_own_name",
        max_chars=30,
        help="A playlist can ask a question named “queue” as “own/queue”.",
    )
    state.setdefault("class_own_number", False)
    st.checkbox("The answer is a number", key="class_own_number")
    if state.get("class_own_number"):
        st.text_input("Unit (optional)", key="class_own_unit", max_chars=written.LONGEST_UNIT)
        st.text_input("Right number (optional)", key="class_own_right_number", max_chars=20)
    else:
        st.text_area(
            "Options, one per line (two to six)",
            key="class_own_options",
            max_chars=len(written.IDS) * (written.LONGEST_OPTION + 1),
            height=130,
        )
        device.choice("Right answer", "class_own_right", _RIGHT)
    st.text_input(
        "Why it is right, in one sentence (optional)",
        key="class_own_why",
        max_chars=written.LONGEST_WHY,
        help="Phones show it with the right answer.",
    )
    device.button("Add it to this class", "class_own_add", _typed, lecture, icon=":material/add:")
    _file(
        "Or a TOML file of questions",
        "class_own_file",
        lambda data: lecture.add(partial(written.read, data)),
        help="A question is text and options, or text and number; right, why, and name may be "
        "missing.",
    )
    st.code(EXAMPLE, language="toml")


def _typed(lecture: Lecture) -> None:
    """Callback: add the typed question to the class, and empty the form."""
    names = ("text", "name", "why", "unit", "right_number", "options")
    typed = {name: str(state.get(f"class_own_{name}") or "") for name in names}
    question: dict[str, Any] = {name: typed[name] for name in names[:3]}
    if state.get("class_own_number"):
        question |= {"number": True, "unit": typed["unit"], "right": typed["right_number"]}
    else:
        question["options"] = list(filter(str.strip, typed["options"].splitlines()))
        right = state.get("class_own_right")
        if right != "none":
            question["right"] = right
    if lecture.add(lambda: [Own.checked(**question)]):
        for name in names:
            state.put(f"class_own_{name}", "")
        state.put("class_own_right", "none")


def _file(label: str, key: str, read: Callable[[bytes], Any], **options: Any) -> None:
    """Draw the upload of a TOML file, whose bytes go to `read`."""
    st.file_uploader(
        label,
        type="toml",
        key=key,
        max_upload_size=1,
        on_change=_read_upload,
        args=(key, read),
        **options,
    )


def _read_upload(key: str, read: Callable[[bytes], Any]) -> None:
    """Callback: pass the uploaded file, if there is one, to `read`."""
    file = device.uploaded(key)
    if file:
        read(file.getvalue())


def _two_screens(poll: Poll) -> None:
    """Draw the links of both screens."""
    st.markdown(
        "The projector shows the question, how to join, and the bars. The remote has the "
        "controls, your notes, the clock, and a preview of the bars."
    )
    remote = screen.link(poll.code, remote="1")
    with device.row():
        st.link_button(
            "Open the projector", screen.link(poll.code, present="screen"), icon=":material/tv:"
        )
        st.link_button("Open the remote", remote, icon=":material/settings_remote:")
    with st.container(horizontal=True, vertical_alignment="center"):
        screen.code_to_scan(remote, 130)
        st.markdown(
            "On a phone or another computer, the remote asks for your PIN.", width="stretch"
        )


def _choose_playlist(lecture: Lecture) -> None:
    """Draw the choice of a playlist: a lecture of the app, or the presenter's own."""
    st.markdown(
        "A playlist takes the class through a lesson, step by step. **Page Down** or **space** "
        "moves forward, and **Page Up** moves back. On an animation, space starts and pauses it."
    )
    shipped = playlist.shipped()
    titles = {name: playlist.plan(text, "").title for name, text in shipped.items()}
    name = device.choice("Lecture", "class_plan", titles)
    with device.row():
        device.button(
            "Start this playlist",
            "class_plan_begin",
            lecture.load,
            shipped[name],
            icon=":material/play_arrow:",
        )
        device.download(
            "Download to edit", shipped[name], f"{name.replace('/', '_')}.toml", "class_plan_file"
        )
        if lecture.stage.plan:
            device.button("End the playlist", "class_plan_end", lecture.load, "")
    _file("Or your own playlist (TOML)", "class_plan_own", lecture.begin)
    st.text_area(
        "Or paste it here", key="class_plan_text", max_chars=written.LARGEST_FILE, height=110
    )
    device.button("Start the pasted playlist", "class_plan_paste", _begin_pasted, lecture)


def _begin_pasted(lecture: Lecture) -> None:
    """Callback: start the playlist in the text field."""
    lecture.begin(str(state.get("class_plan_text") or "").encode())
