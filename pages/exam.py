"""Exam questions: numbers to draw, and solutions that the models compute; opens with the staff
key.
"""

import lessons  # noqa: F401 -- enrolls them
from ui.instructors import exam_page as page
from ui.page import shell
from ui.record import local_storage

shell.open_plain(page.TITLE, "exam")
page.draw()
local_storage.sync()
