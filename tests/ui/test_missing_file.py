"""A file state without its file is no file: the page of whoever sends it goes on."""

from types import SimpleNamespace

from ui.base import device, state


def test_a_file_that_the_server_does_not_have_is_none(monkeypatch):
    deleted = SimpleNamespace(file_id="made up")
    monkeypatch.setattr(state, "get", lambda key: deleted)
    assert device.uploaded("class_plan_own") is None
    held = SimpleNamespace(getvalue=lambda: b"x")
    monkeypatch.setattr(state, "get", lambda key: held)
    assert device.uploaded("class_plan_own") is held
