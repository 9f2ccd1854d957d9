"""Where the hours go: waiting, reading, computing, and what is full."""

from lessons import WHERE_THE_HOURS_GO as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
