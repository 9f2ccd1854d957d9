"""Storage architecture: four times the bandwidth needed, and what fails all the same."""

from lessons import STORAGE_ARCHITECTURE as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
