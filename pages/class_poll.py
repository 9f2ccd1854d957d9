"""Class: a lecture hall votes on a lesson's question, discusses, and votes again."""

import lessons  # noqa: F401 -- enrolls them
from ui.classes import poll_page
from ui.page import shell
from ui.record import local_storage

look = shell.open_plain("Class", "class_poll")
view = poll_page.draw(look)
local_storage.sync(view=view)
