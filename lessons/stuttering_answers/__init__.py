"""Stuttering answers: why an answer pauses while it is being written."""

from lessons.stuttering_answers import apart, film, pieces, strip
from lessons.stuttering_answers.settings import counter, say
from ui.base.lesson import Lesson

LESSON = Lesson.of(
    say,
    views=[strip.view, film.view, pieces.view],
    further=[apart.view],
    challenge=strip.judge,
    places={"clerk": counter, "crossing": counter},
)
