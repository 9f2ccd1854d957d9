"""What a visitor did comes back: after a reload, a new visit, a server restart; two tabs leave each
other alone.
"""

import json
import re

from browsing import again, headed, kept, lock, locked, metric, press, says, settle, turn, write
from driving import BY_ID
from playwright.sync_api import expect

TRAP = "utilization_trap"
FEW = "Too few GPUs"
LARGE = "Large jobs;"
HOARDERS = "Hoarders"
UTILIZATION = "Utilization before buying (%)"


def test_a_lock_a_note_and_a_knob_come_back_after_a_reload_and_on_a_new_visit(open_at, page, comes):
    open_at(TRAP)
    lock(page, FEW)
    turn(page, UTILIZATION, "Home")
    write(page, "the last few percent")
    kept(page, "trap/note", "last few percent")
    kept(page, "trap/tried", '"utilization": 0.5')
    page.reload()
    expect(metric(page)).to_be_visible()
    assert page.get_by_role("slider", name=UTILIZATION).input_value() == "50"

    page.close()
    back = comes(TRAP, beside=page)
    says(back, f"You said: {FEW}")
    settle(back)
    assert back.get_by_role("slider", name=UTILIZATION).input_value() == "50"
    assert back.get_by_role("textbox").input_value() == "the last few percent"


def test_what_the_browser_handed_over_is_not_sent_again_with_every_turn_of_a_knob(open_at, page):
    """Thirteen long notes made a turn 32 kB, and a held arrow key sends thirty turns a second."""
    sizes = []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda frame: sizes.append(len(frame)))
    )
    note = json.dumps("two words " * 190)
    names = json.dumps(list(BY_ID))
    page.add_init_script(
        f"for (const id of {names}) localStorage.setItem(`fleet-what-if:1:${{id}}/note`, {note!r})"
    )
    locked(page, BY_ID["trap"])
    open_at(TRAP)
    expect(metric(page)).to_be_visible()
    settle(page)
    handed_over = len(BY_ID) * len(note)
    assert max(sizes) > handed_over
    sizes.clear()
    turn(page, UTILIZATION, *["ArrowLeft"] * 3)
    assert len(sizes) == 3 and max(sizes) < 8000 < handed_over


def test_back_and_forward_keep_the_knobs_and_what_is_kept_of_them(open_at, page):
    open_at(TRAP)
    lock(page, LARGE)
    bought = page.get_by_role("slider", name="GPUs bought")
    turn(page, "GPUs bought", *["ArrowRight"] * 5)
    kept(page, "trap/tried", '"added": 40')
    page.get_by_role("link", name="Next lesson").click()
    headed(page, "Scheduling policy")
    # First the bare address that Streamlit leaves behind, then the one with the knob, then the bare
    # one back.
    for step in (page.go_back, page.go_back, page.go_forward):
        step()
        headed(page, "Utilization trap")
        expect(bought).to_have_value("40")
        expect(page).to_have_url(re.compile("trap_added=40"))
        kept(page, "trap/tried", '"added": 40')
    turn(page, "GPUs bought", "Home")
    expect(bought).to_have_value("0")
    kept(page, "trap/tried", '"added": 0')


def test_a_draft_that_is_not_locked_comes_back(open_at, page, comes):
    open_at(TRAP)
    page.get_by_text("Hoarders").click()
    settle(page)
    kept(page, "trap/draft", '"d"')
    page.close()
    back = comes(TRAP, beside=page)
    expect(
        back.get_by_role("radio", name="Hoarders; a limit on each user would end the long waits.")
    ).to_be_checked()


def test_two_windows_get_their_own_locks_back_when_the_server_is_killed_and_started_again(
    comes, server
):
    windows = [(comes(TRAP), *answer) for answer in (("a", FEW), ("d", HOARDERS))]
    for window, answer, words in windows:
        lock(window, words)
        kept(window, "trap/prediction", f'"{answer}"')
    server.kill()
    server.start()
    for window, _, words in windows:
        says(window, f"You said: {words}")
        expect(metric(window)).to_be_visible()
    window.reload()
    says(window, f"You said: {words}")


def test_the_first_of_two_tabs_to_lock_wins_and_neither_destroys_the_others_records(
    open_at, page, comes
):
    open_at(TRAP)
    other = comes(TRAP, beside=page)
    lock(page, HOARDERS)
    kept(page, "trap/prediction", '"d"')
    says(other, f"You said: {HOARDERS}")
    write(page, "written in the first tab")
    kept(page, "trap/note", "first tab")
    settle(other)
    turn(other, "GPUs bought", "ArrowRight")
    kept(page, "trap/tried", '"added": 8')
    kept(page, "trap/note", "first tab")
    kept(page, "trap/prediction", '"d"')


def test_start_over_erases_the_browser_s_copy_too(open_at, page):
    open_at(TRAP)
    lock(page, LARGE)
    kept(page, "trap/prediction", '"c"')
    press(page, "Reset this lesson")
    press(page, "Delete")
    page.wait_for_function("() => !window.localStorage.getItem('fleet-what-if:1:trap/prediction')")
    again(page)
    expect(page.get_by_role("button", name="Lock in my prediction")).to_be_visible()
    assert page.get_by_test_id("stMetric").count() == 0


def test_a_full_storage_is_said_and_its_locks_still_count(open_at, page, comes):
    open_at(TRAP)
    lock(page, FEW)
    kept(page, "trap/prediction", '"a"')
    page.evaluate("""() => {
        for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2))
            try {
                for (let i = 0; ; i++)
                    localStorage.setItem(`filler/${size}/${i}`, "x".repeat(size))
            } catch (e) {}
    }""")
    back = comes(TRAP, beside=page)
    says(back, f"You said: {FEW}")
    settle(back)
    write(back, "more than there is room for")
    says(back, "storage is full")
    assert back.evaluate("localStorage.getItem('fleet-what-if:1:trap/prediction')")
    back.evaluate(
        "() => Object.keys(localStorage).forEach(k => k.startsWith('filler') && "
        "localStorage.removeItem(k))"
    )
    turn(back, "GPUs bought", "ArrowRight")
    kept(back, "trap/note", "more than there is room for")
    kept(back, "trap/prediction", '"a"')
