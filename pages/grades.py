"""Grades: a course's reports, judged again by the lessons, as tables."""

import lessons  # noqa: F401 -- enrolls them
from ui.grades import grades_page
from ui.page import shell
from ui.record import local_storage

shell.open_plain("Grades", "grades")
shell.link("pages/rubric.py", "Rubric and exemplar reports", ":material/checklist:")
grades_page.draw()
local_storage.sync()
