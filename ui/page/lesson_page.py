"""A lesson's page: predict, test, find, and only then be told.

Top to bottom after the lock: what the visitor said and the button that tests it; the choice of
pictures; numbers, picture, verdict; the explanation, once earned; challenge; reflection, takeaways,
the same idea elsewhere; how to fix it; further parts, each of which takes the place of all this;
derivation, sources and tools.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import streamlit as st

from ui.base import device, state, time_slices
from ui.base.device import line, on_phone, said
from ui.base.lesson import Preset, Verdict, View
from ui.base.words import Test
from ui.page import class_answers, parts, pictures, prediction, projector, shell, tools
from ui.page.fragment import Fragment
from ui.record import ledger, local_storage, recall
from ui.server import memory

#: Beside a verdict, by whether it is good, bad or neither.
ICONS = {
    True: ":green[:material/check_circle:]",
    False: ":red[:material/warning:]",
    None: ":material/info:",
}


@dataclass
class Page(Fragment):
    """One lesson's page while it is being drawn."""

    view: str = ""  #: the picture in sight, a further part's too
    why: Any = None  #: the place of the explanation
    _open: tuple[bool, ...] = ()  #: what of the page was open when this full run began
    _closed: bool = False  #: whether a full run has drawn all of the page

    @property
    def first(self) -> str:
        """The picture with which the lesson opens."""
        return self.lesson.pictures[0].id

    @property
    def part(self) -> View | None:
        """The further part that is open; None in the lesson itself."""
        return self.lesson.parts.get(self.view)

    @property
    def playing(self) -> bool:
        """Whether the visitor has started the challenge, whose task then stands in the place of the
        prediction.
        """
        return (
            self.part is None and self.lesson.challenge is not None and bool(self._held("playing"))
        )

    def start(self) -> None:
        """Draw everything above the picture, and end the run there until the prediction is locked."""
        self.view = self._chosen()
        view = self.lesson.view(self.view)
        self.knobs.shown = view.knobs
        self.knobs.also = view.also
        if self.knobs.entered:
            self._hold(laboratory=state.came_from() == "laboratory")
            self._hold(last=None)  # what a link or an earlier visit brings is no turn of a knob
        if not on_phone():
            with st.sidebar:
                self.knobs.offer(self.lesson.presets)
        self.notices = st.container()
        self.knobs.take_texts(self.lesson.settings)
        if not self.knobs.enabled:
            self._as_fragment(lambda full_run: None)
            self._before_the_lock()
        self.guess = prediction.answer(self.lesson)
        self.class_said = class_answers.winners(self.lesson)
        self._open = self._opened()
        if not local_storage.possible():
            with self.notices:
                shell.take_along()
        if self.part:
            self._way_back()
        else:
            self._top_line()
        self._choice()
        if hasattr(view.module, "above"):
            view.module.above(self)
        self._chart = st.container()
        if on_phone():
            self.knobs.offer(self.lesson.presets)
        self.below, self.why, self._rest, self._pins = (st.container() for _ in range(4))

    def _flow(self) -> Mapping[str, Any]:
        found = state.read(state.FLOW).get(self.lesson.id)
        if isinstance(found, Mapping):
            return found
        return {}

    def _held(self, name: str) -> Any:
        return self._flow().get(name)

    def _hold(self, **fields: object) -> None:
        state.write(state.FLOW, self.lesson.id, {**self._flow(), **fields})

    # What is in sight

    def _chosen(self) -> str:
        """Return the picture that the visitor, a link or a preset has chosen, and note it in the
        query string.
        """
        key = f"{self.lesson.id}_view"
        first = self.first
        known = self._known()
        back = state.stepped_in_history()
        if self.knobs.entered or back:
            asked = self.knobs.query.get(key, first if back else None)
        else:
            asked = None
        chosen = next(
            (one for one in (asked, state.get(key), self._held("view")) if one in known), first
        )
        self._hold(view=chosen)
        if state.get(key) != chosen:
            state.put(key, chosen)
        if chosen == first:
            wanted = None
        else:
            wanted = chosen
        if self.knobs.enabled and st.query_params.get(key) != wanted:
            if wanted:
                st.query_params[key] = wanted
            else:
                del st.query_params[key]
        return chosen

    def _known(self) -> Mapping[str, View]:
        """Return the views that may be seen now: one that tells a question's answer waits for its
        lock.
        """
        free = self.look.present or not device.in_browser() or prediction.is_reflected(self.lesson)
        return {view.id: view for view in self.lesson.pictures if free or not view.after}

    def _go(self, view: str) -> None:
        state.put(f"{self.lesson.id}_view", view)

    def _choice(self) -> None:
        """Draw the choice of pictures, directly above them; a script finds the further parts among
        them.
        """
        everything = not device.in_browser()
        options = {
            name: view for name, view in self._known().items() if everything or not view.further
        }
        with line(f"{self.lesson.id}_pictures_line"):
            if len(options) > 1 and (everything or self.part is None):
                st.segmented_control(
                    "Pictures",
                    list(options),
                    key=f"{self.lesson.id}_view",
                    format_func=lambda one: self.lesson.views.get(one, one),
                    required=True,
                    label_visibility="collapsed",
                    persist_state="session",
                )
            if self.look.present and not self.playing:
                projector.controls(self.knobs, self.lesson.presets)

    # Above the picture

    def _before_the_lock(self) -> None:
        if self._held("laboratory"):
            parts.back(self.lesson, self._leave_part, True)
        st.markdown(shell.message(self.lesson))
        prediction.ask(self.lesson)
        if on_phone():
            where = ""
        else:
            where = f" {shell.where_knobs()}"
        st.caption(f"The settings{where} become available once you lock in a prediction.")
        local_storage.sync(self.lesson, "question")
        time_slices.leave()
        st.stop()

    def _top_line(self) -> None:
        """Draw what the visitor said and the button that tests it, or what the test has shown, or
        the challenge.
        """
        lesson = self.lesson
        question = self.lesson.prediction
        option = question.option(
            self.guess or question.ids[0]
        )  # who has skipped the question may test the first one
        with st.container(
            horizontal=not on_phone(), vertical_alignment="center", key=f"{lesson.id}_said_line"
        ):
            if self.playing:
                st.markdown(said(f"**Challenge:** {lesson.challenge.task()}"), width="stretch")
                leave = {
                    "key": f"{lesson.id}_challenge_leave",
                    "on_click": self._hold,
                    "kwargs": {"playing": False},
                }
                st.button("Leave the challenge", type="tertiary", **leave)
                return
            tested = "tested" in ledger.steps(lesson.id)
            if self.guess:
                words = f"**You said:** {option.text}"
            else:
                words = "You looked without predicting."
            st.markdown(self._found(option.test) if tested else said(words), width="stretch")
            device.button(
                "Test again" if tested else "Test my prediction",
                f"{lesson.id}_test",
                self._test,
                option.test,
                type="tertiary" if tested else "primary",
                icon=":material/replay:" if tested else ":material/science:",
            )

    def _found(self, test: Test) -> str:
        """Write the prediction beside the model's answer, and as long as the test stands what to
        look at.
        """
        values = self.lesson.values(self.lesson.settings())
        if self.guess:
            who = "You said"
        else:
            who = "One answer"
        if self._open[0]:
            why = f" [Why?](#{self.lesson.id}-explain)"
        else:
            why = ""
        if self._open[2]:
            look = f"  \n:gray[{test.look}]"
        else:
            look = ""
        return said(f"**{who}:** {test.said}. **The model:** {test.found}.{why}{look}", values)

    def _test(self, test: Test) -> None:
        self.knobs.apply(Preset(test.settings, test.view))
        ledger.step(self.lesson.id, "tested")
        self._earn()
        self._hold(looking="now")

    def _way_back(self) -> None:
        with line(f"{self.lesson.id}_part_line"):
            st.markdown(parts.heading(self.part), width="stretch")
            parts.back(self.lesson, self._leave_part, bool(self._held("laboratory")))

    # The picture

    def run(self) -> None:
        """Draw the whole page."""
        self.show()
        self.close()

    def show(self) -> None:
        """Draw the page from its top to the picture in sight."""
        self.start()
        view = self.lesson.view(self.view)
        if parts.asks_first(self.lesson, self.part):
            with self._chart:
                parts.ask(self.lesson, self.part, self._take_guess)
            self._as_fragment(lambda full_run: None)
            return

        def draw(settings: Any) -> None:
            parts.judge(self.lesson, self.part)
            metrics, verdict = (self.lesson.speaker(view, name) for name in ("metrics", "verdict"))
            if self.lesson.coarse and self.part is None:
                self._refine(view, settings, metrics, verdict)
            else:
                self.metrics(metrics(settings))
                pictures.draw_picture(self, view, settings)
                self.verdict(verdict(settings))
            with self.below:
                words = view.paragraph(settings)
                if words:
                    st.caption(said(words))
                if hasattr(view.module, "below"):
                    view.module.below(self, view.shown(settings))

        self.explore(draw)

    def _refine(self, view: View, settings: Any, metrics: Callable, verdict: Callable) -> None:
        """Draw first numbers and the picture soon, and the numbers again as they are computed from
        more.
        """
        numbers = st.empty()
        picture = st.container()
        with self.hand:
            sentence = st.empty()
        for number, stage in enumerate(chain(self.lesson.coarse(settings), (settings,))):
            last = stage is settings
            found = metrics(stage)
            with numbers.container():
                self.metrics(found, "metrics" if last else f"metrics_{number}")
            if not number:
                with picture:
                    pictures.draw_picture(self, view, settings)
            if not last:
                sentence.caption(
                    "First numbers, while more runs are simulated. Changing a setting stops them."
                )
        self.verdict(verdict(settings), sentence.container())

    def verdict(self, verdict: Verdict, place: Any = None) -> None:
        """Name the bottleneck, during the challenge how far it has come; and what else is set out
        of sight.
        """
        if self.part is None and self.lesson.challenge:
            judged = self.lesson.challenge.judge(self.settings)
            # In a browser it is won by who has started it; a script need not.
            if judged.good and (self.playing or not device.in_browser()):
                self._win()
            if self.playing:
                verdict = judged
        with place or self.hand:
            st.markdown(f"{ICONS[verdict.good]} {said(verdict.text)}")
        found = self.knobs.away
        if found:
            with place or self.hand:
                st.caption(f":material/visibility_off: Also set: {'; '.join(found.values())}.")

    def _win(self) -> None:
        ledger.keep_first(self.lesson.id, won=dict(self.knobs.quantities))
        if state.get(state.CLASS_JOINED):
            from ui.record import polls  # only who is in a class needs a database

            polls.tell()

    def earning(self) -> Callable[[], None] | None:
        """Return what a player calls when it is first played; None once the explanation is there."""
        if self._opened()[0]:
            return None
        return self._earn

    def _earn(self) -> None:
        """Note that the explanation is earned; in presenter mode it waits for the lecturer's key."""
        if not self.look.present:
            ledger.step(self.lesson.id, "explained")

    def _keep(self) -> None:
        super()._keep()
        before = self._held("last")
        now = dict(self.knobs.quantities)
        looking = self._held("looking")
        if before == now and looking != "now":
            return
        if before not in (None, now) and not state.stepped_in_history():
            self._earn()
        # A test is looked at until the next turn.
        self._hold(last=now, looking="still" if looking == "now" else None)

    def _opened(self) -> tuple[bool, ...]:
        """Say what of the page is open: the explanation, how to fix it, and what to look at."""
        steps = ledger.steps(self.lesson.id)
        if self.look.present:
            explained = self._held("shown")
        else:
            explained = "explained" in steps
        fix = prediction.is_reflected(self.lesson) or "won" in ledger.record(self.lesson.id)
        return bool(explained), bool(fix), bool(self._held("looking"))

    def _left_behind(self) -> bool:
        elsewhere = self.view != state.get(f"{self.lesson.id}_view")
        return (
            elsewhere or not self._closed or self._open != self._opened() or super()._left_behind()
        )

    # Below it

    def close(self) -> None:
        """Draw everything below the picture."""
        if self._opened() != self._open:
            st.rerun()
        if self.part is None:
            self._explain()
        with self._rest:
            if self.part is None:
                self._challenge()
                self._reflect()
                self._fix()
            self._further()
            if shell.derivation(self.lesson, self.values):
                self._note(self.lesson.derivation)
            tools.row(self)
        shell.way_on(self.lesson)
        local_storage.start_over(self.lesson)
        local_storage.sync(self.lesson, f"{self.view if self.part else ''} {self.playing}")
        memory.set_aside()
        time_slices.leave()
        self._closed = True

    def _explain(self) -> None:
        """Draw the visitor's answer beside the model's once it is earned, until then the button
        that asks for it.
        """
        lesson = self.lesson
        with self.why:
            if self._open[0]:
                self._note(lesson.prediction.options)
                prediction.explain(lesson, self.values)
                class_answers.words(lesson, self.class_said)
                return
            with line(f"{lesson.id}_explain_line"):
                key = f"{lesson.id}_explain"
                icon = ":material/lightbulb:"
                if self.look.present:
                    shortcut = "e"
                else:
                    shortcut = None
                device.button(
                    "Show the explanation", key, self._ask_why, icon=icon, shortcut=shortcut
                )
                if not self.look.present:
                    st.caption(
                        "It appears once you test your prediction or change a setting.",
                        width="stretch",
                    )

    def _ask_why(self) -> None:
        ledger.step(self.lesson.id, "explained")
        self._hold(shown=True)

    def _challenge(self) -> None:
        lesson = self.lesson
        if lesson.challenge is None:
            return
        won = "won" in ledger.record(lesson.id)
        st.header("Challenge", anchor=False)
        with line(f"{lesson.id}_challenge_line"):
            st.markdown(said(lesson.challenge.task()), width="stretch")
            if won:
                words = "Play again"
                icon = "emoji_events"
            else:
                words = "Start the challenge"
                icon = "flag"
            key = f"{lesson.id}_challenge"
            device.button(words, key, self._play, icon=f":material/{icon}:", disabled=self.playing)

    def _play(self) -> None:
        start = self.lesson.challenge.preset
        self.knobs.apply(Preset(start.changes, start.view or self.first))
        self._hold(playing=True)

    def _reflect(self) -> None:
        lesson = self.lesson
        values = self.values
        prediction.reflect(lesson, values)
        if prediction.is_reflected(lesson):
            self._note(lesson.reflection.options)
            st.header("Takeaways", anchor=False)
            st.markdown(said("\n".join(f"- {text}" for text in lesson.takeaways), values))
            self._note(lesson.takeaways)
        self._reply()
        if prediction.is_reflected(lesson) and lesson.transfer:
            st.header("The same idea elsewhere", anchor=False)
            prediction.transfer(lesson, recall.own(lesson), f"{lesson.id}_transfer")

    def _fix(self) -> None:
        """Offer how to fix it, once the reflection is locked or the challenge won: by then it has
        been looked for.
        """
        if self.lesson.remedies is None or not self._open[1]:
            return
        box = self.fold("How could you fix it?", "remedies", ":material/build:")
        if box:
            with box:
                self.follow(lambda settings: settings)
                words = self.lesson.remedies(self.settings)
                st.markdown(said(words or "Nothing needs fixing at these settings."))

    def _reply(self) -> None:
        """Offer an answer to the message's sender, once the visitor has had the time to write one."""
        if not self.lesson.reply:
            return
        if not prediction.is_reflected(self.lesson):
            st.caption(
                "First write your own reply in the box above. Ours appears after you lock in your answer."
            )
            return
        box = self.fold("Our reply", "reply", ":material/reply:")
        if box:
            with box:
                st.markdown(said(self.lesson.reply, self.values))
                self._note([self.lesson.reply])

    def _further(self) -> None:
        """Draw an entry for each of the lesson's other parts, and nothing of them."""
        others = [view for view in self._known().values() if view.further and view != self.part]
        parts.entries(self.lesson, others, self._open_part)

    def _leave_part(self) -> None:
        self._go(self.first)

    def _open_part(self, view: View) -> None:
        """Open a part; what it `opens` with takes the place of what the visitor has left alone."""
        self._go(view.id)
        self.knobs.fill_in(view.opens or {})

    def _take_guess(self, part: View, number: int) -> None:
        """Keep the visitor's guess and set the case that it was about."""
        ledger.keep_guesses(self.lesson, {part.id: number})
        self.knobs.apply(Preset(part.opens or {}, part.id))
