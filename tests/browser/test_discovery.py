"""Knobs that come and go with the picture: in the address, after a reload, on a phone, and after
Back.
"""

import re

from browsing import PHONE, again, asks, lock, says, settle, turn
from playwright.sync_api import expect

ANSWER = "Too few GPUs"


def go(page, key: str) -> None:
    page.locator(f".st-key-{key} button").click()
    settle(page)


def test_knobs_out_of_sight_stay_in_the_address_through_parts_a_reload_and_back(open_at, page):
    open_at("utilization_trap?trap_scv=4&trap_added=64")
    lock(page, ANSWER)
    turn(page, "GPUs per job", "ArrowRight")
    assert re.search(
        "trap_scv=4.*trap_gpus_per_job=257|trap_gpus_per_job=257.*trap_scv=4", page.url
    )
    for part, name, expected in (
        ("order", "Variability of job lengths (SCV)", "4.5"),
        ("knee", "GPUs per job", "258"),
    ):
        go(page, f"trap_part_{part}")
        expect(page.get_by_role("button", name="Back to the lesson")).to_be_in_viewport()
        expect(turn(page, name, "ArrowRight")).to_have_value(expected)
    held = ("trap_scv=4.5", "trap_gpus_per_job=258", "trap_added=64", "trap_view=knee")
    assert all(one in page.url for one in held)
    again(page)
    expect(page.get_by_role("slider", name="Variability of job lengths (SCV)")).to_have_value("4.5")
    go(page, "trap_back")
    page.wait_for_function(
        "!location.search.includes('trap_view') && location.search.includes('trap_scv=4.5')"
    )
    page.go_back()
    settle(page)
    expect(page.get_by_role("button", name="Back to the lesson")).to_be_visible()


def test_on_a_phone_hidden_knobs_stay_in_the_address_too_and_a_turn_earns_the_explanation(comes):
    phone = comes("utilization_trap?trap_scv=4", PHONE)
    lock(phone, ANSWER)
    expect(phone.get_by_role("heading", name="Explain")).to_have_count(0)
    turn(phone, "Utilization before buying (%)", "ArrowLeft")
    expect(phone.get_by_role("heading", name="Explain")).to_be_visible()
    says(phone, "Also set: Variability of job lengths (SCV): 4.")
    expect(phone.locator(".film .play")).to_be_visible()
    asks(phone, "trap_utilization", 94.5)
    asks(phone, "trap_scv", 4)
