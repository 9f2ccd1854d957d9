"""The table of pages: every page is there, its empty twin has the same widgets, and what is missing is said."""

import pytest

from benchmarks import apptest, chromium, pages
from ui.base.words import load


def test_the_empty_page_has_the_same_widgets_and_follows_the_slider():
    app = apptest.open_page("utilization_trap", load("utilization_trap"))
    key = apptest.moving_slider(app)
    assert key is not None
    empty = apptest.open_empty(apptest.empty_script(app))
    assert not empty.exception
    for kind in ("slider", "radio", "button", "text_area", "number_input", "selectbox", "toggle"):
        assert len(getattr(empty, kind)) == len(getattr(app, kind)), kind
    assert [slider.label for slider in empty.slider] == [slider.label for slider in app.slider]
    before = empty.metric[0].value
    apptest.rerunner(empty, "slider_0")()
    assert empty.metric[0].value != before


def test_a_slider_is_moved_to_values_it_can_take_up_and_down():
    empty = apptest.open_empty("import streamlit as st\nst.slider('a', 0, 3, 2, key='slider_0')\n")
    values = apptest.slider_values(empty.slider(key="slider_0"))
    assert [next(values) for _ in range(8)] == [3, 2, 1, 0, 1, 2, 3, 2]


def test_the_table_has_a_line_for_each_page_and_names_the_aims_that_are_missed():
    assert {"app", "utilization_trap", "sources", "corrections"} <= set(pages.names())
    rows = [pages.Row("app", 4.0, 2.0), pages.Row("utilization_trap", 12.0, 3.0, 90.0, 40.0, 130.0)]
    text = pages.table(rows).splitlines()
    assert text[2].startswith("app") and text[2].endswith("–")
    assert text[3].endswith("AppTest, metric, chart") and "2.25" in text[3]


@pytest.mark.slow
def test_measuring_without_a_browser_gives_times_for_lessons_and_other_pages():
    rows = pages.measure(["app", "utilization_trap", "corrections"], rounds=2, keys=0)
    assert [row.page for row in rows] == ["app", "utilization_trap", "corrections"]
    assert all(row.rerun > 0 and row.empty_rerun > 0 and row.metric is None for row in rows)


def test_without_a_browser_the_reason_is_said(monkeypatch):
    monkeypatch.setattr(chromium, "executable", lambda: None)
    assert "Chromium" in chromium.missing() or "Playwright" in chromium.missing()
