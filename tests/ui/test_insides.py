"""Streamlit without one of the names that are not public: pages still open and answer."""

from types import SimpleNamespace

import pyarrow as pa
import pytest
from driving import BROWSER, click, metrics, unlocked

from ui.base import time_slices
from ui.server import inbound, insides, open_files, runs, silence, uploads

#: A lesson with a handle, one with settings of its own bounds, and one with a table to edit.
OPENED = ("utilization_trap", "storage_architecture", "drf_story")
NAMES = (
    insides.APP_SESSION,
    insides.SCRIPT_RUNNER,
    insides.NAVIGATION,
    insides.PAGE,
    insides.VEGA_CHARTS,
    insides.ARROW_BYTES,
    insides.SESSION_STATE,
    insides.REQUEST_TYPE,
    insides.CONTEXT,
    insides.WEB_SOCKET,
    *insides.HTTP,
    insides.FILE_UPLOADER,
    insides.FILES,
    insides.ROUTE,
    insides.LOGGER,
)


@pytest.mark.parametrize("gone", NAMES, ids=lambda name: name[1])
def test_three_lessons_open_without_a_private_name(gone, monkeypatch):
    there = insides.find
    monkeypatch.setattr(insides, "find", lambda *name: None if name == gone else there(*name))
    runs.watch(time_slices.wait_to_draw)
    inbound.watch()
    open_files.watch()
    silence.watch()
    uploads.watch()
    for page in OPENED:
        app = unlocked(page, BROWSER)
        assert not app.exception
        click(app, "trap_test") if page == "utilization_trap" else app.run()
        assert not app.exception and metrics(app)


def test_a_name_that_is_gone_is_not_replaced():
    owner = SimpleNamespace()
    insides.replace(owner, "ask", lambda original: original)
    assert not hasattr(owner, "ask")
    insides.replace(None, "ask", lambda original: original)


def test_a_private_function_is_replaced_once():
    def first() -> int:
        return 1

    def doubled(original):
        return lambda: 2 * original()

    owner = SimpleNamespace(ask=first)
    insides.replace(owner, "ask", doubled)
    insides.replace(owner, "ask", doubled)
    assert owner.ask() == 2 and owner.ask.original is first


def test_rows_packed_here_read_the_same_as_rows_packed_by_streamlit(monkeypatch):
    table = pa.table({"x": [1.0, 2.0], "kind": ["a", "b"]})
    packed = insides.arrow_bytes(table)
    monkeypatch.setattr(insides, "find", lambda *name: None)
    ours = insides.arrow_bytes(table)
    assert pa.ipc.open_stream(ours).read_all() == pa.ipc.open_stream(packed).read_all() == table
