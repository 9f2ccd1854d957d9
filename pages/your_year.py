"""Your year at the center: what you predicted in the core course, and what the lessons share."""

import lessons  # noqa: F401 -- enrolls them
from ui.page import shell
from ui.record import local_storage
from ui.year import page

shell.open_plain(page.TITLE, "year")
page.draw()
local_storage.sync()
