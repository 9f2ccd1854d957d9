"""Frame of every page: title, menu, style, and the structure that all lessons share."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAPIException

from physics.texts import text_beside, toml_beside
from ui.base import device, state, time_slices
from ui.base.device import line, on_phone, render_text
from ui.base.lesson import Lesson, built_on, menu, with_page
from ui.base.words import Values, fill
from ui.charts.look import Look
from ui.page import glossary, prediction, projector
from ui.record import ledger
from ui.server import inbound, insides, memory, open_files, runs, silence, uploads

ROOT = Path(__file__).resolve().parents[2]
NAME = "Fleet What-If"
#: The browser tab's icon, a file: a material icon would be fetched from another server.
ICON = str(ROOT / "ui" / "icon.png")
_DATA = toml_beside(__file__, "shell.toml")
#: Label and icon of each page other than a lesson, by path.
OTHER_PAGES = _DATA["pages"]
#: Icon and label of each value of `ledger.progress`.
PROGRESS = _DATA["progress"]
inbound.watch()
runs.watch(time_slices.wait_to_draw)
open_files.watch()
silence.watch()
uploads.watch()

TAKE_ALONG = (
    ":material/save: This browser, or the frame that the page is shown in, does not save what you "
    "do here, so a reload loses it. Download your report before you leave."
)

#: Style rules for what Streamlit has no option for. The file's comments are left out, because every
#: first visit loads the rules.
_RULES = re.sub(r"/\*.*?\*/", "", text_beside(__file__, "style.css"), flags=re.DOTALL)
STYLE = f"<style>{' '.join(_RULES.split())}</style>"

#: A smaller title, which leaves a lesson more room for its chart. Other pages keep Streamlit's own
#: padding: the style sheet may load after the title, and would then move the page.
LESSON_STYLE = '<style>[data-testid="stMain"] h1 { padding: 0 0 0.5rem; }</style>'


def open_lesson(lesson: Lesson) -> tuple[Look, dict[str, str], bool]:
    """Draw the top of a lesson's page: browser title, menu, title, and question.

    Returns the look, the query string as it was before any widget was drawn, and whether the
    visitor comes from another page.
    """
    look = _open(f"{lesson.title} · {NAME}", LESSON_STYLE)
    query = st.query_params.to_dict()
    _step_back_in(lesson, query)
    if state.read(state.CLASS_VOTES) or state.get(state.CLASS_JOINED):
        from ui.record import polls  # its database is needed only in a class

        polls.lock_votes_of(lesson)
        polls.send_progress()
    ledger.keep_lock(lesson)
    entered = state.enter(lesson.page)
    if entered:
        state.remember_query(query)
    st.title(lesson.title, anchor=False)
    is_locked = prediction.is_locked(lesson)
    with line(f"{lesson.id}_question"):
        st.markdown(fill(lesson.question), width="stretch")
        glossary.offer(lesson)
        if is_locked:
            _message_again(lesson)
    # Once the prediction is locked in, the chart needs the room.
    if lesson.promise and not is_locked:
        st.caption(fill(lesson.promise))
        prerequisites = built_on(lesson)
        if prerequisites:
            st.caption(f"It builds on {prerequisites}.")
    return look, query, entered


def message(lesson: Lesson) -> str:
    """Write the lesson's message as a quotation, with its sender, as Markdown."""
    quoted = render_text("  \n".join(f"> {row}" for row in lesson.message.splitlines()))
    return f"From {lesson.sender}:\n\n{quoted}"


def _message_again(lesson: Lesson) -> None:
    """Offer the message and the locked question beside the lesson's question."""
    key = f"{lesson.id}_message"
    box = device.popover("Message", key, ":material/mail:", type="tertiary", width="content")
    if box:
        with box:
            st.markdown(message(lesson))
            prediction.locked(lesson)


def _step_back_in(lesson: Lesson, query: Mapping[str, str]) -> None:
    """Restore the settings when the visitor returns to the page by the browser's Back button.

    Streamlit's links put the page's address without settings into the browser's history, and in the
    run after Back, widgets that are not in the query string get their defaults. So this run ends at
    once, and the next one, which does not follow Back, uses the saved settings.
    """
    settings = ledger.record(lesson.id).get("settings")
    has_settings = any(key.startswith(f"{lesson.id}_") for key in query)
    if not has_settings and isinstance(settings, Mapping) and state.stepped_in_history():
        state.want(lesson.id, settings)
        st.rerun()


def open_plain(title: str, page: str) -> Look:
    """Draw the top of a page other than a lesson: browser title, menu, and title."""
    look = _open(f"{title} · {NAME}" if title != NAME else NAME)
    state.enter(page)
    if not device.on_stage():
        st.title(title, anchor=False)
    return look


def derivation(lesson: Lesson, values: Values) -> bool:
    """Draw the derivation with live numbers in an expander; return whether it is open."""
    label = "Derivation with your numbers"
    box = device.expander(label, f"{lesson.id}_derivation", ":material/function:")
    if box:
        texts = []
        for step in lesson.derivation:
            if step.after and not prediction.is_reflected(lesson):
                continue
            texts.append(f"**{step.title}**")
            if step.formula:
                texts.append(f"$$\n{_stacked(step.formula)}\n$$")
            texts.append(render_text(step.text, values))
        box.markdown("\n\n".join(texts))
    return box is not None


def _stacked(formula: str) -> str:
    """Return a formula; on a phone, parts that stand side by side are put below one another."""
    parts = re.split(r"(?:\\qquad\s*)+", formula)
    if len(parts) == 1 or not on_phone():
        return formula
    stacked = r" \\[0.6em] ".join(parts)
    return rf"\begin{{gathered}}{stacked}\end{{gathered}}"


def link(
    path: str, label: str, icon: str | None = None, query: Mapping[str, str] | None = None
) -> None:
    """Draw a link to an app page, preserving projector mode."""
    query = dict(query or {})
    if device.on_projector():
        query["present"] = "1"
    # A script may run a page alone; then there are no other pages to link to.
    try:
        page = _page(path, getattr(insides.context(), "main_script_path", ""))
        st.page_link(page, label=label, icon=icon, query_params=query or None)
    except StreamlitAPIException:
        st.caption(label)


def link_to_page(path: str, label: str, icon: str) -> None:
    """Draw a link to a page other than a lesson; nothing if there is no such page."""
    if (ROOT / path).exists():
        link(path, label, icon)


def other_pages() -> None:
    """Draw links to the pages other than lessons."""
    for path, (label, icon) in OTHER_PAGES.items():
        link_to_page(path, label, icon)


@lru_cache(maxsize=256)
def _page(path: str, main_script: str) -> st.Page:
    """Return a page of the app for links.

    It is cached for all visitors: for a path, Streamlit would search the file system at each link.
    The result depends on the app's main script, so that belongs to the cache's key.
    """
    return st.Page(path, default=path == "app.py")


def _open(browser_title: str, page_style: str = "") -> Look:
    """Set up a page, draw its style and menu, and return the look of its charts."""
    time_slices.wait_to_draw()
    st.set_page_config(page_title=browser_title, page_icon=ICON, layout="wide")
    look = Look(dark=st.context.theme.type == "dark", present=device.on_projector())
    style = STYLE + page_style
    if look.present:
        style += projector.STYLE
    if device.on_stage():
        style += projector.STAGE
    st.html(style)  # first, because elements drawn before it would move
    _menu()
    if device.in_browser():
        memory.load_behind(_load_lessons)
    return look


def _load_lessons() -> None:
    """Import the lessons that nobody has opened yet, one by one, while no page is being drawn.

    The first page does not need them, and later pages then need not wait for their lesson.
    """
    for lesson in menu():
        time_slices.DRAWING.rest(time_slices.PATIENCE)
        with_page(lesson.page)


def _menu() -> None:
    """Draw the menu in the sidebar; its links are drawn only while it is open."""
    if device.on_stage():
        return
    box = st.sidebar.popover(
        "Menu", icon=":material/menu:", width="stretch", key="menu", on_change="rerun"
    )
    if box.open:
        with box:
            link("app.py", "Home", ":material/home:")
            for lesson in menu():
                icon, label = PROGRESS[ledger.progress(lesson)]
                link(lesson.path, f"{lesson.title} ({label})", icon)
            other_pages()
            projector.switch()


def take_along() -> None:
    """Recommend a download of the report if the browser saves nothing, as in many frames."""
    with line("take_along"):
        st.markdown(TAKE_ALONG, width="stretch")
        link("pages/report.py", "Download your report", ":material/download:")


def way_to_class() -> None:
    """Draw a link back to the class for a presenter who shows a lesson live."""
    code = state.get(state.CLASS_PRESENTED)
    if code:
        query = {"class": str(code)}
        if state.get(state.CLASS_REMOTE):
            query["remote"] = "1"
        link("pages/class_poll.py", "Back to your class", ":material/arrow_back:", query)


def where_knobs() -> str:
    """Say where on the page the settings are."""
    if on_phone():
        return "behind » at the top left"
    return "in the sidebar"


def notices() -> None:
    """Draw the session's notices, such as on parts of a link that were ignored."""
    sentences = state.notices()
    if sentences:
        st.warning("  \n".join(sentences), icon=":material/link_off:")
        device.button("Got it", "dismiss_notices", state.dismiss_notices, type="tertiary")


def way_on(lesson: Lesson) -> None:
    """Draw the link to the next lesson, or to the home page after the last one."""
    pages = [other.page for other in menu()]
    later = menu()[pages.index(lesson.page) + 1 :]
    if later:
        link(later[0].path, f"**Next lesson: {later[0].title}**", ":material/arrow_forward:")
    else:
        link("app.py", "Back to all lessons", ":material/home:")
