"""Measure the server's processor time per student: `python -m benchmarks.hall --students 50 100`.

Everything runs on the loopback. Students speak the app's own websocket protocol: their pages
refresh every three seconds as in a browser. Client and server share the machine, so take the
processor time, not the refreshes' durations, as the result.
"""

import asyncio
import itertools
import math
import random
import statistics
import tempfile
import time

from benchmarks import options
from benchmarks.server import Server
from benchmarks.visitor import opened, p95
from polls import store

LESSON = "trap"
#: Time between two refreshes of a page [s].
REFRESH = 3.0
#: All students open the page at once; the measurement starts when they have it: after this time
#: [s], and a second more for so many students.
OPENING = 3.0
OPENED_PER_SECOND = 15.0
#: The processor time is read so long before the students leave, so that leaving does not count [s].
MARGIN = 1.0
HEAD = (
    "students  what      CPU of the server  CPU ms a student and second  refresh p50/p95 ms  votes"
)


async def attend(
    address: str, code: str, number: int, start: float, end: float, votes: bool
) -> list[float]:
    """Be one student, who may vote; return how long each refresh from the start on took [s].

    A vote comes in the first half of the time, so that its results are seen, too.
    """
    rng = random.Random(number)
    refreshes = []
    vote_at = math.inf
    if votes:
        vote_at = start + rng.uniform(0, (end - start) / 2)
    async with opened(address, "class_poll", query=f"class={code}") as student:
        while time.monotonic() < end:
            if time.monotonic() >= vote_at:
                choices = student.widget("class_answer")[1].options
                await student.set("class_answer", choices[number % len(choices)])
                await student.set("class_vote", True)
                vote_at = math.inf
            is_measured = time.monotonic() >= start
            duration = await student.watch()
            if is_measured:
                refreshes.append(duration)
            await asyncio.sleep(REFRESH * rng.uniform(0.9, 1.1))
    return refreshes


async def cost(sizes: list[int], seconds: float) -> None:
    """Print the server's processor time per student who only watches, and per student who votes."""
    with tempfile.TemporaryDirectory() as folder, Server(POLLS_FOLDER=folder) as server:
        database = store.engine(f"sqlite:///{folder}/polls.sqlite")
        print(HEAD)
        for size, votes in itertools.product(sizes, (False, True)):
            poll, _ = store.open_class(database, LESSON)
            ready = time.monotonic() + OPENING + size / OPENED_PER_SECOND
            visits = []
            for number in range(size):
                visit = attend(
                    server.url, poll.code, number, start=ready, end=ready + seconds, votes=votes
                )
                visits.append(visit)
            students = asyncio.gather(*visits)
            await asyncio.sleep(ready - time.monotonic())
            cpu = server.cpu
            start = time.monotonic()
            await asyncio.sleep(seconds - MARGIN)
            used = (server.cpu - cpu) / (time.monotonic() - start)
            durations = [1e3 * duration for each in await students for duration in each]
            median = statistics.median(durations or [math.nan])
            print(
                f"{size:>8}  {'voting' if votes else 'watching':<9}{used:>14.2f} "
                f"core{1e3 * used / size:>22.2f}{'':>8}{median:6.0f} / "
                f"{p95(durations):6.0f}{store.count(database, poll):>10}",
                flush=True,
            )


def main() -> None:
    """Run the measurement with the command's options."""
    args = options.parser("hall", __doc__).parse_args()
    asyncio.run(cost(args.students, args.seconds))


if __name__ == "__main__":
    main()
