"""On a phone the knobs of the picture stand under it: cause and effect are in sight."""

import pytest
from browsing import PHONE, again, chart, lock, metric, press, settle
from playwright.sync_api import expect


def test_the_knobs_stand_between_the_picture_and_the_curve_and_both_stand_still(comes):
    phone = comes("utilization_trap?trap_utilization=90", PHONE)
    assert not phone.get_by_test_id("stMain").get_by_role("slider").count()
    for option in phone.get_by_test_id("stRadioOption").all():
        row = option.bounding_box()
        words = option.get_by_test_id("stMarkdownContainer").bounding_box()
        assert row["height"] >= 44
        assert words["y"] + words["height"] / 2 == pytest.approx(
            row["y"] + row["height"] / 2, abs=2
        )
    lock(phone, "Large jobs;")
    main = phone.get_by_test_id("stMain")
    knob = main.get_by_role("slider", name="Utilization before buying (%)")
    expect(knob).to_have_value("90")
    presets = phone.get_by_role("button", name="Presets")
    expect(main.get_by_test_id("stSlider")).to_have_count(4)
    expect(
        phone.get_by_role("heading", name="Utilization trap")
    ).to_be_in_viewport()  # the page begins at its top
    knob.press("ArrowRight")  # the first turn shows what the prediction asks for
    expect(metric(phone)).to_contain_text("2.1 h")
    assert "trap_utilization=90.5" in phone.url
    picture = phone.locator(".film canvas").first
    expect(picture).to_be_visible()
    curve = chart(phone)

    def tops() -> list[float]:
        """Where picture, knob, curve and presets begin on the page [px]."""
        down = main.evaluate("main => main.scrollTop")
        parts = (picture, knob, curve, presets)
        return [part.bounding_box()["y"] + down for part in parts]

    before = tops()
    assert before == sorted(before) and before[1] - before[0] < PHONE["viewport"]["height"] / 2
    knob.press("ArrowRight")
    settle(phone)
    assert tops() == pytest.approx(before, abs=1)
    presets.click()
    press(phone, "8-GPU jobs")
    expect(phone.get_by_role("button", name="8-GPU jobs")).not_to_be_visible()
    expect(knob).to_have_value("95")
    knob.press("ArrowLeft")
    settle(phone)
    again(phone)
    expect(knob).to_have_value("94.5")
    expect(metric(phone)).to_be_visible()


def test_on_a_phone_the_button_for_the_full_screen_covers_no_number_and_not_the_charts_title(comes):
    phone = comes("io_bottleneck", PHONE)
    lock(phone, "The storage nodes are overloaded")
    chart(phone)
    button = phone.get_by_test_id("stElementToolbar").first.bounding_box()
    notes = [one.bounding_box() for one in phone.get_by_test_id("stMetric").all()]
    assert len(notes) == 2 and all(one["y"] + one["height"] <= button["y"] for one in notes)
    title = phone.get_by_text("How is one batch read?").first.bounding_box()
    assert title["x"] + title["width"] <= button["x"]
