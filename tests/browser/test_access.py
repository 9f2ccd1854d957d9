"""Every page for every eye: screen readers, keyboards, phones, dark rooms and projectors, in a real
browser.

Each page is looked at in one of the looks, and each look at several pages; all other pairs are
nightly. So are visits of somebody who comes back, except to the first lesson.
"""

from pathlib import Path

import pytest
from browsing import DESK, PHONE, chart, forget, found_by_axe, metric, press, settle, troubles
from playwright.sync_api import expect
from rotating import rotated

from lessons import LESSONS as COURSE

ROOT = Path(__file__).resolve().parent.parent.parent
LESSONS = {lesson.page: lesson for lesson in COURSE}
PLAIN = [
    "",
    *sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem not in LESSONS),
]
LOOKS = ("phone", "light", "dark", "projector")
#: Above this, layout shift is no longer good (web.dev, Cumulative Layout Shift).
MOST_SHIFT = 0.1
#: Sums up layout shifts, apart from those of Streamlit's own frame: it draws an empty page, 272 px
#: from the left and then at full width (0.06), and pushes that aside when the first element comes
#: for the sidebar (263 of 1280 px: 0.21). All that an app can send, style included, is loaded after
#: the sidebar, so no app can prevent it. A phone has no such shift. Nor is that counted which
#: follows a press within half a second: the visitor asked for it.
SHIFTS = """
window.shifted = 0
window.pushed = 0
window.moves = []
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
        const moved = entry.sources.map(source => source.node).filter(node => node && node.matches)
        const outer = "main, :has(> main), [data-testid=stMainBlockContainer]"
        const frame = moved.every(node => node.matches(outer))
        if (entry.hadRecentInput) continue
        if (frame) window.pushed += 1
        else window.shifted += entry.value
        const words = node => (node.innerText || "").slice(0, 30)
        const named = node =>
            `${entry.value.toFixed(3)} ${node.dataset?.testid} ${words(node)}`
        if (!frame) window.moves.push(...moved.map(named))
    }
}).observe({type: "layout-shift", buffered: true})
"""
#: What a change of colors alone may break.
COLORS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def opened(browser, server, **options):
    """Open one browser window for many pages; it notes foreign requests and errors on the
    console.
    """
    context = browser.new_context(**options)
    context.add_init_script(SHIFTS)
    page = context.new_page()
    page.wrong = troubles(page)

    def asked(request):
        if not request.url.startswith(
            (server.url, server.url.replace("http", "ws"), "data:", "blob:")
        ):
            page.wrong.append(f"a request to {request.url}")

    page.on("request", asked)
    return page


@pytest.fixture(scope="module")
def windows(browser, server):
    """A phone, and a window of 1280 × 720 px for all other looks, for all pages."""
    desk = opened(browser, server, **DESK)
    phone = opened(browser, server, **PHONE)
    yield dict.fromkeys(LOOKS, desk) | {"phone": phone}
    for page in (desk, phone):
        page.context.close()


def come(page, address: str) -> None:
    """Open an address by day, and wait until all that is in sight is loaded."""
    page.emulate_media(color_scheme="light")
    page.goto(address)
    loaded(page)


def loaded(page) -> None:
    settle(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def look_over(page, where: str, **options) -> list[str]:
    """Say what is wrong with the page as it stands."""
    found = [f"{where}: {what}" for what in page.wrong]
    page.wrong.clear()
    found += [f"{where}: {one}" for one in found_by_axe(page, "serious", "critical", **options)]
    beyond = page.evaluate(
        "Math.max(...[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".map(box => box.scrollWidth - box.clientWidth))"
    )
    if beyond > 0:
        found.append(f"{where}: {beyond} px to scroll sideways")
    if page.get_by_test_id("stException").count():
        found.append(f"{where}: an exception is shown")
    return found


def in_the_dark(page, where: str) -> list[str]:
    """Look at the colors of the dark page, whose layout is that of the light one."""
    page.add_style_tag(content="* { transition: none !important; }")  # colors would fade over
    page.emulate_media(color_scheme="dark")
    settle(page)
    return look_over(page, f"{where}, dark", **COLORS)


def quietly(page, address: str, where: str, unlocked: bool = False) -> list[str]:
    """Open an address, and say whether the page's content has moved by more than a visitor likes.

    A busy machine draws a page in more pieces: what moves on one of three visits only is the
    machine's doing.
    """
    for _ in range(3):
        come(page, address)
        if unlocked:
            chart(page)
        moved, pushed, moves = page.evaluate("[window.shifted, window.pushed, window.moves]")
        if moved < MOST_SHIFT and pushed <= 2:
            return []
    return [f"{where}: layout shift of {moved:.2f}, the frame has moved {pushed} times: {moves}"]


def unlock(page) -> None:
    page.get_by_test_id("stRadio").first.locator("label").nth(1).click()
    settle(page)
    press(page, "Lock in my prediction")
    chart(page)


def seen(page, server, name: str, look: str, unlocked: bool = False) -> list[str]:
    """Open a page in one of the looks, and say what is wrong with it."""
    where = f"{name or 'home'}, {look}{', of somebody who comes back' * unlocked}"
    address = f"{server.url}/{name}{'?present=1' * (look == 'projector')}"
    if look == "projector":
        come(page, address)
        return look_over(page, where)
    found = quietly(page, address, where, unlocked)
    return found + (in_the_dark(page, where) if look == "dark" else look_over(page, where))


@pytest.mark.parametrize(("name", "look"), rotated(LESSONS, LOOKS))
def test_a_lesson_is_open_to_everybody_before_and_after_the_lock(
    windows, server, name, look, request
):
    page = windows[look]
    forget(page, server)
    found = seen(page, server, name, look)
    page.emulate_media(color_scheme="light")
    unlock(page)
    loaded(page)
    found += (in_the_dark if look == "dark" else look_over)(page, f"{name}, just unlocked")
    if name == next(iter(LESSONS)) or request.node.get_closest_marker("nightly"):
        found += seen(page, server, name, look, unlocked=True)
    if look != "phone":
        found += on_one_screen(page, name)
    assert not found, "\n".join(found)


def on_one_screen(page, name: str) -> list[str]:
    """Say whether metrics, chart, and the choice of charts are on one screen, and the chart stays
    as a knob moves.
    """
    picture = chart(page)
    choice = page.get_by_test_id("stMain").get_by_test_id("stButtonGroup")
    boxes = [one.bounding_box() for one in (picture, metric(page), *choice.all()[:1])]
    ends = [box["y"] + box["height"] for box in boxes]
    page.get_by_test_id("stSidebar").locator("[role=slider], input[type=range]").first.press("End")
    settle(page)
    moved = picture.bounding_box()["y"] - boxes[0]["y"]
    if boxes[1]["y"] < 0 or max(ends) > page.viewport_size["height"] or abs(moved) > 1:
        return [
            f"{name}: chart, numbers and choice end at {ends} px, and the chart moves by {moved} px"
        ]
    return []


@pytest.mark.parametrize(("name", "look"), rotated(PLAIN, LOOKS))
def test_every_other_page_is_open_to_everybody(windows, server, name, look):
    found = seen(windows[look], server, name, look)
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
    chart(page)
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
    expect(page.get_by_role("heading", name="Takeaways")).to_be_visible()
    tab_to(page, "it.innerText.includes('Derivation with')")
    page.keyboard.press("Enter")
    expect(page.locator(".katex").first).to_be_visible()
