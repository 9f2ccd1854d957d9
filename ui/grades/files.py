"""Files uploaded by staff: reports or ZIPs of reports, limited in size before they are read.

A ZIP may lie about the sizes of its entries, so no entry is unpacked beyond the size limit of a
report. Uploads above the limits are a `ValueError` of one sentence. No Streamlit here.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import BytesIO
from typing import Any, NamedTuple

from physics import pace
from ui.base.format import count
from ui.record import plain

#: Most reports in one upload.
MOST_REPORTS = 500
#: Largest ZIP [bytes].
MOST_ZIP = 20_000_000
#: Largest total of all unpacked reports [bytes]; a report has some 20 kB.
MOST_TOTAL = 100_000_000
#: Most entries of a ZIP, including folders and hidden files.
MOST_ENTRIES = 2_000
#: Longest name of a file in the tables [characters].
MOST_NAME = 200
#: Signature of an entry in a ZIP's directory.
_ENTRY = b"PK\x01\x02"
#: Compressions that are read; others might need gigabytes to unpack a few bytes.
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Errors that `zipfile` raises on a broken archive.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)


class File(NamedTuple):
    """Uploaded file: name, size [bytes] if known, and a function that reads up to n bytes."""

    name: str
    size: int
    read: Callable[[int], bytes]


def heads(uploads: Sequence[File]) -> list[tuple[str, bytes]]:
    """Return each file's name and its bytes, cut one byte above the limit of its kind.

    If the total is too large, nothing is read.
    """
    _check_total(uploads)
    return [(file.name, file.read(_most(file.name) + 1)) for file in uploads]


def opened(heads: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes, str]]:
    """Return each report's name, its data as JSON without pins, and an error sentence or "".

    This takes long and its input is not trusted, so it should run in a worker process.
    """
    reports = []
    for file in gathered(heads):
        pace.step()
        try:
            report = content(file)
        except plain.ReportError as refusal:
            reports.append((file.name, b"", str(refusal)))
            continue
        match report:
            case {"lessons": dict(records)}:
                for record in records.values():
                    if isinstance(record, dict):
                        record.pop("pins", None)  # large, and not graded
        reports.append((file.name, plain.encoded(report).encode(), ""))
    return reports


def gathered(heads: Iterable[tuple[str, bytes]]) -> list[File]:
    """List all files, with each ZIP replaced by its files sorted by name, not yet unpacked."""
    files = []
    for path, data in heads:
        name = _named(path)
        if _is_zip(name):
            files += _unpacked(name, data)
        else:
            files.append(File(name, len(data), BytesIO(data).read))
        if len(files) > MOST_REPORTS:
            raise ValueError(
                f"More than {MOST_REPORTS} reports were uploaded at once; upload them in parts."
            )
    _check_total(files)
    return files


def content(file: File) -> Any:
    """Read and parse a file that may be a report.

    `plain.ReportError` says in one sentence what is wrong: the kind of file, its size, or its
    packing.
    """
    if not file.name.lower().endswith(".json"):
        raise plain.ReportError(
            "It is neither a JSON file nor a ZIP that can be read, so it is not a report of "
            "this app."
        )
    try:
        data = file.read(plain.MOST + 1)
    except _BROKEN:
        raise plain.ReportError("It cannot be read or unpacked.") from None
    return plain.parsed(data)


def _unpacked(name: str, data: bytes) -> list[File]:
    """List the files of a ZIP without folders and without files that other programs add."""
    if len(data) > MOST_ZIP:
        raise ValueError(
            f"{name} is larger than {MOST_ZIP / 1e6:.0f} MB; upload the reports in parts."
        )
    entries = data.count(_ENTRY)
    if entries > MOST_ENTRIES:
        raise ValueError(
            f"{name} holds {count(entries, 'entry', 'entries')}; upload the reports in parts."
        )
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        infos = sorted(archive.infolist(), key=lambda info: info.filename)
    except _BROKEN:
        return [File(name, 0, BytesIO().read)]
    files = []
    for info in infos:
        # `info.is_dir()` would fail on an entry without a name.
        if not info.filename.endswith("/") and not _is_litter(info.filename):
            read = partial(_entry, archive, info)
            files.append(File(_named(info.filename), info.file_size, read))
    return files


def _check_total(files: Iterable[File]) -> None:
    """Raise ValueError if the files are too large together."""
    total = sum(min(file.size, _most(file.name)) for file in files)
    if total > MOST_TOTAL:
        raise ValueError(
            f"The reports have {total / 1e6:,.0f} MB together, more than the "
            f"{MOST_TOTAL / 1e6:,.0f} MB that are read at once; upload them in parts."
        )


def _is_zip(name: str) -> bool:
    """Return whether a file's name is that of a ZIP."""
    return name.lower().endswith(".zip")


def _most(name: str) -> int:
    """Return the size limit of a file [bytes], by its kind."""
    if _is_zip(name):
        return MOST_ZIP
    return plain.MOST


def _named(name: str) -> str:
    """Return a file's name on one line; a name that is too long loses its middle."""
    name = " ".join(name.split())
    half = MOST_NAME // 2
    if len(name) <= MOST_NAME:
        return name
    return f"{name[: half - 1]}…{name[-half:]}"


def _is_litter(name: str) -> bool:
    """Return whether a file or one of its folders has a name that marks it as hidden."""
    folders = name.removeprefix("./").split("/")
    return any(folder.startswith((".", "__")) for folder in folders)


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
    """Read at most `limit` bytes of an entry."""
    if info.compress_type not in _COMPRESSIONS:
        raise NotImplementedError
    with archive.open(info) as opened:
        return opened.read(limit)
