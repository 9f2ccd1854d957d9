"""Stuttering answers: why an answer pauses while it is being written."""

from lessons.stuttering_answers import apart, film, pieces, strip
from lessons.stuttering_answers.settings import counter, say
from ui.base.lesson import Film, Lesson, View

LESSON = Lesson.of(
    say,
    views=[View("strip", strip), Film("film", film), View("pieces", pieces)],
    further=[View("apart", apart)],
    challenge=strip.judge,
    places={"clerk": counter, "crossing": counter},
)
