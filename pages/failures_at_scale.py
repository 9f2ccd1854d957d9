"""Eight times the GPUs: how much more work a much larger run does."""

from lessons import FAILURES_AT_SCALE as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
