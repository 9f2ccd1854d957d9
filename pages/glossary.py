"""Key terms: the reference page, open at the words of the field."""

import lessons
from ui.page import reference, shell
from ui.record import local_storage

shell.open_plain("Reference", "glossary")
reference.draw("glossary", lessons.SYSTEMS)
local_storage.sync()
