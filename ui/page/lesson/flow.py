"""Visible and unlocked parts of a lesson's page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from ui import films
from ui.base import device, state, time_slices
from ui.base.device import line
from ui.base.lesson import View
from ui.base.words import Stop
from ui.page import prediction, projector
from ui.page.fragment import Fragment
from ui.record import compare, ledger, local_storage

#: Height of the choice of pictures [px].
CHOICE = 28


class Opened(NamedTuple):
    """Which sections of a page are unlocked."""

    curtain: bool = False  #: whether the asked numbers are still held back
    explained: bool = False  #: whether the explanation is earned
    fix: bool = False  #: whether the page offers how to fix it
    looking: bool = False  #: whether a test is still looked at


#: A page of which nothing is open.
NOTHING = Opened()


@dataclass
class Flow(Fragment):
    """State of a visitor's progress through a lesson's page."""

    view: str = ""  #: the picture in sight, a further part's too
    open: Opened = NOTHING  #: sections that were unlocked when this full run began
    _closed: bool = False  #: whether a full run has drawn all of the page

    @property
    def first(self) -> str:
        """Id of the lesson's first picture."""
        return self.lesson.pictures[0].id

    @property
    def part(self) -> View | None:
        """The further part that is open; None in the lesson itself."""
        return self.lesson.parts.get(self.view)

    @property
    def in_two(self) -> bool:
        """Whether the current view has another picture next to its own."""
        view = self.lesson.view(self.view)
        return view.beside is not None or view.charts is not None

    @property
    def playing(self) -> bool:
        """Whether the challenge is in progress; its task then replaces the prediction."""
        return (
            self.part is None and self.lesson.challenge is not None and bool(self.flow("playing"))
        )

    @property
    def curtained(self) -> bool:
        """Whether the predicted number is still hidden because nothing has been tested yet."""
        return ledger.is_curtained(self.lesson)

    @property
    def stop(self) -> Stop | None:
        """Current step of the tour; None outside a tour."""
        under_way = self.flow("tour")
        if under_way is None or self.part is not None:
            return None
        return self.lesson.tour[under_way["at"] - 1]

    def flow(self, name: str) -> Any:
        """Return this visit's value under a name in the page's state; None if there is none."""
        return state.entry(state.FLOW, self.lesson.id).get(name)

    def hold(self, **fields: Any) -> None:
        """Store values in this visit's state of the page."""
        state.write(state.FLOW, self.lesson.id, state.entry(state.FLOW, self.lesson.id) | fields)

    def explore(self, draw: Callable[[Any], None]) -> None:
        """Draw the settings and call `draw` with their values, as a fragment.

        A turn of a knob runs this part alone. It is run again with what the last full run left, so
        the knobs are made anew: the query string has been read by then.
        """

        def draw_all(full_run: bool) -> None:
            """Draw all; if that takes too long to compute, show a warning and end the run."""
            try:
                self._notice()
                draw(self.settings)
                self._keep()
            except time_slices.TooLong:
                text = f"{time_slices.given_up()} Undo your last change or choose a preset."
                st.warning(text, icon=":material/timer_off:")
                if full_run:
                    local_storage.sync(self.lesson)
                time_slices.leave()
                st.stop()
            if not full_run and self._left_behind():
                st.rerun()

        with self._chart:
            self._as_fragment(draw_all)
            self.offered = self._names()

    # What is in sight

    def _chosen(self) -> str:
        """Return the picture that the visitor, a link or a preset has chosen, and note it in the
        query string.

        Behind the curtain it is the first one; what a link has chosen waits.
        """
        key = f"{self.lesson.id}_view"
        first = self.first
        allowed = self._allowed_views()
        back = state.stepped_in_history()
        requested = None
        if self.knobs.entered or back:
            requested = self.knobs.query.get(key, first if back else None)
        # The lock that opens this view may still be on its way from the browser.
        early = requested not in allowed and not state.get("_restored")
        candidates = (requested, self.flow("asked"), state.get(key), self.flow("view"))
        chosen: Any = next((view for view in candidates if view in allowed), first)
        self.hold(view=chosen, asked=requested if early else None)
        if state.get(key) != chosen:
            state.put(key, chosen)
        self.knobs.say(key, "" if chosen == first else chosen)
        if self.curtained:
            return first
        return chosen

    def _allowed_views(self) -> Mapping[str, View]:
        """Return the views that may be seen now: one that tells a question's answer waits for its
        lock.
        """
        is_free = (
            self.look.present or not device.in_browser() or prediction.is_reflected(self.lesson)
        )
        return {view.id: view for view in self.lesson.pictures if is_free or not view.after}

    def go(self, view: str) -> None:
        """Open a view of the lesson. Call this only in a callback."""
        state.put(f"{self.lesson.id}_view", view)

    def _choice(self) -> None:
        """Draw the choice of pictures, directly above them; a script finds the further parts among
        them.
        """
        everything = not device.in_browser()
        options = {
            name: view
            for name, view in self._allowed_views().items()
            if everything or not view.further
        }
        with line(f"{self.lesson.id}_pictures_line"):
            if len(options) > 1 and not self.curtained and (everything or self.part is None):
                st.segmented_control(
                    "Pictures",
                    list(options),
                    key=f"{self.lesson.id}_view",
                    format_func=lambda view_id: self.lesson.views.get(view_id, view_id),
                    required=True,
                    label_visibility="collapsed",
                    persist_state="session",
                )
            if len(options) > 1 and self.curtained and not everything:
                # The choice comes with the test: its place is kept, so that the picture stands
                # still.
                st.container(height=CHOICE, border=False)
            if self.look.present and not self.playing:
                projector.controls(self.knobs, self.lesson.presets)

    # What is open

    def earning(self) -> Callable[[], None] | None:
        """Callback for a player's first start; None once the explanation is unlocked."""
        if self._opened().explained:
            return None
        return self._earn

    def _earn(self) -> None:
        """Note that the explanation is earned; in presenter mode it waits for the lecturer's
        key.
        """
        if not self.look.present:
            ledger.step(self.lesson.id, "explained")

    def show_film(
        self, key: str, sent: Callable, settings: Any, clock: str = "", at: float = 0.0
    ) -> None:
        """Draw a player next to a chart (see `films.play`); the visitor may save the animation."""
        self.keep_film(films.play(key, sent, settings, self.look, clock, at, self.earning()))

    def keep_film(self, played: films.Played | None) -> None:
        """Add a sent animation, if any, to those that can be saved."""
        if played is not None:
            self.films.append(played)

    def lift(self) -> None:
        """Stop hiding the predicted number, at the visitor's first change or request."""
        if "tested" not in ledger.steps(self.lesson.id):
            self.hold(untested=True, lifted=True)
        ledger.step(self.lesson.id, "tested")

    def _moved(self) -> None:
        """Note that the visitor has set knobs by a preset or in the picture."""
        self.lift()
        self._earn()

    def _notice(self) -> None:
        """Notice a turn of a knob since the last run, which raises the curtain and earns the
        explanation.
        """
        last = self.flow("last")
        current = dict(self.knobs.quantities)
        is_new_test = self.flow("looking") == "now"
        if last == current and not is_new_test:
            return
        if last not in (None, current) and not state.stepped_in_history():
            self._moved()
        # A test is looked at until the next turn.
        self.hold(last=current, looking="still" if is_new_test else None)

    def _keep(self) -> None:
        """Put settings and results into the ledger, and what changed into the browser's copy; draw
        what is pinned. Settings that a tour has set are not the visitor's.
        """
        fields: dict = {"settings": dict(self.knobs.quantities)}
        if not self.curtained:
            results = self.lesson.results(self.settings)
            compare.show(self.knobs, results, self._pins)
            fields["results"] = {result.label: result.text for result in results}
        if self.flow("tour") is None:
            ledger.update(self.lesson.id, **fields)
        local_storage.sync_tried(self.lesson)

    def _opened(self) -> Opened:
        explained = "explained" in ledger.steps(self.lesson.id)
        if self.look.present:
            explained = bool(self.flow("shown"))
        fix = prediction.is_reflected(self.lesson) or "won" in ledger.record(self.lesson.id)
        return Opened(self.curtained, explained, fix, bool(self.flow("looking")))

    def _left_behind(self) -> bool:
        """Say whether something outside the fragment is no longer that of the settings."""
        elsewhere = not self.open.curtain and self.view != state.get(f"{self.lesson.id}_view")
        stale = not self._closed or self.open != self._opened() or self._names() != self.offered
        followed = (what(self.settings) != before for what, before in self.followed)
        return elsewhere or stale or any(followed)
