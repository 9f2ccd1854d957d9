"""Lines of an untrusted text file, plain or compressed with gzip, read in bounded memory."""

import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import AnyStr, BinaryIO

from physics import pace

#: Most bytes of a file as it comes, of one unpacked, and of a line; most lines, and empty lines.
MOST_BYTES = 20_000_000
MOST_UNPACKED = 300_000_000
MOST_LINE = 65_536
MOST_LINES = 5_000_000
MOST_EMPTY = 100_000
BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
#: Lines between two calls of `pace.step`, which are also converted together; most bytes of these.
BLOCK = 1_000
BLOCK_BYTES = 8_000_000


#: A path, the bytes of a file, or an open binary file.
Source = str | PathLike | bytes | bytearray | BinaryIO


def bytes_of(source: Source, most: int = MOST_BYTES) -> bytes:
    """Return all bytes of a source; raise ValueError above `most` bytes before copying them."""
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    elif isinstance(source, str | PathLike):
        with Path(source).open("rb") as file:
            data = file.read(most + 1)
    elif hasattr(source, "read"):
        if hasattr(source, "seek") and (not hasattr(source, "seekable") or source.seekable()):
            source.seek(0)
        chunks = []
        remaining = most + 1
        # A stream may return less than is requested.
        while remaining > 0 and (chunk := source.read(remaining)):
            chunks.append(chunk.encode() if isinstance(chunk, str) else chunk)
            remaining -= len(chunk)
        data = b"".join(chunks)
    else:
        raise ValueError(f"source must be a path, bytes or a binary file, got {source!r}")
    if len(data) > most:
        raise ValueError(
            f"source must have at most {most:,} bytes, got more; pack it with gzip or cut it"
        )
    return data


def lines_of(data: bytes, most: int = MOST_UNPACKED) -> Iterator[tuple[int, bytes]]:
    """Yield the nonempty lines of a file with their numbers, up to a size limit."""
    file: gzip.GzipFile | io.BytesIO = io.BytesIO(data)
    if data[:2] == GZIP:
        file = gzip.GzipFile(fileobj=file)
    read = number = empty = 0
    try:
        while line := file.readline(MOST_LINE + 2):
            number += 1
            if number % BLOCK == 0:
                pace.step()
            read += len(line)
            if read > most:
                raise ValueError(
                    f"source must unpack to at most {most:,} bytes, got more by line {number}"
                )
            if number > MOST_LINES:
                raise ValueError(f"source must hold at most {MOST_LINES:,} lines, got more")
            if number == 1:
                line = line.removeprefix(BOM)
            line = line.rstrip(b"\r\n")
            if len(line) > MOST_LINE:
                raise ValueError(f"line {number} must have at most {MOST_LINE:,} bytes, got more")
            if line and not line.isspace():
                yield number, line
                continue
            empty += 1
            if empty > MOST_EMPTY:
                raise ValueError(
                    f"source must hold at most {MOST_EMPTY:,} empty lines, got more by line "
                    f"{number}"
                )
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"source must be a whole gzip file, got one that breaks off after line {number} "
            f"({error})"
        ) from None


def texts_of(data: bytes, first: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the nonempty lines of a file, from a line number on, as text."""
    for number, line in lines_of(data):
        if number >= first:
            yield number, line.decode("utf-8", "replace")


def blocks(lines: Iterable[tuple[int, AnyStr]]) -> Iterator[list[tuple[int, AnyStr]]]:
    """Yield lines in blocks of bounded size; the last block may be empty."""
    block = []
    size = 0
    for number, line in lines:
        block.append((number, line))
        size += len(line)
        if len(block) >= BLOCK or size >= BLOCK_BYTES:
            yield block
            block = []
            size = 0
    yield block


def fields_of(
    lines: Iterable[tuple[int, str]], delimiter: str, kind: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields and the number of each record, with quotes as spreadsheets write them.

    Errors call a record `kind`.
    """
    number = 0
    try:
        texts = (text for _, text in lines)
        for number, fields in enumerate(csv.reader(texts, delimiter=delimiter), 1):
            yield number, fields
    except csv.Error as error:
        raise ValueError(
            f"{kind} {number + 1} must be a line of fields, got one that is not ({error})"
        ) from None
