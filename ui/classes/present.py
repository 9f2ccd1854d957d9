"""The presenter's page on one screen: the question and the way in, then the bars; and beside them the next step."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from polls import rule, store
from polls.questions import LARGEST_FILE
from polls.questions import Question as Own
from polls.store import Poll
from ui.base import device, state
from ui.charts.look import Look
from ui.classes import after_class, own_questions, playlist, questions, results, rights, screen
from ui.classes.lecture import Lecture
from ui.page import shell
from ui.record import polls


def choose_question(label: str, own: Mapping[str, Own]) -> None:
    """Draw the choice of a question: the lessons' predictions and reflections, and what staff have written."""
    titles = questions.offered(own)
    if state.get("class_lesson") not in titles:
        state.put("class_lesson", next(iter(titles)))
    st.selectbox(label, list(titles), key="class_lesson", format_func=lambda one: titles.get(one, one))


def draw(poll: Poll, look: Look) -> str:
    """Draw the page: while votes are cast the question, and beside it the way in; then bars. Return what is shown."""
    lecture = Lecture.now(poll)
    screen.mark_rehearsal(poll)
    if not look.present:
        rights.show_pin()
    kept = bool(lecture.stage.plan) and way(lecture)
    screen.body(lecture, look, lambda: _beside(lecture, look))
    if screen.is_wide(lecture):
        _below(lecture)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.metric("Class code", poll.code)
            screen.watch(lecture, partial(count, poll))
            steps(lecture)
    if look.present and rights.shown_pin():
        # On a projector the hall would read it along.
        with st.popover("Your PIN", icon=":material/key:", key="class_pin_box"):
            rights.show_pin()
    manage(lecture, kept)
    two_screens(lecture)
    screen.keys(lecture)
    return lecture.shown


def _beside(lecture: Lecture, look: Look) -> None:
    st.metric("Class code", lecture.poll.code)
    screen.way_in(lecture.poll, look)
    if look.present:
        st.markdown(screen.short_address())
    else:
        st.code(screen.link(lecture.poll.code), language=None, wrap_lines=True)
    screen.watch(lecture, partial(count, lecture.poll))
    steps(lecture)


def count(poll: Poll, number: int) -> None:
    """Draw the number of votes in this round."""
    kind = "Simulated votes" if poll.rehearsal else "Votes"
    st.metric(f"{kind}, {results.NTH[poll.round]} round", number)


def steps(lecture: Lecture, remote: bool = False) -> None:
    """Draw what the class may do next, the usual step first; where a button leads to the next step, none is."""
    if lecture.step.shows:
        return
    poll, told = lecture.poll, "" if remote else _advised(lecture)
    led = remote or bool(lecture.stage.plan)
    if told:
        st.caption(told)
    # Below and above the two limits another vote would teach little.
    again = poll.phase == store.REVEALED or not told or results.ADVICE["discuss"] in told
    drawn = []
    if poll.phase == store.OPEN:
        drawn = [("Close the round", "class_close", "lock", True, (store.CLOSED,))]
    elif poll.phase == store.CLOSED:
        main = poll.round == 2 or not again
        drawn = [("Reveal the votes", "class_reveal", "bar_chart", main, (store.REVEALED,))]
    if poll.round == 1 and poll.phase != store.OPEN:
        drawn.append(("Vote again", "class_second", "forum", again, (store.OPEN, 2)))
    for label, key, icon, main, args in drawn:
        look = {"icon": f":material/{icon}:", "type": "primary" if main and not led else "secondary"}
        st.button(label, key=key, width="stretch", on_click=lecture.move, args=args, **look)


def _advised(lecture: Lecture) -> str:
    """What the first vote asks for, while its bars are hidden; "" where nothing can be said."""
    poll, asked = lecture.poll, lecture.asked
    if (poll.round, poll.phase) != (1, store.CLOSED) or not asked.right:
        return ""
    found = lecture.outcome(asked, early=True)
    return found.verdict() if found.shown else ""


def way(lecture: Lecture) -> bool:
    """Draw the step that is shown, the way on and the way back; on the last step the results, and say whether."""
    steps, place, icon = lecture.plan.steps, lecture.place, ":material/arrow_back:"
    st.header(f"{place + 1} of {len(steps)}: {lecture.step.label}", anchor=False)
    with st.container(horizontal=True, key="class_way"):
        if not lecture.over:
            go = {"type": "primary", "icon": ":material/arrow_forward:", "width": "stretch", "args": (place + 1,)}
            st.button(f"Next: {steps[place + 1].label}", key="class_next", on_click=lecture.go, **go)
        else:
            st.markdown("This is the last step.", width="stretch")
        st.button("Back", key="class_back", icon=icon, disabled=not place, args=(place - 1,), on_click=lecture.go)
        if lecture.step.do == "animation":
            st.button("Play or pause", key="class_play", icon=":material/play_pause:", on_click=lecture.press)
    if lecture.over:
        after_class.keep(lecture.poll)
    return lecture.over


def _below(lecture: Lecture) -> None:
    """Draw below revealed votes what to make of them."""
    asked = lecture.asked
    if lecture.step.shows or not asked.right:
        return
    st.caption(results.RULE)
    if not lecture.told:
        icon = ":material/visibility:"
        st.button("Show the right answer", key="class_right", icon=icon, on_click=lecture.tell)
    elif asked.lesson:
        shell.link(asked.lesson.path, f"Open the lesson: {asked.lesson.title}", ":material/arrow_forward:")


def manage(lecture: Lecture, kept: bool) -> None:
    """Draw the folded sections: other questions, results unless they are drawn, progress, and the end of the class."""
    poll = lecture.poll
    own = polls.ask(store.own_questions, poll.code)
    with st.expander("Change question, results, or end class", icon=":material/more_horiz:", key="class_more"):
        choose_question("Next question", own)
        st.button(
            "Start this question",
            key="class_ask",
            icon=":material/campaign:",
            help="Earlier votes of this class on that question are deleted.",
            on_click=lecture.ask,
        )
        if not kept:
            after_class.keep(poll)
        st.caption(
            f"This class is deleted {rights.KEPT[poll.lifetime]} after it was opened, or when you end it. While it has "
            "no votes, members, or questions of its own, it is deleted an hour after its last screen is closed."
        )
        with st.container(horizontal=True):
            if poll.rehearsal:
                icon = ":material/smart_toy:"
                st.button("End the rehearsal", key="class_rehearsal_end", icon=icon, on_click=lecture.end_rehearsal)
            st.button("Stop presenting here", key="class_leave", icon=":material/logout:", on_click=rights.forget)
            _end(lecture)
    with st.expander("A question of your own", icon=":material/edit:", key="class_own"):
        own_questions.draw(lecture)
    if box := device.expander("How far is the class?", "class_progress", ":material/checklist:"):
        with box:
            _progress(poll)


def _progress(poll: Poll) -> None:
    """Show how many who have joined are how far with each lesson."""
    st.dataframe(results.progress(polls.ask(store.progress, poll.code)), hide_index=True)
    st.caption(
        "The app counts those who have opened the class page with this code: what they had done by then, and what they "
        f"did in the same visit. A number below {rule.FEWEST} is not shown."
    )


def _end(lecture: Lecture) -> None:
    if not state.get("_class_end_asked"):
        st.button(
            "End and delete this class",
            key="class_end",
            icon=":material/delete:",
            on_click=state.put,
            args=("_class_end_asked", True),
        )
        return
    st.button("Yes, delete it with its votes", key="class_end_yes", type="primary", on_click=lecture.delete)
    st.button("Cancel", key="class_end_no", on_click=state.drop, args=("_class_end_asked",))


def two_screens(lecture: Lecture) -> None:
    """Draw, folded, the links of both screens, and the choice of a playlist."""
    code = lecture.poll.code
    with st.expander("Two screens", icon=":material/present_to_all:", key="class_screens"):
        st.markdown(
            "The projector shows the question, how to join, and the bars. The controls are on the remote, with your "
            "notes, the clock, and the bars before the hall sees them."
        )
        projector, remote = screen.link(code, present="screen"), screen.link(code, remote="1")
        with st.container(horizontal=True):
            st.link_button("Open the projector", projector, icon=":material/tv:")
            st.link_button("Open the remote", remote, icon=":material/settings_remote:")
        with st.container(horizontal=True, vertical_alignment="center"):
            screen.code_to_scan(remote, 130)
            st.markdown("On a phone or another computer the remote asks for your PIN.", width="stretch")
    _choose_playlist(lecture)


def _choose_playlist(lecture: Lecture) -> None:
    """Draw, folded, the choice of a playlist: one that is shipped, or an edited one."""
    shipped, written = playlist.shipped(), lecture.stage.plan
    with st.expander("Playlist", icon=":material/playlist_play:", key="class_playlist"):
        st.markdown(
            "A playlist takes the class through a lesson, step by step. **Page Down** or **space** moves forward, and "
            "**Page Up** moves back. On an animation, space starts and pauses it."
        )
        names = {name: playlist.plan(text, "").title for name, text in shipped.items()}
        if state.get("class_plan") not in names:
            state.put("class_plan", next(iter(names)))
        st.selectbox("Lecture", list(names), key="class_plan", format_func=lambda one: names.get(one, one))
        chosen = shipped[state.get("class_plan")]
        with st.container(horizontal=True):
            icon = ":material/play_arrow:"
            st.button("Begin it", key="class_plan_begin", icon=icon, on_click=lecture.load, args=(chosen,))
            device.download(
                "Download to edit", chosen, f"{state.get('class_plan').replace('/', '_')}.toml", "class_plan_file"
            )
            if written:
                st.button("End the playlist", key="class_plan_end", on_click=lecture.load, args=("",))
        st.file_uploader(
            "Or your own playlist (TOML)",
            type="toml",
            key="class_plan_own",
            max_upload_size=1,
            on_change=_uploaded,
            args=(lecture,),
        )
        st.text_area("Or paste it here", key="class_plan_text", max_chars=LARGEST_FILE, height=110)
        st.button("Begin the pasted playlist", key="class_plan_paste", on_click=_pasted, args=(lecture,))


def _uploaded(lecture: Lecture) -> None:
    """Callback: begin the playlist of a file."""
    if file := state.get("class_plan_own"):
        lecture.begin(file.getvalue())


def _pasted(lecture: Lecture) -> None:
    """Callback: begin the playlist that was pasted."""
    lecture.begin(str(state.get("class_plan_text") or "").encode())
