"""Session state: the only module that knows its keys.

A visitor's answers and results are plain dicts, so that the browser can save them and a report can
contain them. A dict in session state is replaced, never mutated, because Streamlit may run two
scripts of one session close together. Values are checked when they are read, because a script, an
import or a browser may have written them.

| key | value |
|---|---|
| `predictions` | {lesson id: option id, or "skipped"}: the locks |
| `reflections` | {lesson id: option id}: the second locks |
| `ledger` | {lesson id: record}, see `ui.record.ledger` |
| `pins` | {lesson id: [up to three pinned results]}, see `ui.record.compare` |
| `class_votes` | {lesson id: [class, option id]}: votes that become locks after their round |
| `_flow` | {lesson id: {name: value}}: which steps of a lesson's page are open in this visit |

More on the last two is in `ui.record.polls` and in `ui.page.lesson_page`.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from ui.server import insides

PREDICTIONS = "predictions"
REFLECTIONS = "reflections"
LEDGER = "ledger"
PINS = "pins"
CLASS_VOTES = "class_votes"
FLOW = "_flow"
CLASS_JOINED = "_class_joined"
#: The class that the visitor presents, and whether it was last driven from the remote.
CLASS_PRESENTED = "_class_presents"
CLASS_REMOTE = "_class_remote"
#: Whether the votes of the visitor's class are simulated.
CLASS_SIMULATED = "_class_simulated"
SKIPPED = "skipped"
#: How sure a visitor is of a prediction: id → words.
SURE = {"guessing": "just guessing", "fairly": "fairly sure", "certain": "certain"}

_PAGE = "_page"
_EARLIER_PAGE = "_page_before"
_NOTICES = "_notices"
_QUERIED = "_addressed"
_WANTED = "_wanted"


def committed(stored_in: str, name: str, ids: Iterable[str]) -> str | None:
    """Return the locked-in answer to a question; None if there is no valid answer."""
    answer = read(stored_in).get(name)
    if is_answer(stored_in, answer, ids):
        return answer
    return None


def is_answer(stored_in: str, answer: Any, ids: Iterable[str]) -> bool:
    """Return whether a value answers a question: an option's id or, for a prediction, a skip."""
    is_skip = stored_in == PREDICTIONS and answer == SKIPPED
    return isinstance(answer, str) and (is_skip or answer in tuple(ids))


def commit(stored_in: str, name: str, answer: str, ids: Iterable[str]) -> bool:
    """Lock in an answer and return True.

    Return False if one is locked in already or the answer is invalid.
    """
    ids = tuple(ids)
    if committed(stored_in, name, ids) is not None or not is_answer(stored_in, answer, ids):
        return False
    write(stored_in, name, answer)
    return True


def heed() -> None:
    """Stop this run if its visitor has left or moved a slider.

    A slider requests a run of a fragment, for which Streamlit does not end the current run. Here it
    may end, because the whole page is drawn next.
    """
    if insides.context() is None:
        return
    st.session_state.get(_PAGE)  # ends the run if the visitor has left
    if insides.wants_whole_run():
        st.rerun()


def read(stored_in: str) -> dict:
    """Return a copy of one of the session's dicts; {} if it is missing or not a dict."""
    return _copied(get(stored_in))


def entry(stored_in: str, name: str) -> dict:
    """Return a copy of a dict inside one of the session's dicts; {} if it is missing or no dict."""
    return _copied(read(stored_in).get(name))


def _copied(value: Any) -> dict:
    """Return a copy of a dict; {} for anything else."""
    return dict(value) if isinstance(value, Mapping) else {}


def write(stored_in: str, name: str, value: Any) -> None:
    """Set one entry of one of the dicts in the session."""
    put(stored_in, read(stored_in) | {name: value})


def get(key: str, default: object = None) -> Any:
    """Return the session's value for a key of a widget or the app."""
    return insides.session_value(key, default, st.session_state.get)


def put(key: str, value: Any) -> Any:
    """Set the session's value for a key and return it.

    A widget's key only before the widget is drawn or in a callback.
    """
    st.session_state[key] = value
    return value


def setdefault(key: str, value: Any) -> None:
    """Set a widget's first value without `value=`, which would conflict with the query string."""
    st.session_state.setdefault(key, value)


def drop(key: str) -> None:
    """Remove a key from the session."""
    st.session_state.pop(key, None)


def drop_starting_with(prefix: str) -> None:
    """Remove all keys with a prefix, such as the widgets of one lesson."""
    for key in list(st.session_state):
        if isinstance(key, str) and key.startswith(prefix):
            drop(key)


def forget(stored_in: str, name: str) -> None:
    """Remove one entry from one of the dicts in the session."""
    entries = read(stored_in)
    if name in entries:
        del entries[name]
        put(stored_in, entries)


def remember_query(query: Mapping[str, str]) -> None:
    """Record the keys in the query string, so that saved settings don't override a link."""
    put(_QUERIED, tuple(query))


def addressed(lesson_id: str) -> bool:
    """Return whether this visit's query string has a setting of the lesson."""
    return any(key.startswith(f"{lesson_id}_") for key in st.session_state.get(_QUERIED, ()))


def want(lesson_id: str, quantities: Mapping[str, Any]) -> None:
    """Request values for a lesson's settings, as {quantity: SI value}.

    They apply when the settings are drawn next.
    """
    write(_WANTED, lesson_id, dict(quantities))


def requested_names(lesson_id: str) -> frozenset[str]:
    """Return the quantities of a lesson for which a value is requested."""
    return frozenset(entry(_WANTED, lesson_id))


def take_request(lesson_id: str, name: str) -> Any:
    """Return the value requested for a setting and clear the request; None if there is none."""
    requests = entry(_WANTED, lesson_id)
    if name not in requests:
        return None
    value = requests.pop(name)
    write(_WANTED, lesson_id, requests)
    return value


def enter(page: str) -> bool:
    """Record which page is open and return whether this is the first run of a visit to it."""
    earlier_page = st.session_state.get(_PAGE)
    if earlier_page == page:
        return False
    put(_EARLIER_PAGE, earlier_page)
    put(_PAGE, page)
    put(_NOTICES, [])
    return True


def came_from() -> str | None:
    """Return the page that was open before the current page; None if there was none."""
    return st.session_state.get(_EARLIER_PAGE)


def stepped_in_history() -> bool:
    """Return whether this run follows the browser's back or forward button."""
    return insides.is_history_step()


def unbind(key: str) -> None:
    """Detach a hidden widget from the query string, so that the app may write its parameter.

    Otherwise Streamlit removes the parameter at the end of the run, and no run follows that could
    restore it. There is no public way; without it the parameter is missing until the next run.
    """
    with suppress(AttributeError):
        query = insides.query_params()
        binding = query.get_binding_for_param(key)
        if binding:
            query.unbind_widget(binding.widget_id)


def unseed(key: str) -> None:
    """Make a newly visible widget show the session's value, not that of an earlier query string.

    Streamlit fills a new widget from the query string and overwrites the value that a preset or
    another knob has just set. After a step in the browser's history the query string is right.
    There is no public way.
    """
    if not stepped_in_history():
        with suppress(AttributeError):
            insides.query_params()._initial_query_params.pop(key, None)


def notices() -> list[str]:
    """Return the notices of this visit to the page."""
    return list(st.session_state.get(_NOTICES, []))


def notify(sentence: str) -> None:
    """Add a notice, shown until the visitor dismisses it or leaves the page."""
    if sentence not in notices():
        put(_NOTICES, [*notices(), sentence])


def dismiss_notices() -> None:
    """Remove all notices."""
    put(_NOTICES, [])
