"""Links behind sources: each is used, none is doubled, and almost every publication with a title
has one.
"""

import re

from driving import all_text, unlocked

from lessons import LESSONS as COURSE
from physics import constants
from ui.page.reference import linked, links, target

SOURCES = {source for lesson in COURSE for source in lesson.sources} | {
    row["source"] for row in constants.table()
}


def test_every_title_that_has_a_link_stands_in_a_source():
    said = "\n".join(SOURCES).casefold()
    assert not [title for title in links() if title not in said]
    assert all(address.startswith("https://") for address in links().values())


def test_a_source_keeps_its_words_and_gets_its_links():
    for source in SOURCES:
        assert (
            re.sub(r"\[([^\]]*)\]\(https://[^ ]*?\)(?=[^)]|$)", r"\1", linked(source)).count(
                "https://"
            )
            == 0
        )
        assert (target(source) is None) == (linked(source) == source)
    articles = [one for one in SOURCES if re.search(r"\*.+\*.*\b(?:19|20)\d\d", one)]
    without = [one for one in articles if target(one) is None]
    assert len(without) < 0.35 * len(articles), without


def test_a_lessons_sources_are_links_on_its_page():
    said = all_text(unlocked("utilization_trap"))
    assert (
        "*[A proof for the queuing formula L = λW](https://doi.org/10.1287/opre.9.3.383)*" in said
    )
