"""Visitors over a crash: each locked a lesson, the server is killed and started again, all have their locks."""

import asyncio
import json

import pytest
from serving import PATIENCE, Server, talk
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.visitor import Visitor
from lessons import LESSONS as COURSE

#: Not the one that simulates a fleet for seconds when it is opened: locks are kept in the same way by all of them.
LESSONS = [lesson for lesson in COURSE if lesson.id != "policy"]


class Returning(Visitor):
    """A tab that also keeps what `ui/local_storage.js` keeps, and hands it back as that does."""

    def __init__(self, address: str, page: str, storage: dict[str, str], states: dict[str, WidgetState]):
        super().__init__(address, page)
        self.storage, self.states, self.kept_for, self.waiting = storage, states, None, False

    def keeping(self) -> tuple[str, dict]:
        """Id of the component, and what the server tells it."""
        found = [part for part in self.all("bidi_component") if part.id.endswith("-keep")]
        # One that an earlier run left behind, which a browser would have removed by now, is not the last word.
        component = max(found, key=lambda part: json.loads(part.json)["turn"])
        return component.id, json.loads(component.json)

    async def keep(self) -> None:
        """Do what the component does after a run."""
        identity, data = self.keeping()
        if data["session"] != self.kept_for:
            self.kept_for, self.waiting = data["session"], bool(self.storage)
            if self.waiting:
                stored = {"session": self.kept_for, "available": True, "fields": dict(self.storage)}
                news = json.dumps([{"event": "stored", "value": stored}])
                await self.run(WidgetState(id=_make_trigger_id(identity, "events"), json_trigger_value=news))
                _, data = self.keeping()
        if not self.waiting or data["restored"] == self.kept_for:
            self.storage |= data["fields"]


async def lock(address: str, number: int) -> tuple[dict[str, str], dict[str, WidgetState]]:
    """Open a lesson, lock an answer, and return what the browser keeps and what its page still holds."""
    lesson, answer = LESSONS[number % len(LESSONS)], "abcd"[number % 4]
    async with Returning(address, lesson.page, {}, {}) as visitor:
        await visitor.run()
        await visitor.keep()
        assert not visitor.metrics() and f"{lesson.id}/prediction" not in visitor.storage
        options = visitor.widget(f"{lesson.id}_prediction")[1].options
        await visitor.set(f"{lesson.id}_prediction", options[lesson.prediction.ids.index(answer)])
        await visitor.set(f"{lesson.id}_lock", True)
        await visitor.keep()
        assert visitor.metrics() and json.loads(visitor.storage[f"{lesson.id}/prediction"])["answer"] == answer
        return visitor.storage, visitor.states


async def come_back(address: str, number: int, storage: dict[str, str], states: dict[str, WidgetState]) -> None:
    """Connect again as a page does that was left open: with its widgets' old states, the component's among them."""
    lesson, answer = LESSONS[number % len(LESSONS)], "abcd"[number % 4]
    async with Returning(address, lesson.page, storage, states) as visitor:
        await visitor.run()
        assert not visitor.metrics(), "the new server knew of a lock that only the browser has"
        await visitor.keep()
        assert visitor.metrics() and not any(part.id.endswith(f"-{lesson.id}_lock") for part in visitor.all("button"))
        assert json.loads(visitor.keeping()[1]["fields"][f"{lesson.id}/prediction"])["answer"] == answer
        assert not visitor.all("exception")


@pytest.mark.slow
@pytest.mark.parametrize("visitors", [len(LESSONS), pytest.param(50, marks=pytest.mark.nightly)])
def test_visitors_get_their_own_locks_back_when_the_server_is_killed_and_started_again(visitors):
    async def everybody(act, *others):
        return await asyncio.wait_for(
            asyncio.gather(
                *(act(server.url, number, *(other[number] for other in others)) for number in range(visitors))
            ),
            10 * PATIENCE,
        )

    server = Server()
    try:
        server.start()
        kept = talk(everybody(lock))
        server.kill()
        server.start()
        talk(everybody(come_back, [storage for storage, _ in kept], [states for _, states in kept]))
    finally:
        server.stop()
