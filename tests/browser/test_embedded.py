"""A lesson in a course page's frame, where storage is blocked: it fits, it locks, and the visitor
is told to save.
"""

import pytest

from lessons import LESSONS

#: What a browser does to a frame of another site when it is told to block its data.
BLOCKED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("blocked", "SecurityError") }
  })"""
#: What stands out of the frame at the right, if anything does.
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth
  const out = [...document.querySelectorAll("[data-testid=stMain] *")].filter(element => {
    const box = element.getBoundingClientRect()
    const unseen = element.closest(".unseen, .katex-mathml, [data-testid=stDataFrame]")
    const hidden = getComputedStyle(element).visibility === "hidden"
    return box.width > 0 && box.right > width + 1 && !unseen && !hidden
  })
  const shown = out.slice(0, 3).map(element => element.outerHTML.slice(0, 120))
  return [document.documentElement.scrollWidth > width, shown]
}"""
WIDTHS = (390, 700, 1000)


@pytest.fixture
def course_page(browser, server):
    """Show a page of the app in a frame of another site that blocks its storage; return the page
    and the frame.
    """
    context = browser.new_context(viewport={"width": 1040, "height": 900})
    context.add_init_script(BLOCKED)
    page = context.new_page()

    def show(address: str):
        page.set_content(
            f'<iframe src="{server.url}/{address}?embed=true" style="border:0; '
            'height:860px"></iframe>'
        )
        return page, page.frame_locator("iframe")

    yield show
    context.close()


def assert_it_fits(page, where: str) -> None:
    for width in WIDTHS:
        page.locator("iframe").evaluate(
            "(frame, width) => { frame.style.width = `${width}px` }", width
        )
        for _ in range(
            40
        ):  # a chart takes its new width a moment later, on a busy machine some seconds
            page.wait_for_timeout(300)
            found = page.frames[1].evaluate(TOO_WIDE)
            if found == [False, []]:
                break
        assert found == [False, []], f"{where} at {width} px"


def test_in_a_frame_without_storage_a_lesson_fits_and_locks_and_says_to_take_the_report(
    course_page,
):
    lesson = LESSONS[0]
    page, frame = course_page(lesson.page)
    lock = frame.get_by_role("button", name="Lock in my prediction")
    lock.wait_for()
    assert_it_fits(page, "before the lock")
    assert frame.get_by_text("does not save what you do").count() == 0
    frame.get_by_test_id("stRadioOption").first.click()
    lock.click()
    frame.get_by_text("You said: ").first.wait_for()
    frame.get_by_text("does not save what you do").wait_for()
    frame.get_by_role("heading", name="Reflect").wait_for()
    assert_it_fits(page, "after the lock")
    assert frame.get_by_test_id("stException").count() == 0
    # In a narrow frame the knobs are folded away, and the way to them is there.
    page.locator("iframe").evaluate("frame => { frame.style.width = '390px' }")
    frame.get_by_test_id("stExpandSidebarButton").wait_for()
    frame.get_by_role("link", name="Download your report").click()
    frame.get_by_role("heading", name="Your report").wait_for()
    assert frame.get_by_text(lesson.title).first.is_visible()
    assert_it_fits(page, "the report")
    assert "embed=true" in page.frames[1].url
