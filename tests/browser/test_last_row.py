"""A lecture as the last row, a mirrored laptop and a phone without a network see it."""

from browsing import PHONE, open_class, press, says, settle
from playwright.sync_api import expect

HALL = {"viewport": {"width": 1920, "height": 1080}}
LECTURE = """lesson = "policy"
[[steps]]
do = "vote"
[[steps]]
do = "discussion"
minutes = 2
[[steps]]
do = "second vote"
[[steps]]
do = "reveal"
[[steps]]
do = "picture"
view = "week"
asks = "Where do GPUs stand idle while jobs wait?"
"""
#: Heights of the filled marks of a page's charts that are wider than a hair [px].
MARKS = """() => [
  ...document.querySelectorAll('[data-testid=stVegaLiteChart] .mark-rect.role-mark path')
].map(mark => mark.getBoundingClientRect()).filter(box => box.width > 40).map(box => box.height)"""
#: Words of a page that are smaller than 24 px.
SMALL = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter(one => {
  const words = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
  const box = one.getBoundingClientRect()
  if (!words || box.width < 2 || box.height < 2) return false
  const matrix = one.ownerSVGElement && one.getScreenCTM()
  const size = parseFloat(getComputedStyle(one).fontSize)
  const area = matrix && Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)
  const scale = matrix ? Math.sqrt(area) : one.currentCSSZoom || 1
  return size * scale < 24
}).map(one => one.textContent.trim().slice(0, 40))"""
#: Height of what a chart draws between its axes [px].
PLOT = """() => Math.max(...[
  ...document.querySelectorAll('[data-testid=stVegaLiteChart] .background')
].map(one => one.getBoundingClientRect().height))"""


def vote(phone, place: int) -> None:
    expect(phone.get_by_role("button", name="Vote")).to_be_visible()
    phone.get_by_role("radio").nth(place).check(force=True)
    settle(phone)
    press(phone, "Vote")
    says(phone, "Your vote is in")


def test_the_last_row_reads_bars_and_week_and_a_phone_says_that_it_is_offline(comes):
    laptop = comes("class_poll")
    laptop.get_by_text("Small class: show all bars").click()
    settle(laptop)
    code = open_class(laptop)
    expect(laptop.get_by_role("link", name="Open the projector window")).to_be_in_viewport()
    assert "Your PIN is" not in laptop.inner_text("body")
    press(laptop, "Mirror this screen")
    laptop.get_by_text("Playlist", exact=True).click()
    box = laptop.get_by_role("textbox", name="Or paste it here")
    box.fill(LECTURE)
    box.blur()
    settle(laptop)
    press(laptop, "Start the pasted playlist")
    hall = comes(f"class_poll?present=screen&class={code}", HALL)
    phone = comes(f"class_poll?class={code}", PHONE)
    vote(phone, 0)
    press(laptop, "Next", exact=True)
    # All that a discussion needs is in sight.
    for one in (
        laptop.get_by_role("timer").first,
        laptop.get_by_text("Discuss it with your neighbors"),
        laptop.get_by_role("button", name="Next", exact=True),
    ):
        expect(one).to_be_in_viewport(ratio=1)
    press(laptop, "Next", exact=True)
    says(phone, f"Class {code}, second vote")
    vote(phone, 1)
    phone.context.set_offline(True)
    expect(phone.get_by_text("Reconnecting. Your vote is kept.")).to_be_visible()
    phone.context.set_offline(False)
    expect(phone.get_by_text("Reconnecting. Your vote is kept.")).to_be_hidden()
    press(laptop, "Next", exact=True)
    says(hall, "first vote")
    expect(hall.locator("[data-testid=stVegaLiteChart] svg")).to_be_visible()
    settle(hall)
    assert min(hall.evaluate(MARKS)) >= 60
    assert hall.evaluate(SMALL) == []
    press(laptop, "Next", exact=True)
    says(phone, "Right:")
    press(laptop, "Next", exact=True)
    press(laptop, "Next", exact=True)
    press(laptop, "Next", exact=True)
    says(hall, "Which GPUs work")
    settle(hall)
    expect(hall.locator(".st-key-stage_sentence p")).to_be_in_viewport(ratio=1)
    assert hall.evaluate(PLOT) >= 1080 / 3
    assert hall.evaluate(SMALL) == []
