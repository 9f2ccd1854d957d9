"""The key tables of the docs are those of the declarations."""

import pytest
from driving import ROOT

from lessons import LESSONS
from ui.knobs.tables import written

DOCUMENT = (ROOT / "docs" / "driving-pages.md").read_text(encoding="utf-8")


def test_the_documentation_has_the_tables_that_the_declarations_make():
    assert written(DOCUMENT, LESSONS) == DOCUMENT, "run `python -m lessons`"


def test_a_lesson_without_a_place_in_the_documentation_is_named():
    with pytest.raises(
        ValueError, match=r"the lines <!-- keys of trap --> and <!-- end of trap -->"
    ):
        written("# Keys\n", LESSONS[:1])
