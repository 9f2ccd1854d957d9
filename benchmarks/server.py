"""Start a server of the app on the loopback interface, and measure its resources."""

import math
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
#: Longest time for a start or an end [s].
PATIENCE = 90.0


class Server:
    """Streamlit server of a folder's app.py; it can be stopped and restarted on the same port.

    It is started as README says, with the settings of `.streamlit/config.toml`; only address and
    port differ.
    With a `url` it is a server that runs already, of which nothing is known but its answers.
    """

    def __init__(self, folder: Path = ROOT, url: str = "", **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = [sys.executable, "-m", "streamlit", "run", "app.py"]
        self.command += ["--server.address", "127.0.0.1", "--server.port", str(self.port)]
        self.folder = folder
        self.environment = os.environ | environment
        # Compiled modules are kept, as for whoever types the command.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.elsewhere = bool(url)
        self.url = url or f"http://127.0.0.1:{self.port}"
        self.process: psutil.Popen | None = None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = psutil.Popen(self.command, cwd=self.folder, env=self.environment, **quiet)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                return
            time.sleep(0.02)
        self.kill()
        raise TimeoutError(f"{self.url} does not answer")

    def stop(self) -> None:
        """Stop the server by a normal shutdown."""
        self._end(psutil.Popen.terminate)

    def kill(self) -> None:
        """Kill the server without a shutdown, as a crash would."""
        self._end(psutil.Popen.kill)

    def _end(self, how: Callable[[psutil.Popen], None]) -> None:
        """End the process by a signal, and wait until it has ended."""
        if self.process is not None:
            how(self.process)
            self.process.wait(timeout=PATIENCE)
            self.process = None

    def __enter__(self) -> "Server":
        if not self.elsewhere:
            self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    @property
    def cpu(self) -> float:
        """Processor time used by the server [s]; NaN if it runs elsewhere."""
        if self.process is None:
            return math.nan
        if hasattr(os, "sched_getaffinity"):  # Linux, where any process has a clock of its own
            return time.clock_gettime((~self.process.pid << 3) | 2)
        return sum(self.process.cpu_times()[:2])

    @property
    def memory(self) -> float:
        """Memory of the server and its child processes [B]; NaN if the server runs elsewhere.

        Memory that the processes share counts once, where the system tells.
        """
        if self.process is None:
            return math.nan
        used = 0
        for process in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.Error):
                used += getattr(process.memory_full_info(), "pss", 0)
        return used or self.process.memory_info().rss
