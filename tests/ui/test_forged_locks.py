"""Forged widgets on a real server: a second prediction and a reflection tell nothing before they are locked."""

import re

import pytest
from serving import Server, talk
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.knob_turns import unlock
from benchmarks.visitor import Visitor
from lessons import LESSONS

pytestmark = pytest.mark.slow
LESSON = next(lesson for lesson in LESSONS if lesson.predictions)
SECOND = LESSON.predictions["2"]


def pieces(*texts: str) -> list[str]:
    """The longest stretch of plain words in each text: numbers are put in where it has placeholders."""
    return [max(re.split(r"\{[^}]*\}|[*$\\`\n]", text), key=len).strip() for text in texts]


AFTER_SECOND = pieces(*(option.feedback for option in SECOND.options))
AFTER_REFLECTION = pieces(*(option.feedback for option in LESSON.reflection.options), *LESSON.takeaways)


@pytest.fixture(scope="module")
def server():
    running = Server()
    running.start()
    yield running
    running.stop()


def heard(visitor: Visitor, words: list[str]) -> list[str]:
    """Which of these words any message since the visitor came has held."""
    sent = b"".join(message.SerializeToString() for message in visitor.heard)
    return [one for one in words if one.encode() in sent]


async def honest(address: str) -> tuple[dict[str, str], list[str]]:
    """Answer everything; the kind of each widget that the page ever had by its id, and what was heard at the end."""
    found: dict[str, str] = {}
    async with Visitor(address, LESSON.page) as visitor:
        visitor.heard = []

        def note() -> None:
            for element in visitor.elements.values():
                kind = element.WhichOneof("type")
                if name := getattr(getattr(element, kind), "id", ""):
                    found[name] = kind

        await visitor.run()
        await unlock(visitor, LESSON)
        note()
        assert not heard(visitor, AFTER_SECOND) and not heard(visitor, AFTER_REFLECTION)
        for name in ("{}_prediction_2 {}_lock_2", "{}_reflection {}_reflection_lock"):
            radio, button = name.replace("{}", LESSON.id).split()
            await visitor.set(radio, visitor.widget(radio)[1].options[0])
            await visitor.set(button, True)
            note()
        return found, heard(visitor, AFTER_SECOND) + heard(visitor, AFTER_REFLECTION)


def forged(name: str, kind: str) -> WidgetState:
    state = WidgetState(id=name)
    if kind in ("button", "download_button"):
        state.trigger_value = True
    elif kind in ("checkbox", "expander", "popover", "block"):
        state.bool_value = True
    elif kind == "slider":
        state.double_array_value.data.append(1e9)
    elif kind == "bidi_component":
        state.json_value = '{"stored": {"fields": {"notebooks/prediction_2": "{\\"answer\\": \\"zz\\"}"}}}'
    else:
        state.string_value = "a"
    return state


def test_what_follows_a_second_prediction_and_a_reflection_is_not_to_be_had_by_forged_widgets(server):
    async def attack() -> None:
        known, told = await honest(server.url)
        assert len(told) >= 3 and any(name.endswith("_lock_2") for name in known), "nothing would be found out here"
        async with Visitor(server.url, LESSON.page) as visitor:
            visitor.heard = []
            await visitor.run()
            await unlock(visitor, LESSON)
            lock = {f"{LESSON.id}_lock_2", f"{LESSON.id}_reflection_lock"}
            for name, kind in known.items():
                if any(name.endswith(f"-{key}") for key in lock):
                    # Its press alone, without an answer or with one that is none.
                    await visitor.run(forged(name, kind))
                    for radio in ("prediction_2", "reflection"):
                        identity = next(one for one in known if one.endswith(f"-{LESSON.id}_{radio}"))
                        visitor.states[identity] = WidgetState(id=identity, string_value="none of the options")
                    await visitor.run(forged(name, kind))
                    visitor.states.clear()
                elif not name.endswith(("_prediction_2", "_reflection")):
                    await visitor.run(forged(name, kind))
            leaked = heard(visitor, AFTER_SECOND) + heard(visitor, AFTER_REFLECTION)
            assert not leaked and not visitor.all("exception")

            # Locked, no message moves it.
            radio = f"{LESSON.id}_prediction_2"
            options = list(visitor.widget(radio)[1].options)
            await visitor.set(radio, options[0])
            await visitor.set(f"{LESSON.id}_lock_2", True)
            identity = next(one for one in known if one.endswith(f"-{radio}"))
            for value in (options[1], "zz", ""):
                visitor.states[identity] = WidgetState(id=identity, string_value=value)
                await visitor.run()
                await visitor.run(forged(next(one for one in known if one.endswith("_lock_2")), "button"))
            assert f"You said: {options[0].rstrip('.')}" in "\n".join(str(part) for part in visitor.elements.values())

    talk(attack())
