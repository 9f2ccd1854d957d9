"""Exam questions of the lessons: a template with random numbers, and a solution from a model.

`lessons/<page>/exam.toml` holds them:

    [[questions]]
    points = 4
    vary = { gpus_per_job = [64, 128, 256] }     # settings of the lesson, SI, one of each is drawn
    fixed = { added = 256 }                      # may be missing
    numbers = { memory = ["mem", 1e-9] }         # {exam.memory:…}: a quantity times a factor; may be missing
    text = "A fleet has {fleet:number} GPUs …"   # placeholders as in words.toml
    solution = "… {wait:time}."
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ui.base.lesson import Lesson
from ui.base.lesson.view import in_use_by
from ui.base.records import Table
from ui.base.words import FOLDER, parsed
from ui.knobs.declared import read

FILE = "exam.toml"
#: Numbers by which sets of numbers are drawn.
NUMBERS = range(1, 1000)


@dataclass(frozen=True)
class Form:
    """Exam question before its numbers are drawn."""

    text: str
    solution: str
    points: int
    vary: Mapping[str, Any]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)


class Question(NamedTuple):
    """Exam question with its numbers and its solution."""

    lesson: Lesson
    points: int
    settings: Any  #: of the lesson, with the drawn numbers
    text: str
    solution: str


@lru_cache(maxsize=64)
def forms(page: str) -> tuple[Form, ...]:
    """Return the exam questions of a lesson; empty if it has no file of them."""
    path = FOLDER / page / FILE
    if not path.exists():
        return ()
    name = f"{page}/{FILE}"
    return tuple(
        table.record(Form) for table in Table(name, "", parsed(path, name)).tables("questions")
    )


def draw_questions(lessons: Iterable[Lesson], number: int) -> list[Question]:
    """Return the lessons' exam questions with the random numbers of draw `number`.

    Raises
    ------
    ValueError
        If there is no such draw.
    """
    if number not in NUMBERS:
        raise ValueError(f"The number of a draw must be from 1 to {NUMBERS[-1]}, got {number}.")
    drawn_questions = []
    for lesson in lessons:
        for index, form in enumerate(forms(lesson.page)):
            dice = random.Random(f"{lesson.id}/{index}/{number}")
            changes = {name: dice.choice(values) for name, values in form.vary.items()}
            settings = read(lesson.settings, {**form.fixed, **changes})[0]
            say = in_use_by(lesson.say, lesson.page)
            numbers = {
                name: factor * say.value(quantity, settings)
                for name, (quantity, factor) in form.numbers.items()
            }
            text = say.filled(form.text, settings, exam=numbers)
            solution = say.filled(form.solution, settings, exam=numbers)
            drawn_questions.append(Question(lesson, form.points, settings, text, solution))
    return drawn_questions
