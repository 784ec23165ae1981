"""The language server: each request is a question to the language service."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from chainlist.app.lsp.convert import Places, completion_item, diagnostic, symbol
from chainlist.language.service import CannotRename, Service
from chainlist.language.vocabulary import vocabulary

RUN = "chainlist.run"  # a command of the editor: it starts `chainlist run` in a terminal, or shows the motion


class ChainlistServer(LanguageServer):
    """One service for each open document, made anew when its text changes."""

    def __init__(self) -> None:
        super().__init__(
            "chainlist", version("chainlist"), text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental
        )
        self._services: dict[str, tuple[str, Service]] = {}

    def service(self, uri: str) -> tuple[Service, Places]:
        """The service of a document as it is now, and its places."""
        text = self.workspace.get_text_document(uri).source.replace("\r\n", "\n").replace("\r", "\n")
        known = self._services.get(uri)
        if known is None or known[0] != text:
            path = to_fs_path(uri)
            folder = Path(path).parent if path else None
            known = (text, Service(text, Path(path) if path else None, folder))
            self._services[uri] = known
        return known[1], Places(known[1].document.source, self.workspace.position_codec)

    def forget(self, uri: str) -> None:
        self._services.pop(uri, None)


def make_server() -> ChainlistServer:
    """A server with every feature."""
    server = ChainlistServer()
    vocabulary()  # the words are gathered now, not while the first word is completed

    def on(feature: str, options: Any = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        return server.feature(feature, options) if options is not None else server.feature(feature)

    for feature in (lsp.TEXT_DOCUMENT_DID_OPEN, lsp.TEXT_DOCUMENT_DID_CHANGE, lsp.TEXT_DOCUMENT_DID_SAVE):
        on(feature)(_publish)
    on(lsp.TEXT_DOCUMENT_DID_CLOSE)(_close)
    on(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "=", "("]))(_complete)
    on(lsp.TEXT_DOCUMENT_HOVER)(_hover)
    on(lsp.TEXT_DOCUMENT_DEFINITION)(_definition)
    on(lsp.TEXT_DOCUMENT_REFERENCES)(_references)
    on(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))(_rename)
    on(lsp.TEXT_DOCUMENT_PREPARE_RENAME)(_prepare_rename)
    on(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(_outline)
    on(lsp.TEXT_DOCUMENT_FORMATTING)(_format)
    on(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))(_quick_fixes)
    on(lsp.TEXT_DOCUMENT_CODE_LENS)(_lenses)
    return server


def _publish(server: ChainlistServer, params: Any) -> None:
    uri = params.text_document.uri
    service, places = server.service(uri)
    found = [diagnostic(message, places, uri) for message in service.messages]
    version = server.workspace.get_text_document(uri).version
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))


def _close(server: ChainlistServer, params: lsp.DidCloseTextDocumentParams) -> None:
    server.forget(params.text_document.uri)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


def _complete(server: ChainlistServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    service, places = server.service(params.text_document.uri)
    found = service.complete(places.offset(params.position))
    place = lsp.Range(places.position(found.start), params.position)
    items = [completion_item(one, place, rank) for rank, one in enumerate(found.found)]
    return lsp.CompletionList(is_incomplete=found.more, items=items)


def _hover(server: ChainlistServer, params: lsp.HoverParams) -> lsp.Hover | None:
    service, places = server.service(params.text_document.uri)
    found = service.hover(places.offset(params.position))
    if found is None:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown), places.range(found.span))


def _definition(server: ChainlistServer, params: lsp.DefinitionParams) -> lsp.Location | None:
    service, places = server.service(params.text_document.uri)
    found = service.definition(places.offset(params.position))
    if found is None:
        return None
    if isinstance(found, Path):
        start = lsp.Position(0, 0)
        return lsp.Location(from_fs_path(str(found)) or "", lsp.Range(start, start))
    return lsp.Location(params.text_document.uri, places.range(found))


def _references(server: ChainlistServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    service, places = server.service(params.text_document.uri)
    found = service.references(places.offset(params.position))
    own = found if params.context.include_declaration else found[1:]
    return [lsp.Location(params.text_document.uri, places.range(span)) for span in own]


def _prepare_rename(server: ChainlistServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    service, places = server.service(params.text_document.uri)
    found = service.index.at(places.offset(params.position))
    return places.range(found[0]) if found is not None else None


def _rename(server: ChainlistServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    service, places = server.service(params.text_document.uri)
    try:
        edits = service.rename(places.offset(params.position), params.new_name)
    except CannotRename as why:
        raise JsonRpcInvalidParams(str(why)) from None
    return lsp.WorkspaceEdit(changes={params.text_document.uri: [places.edit(edit) for edit in edits]})


def _outline(server: ChainlistServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    service, places = server.service(params.text_document.uri)
    return [symbol(found, places) for found in service.outline()]


def _format(server: ChainlistServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    service, places = server.service(params.text_document.uri)
    text = service.document.formatted()
    return [] if text is None or text == service.document.text else [lsp.TextEdit(places.whole(), text)]


def _quick_fixes(server: ChainlistServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri = params.text_document.uri
    service, places = server.service(uri)
    first, last = places.offset(params.range.start), places.offset(params.range.end)
    return [
        lsp.CodeAction(
            title=fix.title,
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[diagnostic(message, places, uri)],
            edit=lsp.WorkspaceEdit(changes={uri: [places.edit(fix)]}),
        )
        for message in service.messages
        if message.span.start <= last and first <= message.span.stop
        for fix in message.fixes
    ]


def _lenses(server: ChainlistServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    service, places = server.service(params.text_document.uri)
    command = lsp.Command(title="▶ run", command=RUN, arguments=[params.text_document.uri])
    return [lsp.CodeLens(places.range(span), command) for span in service.runs()]
