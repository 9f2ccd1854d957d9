"""Points for a report: what counts, and how much. No Streamlit here.

A wrong guess costs nothing, as the lessons promise: that a prediction was locked counts, not whether it is right,
unless staff say otherwise. What the browser only claims does not count: a challenge is won if the lesson judges so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from physics import pace
from ui.base.lesson import Lesson, lessons
from ui.grades.course import Sheet

#: What may count in a lesson: words, and the weight that it has unless staff say otherwise.
PARTS = {
    "predicted": ("Predictions locked", 1.0),
    "prediction_right": ("Predictions right", 0.0),
    "reflected": ("Reflections locked", 0.0),
    "reflection_right": ("Reflections right", 1.0),
    "challenge": ("Challenges won", 3.0),
}
#: Largest weight.
MOST = 100.0


@dataclass(frozen=True)
class Scheme:
    """How reports are graded: weights of lessons (1 unless named) and of parts, and the points of a perfect report."""

    lessons: Mapping[str, float] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=lambda: {name: weight for name, (_, weight) in PARTS.items()})
    total: float = 100.0

    def __post_init__(self) -> None:
        for name, weight in [*self.lessons.items(), *self.parts.items()]:
            if not 0 <= weight <= MOST:
                raise ValueError(f"the weight of {name} must be between 0 and {MOST:.0f}, got {weight:g}")
        if unknown := [name for name in self.lessons if name not in {lesson.id for lesson in lessons()}]:
            raise ValueError(f"weights name a lesson that this app does not have: {unknown[0]}")
        if unknown := [name for name in self.parts if name not in PARTS]:
            raise ValueError(f"a part must be one of {', '.join(PARTS)}, got {unknown[0]}")
        if not 0 < self.total <= 1000:
            raise ValueError(f"total must be above 0 and at most 1000, got {self.total:g}")
        if not any(self.lessons.get(lesson.id, 1.0) and self.most(lesson) for lesson in lessons()):
            raise ValueError("at least one lesson and one part of it must have a weight")

    def most(self, lesson: Lesson) -> float:
        """Sum of the weights of what a lesson asks; a challenge that it does not have is not asked."""
        return sum(w for name, w in self.parts.items() if name != "challenge" or lesson.challenge)

    def points(self, sheet: Sheet) -> float:
        """Points of a report: the weighted mean of its lessons' shares, times the points of a perfect one."""
        return self._mean(lambda lesson: earned(sheet, lesson))

    def at_random(self) -> float:
        """Return the mean points of who answers every question at random and wins no challenge."""
        return self._mean(_luck)

    def split(self, sheet: Sheet) -> tuple[float, float]:
        """Points that rest on what the browser says was answered, and when; and those judged again from settings."""
        again = self._mean(lambda lesson: {"challenge": earned(sheet, lesson)["challenge"]})
        return self.points(sheet) - again, again

    def _mean(self, earn: Callable[[Lesson], Mapping[str, float]]) -> float:
        """Points where so much of each part is earned in a lesson [1]."""
        total = shares = 0.0
        for lesson in lessons():
            if most := self.most(lesson):
                weight = self.lessons.get(lesson.id, 1.0)
                total += weight
                shares += weight * sum(self.parts.get(k, 0.0) * part for k, part in earn(lesson).items()) / most
        return self.total * shares / total


def earned(sheet: Sheet, lesson: Lesson) -> dict[str, float]:
    """Return how much of each of `PARTS` a report has earned in a lesson [1]."""
    pace.step()
    rights, checked = {kind: right for kind, _, _, right, _ in sheet.answers[lesson.id]}, sheet.checked.get(lesson.id)
    predicted, reflected = rights.get("Prediction"), rights.get("Reflection")
    found = (predicted is not None, predicted, reflected is not None, reflected, checked and checked.won)
    return {name: float(bool(one)) for name, one in zip(PARTS, found, strict=True)}


def _luck(lesson: Lesson) -> dict[str, float]:
    """What who answers at random earns of each part on average [1]."""
    prediction, reflection = 1 / len(lesson.prediction.ids), 1 / len(lesson.reflection.ids)
    return {"predicted": 1, "prediction_right": prediction, "reflected": 1, "reflection_right": reflection}
