"""Staff key: the host's secret that unlocks pages for instructors.

The environment variable FLEET_STAFF_KEY holds it. Without the variable no page asks for a key. A
visit that has entered the key once may see staff pages until it ends. Attempts are limited.
"""

import hmac
import math
import os
from typing import Any

import streamlit as st

from ui.base import device, state
from ui.server.allowance import Allowance

SETTING = "FLEET_STAFF_KEY"
LABEL = "Staff key"
HELP = "The host of this app has set a key and gives it to instructors."
#: Longest key [characters].
LONGEST = 200
#: Attempts of a visit and of a network address: so many at once, and one more per minute.
_BY_VISIT = Allowance(at_once=6, rate=1 / 60)
_BY_ADDRESS = Allowance(at_once=30, rate=1 / 60)
_SHOWN = "_staff_key_shown"


def required() -> bool:
    """Return whether the host has set a staff key."""
    return bool(_key())


def shown() -> bool:
    """Return whether this visit may see staff pages: no key is required, or it has been entered."""
    return not required() or state.get(_SHOWN) == _digest(_key())


def show(typed: Any) -> str:
    """Check a key that a visitor typed; return an error sentence, or "" if the key is right."""
    if shown():
        return ""
    text = str(typed or "").strip()
    if not text:
        return "Enter the staff key first."
    address = device.network(st.context.ip_address)
    wait = _BY_VISIT.take(state.get("_session"))
    if address:
        wait = max(wait, _BY_ADDRESS.take(address))
    if wait:
        return f"Too many keys were tried; try again in {math.ceil(wait)} s."
    if not hmac.compare_digest(text[:LONGEST].encode(), _key().encode()):
        return "This is not the staff key."
    state.put(_SHOWN, _digest(_key()))
    return ""


def field(key: str) -> None:
    """Draw the input field for the staff key until this visit has entered it."""
    if not shown():
        st.text_input(
            LABEL, key=key, type="password", max_chars=LONGEST, autocomplete="off", help=HELP
        )


def _key() -> str:
    """Return the host's key; "" if there is none."""
    return os.environ.get(SETTING, "").strip()[:LONGEST]


def _digest(key: str) -> str:
    """Return what the session stores of a key, so that a new key ends the rights of the old one."""
    return hmac.new(b"staff", key.encode(), "sha256").hexdigest()
