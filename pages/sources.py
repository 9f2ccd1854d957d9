"""Sources: the reference page, open at every constant with its unit, source and kind."""

import lessons
from ui.page import reference, shell
from ui.record import local_storage

shell.open_plain("Reference", "sources")
reference.draw("sources", lessons.SYSTEMS)
local_storage.sync()
