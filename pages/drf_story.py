"""DRF story: which job gets the next executor of a shared pool, and what "fair" means."""

from lessons import DRF_STORY as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
