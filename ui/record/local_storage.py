"""Storage beyond a session: the visitor's browser keeps data in localStorage and returns it.

One small component (`local_storage.js`) writes the fields that changed and, once a visit, hands
back what is there. What comes back is checked like any input: it may be old, edited by hand, or
hostile. Without storage (private mode, a script) the app works and says that nothing will be kept.

| field | JSON |
|---|---|
| `<lesson>/prediction`, `<lesson>/reflection` | `{"answer": id, "at": time}`; written once |
|  | the prediction also `"sure"`, a key of `state.SURE`, if the visitor has said so |
| `<lesson>/tried` | `{"settings": {quantity: SI value or id}, "results": {label: text}}` |
| `<lesson>/note`, `<lesson>/pins` | text, list of pins |
| `<lesson>/draft` | `{"prediction": id, "reflection": id}` |
| `<lesson>/changes` | list of locks that became others, see `ui.record.ledger` |
| `<lesson>/tested`, `<lesson>/explained` | when the prediction was tested, the explanation |
|  | earned; written once |
| `<lesson>/own` | a short text that a lesson keeps of what the visitor did in it, such as the |
|  | trials of a policy |
| `<lesson>/won` | settings that met the challenge |
| `<lesson>/second` | `{"answer": id, "at": time}` of a second vote |
| `<lesson>/transfer/<question>/<variant>` | the same of a transfer question; written once |
| `<lesson>/parts` | list of the parts that were opened |
| `<lesson>/guesses` | `{part: number}`: which value of a part's guess was tapped; a value stays |
| `<lesson>/toured` | how many steps of the tour were seen |
| `me/rested` | the day on which the questions of the home page were put off |
| `me/name`, `me/login`, `me/rejected`, `me/doubts` | what the report asks, as text |
| `me/voter`, `me/presenter` | random tokens for class polls |
| `me/report`, `me/taken` | random tokens of this browser's report, and of reports taken over |
"""

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st

from ui.base import device, state
from ui.base.device import button
from ui.base.lesson import Lesson, menu
from ui.base.words import Words
from ui.record import browser_fields, compare, ledger, plain

WHERE = (
    "Your answers, notes, and settings are saved only in this browser. "
    "“Reset” deletes everything except a random ID for class polls."
)
NOWHERE = (
    "This browser does not let the app keep anything, so a reload will lose your answers; "
    "everything else works."
)
FULL = (
    "This browser's storage is full. Earlier work is safe, but new work will be lost when you "
    "reload."
)
#: Longest field that is kept, as JSON [characters]; the longest that the app itself writes has half
#: of that.
MOST_FIELD = 40_000
_ONCE = ("prediction", "reflection", "transfer", *ledger.STEPS)
#: Random tokens for class polls: a second tab has those of the first, and starting over does not
#: make a second voter.
_TOKENS = ("voter", "presenter")
#: What a report holds in the visitor's own words: what was rejected and why, what could still go
#: wrong, and where to look first in a cluster of one's own.
WORDS = ("rejected", "doubts", "first_look")
#: Longest texts of a visitor [characters].
LONGEST = {"name": 80, "login": 120} | dict.fromkeys(WORDS, ledger.NOTE_LENGTH)
_TOKEN = r"[0-9a-f]{32}"
_MINE = {name: rf"[^\x00-\x08\x0b-\x1f]{{0,{longest}}}" for name, longest in LONGEST.items()}
_MINE |= dict.fromkeys((*_TOKENS, "report"), _TOKEN)
_MINE |= {"taken": rf"{_TOKEN}( {_TOKEN}){{0,4}}", "rested": r"\d{4}-\d\d-\d\d"}
_UNREADABLE = "_unreadable"
#: Dicts of the session that have an entry for each lesson; one with an entry in the first three is
#: begun.
_RECORDS = (
    state.PREDICTIONS,
    state.REFLECTIONS,
    state.LEDGER,
    state.PINS,
    state.FLOW,
    _UNREADABLE,
)
#: Parts of a record of which the first that comes stays.
_FIRST = ("settings", "results", "won", "note", "second", "second_at", "own")
#: Fields that a visitor knows of, by the words for what they keep.
_FIELDS = {name: name for name in ("prediction", "reflection", "note", "pins", "draft")}
_FIELDS |= {"tried": "settings", "changes": "history", "won": "challenge"}

_UI = Path(__file__).parents[1]
#: With what follows a visitor's hand on charts: a component of its own would cost every page one.
_SCRIPTS = (_UI / "record" / "local_storage.js", _UI / "charts" / "hand.js")
_COMPONENT = st.components.v2.component(
    "fleet_what_if_keep",
    js="\n".join(script.read_text(encoding="utf-8") for script in _SCRIPTS),
)
#: What a fragment mounts: it leaves its fields for the component above, which knows whether and
#: when to write them.
_TRIED = st.components.v2.component(
    "fleet_what_if_keep_tried",
    js="""export default ({ data }) => {
  window.fleetWhatIfTried = JSON.parse(new TextDecoder().decode(data))
  window.fleetWhatIfKeep?.()
}
""",
)


def sync(lesson: Words | None = None, view: str = "") -> None:
    """Mount the storage component: send this page's changes, and load the browser's data.

    Once, at a page's end.
    """
    data = {
        **_stamp(),
        "restored": state.get("_restored"),
        "once": [*_ONCE, *_TOKENS, "report"],
        "fields": fields(lesson),
        "spare": [f"me/{name}" for name in _TOKENS],
        "erase": state.get("_erase"),
        "longest": MOST_FIELD,
        "view": view,
        "unreadable": [
            f"{lesson_id}/{name}"
            for lesson_id, names in state.read(_UNREADABLE).items()
            for name in names
        ],
    }
    # As bytes, in which Streamlit looks for no tables.
    _COMPONENT(key="keep", data=json.dumps(data).encode(), on_stored_change=_take)


def sync_tried(lesson: Lesson) -> None:
    """Send the browser changes of settings; other data is sent with the page."""
    stored = _written(
        {f"{lesson.id}/{name}": value for name, value in browser_fields.tried(lesson).items()}
    )
    # As bytes, which Streamlit passes on as they are: this is sent at every turn.
    _TRIED(key="keep_tried", data=json.dumps({**_stamp(), "fields": stored}).encode())


def _stamp() -> dict[str, Any]:
    """Tell the browser whose data these are, and which of two that cross are the later ones."""
    session = state.get("_session") or state.put("_session", secrets.token_hex(8))
    return {
        "session": session,
        "turn": state.put("_turn", int(state.get("_turn", 0)) + 1),
    }


def possible() -> bool:
    """Return whether this browser lets the app store data, as far as is known."""
    return bool(state.get("_storable", True))


def mine(name: str) -> str:
    """Return a stored value about the visitor, such as "name" or "voter"; "" if there is none."""
    return str(state.get(f"_me_{name}") or "")


def keep_mine(name: str, value: str) -> None:
    """Store a value about the visitor if its format is valid."""
    if re.fullmatch(_MINE[name], value):
        state.put(f"_me_{name}", value)


def token(name: str) -> str:
    """Return the visitor's random token of this name, made on first use and kept by the browser."""
    if not mine(name):
        keep_mine(name, secrets.token_hex(16))
    return mine(name)


def fields(lesson: Words | None) -> dict[str, str]:
    """Return all locked-in answers, and the full record of one or all lessons, as JSON by field."""
    begun_ids = {name for kind in _RECORDS[:3] for name in state.read(kind)}
    values: dict[str, Any] = {}
    for known_lesson in menu():
        whole = lesson is None or known_lesson.id == lesson.id
        if whole or known_lesson.id in begun_ids:
            parts = browser_fields.by_field(known_lesson, locks_only=not whole)
            values |= {f"{known_lesson.id}/{field}": value for field, value in parts.items()}
    for name in _MINE:
        # Long texts go with the report's page, where they are written, not with every page.
        if mine(name) and (lesson is None or name not in WORDS):
            values[f"me/{name}"] = mine(name)
    return _written(values)


def _written(values: Mapping[str, Any]) -> dict[str, str]:
    """Write fields as JSON; one that cannot be written is left out."""
    written = {}
    for name, value in values.items():
        with suppress(ValueError):
            written[name] = plain.encoded(value)
    return written


def restore(stored: Mapping[str, Any]) -> None:
    """Load external fields, JSON by name as from `fields`, into the session, skipping invalid ones.

    Only before widgets are drawn.
    """
    values = {name: parsed(text) for name, text in stored.items() if isinstance(name, str)}
    for lesson in menu():
        prefix = f"{lesson.id}/"
        names = [name for name in values if name.startswith(prefix)]
        _restore(lesson, {name.removeprefix(prefix): values[name] for name in names})
    for name in _MINE:
        value = values.get(f"me/{name}")
        # A token is made before the browser has answered, a voter's by a choice that a page sends
        # once more to a server that has started again; the one that it kept stands.
        if isinstance(value, str) and (name in ("report", "voter") or not mine(name)):
            keep_mine(name, value)


def erase(lesson: Words | None = None) -> None:
    """Callback: delete all data of one lesson, or of the visitor, here and in the browser.

    Only the random token of class polls stays, or one browser could vote twice.
    """
    for lesson_to_erase in _lessons(lesson):
        for stored_in in _RECORDS:
            state.forget(stored_in, lesson_to_erase.id)
        state.drop_starting_with(f"{lesson_to_erase.id}_")
    names = ["*"]
    if lesson:
        names = [lesson.id]
    else:
        for name in _MINE.keys() - {*_TOKENS}:
            state.drop(f"_me_{name}")
            state.drop(f"report_{name}")
    _erase_there(names)
    state.drop("all_start_over_asked")


def _lessons(lesson: Words | None) -> list[Words]:
    """Return one lesson, or all if none is named."""
    if lesson:
        return [lesson]
    return list(menu())


def _erase_there(names: list[str]) -> None:
    """Let the browser delete fields: of lessons by their ids, or by their names."""
    state.put("_erase", {"nonce": secrets.token_hex(8), "lessons": names})


def start_over(lesson: Words | None = None) -> None:
    """Offer to delete one lesson's data, or all data, after a confirmation."""
    for lesson_to_reset in _lessons(lesson):
        bad = state.read(_UNREADABLE).get(lesson_to_reset.id)
        if bad:
            _offer_removal(lesson_to_reset, bad)
    if state.get("_full"):
        st.warning(FULL, icon=":material/save:")
    st.caption(WHERE if possible() else NOWHERE)
    key = "all_start_over"
    label = "Reset everything"
    name = "every lesson"
    if lesson:
        key = f"{lesson.id}_start_over"
        label = "Reset this lesson"
        name = f"“{lesson.title}”"
    delete = ":material/delete:"
    if not state.get(f"{key}_asked"):
        button(label, key, state.put, f"{key}_asked", True, icon=delete)
        return
    st.warning(
        f"This deletes your prediction, answers, notes, pins, and settings for {name}.", icon=delete
    )
    with device.row():
        button("Delete", f"{key}_yes", erase, lesson)
        button("Cancel", f"{key}_no", state.drop, f"{key}_asked")


def _take() -> None:
    """Callback of the component: the browser has handed over what it keeps."""
    match state.get("keep"):
        # A stale copy from before the server was started again has another session; a fresh one
        # follows.
        case {"stored": {"session": session, "fields": dict(held)} as stored} if (
            session == state.get("_session")
        ):
            state.put("_storable", stored.get("available") is True)
            if state.put("_full", stored.get("full") is True):
                state.notify(FULL)
            restore(held)
            state.put("_restored", session)


def add_record(lesson: Words, record: Mapping) -> None:
    """Add validated data to the visitor's record, keeping existing entries.

    Only locks do not: they are those of the record.
    """
    for name, stored_in, _ in ledger.locks(lesson):
        if name in record:
            state.write(stored_in, lesson.id, record[name])
            ledger.keep_lock(lesson)
            when = ledger.WHEN[name]
            if when in record:
                ledger.update(lesson.id, **{when: record[when]})
    if "prediction" in record:
        ledger.keep_first(lesson.id, sure=record.get("sure"))
    new = ledger.keep_first(lesson.id, **{field: record.get(field) for field in _FIRST})
    changes = ledger.changes(lesson, record.get("changes"), ledger.record(lesson.id).get("changes"))
    if changes:
        ledger.update(lesson.id, changes=changes)
    for name in ledger.STEPS:
        if name in record:
            ledger.step(lesson.id, name, record[name])
    for field in ledger.GROWING:
        ledger.grow(lesson, field, record.get(field))
    # Where this visit has already moved the knobs, or the query string has set them, that stands.
    if "settings" in new and not state.addressed(lesson.id):
        state.want(lesson.id, new["settings"])  # knobs check and clamp what they find
    if "note" in new:
        state.put(f"{lesson.id}_note", new["note"])
    if record.get("pins") and not compare.pinned(lesson.id):
        state.write(state.PINS, lesson.id, record["pins"])


def _restore(lesson: Words, stored: Mapping[str, Any]) -> None:
    """Take one lesson's fields; of what cannot be used, that which the visitor knows of is set
    aside.
    """
    before = state.read(_UNREADABLE).get(lesson.id, [])
    bad = [name for name in before if name not in stored]
    record = {"transfer": {name.removeprefix("transfer/"): entry for name, entry in stored.items()}}
    for name, value in stored.items():
        if name == "draft" and isinstance(value, dict):
            for kind, _, question in ledger.locks(lesson):
                key = f"{lesson.id}_{kind}"
                if value.get(kind) in question.ids and state.get(key) is None:
                    state.put(key, value[kind])
            continue
        values = browser_fields.of_field(lesson, name, value)
        if values is not None:
            record |= values
        elif name in _FIELDS:
            bad.append(name)
    add_record(lesson, record)
    if bad != before:
        state.write(_UNREADABLE, lesson.id, bad)


def _offer_removal(lesson: Words, bad: list[str]) -> None:
    """Say that something kept of a lesson cannot be read, and offer to remove it."""
    names = " and ".join(_FIELDS[name] for name in bad)
    st.warning(
        f"What this browser saved as the {names} of “{lesson.title}” cannot be read, so it is "
        "ignored.",
        icon=":material/warning:",
    )
    key = f"{lesson.id}_remove_unreadable"
    button("Remove saved data", key, _remove, lesson.id, bad, icon=":material/delete:")


def _remove(lesson_id: str, names: Iterable[str]) -> None:
    state.forget(_UNREADABLE, lesson_id)
    _erase_there([f"{lesson_id}/{name}" for name in names])


def parsed(text: Any) -> Any:
    r"""Parse external JSON; None if it is invalid, too long, or cannot be serialized again (NaN,
    lone surrogates).

    >>> parsed('[1, "a"]'), parsed("[NaN]"), parsed("1e999"), parsed('"\\ud800"')
    ([1, 'a'], None, None, None)
    """
    with suppress(ValueError):
        if isinstance(text, str) and len(text) <= MOST_FIELD:
            return plain.decoded(text)
    return None
