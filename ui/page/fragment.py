"""Part of a lesson's page that reruns when a setting changes: settings, numbers, verdict, picture.

The rest of the page is sent on full runs only. If it shows numbers that depend on the settings and
that have changed, the fragment asks for a full run, so that no sentence is out of date.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
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

#: Minimum height of a chart on a projector [px]: alone, and next to another picture.
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
    view: str = ""  #: id of the picture in sight, or of the further part that is open
    settings: Any = None  #: the knobs' values when they were last drawn
    #: id of the locked-in option; None if the question was skipped
    guess: str | None = None
    #: most frequent answer in each vote of the visitor's class, by round
    class_winners: Mapping[int, str] = field(default_factory=dict)
    #: functions of the settings with their values when the page was last drawn, see `follow`
    followed: list[tuple[Callable, Any]] = field(default_factory=list)
    charts: list[Figure] = field(default_factory=list)  #: charts that the fragment has drawn
    films: list[Played] = field(default_factory=list)  #: animations that the fragment has sent
    #: names of the charts and animations whose tables and files the last full run has offered
    offered: list[str] = field(default_factory=list)
    notices: Any = None  #: container of the notices to the visitor
    below: Any = None  #: container below the picture, for text that depends on the settings
    under: Any = None  #: on a phone, container below the main knob, for the second of two pictures
    _chart: Any = None  #: container of the fragment
    _pins: Any = None  #: container of the table of pinned results

    def _as_fragment(self, draw: Callable[[bool], None]) -> None:
        """Draw all knobs as one fragment and, with `draw`, the picture as another one inside it.

        A turn of a knob reruns the picture's fragment alone; a press on the chart, which moves
        knobs, reruns both. On a phone the knobs stand between parts of the picture, so both are
        one fragment.

        The disabled knobs before the lock are drawn by the same fragment in the same container:
        drawn elsewhere, each knob would exist twice while the page changes, and the one that
        disappears would remove the knob from the query string.
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

        `pinned` makes the chart from settings and look; with it, the pinned scenarios are drawn on
        the chart, too. It may return None for a scenario that would take too long to compute.
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
        redraw = self.knobs.redraw
        figures.chart(figure, self.lesson.id, grabbed, tapped, self._drag, redraw, gives)
        self.charts.append(figure)

    def _drag(self, knob: str, value: float) -> None:
        """Set a knob to the value of the chart's line that the visitor has dragged."""
        self.knobs.turn(Grab(knob), self.settings, value)

    @property
    def in_two(self) -> bool:
        """Whether the current view has another picture next to its own."""
        view = self.lesson.view(self.view)
        return view.beside is not None or view.charts is not None

    def follow(self, value_of: Callable) -> None:
        """Rerun the page when the value of a function of the settings changes.

        This is for values that are shown outside the fragment.
        """
        self.followed.append((value_of, value_of(self.settings)))

    def fold(self, label: str, name: str, icon: str) -> device.Box | None:
        """Draw an expander whose content is made only while it is open; return it if it is open.

        A script always sees it open.
        """
        return device.expander(label, f"{self.lesson.id}_{name}", icon)

    @property
    def hand(self) -> Any:
        """Context for text of changing height.

        On a phone it is below the chart, so that the chart does not move.
        """
        return self.knobs.hand or nullcontext()

    @property
    def values(self) -> Mapping[str, str]:
        """Numbers for the lesson's texts at the current settings, computed once."""
        return self.lesson.values(self.settings)

    def note(self, texts: Sequence) -> None:
        """Rerun the page when a live number in these texts outside the fragment changes."""
        strings = [getattr(text, "feedback", None) or getattr(text, "text", text) for text in texts]
        names = {name for text in strings for name in PLACEHOLDER.findall(text)}
        self.follow(partial(self._numbers, names))

    def _numbers(self, names: Iterable[str], settings: Any) -> list[str]:
        """Return the numbers of the lesson's texts with these names at some settings."""
        values = self.lesson.values(settings)
        return [values[name] for name in names]

    def _names(self) -> list[str]:
        """Return the names of the pictures that the fragment has drawn."""
        return [*(figure.name for figure in self.charts), *(film.name for film in self.films)]


@lru_cache(maxsize=256)
def _at_least(figure: Figure, height: int) -> Figure:
    """Return the chart with a height of at least `height` [px]."""
    height = max(height, figure.spec["height"])
    return replace(figure, spec={**figure.spec, "height": height})


class Redraw:
    """Drawing of the fragment: first in a full run, then alone when settings change.

    Streamlit keeps the methods `all` and `picture` as fragments and reruns them.
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
            # A rerun may write only to containers that the full run has written to, even a full
            # run that was given up: any other container ends in an error.
            if page.below is not None:
                page.below.empty()
            if page._pins is not None and compare.pinned(page.lesson.id):
                page._pins.empty()

    def _begin(self) -> None:
        """Wait for this session's turn to draw; in a rerun, start with new knobs and no pictures.

        Knobs are drawn once: in a rerun the query string, for one, has been read already.
        """
        time_slices.wait_to_draw(turn=not self.full_run)
        if not self.full_run:
            self.page.knobs = self.page.knobs.again()
            self.page.charts = []
            self.page.films = []
