"""Exam questions: templates with random numbers, and solutions from the lessons' models.

The templates of a lesson are in `lessons/<page>/exam.toml`:

    [[questions]]
    points = 4
    vary = { gpus_per_job = [64, 128, 256] }     # values of settings in SI, of which one is drawn
    fixed = { added = 256 }                      # may be missing
    # Numbers for {exam.memory:…}, each a quantity times a factor; may be missing.
    numbers = { memory = ["mem", 1e-9] }
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
#: Draw numbers; each is the seed of a set of random numbers.
NUMBERS = range(1, 1000)


@dataclass(frozen=True)
class Form:
    """Exam question before its numbers are drawn."""

    text: str
    solution: str
    points: int
    vary: Mapping[str, Any]  #: possible values of settings by name
    fixed: Mapping[str, Any] = field(default_factory=dict)  #: values of other settings by name
    #: a quantity's name and its factor, by the name of the number in the texts
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
    exam = []
    for lesson in lessons:
        for index, form in enumerate(forms(lesson.page)):
            generator = random.Random(f"{lesson.id}/{index}/{number}")
            changes = {name: generator.choice(values) for name, values in form.vary.items()}
            settings = read(lesson.settings, {**form.fixed, **changes})[0]
            say = in_use_by(lesson.say, lesson.page)
            numbers = {
                name: factor * say.value(quantity, settings)
                for name, (quantity, factor) in form.numbers.items()
            }
            text = say.filled(form.text, settings, exam=numbers)
            solution = say.filled(form.solution, settings, exam=numbers)
            exam.append(Question(lesson, form.points, settings, text, solution))
    return exam
