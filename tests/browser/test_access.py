"""Every page for every eye: screen readers, keyboards, phones, dark rooms and projectors, in a real browser."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import settle
from playwright.sync_api import expect

from ui.words import lessons

ROOT = Path(__file__).resolve().parent.parent.parent
LESSONS = {lesson.page: lesson for lesson in lessons()}
PLAIN = ["", *sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem not in LESSONS)]
DESK, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
#: Sums up layout shifts of what a page holds. The sidebar's coming pushes Streamlit's empty page aside once; that is
#: not content, and no page can prevent it.
SHIFTS = """
window.shifted = 0
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
        const moved = entry.sources.map(source => source.node).filter(node => node && node.matches)
        const frame = moved.every(node => node.matches("main, :has(> main), [data-testid=stMainBlockContainer]"))
        if (!entry.hadRecentInput && !frame) window.shifted += entry.value
    }
}).observe({type: "layout-shift", buffered: true})
"""


#: A visitor who has predicted in every lesson before: so much is in the browser's storage.
LOCKS = "".join(
    f'localStorage.setItem(\'fleet-what-if:1:{lesson.id}/prediction\', \'{{"answer": "a", "at": ""}}\');'
    for lesson in LESSONS.values()
)
RETURNING = f"if (location.protocol === 'http:') {{ {LOCKS} }}"


def opened(browser, server, *scripts: str):
    """Open one browser window for many pages; it notes foreign requests and errors on the console."""
    context = browser.new_context(viewport=DESK)
    for script in scripts:
        context.add_init_script(script)
    wrong = []

    def told(message):
        # On a deep link Streamlit asks for two addresses below the page's own that do not exist.
        if message.type == "error" and "/_stcore/" not in (message.location or {}).get("url", ""):
            wrong.append(f"console: {message.text[:200]}")

    def asked(request):
        if not request.url.startswith((server.url, server.url.replace("http", "ws"), "data:", "blob:")):
            wrong.append(f"a request to {request.url}")

    context.on("console", told)
    context.on("weberror", lambda error: wrong.append(f"error: {error.error}"))
    context.on("request", asked)
    page = context.new_page()
    page.wrong = wrong
    return page


@pytest.fixture(scope="module")
def window(browser, server):
    """A student's window."""
    page = opened(browser, server, SHIFTS)
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def hall(browser, server):
    """A lecturer's window, in which every lesson is unlocked."""
    page = opened(browser, server, RETURNING)
    yield page
    page.context.close()


def look_over(page, where: str) -> list[str]:
    """Say what is wrong with the page as it stands."""
    found = [f"{where}: {what}" for what in page.wrong]
    page.wrong.clear()
    for violation in Axe().run(page).response["violations"]:
        if violation["impact"] in ("serious", "critical"):
            nodes = [node["html"][:120] for node in violation["nodes"][:3]]
            found.append(f"{where}: axe {violation['id']}, {violation['impact']}, in {nodes}")
    beyond = page.evaluate(
        "Math.max(...[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".map(box => box.scrollWidth - box.clientWidth))"
    )
    if beyond > 0:
        found.append(f"{where}: {beyond} px to scroll sideways")
    if page.get_by_test_id("stException").count():
        found.append(f"{where}: an exception is shown")
    return found


def in_all_looks(page, where: str) -> list[str]:
    """Look at the page on a phone, at a desk and in the dark."""
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    settle(page)
    found = look_over(page, f"{where}, phone")
    page.set_viewport_size(DESK)
    settle(page)
    found += look_over(page, f"{where}, desk")
    page.emulate_media(color_scheme="dark")
    settle(page)
    page.wait_for_timeout(400)  # colors fade over
    return found + look_over(page, f"{where}, dark")


def shifted(page, where: str) -> list[str]:
    """Say whether the page's content has moved by more than a visitor likes."""
    moved = page.evaluate("window.shifted")
    return [f"{where}: layout shift of {moved:.2f}"] if moved >= 0.1 else []


def chart(page):
    return page.get_by_test_id("stVegaLiteChart").first


def drawn(page) -> None:
    expect(chart(page).locator("canvas, svg").first).to_be_visible(timeout=20_000)
    settle(page)


def unlock(page) -> None:
    page.get_by_test_id("stRadio").first.locator("label").nth(1).click()
    settle(page)
    page.get_by_role("button", name="Lock in my prediction").first.click()
    drawn(page)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_open_to_everybody_before_and_after_the_lock(window, server, name):
    page = window
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    page.goto(f"{server.url}/{name}")
    settle(page)
    found = shifted(page, f"{name} locked, phone") + in_all_looks(page, f"{name} locked")
    unlock(page)
    found += in_all_looks(page, f"{name} unlocked")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", LESSONS)
def test_on_the_projector_metrics_and_the_main_chart_are_on_one_screen(hall, server, name):
    page = hall
    page.goto(f"{server.url}/{name}?present=1")
    expect(page.get_by_test_id("stMetric").first).to_be_visible(timeout=30_000)
    drawn(page)
    found = look_over(page, f"{name} on the projector")
    box, metric = chart(page).bounding_box(), page.get_by_test_id("stMetric").first.bounding_box()
    if not (metric["y"] >= 0 and box["y"] + box["height"] <= DESK["height"]):
        found.append(f"{name}: the chart ends at {box['y'] + box['height']:.0f} px of {DESK['height']}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PLAIN)
def test_every_other_page_is_open_to_everybody(window, server, name):
    page, where = window, name or "home"
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="light")
    page.goto(f"{server.url}/{name}")
    settle(page)
    found = in_all_looks(page, where)
    page.emulate_media(color_scheme="light")
    page.goto(f"{server.url}/{name}?present=1")
    settle(page)
    found += look_over(page, f"{where} on the projector")
    assert not found, "\n".join(found)


def tab_to(page, condition: str, most: int = 80) -> None:
    """Press the tabulator until what has the focus meets a condition on `it`."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"(it => {condition})(document.activeElement)"):
            return
    raise AssertionError(f"the tabulator never comes to {condition}")


def test_the_first_lesson_can_be_gone_through_by_keyboard_alone(page, server):
    first = next(iter(LESSONS))
    page.goto(f"{server.url}/{first}")
    settle(page)
    tab_to(page, "it.type === 'radio'")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    settle(page)
    tab_to(page, "it.innerText.includes('Lock in my prediction')")
    page.keyboard.press("Enter")
    drawn(page)
    tab_to(page, "it.matches('[role=slider], input[type=range]')")
    before = page.url
    page.keyboard.press("ArrowLeft")
    settle(page)
    assert page.url != before
    tab_to(page, "it.type === 'radio' && !it.disabled")
    page.keyboard.press("Space")
    settle(page)
    tab_to(page, "it.innerText.includes('Lock in my answer')")
    page.keyboard.press("Enter")
    settle(page)
    expect(page.get_by_role("button", name="Lock in my answer")).to_have_count(0)
    tab_to(page, "it.innerText.includes('Derivation, with')")
    page.keyboard.press("Enter")
    expect(page.locator(".katex").first).to_be_visible()
