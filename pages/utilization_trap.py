"""Utilization trap: why 1-hour jobs wait four hours on a healthy, busy fleet."""

from lessons import UTILIZATION_TRAP as LESSON
from lessons.utilization_trap import simulation
from ui.page.opening import open_page

page = open_page(LESSON)
page.show()
if page.view == "spread":
    with page.below:
        simulation.offer(page)
page.close()
