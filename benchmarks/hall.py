"""Measure what a student in a class costs: `python -m benchmarks.hall --students 50 100`.

Everything runs on the loopback. Students speak the app's own websocket protocol: they look at the
class every three seconds as a browser does. Client and server share the machine, so take the CPU,
not the times, as the result.
"""

import asyncio
import itertools
import random
import statistics
import tempfile
import time

from benchmarks import options
from benchmarks.server import Server
from benchmarks.visitor import opened, p95
from polls import store

LOOK = 3.0  #: seconds between two looks of a page
LESSON = "trap"
HEAD = (
    "students  what      CPU of the server  CPU ms a student and second  look p50 / p95 ms   votes"
)


async def attend(
    address: str, code: str, number: int, start: float, end: float, votes: bool
) -> list[float]:
    """Be one student, who may vote soon after the start; return each refresh's duration [s]."""
    rng = random.Random(number)
    looks = []
    vote_at = start + rng.uniform(0, 10) if votes else float("inf")
    async with opened(address, "class_poll", query=f"class={code}") as student:
        while time.monotonic() < end:
            if time.monotonic() >= vote_at:
                choices = student.widget("class_answer")[1].options
                await student.set("class_answer", choices[number % 4])
                await student.set("class_vote", True)
                vote_at = float("inf")
            looks.append(await student.watch())
            await asyncio.sleep(LOOK * rng.uniform(0.9, 1.1))
    return looks


async def cost(sizes: list[int], seconds: float) -> None:
    """Print one server's processor time per student: of those who watch, and of those who vote."""
    with tempfile.TemporaryDirectory() as folder, Server(POLLS_FOLDER=folder) as server:
        database = store.engine(f"sqlite:///{folder}/polls.sqlite")
        print(HEAD)
        for size, votes in itertools.product(sizes, (False, True)):
            poll, _ = store.open_class(database, LESSON)
            ready = time.monotonic() + 3 + size / 15
            hour = (ready, ready + seconds, votes)
            coming = [attend(server.url, poll.code, number, *hour) for number in range(size)]
            students = asyncio.gather(*coming)
            await asyncio.sleep(ready - time.monotonic())
            cpu = server.cpu
            start = time.monotonic()
            await asyncio.sleep(seconds - 1)
            used = (server.cpu - cpu) / (time.monotonic() - start)
            looks = [1e3 * look for look in itertools.chain.from_iterable(await students)]
            print(
                f"{size:>8}  {'voting' if votes else 'watching':<9}{used:>14.2f} "
                f"core{1e3 * used / size:>22.2f}{'':>8}{statistics.median(looks):6.0f} / "
                f"{p95(looks):6.0f}{store.count(database, poll):>10}",
                flush=True,
            )


def main() -> None:
    """Run the measurement with the command's options."""
    args = options.parser("hall", __doc__).parse_args()
    asyncio.run(cost(args.students, args.seconds))


if __name__ == "__main__":
    main()
