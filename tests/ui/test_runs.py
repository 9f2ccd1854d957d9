"""What begins a run says the same as without the memory."""

import asyncio
from pathlib import Path

import pytest
from serving import ROOT, talk
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from ui.base import runs


async def _beginnings(pages: list[str], state: AppSessionState) -> list[tuple]:
    """Begin runs of some pages in one session, and of the same pages as Streamlit does."""
    files = MemoryUploadedFileManager("/files")
    session = AppSession(ScriptData(str(Path(ROOT, "app.py"))), files, ScriptCache(), None, {})
    session._state = state
    begun = [(page, RunDescriptor.create(["a part", "another"][:number])) for number, page in enumerate(pages)]
    made = [(runs.begin(session, *run), runs._BEGIN(session, *run)) for run in begun]
    session.shutdown()
    await asyncio.sleep(0)
    return made


@pytest.mark.parametrize("state", [AppSessionState.APP_IS_RUNNING, AppSessionState.APP_NOT_RUNNING])
def test_what_begins_a_run_is_what_streamlit_would_have_sent(state):
    found = talk(_beginnings(["one", "one", "other"], state))
    assert all(remembered == made for remembered, made in found)
    assert [len(remembered.metadata.run.fragment_ids) for remembered, _ in found] == [0, 1, 2]
    assert len({remembered.metadata.run.script_run_id for remembered, _ in found}) == 3
