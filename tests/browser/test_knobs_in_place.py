"""What a turn of a knob does to the page as a whole: knobs, address, the browser's copy, and what
stays where it is.
"""

from pathlib import Path

import pytest
from browsing import WATCH, chart, turn

from ui.base.words import load
from ui.record import local_storage

#: Loads the component's own code in the page and lets it act on data, one after another, as
#: Streamlit does.
ACT = """async ([code, acts]) => {
    const kept = await import("data:text/javascript," + encodeURIComponent(code))
    for (const [kind, data] of acts) {
        const bytes = new TextEncoder().encode(JSON.stringify(data)) // as Python sends it
        const calls = { setStateValue: () => {}, setTriggerValue: () => {} }
        if (kind === "page") kept.default({ data: bytes, ...calls })
        else { window.fleetWhatIfTried = data; window.fleetWhatIfKeep?.() }
    }
    return localStorage.getItem("fleet-what-if:1:trap/tried")
}"""


@pytest.mark.parametrize(
    ("name", "query", "knob"),
    [
        (
            "spot_training",
            "spot_interval=1440&spot_mtbf=1&spot_nodes=64",
            "Checkpoint interval (min)",
        ),
        pytest.param(
            "scheduling_policy", "", "Interactive slice (GPUs)", marks=pytest.mark.nightly
        ),
    ],
)
def test_neither_long_numbers_nor_progress_nor_a_longer_verdict_move_the_chart(
    comes, name, query, knob
):
    page = comes(f"?{query}", lesson=load(name))
    chart(page)
    tops = {round(one.bounding_box()["y"]) for one in page.get_by_test_id("stMetric").all()}
    assert len(tops) == 1
    page.evaluate(WATCH)
    turn(page, knob, "ArrowRight")
    low, high = page.evaluate("window.chartAt.top")
    assert high - low < 1


def page_data(turn: int, text: str, restored: str | None = "s") -> tuple[str, dict]:
    names = {
        "once": [],
        "spare": [],
        "unreadable": [],
        "erase": None,
        "longest": local_storage.MOST_FIELD,
    }
    return "page", names | {
        "session": "s",
        "turn": turn,
        "restored": restored,
        "fields": {"trap/tried": text},
    }


def turn_data(turn: int, text: str, session: str = "s") -> tuple[str, dict]:
    return "turn", {"session": session, "turn": turn, "fields": {"trap/tried": text}}


@pytest.mark.parametrize(
    ("acts", "kept"),
    [
        (
            [turn_data(2, "turned"), page_data(1, "opened")],
            "turned",
        ),  # before the component was loaded
        (
            [page_data(1, "opened"), turn_data(2, "turned"), page_data(1, "opened")],
            "turned",
        ),  # drawn again, late
        ([page_data(1, "opened"), turn_data(2, "turned"), page_data(3, "preset")], "preset"),
        ([page_data(1, "opened"), turn_data(9, "other", "before the restart")], "opened"),
        (
            [page_data(1, "opened", None), turn_data(2, "turned")],
            "old",
        ),  # nothing is written before it is handed back
        ([page_data(1, "opened", None), turn_data(2, "turned"), page_data(3, "turned")], "turned"),
    ],
)
def test_the_browser_s_copy_holds_the_latest_turn_in_whatever_order_the_parts_arrive(
    page, server, acts, kept
):
    page.goto(f"{server.url}/_stcore/health")
    page.evaluate("localStorage.clear()")
    if acts[0][1].get("restored", "") is None:
        page.evaluate("localStorage.setItem('fleet-what-if:1:trap/tried', 'old')")
    code = Path(local_storage.__file__).with_name("local_storage.js").read_text(encoding="utf-8")
    assert page.evaluate(ACT, [code, acts]) == kept
