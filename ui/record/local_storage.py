"""Storage beyond a session: the visitor's browser keeps data in localStorage and returns it.

One small component (`local_storage.js`) writes the fields that changed and, once a visit, returns
the stored ones. These are checked like any input: they may be old, edited by hand, or hostile.
Without storage (private mode, a script) the app works and says that it saves nothing.

| field | JSON |
|---|---|
| `<lesson>/prediction`, `<lesson>/reflection` | `{"answer": id, "at": time}`; written once |
|  | the prediction also `"sure"`, a key of `state.SURE`, if the visitor has said so |
| `<lesson>/tried` | `{"settings": {quantity: SI value or id}, "results": {label: text}}` |
| `<lesson>/note`, `<lesson>/pins` | text, list of pins |
| `<lesson>/draft` | `{"prediction": id, "reflection": id}` |
| `<lesson>/changes` | list of changed answers, see `ui.record.ledger` |
| `<lesson>/tested`, `<lesson>/explained` | times of the prediction's test and of unlocking the |
|  | explanation; written once |
| `<lesson>/own` | a short text in which a lesson stores the visitor's work, such as the trials of |
|  | a policy |
| `<lesson>/won` | settings that met the challenge |
| `<lesson>/second` | `{"answer": id, "at": time}` of a second vote |
| `<lesson>/transfer/<question>/<variant>` | the same of a transfer question; written once |
| `<lesson>/parts` | list of the parts that were opened |
| `<lesson>/guesses` | `{part: index}` of the value guessed for each part; never overwritten |
| `<lesson>/toured` | number of steps of the tour that were visited |
| `me/rested` | the day on which the visitor skipped the questions of the home page |
| `me/name`, `me/login`, `me/rejected`, `me/doubts`, `me/first_look` | texts of the report |
| `me/voter`, `me/presenter` | random tokens for class polls |
| `me/report`, `me/taken` | random tokens of this browser's report, and of imported reports |
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
#: Maximum length of a field's JSON [characters]; the app itself writes at most half of it.
MOST_FIELD = 40_000
#: Fields of a lesson that the browser writes once.
_ONCE = ("prediction", "reflection", "transfer", *ledger.STEPS)
#: Random tokens for class polls. All tabs of a browser share them, and a reset keeps them, so that
#: nobody can vote twice.
_TOKENS = ("voter", "presenter")
#: A report's longer texts by the visitor, see `ui.record.report.TITLES`.
WORDS = ("rejected", "doubts", "first_look")
#: Longest texts of a visitor [characters].
LONGEST = {"name": 80, "login": 120} | dict.fromkeys(WORDS, ledger.NOTE_LENGTH)
#: Pattern of a random token.
TOKEN = r"[0-9a-f]{32}"
#: Control characters that a pasted text may have, besides tabs and ends of lines.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f]+")
#: Pattern of each value about the visitor, by name.
_MINE = {name: rf"[^\x00-\x08\x0b-\x1f]{{0,{longest}}}" for name, longest in LONGEST.items()}
_MINE |= dict.fromkeys((*_TOKENS, "report"), TOKEN)
_MINE |= {"taken": rf"{TOKEN}( {TOKEN}){{0,4}}", "rested": r"\d{4}-\d\d-\d\d"}
#: Session dict of the fields in the browser that cannot be read, as lists of names by lesson.
_UNREADABLE = "_unreadable"
#: Session dicts with an entry per lesson; a lesson is started if one of the first three has it.
_RECORDS = (
    state.PREDICTIONS,
    state.REFLECTIONS,
    state.LEDGER,
    state.PINS,
    state.FLOW,
    _UNREADABLE,
)
#: Fields of a record that keep their first value.
_FIRST = ("settings", "results", "won", "note", "second", "second_at", "own")
#: Fields that the visitor is told about if they cannot be read, with their names for the visitor.
_FIELD_NAMES = {name: name for name in ("prediction", "reflection", "note", "pins", "draft")}
_FIELD_NAMES |= {"tried": "settings", "changes": "history", "won": "challenge"}

_UI = Path(__file__).parents[1]
#: The script for charts is included here to save every page a second component.
_SCRIPTS = (_UI / "record" / "local_storage.js", _UI / "charts" / "hand.js")
_COMPONENT = st.components.v2.component(
    "fleet_what_if_keep",
    js="\n".join(script.read_text(encoding="utf-8") for script in _SCRIPTS),
)
#: Component in a lesson's fragment; it passes its fields to the component above, which writes them.
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

    Call this once, at the end of a page.
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
    # As bytes, because Streamlit would search other data for tables.
    _COMPONENT(key="keep", data=json.dumps(data).encode(), on_stored_change=_take)


def sync_tried(lesson: Lesson) -> None:
    """Send the browser the fields that a change of settings affects; `sync` sends all others."""
    values = {f"{lesson.id}/{name}": value for name, value in browser_fields.tried(lesson).items()}
    data = {**_stamp(), "fields": _written(values)}
    # As bytes, which Streamlit sends unchanged: this runs at every turn of a knob.
    _TRIED(key="keep_tried", data=json.dumps(data).encode())


def _stamp() -> dict[str, Any]:
    """Return the session's random id and a counter, which orders the messages to the browser."""
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
    """Store a value about the visitor if its format is valid; in a text, controls become spaces."""
    if name in LONGEST:
        value = _CONTROLS.sub(" ", value)
    if re.fullmatch(_MINE[name], value):
        state.put(f"_me_{name}", value)


def token(name: str) -> str:
    """Return the visitor's random token of this name; it is made on first use."""
    if not mine(name):
        keep_mine(name, secrets.token_hex(16))
    return mine(name)


def fields(lesson: Words | None) -> dict[str, str]:
    """Return all locked-in answers, and the full record of one or all lessons, as JSON by field."""
    begun_ids = {name for kind in _RECORDS[:3] for name in state.read(kind)}
    values: dict[str, Any] = {}
    for other in menu():
        whole = lesson is None or other.id == lesson.id
        if whole or other.id in begun_ids:
            by_field = browser_fields.by_field(other, locks_only=not whole)
            values |= {f"{other.id}/{field}": value for field, value in by_field.items()}
    for name in _MINE:
        # Long texts are sent only from pages other than lessons, such as the report's. A text that
        # the visitor has emptied is sent, too, or it would come back.
        has_value = state.get(f"_me_{name}") is not None
        if has_value and (lesson is None or name not in WORDS):
            values[f"me/{name}"] = mine(name)
    return _written(values)


def _written(values: Mapping[str, Any]) -> dict[str, str]:
    """Return fields as JSON; one that cannot be written as JSON is left out."""
    texts = {}
    for name, value in values.items():
        with suppress(ValueError):
            texts[name] = plain.encoded(value)
    return texts


def restore(stored: Mapping[str, Any]) -> None:
    """Load external fields, in the format of `fields`, into the session, skipping invalid ones.

    Call this only before widgets are drawn.
    """
    values = {name: parsed(text) for name, text in stored.items() if isinstance(name, str)}
    for lesson in menu():
        prefix = f"{lesson.id}/"
        names = [name for name in values if name.startswith(prefix)]
        _restore(lesson, {name.removeprefix(prefix): values[name] for name in names})
    for name in _MINE:
        value = values.get(f"me/{name}")
        # This visit may have made these tokens before the browser answered, "voter" by a vote that
        # the page sends again after a restart of the server; the browser's own tokens count.
        if isinstance(value, str) and (name in ("report", "voter") or not mine(name)):
            keep_mine(name, value)


def erase(lesson: Words | None = None) -> None:
    """Callback: delete all data of one lesson, or of the visitor, here and in the browser.

    Only the random tokens for class polls are kept, or one browser could vote twice.
    """
    for erased in _lessons(lesson):
        for stored_in in _RECORDS:
            state.forget(stored_in, erased.id)
        state.drop_starting_with(f"{erased.id}_")
    names = ["*"]
    if lesson:
        names = [lesson.id]
    else:
        for name in _MINE.keys() - {*_TOKENS}:
            state.drop(f"_me_{name}")
            state.drop(f"report_{name}")
    _erase_in_browser(names)
    state.drop("all_start_over_asked")


def _lessons(lesson: Words | None) -> list[Words]:
    """Return one lesson, or all if none is named."""
    if lesson:
        return [lesson]
    return list(menu())


def _erase_in_browser(names: list[str]) -> None:
    """Let the browser delete fields: of lessons by their ids, single ones, or with "*" all."""
    state.put("_erase", {"nonce": secrets.token_hex(8), "lessons": names})


def start_over(lesson: Words | None = None) -> None:
    """Offer to delete one lesson's data, or all data, after a confirmation."""
    for affected in _lessons(lesson):
        unreadable = state.read(_UNREADABLE).get(affected.id)
        if unreadable:
            _offer_removal(affected, unreadable)
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
    """Callback of the component: load the data that the browser has sent."""
    match state.get("keep"):
        case {"stored": {"session": session, "fields": dict(by_name)} as stored}:
            # Data from before a restart of the server has another session; new data follows.
            if session != state.get("_session"):
                return
            state.put("_storable", stored.get("available") is True)
            if state.put("_full", stored.get("full") is True):
                state.notify(FULL)
            restore(by_name)
            state.put("_restored", session)


def add_record(lesson: Words, record: Mapping) -> None:
    """Add validated data to the visitor's record, keeping existing entries except locks.

    Locked-in answers are overwritten by those of `record`.
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
    firsts = {field: record.get(field) for field in _FIRST}
    current_settings = ledger.record(lesson.id).get("settings")
    if current_settings not in (None, record.get("settings")):
        del firsts["results"]  # they belong to other settings
    new = ledger.keep_first(lesson.id, **firsts)
    changes = ledger.changes(lesson, record.get("changes"), ledger.record(lesson.id).get("changes"))
    if changes:
        ledger.update(lesson.id, changes=changes)
    for name in ledger.STEPS:
        if name in record:
            ledger.step(lesson.id, name, record[name])
    for field in ledger.GROWING:
        ledger.grow(lesson, field, record.get(field))
    # Settings that this visit has already changed, or that the query string has set, are kept.
    if "settings" in new and not state.addressed(lesson.id):
        state.want(lesson.id, new["settings"])  # the knobs check and clamp these values
    if "note" in new:
        state.put(f"{lesson.id}_note", new["note"])
    if record.get("pins") and not compare.pinned(lesson.id):
        state.write(state.PINS, lesson.id, record["pins"])


def _restore(lesson: Words, stored: Mapping[str, Any]) -> None:
    """Load one lesson's fields from the browser, and note those that cannot be read."""
    before = state.read(_UNREADABLE).get(lesson.id, [])
    unreadable = [name for name in before if name not in stored]
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
        elif name in _FIELD_NAMES:
            unreadable.append(name)
    add_record(lesson, record)
    if unreadable != before:
        state.write(_UNREADABLE, lesson.id, unreadable)


def _offer_removal(lesson: Words, unreadable: list[str]) -> None:
    """Say which of a lesson's fields in the browser cannot be read, and offer to remove them."""
    names = " and ".join(_FIELD_NAMES[name] for name in unreadable)
    st.warning(
        f"What this browser saved as the {names} of “{lesson.title}” cannot be read, so it is "
        "ignored.",
        icon=":material/warning:",
    )
    key = f"{lesson.id}_remove_unreadable"
    button("Remove saved data", key, _remove, lesson.id, unreadable, icon=":material/delete:")


def _remove(lesson_id: str, names: Iterable[str]) -> None:
    """Callback: remove a lesson's unreadable fields from the browser."""
    state.forget(_UNREADABLE, lesson_id)
    _erase_in_browser([f"{lesson_id}/{name}" for name in names])


def parsed(text: Any) -> Any:
    r"""Parse external JSON; None if it is invalid, too long, or has NaN or lone surrogates.

    >>> parsed('[1, "a"]'), parsed("[NaN]"), parsed("1e999"), parsed('"\\ud800"')
    ([1, 'a'], None, None, None)
    """
    with suppress(ValueError):
        if isinstance(text, str) and len(text) <= MOST_FIELD:
            return plain.decoded(text)
    return None
