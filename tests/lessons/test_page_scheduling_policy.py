"""The scheduling page, driven as a script would."""

from driving import all_text, metrics, unlocked

from ui.base import device

PAGE = "scheduling_policy"


def test_the_drafts_values_are_set_by_its_preset_and_twenty_jobs_an_hour_by_hand():
    app = unlocked(PAGE)
    app.button(key="policy_preset_draft").click().run()
    assert metrics(app)["Offered load"] == "192%"
    settings = app.session_state["ledger"]["policy"]["settings"]
    assert (settings["training_gpus"], settings["weight_interactive"], settings["weight_search"]) == ("256", 5, 3)
    assert "Also set: Size of training jobs: 256 GPUs" in all_text(app)
    app.slider(key="policy_interactive_rate").set_value(20.0).run()
    assert metrics(app)["Offered load"] == "199%" and not app.exception


def test_on_a_phone_first_numbers_and_those_of_more_runs_can_stand_on_one_page(monkeypatch):
    monkeypatch.setattr(device, "on_phone", lambda: True)
    app = unlocked(PAGE, state={"policy_seed": 613})
    assert not app.exception and "Interactive in 5 min" in metrics(app)
