"""Act as a visitor with a real browser."""

import json

from axe_playwright_python.sync_playwright import Axe

DESK = {"viewport": {"width": 1280, "height": 720}}
#: A window that calls itself a phone's.
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "user_agent": "Mozilla/5.0 (Linux; Android 14; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari",
}
TOUCH = PHONE | {"has_touch": True}
#: How far down the page is scrolled [px].
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def settle(page) -> None:
    """Wait until the script has run to its end."""
    page.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]')
    page.wait_for_timeout(150)
    page.wait_for_selector('[data-testid=stApp][data-test-script-state="notRunning"]')


def lock(page, words: str) -> None:
    """Choose the answer that begins with these words and lock it in."""
    page.get_by_text(words).first.click()
    settle(page)
    page.get_by_role("button", name="Lock in my prediction").click()
    settle(page)


def locked(window, lesson) -> None:
    """Let a page, or all of a window, open with the lesson's prediction locked, as a browser brings it back."""
    answer = json.dumps({"answer": lesson.prediction.right, "at": "2026-03-01T10:00:00+00:00"})
    window.add_init_script(f"localStorage.setItem('fleet-what-if:1:{lesson.id}/prediction', '{answer}')")


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
    violations = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
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
    send, (x, y) = page.context.new_cdp_session(page).send, start
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 9):
        place = {"x": x + part / 8 * right, "y": y - part / 8 * up}
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        page.wait_for_timeout(30)
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


#: Notes, frame by frame, the highest and the lowest place of the main chart on the page and its heights [px].
WATCH = """() => {
    window.chartAt = {top: [Infinity, -Infinity], height: [Infinity, -Infinity]}
    const look = () => {
        const box = document.querySelector("[data-testid=stVegaLiteChart]")?.getBoundingClientRect()
        const main = document.querySelector("[data-testid=stMain]")
        if (box?.height)
            for (const [name, value] of [["top", box.top + main.scrollTop], ["height", box.height]]) {
                const ends = window.chartAt[name]
                window.chartAt[name] = [Math.min(ends[0], value), Math.max(ends[1], value)]
            }
        requestAnimationFrame(look)
    }
    look()
}"""
