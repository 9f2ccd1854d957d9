"""Policy trial: how often the worse of two policies looks better, and what to do about it."""

from lessons import POLICY_TRIAL as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
