"""Notebook sharing: who gains and who loses when notebooks share a node one cell after the
other.
"""

from lessons import NOTEBOOK_SHARING as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
