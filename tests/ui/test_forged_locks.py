"""Forged widgets on a real server: a reflection tells nothing before it is locked."""

import json
import re

import pytest
from driving import BY_ID
from serving import talk
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.visitor import Visitor, unlock

pytestmark = pytest.mark.slow
LESSON = BY_ID["notebooks"]
RADIO = f"{LESSON.id}_reflection"
LOCK = f"{LESSON.id}_reflection_lock"


def pieces(*texts: str) -> list[str]:
    """The longest stretch of plain words in each text: numbers are put in where it has
    placeholders.
    """
    return [max(re.split(r"\{[^}]*\}|[*$\\`\n]", text), key=len).strip() for text in texts]


AFTER = pieces(*(option.feedback for option in LESSON.reflection.options), *LESSON.takeaways)


def heard(visitor: Visitor, words: list[str]) -> list[str]:
    """Which of these words any message since the visitor came has held."""
    sent = b"".join(message.SerializeToString() for message in visitor.log).replace(
        "\u00a0".encode(), b" "
    )
    return [one for one in words if one.encode() in sent]


async def honest(address: str) -> tuple[dict[str, str], list[str]]:
    """Answer everything; the kind of each widget that the page ever had by its id, and what was
    heard at the end.
    """
    found: dict[str, str] = {}
    async with Visitor(address, LESSON.page) as visitor:
        visitor.log = []

        def note() -> None:
            for element in visitor.elements.values():
                kind = element.WhichOneof("type")
                name = getattr(getattr(element, kind), "id", "")
                if name:
                    found[name] = kind

        await visitor.run()
        await unlock(visitor, LESSON)
        note()
        assert not heard(visitor, AFTER)
        await visitor.set(RADIO, visitor.widget(RADIO)[1].options[0])
        await visitor.set(LOCK, True)
        note()
        return found, heard(visitor, AFTER)


def forged(name: str, kind: str) -> WidgetState:
    state = WidgetState(id=name)
    match kind:
        case "button" | "download_button":
            state.trigger_value = True
        case "checkbox" | "expander" | "popover" | "block":
            state.bool_value = True
        case "slider":
            state.double_array_value.data.append(1e9)
        case "bidi_component":
            fields = {f"{LESSON.id}/reflection": json.dumps({"answer": "zz"})}
            state.json_value = json.dumps({"stored": {"fields": fields}})
        case "vega_lite_chart":
            state.string_value = "{}"  # anything but JSON is an error of Streamlit itself
        case _:
            state.string_value = "a"
    return state


def test_what_follows_a_reflection_is_not_to_be_had_by_forged_widgets(server):
    async def attack() -> None:
        known, told = await honest(server.url)
        assert len(told) >= 3 and any(name.endswith(f"-{LOCK}") for name in known), (
            "nothing would be found out here"
        )
        radio = next(one for one in known if one.endswith(f"-{RADIO}"))
        lock = next(one for one in known if one.endswith(f"-{LOCK}"))
        async with Visitor(server.url, LESSON.page) as visitor:
            visitor.log = []
            await visitor.run()
            await unlock(visitor, LESSON)
            for name, kind in known.items():
                if name == lock:
                    # Its press alone, without an answer or with one that is none.
                    await visitor.run(forged(name, kind))
                    visitor.states[radio] = WidgetState(
                        id=radio, string_value="none of the options"
                    )
                    await visitor.run(forged(name, kind))
                    visitor.states.clear()
                elif name != radio:
                    await visitor.run(forged(name, kind))
            assert not heard(visitor, AFTER) and not visitor.all("exception")

    talk(attack())
