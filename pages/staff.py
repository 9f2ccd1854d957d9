"""For staff: how to run each lesson, what students say, how to link to it and to deploy the app."""

import lessons  # noqa: F401 -- enrolls them
from ui.page import shell, staff
from ui.record import local_storage

shell.open_plain("For staff", "staff")
staff.draw()
local_storage.sync()
