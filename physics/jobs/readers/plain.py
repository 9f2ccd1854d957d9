"""Bytes of a log as plain text, extracted from a zip file or decoded from UTF-16."""

import gzip
import io
import zipfile
import zlib

from physics.jobs.lines import BOM, MOST_UNPACKED, lines_of

__all__ = ["first_lines", "is_json", "plain", "unpacked"]

#: Lines among which the header of a log is looked for.
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
    if data[:2] == b"\x1f\x8b":
        try:
            head = zlib.decompressobj(31).decompress(data[:4096], 4)
        except zlib.error:
            return data
        if not head.startswith(UTF_16):
            return data
        data = unpacked(data)
    if data.startswith(UTF_16):
        return data.decode("utf-16", "replace").encode()
    return data


def _of_zip(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(files) != 1:
                raise ValueError(f"source must be a zip file with one file, got {len(files)}")
            with archive.open(files[0]) as file:
                inside = file.read(MOST_UNPACKED + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"source must be a whole zip file, got a damaged one ({error})") from None
    if len(inside) > MOST_UNPACKED:
        raise ValueError(f"source must unpack to at most {MOST_UNPACKED:,} bytes, got more")
    return inside


def unpacked(data: bytes, most: int = MOST_UNPACKED) -> bytes:
    """Return a file's bytes, decompressed if it is a gzip file.

    Raises ValueError for more bytes than `most`, and for a damaged file.
    """
    if data[:2] != b"\x1f\x8b":
        whole = data
    else:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                whole = file.read(most + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"source must be a whole gzip file, got a damaged one ({error})"
            ) from None
    if len(whole) > most:
        raise ValueError(f"source must unpack to at most {most:,} bytes, got more")
    return whole


def first_lines(data: bytes) -> list[tuple[int, str]]:
    """First nonempty lines with their numbers; empty if the file cannot be read."""
    found = []
    try:
        for number, line in lines_of(data):
            found.append((number, line.decode("utf-8", "replace")))
            if len(found) == MOST_BANNER:
                break
    except ValueError:  # whatever is wrong with it, the reader says it better
        pass
    return found


def is_json(data: bytes) -> bool:
    """Whether a file, plain or gzip, starts like JSON.

    >>> is_json(b" {"), is_json(b"JobID|")
    (True, False)
    """
    head = data[:4096]
    if data[:2] == b"\x1f\x8b":
        try:
            head = zlib.decompressobj(31).decompress(head, 4096)
        except zlib.error:
            return False
    return head.removeprefix(BOM).lstrip()[:1] in (b"{", b"[")
