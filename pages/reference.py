"""Reference: key terms, sources and corrections, a tab each."""

import lessons
from ui.page import reference, shell
from ui.record import local_storage

shell.open_plain("Reference", "reference")
reference.draw("glossary", lessons.SYSTEMS)
local_storage.sync()
