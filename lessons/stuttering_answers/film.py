"""Stuttering answers, animation: three answers grow token by token below their GPU."""

import math
from functools import lru_cache
from itertools import pairwise

from lessons.stuttering_answers.settings import Chat, say, simulate
from lessons.stuttering_answers.strip import PAUSE, conversations, kinds_of, typical
from physics import films
from physics.serving import Served
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Simulated time that the animation plays [s], and titles of its rows: the GPU and three answers.
LENGTH = 3.0
LINES = ("", "", "", "")
KINDS = {
    "prompt": Kind("the GPU computes whole prompts", "accent"),
    "mixed": Kind("the GPU computes prompt tokens and one token per answer", "good"),
    "writing": Kind("the GPU computes one token per answer", "quiet"),
    "answer": Kind("an answer so far", "s3"),
    "stop": Kind("an answer that has paused", "bad"),
}
#: Text on a box of the GPU, by its kind.
LABELS = {"prompt": "GPU: prompts", "mixed": "GPU: both", "writing": "GPU: answers"}


def showing(chat: Chat) -> Showing:
    """Return the animation with its captions."""
    caption = say("film", chat)
    alt = say("film_shows", chat)
    style = {"tall": 175, "unit": 1.0, "unit_name": "s", "digits": 2, "queue": False}
    return Showing(_film(chat), KINDS, caption, alt, chat.answer, lines=LINES, **style)


@lru_cache(maxsize=16)
def _film(chat: Chat) -> films.Film:
    """Make the animation around a typical pause: a row for the GPU, and one for each answer."""
    served = simulate(chat)
    request, start = typical(served)
    boxes = _steps(served, chat.answer)
    for number, other in enumerate(conversations(served, request, start), 1):
        boxes += _tokens(served, other, number, chat.answer)
    return films.film(len(LINES) * chat.answer, start, start + LENGTH, boxes)


def _steps(served: Served, width: int) -> list[tuple]:
    """Return the boxes of the GPU's steps, where successive steps of one kind share a box."""
    boxes = []
    for step in served.steps.assign(kind=kinds_of(served)).itertuples():
        start = step.start
        if boxes and boxes[-1][4] == step.kind and math.isclose(boxes[-1][3], start):
            start = boxes.pop()[2]
        end = step.start + step.duration
        boxes.append((0, width - 1, start, end, step.kind, LABELS[step.kind]))
    return boxes


def _tokens(served: Served, request: int, number: int, width: int) -> list[tuple]:
    """Return the boxes of one answer, each longer by one cell than the box before."""
    first = number * width
    boxes = []
    times = [*served.token_times(request), math.inf]
    for count, (start, end) in enumerate(pairwise(times), 1):
        kind = "answer"
        if PAUSE < (end - start) * 1e3 < math.inf:
            kind = "stop"
        words = f"answer {number}: {count}"
        boxes.append((first, first + count - 1, float(start), float(end), kind, words))
    return boxes


view = Film("film", showing=showing)
