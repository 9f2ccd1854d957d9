"""Reference: key terms, sources and corrections, a tab each."""

import lessons
from ui.page import reference

reference.draw("reference", "glossary", lessons.SYSTEMS)
