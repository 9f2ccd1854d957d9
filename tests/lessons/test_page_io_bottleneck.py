"""The I/O lesson driven as a script does: its numbers, its test, and its tables."""

from driving import charts, unlocked

from lessons.io_bottleneck import LESSON
from lessons.io_bottleneck.settings import Job


def test_what_the_utilization_lacks_is_said_in_points():
    notes = [LESSON.metrics(Job(workers=workers))[0].note for workers in (1, 9)]
    assert notes == ["misses 80% by 68.1 points", "meets 80%"]


def test_the_published_figures_are_two_tables():
    app = unlocked("io_bottleneck", {"io_view": "field"})
    text = "\n".join(str(frame.value) for frame in app.dataframe)
    assert not app.exception and "3.177 GB/s" in text and "+3.0%" in text and not charts(app)
