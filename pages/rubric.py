"""Rubric: what a report is graded by, under its own headings, and exemplar reports."""

import lessons  # noqa: F401 -- enrolls them
from ui.grades import rubric
from ui.page import shell
from ui.record import local_storage

shell.open_plain("Rubric", "rubric")
rubric.draw()
local_storage.sync()
