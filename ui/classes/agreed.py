"""What a class was opened as, a rehearsal with simulated voters or a small class, and how everybody is told of it."""

import streamlit as st

from polls import rehearsal, rule, store
from polls.store import Poll
from ui.base import device
from ui.classes import questions
from ui.classes.results import NTH, Outcome
from ui.record import polls

SIMULATED = f"Rehearsal: all votes come from {rehearsal.VOTERS} simulated voters."
NOTHING_STAYS = "They are deleted when you end the rehearsal or this class, and they are never added to real votes."
#: What voters are told.
NOT_COUNTED = "This is a rehearsal: your vote is not counted, and it is deleted with the rehearsal."
MAY_BE_SEEN = (
    f"This class agreed, when it was opened, to show bars of fewer than {rule.FEWEST} votes: with so few votes, others "
    "may see how you voted."
)
#: Why a vote has no bars.
HIDDEN = (
    f"fewer than {rule.FEWEST} votes, so no bars: in a group this small, they would show who voted for what. A class "
    "that agrees to show them can be opened as a small class."
)


def draw(poll: Poll) -> None:
    """Mark a rehearsal for its presenter, and let its simulated voters vote."""
    if not poll.rehearsal:
        return
    if device.on_stage():
        st.badge(SIMULATED, icon=":material/smart_toy:", color="orange")
    else:
        st.warning(f"{SIMULATED} {NOTHING_STAYS}", icon=":material/smart_toy:")
    if (asked := questions.asked(poll)) is not None:
        with polls.database() as engine:
            store.simulate(engine, poll, asked.ids, asked.right, asked.locks)


def tell_voter(poll: Poll) -> None:
    """Say what a voter must know before voting."""
    if poll.rehearsal:
        st.caption(NOT_COUNTED)
    elif poll.small:
        st.caption(MAY_BE_SEEN)


def few(found: Outcome) -> None:
    """Say why a vote has no bars, or why it has some although only few have voted."""
    small = found.fewest < rule.FEWEST
    for number in found.votes:
        vote, total = f"{NTH[number].capitalize()} vote", found.total(number)
        if total < found.fewest:
            st.info(f"{vote}: {'no votes, so no bars.' if small else HIDDEN}", icon=":material/visibility_off:")
        elif total < rule.FEWEST:
            st.caption(f"{vote}: fewer than {rule.FEWEST} votes. This class agreed, when it was opened, to show them.")
