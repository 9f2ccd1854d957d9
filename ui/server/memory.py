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
    """Run a loader, and record that it has ended, even with an error."""
    try:
        load()
    finally:
        _LOADED.set()


def set_aside() -> None:
    """Exclude loaded objects from garbage collection, once per process, when loading is done.

    Call this after a lesson was drawn: modules, functions and chart specifications then live as
    long as the server. Without them a full collection, which stops every visitor's page, takes a
    tenth of the time.
    """
    if _LOADING.locked() and not _LOADED.is_set():
        return
    if _ONCE.acquire(blocking=False):  # never released: once is enough
        gc.collect()
        gc.freeze()


def give_back() -> None:
    """Return freed memory to the operating system, because the allocator would keep it."""
    gc.collect()  # the objects of an ended session refer to each other
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only the GNU library has it
        if trim is not None:
            trim(0)
