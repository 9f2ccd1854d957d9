"""A saved picture is one page that works alone; there is none before the answer is shown."""

import json
import re
from html import escape, unescape
from types import SimpleNamespace

import pytest
from driving import (
    BROWSER,
    BY_ID,
    after_the_test,
    click,
    each_lesson,
    each_picture,
    put,
    quick,
    saved_files,
    unlocked,
    visit,
)

from lessons import LESSONS
from physics.films import film
from ui import saving
from ui.base.lesson import Film
from ui.charts.look import Look
from ui.films import Kind, Showing, message
from ui.films.film import JS
from ui.knobs.declared import knobs_of, read
from ui.page import tools
from ui.saving import files

TRAP = BY_ID["trap"]
WITH_FILM = [lesson for lesson in LESSONS if lesson.film]
WORDS = saving.Words(
    "Utilization trap: The fleet",
    "The places are 95% busy.",
    {"GPUs per job": "256", "Target <b>": "5 min"},
    "https://example.org/trap?trap_added=256&trap_view=wait",
    "One of many.",
)
#: What makes a browser ask for something.
ASKS = (
    r"https?:|<(?:link|img|iframe|object|embed|base)\b|\b(?:src|href)\s*=|@import|url\(|"
    r"\bfetch\(|XMLHttpRequest|\bimport\b"
)


def opened(lesson, state=None, **address):
    """Open a lesson after its test, with the list of files opened; and return the files."""
    found = after_the_test(lesson) | {f"{lesson.id}_save": True} | (state or {})
    app = unlocked(lesson, found, **address)
    assert not app.exception
    return saved_files(app)


def can_save(app, lesson) -> bool:
    """Say whether a page offers to save its pictures."""
    return f"{lesson.id}_save" in {box.key for box in app.get("popover")}


def stands_alone(page: str) -> None:
    """A page asks nothing from elsewhere, and its only address is the link back."""
    link = f'href="{escape(WORDS.link)}"'
    assert page.count(link) == 1
    assert not re.search(ASKS, page.replace(link, ""))


@each_picture()
def test_the_page_of_every_picture_stands_alone_and_leaves_room_for_its_drawing(lesson, view):
    for figure in view.figures(quick(lesson, view.opens or {}), Look()):
        page = saving.picture(WORDS, figure, Look(), lesson.labels["table"])
        stands_alone(page)
        assert page.count(saving.DRAWING) == 1
        assert len(page.encode()) < saving.MOST / 2
        assert "<title>Utilization trap: The fleet</title>" in page
        assert "The places are 95% busy." in page
        assert "Target &lt;b&gt;: <b>5" in page
        assert page.count("<tr>") > 1


@pytest.mark.parametrize("lesson", WITH_FILM, ids=lambda lesson: lesson.page)
def test_the_page_of_every_film_has_its_player_and_its_data(lesson):
    sent = {"films": [{"name": ""} | message(lesson.film(lesson.settings()), Look())], "size": 12}
    page = saving.film(WORDS, sent, Look())
    stands_alone(page)
    assert len(page.encode()) <= saving.MOST
    assert page.count("<script>") == page.count("</script>") == 1
    assert page.count("<tr>") > 1 and "One of many." in page
    _, _, data = page.partition("player({parentElement: document, data: ")
    assert json.JSONDecoder().raw_decode(data)[0] == json.loads(json.dumps(sent))


def test_two_films_of_the_greatest_weight_fit_into_a_page():
    kinds = {"job": Kind("a job", "accent")}
    boxes = [(0, 0, second, second + 1, "job", "a long name") for second in range(2_300)]
    sent = message(Showing(film(1, 0, 2_300, boxes), kinds, "", "Jobs."), Look())
    assert 90_000 < len(json.dumps(sent, separators=(",", ":")).encode()) <= 100_000
    page = saving.film(WORDS, {"films": [sent, sent], "size": 12}, Look())
    assert len(page.encode()) <= saving.MOST
    assert re.search(r"These are the first [\d,]+ of 2,300 rows\.", page)


def test_nothing_in_a_film_ends_its_script():
    showing = WITH_FILM[0].film(WITH_FILM[0].settings())
    sent = {"films": [message(showing, Look()) | {"name": "</script><b>"}], "size": 12}
    assert saving.film(WORDS, sent, Look()).count("</script>") == 1


def test_the_player_is_the_one_of_the_app():
    assert JS.count("export default function (component)") == 1
    assert "import " not in JS


@each_lesson()
def test_before_the_test_nothing_can_be_saved(lesson):
    for app in (visit(lesson, BROWSER), unlocked(lesson, BROWSER | {f"{lesson.id}_save": True})):
        assert not can_save(app, lesson) and not saved_files(app)


@each_lesson("slow")
def test_after_the_test_the_picture_in_sight_can_be_saved_with_its_settings(lesson):
    app = unlocked(lesson, after_the_test(lesson))
    assert not saved_files(app), "the pages are made once the list is opened"
    offered = opened(lesson)
    assert offered
    for file in offered:
        page = file["page"]
        assert lesson.title in unescape(page) and "<h2>Settings</h2>" in page
        assert f"/{lesson.page}?" in page and len(page.encode()) <= saving.MOST
        assert file["name"].startswith(f"fleet-what-if-{lesson.page}-")
    assert len({file["name"] for file in offered}) == len(offered)


def test_a_saved_picture_says_the_settings_of_the_moment_and_leads_back_to_them():
    state = after_the_test(TRAP) | {"trap_save": True}
    app = put(unlocked(TRAP, state), "trap_added", 256)
    chart, *films = saved_files(app)
    assert chart["title"] == "Mean wait in the long run" and len(films) == 1
    for file in (chart, *films):
        page = unescape(file["page"]).replace("\u00a0", " ")
        assert "GPUs bought: <b>256 GPUs</b>" in page
        assert "trap_added=256" in page and "trap_view=wait" in page
        assert "<title>Utilization trap: " in page
        assert TRAP.verdict(TRAP.settings(added=256)).text.split(":")[0] in page


@pytest.mark.parametrize(
    ("lesson_id", "changes", "texts"),
    [
        ("slices", {}, {"Layout": "2g.20gb at 0, 1g.20gb at 6"}),
        ("slices", {"layout": "3g.40gb@4"}, {"Layout": "3g.40gb at 4"}),
        ("drf", {"table": "Ann,,,1,4,1,;Bob,,,3,1,2,5", "liar": "2"}, {"Cheating job": "Bob"}),
    ],
)
def test_a_saved_picture_says_the_settings_that_are_edited_as_text(lesson_id, changes, texts):
    lesson = BY_ID[lesson_id]
    settings = read(lesson.settings, changes)[0]
    knobs = SimpleNamespace(declared=knobs_of(lesson.settings), shown=("layout", "liar"), also=())
    assert tools._settings(SimpleNamespace(settings=settings, knobs=knobs)) == texts


def test_a_lecturer_saves_a_picture_after_the_press_that_shows_its_answer():
    app = click(visit(TRAP, BROWSER, present="1"), "trap_skip")
    assert not can_save(app, TRAP)
    assert can_save(click(app, "trap_test"), TRAP)


def test_a_dark_picture_is_saved_dark():
    look = Look(dark=True)
    figure = TRAP.pictures[0].figures(TRAP.settings(), look)[0]
    page = saving.picture(WORDS, figure, look, TRAP.labels["table"])
    assert f"--paper:{look.paper}" in page and "color-scheme:dark;" in page


def test_films_are_offered_as_pages_only():
    lesson = WITH_FILM[0]
    view = next(view for view in lesson.pictures if isinstance(view, Film))
    (file,) = opened(lesson, {f"{lesson.id}_view": view.id})
    assert "title" not in file and "<script>" in file["page"]
    assert saving.DRAWING not in file["page"]


@pytest.mark.parametrize(
    ("value", "text"), [(9999.4, "9999"), (9999.6, "10,000"), (0.25, "0.25"), (12345.6, "12,346")]
)
def test_no_number_of_a_table_between_a_thousandth_and_a_million_has_an_exponent(value, text):
    assert files._cell(value) == text and files._share(value / 100) == f"{text}%"
