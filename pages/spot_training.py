"""Spot training: how often to write a checkpoint on spot machines, and what the run costs."""

from lessons import SPOT_TRAINING as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
