"""The presenter's side of the class page: open a class, count, close, reveal, vote again.

The rights of a presenter are one entry in the session, put there by opening the class or by a PIN that the database's
salted hash has confirmed; then the browser's random token brings them back after a reload. Nothing in the address
gives them.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from urllib.parse import urlencode

import segno
import streamlit as st

from polls import rule, store
from polls.guesses import Guesses, Pause
from polls.questions import Question as Own
from polls.store import Poll
from ui.base import device, state
from ui.charts.look import Look, filled
from ui.classes import after_class, agreed, own_questions, questions
from ui.classes import bars as class_bars
from ui.classes import results as class_results
from ui.classes.questions import Asked
from ui.page import shell
from ui.record import joined, local_storage, polls

#: How often the count is read [s].
EVERY = 2.0
ADVICE = {
    "explain": "Below 35 % right: explain it again.",
    "discuss": "Between 35 and 70 % right: let them discuss and vote again.",
    "go on": "Above 70 % right: go on.",
}
RULE = (
    "Rule of thumb, by the share of right answers: below 35 % explain again; 35 to 70 % let them discuss and vote "
    "again; above 70 % go on."
)
NOT_DONE = "That could not be done just now. Try again in a moment."
#: How long a class is kept, in words.
KEPT = {
    store.LIFETIME: "24 hours",
    7 * store.LIFETIME: "a week",
    28 * store.LIFETIME: "four weeks",
    store.SEMESTER: "a semester (26 weeks)",
}
_GUESSES = Guesses()
_RIGHTS = "_class_presents"
_PIN = "_class_pin"


def presents(poll: Poll) -> bool:
    """Say whether this visitor may run the class: has opened it, has shown the right PIN, or did so before a reload."""
    if state.get(_RIGHTS) == poll.code:
        return True
    token, asked = local_storage.mine("presenter"), "_class_right_asked"
    if not token or state.get(asked) == [poll.code, token]:
        return False
    with polls.database() as engine:
        right = store.may_present(engine, poll.code, token)
    state.put(asked, [poll.code, token])
    if right:
        state.put(_RIGHTS, poll.code)
    return right


def forget() -> None:
    """Callback: leave the class, as voter or as presenter; a presenter's browser gives its right back."""
    code = state.get(_RIGHTS)
    if code:
        try:
            with polls.database() as engine:
                store.resign(engine, str(code), local_storage.mine("presenter"))
        except polls.Gone:
            state.put("_class_said", NOT_DONE)
            return
    joined.leave()
    for key in (_RIGHTS, _PIN, "_class_code", "_class_shown", "_class_right", "_class_right_asked"):
        state.drop(key)
    if "class" in st.query_params:
        del st.query_params["class"]


def choose_question(label: str, own: Mapping[str, Own]) -> None:
    """Draw the choice of a question: the lessons' predictions and reflections, and what staff have written."""
    titles = questions.offered(own)
    if state.get("class_lesson") not in titles:
        state.put("class_lesson", next(iter(titles)))
    st.selectbox(label, list(titles), key="class_lesson", format_func=lambda one: titles.get(one, one))


def begin(code: str, pin: str) -> None:
    """Present a class that this visitor has just opened; its PIN is shown until the visitor leaves."""
    _present(code)
    state.put(_PIN, pin)


def enter(code: str) -> None:
    """Draw the way back for a presenter who has reloaded or changed machines."""
    with st.expander("Resume presenting", icon=":material/key:", key="class_enter_box"):
        state.setdefault("class_present_code", code if len(code) == 6 else "")
        st.text_input("Code of your class", key="class_present_code", max_chars=12)
        st.text_input("PIN", key="class_pin", type="password", max_chars=20, autocomplete="off")
        st.button("Present", key="class_enter", icon=":material/key:", on_click=_enter)


def _enter() -> None:
    code = re.sub(r"[^A-Z]", "", str(state.get("class_present_code") or "").upper())
    pin = "".join(str(state.get("class_pin") or "").split())
    state.put("class_pin", "")
    token = local_storage.token("presenter")
    try:
        with polls.database() as engine:
            right = _GUESSES.check(
                (f"session {state.get('_session')}", token), lambda: store.check_pin(engine, code, pin)
            )
            if right:
                store.let_present(engine, code, token)
    except Pause as pause:
        state.put("_class_said", str(pause))
        return
    except polls.Gone:
        state.put("_class_said", NOT_DONE)
        return
    if right:
        _present(code)
    else:
        state.put("_class_said", "No class has this code and this PIN.")


def _present(code: str) -> None:
    state.put(_RIGHTS, code)
    state.put("_class_code", code)
    st.query_params["class"] = code


def draw(poll: Poll, look: Look) -> None:
    """Draw the presenter's page: while votes are cast the question, and beside it the way in; then bars, all over."""
    asked = questions.asked(poll)
    agreed.draw(poll)
    if not look.present:
        _show_pin()
    if poll.phase == store.REVEALED and asked is not None:
        _question(poll, asked)
        _votes(poll, asked, look)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.metric("Class code", poll.code)
            _count(poll)
            _steps(poll)
    else:
        left, right = st.columns([0.72, 0.28], gap="medium")
        with right:
            _way_in(poll, look)
            _count(poll)
            _steps(poll)
        with left:
            _question(poll, asked)
    if look.present and state.get(_PIN):
        # On a projector the hall would read it along.
        with st.popover("Your PIN", icon=":material/key:", key="class_pin_box"):
            _show_pin()
    with polls.database() as engine:
        own = store.own_questions(engine, poll.code)
    with st.expander("Change question or end class", icon=":material/more_horiz:", key="class_more"):
        choose_question("Next question", own)
        st.button(
            "Start this question",
            key="class_ask",
            icon=":material/campaign:",
            help="Votes that this class has given on it before are dropped.",
            on_click=_ask,
            args=(poll,),
        )
        after_class.keep(poll, own)
        st.caption(
            f"This class is deleted {_kept(poll)} after it was opened, or when you end it. Without votes, members and "
            "questions of its own it may go an hour after this page was closed, if its place is needed."
        )
        with st.container(horizontal=True):
            if poll.rehearsal:
                st.button(
                    "End the rehearsal",
                    key="class_rehearsal_end",
                    icon=":material/smart_toy:",
                    on_click=_end_rehearsal,
                    args=(poll,),
                )
            st.button("Stop presenting here", key="class_leave", icon=":material/logout:", on_click=forget)
            _end(poll)
    with st.expander("A question of your own", icon=":material/edit:", key="class_own"):
        own_questions.draw(lambda written: _add(poll, written))
    box, wanted = device.expander("How far is the class?", "class_progress", ":material/checklist:")
    if wanted:
        with box:
            _progress(poll)


def _kept(poll: Poll) -> str:
    return KEPT.get(int(poll.lifetime), f"{poll.lifetime / 3600:.0f} hours")


def _progress(poll: Poll) -> None:
    """Show how many who have joined are how far with each lesson."""
    with polls.database() as engine:
        found = store.progress(engine, poll.code)
    st.dataframe(class_results.progress(found), hide_index=True)
    st.caption(
        "Counted are those who have opened the class page with this code, from what they had done then and did in the "
        f"same visit. A number below {rule.FEWEST} is not shown."
    )


def _show_pin() -> None:
    pin = state.get(_PIN)
    if pin:
        st.info(
            f"Your PIN is **{pin}**. Note it now: it is shown only once. With the code it lets you present from "
            "another browser; in this one a reload needs no PIN.",
            icon=":material/key:",
        )
        st.button("I saved it", key="class_pin_noted", on_click=state.drop, args=(_PIN,))


def _way_in(poll: Poll, look: Look) -> None:
    """Code, QR and link for the voters."""
    st.metric("Class code", poll.code)
    link = f"{(st.context.url or '/class_poll').split('?')[0]}?{urlencode({'class': poll.code})}"
    picture = segno.make(link, error="m").svg_inline(scale=5, border=3, light="#ffffff")
    st.image(picture, width=240 if look.present else 180, alt=f"QR code of {link}")
    st.code(link, language=None, wrap_lines=True)


@st.fragment(run_every=EVERY)
def _count(poll: Poll) -> None:
    """Draw the number of votes, alone; redraw the page when another window has moved the class on."""
    try:
        now = polls.latest(poll.code, polls.FRESH)
        with polls.database() as engine:
            votes = store.count(engine, poll)
        _in_use(poll)
    except polls.Gone:
        st.warning("The database cannot be reached just now; the votes are kept.", icon=":material/cloud_off:")
        return
    if now != poll:
        st.rerun()
    kind = "Simulated votes" if poll.rehearsal else "Votes"
    st.metric(f"{kind}, {'first' if poll.round == 1 else 'second'} round", votes)


def _in_use(poll: Poll) -> None:
    """Note now and then that somebody presents this class; on a full disk it is presented all the same."""
    now, noted = time.monotonic(), state.get("_class_used")
    if isinstance(noted, list) and noted[0] == poll.code and now - noted[1] < store.USED_EVERY:
        return
    state.put("_class_used", [poll.code, now])
    with suppress(polls.Gone), polls.database() as engine:
        store.use(engine, poll.code)


def _steps(poll: Poll) -> None:
    """Draw what may come next, the usual step first."""
    if poll.phase == store.OPEN:
        _step("Close the round", "class_close", ":material/lock:", True, _move, poll, store.CLOSED)
    elif poll.phase == store.CLOSED:
        _step("Reveal the votes", "class_reveal", ":material/bar_chart:", True, _move, poll, store.REVEALED)
    if poll.round == 1 and poll.phase != store.OPEN:
        main = poll.phase == store.REVEALED
        _step("Vote again", "class_second", ":material/forum:", main, _second, poll)


def _step(label: str, key: str, icon: str, main: bool, act: Callable, *args: object) -> None:
    kind = "primary" if main else "secondary"
    st.button(label, key=key, icon=icon, type=kind, width="stretch", on_click=act, args=args)


def _question(poll: Poll, asked: Asked | None) -> None:
    if asked is None:
        st.warning("This class is asked a question that this version of the app does not have. Ask another one.")
        return
    st.subheader(f"{asked.title}: {asked.text}" if asked.lesson else asked.text, anchor=False)
    if asked.lead and poll.phase != store.REVEALED:
        st.markdown(asked.lead)
    # Revealed, the bars bear the answers; on a phone these have no room beside bars.
    if poll.phase != store.REVEALED or device.on_phone():
        st.markdown("\n".join(f"- **{asked.letter(one)}** {_words(asked, one)}" for one in asked.ids))


def _votes(poll: Poll, asked: Asked, look: Look) -> None:
    """Draw the bars of the rounds so far; with the second round, or when asked to, the right answer and the advice."""
    with polls.database() as engine:
        found, certain = store.distributions(engine, poll), store.certain(engine, poll)
    shown, called = rule.shown(found, poll.fewest), class_bars.SIMULATED if poll.rehearsal else class_bars.ROUNDS
    certain = {number: counted for number, counted in certain.items() if number in shown}
    told = poll.round == 2 or state.get("_class_right") == [poll.code, poll.lesson]
    right = asked.right if told else None
    if right:
        verdict = f" {_verdict(shown, right, called)}" if shown else ""
        st.success(f"Right: **{asked.letter(right)}** {_words(asked, right)}{verdict}", icon=":material/check_circle:")
    if shown:
        names = tuple(
            class_bars.label(asked.letter(one), words, one == right, look) for one, words in asked.words.items()
        )
        spec = class_bars.spec(look, names, tuple(shown), bool(certain), poll.rehearsal)
        st.vega_lite_chart(
            spec=filled(spec, class_bars.frame(shown, asked.words, right, look, certain, called)),
            alt=class_bars.alt_text(shown, asked.words, right, certain, called),
            width="stretch",
            height=spec["height"],
        )
        if certain:
            st.caption("The full part of a bar was certain: wrong and certain is where a discussion pays most.")
    agreed.few(poll, found)
    if asked.right:
        st.caption(RULE)
    if right and asked.lesson:
        shell.link(asked.lesson.path, f"Open the lesson: {asked.lesson.title}", ":material/arrow_forward:")
    elif asked.right and not right:
        st.button(
            "Show the right answer",
            key="class_right",
            icon=":material/visibility:",
            on_click=state.put,
            args=("_class_right", [poll.code, poll.lesson]),
        )


def _verdict(shown: Mapping[int, Mapping[str, int]], right: str, called: Mapping[int, str]) -> str:
    """The share of right answers in the last vote that may be shown, the one before it, and what to do next."""
    counts = {number: (votes.get(right, 0), sum(votes.values())) for number, votes in shown.items()}
    shares = {number: f"{100 * hits / total:.0f} %" for number, (hits, total) in counts.items()}
    last = max(shown)
    advice = ADVICE[rule.advice(*counts[last])]
    if last == 2 and 1 in shown:
        return f"{shares[1]} right in the {called[1]}, {shares[2]} in the second. **{advice}**"
    return f"{shares[last]} right in the {called[last]}. **{advice}**"


def _words(asked: Asked, option: str) -> str:
    # In large type a line must not break between a number and its percent sign.
    return asked.options[option].replace(" %", "\u00a0%")


def _add(poll: Poll, written: Sequence[Own]) -> list[str]:
    """Give the class questions of its own, if this session presents it; `ValueError` says in a sentence why not."""
    if state.get(_RIGHTS) != poll.code:
        raise ValueError("Only who presents this class can add questions to it.")
    try:
        with polls.database() as engine:
            return store.add_questions(engine, poll.code, written)
    except polls.Gone:
        raise ValueError(NOT_DONE) from None


def _end(poll: Poll) -> None:
    if not state.get("_class_end_asked"):
        st.button(
            "End and delete this class",
            key="class_end",
            icon=":material/delete:",
            on_click=state.put,
            args=("_class_end_asked", True),
        )
        return
    st.button("Yes, delete it with its votes", key="class_end_yes", type="primary", on_click=_delete, args=(poll,))
    st.button("Cancel", key="class_end_no", on_click=state.drop, args=("_class_end_asked",))


def _act(poll: Poll, act: Callable, *args: object) -> None:
    """Callback: change the class, if this session presents it; a database that is gone is said by the page."""
    if state.get(_RIGHTS) != poll.code:
        return
    try:
        with polls.database() as engine:
            done = act(engine, poll.code, *args)
    except polls.Gone:
        state.put("_class_said", NOT_DONE)
        return
    if done is False:
        state.put("_class_said", "The class had moved on before this click, so nothing was changed.")


def _move(poll: Poll, phase: str) -> None:
    _act(poll, store.move, phase, poll)


def _second(poll: Poll) -> None:
    state.drop("_class_right")
    _act(poll, store.second_round, poll)


def _ask(poll: Poll) -> None:
    state.drop("_class_right")
    _act(poll, store.ask, str(state.get("class_lesson")), poll)


def _end_rehearsal(poll: Poll) -> None:
    state.drop("_class_right")
    _act(poll, store.end_rehearsal)


def _delete(poll: Poll) -> None:
    state.drop("_class_end_asked")
    _act(poll, store.close_class)
    forget()
