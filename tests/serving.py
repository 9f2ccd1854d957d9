"""A real server for tests that need one."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor

from benchmarks.visitor import ROOT, free_port, wait_for

#: Longest time for a start or an end [s].
PATIENCE = 90


def talk(conversation: Coroutine) -> object:
    """Run a conversation with a server in a thread of its own: beside browser tests, this one has a loop already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, conversation).result()


class Server:
    """A Streamlit server on the loopback that can be stopped and started again on the same port."""

    def __init__(self, *options: str) -> None:
        self.options = options
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        address = ["--server.address", "127.0.0.1", "--server.port", str(self.port), "--server.fileWatcherType", "none"]
        self.process = subprocess.Popen(
            [*command, *address, *self.options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for(self.url, PATIENCE)

    def stop(self) -> None:
        """End it in order."""
        self._end(subprocess.Popen.terminate)

    def kill(self) -> None:
        """End it as a crash or a host's restart does: at once."""
        self._end(subprocess.Popen.kill)

    def _end(self, how: Callable[[subprocess.Popen], None]) -> None:
        if self.process is not None:
            how(self.process)
            self.process.wait(timeout=PATIENCE)
            self.process = None
