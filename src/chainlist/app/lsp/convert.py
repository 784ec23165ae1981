"""From the language service to the types of the protocol. The protocol counts lines from 0, and characters as the client does."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from chainlist.language.completion import Completion
from chainlist.language.fixes import Fix
from chainlist.language.service import OutlineEntry, PlacedDiagnostic
from chainlist.syntax.source import Source, Span

_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_COMPLETION = {
    "command": lsp.CompletionItemKind.Keyword,
    "option": lsp.CompletionItemKind.Property,
    "setting": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.EnumMember,
    "item": lsp.CompletionItemKind.Field,
    "body": lsp.CompletionItemKind.Variable,
    "element": lsp.CompletionItemKind.Class,
    "parameter": lsp.CompletionItemKind.Constant,
    "function": lsp.CompletionItemKind.Function,
    "letter": lsp.CompletionItemKind.Struct,
}
_SYMBOL = {"command": lsp.SymbolKind.Event, "submachine": lsp.SymbolKind.Module, "B": lsp.SymbolKind.Variable}
_NEXT = lsp.Command(
    title="Suggest", command="editor.action.triggerSuggest"
)  # behind `INTEGRATOR=` its values are offered


class Places:
    """Offsets of a text ↔ positions of the client, whose units are those of `codec`."""

    def __init__(self, source: Source, codec: Any) -> None:
        self._source = source
        self._codec = codec
        self._lines = [source.line(number + 1) for number in range(len(source.line_starts))]

    def offset(self, position: lsp.Position) -> int:
        own = self._codec.position_from_client_units(self._lines, position)
        line: int = min(own.line, len(self._lines) - 1)
        column: int = min(own.character, len(self._lines[line]))
        return self._source.line_starts[line] + column

    def position(self, offset: int) -> lsp.Position:
        line, column = self._source.position(offset)
        found: lsp.Position = self._codec.position_to_client_units(self._lines, lsp.Position(line - 1, column - 1))
        return found

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.start), self.position(span.stop))

    def whole(self) -> lsp.Range:
        return lsp.Range(lsp.Position(0, 0), self.position(len(self._source.text)))

    def edit(self, fix: Fix) -> lsp.TextEdit:
        return lsp.TextEdit(self.range(fix.span), fix.text)


def diagnostic(message: PlacedDiagnostic, places: Places, uri: str) -> lsp.Diagnostic:
    """A message with its code, its cure, and the other places that belong to it."""
    found = message.diagnostic
    text = f"{found.message}\n{found.help}" if found.help else found.message
    also = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, places.range(related.span)), related.label)
        for related in found.also
        if related.span.source is message.span.source
    ]
    return lsp.Diagnostic(
        range=places.range(message.span),
        message=f"{message.inside}: {text}" if message.inside else text,
        severity=_SEVERITY[found.severity],
        code=found.code,
        source="chainlist",
        related_information=also or None,
    )


def completion_item(found: Completion, place: lsp.Range, rank: int) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        label=found.label,
        kind=_COMPLETION[found.kind],
        detail=found.detail or None,
        documentation=found.info or None,
        sort_text=f"{rank:04}",
        text_edit=lsp.TextEdit(place, found.text),
        command=_NEXT if found.kind == "option" else None,
    )


def symbol(found: OutlineEntry, places: Places) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=found.name or "…",
        detail=found.detail,
        kind=_SYMBOL.get(found.kind, lsp.SymbolKind.Class),
        range=places.range(found.whole),
        selection_range=places.range(found.span),
        children=[symbol(child, places) for child in found.children],
    )
