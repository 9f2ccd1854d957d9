"""A projector, a remote and a phone in real browsers, walked by keys alone."""

import re

from browsing import PHONE, found_by_axe, middle, open_class, press, says, settle, sound
from driving import BY_ID
from playwright.sync_api import expect


def test_a_lecture_goes_by_keys_from_the_question_to_the_animation_and_back(comes):
    desk = comes("class_poll")
    code = open_class(desk)
    desk.get_by_text("Your PIN", exact=True).click()
    pin = re.search(r"Your PIN is (\d+)", desk.inner_text("body"))[1]

    remote = comes(f"class_poll?remote=1&class={code}", PHONE)
    remote.get_by_label("PIN").fill(pin)
    remote.get_by_label("PIN").blur()
    settle(remote)
    press(remote, "Present", exact=True)
    remote.get_by_text("Playlist", exact=True).click()
    remote.get_by_role("button", name="Start this playlist").click()
    expect(remote.get_by_text("1 of 7: The question")).to_be_in_viewport()

    screen = comes(f"class_poll?present=screen&class={code}", beside=desk)
    says(screen, f"/class  ·  code {code}")
    picture = screen.get_by_role("img", name=re.compile("QR code")).bounding_box()
    assert picture["height"] >= 720 / 3
    assert (
        screen.get_by_role("button").count() == 0 and screen.get_by_test_id("stSidebar").is_hidden()
    )

    phone = comes("class", PHONE)  # what people type
    phone.get_by_label("Code (six letters)").fill(code.lower())
    phone.get_by_role("button", name="Join").click()
    says(phone, "The vote has not opened yet")
    screen.keyboard.press("PageDown")
    says(remote, "2 of 7: Vote")
    phone.get_by_text("Hoarders").first.click()
    settle(phone)
    phone.get_by_role("button", name="Vote").click()
    says(screen, "first vote: 1")

    for key, shown in (
        ("Space", "3 of 7: Discussion"),
        ("PageUp", "2 of 7: Vote"),
        ("PageDown", "3 of 7: Discussion"),
        ("PageDown", "4 of 7: Second vote"),
        ("PageDown", "5 of 7: Reveal"),
        ("PageDown", "Next: Animation"),
        ("PageDown", "6 of 7: Animation"),
    ):
        screen.keyboard.press(key)
        says(remote, shown)
        settle(screen)
        if shown.endswith("Discussion"):
            expect(screen.get_by_role("timer").first).to_have_text(re.compile("^1:5[0-9]$"))
            says(phone, "This round is closed")
    film = screen.locator(".film")
    expect(film).to_have_attribute("data-playing", "false")
    screen.keyboard.press("Space")
    expect(film).to_have_attribute("data-playing", "true")
    screen.keyboard.press("Space")
    expect(film).to_have_attribute("data-playing", "false")
    remote.get_by_role("button", name="Play or pause").click()
    expect(film).to_have_attribute("data-playing", "true")
    remote.get_by_role("button", name="Back").click()
    says(screen, "fewer than 5 votes")
    sound(desk, remote, screen, phone)
    assert not any(
        found_by_axe(page, runOnly=["heading-order"]) for page in (desk, remote, screen, phone)
    )


def test_on_the_projector_a_lecturers_keys_go_on_after_a_knob_was_dragged(comes):
    trap = BY_ID["trap"]
    page = comes("?present=1", lesson=trap)
    steps = [preset.words for preset in trap.presets.values()]
    expect(page.get_by_role("button", name=f"Next: {steps[1]}")).to_be_visible()
    slider = page.get_by_role("slider", name="Utilization before buying (%)")
    x, y = middle(slider)
    before = slider.input_value()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=4)
    page.mouse.up()
    settle(page)
    assert slider.input_value() != before
    page.keyboard.press("n")
    expect(page.get_by_role("button", name=f"Next: {steps[2]}")).to_be_visible()
