"""Corrections: the reference page, open at where the draft labs and this app differ."""

import lessons
from ui.page import reference

reference.draw("corrections", "corrections", lessons.SYSTEMS)
