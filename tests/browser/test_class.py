"""One presenter and two students in real browsers: the count alone, the close, the lock, the second
vote.
"""

import re

from browsing import kept, open_class, press, says, settle, sound
from playwright.sync_api import expect


def vote(page, words: str) -> None:
    page.get_by_text(words).first.click()
    settle(page)
    page.get_by_role("button", name=re.compile("Vote|Change my vote")).click()
    says(page, "Your vote is in: " + words)


def count(page):
    return page.get_by_test_id("stMetricValue").nth(1)


def test_one_presenter_and_two_students_vote_twice(comes):
    presenter = comes("class_poll?present=1")
    code = open_class(presenter)
    says(presenter, re.compile("^127.0.0.1:[0-9]+/class$"))
    expect(presenter.get_by_role("img", name=re.compile("QR code of http"))).to_be_visible()
    students = [comes(f"class_poll?class={code}") for _ in range(2)]
    for student, words in zip(students, ("Too few GPUs", "Hoarders"), strict=True):
        vote(student, words)
    vote(students[0], "A misconfigured scheduler")
    expect(count(presenter)).to_have_text("2")
    # A second tab of the same browser is the same voter.
    tab = students[1].context.new_page()
    tab.goto(students[1].url)
    says(tab, "Your vote is in: Hoarders")
    tab.close()

    presenter.get_by_role("button", name="Close the round").click()
    for student in students:
        # Nobody touches the page: it notices by itself.
        says(student, "This round is closed")
        assert student.get_by_test_id("stVegaLiteChart").count() == 0
    kept(students[0], "trap/prediction", '"b"')
    presenter.get_by_role("button", name="Vote again").click()
    expect(students[1].get_by_role("button", name="Vote")).to_be_visible()
    vote(students[1], "Large jobs;")
    expect(count(presenter)).to_have_text("1")

    presenter.reload()
    expect(presenter.get_by_role("button", name="Close the round")).to_be_visible()
    sound(presenter, *students)
    students[0].goto(students[0].url.replace("class_poll", "utilization_trap"))
    says(students[0], "You said: A misconfigured")


#: What would call another server or run, were it not shown as text.
CALLS = (
    "![x](https://a.example/x.png) [y](//a.example/y) <img src=//a.example/z> "
    "<script>alert(1)</script> www.a.example"
)


def test_a_question_with_images_links_and_scripts_in_it_calls_nobody(comes):
    presenter = comes("class_poll")
    code = open_class(presenter)
    presenter.get_by_text("A question of your own").click()
    presenter.get_by_role("textbox", name="Question", exact=True).fill(f"Which? {CALLS}")
    options = presenter.get_by_role("textbox", name="Options, one per line")
    options.fill(f"Yes {CALLS[:60]}\nNo {CALLS[60:]}")
    options.blur()
    settle(presenter)
    press(presenter, "Add it to this class")
    called = []
    student = comes("class_poll")
    for page in (presenter, student):
        page.on("request", lambda request: called.append(request.url))
        page.on("dialog", lambda dialog: called.append(dialog.message))
    presenter.get_by_text("Next question, results, end of class").click()
    presenter.get_by_role("button", name="Start this question").click()
    # The screen shows what is asked, not where the button was.
    presenter.wait_for_function(
        "() => document.querySelector('[data-testid=stMain]').scrollTop === 0"
    )
    expect(presenter.get_by_role("heading", name="Which?")).to_be_in_viewport()
    student.goto(f"{student.url}?class={code}")
    for page in (presenter, student):
        expect(page.get_by_text(CALLS.replace("www", "www\u2060")[-40:]).first).to_be_visible()
        settle(page)
        assert page.locator("a[href*='a.example'], img[src*='a.example']").count() == 0
    assert [
        url
        for url in called
        if "a.example" in url or not url.startswith(("http://127", "data:", "blob:"))
    ] == []
    assert "alert(1)" in student.inner_text("body")


def test_a_class_votes_inside_a_course_page(comes, server):
    presenter = comes("class_poll")
    code = open_class(presenter)
    course = comes()
    course.set_content(
        f'<iframe src="{server.url}/class_poll?class={code}&embed=true" '
        'style="width:390px;height:860px"></iframe>'
    )
    frame = course.frame_locator("iframe")
    frame.get_by_text("Hoarders").first.click()
    frame.get_by_role("button", name="Vote").click()
    says(frame, "Your vote is in: Hoarders")
    expect(count(presenter)).to_have_text("1")
