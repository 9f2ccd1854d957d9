"""Autoscaling: whether a rule that adds and removes replicas settles under a steady load."""

from lessons import AUTOSCALING as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
