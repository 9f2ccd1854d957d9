"""Stuttering answers, animation: three answers grow token by token below their GPU."""

import math
from functools import lru_cache
from itertools import pairwise

from lessons.stuttering_answers.settings import Chat, say, simulate
from lessons.stuttering_answers.strip import MARKED, conversations, kinds_of, typical
from physics import films
from physics.serving import Served
from ui.base.lesson import Film
from ui.films import Kind, Showing

#: Simulated time that is played [s], and rows of the film: the GPU and three answers.
LENGTH = 3.0
LINES = ("", "", "", "")
KINDS = {
    "prompt": Kind("the GPU computes whole prompts", "accent"),
    "mixed": Kind("the GPU computes prompt tokens and one token per answer", "good"),
    "writing": Kind("the GPU computes one token per answer", "quiet"),
    "answer": Kind("an answer so far", "s3"),
    "stop": Kind("an answer that has paused", "bad"),
}
#: What is written on the box of the GPU.
WORDS = {"prompt": "GPU: prompts", "mixed": "GPU: both", "writing": "GPU: answers"}


def showing(chat: Chat) -> Showing:
    """Return the animation with its captions."""
    caption = say("film", chat)
    alt = say("film_shows", chat)
    style = {"tall": 175, "unit": 1.0, "unit_name": "s", "digits": 2, "queue": False}
    return Showing(_film(chat), KINDS, caption, alt, chat.answer, lines=LINES, **style)


@lru_cache(maxsize=16)
def _film(chat: Chat) -> films.Film:
    """Return the film around a typical stop: a row for the GPU, and one for each answer."""
    served = simulate(chat)
    shown, begin = typical(served)
    boxes = _steps(served, chat.answer)
    for number, request in enumerate(conversations(served, shown, begin), 1):
        boxes += _tokens(served, request, number, chat.answer)
    return films.film(len(LINES) * chat.answer, begin, begin + LENGTH, boxes)


def _steps(served: Served, width: int) -> list[tuple]:
    """Boxes of what the GPU computes, with neighbors of one kind joined."""
    steps = served.steps.assign(kind=kinds_of(served))
    boxes = []
    for start, duration, kind in steps[["start", "duration", "kind"]].itertuples(index=False):
        begin = start
        if boxes and boxes[-1][4] == kind and math.isclose(boxes[-1][3], start):
            begin = boxes.pop()[2]
        boxes.append((0, width - 1, begin, start + duration, kind, WORDS[kind]))
    return boxes


def _tokens(served: Served, request: int, number: int, width: int) -> list[tuple]:
    """Boxes of one answer: a box that is longer by one place after each token."""
    start = number * width
    boxes = []
    moments = [*served.token_times(request), math.inf]
    for count, (begin, end) in enumerate(pairwise(moments), 1):
        kind = "answer"
        if MARKED < (end - begin) * 1e3 < math.inf:
            kind = "stop"
        words = f"answer {number}: {count}"
        boxes.append((start, start + count - 1, float(begin), float(end), kind, words))
    return boxes


view = Film("film", showing=showing)
