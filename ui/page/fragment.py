"""Part of a lesson's page that reruns when a setting changes: settings, numbers, verdict, picture.

The rest is sent on full runs only. Where it shows numbers of the settings, and these have changed,
the fragment asks for a full run, so that no sentence stays behind.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from ui.base import device, time_slices
from ui.base.lesson import Figure, Grab, Lesson, Metric
from ui.base.words import PLACEHOLDER, fill
from ui.charts.ghosts import with_pins
from ui.charts.handle import places_of
from ui.charts.look import Look
from ui.films import Played
from ui.knobs.places import words_at
from ui.knobs.widgets import Knobs
from ui.page import figures, shell
from ui.record import compare
from ui.server import runs

#: Least height of a projector's chart [px]: of one that has only numbers beside it, half its width,
#: and of one that has another picture beside it.
HALL = 370
HALL_OF_TWO = 330
#: Color of the note under a number, by whether the number is good.
NOTE_COLORS: dict[bool | None, Any] = {None: "gray", True: "green", False: "red"}


@dataclass
class Fragment:
    """Part of the page that reruns when a setting changes, with its data."""

    lesson: Lesson
    look: Look
    knobs: Knobs
    settings: Any = None  #: what the knobs say, as of the last time that they were drawn
    #: the option that the visitor has locked; None if the question was skipped
    guess: str | None = None
    #: what won each vote of the visitor's class, by round
    class_winners: Mapping[int, str] = field(default_factory=dict)
    followed: list[tuple[Callable, Any]] = field(default_factory=list)  #: see `follow`
    below: Any = None  #: the place under the picture, for what else a turn of a knob changes
    charts: list[Figure] = field(default_factory=list)  #: the charts that the fragment has drawn
    films: list[Played] = field(default_factory=list)  #: what the fragment has sent to players
    #: the names of those whose tables and files are offered
    offered: list[str] = field(default_factory=list)
    notices: Any = None  #: the place of what the visitor has to be told
    under: Any = None  #: on a phone, the place under the main knob, for the second of two pictures
    _chart: Any = None  #: the place of the fragment
    _pins: Any = None  #: the place of what is pinned

    def _as_fragment(self, draw: Callable[[bool], None]) -> None:
        """Draw the knobs and, in a fragment of its own, what comes with them.

        A turn of a knob draws the picture's fragment alone, a press on the chart, which moves
        knobs, both. The knobs that are off are a fragment too. A fragment's knobs stand in a box of
        its own in the sidebar; drawn elsewhere before the lock, each knob would be there twice
        while the page changes, and the one that leaves would take the knob's place in the query
        string with it. On a phone the knobs stand among what is drawn, so all is one.
        """
        self.knobs.sidebar = st.sidebar.container()
        st.fragment(Redraw(self, draw).all, key=runs.ALL)()

    def metrics(self, metrics: Sequence[Metric], name: str = "metrics") -> None:
        """Draw at most four headline numbers side by side.

        On a phone, the first two above the settings.
        """
        if device.on_phone():
            metrics = metrics[:2]
            name = name.replace("metrics", "pair")
        with device.row(f"{self.lesson.id}_{name}"):
            for metric in metrics:
                st.metric(
                    metric.label,
                    metric.value,
                    delta=fill(metric.note or "") or None,
                    delta_color=NOTE_COLORS[metric.good],
                    delta_arrow="off",
                    help=metric.help,
                    width="stretch",
                )

    def figure(self, figure: Figure, pinned: Callable | None = None) -> None:
        """Draw a chart with a hidden description; its table is offered below.

        With the function that makes it of settings and look, what is pinned is drawn on it too.
        That may say None where it would have to compute at length.
        """
        if self.look.present:
            figure = _at_least(figure, HALL_OF_TWO if self.in_two else HALL)
        scenarios = compare.scenarios(self.lesson) if pinned else ()
        if pinned and scenarios:
            if figure.reach:
                pinned = partial(pinned, end=figure.reach.end)
            current = pinned(self.settings, self.look)
            pairs = [(name, pinned(settings, self.look)) for name, settings in scenarios]
            ghosts = [(name, ghost) for name, ghost in pairs if ghost is not None]
            figure = with_pins(figure, current or figure, ghosts)
        grabbed = None
        tapped = None
        gives: tuple[str, ...] = ()
        if figure.grab:
            grabbed = partial(self.knobs.turn, figure.grab, self.settings)
            gives = words_at(figure.grab, self.settings, places_of(figure.spec))
        if figure.taps:
            tapped = partial(self.knobs.tap, figure.taps, self.settings)

        def dragged(knob: str, at: float) -> None:
            self.knobs.turn(Grab(knob), self.settings, at)

        figures.chart(figure, self.lesson.id, grabbed, tapped, dragged, self.knobs.redraw, gives)
        self.charts.append(figure)

    @property
    def in_two(self) -> bool:
        """Whether two pictures stand side by side."""
        return False

    def follow(self, what: Callable) -> None:
        """Rerun the page if a function's value that is shown outside the fragment changes."""
        self.followed.append((what, what(self.settings)))

    def fold(self, label: str, name: str, icon: str) -> device.Box | None:
        """Draw an expander whose content is made only while it is open; return it if it is open.

        A script always sees it open.
        """
        return device.expander(label, f"{self.lesson.id}_{name}", icon)

    @property
    def hand(self) -> Any:
        """Context for text of changing height: on a phone it is below the chart, so that the chart
        doesn't move.
        """
        return self.knobs.hand or nullcontext()

    @property
    def values(self) -> Mapping[str, str]:
        """Numbers for the lesson's texts at the current settings, computed once."""
        return self.lesson.values(self.settings)

    def note(self, texts: Sequence) -> None:
        """Rerun the page when a live number in these texts outside the fragment changes."""
        written = [getattr(text, "feedback", None) or getattr(text, "text", text) for text in texts]
        names = {name for text in written for name in PLACEHOLDER.findall(text)}

        def numbers(settings: Any) -> list[str]:
            values = self.lesson.values(settings)
            return [values[name] for name in names]

        self.follow(numbers)

    def _names(self) -> list[str]:
        """Return the names of the pictures that the fragment has drawn."""
        return [*(figure.name for figure in self.charts), *(film.name for film in self.films)]


@lru_cache(maxsize=256)
def _at_least(figure: Figure, height: int) -> Figure:
    """Return a chart that is at least so high [px]."""
    height = max(height, figure.spec["height"])
    return replace(figure, spec={**figure.spec, "height": height})


class Redraw:
    """Drawing of the fragment: first in a full run, then alone when settings change.

    Streamlit keeps its methods as fragments and calls them whenever a knob asks for it.
    """

    def __init__(self, page: Fragment, draw: Callable[[bool], None]):
        self.page = page
        self.draw = draw
        self.on_phone = page.knobs.under_picture and page.knobs.enabled
        self.full_run = True  #: whether this is the run that draws the whole page
        self.with_all_knobs = True  #: whether the fragment of all knobs draws the picture, too

    def all(self) -> None:
        """Draw all settings, and the picture in its own fragment, or on a phone in the same one."""
        self.with_all_knobs = True
        self._begin()
        knobs = self.page.knobs
        chart: AbstractContextManager = nullcontext()
        if self.on_phone:
            chart = st.container()
            knobs.hand = st.container()
            self.page.under = st.container()
        knobs.lay()
        picture = self.picture if self.on_phone else st.fragment(self.picture, key=runs.PICTURE)
        try:
            with chart:
                picture()
        finally:
            self.full_run = False
            self.with_all_knobs = False

    def picture(self) -> None:
        """Draw the picture and the settings that rerun with it."""
        page = self.page
        if not self.with_all_knobs:
            self._begin()
        page.settings = page.knobs.draw()
        if not self.full_run:
            self.draw(False)
            time_slices.leave()
            return
        page.knobs.report_query()
        with page.notices:
            shell.notices()
        try:
            self.draw(True)
        finally:
            # A full run must write to each place outside that a turn may write to, even one that
            # was given up: another place ends in an error.
            if page.below is not None:
                page.below.empty()
            if page._pins is not None and compare.pinned(page.lesson.id):
                page._pins.empty()

    def _begin(self) -> None:
        """Wait for a turn, and make the knobs anew where a full run has drawn them before."""
        time_slices.wait_to_draw(turn=not self.full_run)
        if not self.full_run:
            self.page.knobs = self.page.knobs.again()
            self.page.charts = []
            self.page.films = []
