"""Speed up five steps of every Streamlit run, for which Streamlit has no option.

1. The message that starts a run repeats forty options and pages, a tenth of the processor time of a
   turn of a knob. Here it is made once per visit; only the run's ids change.
2. A turn of a knob runs the fragment that has drawn the knob. If the fragment "knobs and picture"
   contains the fragment "picture", only the inner fragment is run here, because a knob has already
   moved in the browser. If Streamlit bypasses this module, the outer one is run, which shows the
   same.
3. A full run lists the folder `pages/` and reads each file, an eighth of the processor time of a
   first page. Here it does so only when the folder has changed, so that an author's new page
   appears. A run also waits here until no other page is being drawn.
4. A chart's specification is parsed and searched for names that Altair numbers: here once for each
   specification, because most stay the same.
5. A box for a number or a choice copies the whole session to look up its own key: here it looks up
   only the key.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from streamlit.errors import StreamlitAPIException
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ui.server import insides

#: Keys of the two fragments, the outer and the inner.
ALL = "knobs_and_picture"
PICTURE = "picture"


def reuse_message(make: Callable[..., ForwardMsg]) -> Callable[..., ForwardMsg]:
    """Wrap the constructor of the message that starts a run, to cache the message per page."""

    def begin(
        self: Any, page_script_hash: str, run_descriptor: Any, pages: Any = None
    ) -> ForwardMsg:
        """Return the message that starts a run: the page's last one with this run's ids."""
        messages = self.__dict__.setdefault("_fleet_begins", {})
        key = page_script_hash, self._state
        if key not in messages:
            messages.clear()
            messages[key] = make(self, page_script_hash, run_descriptor, pages)
        message = ForwardMsg()
        message.CopyFrom(messages[key])
        message.metadata.run.script_run_id = run_descriptor.script_run_id
        message.metadata.run.fragment_ids[:] = run_descriptor.fragment_ids
        return message

    return begin


def narrow_request(ask: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Wrap the request for a run, to rerun only the picture if nothing else changes."""

    def request(self: Any, client_state: Any) -> None:
        """Request a run of the smallest fragment that covers the browser's request."""
        fragments = getattr(self, "_fragment_storage", None)
        if client_state is not None and client_state.fragment_id and fragments is not None:
            client_state.fragment_id = narrowed(fragments, client_state.fragment_id)
        ask(self, client_state)

    return request


def narrowed(fragments: Any, fragment: str) -> str:
    """Return the id of the smallest fragment that covers a browser's request."""
    with suppress(StreamlitAPIException, AttributeError):
        if fragment in fragments.resolve_target(ALL):
            return fragments.resolve_target(PICTURE)[0]
    return fragment


@dataclass(frozen=True)
class Listing:
    """List of an app's pages from Streamlit, and its function for choosing a page."""

    changed: int  #: time of the last change of their folder [ns]
    pages: Sequence[Any]
    options: Mapping[str, Any]  #: of the function `st.navigation`


#: The app's pages by main script.
_LISTED: dict[str, Listing] = {}


def changed(main_script: str) -> int:
    """Return the time of the last change of the folder `pages/` [ns]; 0 if it is missing."""
    try:
        return Path(main_script).with_name("pages").stat().st_mtime_ns
    except OSError:
        return 0


def note_pages(pages: Sequence[Any], **options: Any) -> None:
    """Record the app's pages before Streamlit chooses one of them."""
    main_script = str(getattr(pages[0], "_page", ""))
    _LISTED[main_script] = Listing(changed(main_script), tuple(pages), options)


def list_pages_once(
    run: Callable[[str], None], choose: Callable[..., Any], wait: Callable[[], None]
) -> Callable[[str], None]:
    """Wrap a page's run to wait for its turn, and to list pages again only if they changed."""

    def run_page(main_script: str) -> None:
        """Run the page of the visitor's address when it is this run's turn."""
        wait()
        listing = _LISTED.get(main_script)
        if listing is None or listing.changed != changed(main_script) or not listing.changed:
            run(main_script)
            return
        # A run changes its page object, and all visitors share the objects of the list.
        page = copy(choose(listing.pages, **listing.options))
        page._can_be_called = True
        page.run()

    return run_page


class Session(Mapping):
    """Visitor's session for widgets: looks up single keys, and lists all keys only on request."""

    def __init__(self, state: Any, listed: Callable[[Any], Mapping[str, Any]]):
        self.state = state
        self.listed = listed

    def __getitem__(self, key: str) -> Any:
        return self.state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed(self.state))

    def __len__(self) -> int:
        return len(self.listed(self.state))


class Looking(property):
    """Property that returns the session's values as a `Session`, without copying them."""

    def __init__(self, original: property):
        listed = original.fget or dict
        super().__init__(lambda state: Session(state, listed))


def watch(wait: Callable[[], None]) -> None:
    """Install the faster steps; `wait` returns when a page may be drawn."""
    session = insides.find(*insides.APP_SESSION)
    insides.replace(session, "_create_new_session_message", reuse_message)
    insides.replace(session, "request_rerun", narrow_request)
    navigation = insides.find(*insides.NAVIGATION)
    choose = getattr(navigation, "_navigation", None)
    insides.call_before(navigation, "_navigation", note_pages)
    if choose is not None:
        listed = partial(list_pages_once, choose=choose, wait=wait)
        insides.replace(insides.find(*insides.SCRIPT_RUNNER), "_mpa_v1", listed)
    insides.replace(insides.find(*insides.PAGE), "calc_hash", lru_cache(maxsize=256))
    charts = insides.find(*insides.VEGA_CHARTS)
    insides.replace(charts, "_stabilize_vega_json_spec", lru_cache(maxsize=128))
    insides.replace(insides.find(*insides.SESSION_STATE), "filtered_state", Looking)
