"""One presenter and two students in real browsers: the count alone, the close, the lock, the second vote."""

import re

from browsing import settle
from playwright.sync_api import expect


def vote(page, words: str) -> None:
    page.get_by_text(words).first.click()
    settle(page)
    page.get_by_role("button", name=re.compile("Vote|Change my vote")).click()
    expect(page.get_by_text("Your vote is in: " + words)).to_be_visible()


def count(page):
    return page.get_by_test_id("stMetricValue").nth(1)


def test_one_presenter_and_two_students_vote_twice(comes):
    presenter = comes("class_poll?present=1")
    presenter.get_by_role("button", name="Open a class").click()
    expect(presenter.get_by_text("Class code")).to_be_visible()
    code = presenter.get_by_test_id("stMetricValue").first.inner_text()
    expect(presenter.get_by_text(re.compile("^127.0.0.1:[0-9]+/class$"))).to_be_visible()
    expect(presenter.get_by_role("img", name=re.compile("QR code of http"))).to_be_visible()
    students = [comes(f"class_poll?class={code}") for _ in range(2)]
    for student, words in zip(students, ("Too few GPUs", "Hoarders"), strict=True):
        vote(student, words)
    vote(students[0], "A misconfigured scheduler")
    expect(count(presenter)).to_have_text("2")
    # A second tab of the same browser is the same voter.
    tab = students[1].context.new_page()
    tab.goto(students[1].url)
    expect(tab.get_by_text("Your vote is in: Hoarders")).to_be_visible()
    tab.close()

    presenter.get_by_role("button", name="Close the round").click()
    for student in students:
        # Nobody touches the page: it notices by itself.
        expect(student.get_by_text("This round is closed")).to_be_visible()
        assert student.get_by_test_id("stVegaLiteChart").count() == 0
    students[0].wait_for_function(
        "() => (localStorage.getItem('fleet-what-if:1:trap/prediction') || '').includes('\"b\"')"
    )
    presenter.get_by_role("button", name="Vote again").click()
    expect(students[1].get_by_role("button", name="Vote")).to_be_visible()
    vote(students[1], "Large jobs; on a fleet")
    expect(count(presenter)).to_have_text("1")

    presenter.reload()
    expect(presenter.get_by_role("button", name="Close the round")).to_be_visible()
    for page in (presenter, *students):
        assert page.get_by_test_id("stException").count() == 0
    students[0].goto(students[0].url.replace("class_poll", "utilization_trap"))
    expect(students[0].get_by_text("You said: A misconfigured").first).to_be_visible()


#: What would call another server or run, were it not shown as text.
CALLS = (
    "![x](https://a.example/x.png) [y](//a.example/y) <img src=//a.example/z> <script>alert(1)</script> www.a.example"
)


def test_a_question_with_images_links_and_scripts_in_it_calls_nobody(comes):
    presenter = comes("class_poll")
    presenter.get_by_role("button", name="Open a class").click()
    code = presenter.get_by_test_id("stMetricValue").first.inner_text()
    presenter.get_by_text("A question of your own").click()
    presenter.get_by_role("textbox", name="Question", exact=True).fill(f"Which? {CALLS}")
    presenter.get_by_role("textbox", name="Options, one a line").fill(f"Yes {CALLS[:60]}\nNo {CALLS[60:]}")
    presenter.get_by_role("textbox", name="Options, one a line").blur()
    settle(presenter)
    presenter.get_by_role("button", name="Add it to this class").click()
    settle(presenter)
    called = []
    student = comes("class_poll")
    for page in (presenter, student):
        page.on("request", lambda request: called.append(request.url))
        page.on("dialog", lambda dialog: called.append(dialog.message))
    presenter.get_by_text("Change question, results, or end class").click()
    presenter.get_by_role("button", name="Start this question").click()
    # The screen shows what is asked, not where the button was.
    presenter.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop === 0")
    expect(presenter.get_by_role("heading", name="Which?")).to_be_in_viewport()
    student.goto(f"{student.url}?class={code}")
    for page in (presenter, student):
        expect(page.get_by_text(CALLS.replace("www", "www\u2060")[-40:]).first).to_be_visible()
        settle(page)
        assert page.locator("a[href*='a.example'], img[src*='a.example']").count() == 0
    assert [url for url in called if "a.example" in url or not url.startswith(("http://127", "data:", "blob:"))] == []
    assert "alert(1)" in student.inner_text("body")


def test_a_class_votes_inside_a_course_page(comes, server):
    presenter = comes("class_poll")
    presenter.get_by_role("button", name="Open a class").click()
    code = presenter.get_by_test_id("stMetricValue").first.inner_text()
    course = comes()
    course.set_content(
        f'<iframe src="{server.url}/class_poll?class={code}&embed=true" style="width:390px;height:860px"></iframe>'
    )
    frame = course.frame_locator("iframe")
    frame.get_by_text("Hoarders").first.click()
    frame.get_by_role("button", name="Vote").click()
    expect(frame.get_by_text("Your vote is in: Hoarders")).to_be_visible()
    expect(count(presenter)).to_have_text("1")
