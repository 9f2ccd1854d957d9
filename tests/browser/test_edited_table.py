"""The table of jobs, typed into as a visitor does: it changes the outcome, stands in the address,
and comes back.
"""

from browsing import kept, lock, press, settle
from playwright.sync_api import expect

#: px of the grid
ROW = 31
HEADER = 32
#: row of Evaluation, and where the column of an executor's memory lies
EVALUATION = 2
MEMORY = 360


def metrics(page) -> list[str]:
    return page.get_by_test_id("stMetricValue").all_inner_texts()


def type_into(page, text: str) -> None:
    grid = page.locator("[data-testid=stDataFrame] canvas").first
    field = page.locator(".gdg-input")
    # A grid that has just been drawn may miss a press.
    for _ in range(10):
        box = grid.bounding_box()
        page.mouse.dblclick(box["x"] + MEMORY, box["y"] + HEADER + ROW * EVALUATION + ROW / 2)
        page.wait_for_timeout(1000)
        if field.count():
            break
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    expect(field).to_have_value(text)
    page.wait_for_timeout(
        250
    )  # the grid drops what is confirmed within a few milliseconds, faster than any hand
    page.keyboard.press("Enter")


def test_a_cell_that_is_typed_changes_the_outcome_and_outlives_a_reload(open_at, page):
    open_at("drf_story")
    lock(page, "8 executors.")
    press(page, "Test my prediction")
    kept(page, "drf/tested", "20")
    open_at("drf_story?drf_view=jobs")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("2 · 2 · 8")
    settle(page)
    type_into(page, "80")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("4 · 4 · 4")
    page.wait_for_function("location.search.includes('drf_table=')")
    shown = metrics(page)
    page.reload()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("4 · 4 · 4")
    settle(page)
    assert metrics(page) == shown
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("button", name="Reset settings").click()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("2 · 2 · 8")
    page.wait_for_function("!location.search.includes('drf_table=')")
