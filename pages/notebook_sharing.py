"""Notebook sharing: who gains and who loses when notebooks take turns on a node, cell by cell."""

from lessons import NOTEBOOK_SHARING as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
