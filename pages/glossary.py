"""Key terms: the reference page, open at the words of the field."""

import lessons
from ui.page import reference

reference.draw("glossary", "glossary", lessons.SYSTEMS)
