"""For instructors: objectives, prerequisites, a plan, misconceptions, electives, and the book."""

import lessons  # noqa: F401 -- enrolls them
from ui.instructors import page
from ui.page import shell
from ui.record import local_storage

shell.open_plain(page.TITLE, "instructors")
page.draw()
local_storage.sync()
