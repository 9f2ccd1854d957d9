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


def test_a_key_that_once_was_is_not_one_that_is_missing():
    now = {f"{lesson.id}_preset_{name}" for lesson in LESSONS for name in lesson.presets}
    rows = DOCUMENT.split("## Keys of presets before")[1].splitlines()
    pairs = [
        [cell.strip(" `") for cell in row.strip("|").split("|")]
        for row in rows
        if row.startswith("| `")
    ]
    ids = tuple(f"{lesson.id}_" for lesson in LESSONS)
    assert len(pairs) > 40 and {new for _, new in pairs if new.startswith(ids)} <= now
