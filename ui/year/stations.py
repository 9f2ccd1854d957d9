"""Visitor's predictions in the core course next to the model's answers."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ui.base import state
from ui.base.lesson import Lesson, menu, with_page
from ui.base.words import Words
from ui.record import ledger, report

#: Stages of a station: the prediction is not locked in, not tested, or tested.
NOT_YET = "not yet"
UNTESTED = "not tested"
TESTED = "tested"


@dataclass(frozen=True)
class Station:
    """One lesson of the core course with the visitor's progress; texts are plain."""

    number: int  #: position in the course, from 1
    lesson: Words  #: texts of the lesson
    stage: str  #: `NOT_YET`, `UNTESTED` or `TESTED`
    predicted: str = ""  #: the visitor's prediction; "" if none is locked in
    model: str = ""  #: the model's answer; "" before the test
    right: bool | None = None  #: whether the prediction is right; None if skipped or not tested
    certain: bool = False  #: whether the visitor was certain

    @property
    def learned(self) -> str:
        """Takeaway sentence of the lesson; "" before the test."""
        if self.stage == TESTED:
            return self.lesson.learned
        return ""


def core() -> tuple[Words, ...]:
    """Return the lessons of the core course in order."""
    return tuple(lesson for lesson in menu() if not lesson.theme)


def stations() -> list[Station]:
    """Return a station for each lesson of the core course.

    A station has the model's answer only after its prediction was tested, so that no answer leaves
    the server early.
    """
    return [_station(number, lesson) for number, lesson in enumerate(core(), 1)]


def _station(number: int, lesson: Words) -> Station:
    """Return the station of a lesson as far as the visitor has come."""
    answer = state.committed(state.PREDICTIONS, lesson.id, lesson.prediction.ids)
    if answer is None:
        return Station(number, lesson, NOT_YET)
    predicted = report.option_text(lesson.prediction, answer)
    if ledger.is_curtained(lesson):
        return Station(number, lesson, UNTESTED, predicted)
    record = ledger.record(lesson.id) | {"prediction": answer}
    model = report.model(with_page(lesson.page), record, "Prediction")
    right = None
    if answer != state.SKIPPED:
        right = answer == lesson.prediction.right
    certain = ledger.sure(lesson.id) == "certain"
    return Station(number, lesson, TESTED, predicted, model, right, certain)


def in_sum(stations: list[Station]) -> str:
    """Return sentences on right predictions and confident wrong ones; "" before the first test."""
    judged = [station for station in stations if station.right is not None]
    if not judged:
        return ""
    right = sum(bool(station.right) for station in judged)
    sentence = f"You predicted {right} of {len(judged)} answers correctly."
    wrong = [station.lesson.title for station in judged if station.certain and not station.right]
    if wrong:
        sentence += f" You were certain and wrong in {' and '.join(wrong)}."
    return sentence


def plan(lesson: Lesson, won: Mapping[str, Any]) -> str:
    """Return a lesson's sentence on the plan that won its challenge; "" if it has none."""
    if "plan" not in lesson.says or lesson.say is None or not won:
        return ""
    with suppress(ValueError, ArithmeticError):  # a browser may have saved invalid settings
        settings = report.read_settings(lesson.settings, won)[0]
        return lesson.say("plan", settings)
    return ""


def winning_plans(stations: list[Station]) -> Iterator[str]:
    """Yield the lessons' sentences on the visitor's winning plans."""
    for station in stations:
        won = ledger.record(station.lesson.id).get("won")
        if "plan" in station.lesson.says and isinstance(won, Mapping):
            sentence = plan(with_page(station.lesson.page), won)
            if sentence:
                yield sentence
