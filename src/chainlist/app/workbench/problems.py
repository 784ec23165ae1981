"""The messages below the text: what was found in it, and cures."""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

_SIGNS = {"error": "error", "warning": "warning", "note": "info"}


class Problems:
    """A summary and a list; a click on a message leads to its place, one on its code to its page in Learn."""

    def __init__(self, go: Callable[[int, int], None], explain: Callable[[str], None]) -> None:
        self._go = go
        self._explain = explain
        self._shown: list[dict[str, Any]] = []
        with ui.element("div").classes("bench-problems").props('role="region" aria-label="Messages"'):
            self._summary = ui.label().classes("bench-summary").props('role="status"')
            self._list = ui.element("ul").classes("bench-list")

    def show(self, reading: dict[str, Any]) -> None:
        self._summary.set_text(reading["refusal"] or reading["summary"] or _count(reading["diagnostics"]))
        if reading["diagnostics"] == self._shown:  # a click on one of them may be on its way
            return
        self._shown = reading["diagnostics"]
        self._list.clear()
        with self._list:
            for message in self._shown:
                self._row(message)

    def _row(self, message: dict[str, Any]) -> None:
        with ui.element("li"):
            row = ui.element("button").classes(f"bench-problem bench-{message['severity']}").props('type="button"')
            if "line" in message:
                row.on("click", lambda line=message["line"], column=message["column"]: self._go(line, column))
            with row:
                ui.icon(_SIGNS[message["severity"]]).props('aria-hidden="true"')
                with ui.element("span"):
                    place = f"{message['line']}:{message['column']} " if "line" in message else ""
                    inside = f"{message['inside']}: " if message.get("inside") else ""
                    ui.label(f"{place}{inside}{message['message']}").classes("bench-message")
                    if message["help"]:
                        ui.label(message["help"]).classes("bench-cure")
            if code := message["code"]:
                more = ui.element("button").classes("bench-code").props(f'type="button" title="Explain {code}"')
                more.on("click", lambda: self._explain(code))
                with more:
                    ui.label(code)


def _count(diagnostics: list[dict[str, Any]]) -> str:
    errors = sum(d["severity"] == "error" for d in diagnostics)
    return f"{errors} error{'s' if errors != 1 else ''}" if errors else ""
