"""Corrections: the reference page, open at where the draft labs and this app differ."""

import lessons
from ui.page import reference, shell
from ui.record import local_storage

shell.open_plain("Reference", "corrections")
reference.draw("corrections", lessons.SYSTEMS)
local_storage.sync()
