"""Whoever has joined a class is counted in it while it is open: how far they are with each lesson, and nothing else.

What is kept is the random token of a voter and the steps taken. It is told when the class page or a lesson is opened
and when a challenge is won; a visit without a class tells nothing, and without the database the lessons simply go on.
"""

from collections.abc import Mapping
from contextlib import suppress

from polls import rule, store
from ui.base import state
from ui.base.lesson import Lesson, lessons
from ui.record import ledger, local_storage, polls

_TOLD, _WINNERS = "_class_told", "_class_winners"


def join(code: str) -> None:
    """Join a class: from now on this visit is counted in it."""
    if state.get(state.CLASS_JOINED) != code:
        state.put(state.CLASS_JOINED, code)
        state.drop(_TOLD)
    tell()


def leave() -> None:
    """Leave the class: nothing is added to its numbers any more."""
    state.drop(state.CLASS_JOINED)
    state.drop(_TOLD)


def tell() -> None:
    """Tell the class how far this visit is, if it has joined one and there is news."""
    code = state.get(state.CLASS_JOINED)
    if not isinstance(code, str):
        return
    taken = {lesson.id: steps for lesson in lessons() if (steps := _steps(lesson))}
    if not taken or state.get(_TOLD) == taken:
        return
    with suppress(polls.Gone):
        # A reading that failed a moment ago fails at once, so that a database that is gone keeps no lesson waiting.
        if polls.latest(code, polls.FRESH) is None:
            leave()
        elif polls.ask(store.note_progress, code, local_storage.token("voter"), taken):
            state.put(_TOLD, taken)


def winners(lesson: Lesson) -> Mapping[int, str]:
    """Return the answer with most votes in each revealed round on this lesson, by round.

    A tie has none, nor has a round with too few votes to be shown.

    The database is asked once for each step that the class takes: a round that is over stays as it is.
    """
    code = state.get(state.CLASS_JOINED) or state.get("_class_code")
    try:
        poll = polls.latest(str(code), polls.FRESH)
        if poll is None:
            return {}
        state.put(state.CLASS_SIMULATED, poll.rehearsal)
        asked, found = state.read(_WINNERS).get(lesson.id) or (None, {})
        if asked != poll:
            votes, _ = polls.ask(store.results, poll, lesson.id)
            shown = rule.shown(votes.get(lesson.id, {}), poll.fewest)
            found = {number: one for number, counted in shown.items() if (one := _first(counted))}
            state.write(_WINNERS, lesson.id, (poll, found))
        return found
    except polls.Gone:
        return {}


def _first(votes: Mapping[str, int]) -> str | None:
    """The answer with more votes than any other."""
    most = [answer for answer, number in votes.items() if number == max(votes.values())]
    return most[0] if len(most) == 1 else None


def _steps(lesson: Lesson) -> int:
    predicted = state.committed(state.PREDICTIONS, lesson.id, lesson.prediction.ids) in lesson.prediction.ids
    finished = state.committed(state.REFLECTIONS, lesson.id, lesson.reflection.ids) is not None
    won = "won" in ledger.record(lesson.id)
    return store.PREDICTED * predicted + store.FINISHED * finished + store.WON * won
