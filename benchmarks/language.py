"""The language server: from a change of a text to its messages, over standard input and output, as an editor waits for them."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.mechanisms import chain
from benchmarks.report import Goal, Line, Unavailable

TITLE = "seconds (wall) from a change of a text of 1,000 lines to the answer of the language server, the median of 15"
TIMES = 15


def run() -> list[Line]:
    try:
        import pygls  # noqa: F401
    except ModuleNotFoundError:
        raise Unavailable("pygls is not installed") from None
    text = chain(498).text
    found = asyncio.run(_answers(text))
    lines = text.count("\n")
    return [
        Line(what, {"lines": lines, "seconds": sorted(taken)[TIMES // 2]}, sorted(taken)[TIMES // 2], Goal(0.1))
        for what, taken in found.items()
    ]


async def _answers(text: str) -> dict[str, list[float]]:
    from lsprotocol import types as lsp
    from pygls.lsp.client import LanguageClient

    client = LanguageClient("editor", "1")
    heard: asyncio.Queue[object] = asyncio.Queue()
    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: heard.put_nowait(said))
    taken: dict[str, list[float]] = {"messages": [], "completion": [], "hover": []}
    with TemporaryDirectory() as folder:
        uri = (Path(folder) / "a.chain").as_uri()
        here = lsp.TextDocumentIdentifier(uri)
        await client.start_io(sys.executable, "-m", "chainlist", "lsp")
        await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "chain", 0, text)))
        await heard.get()
        for version in range(1, TIMES + 2):
            start = lsp.Position(0, 2)
            change = lsp.TextDocumentContentChangePartial(lsp.Range(start, start), "a")
            document = lsp.VersionedTextDocumentIdentifier(version, uri)
            clock = time.perf_counter()
            client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
            await heard.get()
            taken["messages"].append(time.perf_counter() - clock)
            clock = time.perf_counter()
            await client.text_document_completion_async(lsp.CompletionParams(here, lsp.Position(900, 6)))
            taken["completion"].append(time.perf_counter() - clock)
            clock = time.perf_counter()
            await client.text_document_hover_async(lsp.HoverParams(here, lsp.Position(900, 0)))
            taken["hover"].append(time.perf_counter() - clock)
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
    return {what: times[1:] for what, times in taken.items()}
