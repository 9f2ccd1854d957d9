"""Policy trial in a browser: a trial fills week by week without the server, and the row of trials
outlives a reload.
"""

import re

from browsing import lock, settle
from playwright.sync_api import expect

#: How much of the second policy's weeks is cut off at the right, in percent, and whether the means
#: are in sight.
HIDDEN = """() => {
    const chart = document.querySelector("[data-testid=stVegaLiteChart]")
    const style = name => getComputedStyle(chart.querySelector(`[class*="${name}"]`))
    return [style("filling_second").clipPath, style("filling_last").opacity]
}"""


def test_a_trial_fills_week_by_week_and_decided_by_keyboard_it_comes_back_with_a_reload(
    open_at, page
):
    open_at("policy_trial")
    lock(page, "In about half of them.")
    button = page.get_by_role
    button("button", name="Run trial 1").press("Enter")
    page.wait_for_selector("[class*=filling_second]", state="attached")
    clip, means = page.evaluate(HIDDEN)
    assert int(re.search(r"(\d+)%", clip)[1]) > 0 and means == "0"
    page.wait_for_function(f"(() => {{ const [, means] = ({HIDDEN})(); return means === '1' }})()")
    assert re.search(r"(\d+)%", page.evaluate(HIDDEN)[0])[1] == "0"
    button("button", name="Keep A").press("Enter")
    told = page.get_by_text(
        re.compile("You kept A, (EASY, the better|strict priority, the worse) policy")
    )
    expect(told).to_be_visible()
    expect(page.locator("[class*=filling_]")).to_have_count(0)
    count = page.get_by_text(re.compile("You kept the worse policy in . of 1 trial"))
    said = told.text_content(), count.text_content()
    settle(page)
    page.reload()
    expect(told).to_have_text(said[0])
    expect(count).to_have_text(said[1])
    button("button", name="Run trial 2").click()
    expect(page.locator("[class*=filling_first]").first).to_be_attached()
    expect(page.get_by_role("slider", name="Trial shown")).to_have_value("2")
