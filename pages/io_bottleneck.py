"""I/O bottleneck: why GPUs starve beside storage that is nearly idle."""

from lessons import IO_BOTTLENECK as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
