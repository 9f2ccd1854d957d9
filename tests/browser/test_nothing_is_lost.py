"""What a visitor did comes back: after a reload, a new visit, a server restart; two tabs leave each other alone."""

import json
import re

import pytest
from browsing import lock, locked, settle
from playwright.sync_api import expect

from lessons import LESSONS


def metric(page):
    return page.get_by_test_id("stMetric").first


def wait_for_keeping(page, name: str, words: str) -> None:
    """Wait until the browser's storage holds a field with these words in it."""
    page.wait_for_function(
        "([name, words]) => (window.localStorage.getItem('fleet-what-if:1:' + name) || '').includes(words)",
        arg=[name, words],
    )


def move(page, name: str, keys: list[str]) -> None:
    slider = page.get_by_role("slider", name=name)
    slider.focus()
    for key in keys:
        slider.press(key)
    settle(page)


def test_a_lock_a_note_and_a_knob_come_back_after_a_reload_and_on_a_new_visit(open_at, page, comes):
    open_at("utilization_trap")
    lock(page, "Too few GPUs")
    move(page, "Utilization before buying (%)", ["Home"])
    page.get_by_role("textbox").fill("the last few percent")
    page.get_by_role("textbox").blur()
    wait_for_keeping(page, "trap/note", "last few percent")
    wait_for_keeping(page, "trap/tried", '"utilization": 0.5')
    page.reload()
    expect(metric(page)).to_be_visible()
    assert page.get_by_role("slider", name="Utilization before buying (%)").input_value() == "50"

    page.close()
    again = comes("utilization_trap", beside=page)
    expect(again.get_by_text("You said: Too few GPUs").first).to_be_visible()
    settle(again)
    assert again.get_by_role("slider", name="Utilization before buying (%)").input_value() == "50"
    assert again.get_by_role("textbox").input_value() == "the last few percent"


def test_what_the_browser_handed_over_is_not_sent_again_with_every_turn_of_a_knob(open_at, page):
    """Thirteen long notes made a turn 32 kB, and a held arrow key sends thirty turns a second."""
    sizes = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sizes.append(len(frame))))
    note, names = json.dumps("two words " * 190), json.dumps([lesson.id for lesson in LESSONS])
    page.add_init_script(f"for (const id of {names}) localStorage.setItem(`fleet-what-if:1:${{id}}/note`, {note!r})")
    locked(page, next(lesson for lesson in LESSONS if lesson.id == "trap"))
    open_at("utilization_trap")
    expect(metric(page)).to_be_visible()
    settle(page)
    handed_over = len(LESSONS) * len(note)
    assert max(sizes) > handed_over
    sizes.clear()
    move(page, "Utilization before buying (%)", ["ArrowLeft"] * 3)
    assert len(sizes) == 3 and max(sizes) < 8000 < handed_over


def test_back_and_forward_keep_the_knobs_and_what_is_kept_of_them(open_at, page):
    open_at("utilization_trap")
    lock(page, "Large jobs; on a fleet")
    bought = page.get_by_role("slider", name="GPUs bought")
    move(page, "GPUs bought", ["ArrowRight"] * 5)
    wait_for_keeping(page, "trap/tried", '"added": 40')
    page.get_by_role("link", name="Next lesson").click()
    expect(page.get_by_role("heading", name="Scheduling policy")).to_be_visible()
    settle(page)
    # First the bare address that Streamlit leaves behind, then the one with the knob, then the bare one again.
    for step in (page.go_back, page.go_back, page.go_forward):
        step()
        expect(page.get_by_role("heading", name="Utilization trap")).to_be_visible()
        settle(page)
        expect(bought).to_have_value("40")
        expect(page).to_have_url(re.compile("trap_added=40"))
        wait_for_keeping(page, "trap/tried", '"added": 40')
    move(page, "GPUs bought", ["Home"])
    expect(bought).to_have_value("0")
    wait_for_keeping(page, "trap/tried", '"added": 0')


def test_a_draft_that_is_not_locked_comes_back(open_at, page, comes):
    open_at("utilization_trap")
    page.get_by_text("Hoarders").click()
    settle(page)
    wait_for_keeping(page, "trap/draft", '"d"')
    page.close()
    again = comes("utilization_trap", beside=page)
    expect(again.get_by_role("radio", name="Hoarders; a limit on each user would end the long waits.")).to_be_checked()


def test_two_windows_get_their_own_locks_back_when_the_server_is_killed_and_started_again(comes, server):
    answers = {"a": "Too few GPUs", "d": "Hoarders"}
    windows = [(comes("utilization_trap"), answer) for answer in answers]
    for window, answer in windows:
        lock(window, answers[answer])
        wait_for_keeping(window, "trap/prediction", f'"{answer}"')
    server.kill()
    server.start()
    for window, answer in windows:
        expect(window.get_by_text(f"You said: {answers[answer]}").first).to_be_visible()
        expect(metric(window)).to_be_visible()
    window.reload()
    expect(window.get_by_text(f"You said: {answers[answer]}").first).to_be_visible()


def test_the_first_of_two_tabs_to_lock_wins_and_neither_destroys_the_others_records(open_at, page, comes):
    open_at("utilization_trap")
    other = comes("utilization_trap", beside=page)
    lock(page, "Hoarders")
    wait_for_keeping(page, "trap/prediction", '"d"')
    expect(other.get_by_text("You said: Hoarders").first).to_be_visible()
    page.get_by_role("textbox").fill("written in the first tab")
    page.get_by_role("textbox").blur()
    wait_for_keeping(page, "trap/note", "first tab")
    settle(other)
    move(other, "GPUs bought", ["ArrowRight"])
    wait_for_keeping(page, "trap/tried", '"added": 8')
    wait_for_keeping(page, "trap/note", "first tab")
    wait_for_keeping(page, "trap/prediction", '"d"')


def test_without_storage_the_app_works_and_says_that_nothing_is_kept(open_at, page):
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { return null } })")
    open_at("utilization_trap")
    lock(page, "Large jobs; on a fleet")
    expect(metric(page)).to_contain_text("4.46 h")
    expect(page.get_by_text("does not let the app keep anything")).to_be_visible()


def test_start_over_erases_the_browser_s_copy_too(open_at, page):
    open_at("utilization_trap")
    lock(page, "Large jobs; on a fleet")
    wait_for_keeping(page, "trap/prediction", '"c"')
    page.get_by_role("button", name="Reset this lesson").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Lock in my prediction")).to_be_visible()
    page.wait_for_function("() => !window.localStorage.getItem('fleet-what-if:1:trap/prediction')")
    page.reload()
    settle(page)
    expect(page.get_by_role("button", name="Lock in my prediction")).to_be_visible()
    assert page.get_by_test_id("stMetric").count() == 0


def test_a_full_storage_is_said_and_its_locks_still_count(open_at, page, comes):
    open_at("utilization_trap")
    lock(page, "Too few GPUs")
    wait_for_keeping(page, "trap/prediction", '"a"')
    page.evaluate("""() => {
        for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2))
            try { for (let i = 0; ; i++) localStorage.setItem(`filler/${size}/${i}`, "x".repeat(size)) } catch (e) {}
    }""")
    again = comes("utilization_trap", beside=page)
    expect(again.get_by_text("You said: Too few GPUs").first).to_be_visible()
    settle(again)
    again.get_by_role("textbox").fill("more than there is room for")
    again.get_by_role("textbox").blur()
    expect(again.get_by_text("storage is full").first).to_be_visible()
    assert again.evaluate("localStorage.getItem('fleet-what-if:1:trap/prediction')")
    again.evaluate("() => Object.keys(localStorage).forEach(k => k.startsWith('filler') && localStorage.removeItem(k))")
    move(again, "GPUs bought", ["ArrowRight"])
    wait_for_keeping(again, "trap/note", "more than there is room for")
    wait_for_keeping(again, "trap/prediction", '"a"')


@pytest.mark.nightly  # by day the first of two tabs to lock wins, above
def test_two_tabs_that_lock_at_the_same_moment_agree(comes):
    tabs = [first := comes("utilization_trap"), comes("utilization_trap", beside=first)]
    for tab, words in zip(tabs, ("Too few GPUs", "Hoarders"), strict=True):
        tab.get_by_text(words).first.click()
    for tab in tabs:
        settle(tab)
    press = "() => [...document.querySelectorAll('button')].find(b => b.innerText.includes('Lock in my pred')).click()"
    for tab in tabs:
        tab.evaluate(press)
    for tab in tabs:
        expect(metric(tab)).to_be_visible()
    kept = json.loads(tabs[0].evaluate("localStorage.getItem('fleet-what-if:1:trap/prediction')"))["answer"]
    words = {"a": "Too few GPUs", "d": "Hoarders"}[kept]
    for tab in tabs:
        expect(tab.get_by_text(f"You said: {words}").first).to_be_visible()


@pytest.mark.nightly  # by day two windows outlive a server that is killed, above
def test_a_server_that_dies_during_a_lock_loses_no_choice(open_at, page, server):
    open_at("io_bottleneck")
    page.get_by_role("radio").first.check(force=True)
    settle(page)
    wait_for_keeping(page, "io/draft", '"a"')
    page.get_by_role("button", name="Lock in my prediction").click(no_wait_after=True)
    server.kill()
    server.start()
    # The lock arrived, or the answer is still chosen and can be locked.
    said, button = page.get_by_text("You said:").first, page.get_by_role("button", name="Lock in my prediction")
    expect(said.or_(button).first).to_be_visible()
    page.reload()
    settle(page)
    expect(said.or_(page.get_by_role("radio").first).first).to_be_visible()
    if button.count():
        expect(page.get_by_role("radio").first).to_be_checked()


def test_a_kept_lock_that_cannot_be_read_gives_way_to_the_next_one(open_at, page):
    open_at("utilization_trap")
    page.evaluate("localStorage.setItem('fleet-what-if:1:trap/prediction', '[3]')")
    page.reload()
    settle(page)
    lock(page, "Too few GPUs")
    expect(page.get_by_text("cannot be read, so it is set aside").first).to_be_visible()
    wait_for_keeping(page, "trap/prediction", '"a"')
    page.reload()
    expect(page.get_by_text("You said: Too few GPUs").first).to_be_visible()
