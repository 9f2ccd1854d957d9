"""Exam questions with numbers drawn at random, and solutions that the models compute."""

import lessons  # noqa: F401 -- enrolls them
from ui.instructors import exam_page as page
from ui.page import shell
from ui.record import local_storage

shell.open_plain(page.TITLE, "exam")
page.draw()
local_storage.sync()
