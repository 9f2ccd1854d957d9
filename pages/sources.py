"""Sources: the reference page, open at every constant with its unit, source and kind."""

import lessons
from ui.page import reference

reference.draw("sources", "sources", lessons.SYSTEMS)
