"""Who presents a class: whoever has opened it, or has shown its PIN; and how they come back after a reload.

The rights of a presenter are one entry in the session, put there by opening the class or by a PIN that the database's
salted hash has confirmed; then the browser's random token brings them back after a reload. Nothing in the address
gives them.
"""

import re
from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa
import streamlit as st

from polls import store
from polls.guesses import Guesses, Pause
from polls.store import Poll
from ui.base import state
from ui.record import joined, local_storage, polls

NOT_DONE = "That could not be done just now. Try again in a moment."
NO_CLASS = "No class has this code and this PIN; an empty class is deleted when nobody has presented it for an hour."
T = TypeVar("T")
_GUESSES = Guesses()
_RIGHTS = "_class_presents"
_PIN = "_class_pin"


def attempt(act: Callable[[sa.Engine], T], words: str = NOT_DONE, create: bool = False) -> T | None:
    """Return what is done with the database; where it is gone the page says these words, and None comes back."""
    try:
        with polls.database(create) as engine:
            return act(engine)
    except polls.Gone:
        state.put("_class_said", words)
        return None


def letters(typed: object) -> str:
    """Return the letters of a code that somebody has typed."""
    return re.sub(r"[^A-Z]", "", str(typed or "").upper())


def held(code: str) -> bool:
    """Return whether this session presents the class, as far as it knows."""
    return state.get(_RIGHTS) == code


def shown_pin() -> str:
    """Return the PIN of a class that this visitor has just opened, until it has been noted."""
    return str(state.get(_PIN) or "")


def presents(poll: Poll) -> bool:
    """Say whether this visitor may run the class: has opened it, has shown the right PIN, or did so before a reload."""
    if held(poll.code):
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
    if code and not attempt(lambda engine: store.resign(engine, str(code), local_storage.mine("presenter")) or True):
        return
    joined.leave()
    for key in (_RIGHTS, _PIN, "_class_code", "_class_shown", "_class_right_asked"):
        state.drop(key)
    if "class" in st.query_params:
        del st.query_params["class"]


def begin(code: str, pin: str) -> None:
    """Present a class that this visitor has just opened; its PIN is shown until the visitor leaves."""
    _present(code)
    state.put(_PIN, pin)


def enter(code: str, expanded: bool = False) -> None:
    """Draw the way back for a presenter who has reloaded or changed machines."""
    with st.expander("Resume presenting", icon=":material/key:", key="class_enter_box", expanded=expanded):
        state.setdefault("class_present_code", code if len(code) == 6 else "")
        st.text_input("Code of your class", key="class_present_code", max_chars=12)
        st.text_input("PIN", key="class_pin", type="password", max_chars=20, autocomplete="off")
        st.button("Present", key="class_enter", icon=":material/key:", on_click=_enter)


def _enter() -> None:
    code = letters(state.get("class_present_code"))
    pin = "".join(str(state.get("class_pin") or "").split())
    state.put("class_pin", "")
    token = local_storage.token("presenter")

    def check(engine: sa.Engine) -> bool:
        names = (f"session {state.get('_session')}", token)
        if right := _GUESSES.check(names, lambda: store.check_pin(engine, code, pin)):
            store.let_present(engine, code, token)
        return right

    try:
        if right := attempt(check):
            _present(code)
        elif right is False:
            state.put("_class_said", NO_CLASS)
    except Pause as pause:
        state.put("_class_said", str(pause))


def _present(code: str) -> None:
    state.put(_RIGHTS, code)
    state.put("_class_code", code)
    st.query_params["class"] = code


def show_pin() -> None:
    """Draw the PIN, as long as it has not been noted."""
    pin = shown_pin()
    if pin:
        st.info(
            f"Your PIN is **{pin}**. Write it down now, because it is shown only once. With the code and the PIN you "
            "can present from another browser; in this browser, a reload needs no PIN.",
            icon=":material/key:",
        )
        st.button("I saved it", key="class_pin_noted", on_click=state.drop, args=(_PIN,))
