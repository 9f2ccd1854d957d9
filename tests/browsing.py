"""Act as a visitor with a real browser."""

#: A window that calls itself a phone's.
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "user_agent": "Mozilla/5.0 (Linux; Android 14; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari",
}


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


def forget(page, server) -> None:
    """Empty what the browser keeps: a test that is tried again begins anew."""
    page.goto(f"{server.url}/_stcore/health")
    page.evaluate("localStorage.clear()")
