"""`chainlist lsp` over standard input and output, asked by a real client."""

import asyncio
import contextlib
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.language.test_service import TEXT

WRONG = TEXT.replace("C2 B0 B2", "C2 B0 B22").replace("* A swing", "* 🙂 A swing")


@contextlib.asynccontextmanager
async def editor(folder, text):
    """A client with one open file."""
    client = LanguageClient("editor", "1")
    heard = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(params):
        heard.put_nowait(params)

    await client.start_io(sys.executable, "-m", "chainlist", "lsp")
    hello = lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=folder.as_uri())
    told = await client.initialize_async(hello)
    client.initialized(lsp.InitializedParams())
    path = folder / "a.chain"
    uri = path.as_uri()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "chain", 1, text)))
    first = await asyncio.wait_for(heard.get(), 60)
    yield client, uri, heard, first, told
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


def ask(work, folder, text=TEXT):
    async def whole():
        async with editor(folder, text) as found:
            await work(*found)

    with ThreadPoolExecutor(1) as thread:  # where a browser is open, this one has a loop already
        thread.submit(asyncio.run, asyncio.wait_for(whole(), 120)).result()


def position(text, mark, shift=0):
    """Line and character of a mark, as a client counts them: in UTF-16 units."""
    before = text[: text.index(mark) + shift]
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def test_every_feature(tmp_path):
    """One server, asked for everything: starting one takes longer than all answers together."""

    async def work(client, uri, heard, first, told):
        here = lsp.TextDocumentIdentifier(uri)
        assert first.diagnostics == [] or all(d.severity != lsp.DiagnosticSeverity.Error for d in first.diagnostics)
        offered = told.capabilities
        assert offered.hover_provider and offered.definition_provider and offered.document_formatting_provider

        hover = await client.text_document_hover_async(lsp.HoverParams(here, position(TEXT, "B0 (0,-1)")))
        assert "B0 (0,-1) 1" in hover.contents.value

        at = position(TEXT, "X1.C1", 3)
        found = await client.text_document_definition_async(lsp.DefinitionParams(here, at))
        assert (found.uri, found.range.start) == (uri, position(TEXT, "C1 BA B1"))

        context = lsp.ReferenceContext(include_declaration=True)
        at = position(TEXT, "B0 (0,-1)")
        places = await client.text_document_references_async(lsp.ReferenceParams(context, here, at))
        assert len(places) == TEXT.count("B0")

        assert await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(here, at))
        edit = await client.text_document_rename_async(lsp.RenameParams(here, at, "Bob"))
        assert len(edit.changes[uri]) == TEXT.count("B0") and {e.new_text for e in edit.changes[uri]} == {"Bob"}
        with pytest.raises(Exception, match="must begin with B"):
            await client.text_document_rename_async(lsp.RenameParams(here, at, "Cob"))

        outline = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(here))
        assert [s.name for s in outline if s.name.startswith("B")] == ["B0", "B2", "B3", "B6"]

        lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(here))
        assert [lens.command.command for lens in lenses] == ["chainlist.run"]

        asked = lsp.CompletionParams(here, position(TEXT, "RK4"))
        proposals = await client.text_document_completion_async(asked)
        assert "DOP853" in {item.label for item in proposals.items}

        settings = lsp.FormattingOptions(4, True)
        changed = lsp.TextDocumentContentChangeWholeDocument(TEXT.replace("C0 (0,0) B0", "C0  (0, 0)  B0"))
        version = lsp.VersionedTextDocumentIdentifier(2, uri)
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [changed]))
        await asyncio.wait_for(heard.get(), 60)
        edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(here, settings))
        assert edits[0].new_text == TEXT

    ask(work, tmp_path)


def test_a_mistake_has_its_code_its_place_and_a_quick_fix(tmp_path):
    async def work(client, uri, heard, first, told):
        (wrong,) = (d for d in first.diagnostics if d.severity == lsp.DiagnosticSeverity.Error)
        assert wrong.code == "E226" and "did you mean B2?" in wrong.message
        assert wrong.range.start == position(WRONG, "B22")
        here = lsp.TextDocumentIdentifier(uri)
        asked = lsp.CodeActionParams(here, wrong.range, lsp.CodeActionContext([wrong]))
        (action,) = await client.text_document_code_action_async(asked)
        (edit,) = action.edit.changes[uri]
        assert (action.title, edit.new_text, edit.range) == ("Write B2", "B2", wrong.range)
        change = lsp.TextDocumentContentChangePartial(edit.range, edit.new_text)
        version = lsp.VersionedTextDocumentIdentifier(2, uri)
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
        after = await asyncio.wait_for(heard.get(), 60)
        assert not [d for d in after.diagnostics if d.severity == lsp.DiagnosticSeverity.Error]

    ask(work, tmp_path, WRONG)


def test_places_are_counted_as_the_client_counts(tmp_path):
    """Two units of UTF-16 make one smiling face."""
    text = "* a\nB1 (1,0) 1\nC1 B1 (0,0) ; 🙂🙂\n.plot Q(B1) ; 🙂\n"

    async def work(client, uri, heard, first, told):
        asked = lsp.DefinitionParams(lsp.TextDocumentIdentifier(uri), position(text, "Q(B1", 3))
        assert (await client.text_document_definition_async(asked)).range.start == lsp.Position(1, 0)

    ask(work, tmp_path, text)
