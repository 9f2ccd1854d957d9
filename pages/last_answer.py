"""Last answer: how many jobs leave a full fleet in an hour."""

from lessons import LAST_ANSWER as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
