"""Placement: eight free GPUs are not a node, and how long a node is worth waiting for."""

from lessons import PLACEMENT as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
