"""A real server for tests that need one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor

from benchmarks.server import PATIENCE, ROOT, Server

__all__ = ["PATIENCE", "ROOT", "Server", "talk"]


def talk(conversation: Coroutine) -> object:
    """Run a conversation with a server in a thread of its own: beside browser tests, this one has a
    loop already.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, conversation).result()
