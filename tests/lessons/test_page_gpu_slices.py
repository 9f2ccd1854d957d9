"""GPU slices driven through AppTest: a GPU is cut by labelled widgets, by taps, by a link, and by
presets.
"""

from driving import all_text, metrics, unlocked

from lessons.gpu_slices import slots
from lessons.gpu_slices.settings import Slices, parse, write
from ui.charts import taps
from ui.charts.look import Look
from ui.knobs.widgets import Knobs
from ui.page import figures

TWO = "3g.40gb@0,3g.40gb@4"


def asked(app) -> str:
    found = app.query_params.get("slices_layout", "")
    if isinstance(found, str):
        return found
    return found[0]


def test_a_gpu_is_cut_by_profile_start_and_button_and_the_address_holds_it():
    app = unlocked("gpu_slices", slices_layout="empty")
    assert metrics(app)["Free memory slices"] == "8"
    app.button(key="slices_place").click().run()
    app.slider(key="slices_start").set_value(4).run()
    app.button(key="slices_place").click().run()
    assert not app.exception and asked(app) == TWO
    app.segmented_control(key="slices_profile").set_value("1g.10gb").run()
    assert "A 1g.10gb does not fit, because it takes 1 memory slice, and only 0 of 8 are free." in (
        all_text(app)
    )
    assert app.button(key="slices_place").label == "Remove the 3g.40gb"
    app.button(key="slices_place").click().run()
    assert asked(app) == "3g.40gb@0"
    app.slider(key="slices_start").set_value(0).run()
    app.button(key="slices_place").click().run()
    assert asked(app) == "empty" and metrics(app)["Free memory slices"] == "8"
    again = unlocked("gpu_slices", slices_layout=TWO)
    assert (
        metrics(again)["Start positions left"] == "0"
        and again.session_state["slices_layout"] == TWO
    )


def test_a_piece_is_chosen_by_a_tap_and_a_compute_slice_changes_nothing():
    wish = Slices()
    piece = slots.FIRST_PIECE + 2
    assert slots.tapped(wish, [piece]) == {"layout": wish.layout, "start": 0, "profile": "2g.20gb"}
    placed = slots.tapped(wish, [2, piece])  # quick taps come together, in no order
    assert write(placed["layout"]) == "2g.20gb@0,2g.20gb@2,1g.20gb@6"
    for at in range(7):
        taken = slots.tapped(wish, [slots.FIRST_COMPUTE + at])
        assert taken == {"layout": wish.layout, "start": 0, "profile": "3g.40gb"}


def test_every_cross_says_why_its_slice_is_of_no_use():
    layouts = ("3g.40gb@0", TWO, "4g.40gb@0,2g.20gb@4,1g.10gb@6", "1g.10gb@0,1g.10gb@2,1g.10gb@4")
    for line in layouts:
        figure = slots.figure(Slices(layout=parse(line)), Look())
        rows = figure.rows.to_pylist()
        said = {row["slice"]: row["label"] for row in rows if row["kind"] == "tried"}
        dead = [row for row in rows if row["kind"] == "dead"]
        assert dead or line == layouts[-1]
        for row in dead:
            compute = row["y"] == slots.BAR_COMPUTE
            number = int(row["x"]) + (slots.FIRST_COMPUTE if compute else 0)
            assert said[number].startswith("× "), (line, number)
        assert sum(words.startswith("× ") for words in said.values()) == len(dead)


def test_the_button_is_off_where_the_picture_says_that_the_profile_is_refused():
    app = unlocked("gpu_slices", slices_start="2")
    assert app.button(key="slices_place").disabled
    assert any(
        "Refused: a 3g.40gb may begin only at slice 0 or 4." in text
        for text in all_text(app).splitlines()
    )
    app.segmented_control(key="slices_profile").set_value("2g.20gb").run()
    assert not app.button(key="slices_place").disabled


def test_a_bad_layout_in_the_address_gets_one_sentence_and_shows_the_message_s_gpu():
    app = unlocked("gpu_slices", slices_layout="3g.40gb@0,2g.20gb@2", slices_gpu="V100")
    said = [warning.value for warning in app.warning]
    assert not app.exception and metrics(app)["Free memory slices"] == "4"
    told = (
        "The layout in the address was ignored: the 2g.20gb at slice 2 overlaps another instance."
    )
    assert sum(told in text for text in said) == 1 and any("slices_gpu" in text for text in said)


def test_taps_are_told_apart_by_parity_and_a_new_chart_has_heard_none():
    sent = {"selection": {"tap": [{"slice": 0}, {"slice": 4}], "over": []}}
    assert taps.tapped(taps.flipped(sent, "slice"), [0]) == [4]  # 0 was heard before
    assert taps.tapped(taps.flipped({"selection": {"tap": [{"slice": 4}]}}, "slice"), [0, 4]) == [
        0
    ]  # tapped again
    for nonsense in (
        None,
        {},
        {"selection": {"tap": [{"job": 1}]}},
        {"selection": {"tap": [{"slice": []}]}},
    ):
        assert taps.flipped(nonsense, "slice") == set()


def test_the_topmost_layer_is_what_is_tapped():
    top = taps.with_taps(slots.figure(Slices(), Look()).spec, "slice")["layer"][-1]
    assert [param["name"] for param in top["params"]] == [taps.TAP, taps.OVER] and top["mark"][
        "opacity"
    ] == 0


def test_a_tap_that_comes_before_the_last_one_is_drawn_is_not_lost(monkeypatch):
    held = {"slices_layout": "3g.40gb@0"}
    for name in ("get", "put"):
        monkeypatch.setattr(
            f"ui.knobs.widgets.state.{name}",
            getattr(held, {"get": "get", "put": "__setitem__"}[name]),
        )
    knobs = Knobs("slices", enabled=True, query={}, entered=False, settings=Slices)
    assert knobs.tap(
        slots.figure(Slices(), Look()).taps, Slices(), [4]
    )  # settings drawn before the first tap
    assert held == {"slices_layout": TWO, "slices_start": 4, "slices_profile": "3g.40gb"}


def test_what_waits_for_a_second_mark_is_handed_on_with_it(monkeypatch):
    held = {}
    heard = []
    monkeypatch.setattr("ui.page.figures.state.get", held.get)
    monkeypatch.setattr("ui.page.figures.state.put", held.__setitem__)

    def pair(marks: list) -> bool:
        heard.append(marks)
        return len(marks) == 2

    for marks in ("A", "AB", "ABC"):
        held["chart"] = {"selection": {"tap": [{"job": one} for one in marks]}}
        figures.touched("chart", "job", pair)
    assert heard == [["A"], ["A", "B"], ["C"]]
