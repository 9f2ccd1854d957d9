"""Points by hand: keys alone give them, and a reload loses none, in a real browser."""

from browsing import says, settle
from grade_reports import WON, written

FILES = [
    {"name": f"{name}.json", "mimeType": "application/json", "buffer": written(record, login=name)}
    for name, record in (
        ("a", {"won": WON, "note": "The line moves slowly because four jobs fit at once."}),
        ("b", {"note": "The scheduler decides who waits, and not how long."}),
        ("c", {"note": "More GPUs help, since one more job fits."}),
    )
]


def hand_over(page) -> None:
    page.locator("input[type=file]").set_input_files(FILES)
    page.get_by_role("button", name="Give points by hand").click()
    says(page, "of 3 texts graded")
    settle(page)


def test_three_keys_grade_three_texts_and_a_reload_loses_none(open_at, page):
    open_at("grades")
    hand_over(page)
    says(page, "0 of 3 texts graded")
    for number, key in enumerate("210", 1):
        page.keyboard.press(key)
        says(page, f"{number} of 3 texts graded")
    settle(page)
    page.get_by_role("textbox", name="Comment").fill("Which number?")
    page.get_by_role("textbox", name="Comment").blur()
    page.wait_for_function(
        "Object.values(localStorage).some(text => text.includes('Which number?'))"
    )
    page.reload()
    hand_over(page)
    says(page, "3 of 3 texts graded")
    page.keyboard.press("b")
    says(page, "More GPUs help")
    page.keyboard.press("s")
    settle(page)
    held = page.evaluate(
        "Object.entries(localStorage).filter(([k]) => k.startsWith('fleet-what-if-grades:'))"
    )
    assert sorted(text[11] for _, text in held) == ["0", "1", "2"]
    assert any("Which number?" in text for _, text in held)
    page.get_by_role("button", name="Delete manual points").click()
    says(page, "0 of 3 texts graded")
    page.wait_for_function(
        "!Object.keys(localStorage).some(k => k.startsWith('fleet-what-if-grades:'))"
    )
