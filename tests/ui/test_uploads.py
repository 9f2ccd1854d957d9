"""A file is taken for an upload field that its session was shown, within bounds, and goes with
it.
"""

import asyncio
import http.client
import urllib.error
import uuid

import pytest
from serving import PATIENCE, talk

from benchmarks.visitor import Visitor
from ui.server import insides, uploads
from ui.server.uploads import AT_ONCE_OF_SESSION, KEPT, MOST, MOST_OF_SESSION, UNUSED, Room

MB = 1_000_000


class Clock:
    """A clock that tests set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def room(clock):
    room = Room(clock)
    room.shown |= {"a", "b"}
    return room


def send(room: Room, session: str, size: int, name: str = "") -> tuple[int, str] | None:
    """Upload a file whole, and return the refusal."""
    refusal = room.refusal(session, size)
    if refusal is None:
        room.files[session, name or uuid.uuid4().hex] = (size, room.clock())
        room.arrived(session, size)
    return refusal


def test_a_session_that_was_shown_no_field_uploads_nothing(room):
    assert send(room, "stranger", 1)[0] == 403 and send(room, "a", 1) is None


def test_a_session_holds_no_more_than_its_share_however_it_sends(room):
    taken = sum(send(room, "a", 20 * MB) is None for _ in range(60))
    assert taken == MOST_OF_SESSION // (20 * MB) and room.stored_bytes("a") <= MOST_OF_SESSION
    assert send(room, "b", 20 * MB) is None


def test_what_is_under_way_counts_as_if_it_were_there(room):
    assert all(room.refusal("a", 20 * MB) is None for _ in range(5))
    assert room.refusal("a", 1)[0] == 413
    for _ in range(5):
        room.arrived("a", 20 * MB)
    assert all(room.refusal("a", 1) is None for _ in range(AT_ONCE_OF_SESSION))
    assert room.refusal("a", 1)[0] == 429


def test_all_sessions_together_stay_below_the_bound_and_who_holds_least_is_served(room):
    for number in range(20):
        room.shown.add(f"many {number}")
        for _ in range(10):
            send(room, f"many {number}", 20 * MB)
            assert room.stored_bytes() <= MOST
    assert (
        send(room, "a", 20 * MB) is None
        and room.stored_bytes() <= MOST
        and room.stored_bytes("a") == 20 * MB
    )


def test_files_of_closed_pages_make_room_first(room, clock):
    send(room, "a", MOST_OF_SESSION, "kept")
    for number in range(4):
        room.shown.add(f"{number}")
        send(room, f"{number}", MOST_OF_SESSION)
    room.unneeded(lambda session: session != "a")
    assert send(room, "b", 20 * MB) is None and room.stored_bytes("a") == 0


def test_a_file_that_no_page_takes_up_goes_and_one_that_is_used_stays(room, clock):
    send(room, "a", MB, "used")
    send(room, "a", MB, "made up")
    room.used.add(("a", "used"))
    assert room.unneeded(lambda _: True) == []
    clock.now = UNUSED + 1
    assert room.unneeded(lambda _: True) == [("a", "made up")]


def test_files_go_with_their_session_and_not_before_it_could_be_taken_up_again(room, clock):
    send(room, "a", MB, "used")
    room.used.add(("a", "used"))
    assert room.unneeded(lambda _: False) == []
    clock.now = KEPT - 1
    assert room.unneeded(lambda _: False) == []
    room.unneeded(lambda _: True)  # it was taken up again
    clock.now = KEPT + 2
    assert room.unneeded(lambda _: False) == []
    clock.now += KEPT + 1
    assert room.unneeded(lambda _: False) == [("a", "used")]


@pytest.mark.slow
def test_on_a_page_without_a_field_nothing_is_kept_and_on_one_with_it_no_more_than_the_bound(
    server,
):
    async def send_all() -> tuple[list[int], list[int]]:
        refused = []
        async with Visitor(server.url, "glossary") as visitor:
            await visitor.run()
            before = server.memory
            for _ in range(12):
                refused.append(await put(visitor, 10 * MB))
            assert server.memory - before < 40 * MB
        shown = []
        async with Visitor(server.url, "report") as visitor:
            await visitor.run()
            for _ in range(8):
                shown.append(await put(visitor, 19 * MB))
        return refused, shown

    refused, shown = talk(asyncio.wait_for(send_all(), 2 * PATIENCE))
    assert 204 not in refused and shown[:5] == [204] * 5 and 204 not in shown[5:]


async def put(visitor: Visitor, size: int) -> int:
    """Upload so much to a made-up file id, and return the status; 0 where the server hangs up."""
    try:
        await asyncio.to_thread(visitor._put, str(uuid.uuid4()), b"x" * size, "a.json")
    except urllib.error.HTTPError as error:
        return error.code
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError):
        return 0  # while the body was still being sent
    return 204


def test_streamlit_still_names_what_is_watched():
    uploads.watch()
    for owner, name in (
        (insides.FILE_UPLOADER, "_file_uploader"),
        (insides.FILES, "add_file"),
        (insides.ROUTE, "handle"),
    ):
        assert hasattr(getattr(insides.find(*owner), name), "original"), name
