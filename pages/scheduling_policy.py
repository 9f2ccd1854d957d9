"""Scheduling policy: which of three classes of jobs waits under which policy."""

from lessons import SCHEDULING_POLICY as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
