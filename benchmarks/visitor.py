"""Visitor of the app without a browser, who speaks Streamlit's websocket protocol."""

import asyncio
import time
import urllib.request
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from ui.base.lesson import Lesson

#: Longest wait for one run of a page [s].
PATIENCE = 60.0
#: It acts as a browser does, so it calls itself one: what is folded away is not sent.
AGENT = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36"
)


class Visitor:
    """Browser tab: opens a page, stores what the server sends, moves widgets, and changes pages."""

    def __init__(self, address: str, page: str = "", query: str = ""):
        self.address = address
        self.session = ""
        self.protocols = ["streamlit"]  #: with "none" and a session's id: take it up again
        self.page_name = page
        self.page_hash = ""
        self.pages: dict[str, str] = {}  #: hash of a page by its path
        #: what is on the page, by its position: indexes from the outermost container inward
        self.elements: dict[tuple[int, ...], object] = {}
        #: the fragment that drew it, by position; "" is the page itself
        self.fragments: dict[tuple[int, ...], str] = {}
        #: what the server has sent so far
        self.messages = 0
        self.bytes = 0
        #: what the widgets hold, as the page would send it
        self.states: dict[str, WidgetState] = {}
        self.cached: dict[str, bytes] = {}  #: messages that need not be sent again, by hash
        self.log: list[ForwardMsg] | None = None  #: with a list, every message is appended to it
        self.query = query  #: the address's query, such as "class=ABCDEF"
        self.watches: list[str] = []  #: fragments that the page runs again every few seconds

    async def __aenter__(self) -> "Visitor":
        self.socket = await websockets.connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=self.protocols,
            max_size=None,
            compression=None,
            user_agent_header=AGENT,
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.close()

    async def run(self, trigger: WidgetState | None = None, fragment: str = "") -> float:
        """Run the page, or one fragment, with the current widgets; return the duration [s]."""
        start = time.perf_counter()
        await self.ask(trigger, fragment)
        await asyncio.wait_for(self._receive_run(), PATIENCE)
        return time.perf_counter() - start

    async def ask(
        self, trigger: WidgetState | None = None, fragment: str = "", by_itself: bool = False
    ) -> None:
        """Request a run without waiting for it; `by_itself` marks a page's periodic reruns."""
        states = [*self.states.values(), trigger] if trigger else self.states.values()
        request = ClientState(
            page_script_hash=self.page_hash,
            page_name=self.page_name,
            query_string=self.query,
            fragment_id=fragment,
            is_auto_rerun=by_itself,
            cached_message_hashes=self.cached,
            widget_states=WidgetStates(widgets=states),
        )
        await self.socket.send(BackMsg(rerun_script=request).SerializeToString())

    async def watch(self) -> float:
        """Rerun the fragments that the page reruns every few seconds; return the duration [s]."""
        start = time.perf_counter()
        for fragment in list(self.watches):
            await self.ask(None, fragment, by_itself=True)
            await asyncio.wait_for(self._receive_run(), PATIENCE)
        return time.perf_counter() - start

    async def upload(self, key: str, data: bytes, name: str = "trace.swf") -> float:
        """Upload a file as a browser does, and rerun the page; return the rerun's duration [s]."""
        _, widget = self.widget(key)
        file = str(uuid.uuid4())
        await asyncio.to_thread(self._put, file, data, name)
        state = WidgetState(id=widget.id)
        state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(data), file_id=file
        )
        self.states[widget.id] = state
        return await self.run()

    def _put(self, file: str, data: bytes, name: str) -> None:
        """Send a file to the server's upload address."""
        with urllib.request.urlopen(f"{self.address}/_stcore/health") as answer:
            cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        header = (
            f'--{file}\r\nContent-Disposition: form-data; name="{file}"; filename="{name}"\r\n\r\n'
        )
        request = urllib.request.Request(
            f"{self.address}/_stcore/upload_file/{self.session}/{file}",
            header.encode() + data + f"\r\n--{file}--\r\n".encode(),
            {
                "Content-Type": f"multipart/form-data; boundary={file}",
                "Cookie": cookie,
                "X-Xsrftoken": cookie.partition("=")[2].strip('"'),
            },
            method="PUT",
        )
        urllib.request.urlopen(request).close()

    async def go(self, path: str) -> float:
        """Follow a link to another page, given by its path; return the duration [s]."""
        self.page_hash = self.pages[path]
        self.page_name = ""
        self.states = {}
        return await self.run()

    async def set(self, key: str, value: object) -> float:
        """Move a slider, choose a radio option, or press a button; return the rerun's duration [s].

        `value` is a number, an option's text, or True for a button. As in a browser, a widget that
        a fragment has drawn runs that fragment alone.
        """
        return await self.run(*self.moved(key, value))

    def moved(self, key: str, value: object) -> tuple[WidgetState | None, str]:
        """Set a widget without a run; return the trigger and the fragment of the run to request."""
        kind, widget = self.widget(key)
        fragment = self.fragments[self._position(key)]
        state = WidgetState(id=widget.id)
        if kind == "button":
            state.trigger_value = True
            return state, fragment
        if kind == "slider":
            state.double_array_value.data.append(float(value))
        elif kind == "number_input":
            state.double_value = float(value)
        else:
            state.string_value = str(value)
        self.states[widget.id] = state
        return None, fragment

    def widget(self, key: str) -> tuple[str, object]:
        """Return the kind and the widget with this key; KeyError if the page has none."""
        element = self.elements[self._position(key)]
        kind = element.WhichOneof("type")
        return kind, getattr(element, kind)

    def _position(self, key: str) -> tuple[int, ...]:
        """Return the position of the widget with this key; KeyError if the page has none."""
        for position, element in self.elements.items():
            if getattr(getattr(element, element.WhichOneof("type")), "id", "").endswith(f"-{key}"):
                return position
        raise KeyError(f"no widget {key} on the page")

    def all(self, kind: str) -> list[object]:
        """List the page's elements of one kind."""
        return [getattr(e, kind) for e in self.elements.values() if e.WhichOneof("type") == kind]

    def metrics(self) -> dict[str, str]:
        """Return the values of the page's metrics by label."""
        return {metric.label: metric.body for metric in self.all("metric")}

    def charts(self) -> list[bytes]:
        """List the page's charts as serialized messages."""
        return [chart.SerializeToString() for chart in self.all("vega_lite_chart")]

    async def _receive(self) -> ForwardMsg:
        """Take one message, which may stand for one that was sent before."""
        data = await self.socket.recv()
        self.messages += 1
        self.bytes += len(data)
        message = ForwardMsg.FromString(data)
        if message.WhichOneof("type") == "ref_hash":
            metadata = message.metadata
            message = ForwardMsg.FromString(self.cached[message.ref_hash])
            message.metadata.CopyFrom(metadata)
        elif message.metadata.cacheable and message.hash:
            self.cached[message.hash] = data
        if self.log is not None:
            self.log.append(message)
        return message

    async def _receive_run(self) -> None:
        """Take messages until the script has finished; forget what it did not draw again."""
        fresh = set()
        watches = []
        redrawn = set()  # the fragments that this run consists of; none is the whole page
        while True:
            message = await self._receive()
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.page_hash = message.new_session.page_script_hash
                self.page_name = ""
                self.session = message.new_session.initialize.session_id or self.session
                redrawn = set(message.metadata.run.fragment_ids)
                fresh.clear()
                watches.clear()
            elif kind == "auto_rerun":
                watches.append(message.auto_rerun.fragment_id)
            elif kind == "navigation":
                navigation = message.navigation
                self.page_hash = navigation.page_script_hash or self.page_hash
                for page in navigation.app_pages:
                    self.pages[page.url_pathname] = page.page_script_hash
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                position = tuple(message.metadata.delta_path)
                self.elements[position] = message.delta.new_element
                self.fragments[position] = message.delta.fragment_id
                fresh.add(position)
            elif kind == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                if not redrawn:
                    self.watches = watches
                for position in self.elements.keys() - fresh:
                    if not redrawn or self.fragments[position] in redrawn:
                        del self.elements[position], self.fragments[position]
                return


@asynccontextmanager
async def opened(
    address: str, page: str = "", lesson: Lesson | None = None, query: str = ""
) -> AsyncIterator[Visitor]:
    """Open a page as a new visitor, unlock its lesson if given, and yield the visitor."""
    async with Visitor(address, page, query) as visitor:
        await visitor.run()
        if lesson:
            await unlock(visitor, lesson)
        yield visitor


async def unlock(visitor: Visitor, lesson: Lesson) -> None:
    """Lock in the first answer and test it, so that the page no longer hides a number."""
    question = f"{lesson.id}_prediction"
    await visitor.set(question, visitor.widget(question)[1].options[0])
    await visitor.set(f"{lesson.id}_lock", True)
    await visitor.set(f"{lesson.id}_test", True)


def sliders(visitor: Visitor) -> list[str]:
    """List the keys of the page's number sliders that can be moved."""
    keys = []
    for slider in visitor.all("slider"):
        if not slider.options and not slider.disabled:
            keys.append(slider.id.split("-", 2)[2])
    return keys


def p95(values: list[float]) -> float:
    """Return the 95th percentile; NaN if there are no values."""
    if values:
        return sorted(values)[max(0, int(0.95 * len(values)) - 1)]
    return float("nan")
