"""Fair queueing: whose turn it is, and for how long past use is held against somebody."""

from lessons import FAIR_QUEUEING as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
