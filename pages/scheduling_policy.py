"""Scheduling policy: who waits under which policy, found on a simulator of a fleet that is shared
by three classes.
"""

from lessons import SCHEDULING_POLICY as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
