"""Presenter rights: which sessions may run a class, and how to open and resume a class.

A presenter's right is one entry in the session. Opening the class sets the entry, and so does a PIN
that matches the salted hash in the database. After a reload, the browser's random token restores
the entry. No address gives the right.
"""

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from polls import rehearsal, rule, store
from polls.store import Poll
from ui.base import device, staff_key, state
from ui.base import format as f
from ui.record import local_storage, polls
from ui.server.allowance import Allowance

T = TypeVar("T")
NOT_DONE = "That could not be done just now. Try again in a moment."
ENDED = (
    "This browser no longer presents the class, so nothing was changed: its PIN was replaced, or "
    "the class was deleted."
)
NO_CLASS = (
    "No class has this code and this PIN; an empty class is deleted when nobody has presented it "
    "for an hour."
)
#: How long a class is kept, in words.
LIFETIME_NAMES: dict[float, str] = {
    store.LIFETIME: "24 hours",
    7 * store.LIFETIME: "a week",
    28 * store.LIFETIME: "four weeks",
    store.SEMESTER: "a semester (26 weeks)",
}
#: When a class that is kept longer than a day is deleted.
EARNS = (
    "A class that is kept longer than a day is deleted "
    f"{store.UNEARNED / store.LIFETIME:.0f} days after its last use unless at least {store.EARNED} "
    "people have voted in it; rehearsals do not count."
)
#: When a class that is opened and left is deleted.
EMPTY = (
    "A class without votes, members, and questions of its own is deleted when nobody has "
    "presented it for an hour."
)
#: Label and help of each kind of class, by its parameter of `polls.store.open_class`.
KINDS = {
    "small": (
        "Small class: show all bars",
        f"Bars of fewer than {rule.FEWEST} votes can show who voted for what, so ask your class "
        "before you choose this.",
    ),
    "rehearsal": (
        f"Rehearsal: {rehearsal.VOTERS} simulated voters",
        "They vote within a few seconds, and all their votes are deleted when you end the "
        "rehearsal.",
    ),
}
#: Classes that one visit may open: three at once, and one more a minute.
_BY_VISIT = Allowance(at_once=3, rate=1 / 60)
#: The same for a network address, behind which a whole university may sit: twenty, and one more
#: every two minutes.
_BY_ADDRESS = Allowance(at_once=20, rate=1 / 120)
#: PINs that a visit or a browser may try: six at once, and one more a minute. A limit per class
#: would let strangers lock its presenter out. Against strangers who change browsers, the PIN is
#: long (`polls.store.PIN_DIGITS`).
_TRIES = Allowance(at_once=6, rate=1 / 60)
#: Classes kept longer than a day that a network address may open: twenty, and one more an hour.
_KEPT_BY_ADDRESS = Allowance(at_once=20, rate=1 / 3600)
_RIGHTS = state.CLASS_PRESENTED
_PIN = "_class_pin"


def attempt(act: Callable[..., T], *args: Any, refusal: str = NOT_DONE) -> T | None:
    """Return the result of a database action; on failure, show the reason and return None."""
    try:
        return polls.ask(act, *args)
    except polls.Gone:
        say(refusal)
    except ValueError as error:
        say(str(error))
    return None


def say(sentence: str) -> None:
    """Show a sentence on the page at its next run."""
    state.put("_class_said", sentence)


def letters(typed: Any) -> str:
    """Return the letters of a class code typed by a visitor."""
    return re.sub(r"[^A-Z]", "", str(typed or "").upper())


def is_presenting(code: str) -> bool:
    """Return whether this session's entry names the class; the right may have ended since."""
    return state.get(_RIGHTS) == code


def shown_pin() -> str:
    """Return the PIN of a class that this visitor has just opened; "" after it is dismissed."""
    return str(state.get(_PIN) or "")


def presents(poll: Poll) -> bool:
    """Return whether this visitor may run the class, as opener or by PIN, even after a reload."""
    token = local_storage.mine("presenter")
    if not token:
        return is_presenting(poll.code)
    if polls.ask(store.may_present, poll.code, token):
        state.put(_RIGHTS, poll.code)
    elif is_presenting(poll.code):  # its PIN was replaced on another screen
        state.drop(_RIGHTS)
    return is_presenting(poll.code)


def was_ended(poll: Poll) -> bool:
    """Return whether this session presented the class but has lost the right to do so."""
    return is_presenting(poll.code) and not presents(poll)


def may_press(code: str) -> bool:
    """Return whether this session still presents the class, and show a sentence if it does not.

    A page stays on its screen after the PIN was replaced on another one.
    """
    if not is_presenting(code):
        return False
    allowed = attempt(store.may_present, code, local_storage.mine("presenter"))
    if allowed is False:
        say(ENDED)
        state.drop(_RIGHTS)
    return allowed is True


def replace_pin() -> None:
    """Callback: give the class a new PIN, so that the old one no longer works."""
    code = str(state.get(_RIGHTS) or "")
    if not may_press(code):
        return
    pin = attempt(store.replace_pin, code, local_storage.token("presenter"))
    if pin:
        attempt(store.let_present, code, local_storage.token("presenter"))
        state.put(_PIN, pin)


def forget() -> None:
    """Callback: leave the class as voter or presenter; a presenter's browser gives up its right."""
    code = state.get(_RIGHTS)
    if code and not attempt(store.resign, str(code), local_storage.mine("presenter")):
        return
    polls.leave()
    for key in (_RIGHTS, _PIN, "_class_code", "_class_shown"):
        state.drop(key)
    if "class" in st.query_params:
        del st.query_params["class"]


def choose() -> None:
    """Draw the choice of the class's kind and, where the store allows more than a day, lifetime."""
    if polls.ask(store.may_keep):
        device.choice("Keep the class for", "class_keep", LIFETIME_NAMES)
        st.caption(EARNS)
        if state.get("class_keep") not in (None, store.LIFETIME):
            staff_key.field("class_staff_key")
    else:
        st.caption(
            "The class is deleted after 24 hours. It can be kept longer only if the app stores its "
            "polls in PostgreSQL."
        )
    st.caption(EMPTY)
    for key, (label, help_text) in KINDS.items():
        state.setdefault(f"class_{key}", False)
        st.checkbox(label, key=f"class_{key}", help=help_text)


def open_class() -> None:
    """Callback: open a class of the selected kind, with this visitor as its presenter."""
    address = device.network(st.context.ip_address)
    lifetime = state.get("class_keep")
    if lifetime not in LIFETIME_NAMES:
        lifetime = store.LIFETIME
    wait = 0.0
    if lifetime != store.LIFETIME:
        refusal = staff_key.show(state.get("class_staff_key"))
        state.put("class_staff_key", "")
        if refusal:
            say(f"{refusal} Without the key, a class can be opened for 24 hours.")
            return
        if address:
            wait = _KEPT_BY_ADDRESS.take(address)
    # Once one allowance refuses, the others stay unused.
    if address:
        wait = wait or _BY_ADDRESS.take(address)
    wait = wait or _BY_VISIT.take(state.get("_session"))
    if wait:
        time = f.duration(60 * math.ceil(wait / 60))
        say(f"Several classes were opened from here just now; try again in {time}.")
        return
    try:
        with polls.database(create=True) as engine:
            if not store.may_keep(engine):
                lifetime = store.LIFETIME
            kinds = {name: state.get(f"class_{name}") is True for name in KINDS}
            poll, pin = store.open_class(
                engine, str(state.get("class_lesson")), lifetime=lifetime, **kinds
            )
            store.let_present(engine, poll.code, local_storage.token("presenter"))
    except polls.Gone:
        say("The class could not be opened just now. Try again in a moment.")
    except store.Full as full:
        say(str(full))
    else:
        _present(poll.code, pin)


def enter(code: str, expanded: bool = False) -> None:
    """Draw the form to resume presenting after a reload or on another computer."""
    with st.expander(
        "Resume presenting", icon=":material/key:", key="class_enter_box", expanded=expanded
    ):
        state.setdefault("class_present_code", code if len(code) == 6 else "")
        st.text_input("Code for your class", key="class_present_code", max_chars=12)
        st.text_input("PIN", key="class_pin", type="password", max_chars=20, autocomplete="off")
        device.button("Present", "class_enter", _enter, icon=":material/key:")


def _enter() -> None:
    """Callback: present the class whose code and PIN were typed."""
    code = letters(state.get("class_present_code"))
    pin = "".join(str(state.get("class_pin") or "").split())
    state.put("class_pin", "")
    token = local_storage.token("presenter")
    wait = max(_TRIES.take(f"session {state.get('_session')}"), _TRIES.take(token))
    if wait:
        say(f"Too many PINs were tried; try again in {math.ceil(wait)} s.")
        return
    is_right = attempt(store.check_pin, code, pin)
    if is_right and attempt(store.let_present, code, token):
        _present(code)
    elif is_right is False:
        say(NO_CLASS)


def _present(code: str, pin: str = "") -> None:
    """Make this session the presenter of a class; the PIN of a new class is shown until noted."""
    state.put(_PIN, pin)
    state.put(_RIGHTS, code)
    state.put("_class_code", code)
    st.query_params["class"] = code


def show_pin() -> None:
    """Draw the PIN until the presenter dismisses it."""
    pin = shown_pin()
    if pin:
        st.info(
            f"Your PIN is **{pin}**. Write it down now, because it is shown only once. With the "
            "code and the PIN you can present from another browser; in this browser, a reload "
            "needs no PIN.",
            icon=":material/key:",
        )
        device.button("I saved it", "class_pin_noted", state.drop, _PIN)
