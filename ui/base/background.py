"""Background work of a page, with progress and a stop button; it continues across pages.

A simulation behind a button, such as the Utilization trap's, ends when a knob is turned. Work on a
visitor's own data, which takes many seconds, instead continues in a process beside the server
(`ui.base.worker_pool`) or in slices of the server's time, until it is done, stopped, or its visitor
has left. A visitor has one piece of work at a time. A script cannot wait: there the work is done
before `start` returns.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ui.base import device, state, time_slices, worker_pool
from ui.base.words import literal
from ui.server import insides

_KEY = "_work"
STOPPED = "Stopped; nothing was kept."
#: Processor time after which work is ended [s].
LONGEST = 120.0
#: Time between two updates of the progress on the page [s].
GLANCE = 1.0

Progress = Callable[[float, str], Any]


class Stopped(Exception):
    """Raised when the visitor who asked for the work no longer needs it."""


@dataclass(eq=False)
class Work:
    """Background work: its purpose, progress, and result."""

    what: Any  #: what the result belongs to, such as settings
    words: str  #: what the work does, for the visitor
    function: Callable[[Progress], Any]
    session: str = ""  #: of the visitor; "" for a script
    who: str = ""  #: name under which the visitor shares places for work with others
    beside: bool = False  #: whether `ui.base.worker_pool` does it in another process
    share: float = 0.0  #: of the work that is done [1]
    step: str = ""  #: the current step, for the visitor
    result: object = None
    refusal: str = ""  #: why there is no result, in one sentence
    final: bool = False  #: whether trying again would give the same refusal
    stop: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)

    def progress(self, share: float, step: str) -> None:
        """Record the progress of the work."""
        self.share = min(1.0, max(0.0, share))
        self.step = step

    def heed(self) -> None:
        """Raise an error if the work was stopped or its visitor has left."""
        if self.stop.is_set() or (self.session and not insides.is_open(self.session)):
            raise Stopped

    def run(self) -> None:
        """Run the work and store its result or its error."""
        try:
            here: AbstractContextManager = nullcontext()
            if not self.beside:
                here = time_slices.turn(LONGEST, self.heed)
            with worker_pool.waited_for(self.heed, LONGEST, self.beside, self.who), here:
                self.heed()  # it may have waited long for its turn
                self.result = self.function(self.progress)
        except Stopped:
            self.refusal = STOPPED
        except time_slices.TooLong:
            why = "more would keep the other visitors waiting"
            self.refusal = f"Stopped after {LONGEST:g} s of computing: {why}."
        except ValueError as refusal:
            self.refusal = f"{refusal}".rstrip(".") + "."
            self.final = True
        except MemoryError:
            self.refusal = "The server has too little memory for this; send less."
        except Exception:
            # The visitor gets one sentence for any error; the server's log has the details.
            logging.getLogger(__name__).exception("background work has failed")
            self.refusal = "This could not be computed; the server's log says why."
        finally:
            self.done.set()


def obtain(what: Any, words: str, function: Callable[[Progress], Any], key: str) -> Any | None:
    """Return the result computed for `what`, or None until it is ready.

    Until then, draw the progress, or why there is no result. New work is started, as by `start`;
    work that was stopped or has failed is started again only by a button. `key` is the prefix of
    the buttons' keys.
    """
    work = current()
    if work is None or work.what != what:
        work = start(what, words, function)
    if not work.done.is_set() and not work.stop.is_set():
        show(key)
    elif work.final:
        st.warning(literal(work.refusal), icon=":material/block:")
    elif work.result is None:
        st.warning(literal(work.refusal or STOPPED), icon=":material/timer_off:")
        device.button("Try again", f"{key}_again", stop, icon=":material/refresh:")
    return work.result


def start(what: Any, words: str, function: Callable[[Progress], Any]) -> Work:
    """Start work for this visitor and stop any earlier work.

    `what` is what the result belongs to, such as settings, and `words` what the work does, such as
    "Reading the log". The function gets a `Progress` and returns the result. It runs in another
    thread and must not use session state; its long steps must use `ui.base.worker_pool`. The page
    shows the text of a ValueError.
    """
    stop()
    work = Work(what, words, function, device.session(), device.address(), worker_pool.possible())
    state.put(_KEY, work)
    if device.in_browser():
        threading.Thread(target=work.run, name="background work", daemon=True).start()
    else:
        work.run()
    return work


def current() -> Work | None:
    """Return this visitor's work, running or finished; None if there is none."""
    work = state.get(_KEY)
    if isinstance(work, Work):
        return work
    return None


def stop() -> None:
    """Stop the running work and discard it."""
    _halt()
    state.drop(_KEY)


def show(key: str) -> None:
    """Draw the progress of this visitor's work and a stop button.

    Rerun the page when the work is done.
    """
    st.fragment(_progress, run_every=GLANCE)()
    device.button("Stop", f"{key}_stop", _halt, icon=":material/stop_circle:")


def _progress() -> None:
    """Draw the progress of this visitor's work, or rerun the page if the work is done."""
    work = current()
    if work is None or work.done.is_set():
        st.rerun()
    step = f": {work.step}" if work.step else ""
    st.progress(work.share, text=f"{work.words}{step}. You can look at other pages meanwhile.")


def _halt() -> None:
    """Stop the running work, if there is any."""
    work = current()
    if work is not None:
        work.stop.set()
