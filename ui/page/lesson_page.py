"""A lesson's page: predict, test, discover, and only then read the explanation.

From top to bottom, once the prediction is locked in: the prediction and the button that tests it;
the choice of pictures; numbers, picture, verdict; the explanation, once unlocked; challenge;
reflection, takeaways, the same idea elsewhere; how to fix the problem; links to further parts, each
of which replaces all this; derivation, sources, and tools.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import streamlit as st

from ui.base import device, state, time_slices
from ui.base.device import line, on_phone, render_text
from ui.base.lesson import Preset, Verdict, View
from ui.base.lesson.curtain import SENTENCE
from ui.base.questions import Test
from ui.page import class_answers, parts, pictures, prediction, projector, shell, tools
from ui.page.lesson import story, tour
from ui.page.lesson.flow import Flow
from ui.record import ledger, local_storage
from ui.server import memory

#: Icon in front of a verdict, by whether it is good, bad, or neither.
ICONS = {
    True: ":green[:material/check_circle:]",
    False: ":red[:material/warning:]",
    None: ":material/info:",
}
#: Text next to numbers from the first runs of a simulation.
FIRST_NUMBERS = "First numbers, while more runs are simulated. Changing a setting stops them."
#: Fades the numbers in when the curtain is lifted, so that the visitor notices the change.
REVEALED = (
    "<style>@media (prefers-reduced-motion: no-preference) { [class*='_metrics'] "
    "[data-testid='stMetricValue'] { animation: last 0.8s both; } }</style>"
)


@dataclass
class Page(Flow):
    """One lesson's page while it is being drawn."""

    explanation: Any = None  #: container of the explanation
    _rest: Any = None  #: container of the sections below the explanation

    # Above the picture

    def start(self) -> None:
        """Draw everything above the picture; until the prediction is locked in, end the run there.

        The containers below the picture are created here, in their order on the page.
        """
        lesson = self.lesson
        view = self._open_view()
        if not on_phone():
            with st.sidebar:
                self.knobs.offer(lesson.presets)
                projector.let_go()
        self.notices = st.container()
        shell.way_to_class()
        self.knobs.take_texts()
        if not self.knobs.enabled:
            self._as_fragment(_draw_nothing)
            self._before_the_lock()
        self.guess = prediction.answer(lesson)
        self.class_winners = class_answers.winners(lesson)
        self.open = self._opened()
        if not local_storage.possible():
            with self.notices:
                shell.take_along()
        if self.flow("lifted"):
            self.notices.html(REVEALED)
        if self.part:
            self._part_line(self.part)
        else:
            if self.curtained and self.flow("laboratory"):
                self._way_back()
            self._top_line()
        self._choice()
        if view.above is not None:
            view.above(self)
        self._chart = st.container()
        if on_phone():
            self.knobs.offer(lesson.presets)
        self.below = st.container()
        self.explanation = st.container()
        self._rest = st.container()
        self._pins = st.container()

    def _open_view(self) -> View:
        """Choose the view, let the knobs follow it, and return it."""
        if self.knobs.entered:
            tour.leave(self)
            # Settings from a link or an earlier visit do not count as a turn of a knob.
            self.hold(laboratory=state.came_from() == "laboratory", last=None)
        self.view = self._chosen()
        view = self.lesson.view(self.view)
        self.knobs.shown = view.knobs
        self.knobs.also = view.also
        self.knobs.moved = self._moved
        return view

    def _part_line(self, part: View) -> None:
        """Draw the heading of an open part with the way back, and note that the part was opened."""
        ledger.grow(self.lesson, "parts", [part.id])
        with line(f"{self.lesson.id}_part_line"):
            st.markdown(parts.heading(part), width="stretch")
            self._way_back()

    def _before_the_lock(self) -> None:
        """Draw the message and the prediction's question, and end the run."""
        if self.flow("laboratory"):
            self._way_back()
        st.markdown(shell.message(self.lesson))
        prediction.ask(self.lesson)
        where = "" if on_phone() else f" {shell.where_knobs()}"
        st.caption(f"The settings{where} become available once you lock in a prediction.")
        local_storage.sync(self.lesson, "question")
        time_slices.leave()
        st.stop()

    def _top_line(self) -> None:
        """Draw the prediction or the result of its test, or the challenge that is in progress."""
        key = f"{self.lesson.id}_said_line"
        challenge = self.lesson.challenge
        with st.container(horizontal=not on_phone(), vertical_alignment="center", key=key):
            if self.playing and challenge is not None:
                self._challenge_line(challenge.task())
            else:
                self._prediction_line()

    def _challenge_line(self, task: str) -> None:
        """Draw the challenge's task and the button that leaves the challenge."""
        st.markdown(render_text(f"**Challenge:** {task}"), width="stretch")
        leave = partial(self.hold, playing=False)
        key = f"{self.lesson.id}_challenge_leave"
        device.button("Leave the challenge", key, leave, type="tertiary")

    def _prediction_line(self) -> None:
        """Draw the prediction, or once tested its result, and the button that tests it."""
        lesson = self.lesson
        question = lesson.prediction
        # A visitor who has skipped the question may test the first option.
        option = question.option(self.guess or question.ids[0])
        # A visitor who has only turned a knob has not seen the prediction's own settings yet.
        is_tested = "tested" in ledger.steps(lesson.id) and not self.flow("untested")
        if is_tested and option.test is not None:
            text = self._test_result(option.test)
        elif self.guess:
            text = render_text(f"**You said:** {option.text}")
        else:
            text = render_text("You looked without predicting.")
        st.markdown(text, width="stretch")
        label = "Test my prediction"
        style = {"type": "primary", "icon": ":material/science:"}
        if is_tested:
            label = "Test again"
            style = {"type": "tertiary", "icon": ":material/replay:"}
        device.button(label, f"{lesson.id}_test", self._test, option.test, **style)

    def _test_result(self, test: Test) -> str:
        """Write the prediction and the model's answer, and during the test where to look."""
        who = "You said" if self.guess else "One answer"
        text = f"**{who}:** {test.said}. **The model:** {test.found}."
        if self.open.explained:
            text += f" [Why?](#{self.lesson.id}-explain)"
        if self.open.looking:
            text += f"  \n:gray[{test.look}]"
        return render_text(text, self.lesson.values(self.lesson.settings()))

    def _test(self, test: Test) -> None:
        """Callback: set the prediction's own settings, which show whether it is right."""
        self.knobs.apply(Preset(test.settings, test.view or self.view))
        self.hold(looking="now", untested=False, tour=None)

    def _way_back(self) -> None:
        """Draw the button or link back from a further part."""
        parts.back(self.lesson, lambda: self.go(self.first), bool(self.flow("laboratory")))

    # The picture

    def run(self) -> None:
        """Draw the whole page."""
        self.show()
        self.close()

    def show(self) -> None:
        """Draw the page from its top to the current picture."""
        self.start()
        if self.part is not None and parts.asks_first(self.lesson, self.part):
            with self._chart:
                parts.ask(self.lesson, self.part, self._take_guess)
            self._as_fragment(_draw_nothing)
        else:
            self.explore(self._draw)

    def _draw(self, settings: Any) -> None:
        """Draw what a turn of a knob changes: numbers, picture, verdict and paragraph."""
        view = self.lesson.view(self.view)
        if self.curtained:
            self._behind_the_curtain(view)
            return
        parts.judge(self.lesson, self.part)
        metrics = self.lesson.speaker(view, "metrics")
        if self.playing:
            metrics = view.speaker("goals") or metrics
        if self.lesson.coarse and self.part is None:
            self._refine(view, settings, metrics, self.lesson.coarse(settings))
        else:
            self.metrics(tour.in_front(self, metrics(settings)))
            pictures.draw_picture(self, view, settings)
            self.verdict(view, settings)
        if self.stop is not None:
            return  # a step stands directly under the picture it speaks of
        with self.below:
            paragraph = view.paragraph(settings)
            if paragraph:
                st.caption(render_text(paragraph))
            if view.below is not None:
                view.below(self, view.shown(settings))

    def _behind_the_curtain(self, view: View) -> None:
        """Draw the message's case without the number that the prediction asks for."""
        settings = self.lesson.settings()
        # Numbers from few runs will do: they are shown only in part.
        first = settings
        if self.lesson.coarse:
            first = next(self.lesson.coarse(settings), settings)
        self.metrics(view.curtain.metrics(self.lesson.speaker(view, "metrics")(first)))
        pictures.draw_behind_the_curtain(self, view, settings)
        with self.hand, st.container(key=f"{self.lesson.id}_verdict"):
            st.markdown(f":material/help: {SENTENCE}")

    def _refine(self, view: View, settings: Any, metrics: Callable, stages: Iterator[Any]) -> None:
        """Draw first numbers and the picture, then the numbers again as more runs are simulated.

        `stages` are the settings with fewer runs, in the order in which they are computed.
        """
        numbers = st.empty()
        picture = st.container()
        with self.hand:
            sentence = st.empty()
        for number, stage in enumerate(chain(stages, (settings,))):
            name = "metrics" if stage is settings else f"metrics_{number}"
            front = tour.in_front(self, metrics(stage))
            with numbers.container():
                self.metrics(front, name)
            if not number:
                with picture:
                    pictures.draw_picture(self, view, settings)
            if stage is not settings:
                sentence.caption(FIRST_NUMBERS)
        self.verdict(view, settings, sentence.container())

    def verdict(self, view: View, settings: Any, container: Any = None) -> None:
        """Show the verdict or the challenge's progress, and changed settings that are not in sight.

        Settings that win the challenge go into the ledger.
        """
        verdict: Verdict = self.lesson.speaker(view, "verdict")(settings)
        if self.part is None and self.lesson.challenge:
            judged = self.lesson.challenge.judge(settings)
            # In a browser, only a visitor who has started the challenge can win it.
            if judged.good and (self.playing or not device.in_browser()):
                ledger.keep_first(self.lesson.id, won=dict(self.knobs.quantities))
                if state.get(state.CLASS_JOINED):
                    from ui.record import polls  # its database is needed only in a class

                    polls.send_progress()
            if self.playing:
                verdict = judged
        with container or self.hand:
            with st.container(key=f"{self.lesson.id}_verdict"):
                st.markdown(f"{ICONS[verdict.good]} {render_text(verdict.text)}")
            if self.knobs.away:
                also = "; ".join(self.knobs.away.values())
                st.caption(f":material/visibility_off: Also set: {also}.")

    # Below the picture

    def close(self) -> None:
        """Draw everything below the picture."""
        lesson = self.lesson
        if self._opened() != self.open:
            st.rerun()
        position = f"{self.view if self.part else ''} {self.playing}"
        if self.stop is not None:
            position = f"tour {tour.selector(self)}"
        if self.part is None:
            story.explain(self)
        with self._rest:
            if self.part is None:
                story.challenge(self)
                story.reflect(self)
                story.fix(self)
            if not self.open.curtain:
                parts.entries(lesson, self.other_parts(), self.open_part)
                if shell.derivation(lesson, self.values):
                    self.note(lesson.derivation)
            tools.row(self)
        shell.way_on(lesson)
        local_storage.start_over(lesson)
        local_storage.sync(lesson, position)
        memory.set_aside()
        time_slices.leave()
        self._closed = True

    def ask_why(self) -> None:
        """Unlock the explanation at the visitor's request. Call this only in a callback."""
        self.lift()
        ledger.step(self.lesson.id, "explained")
        self.hold(shown=True)

    def play(self, start: Preset) -> None:
        """Start the challenge at its preset. Call this only in a callback."""
        self.knobs.apply(Preset(start.changes, start.view or self.first))
        self.hold(playing=True, tour=None)

    def other_parts(self) -> list[View]:
        """Return the lesson's further parts that are unlocked and not open."""
        return [
            view for view in self._allowed_views().values() if view.further and view != self.part
        ]

    def open_part(self, view: View) -> None:
        """Open a part of the lesson.

        Its `opens` values replace the settings that are still at their defaults. Call this only in
        a callback.
        """
        tour.end(self)
        self.go(view.id)
        self.knobs.fill_in(view.opens or {})

    def _take_guess(self, part: View, number: int) -> None:
        """Callback: save the visitor's guess, and set the part's initial settings."""
        ledger.grow(self.lesson, "guesses", {part.id: number})
        self.knobs.apply(Preset(part.opens or {}, part.id))


def _draw_nothing(full_run: bool) -> None:
    """Draw no picture in the fragment, only the settings."""
