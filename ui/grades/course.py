"""Reports of a course, recomputed with the lessons' models: results and points.

Every report is read and checked like a visitor's own import. Its results are then recomputed from
its settings, and the challenge is judged again with the settings that are reported to have won it.
Lessons that simulate take long, so the time is limited: the next record is always one of the lesson
that has used the least processor time so far, and a record that takes too long is given up.

A wrong answer costs nothing, as the lessons promise: `RULE` holds for both questions of a lesson. A
challenge counts as won only if the lesson judges so, whatever the report claims.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from physics import pace
from ui.base import time_slices
from ui.base.lesson import Lesson, lessons
from ui.grades import alike, by_hand
from ui.grades.by_hand import Mark
from ui.grades.handed import Checked, Sheet
from ui.knobs.declared import read as read_settings
from ui.record import report
from ui.record.plain import ReportError

#: Processor time after which a record is given up [s].
LONGEST = 5.0
#: Sentence on what a locked answer is worth, for all texts for students and staff.
RULE = "Locking in an answer counts, right or wrong; being right counts only if you say so."
#: Title and default weight of each part that may count in a lesson.
PARTS = {
    "predicted": ("Predictions locked in", 1.0),
    "prediction_right": ("Predictions right", 0.0),
    "reflected": ("Reflections locked in", 1.0),
    "reflection_right": ("Reflections right", 0.0),
    "challenge": ("Challenges won", 6.0),
}
#: Largest weight.
MOST = 100.0


class Course:
    """All reports opened by `ui.grades.files.opened`, and the progress of recomputing them."""

    def __init__(self, opened: Iterable[tuple[str, bytes, str]]):
        self.sheets: list[Sheet] = []
        #: refused files, each with a sentence that says why
        self.refused: list[tuple[str, str]] = []
        for file, data, refusal in opened:
            pace.step()
            try:
                if refusal:
                    raise ReportError(refusal)
                self.sheets.append(Sheet(file, report.read(data)))
            except ReportError as refused:
                self.refused.append((file, str(refused)))
        self._waiting = {
            lesson.id: deque((lesson, sheet) for sheet in self.sheets if lesson.id in sheet.records)
            for lesson in lessons()
        }
        #: processor time used so far by lesson id [s]
        self._used_time = dict.fromkeys(self._waiting, 0.0)
        self._results: dict[tuple[Any, ...], Any] = {}
        #: last tables as files, after the inputs from which they were written
        self.books: tuple[Any, list[str]] = (None, [])
        #: last feedback pages, after the inputs from which they were written
        self.feedback: tuple[Any, bytes] = (None, b"")
        alike.mark(self.sheets)

    @property
    def left(self) -> int:
        """Number of records that remain to be recomputed."""
        return sum(map(len, self._waiting.values()))

    def go_on(self, seconds: float) -> Iterator[int]:
        """Recompute records until a processor time [s] is used up, and finish the record begun.

        Yield the number left.
        """
        deadline = time.thread_time() + seconds
        while self.left and (start := time.thread_time()) < deadline:
            name = min(
                (waiting for waiting, queue in self._waiting.items() if queue),
                key=self._used_time.__getitem__,
            )
            lesson, sheet = self._waiting[name][0]
            sheet.checked[name] = self.check(lesson, sheet.records[name])
            # Removed only now, because a visitor who leaves may interrupt the check.
            self._waiting[name].popleft()
            self._used_time[name] += time.thread_time() - start
            yield self.left

    def check(self, lesson: Lesson, record: Mapping) -> Checked:
        """Recompute one record; return its differences, or why that failed, and whether it won."""
        differences = []
        won = None
        try:
            with time_slices.turn(LONGEST):
                if "settings" in record or "results" in record:
                    results = self._once(lesson.results, lesson, record.get("settings", {}))
                    # A record has settings but no results until its prediction is tested.
                    if record.get("results"):
                        differences += report.differences(record["results"], results)
                if "won" in record and lesson.challenge:
                    won = self._once(lesson.challenge.judge, lesson, record["won"]).good is True
                    if not won:
                        differences.append("Challenge: reported as won, but not won when rechecked")
        except time_slices.TooLong:
            differences.append(f"The lesson takes more than {LONGEST:.0f} s to compute again.")
        # A forged file may cause any error in a lesson, but the other reports must be graded.
        except Exception as refusal:
            differences.append(f"The lesson cannot be computed again: {refusal}.")
        return Checked(tuple(differences), won)

    def _once(self, function: Callable[[Any], Any], lesson: Lesson, settings: Mapping) -> Any:
        """Return a function's result at a lesson's settings, computed once for equal settings."""
        own = report.of_knobs(lesson, settings)
        key = (function, read_settings(lesson.settings, own)[0])
        if key not in self._results:
            self._results[key] = function(key[1])
        return self._results[key]


@dataclass(frozen=True)
class Scheme:
    """Grading scheme: weights, points of a perfect report, and assigned lessons."""

    #: weights of lessons and of `PARTS` by id; a lesson that is missing here has the weight 1
    weights: Mapping[str, float] = field(default_factory=dict)
    total: float = 100.0  #: points of a perfect report
    assigned: Collection[str] | None = None  #: ids of the lessons that count; None for all
    texts: float = 0.0  #: share of the points for texts, once a text has points [1]
    marks: Mapping[str, Mark] = field(default_factory=dict)  #: manual points by a text's key

    def __post_init__(self) -> None:
        ids = {lesson.id for lesson in lessons()}
        for name, weight in self.weights.items():
            if name not in PARTS and name not in ids:
                raise ValueError(f"There is no lesson or part of a lesson called {name}.")
            if not 0 <= weight <= MOST:
                raise ValueError(
                    f"The weight of {name} must be between 0 and {MOST:.0f}, not {weight:g}."
                )
        for name in self.assigned or ():
            if name not in ids:
                raise ValueError(f"There is no lesson called {name}.")
        if not 0 < self.total <= 1000:
            raise ValueError(
                "The points of a perfect report must be above 0 and at most 1000, not "
                f"{self.total:g}."
            )
        if not 0 <= self.texts <= 1:
            raise ValueError(
                f"The share of the texts must be between 0 and 100%, not {100 * self.texts:g}%."
            )
        if not any(
            self.weight(lesson.id) and self.full_weight(lesson) for lesson in self.lessons()
        ):
            raise ValueError("At least one lesson and one of its parts must have a weight above 0.")

    def lessons(self) -> list[Lesson]:
        """Return the assigned lessons in menu order."""
        if self.assigned is None:
            return list(lessons())
        return [lesson for lesson in lessons() if lesson.id in self.assigned]

    def weight(self, name: str) -> float:
        """Return the weight of a lesson or of a part, by its id."""
        return self.weights.get(name, PARTS.get(name, ("", 1.0))[1])

    def full_weight(self, lesson: Lesson) -> float:
        """Return the sum of the weights of a lesson's parts; not all lessons have a challenge."""
        return sum(self.weight(name) for name in PARTS if name != "challenge" or lesson.challenge)

    def points(self, sheet: Sheet) -> float:
        """Return the points of a report: those of its lessons, and the manual ones of its texts."""
        return self._points(lambda lesson: earned(sheet, lesson)) + self.by_hand(sheet)

    def by_hand(self, sheet: Sheet) -> float:
        """Return the points of a report's texts; 0 as long as no text of the course has points."""
        share = self._share_of_texts()
        if not share:
            return 0.0
        return self.total * share * by_hand.earned(sheet, self.lessons(), self.marks)

    def _share_of_texts(self) -> float:
        """Return the share of all points that is for texts [1]."""
        if any(mark.points is not None for mark in self.marks.values()):
            return self.texts
        return 0.0

    def at_random(self) -> float:
        """Return the mean points of a student who answers at random and wins no challenge."""
        return self._points(_luck)

    def split(self, sheet: Sheet) -> tuple[float, float]:
        """Split a report's points into those from the browser's records and those recomputed."""
        recorded = self._points(lambda lesson: earned(sheet, lesson) | {"challenge": 0.0})
        recomputed = self._points(lambda lesson: {"challenge": earned(sheet, lesson)["challenge"]})
        return recorded, recomputed

    def _points(self, earn: Callable[[Lesson], Mapping[str, float]]) -> float:
        """Return the points for the share [1] of each part that `earn` gives for a lesson."""
        total = 0.0
        shares = 0.0
        for lesson in self.lessons():
            full = self.full_weight(lesson)
            if full:
                total += self.weight(lesson.id)
                weighted = sum(self.weight(part) * share for part, share in earn(lesson).items())
                shares += self.weight(lesson.id) * weighted / full
        return self.total * (1 - self._share_of_texts()) * shares / total


def earned(sheet: Sheet, lesson: Lesson) -> dict[str, float]:
    """Return the share of each of `PARTS` that a report has earned in a lesson [1]."""
    pace.step()
    rights = {answer.kind: answer.right for answer in sheet.answers[lesson.id]}
    checked = sheet.checked.get(lesson.id)
    predicted = rights.get("Prediction")
    reflected = rights.get("Reflection")
    return {
        "predicted": float(predicted is not None),
        "prediction_right": float(predicted is True),
        "reflected": float(reflected is not None),
        "reflection_right": float(reflected is True),
        "challenge": float(checked is not None and checked.won is True),
    }


def _luck(lesson: Lesson) -> dict[str, float]:
    """Return the mean share of each part that random answers earn in a lesson [1]."""
    return {
        "predicted": 1,
        "prediction_right": 1 / len(lesson.prediction.ids),
        "reflected": 1,
        "reflection_right": 1 / len(lesson.reflection.ids),
    }
