"""Minimal lesson: how many jobs leave a full fleet in an hour."""

from lessons import MINIMAL_LESSON as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
