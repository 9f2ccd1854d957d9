"""How a class is opened: for how long it is kept, and how often somebody may open one."""

import math

import sqlalchemy as sa
import streamlit as st

from polls import rehearsal, rule, store
from ui.base import device, state
from ui.base import format as f
from ui.base.allowance import Allowance
from ui.classes import present, rights
from ui.record import local_storage, polls

#: What becomes of a class that is opened and left.
EMPTY = "A class without votes, members, and questions of its own is deleted when nobody has presented it for an hour."
#: What a class may be opened as, as `polls.store.open_class` names it: label and help.
KINDS = {
    "small": (
        "Small class: show all bars",
        f"Bars of fewer than {rule.FEWEST} votes can show who voted for what, so ask your class before you choose "
        "this.",
    ),
    "rehearsal": (
        f"Rehearsal: {rehearsal.VOTERS} simulated voters",
        "They vote within a few seconds, and all their votes are deleted when you end the rehearsal.",
    ),
}
#: Classes that one visit may open: three at once, and one more a minute.
_BY_VISIT = Allowance(at_once=3, rate=1 / 60)
#: The same for a network address, behind which a whole university may sit: twenty, and one more every two minutes.
_BY_ADDRESS = Allowance(at_once=20, rate=1 / 120)


def choose() -> None:
    """Draw what a class may be opened as, and for how long, where the store can keep one longer than a day."""
    with polls.database() as engine:
        may_keep = store.may_keep(engine)
    if may_keep:
        state.setdefault("class_keep", store.LIFETIME)
        words = {"format_func": lambda time: present.KEPT.get(time, str(time))}
        st.selectbox("Keep it for", list(present.KEPT), key="class_keep", **words)
    else:
        st.caption(
            "The class is deleted after 24 hours. It can be kept longer only if the app stores its polls in PostgreSQL."
        )
    st.caption(EMPTY)
    for key, (label, told) in KINDS.items():
        state.setdefault(f"class_{key}", False)
        st.checkbox(label, key=f"class_{key}", help=told)


def open_class() -> None:
    """Callback: open a class; whoever opens it presents it."""
    if wait := _wait():
        state.put(
            "_class_said",
            f"Several classes were opened from here just now; try again in {f.duration(60 * math.ceil(wait / 60))}.",
        )
        return
    try:
        said = "The class could not be opened just now. Try again in a moment."
        if opened := rights.attempt(_opened, said, create=True):
            rights.begin(*opened)
    except store.Full as full:
        state.put("_class_said", str(full))


def _opened(engine: sa.Engine) -> tuple[str, str]:
    """Open the class that was chosen, and return its code and its PIN."""
    wanted = state.get("class_keep")
    lifetime = wanted if wanted in present.KEPT and store.may_keep(engine) else store.LIFETIME
    kinds = {name: state.get(f"class_{name}") is True for name in KINDS}
    poll, pin = store.open_class(engine, str(state.get("class_lesson")), lifetime=lifetime, **kinds)
    store.let_present(engine, poll.code, local_storage.token("presenter"))
    return poll.code, pin


def _wait() -> float:
    """For how long this visitor has to wait before opening a class [s]; 0 if one may be opened now."""
    address = device.network(st.context.ip_address)
    return (_BY_ADDRESS.take(address) if address else 0.0) or _BY_VISIT.take(state.get("_session"))
