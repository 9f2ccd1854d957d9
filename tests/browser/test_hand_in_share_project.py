"""Hand in, share, project: a foreign file, a shared link, the lecturer's keys, in a real browser."""

import json

from browsing import lock, settle
from playwright.sync_api import expect


def test_a_report_travels_to_another_machine(open_at, page, browser, server):
    open_at("utilization_trap?trap_added=256")
    lock(page, "Too few GPUs")
    page.get_by_role("textbox").fill("<b>mine</b>")
    page.get_by_role("textbox").blur()
    page.wait_for_function("() => (localStorage.getItem('fleet-what-if:1:trap/note') || '').includes('mine')")
    page.wait_for_function("() => localStorage.getItem('fleet-what-if:1:trap/prediction')")
    settle(page)
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("link", name="Your report").click()
    expect(page.get_by_role("heading", name="Your report")).to_be_visible()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as data (JSON)").click()
    data = download.value.path().read_bytes()
    record = json.loads(data)["lessons"]["trap"]
    assert record["prediction"] == "a" and record["note"] == "<b>mine</b>"
    assert record["settings"]["added"] == 256

    other = browser.new_context().new_page()
    other.goto(f"{server.url}/report")
    settle(other)
    other.locator("input[type=file]").set_input_files(
        {"name": "report.json", "mimeType": "application/json", "buffer": data}
    )
    expect(other.get_by_text("the model finds the same")).to_be_visible()
    other.get_by_role("button", name="Import").click()
    settle(other)
    for part, words in (("prediction", '"a"'), ("note", "mine"), ("tried", "256")):
        kept = f"localStorage.getItem('fleet-what-if:1:trap/{part}')"
        other.wait_for_function(f"() => ({kept} || '').includes('{words}')")
    other.goto(f"{server.url}/utilization_trap")
    expect(other.get_by_text("You said: Too few GPUs").first).to_be_visible()
    settle(other)
    expect(other.get_by_role("slider", name="GPUs bought")).to_have_value("256")
    expect(other.get_by_role("textbox")).to_have_value("<b>mine</b>")


def test_on_the_projector_keys_work_and_do_nothing_while_someone_types(open_at, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_at("utilization_trap?present=1")
    expect(page.get_by_role("button", name="Show without predicting")).to_be_enabled()
    page.wait_for_timeout(500)
    page.keyboard.press("v")
    expect(page.get_by_test_id("stMetric").first).to_contain_text("4.46 h")
    settle(page)
    chart = page.get_by_test_id("stVegaLiteChart").first
    expect(chart).to_be_visible()
    box, knob = chart.bounding_box(), page.get_by_role("slider", name="Target for the mean wait (min)").bounding_box()
    assert box["y"] + box["height"] <= 720 and knob["y"] <= 720
    page.keyboard.press("n")
    expect(page.get_by_test_id("stMetric").first).to_contain_text("19 h")
    settle(page)
    page.keyboard.press("p")
    expect(page.get_by_role("columnheader", name="Pinned 1")).to_be_visible()
    settle(page)
    text = page.get_by_role("textbox")
    text.fill("")
    text.press_sequentially("nnnpppvvv")
    text.blur()
    settle(page)
    expect(page.get_by_test_id("stMetric").first).to_contain_text("19 h")
    assert text.input_value() == "nnnpppvvv"
    open_at("utilization_trap?present=0")
    expect(page.get_by_text("You looked without predicting.")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "14px"
