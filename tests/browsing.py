"""Act as a visitor with a real browser."""

import json
import re
from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ElementHandle, Locator, Page, expect

DESK = {"viewport": {"width": 1280, "height": 720}}
#: A window that calls itself a phone's.
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "user_agent": (
        "Mozilla/5.0 (Linux; Android 14; Phone) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Mobile Safari"
    ),
}
TOUCH = PHONE | {"has_touch": True}
#: How far down the page is scrolled [px].
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def settle(page) -> None:
    """Wait until the script has run to its end."""
    page.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]')
    page.wait_for_timeout(150)
    page.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]')


def press(page, name: str | re.Pattern, **how) -> None:
    """Press a button, and wait until the script has run."""
    page.get_by_role("button", name=name, **how).click()
    settle(page)


def turn(page, name: str, *keys: str) -> Locator:
    """Move a slider by keys, and wait until the script has run."""
    slider = page.get_by_role("slider", name=name)
    for key in keys:
        slider.press(key)
    settle(page)
    return slider


def lock(page, words: str) -> None:
    """Choose the answer that begins with these words and lock it in."""
    page.get_by_text(words).first.click()
    settle(page)
    press(page, "Lock in my prediction")


def again(page) -> None:
    """Load the page again."""
    page.reload()
    settle(page)


def headed(page, name: str) -> None:
    """Wait until the page with this title is drawn."""
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    settle(page)


def metric(page) -> Locator:
    """The first number of the page."""
    return page.get_by_test_id("stMetric").first


def chart(page) -> Locator:
    """The first chart of the page, once it is drawn."""
    found = page.get_by_test_id("stVegaLiteChart").first
    expect(found.locator("canvas, svg").first).to_be_visible()
    settle(page)
    return found


def drawing(chart) -> ElementHandle:
    """What a chart is drawn in, which stays as long as the chart is not built again."""
    return chart.locator("svg").first.element_handle()


def stays(chart, before: ElementHandle) -> None:
    """The chart has not been built again: it has only taken new rows."""
    assert chart.locator("svg").first.evaluate("(node, before) => node === before", before), (
        "it was built again"
    )


def across(part) -> Callable[[float], tuple[float, float]]:
    """From a share of the axis that can be grabbed, in a page or a chart, to a place on the
    page.
    """
    bands = part.locator(".grab_marks path")
    expect(bands.last).to_be_attached()
    bands.last.scroll_into_view_if_needed()
    first = bands.first.bounding_box()
    last = bands.last.bounding_box()
    left = first["x"]
    right = last["x"] + last["width"]
    level = first["y"] + 0.4 * first["height"]
    return lambda share: (left + share * (right - left), level)


def middle(mark) -> tuple[float, float]:
    """The middle of a mark on the page."""
    box = mark.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def asks(page, key: str, value: object) -> None:
    """Wait until the address says this of a key, a number as a number."""
    settle(page)
    held = "new URLSearchParams(location.search).get(key) ?? ''"
    if isinstance(value, int | float):
        equal = f"Number({held}) === value"
    else:
        equal = f"({held}) === value"
    page.wait_for_function(f"([key, value]) => {equal}", arg=[key, value])


def scrolls(page, start: tuple[float, float], up: float) -> None:
    """A finger that is drawn upward from here scrolls the page."""
    before = page.evaluate(SCROLLED)
    finger(page, start, up=up)
    page.wait_for_function(f"before => ({SCROLLED})() > before + 20", arg=before)


def says(page, words: str | re.Pattern) -> None:
    """Wait until the page says these words."""
    expect(page.get_by_text(words).first).to_be_visible()


def write(page, note: str) -> None:
    """Write a note and leave the box."""
    page.get_by_role("textbox").fill(note)
    page.get_by_role("textbox").blur()


def kept(page, name: str, words: str) -> None:
    """Wait until the browser's storage holds a field with these words in it."""
    page.wait_for_function(
        "([name, words]) => (window.localStorage.getItem('fleet-what-if:1:' + name) || "
        "'').includes(words)",
        arg=[name, words],
    )


def sound(*pages: Page) -> None:
    """No page shows an exception."""
    assert not any(page.get_by_test_id("stException").count() for page in pages)


def open_class(presenter: Page) -> str:
    """Open a class and return its code."""
    presenter.get_by_role("button", name="Open a class").click()
    says(presenter, "Class code")
    return presenter.get_by_test_id("stMetricValue").first.inner_text()


def locked(window, lesson, reflected: bool = False) -> None:
    """Let a page, or all of a window, open with the lesson's prediction locked and tested, and on
    request its second question and the guesses of its parts answered, as a browser brings it back.
    """
    at = "2026-03-01T10:00:00+00:00"
    answer = json.dumps({"answer": lesson.prediction.right, "at": at})
    fields = {"prediction": answer, "tested": json.dumps(at)}
    if reflected:
        fields["reflection"] = json.dumps({"answer": lesson.reflection.right, "at": at})
        fields["guesses"] = json.dumps(dict.fromkeys(lesson.guesses, 0))
    for name, value in fields.items():
        window.add_init_script(
            f"localStorage.setItem('fleet-what-if:1:{lesson.id}/{name}', '{value}')"
        )


def troubles(page) -> list[str]:
    """Note what goes wrong in a page: errors on its console, and those that nobody catches."""
    wrong = []

    def told(message):
        # On a deep link Streamlit asks for two addresses below the page's own that do not exist.
        if message.type == "error" and "/_stcore/" not in (message.location or {}).get("url", ""):
            wrong.append(f"console: {message.text[:200]}")

    page.on("console", told)
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    return wrong


def found_by_axe(page, *impacts: str, **options) -> list[str]:
    """Say what axe finds on the page, of these weights or of whatever weight."""
    violations = (
        Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    )
    return [
        f"axe {one['id']}, {one['impact']}, in {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in violations
        if not impacts or one["impact"] in impacts
    ]


def forget(page, server) -> None:
    """Empty what the browser keeps: a test that is tried again begins anew."""
    page.goto(f"{server.url}/_stcore/health")
    page.evaluate("localStorage.clear()")


def finger(page, start, right: float = 0, up: float = 0) -> None:
    """Put a finger down, draw it to another place, and lift it."""
    send = page.context.new_cdp_session(page).send
    (x, y) = start
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 9):
        place = {"x": x + part / 8 * right, "y": y - part / 8 * up}
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        page.wait_for_timeout(30)
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


#: Notes, frame by frame, the highest and the lowest place of the main chart on the page and its
#: heights [px].
WATCH = """() => {
    window.chartAt = {top: [Infinity, -Infinity], height: [Infinity, -Infinity]}
    const look = () => {
        const box = document.querySelector("[data-testid=stVegaLiteChart]")?.getBoundingClientRect()
        const main = document.querySelector("[data-testid=stMain]")
        if (box?.height)
            for (const [name, value] of Object.entries({
                top: box.top + main.scrollTop, height: box.height
            })) {
                const ends = window.chartAt[name]
                window.chartAt[name] = [Math.min(ends[0], value), Math.max(ends[1], value)]
            }
        requestAnimationFrame(look)
    }
    look()
}"""
