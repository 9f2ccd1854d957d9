"""Files uploaded by staff: reports or ZIPs of reports, limited in size before reading. No Streamlit
here.

A ZIP's own words on its sizes are looked at first and not believed: no more than a report may have
is ever unpacked of one entry. More than is taken at once is a `ValueError`, in one sentence.
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

#: Reports that are taken at once.
MOST_REPORTS = 500
#: Largest ZIP [bytes].
MOST_ZIP = 20_000_000
#: All reports together, unpacked [bytes]: a report has some 20 kB.
MOST_TOTAL = 100_000_000
#: Entries of a ZIP, folders and what other programs leave there included.
MOST_ENTRIES = 2_000
#: Longest name of a file [characters]; it stands in every table.
MOST_NAME = 200
#: What begins an entry in a ZIP's directory.
_ENTRY = b"PK\x01\x02"
_KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
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
    """Return each file's name and its first bytes up to the size limit.

    Read nothing if the total is too large.
    """
    _check_total(uploads)
    return [(file.name, file.read(_most(file.name) + 1)) for file in uploads]


def opened(heads: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes, str]]:
    """Return each report's name, its data as JSON without pins, and an error sentence or "".

    Long work on strangers' files, to be done beside the server.
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
                        record.pop("pins", None)  # the largest part, and nothing is graded by it
        reports.append((file.name, plain.encoded(report).encode(), ""))
    return reports


def gathered(heads: Iterable[tuple[str, bytes]]) -> list[File]:
    """List all files, with each ZIP replaced by its files sorted by name.

    Nothing is unpacked yet.
    """
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

    `plain.ReportError` says in one sentence: another kind of file, too large, or a part that cannot
    be unpacked.
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
    """List the files of a ZIP; folders and what begins with a dot or two underscores are left
    out.
    """
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
    # An entry may have no name at all, on which `is_dir` ends in an error of its own.
    files = []
    for info in infos:
        if not info.filename.endswith("/") and not _is_litter(info.filename):
            read = partial(_entry, archive, info)
            files.append(File(_named(info.filename), info.file_size, read))
    return files


def _check_total(files: Iterable[File]) -> None:
    total = sum(min(file.size, _most(file.name)) for file in files)
    if total > MOST_TOTAL:
        raise ValueError(
            f"The reports have {total / 1e6:,.0f} MB together, more than the "
            f"{MOST_TOTAL / 1e6:,.0f} MB that are read at once; upload them in parts."
        )


def _is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")


def _most(name: str) -> int:
    """Return how much of a file is read at most [B]."""
    if _is_zip(name):
        return MOST_ZIP
    return plain.MOST


def _named(name: str) -> str:
    """Return a file's name on one line; of one that is too long, its beginning and its end."""
    name = " ".join(name.split())
    half = MOST_NAME // 2
    if len(name) <= MOST_NAME:
        return name
    return f"{name[: half - 1]}…{name[-half:]}"


def _is_litter(name: str) -> bool:
    return any(name_part.startswith((".", "__")) for name_part in name.split("/"))


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
    """Read at most so much of an entry; other ways of packing may ask for gigabytes to unpack a few
    bytes.
    """
    if info.compress_type not in _KINDS:
        raise NotImplementedError
    with archive.open(info) as opened:
        return opened.read(limit)
