"""What is sent at a turn: the same beginning as without the memory, and the picture without the
other knobs.
"""

import asyncio
from pathlib import Path

import pytest
from serving import ROOT, talk
from streamlit.elements import vega_charts
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from benchmarks.visitor import Visitor, sliders, unlock
from lessons import LESSONS
from ui.base import time_slices
from ui.server import runs


async def _beginnings(pages: list[str], state: AppSessionState) -> list[tuple]:
    """Begin runs of some pages in one session, and of the same pages as Streamlit does."""
    files = MemoryUploadedFileManager("/files")
    session = AppSession(ScriptData(str(Path(ROOT, "app.py"))), files, ScriptCache(), None, {})
    session._state = state
    begun = [
        (page, RunDescriptor.create(["a part", "another"][:number]))
        for number, page in enumerate(pages)
    ]
    runs.watch(time_slices.wait_to_draw)
    begin = AppSession._create_new_session_message
    made = [(begin(session, *run), begin.original(session, *run)) for run in begun]
    session.shutdown()
    await asyncio.sleep(0)
    return made


@pytest.mark.parametrize("state", [AppSessionState.APP_IS_RUNNING, AppSessionState.APP_NOT_RUNNING])
def test_what_begins_a_run_is_what_streamlit_would_have_sent(state):
    found = talk(_beginnings(["one", "one", "other"], state))
    assert all(remembered == made for remembered, made in found)
    assert [len(remembered.metadata.run.fragment_ids) for remembered, _ in found] == [0, 1, 2]
    assert len({remembered.metadata.run.script_run_id for remembered, _ in found}) == 3


async def _turned(address: str) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Turn the trap's utilization; return the sliders that came anew, and the metrics before and
    after a full run.
    """
    lesson = next(one for one in LESSONS if one.id == "trap")
    async with Visitor(address, lesson.page) as visitor:
        await visitor.run()
        await unlock(visitor, lesson)
        key = "trap_utilization"
        assert key in sliders(visitor)
        await visitor.set(key, 85)  # the first turn earns the explanation, which is outside
        visitor.log = []
        await visitor.set(key, 80)
        new = [one.delta.new_element for one in visitor.log if one.WhichOneof("type") == "delta"]
        drawn = [one.slider.id for one in new if one.WhichOneof("type") == "slider"]
        turned = visitor.metrics()
        await visitor.run()
        return drawn, turned, visitor.metrics()


def test_a_turn_draws_the_picture_and_no_knob_that_stands(server):
    drawn, turned, whole = talk(_turned(server.url))
    assert drawn and not any(
        one.endswith(("trap_utilization", "trap_target", "trap_added")) for one in drawn
    )
    assert turned == whole


def test_only_what_is_asked_of_the_outer_fragment_is_narrowed():
    fragments = MemoryFragmentStorage()
    assert runs.narrowed(fragments, "outer") == "outer"
    fragments.register("outer", lambda: None, target_key=runs.ALL)
    assert runs.narrowed(fragments, "outer") == "outer"
    fragments.register("inner", lambda: None, parent_fragment_id="outer", target_key=runs.PICTURE)
    assert [runs.narrowed(fragments, one) for one in ("outer", "inner", "another")] == [
        "inner",
        "inner",
        "another",
    ]


async def _pressed(address: str) -> str:
    """Press two counterexamples of DRF's properties, each of which opens another part; return the
    second part's id.
    """
    lesson = next(one for one in LESSONS if one.id == "drf")
    async with Visitor(address, lesson.page) as visitor:
        await visitor.run()
        await unlock(visitor, lesson)
        await visitor.set("drf_part_properties", True)
        await visitor.set("drf_guess_properties_0", True)  # the part asks for a guess, once
        await visitor.set("drf_back", True)
        for preset, opens in (("asset", "jobs"), ("lie", "lie")):
            for button in ("part_properties", f"case_{preset}"):
                await visitor.set(f"drf_{button}", True)
            shown = [
                element
                for element in visitor.all("markdown")
                if lesson.view(opens).title in element.body
            ]
            if not shown:
                return f"{preset} opened nothing"
            await visitor.set("drf_back", True)
    return "opened"


def test_a_button_in_the_picture_may_open_another_part(server):
    assert talk(_pressed(server.url)) == "opened"


def test_a_specification_is_searched_once_and_comes_out_as_before():
    runs.watch(time_slices.wait_to_draw)
    searched = vega_charts._stabilize_vega_json_spec
    spec = '{"layer": [{"name": "view_7"}, {"name": "view_12"}]}'
    assert searched(spec) == searched(spec) == searched.__wrapped__(spec) != spec


def test_pages_are_listed_once_and_anew_when_one_is_added(tmp_path):
    runs.watch(time_slices.wait_to_draw)
    (tmp_path / "pages").mkdir()
    says = "import streamlit as st\nst.title('{}')\n"
    (tmp_path / "app.py").write_text(says.format("Home"))
    (tmp_path / "pages" / "first.py").write_text(says.format("First"))

    def title(page: str) -> str:
        app = AppTest.from_file(str(tmp_path / "app.py"))
        if page:
            app.switch_page(f"pages/{page}.py")
        app.run()
        assert not app.exception
        return app.title[0].value

    assert [title(page) for page in ("", "first", "first")] == ["Home", "First", "First"]
    listing = runs._LISTED[str((tmp_path / "app.py").resolve())]
    assert [title(page) for page in ("", "first")] == ["Home", "First"]
    assert runs._LISTED[str((tmp_path / "app.py").resolve())] is listing
    (tmp_path / "pages" / "second.py").write_text(says.format("Second"))
    assert [title(page) for page in ("second", "first", "")] == ["Second", "First", "Home"]


def test_a_box_looks_up_its_key_in_the_session_as_streamlit_lists_it():
    runs.watch(time_slices.wait_to_draw)
    whole = SessionState()
    whole["trap_gpus"] = 3
    whole["trap_note"] = None
    session = SafeSessionState(whole, lambda: None)
    looked_up = session.filtered_state
    listed = whole.filtered_state
    assert dict(looked_up) == listed == {"trap_gpus": 3, "trap_note": None}
    assert len(looked_up) == 2 and looked_up["trap_note"] is None
    assert "trap_gpus" in looked_up and "trap_servers" not in looked_up
