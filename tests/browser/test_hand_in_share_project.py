"""Hand in, share, project: a foreign file, a shared link, the lecturer's keys, in a real
browser.
"""

import json

from browsing import chart, headed, kept, lock, metric, press, says, settle, write
from playwright.sync_api import expect


def test_a_report_travels_to_another_machine(open_at, page, comes, server):
    open_at("utilization_trap?trap_added=256")
    lock(page, "Too few GPUs")
    press(page, "Test my prediction")
    write(page, "<b>mine</b>")
    kept(page, "trap/note", "mine")
    kept(page, "trap/prediction", '"a"')
    press(page, "Menu", exact=True)
    page.get_by_role("link", name="Your report").click()
    headed(page, "Your report")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as data (JSON)").click()
    data = download.value.path().read_bytes()
    record = json.loads(data)["lessons"]["trap"]
    assert record["prediction"] == "a" and record["note"] == "<b>mine</b>"
    assert record["settings"]["added"] == 256

    other = comes("report")
    other.locator("input[type=file]").set_input_files(
        {"name": "report.json", "mimeType": "application/json", "buffer": data}
    )
    says(other, "the model finds the same")
    press(other, "Import")
    for part, words in (("prediction", '"a"'), ("note", "mine"), ("tried", "256")):
        kept(other, f"trap/{part}", words)
    other.goto(f"{server.url}/utilization_trap")
    says(other, "a quarter less, 3.34 h")
    settle(other)
    expect(other.get_by_role("slider", name="GPUs bought")).to_have_value("256")
    expect(other.get_by_role("textbox")).to_have_value("<b>mine</b>")


def test_on_the_projector_keys_work_and_do_nothing_while_someone_types(open_at, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_at("utilization_trap?present=1")
    expect(page.get_by_role("button", name="Show without predicting")).to_be_enabled()
    page.wait_for_timeout(500)
    page.keyboard.press("v")
    expect(metric(page)).to_contain_text("not tested yet")
    box = chart(page).bounding_box()
    knob = page.get_by_role("slider", name="Target for the mean wait (min)")
    assert box["y"] + box["height"] <= 720 and knob.bounding_box()["y"] <= 720
    page.keyboard.press("n")
    expect(metric(page)).to_contain_text("19 h")
    settle(page)
    page.keyboard.press("p")
    expect(page.get_by_role("columnheader", name="Pinned 1")).to_be_visible()
    settle(page)
    text = page.get_by_role("textbox")
    text.fill("")
    text.press_sequentially("nnnpppvvv")
    text.blur()
    settle(page)
    expect(metric(page)).to_contain_text("19 h")
    assert text.input_value() == "nnnpppvvv"
    open_at("utilization_trap?present=0")
    says(page, "One answer:")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "14px"
