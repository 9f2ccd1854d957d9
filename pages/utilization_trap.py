"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons import UTILIZATION_TRAP as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
