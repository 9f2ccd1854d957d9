"""Your report: what you predicted, tried and found, to hand in, to print, and to take to another
machine.
"""

import lessons  # noqa: F401 -- enrolls them
from ui.page import shell
from ui.record import local_storage, report_page

shell.open_plain("Your report", "report")
try:
    report_page.draw()
finally:
    # even if something above it fails, and last, so that nothing pushes it down
    local_storage.start_over()
local_storage.sync()
