"""What a visitor has seen and unlocked on a lesson's page, and which picture is in sight."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
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
CHOICE_HEIGHT = 28


class Opened(NamedTuple):
    """Which sections of a page are unlocked."""

    curtain: bool = False  #: whether the predicted number is still hidden
    explained: bool = False  #: whether the explanation is unlocked
    fix: bool = False  #: whether the page offers how to fix the problem
    looking: bool = False  #: whether the picture still shows the test of the prediction


@dataclass
class Flow(Fragment):
    """State of a visitor's progress through a lesson's page.

    The curtain hides the predicted number until the prediction is tested or a setting is changed,
    see `ui.record.ledger.is_curtained`. A visit stores these values with `hold`, by name:

    | name | value |
    |---|---|
    | `view` | id of the chosen picture |
    | `asked` | id of a picture that a link requests and that may be unlocked soon |
    | `last` | settings in the last run |
    | `lifted` | whether a changed setting has lifted the curtain |
    | `untested` | whether the prediction has not been tested since then |
    | `looking` | "now" in the run after a test, "still" until the next change, None after it |
    | `playing` | whether the challenge is in progress |
    | `tour` | tour that is in progress, see `ui.page.lesson.tour` |
    | `shown` | whether the explanation was requested; counts only on a projector |
    | `laboratory` | whether the visitor came from the laboratory |
    """

    #: sections that were unlocked when this full run began
    open: Opened = field(default_factory=Opened)
    _closed: bool = False  #: whether a full run has drawn the page to its end

    @property
    def first(self) -> str:
        """Id of the lesson's first picture."""
        return self.lesson.pictures[0].id

    @property
    def part(self) -> View | None:
        """The further part that is open; None in the lesson itself."""
        return self.lesson.parts.get(self.view)

    @property
    def playing(self) -> bool:
        """Whether the challenge is in progress; its task then replaces the prediction."""
        has_challenge = self.part is None and self.lesson.challenge is not None
        return has_challenge and bool(self.flow("playing"))

    @property
    def curtained(self) -> bool:
        """Whether the predicted number is still hidden because nothing has been tested yet."""
        return ledger.is_curtained(self.lesson)

    @property
    def stop(self) -> Stop | None:
        """Current step of the tour; None outside a tour."""
        tour = self.flow("tour")
        if tour is None or self.part is not None:
            return None
        return self.lesson.tour[tour["at"] - 1]

    def flow(self, name: str) -> Any:
        """Return the value that this visit has stored under a name for the page; None if none."""
        return state.entry(state.FLOW, self.lesson.id).get(name)

    def hold(self, **fields: Any) -> None:
        """Store values for the page, by name, until the end of this visit."""
        state.write(state.FLOW, self.lesson.id, state.entry(state.FLOW, self.lesson.id) | fields)

    def explore(self, draw: Callable[[Any], None]) -> None:
        """Draw the settings and call `draw` with their values, as a fragment.

        A turn of a knob reruns only this fragment, on the page object of the last full run.
        """
        with self._chart:
            self._as_fragment(partial(self._draw_all, draw))
            self.offered = self._names()

    def _draw_all(self, draw: Callable[[Any], None], full_run: bool) -> None:
        """Call `draw`; if that takes too long to compute, show a warning and end the run."""
        try:
            self._note_change()
            draw(self.settings)
            self._save()
        except time_slices.TooLong:
            text = f"{time_slices.given_up()} Undo your last change or choose a preset."
            st.warning(text, icon=":material/timer_off:")
            if full_run:
                local_storage.sync(self.lesson)
            time_slices.leave()
            st.stop()
        if not full_run and self._is_outdated():
            st.rerun()

    # The picture in sight

    def _chosen(self) -> str:
        """Return the id of the chosen picture, and write it into the query string.

        The visitor, a link, or a preset has chosen it. Behind the curtain the page shows the first
        picture, and the choice of a link waits.
        """
        key = f"{self.lesson.id}_view"
        first = self.first
        allowed = self._allowed_views()
        back = state.stepped_in_history()
        requested = None
        if self.knobs.entered or back:
            requested = self.knobs.query.get(key, first if back else None)
        # The browser may not have sent yet the answer that unlocks this view.
        may_unlock = requested not in allowed and not state.get("_restored")
        candidates = (requested, self.flow("asked"), state.get(key), self.flow("view"))
        chosen: Any = next((view for view in candidates if view in allowed), first)
        self.hold(view=chosen, asked=requested if may_unlock else None)
        if state.get(key) != chosen:
            state.put(key, chosen)
        self.knobs.say(key, "" if chosen == first else chosen)
        if self.curtained:
            return first
        return chosen

    def _allowed_views(self) -> Mapping[str, View]:
        """Return the views that may be shown now, by id.

        A view that reveals the answer to the second question waits for that answer.
        """
        unlocked = (
            self.look.present or not device.in_browser() or prediction.is_reflected(self.lesson)
        )
        return {view.id: view for view in self.lesson.pictures if unlocked or not view.after}

    def go(self, view: str) -> None:
        """Open a view of the lesson. Call this only in a callback."""
        state.put(f"{self.lesson.id}_view", view)

    def _choice(self) -> None:
        """Draw the choice of pictures, directly above them.

        Outside a browser the choice includes the further parts.
        """
        in_browser = device.in_browser()
        options = [
            name
            for name, view in self._allowed_views().items()
            if not (in_browser and view.further)
        ]
        with line(f"{self.lesson.id}_pictures_line"):
            if len(options) > 1 and not self.curtained and not (in_browser and self.part):
                st.segmented_control(
                    "Pictures",
                    options,
                    key=f"{self.lesson.id}_view",
                    format_func=lambda view_id: self.lesson.views.get(view_id, view_id),
                    required=True,
                    label_visibility="collapsed",
                    persist_state="session",
                )
            if len(options) > 1 and self.curtained and in_browser:
                # The choice appears with the test; an empty container of its height keeps the
                # picture from moving then.
                st.container(height=CHOICE_HEIGHT, border=False)
            if self.look.present and not self.playing:
                projector.controls(self.knobs, self.lesson.presets)

    # Unlocked sections

    def earning(self) -> Callable[[], None] | None:
        """Return the callback for a player's first start; None once the explanation is unlocked."""
        if self._opened().explained:
            return None
        return self._earn

    def _earn(self) -> None:
        """Unlock the explanation; in presenter mode, only the lecturer's key does that."""
        if not self.look.present:
            ledger.step(self.lesson.id, "explained")

    def show_film(
        self, key: str, data_for: Callable, settings: Any, clock: str = "", at: float = 0.0
    ) -> None:
        """Draw a player as `films.play` does; the visitor may save the animation."""
        self.keep_film(films.play(key, data_for, settings, self.look, clock, at, self.earning()))

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
        """Lift the curtain and unlock the explanation, because the visitor has set knobs."""
        self.lift()
        self._earn()

    def _note_change(self) -> None:
        """Compare the knobs with those of the last run, and respond to a change by the visitor."""
        last = self.flow("last")
        current = dict(self.knobs.quantities)
        is_new_test = self.flow("looking") == "now"
        if last == current and not is_new_test:
            return
        if last not in (None, current) and not state.stepped_in_history():
            self._moved()
        # The picture shows a test until the next change of a setting.
        self.hold(last=current, looking="still" if is_new_test else None)

    def _save(self) -> None:
        """Save settings and results in the ledger and the browser; draw the table of pins.

        Settings that a tour has set are not the visitor's and are not saved.
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
        """Return the sections that are unlocked now."""
        explained = "explained" in ledger.steps(self.lesson.id)
        if self.look.present:
            explained = bool(self.flow("shown"))
        fix = prediction.is_reflected(self.lesson) or "won" in ledger.record(self.lesson.id)
        return Opened(self.curtained, explained, fix, bool(self.flow("looking")))

    def _is_outdated(self) -> bool:
        """Return whether something outside the fragment no longer matches the settings."""
        other_view = not self.open.curtain and self.view != state.get(f"{self.lesson.id}_view")
        if other_view or not self._closed:
            return True
        if self.open != self._opened() or self._names() != self.offered:
            return True
        return any(value_of(self.settings) != before for value_of, before in self.followed)
