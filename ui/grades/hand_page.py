"""Part of the page Grades in which staff grade texts by hand, with one key per score.

It is a fragment, so a key reruns only this part of the page. Marks are stored in the visit and in
this browser, under digests of the texts.
"""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from physics.texts import text_beside
from ui.base import device, state
from ui.base.device import button
from ui.base.format import count
from ui.base.words import literal
from ui.grades import by_hand
from ui.grades.by_hand import Mark, Text

ABOUT = (
    "Press **0**, **1**, or **2**, and the next text follows. **B** goes back and **S** skips. The "
    "keys do nothing while you type a comment. Equal texts are one text. Points and comments are "
    "saved at once, in this browser only and without names; they are here again when you upload "
    "the same files."
)
#: Keys in the session: all marks by text key, the key of the current text, marks that the browser
#: may not have saved yet, and the id of the last deletion.
_MARKS = "_grades_marks"
_AT = "grades_text"
_NEWS = "_grades_news"
_ERASE = "_grades_erase"
#: Last marks that are sent with each run, because a run may replace the message of the one before.
_MOST_NEWS = 30
_SCRIPT = text_beside(__file__, "marks.js")
#: Components that load marks from the browser and save them; the second is part of the fragment.
_RESTORE = st.components.v2.component("fleet_what_if_marks_back", js=_SCRIPT)
_SAVE = st.components.v2.component("fleet_what_if_marks", js=_SCRIPT)


def marks() -> dict[str, Mark]:
    """Return all marks of this visit by text key."""
    return dict(state.get(_MARKS) or {})


def restore(texts: Sequence[Text]) -> None:
    """Request the browser's saved marks for texts without a mark."""
    current = marks()
    missing = [text.key for text in texts if text.key not in current]
    data = {**_stamp(), "marks": {}, "wanted": missing}
    _RESTORE(key="grades_back", data=data, on_stored_change=partial(_take, frozenset(missing)))


def _stamp() -> dict[str, object]:
    """Return a new id of this run, and the id of the last deletion."""
    return {"turn": secrets.token_hex(8), "erase": state.get(_ERASE)}


def _take(missing: frozenset[str]) -> None:
    """Callback: add the browser's saved marks of the `missing` texts to those of this visit."""
    match state.get("grades_back"):
        case {"stored": {"marks": dict(stored)}}:
            # An unreadable mark becomes an empty one, so that it is not requested again.
            loaded = {}
            for key in missing & stored.keys():
                loaded[key] = by_hand.from_json(stored[key]) or Mark()
            state.put(_MARKS, loaded | marks())


def draw(texts: Sequence[Text]) -> None:
    """Draw one text at a time with its buttons above it."""
    if not texts:
        st.info("No report has a text to read.", icon=":material/info:")
        return
    st.fragment(_draw, key="grades_by_hand")(texts)


def _draw(texts: Sequence[Text]) -> None:
    """Draw the current text: the selected one, or the first without points."""
    current = marks()
    keys = [text.key for text in texts]
    if state.get(_AT) in keys:
        index = keys.index(state.get(_AT))
    else:
        index = _next(texts, current, 0)
    text = texts[index]
    mark = current.get(text.key, Mark())
    graded = sum(current.get(key, Mark()).points is not None for key in keys)
    st.markdown(f"{graded} of {count(len(texts), 'text')} graded")
    _draw_buttons(texts, index, mark)
    writers = count(len(text.sheets), "student")
    st.markdown(f"**{literal(text.heading)}** · text {index + 1} · written by {writers}")
    st.text(text.text)
    _context(text)
    key = f"grades_comment_{text.key}"
    if state.get(key) != mark.comment:  # the browser's comment may arrive after the first run
        state.put(key, mark.comment)
    st.text_area(
        "Comment (optional)",
        key=key,
        max_chars=by_hand.LONGEST,
        height=80,
        on_change=_comment,
        args=(text.key, key),
        help="The comment goes into the grade book and into the student's feedback.",
    )
    news = state.get(_NEWS) or {}
    _SAVE(key="grades_save", data={**_stamp(), "marks": news, "wanted": []})


def _draw_buttons(texts: Sequence[Text], index: int, mark: Mark) -> None:
    """Draw a button for each number of points, and the buttons to other texts."""
    levels = by_hand.levels(texts[index].section)
    with device.row():
        for points in range(by_hand.FULL + 1):
            button(
                count(points, "point"),
                f"grades_give_{points}",
                _give,
                texts,
                index,
                points,
                shortcut=str(points),
                type="primary" if points == mark.points else "secondary",
                help=levels[points],
            )
        button("Back", "grades_back_one", _go, texts, index - 1, shortcut="b")
        button("Skip", "grades_skip", _go, texts, index + 1, shortcut="s")


def _context(text: Text) -> None:
    """Draw the results in the first writer's report, and the rubric's sentences."""
    results = text.sheets[0].records.get(text.section, {}).get("results", {})
    if results:
        words = "; ".join(f"{label}: {value}" for label, value in results.items())
        st.caption(literal(f"Results in the report. {words}."))
    rows = (f"{points}: {words}" for points, words in by_hand.levels(text.section).items())
    st.caption(literal("  \n".join(rows)))


def _next(texts: Sequence[Text], current: dict[str, Mark], start: int) -> int:
    """Return the index of the next text without points from `start` on; if none, of the last."""
    for step in range(len(texts)):
        index = (start + step) % len(texts)
        if current.get(texts[index].key, Mark()).points is None:
            return index
    return len(texts) - 1


def _give(texts: Sequence[Text], index: int, points: int) -> None:
    """Callback: give a text points, and go on to the next text without points."""
    _keep(texts[index].key, points=points)
    state.put(_AT, texts[_next(texts, marks(), index + 1)].key)


def _go(texts: Sequence[Text], index: int) -> None:
    """Callback: show another text; the texts form a ring."""
    state.put(_AT, texts[index % len(texts)].key)


def _comment(key: str, widget: str) -> None:
    """Callback: store the comment on a text."""
    _keep(key, comment=str(state.get(widget) or "")[: by_hand.LONGEST])


def _keep(key: str, **changes: Any) -> None:
    """Change a mark in the visit, and let the browser save it with the next run."""
    mark = marks().get(key, Mark())._replace(**changes)
    state.put(_MARKS, marks() | {key: mark})
    news = dict(state.get(_NEWS) or {})
    news.pop(key, None)  # so that the mark becomes the newest
    news[key] = by_hand.to_json(mark)
    state.put(_NEWS, dict(list(news.items())[-_MOST_NEWS:]))


def offer_removal() -> None:
    """Draw the button that deletes all marks, here and in the browser."""
    button(
        "Delete manual points",
        "grades_erase",
        _erase,
        icon=":material/delete:",
        help="Deletes all points and comments that this browser has saved.",
    )


def _erase() -> None:
    """Callback: delete all marks of the visit, and let the browser delete its own."""
    for name in (_MARKS, _NEWS, _AT):
        state.drop(name)
    state.drop_starting_with("grades_comment_")
    state.put(_ERASE, secrets.token_hex(8))
