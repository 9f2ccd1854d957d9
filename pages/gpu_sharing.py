"""Sharing a GPU: how long two jobs take on one device, and which jobs to put together."""

from lessons import GPU_SHARING as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
