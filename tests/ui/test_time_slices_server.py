"""On a real server: a turn of a knob runs a part of the page alone, and may draw what the whole page did not."""

import pytest
from serving import talk

from benchmarks import visitor
from benchmarks.visitor import unlock
from lessons import LESSONS

PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
#: A knob of each page, to be moved to its ends: at one of them something may leave the frame of the main chart.
KNOBS = {"placement": "place_between", "utilization_trap": "trap_utilization"}


async def errors(url: str) -> dict[str, list[str]]:
    """Turn a knob of every page to its ends and return the errors and the charts that each page then shows."""
    found = {}
    for page, key in KNOBS.items():
        lesson = next(one for one in LESSONS if one.page == page)
        async with visitor.Visitor(url, page) as someone:
            await someone.run()
            await unlock(someone, lesson)
            _, knob = someone.widget(key)
            for end in (knob.options[0], knob.options[-1]) if knob.options else (knob.min, knob.max):
                part = someone.parts[someone._place(key)]
                state = visitor.WidgetState(id=knob.id)
                if knob.options:
                    state.string_array_value.data.append(end)
                else:
                    state.double_array_value.data.append(end)
                someone.states[knob.id] = state
                await someone.run(None, part)
                assert someone.all("vega_lite_chart")
                found.setdefault(page, []).extend(error.message for error in someone.all("exception"))
    return found


@pytest.mark.slow
def test_on_a_phone_what_leaves_its_frame_on_a_turn_of_a_knob_has_its_place(monkeypatch, server):
    monkeypatch.setattr(visitor, "AGENT", PHONE)
    found = talk(errors(server.url))
    assert found == {page: [] for page in KNOBS}
