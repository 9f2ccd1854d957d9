"""Upload limits: a file only for an upload field shown to the session, and within size limits.

Streamlit accepts a file from any session under any name, reads it into memory and keeps it until
the session is dropped, which may be long after its page was closed. Here a request is refused
before its body is read, unless the session has an upload field and there is room for it: in bytes
per session and in total, and in running uploads. A file that no page uses within ten minutes is
removed, and so are the files of a session that has ended for good.

If Streamlit renames these functions, only the size of an upload is limited.
"""

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.responses import PlainTextResponse

from ui.server import insides

#: Size of all files of one session [B]: five of the largest files, or the reports of a course.
MOST_OF_SESSION = 100_000_000
#: Size of all files [B]; the memory that docs/deploying.md requires includes it.
MOST = 500_000_000
#: Running uploads of one session, and of all sessions.
AT_ONCE_OF_SESSION = 30
AT_ONCE = 100
#: Assumed size of a body if the request does not contain the size [B].
LARGEST = 21_000_000
#: How long an unused file is kept [s]: a page uses none of many files before the last has arrived.
UNUSED = 600.0
#: How long the files of a closed page are kept [s]: as long as its session may reconnect.
KEPT = 120.0
#: Time between two searches for files that nobody needs [s].
GLANCE = 5.0

_PATH = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)$")
_LOG = logging.getLogger(__name__)


class Room:
    """Upload state of the sessions: fields shown, stored files, and running uploads.

    All methods are thread-safe.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.guard = threading.RLock()
        self.shown: set[str] = set()  #: sessions with an upload field
        self.coming: Counter[str] = Counter()  #: size of the running uploads, by session [B]
        self.uploads: Counter[str] = Counter()  #: number of running uploads, by session
        #: size [B] and time of arrival [s], by session and file
        self.files: dict[tuple[str, str], tuple[int, float]] = {}
        self.used: set[tuple[str, str]] = set()  #: files that a page has used
        self.swept = False  #: whether a thread searches for files that nobody needs
        self.closed: dict[str, float] = {}  #: when a session lost its page [s]

    def refusal(self, session: str, size: int) -> tuple[int, str] | None:
        """Return status and sentence if an upload of `size` [B] is rejected, else count it."""
        with self.guard:
            used = self.stored_bytes(session) + self.coming[session]
            if session not in self.shown:
                return 403, "This page has no upload field."
            if self.uploads[session] >= AT_ONCE_OF_SESSION or self.uploads.total() >= AT_ONCE:
                return 429, "Too many uploads at once; try again in a moment."
            if used + size > MOST_OF_SESSION:
                return 413, f"One visit can upload {MOST_OF_SESSION / 1e6:.0f} MB."
            if not self.make_room(size, used + size):
                return 503, "The server holds as many files as it can; try again later."
            self.coming[session] += size
            self.uploads[session] += 1
            return None

    def make_room(self, size: int, total: int) -> bool:
        """Make room for `size` [B], at the expense of larger sessions; return whether that worked.

        If necessary, files are removed: first those of closed pages, then those of the session with
        the most bytes, if it has more than `total` [B], the bytes of the session that uploads.
        """
        while self.stored_bytes() + self.coming.total() + size > MOST:
            used: Counter[str] = Counter()
            for (owner, _), (length, _) in self.files.items():
                used[owner] += length
            ranks = [(owner in self.closed, length, owner) for owner, length in used.items()]
            is_closed, length, largest = max(ranks, default=(False, 0, ""))
            if length <= total and not is_closed:
                return False
            self.drop(next(key for key in self.files if key[0] == largest))
        return True

    def drop(self, key: tuple[str, str]) -> None:
        """Remove a file from the store."""
        self.release(*key)
        storage = insides.files()
        if storage is not None:
            storage.remove_file(*key)

    def release(self, session: str, file: str) -> None:
        """Stop counting a file."""
        with self.guard:
            self.files.pop((session, file), None)
            self.used.discard((session, file))

    def arrived(self, session: str, size: int) -> None:
        """Record the end of an upload, successful or not."""
        with self.guard:
            self.coming[session] -= size
            self.uploads[session] -= 1
            self.coming += Counter()  # removes sessions with zero
            self.uploads += Counter()

    def stored_bytes(self, session: str = "") -> int:
        """Return the total size of the files of one session, or of all [B]."""
        with self.guard:
            return sum(
                size for (owner, _), (size, _) in self.files.items() if session in ("", owner)
            )

    def forget(self, session: str) -> None:
        """Remove all data about a session."""
        with self.guard:
            for key in [key for key in self.files if key[0] == session]:
                self.release(*key)
            self.shown.discard(session)
            self.closed.pop(session, None)

    def unneeded(self, is_open: Callable[[str], bool]) -> list[tuple[str, str]]:
        """Return the files that are no longer needed, as pairs of session and file."""
        with self.guard:
            current_time = self.clock()
            owners = {owner for owner, _ in self.files}
            for session in owners | self.shown:
                if is_open(session):
                    self.closed.pop(session, None)
                else:
                    self.closed.setdefault(session, current_time)
            ended = {name for name, since in self.closed.items() if current_time - since > KEPT}
            for session in ended - owners:
                self.forget(session)
            return [
                key
                for key, (_, came) in self.files.items()
                if key[0] in ended or (key not in self.used and current_time - came > UNUSED)
            ]


ROOM = Room()


def check_uploads(handle: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Wrap a request handler to accept an upload only if there is room for it."""

    async def checked(self: Any, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request, or refuse it before its body is read."""
        target = None
        if scope.get("method") == "PUT":
            target = _PATH.search(scope.get("path", ""))
        # The server itself refuses an upload of an unknown session.
        if target is None or not insides.is_open(target["session"]):
            await handle(self, scope, receive, send)
            return
        session = target["session"]
        size = _size(scope)
        refusal = ROOM.refusal(session, size)
        if refusal is not None:
            status, sentence = refusal
            _LOG.warning("an upload is refused (%s): %s", status, sentence)
            answer = PlainTextResponse(sentence, status, {"Connection": "close"})
            await answer(scope, receive, send)
            return
        try:
            await handle(self, scope, receive, send)
        finally:
            ROOM.arrived(session, size)

    return checked


def _size(scope: Any) -> int:
    """Return the size of a request's body from its headers [B]; `LARGEST` if they have none."""
    for name, value in scope.get("headers", ()):
        if name == b"content-length" and value.isdigit() and len(value) < 12:
            return min(int(value), LARGEST)
    return LARGEST


def note_field(*_: Any, **__: Any) -> None:
    """Record that the session of this run is shown an upload field."""
    session = getattr(insides.context(), "session_id", None)
    if session is not None:
        with ROOM.guard:
            ROOM.shown.add(session)


def note_file(_: Any, session_id: str, file: Any) -> None:
    """Count a file that was stored."""
    with ROOM.guard:
        ROOM.files[session_id, file.file_id] = (len(file.data), ROOM.clock())
        if not ROOM.swept:
            ROOM.swept = True
            threading.Thread(target=_sweep, name="uploads held", daemon=True).start()


def note_use(_: Any, session_id: str, file_ids: Sequence[str]) -> None:
    """Record that a page uses uploaded files."""
    with ROOM.guard:
        ROOM.used |= {(session_id, file_id) for file_id in file_ids} & ROOM.files.keys()


def note_end(_: Any, session_id: str) -> None:
    """Release the files of a session that the server's storage has removed."""
    ROOM.forget(session_id)


def note_removal(_: Any, session_id: str, file_id: str) -> None:
    """Release a file that the server's storage has removed."""
    ROOM.release(session_id, file_id)


def _sweep() -> None:
    """Remove files that nobody needs, until no file is left."""
    while True:
        time.sleep(GLANCE)
        with ROOM.guard:
            for key in ROOM.unneeded(insides.is_open):
                ROOM.drop(key)
            if not ROOM.files:
                ROOM.swept = False
                return


def watch() -> None:
    """Make the server enforce the upload limits."""
    field = insides.find(*insides.FILE_UPLOADER)
    files = insides.find(*insides.FILES)
    route = insides.find(*insides.ROUTE)
    names = ((field, "_file_uploader"), (files, "add_file"), (files, "remove_session_files"))
    if not all(hasattr(*name) for name in (*names, (route, "handle"))):
        return
    insides.call_before(field, "_file_uploader", note_field)
    insides.call_after(files, "add_file", note_file)
    insides.call_before(files, "get_files", note_use)
    insides.call_after(files, "remove_session_files", note_end)
    insides.call_after(files, "remove_file", note_removal)
    insides.replace(route, "handle", check_uploads)
