"""Messages between the server and its worker processes, over pipes.

A message is a JSON object and, where there is bulk data, bytes behind it:
length of the JSON (uint32), length of the bytes (uint32), the JSON, the bytes. Nothing is ever unpickled.
"""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

_HEAD = struct.Struct("<II")
MOST_JSON = 64_000_000
MOST_BYTES = 1_000_000_000


class Closed(Exception):
    """The other side has gone."""


@dataclass(frozen=True)
class Message:
    """`kind` says what it is about; `data` are its fields; `blob` is bulk data."""

    kind: str
    data: dict[str, Any]
    blob: bytes = b""


def encode(message: Message) -> bytes:
    text = json.dumps({"kind": message.kind, **message.data}, separators=(",", ":")).encode()
    return _HEAD.pack(len(text), len(message.blob)) + text + message.blob


def write(stream: BinaryIO, message: Message) -> None:
    stream.write(encode(message))
    stream.flush()


def read(stream: BinaryIO) -> Message:
    """The next message; raises `Closed` at the end of the stream."""
    json_length, blob_length = _lengths(_exactly(stream, _HEAD.size))
    return _message(_exactly(stream, json_length), _exactly(stream, blob_length))


async def receive(stream: asyncio.StreamReader) -> Message:
    """The next message, without blocking the loop; raises `Closed` at the end of the stream."""
    try:
        json_length, blob_length = _lengths(await stream.readexactly(_HEAD.size))
        text = await stream.readexactly(json_length)
        return _message(text, await stream.readexactly(blob_length) if blob_length else b"")
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise Closed from error


def _lengths(head: bytes) -> tuple[int, int]:
    json_length, blob_length = _HEAD.unpack(head)
    if json_length > MOST_JSON or blob_length > MOST_BYTES:
        raise Closed("this is not a message")
    return json_length, blob_length


def _message(text: bytes, blob: bytes) -> Message:
    data = json.loads(text)
    return Message(data.pop("kind"), data, blob)


def _exactly(stream: BinaryIO, count: int) -> bytes:
    parts = []
    while count:
        part = stream.read(count)
        if not part:
            raise Closed
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
