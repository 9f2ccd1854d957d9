"""The frame around every page: title, menu, look, and the anatomy that all lessons share."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui.base import device, memory, state, turns
from ui.base.device import on_phone, unbroken
from ui.base.lesson import Lesson, lessons
from ui.base.words import fill
from ui.charts.look import Look, filled
from ui.knobs.widgets import Knobs
from ui.page import prediction, projector
from ui.record import compare, keep, ledger, share

ROOT = Path(__file__).resolve().parents[2]
NAME = "Fleet What-If"
#: A picture of our own: a material icon here would be fetched from another server.
ICON = str(ROOT / "ui" / "icon.png")
#: Pages that are no lessons, in menu order; a page that does not exist is not listed.
OTHER_PAGES = {
    "pages/report.py": ("Your report", ":material/description:"),
    "pages/class_poll.py": ("Class", ":material/groups:"),
    "pages/sources.py": ("Sources", ":material/menu_book:"),
    "pages/corrections.py": ("Corrections", ":material/fact_check:"),
    "pages/staff.py": ("For staff", ":material/school:"),
}
PROGRESS = {
    "new": (":material/radio_button_unchecked:", "not started"),
    "predicted": (":material/lock:", "predicted"),
    "finished": (":material/check_circle:", "finished"),
}

#: What Streamlit has no option for. The words of a knob that is off (2.5 to 1 by default), those on the light blue
#: buttons of the dark page (white by default) and those of a chosen segment are 4.5 to 1 or more, and a locked answer
#: stands out from the others. The menu shows its last entry without a scroll at 720 px. So that nothing jumps, headline
#: numbers (alone in their columns) and the home page's way through the lessons have their places before they are
#: loaded, and what the browser's copy is about to change (`data-restoring`, set by keep.js) is out of sight. On a phone
#: a chart's toolbar, which would cover its title, keeps its last button (full screen); tables of words fit the screen,
#: long formulas break, answers have room for a thumb, and boxes of fixed height grow with their words.
STYLE = """<style>
[data-testid="stSidebar"] [data-testid="stWidgetLabel"] { color: color-mix(in srgb, currentColor 80%, transparent); }
[data-testid="stBaseButton-primary"] { color: light-dark(#ffffff, #111418) !important; }
[data-testid="stSidebar"] [data-testid="stButtonGroup"] :is([kind$="Active"], [aria-checked="true"]) p {
  color: light-dark(#005a8d, #9ad2f4) !important;
}
[data-testid="stRadio"] :is([disabled], [data-disabled]) p { color: light-dark(#5a5a5a, #a9aeb5); }
[data-testid="stRadioOption"][data-disabled][data-selected] p { color: light-dark(#1a1a1a, #eceff3); font-weight: 600; }
[data-testid="stMain"] [data-testid="stMarkdownContainer"] :is(p, li) { text-wrap-style: pretty; }
[data-testid="stPopoverBody"]:has([data-testid="stPageLink"]) { padding: 1rem; }
[data-testid="stPopoverBody"]:has([data-testid="stPageLink"]) [data-testid="stVerticalBlock"] { gap: 6.5px; }
:where([data-testid="stColumn"]) > * > :only-child:has(> [data-testid="stSkeleton"]) { min-height: 5rem; }
.st-key-way [data-testid="stSkeleton"] { height: 2rem; }
.st-key-way [data-testid="stColumn"] :is(:has(> [data-testid="stSkeleton"]), [data-testid="stSkeleton"]) {
  min-height: 0; height: 1.6rem;
}
[data-restoring] [data-testid="stMainBlockContainer"] > * > :not(:has(h1)) { &, & * { visibility: hidden !important; } }
@media (max-width: 640px) {
  [data-testid="stElementToolbarButton"]:not(:last-child) { display: none; }
  [class*="_metrics"] { display: grid !important; grid-template-columns: 1fr 1fr; }
  [class*="_metrics"] > [data-testid="stElementContainer"] { min-width: 0; min-height: 5rem; }
  [class*="_metrics"] [data-testid="stMetric"] :is(p, div) { white-space: normal; text-wrap: wrap; }
  [data-testid="stMarkdown"] table { width: 100%; }
  [data-testid="stMarkdown"] :is(th, td) { padding: 0.2rem 0.25rem; font-size: 0.8rem; overflow-wrap: break-word; }
  [data-testid="stMarkdown"] th { font-size: 0.72rem; }
  .katex-display > .katex { white-space: normal; font-size: 1.15em; }
  .katex-display .katex-html > .base { margin: 0.25em 0; }
  [data-testid="stMain"] [role="radiogroup"] { gap: 0.6rem; }
  :is([data-testid="stLayoutWrapper"]:has(> [overflow="auto"]), [overflow="auto"]) { height: auto !important; }
}
</style>"""


@dataclass(frozen=True)
class Metric:
    """A headline number: label, value as text, a note in words, and whether it is good, bad or neither."""

    label: str
    value: str
    note: str | None = None
    good: bool | None = None
    help: str | None = None


@dataclass(frozen=True)
class Page:
    """One lesson's page while it is being drawn, top to bottom."""

    lesson: Lesson
    knobs: Knobs
    look: Look

    def start(self) -> None:
        """Draw what comes before the lock, and end the run there as long as it is not committed."""
        self.knobs.report_address()
        _notices()
        message = unbroken(fill("  \n".join(f"> {line}" for line in self.lesson.message.splitlines()), {}))
        if not prediction.ask(self.lesson, lead=f"From {self.lesson.sender}:\n\n{message}"):
            st.caption(f"Until you lock, the knobs {_where_knobs()} are off and nothing is computed.")
            keep.sync(self.lesson)
            st.stop()
        if on_phone():
            st.caption(f"Knobs and presets are {_where_knobs()}.")

    def metrics(self, metrics: Sequence[Metric]) -> None:
        """Draw at most four headline numbers side by side."""
        # Columns keep their places while numbers change. On a phone they would fill a screen; a row wraps.
        row = f"{self.lesson.id}_metrics"
        places = [st.container(horizontal=True, key=row)] * len(metrics) if on_phone() else st.columns(len(metrics))
        for place, metric in zip(places, metrics, strict=True):
            color = "gray" if metric.good is None else "green" if metric.good else "red"
            place.metric(
                metric.label,
                metric.value,
                delta=fill(metric.note, {}) if metric.note else None,
                delta_color=color,
                delta_arrow="off",
                help=metric.help,
            )

    def figure(self, name: str, title: str, frame: pd.DataFrame, spec: Mapping, alt: str) -> None:
        """Draw a chart from its kept specification, and its data as a table on demand.

        Parameters
        ----------
        name : str
            The key is `<lesson>_<name>_table`.
        title : str
            The question that the chart answers.
        frame : DataFrame
            Tidy, all layers in one.
        spec : mapping
            From `ui.charts.look.specification`.
        alt : str
            One sentence with the main numbers, for those who cannot see the chart.
        """
        st.markdown(f"**{fill(title, {})}**")
        # The height is said twice: the browser keeps the place while it still loads what draws charts.
        st.vega_lite_chart(spec=filled(spec, frame), alt=alt, width="stretch", height=spec.get("height", "content"))
        below = st.expander("Table", key=f"{self.lesson.id}_{name}_table", on_change="rerun", type="compact")
        if below.open:
            with below:
                st.dataframe(frame, hide_index=True)

    def verdict(self, text: str, good: bool | None = None) -> None:
        """Say in one sentence what binds, and the smallest change that mends it; it stands above the main chart."""
        icon = (
            ":material/info:"
            if good is None
            else ":green[:material/check_circle:]"
            if good
            else ":red[:material/warning:]"
        )
        st.markdown(f"{icon} {unbroken(fill(text, {}))}")

    def views(self, options: Mapping[str, str]) -> str:
        """Draw the choice among further charts, {id: words}, and return the chosen id."""
        key = f"{self.lesson.id}_view"
        state.setdefault(key, next(iter(options)))
        if state.get(key) not in options:
            state.put(key, next(iter(options)))
        chosen = st.segmented_control(
            "More to see",
            list(options),
            key=key,
            format_func=lambda option: options.get(option, option),
            required=True,
            label_visibility="collapsed",
            persist_state="session",
        )
        return chosen if chosen in options else next(iter(options))

    def results(self, results: Sequence[compare.Result]) -> None:
        """Offer to pin these headline numbers, and put them into the ledger with the settings."""
        compare.panel(self.knobs, results, self._beside_pins)
        ledger.update(
            self.lesson.id,
            settings=dict(self.knobs.quantities),
            results={result.label: result.text for result in results},
        )

    def _beside_pins(self) -> None:
        share.panel(self.lesson, self.knobs)
        if self.look.present:
            projector.controls(self.knobs, self.knobs.stories)

    def explain(self, values: Mapping[str, object]) -> None:
        """Draw the visitor's answer beside the model's."""
        prediction.explain(self.lesson, values)

    def close(self, values: Mapping[str, object]) -> None:
        """Draw reflection, derivation, takeaways (once the reflection is locked), sources and the way on."""
        prediction.reflect(self.lesson, values)
        derivation(self.lesson, values)
        if prediction.is_reflected(self.lesson):
            st.header("Takeaways", anchor=False)
            st.markdown(unbroken("\n".join(f"- {fill(text, values)}" for text in self.lesson.takeaways)))
        box, wanted = device.expander("Sources of this lesson", f"{self.lesson.id}_sources", ":material/menu_book:")
        if wanted:
            box.markdown("\n".join(f"- {fill(text, values)}" for text in self.lesson.sources))
        _next(self.lesson)
        keep.start_over(self.lesson)
        keep.sync(self.lesson)
        memory.settle()
        if self.knobs.moved_back:
            st.rerun()
        turns.leave()


def open_page(lesson: Lesson) -> Page:
    """Open a lesson's page: browser title, menu, title, question, and knobs that are off until the lock."""
    look = _open(f"{lesson.title} · {NAME}")
    address = st.query_params.to_dict()
    _step_back_in(lesson, address)
    if state.read(state.CLASS_VOTES):
        from ui.classes import polls

        polls.settle_lesson(lesson)
    ledger.keep_lock(lesson)
    entered = state.enter(lesson.page)
    if entered:
        state.remember_address(address)
    st.title(lesson.title, anchor=False)
    st.markdown(fill(lesson.question, {}))
    knobs = Knobs(
        lesson=lesson.id,
        enabled=prediction.is_locked(lesson),
        address=address,
        entered=entered,
        lesson_ids=tuple(other.id for other in lessons()),
    )
    return Page(lesson, knobs, look)


def _step_back_in(lesson: Lesson, address: Mapping[str, str]) -> None:
    """Give the knobs back that the browser's Back has lost.

    A link of Streamlit's puts the page's bare address into the browser's history before it leaves, and in a run that
    follows Back an address without knobs means defaults, whatever the session holds. So such a run ends at once, and
    the next one, which is none of history, asks for what was kept.
    """
    settings = ledger.record(lesson.id).get("settings")
    bare = not any(key.startswith(f"{lesson.id}_") for key in address)
    if bare and isinstance(settings, Mapping) and state.stepped_in_history():
        state.want(lesson.id, settings)
        st.rerun()


def open_plain(title: str, page: str) -> Look:
    """Open a page that is no lesson: browser title, menu and title."""
    look = _open(f"{title} · {NAME}" if title != NAME else NAME)
    state.enter(page)
    st.title(title, anchor=False)
    return look


def derivation(lesson: Lesson, values: Mapping[str, object]) -> None:
    """Draw the derivation, closed at first; live numbers are filled in."""
    label = "Derivation, with the numbers of your settings"
    box, wanted = device.expander(label, f"{lesson.id}_derivation", ":material/function:")
    if not wanted:
        return
    steps = []
    for step in lesson.derivation:
        formula = f"$$\n{_stacked(step.formula)}\n$$\n\n" if step.formula else ""
        steps.append(f"**{step.title}**\n\n{formula}{unbroken(fill(step.text, values))}")
    box.markdown("\n\n".join(steps))


def _stacked(formula: str) -> str:
    """Put formulas that stand side by side under one another on a phone, where they would not fit."""
    parts = re.split(r"(?:\\qquad\s*)+", formula) if on_phone() else [formula]
    stacked = r" \\[0.6em] ".join(parts)
    return formula if len(parts) == 1 else rf"\begin{{gathered}}{stacked}\end{{gathered}}"


def link(path: str, label: str, icon: str | None = None) -> None:
    """Link to a page of the app, staying in projector mode."""
    query = {"present": "1"} if projector.on() else None
    # Run alone by a script, a page has no siblings to link to; it is complete without them.
    try:
        st.page_link(path, label=label, icon=icon, query_params=query)
    except StreamlitAPIException:
        st.caption(label)


def _open(browser_title: str) -> Look:
    turns.wait_to_draw()
    st.set_page_config(page_title=browser_title, page_icon=ICON, layout="wide")
    look = Look(dark=st.context.theme.type == "dark", present=projector.on())
    # Looks come first: what is drawn before them would move.
    st.html(STYLE + projector.STYLE if look.present else STYLE)
    _menu()
    return look


def _menu() -> None:
    """Draw the way to everywhere, folded, so that the knobs stay in sight; its links are made when it is opened."""
    menu = st.sidebar.popover("Lessons", icon=":material/menu:", width="stretch", key="menu", on_change="rerun")
    if not menu.open:
        return
    with menu:
        link("app.py", "Home", ":material/home:")
        for lesson in lessons():
            icon, words = PROGRESS[ledger.progress(lesson)]
            link(lesson.path, f"{lesson.title} ({words})", icon)
        for path, (label, icon) in OTHER_PAGES.items():
            if (ROOT / path).exists():
                link(path, label, icon)
        projector.switch()


def _where_knobs() -> str:
    return "behind » at the top left" if on_phone() else "in the sidebar"


def _next(lesson: Lesson) -> None:
    pages = [other.page for other in lessons()]
    later = lessons()[pages.index(lesson.page) + 1 :]
    if later:
        link(later[0].path, f"**Next lesson: {later[0].title}**", ":material/arrow_forward:")
    else:
        link("app.py", "Back to all lessons", ":material/home:")


def _notices() -> None:
    if found := state.notices():
        st.warning("  \n".join(found), icon=":material/link_off:")
        st.button("Understood", key="dismiss_notices", on_click=state.dismiss_notices, type="tertiary")
