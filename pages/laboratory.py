"""The laboratory: the parts of all lessons on one page, for the curious."""

import lessons  # noqa: F401 -- enrolls them
from ui.laboratory import listing

listing.draw()
