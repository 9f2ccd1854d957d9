"""The I/O lesson driven as a script does: its numbers, its test, and its tables."""

from driving import all_text, charts, metrics, unlocked

from lessons.io_bottleneck import LESSON
from lessons.io_bottleneck.settings import Job


def test_the_page_opens_on_the_messages_numbers_and_its_test_opens_the_stages():
    app = unlocked("io_bottleneck", answer="a")
    assert list(metrics(app).values()) == ["11.9%", "420 ms", "1.22 GB/s", "0.18%"]
    notes = [LESSON.metrics(Job(workers=workers))[0].note for workers in (1, 9)]
    assert notes == ["misses 80% by 68.1 points", "meets 80%"]
    assert charts(app)[0].title == "How is one batch read?"
    app.button(key="io_test").click().run()
    assert "with 48 storage nodes instead of 24, the GPUs stay 11.9% busy" in all_text(app)
    assert charts(app)[0].title == "Which stage is full?" and not app.exception


def test_the_published_figures_are_two_tables():
    app = unlocked("io_bottleneck", {"io_view": "field"})
    text = "\n".join(str(frame.value) for frame in app.dataframe)
    assert not app.exception and "3.177 GB/s" in text and "+3.0%" in text and not charts(app)
