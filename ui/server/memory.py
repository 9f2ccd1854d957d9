"""Exclude permanent objects from garbage collection, and return unused memory to the system."""

import ctypes
import gc
import sys
import threading
from collections.abc import Callable

_ONCE = threading.Lock()
_LOADING = threading.Lock()
_LOADED = threading.Event()


def load_behind(load: Callable[[], None]) -> None:
    """Run a loader once per process in a background thread, for modules not needed at first."""
    if _LOADING.acquire(blocking=False):  # never released: once is enough
        threading.Thread(target=_load, args=(load,), daemon=True).start()


def _load(load: Callable[[], None]) -> None:
    try:
        load()
    finally:
        _LOADED.set()


def set_aside() -> None:
    """Exclude loaded objects from garbage collection, once per process, after a lesson was drawn
    and loading is done.

    Modules, functions and chart specifications live as long as the server. Without them a full
    collection, which stops every visitor's page, takes a tenth of the time.
    """
    if _LOADING.locked() and not _LOADED.is_set():
        return
    if _ONCE.acquire(blocking=False):  # never released: once is enough
        gc.collect()
        gc.freeze()


def give_back() -> None:
    """Return freed memory to the operating system, because the allocator would keep it."""
    gc.collect()  # a session that has ended is held by circles of references
    if sys.platform == "linux" and hasattr(
        libc := ctypes.CDLL(None), "malloc_trim"
    ):  # of the GNU library only
        libc.malloc_trim(0)
