"""Your report: your predictions, trials, and results, to hand in, to print, or to import."""

import lessons  # noqa: F401 -- enrolls them
from ui.page import shell
from ui.record import local_storage, report_page

shell.open_plain("Your report", "report")
try:
    report_page.draw()
finally:
    # The buttons that delete data come last, so that nothing above moves them, and are drawn even
    # if the report cannot be drawn.
    local_storage.start_over()
local_storage.sync()
