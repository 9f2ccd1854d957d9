"""Bytes of a log as plain text, extracted from a zip file or decoded from UTF-16."""

import gzip
import io
import lzma
import zipfile
import zlib
from contextlib import suppress
from itertools import islice

from physics.jobs.lines import BOM, GZIP, MOST_UNPACKED, texts_of

#: Most lines up to and with the header of a log.
MOST_BANNER = 50
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def plain(data: bytes) -> bytes:
    """Return a file's bytes as UTF-8, or still gzip-compressed; a zip must contain only one file.

    Raises ValueError for a zip file with another number of files, or one that unpacks to too much.

    >>> plain("JobID".encode("utf-16"))
    b'JobID'
    """
    if data[:4] == b"PK\x03\x04":
        data = _of_zip(data)
    if _head(data).startswith(UTF_16):
        return unpacked(data).decode("utf-16", "replace").encode()
    return data


def _head(data: bytes) -> bytes:
    """First bytes of a file, decompressed if it is a gzip file; none of a damaged one."""
    head = data[:4096]
    if head[:2] != GZIP:
        return head
    try:
        return zlib.decompressobj(31).decompress(head, 4096)
    except zlib.error:
        return b""


def _of_zip(data: bytes) -> bytes:
    """Bytes of the only file in a zip file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(files) != 1:
                raise ValueError(f"source must be a zip file with one file, got {len(files)}")
            with archive.open(files[0]) as file:
                inside = file.read(MOST_UNPACKED + 1)
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        OSError,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise ValueError(f"source must be a whole zip file, got a damaged one ({error})") from None
    if len(inside) > MOST_UNPACKED:
        raise ValueError(f"source must unpack to at most {MOST_UNPACKED:,} bytes, got more")
    return inside


def unpacked(data: bytes, most: int = MOST_UNPACKED) -> bytes:
    """Return a file's bytes, decompressed if it is a gzip file.

    Raises ValueError for more bytes than `most`, and for a damaged file.
    """
    if data[:2] == GZIP:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(most + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"source must be a whole gzip file, got a damaged one ({error})"
            ) from None
    if len(data) > most:
        raise ValueError(f"source must unpack to at most {most:,} bytes, got more")
    return data


def first_lines(data: bytes) -> list[tuple[int, str]]:
    """First nonempty lines with their numbers; empty if the file cannot be read."""
    lines = []
    with suppress(ValueError):  # the reader of the whole file reports the error
        for line in islice(texts_of(data), MOST_BANNER):
            lines.append(line)
    return lines


def is_json(data: bytes) -> bool:
    """Whether a file, plain or gzip, starts like JSON.

    >>> is_json(b" {"), is_json(b"JobID|")
    (True, False)
    """
    return _head(data).removeprefix(BOM).lstrip()[:1] in (b"{", b"[")
