"""The bar at the top of the page: what can be done with the text and its run, and how the run stands.

No control here is ever hidden, swapped or disabled on the server: a click that is on its way to such a one would be lost.
"""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

from typing import Any, Protocol

from nicegui import ui

from chainlist.app.workbench.formats import FORMATS
from chainlist.app.workbench.screen import Progress


class Actions(Protocol):
    """What the buttons ask for."""

    def new(self) -> None: ...
    def choose_example(self) -> None: ...
    async def choose_file(self) -> None: ...
    def save(self) -> None: ...
    def save_as(self) -> None: ...
    async def share(self) -> None: ...
    def set_live(self, on: bool) -> None: ...
    def cancel(self) -> None: ...
    def run(self) -> None: ...
    async def pin(self) -> None: ...
    def arrange(self) -> None: ...
    def download(self, format: str) -> None: ...
    def switch_theme(self) -> None: ...
    def learn(self) -> None: ...
    def help(self) -> None: ...


class Header:
    """Builds the bar; then says how a run stands."""

    def __init__(self, actions: Actions) -> None:
        with ui.element("header").classes("bench-header"):
            with ui.element("div").classes("bench-brand"):
                ui.html("chainlist", sanitize=False, tag="h1").classes("bench-name")
                ui.element("span").classes("bench-file").props('role="status" aria-label="File"')
            button("New", "note_add", actions.new, "Begin a new text")
            button("Examples", "category", actions.choose_example, "Choose an example")
            button("Open", "folder_open", actions.choose_file, "Open a file")
            button("Save", "save", actions.save, "Save the text (Ctrl+S)")
            button("Share", "link", actions.share, "Copy a link that carries this text")
            ui.element("div").classes("bench-room")
            self._build_run(actions)
            self._pin = button("Pin", "push_pin", actions.pin, "Keep this run in grey, to compare the next with it")
            start = button("Start", "open_with", actions.arrange, "Show the start: bodies can be dragged there")
            start.classes("bench-to-start")
            self._build_downloads(actions)
            learn = button("Learn", "school", actions.learn, "Tutorial, language, messages, examples")
            learn.classes("bench-learn-button")
            icon("contrast", actions.switch_theme, "Light or dark")
            icon("help_outline", actions.help, "Help")
        self.show_progress(None)

    def _build_run(self, actions: Actions) -> None:
        with ui.element("div").classes("bench-run"):
            self._state = ui.label().classes("bench-state").props('role="status" aria-live="polite"')
            self._bar = ui.linear_progress(0, show_value=False).classes("bench-bar")
            self._bar.props('aria-label="Progress of the run"')
            live = ui.switch("Live", value=True, on_change=lambda e: actions.set_live(bool(e.value)))
            live.props('title="Run small mechanisms by themselves as soon as the text is valid"')
            self._cancel = button("Cancel", "close", actions.cancel, "Stop the run")
            button("Run", "play_arrow", actions.run, "Run (Ctrl+Enter)").classes("bench-go")

    def _build_downloads(self, actions: Actions) -> None:
        with button("Download", "download", None, "Take the latest run away"), ui.menu() as menu:
            menu.props('aria-label="Download"')
            _entry("Save as …", "the text under another name", actions.save_as)
            for format in FORMATS.values():
                _entry(format.name, format.meaning, lambda key=format.key: actions.download(key))

    def say(self, words: str) -> None:
        self._state.set_text(words)

    def show_progress(self, progress: Progress | None, *, of_earlier_text: bool = False) -> None:
        self._cancel.props(f'aria-disabled="{str(progress is None).lower()}"')
        self._bar.classes(add="bench-idle" if progress is None else "", remove="" if progress is None else "bench-idle")
        if progress is None:
            self.say("")
        elif progress.place > 0:
            self._bar.set_value(0)
            ahead = progress.place - 1
            self.say("starts next" if ahead == 0 else f"waiting: {ahead} before you")
        else:
            self._bar.set_value(progress.fraction)
            left = "" if progress.left is None else f", {progress.left:.0f} s left"
            whose = " of an earlier text" if of_earlier_text else ""
            begun = progress.fraction > 0 or not progress.text
            self.say(f"{100 * progress.fraction:.0f} %{whose}{left}" if begun else progress.text)

    def show_pinned(self, pinned: bool) -> None:
        name = "Unpin" if pinned else "Pin"
        self._pin.props(f'aria-pressed="{str(pinned).lower()}" aria-label="{name}"')
        self._pin.set_text(name)


def _entry(name: str, meaning: str, on_click: Any) -> None:
    with ui.menu_item(on_click=on_click), ui.element("div").classes("bench-format"):
        ui.label(name)
        ui.label(meaning)


def button(text: str, icon: str, on_click: Any, tip: str) -> ui.button:
    made = ui.button(text, icon=icon, color=None, on_click=on_click).props("flat no-caps dense").classes("bench-button")
    made.props(f'aria-label="{text}" title="{tip}"')
    return made


def icon(name: str, on_click: Any, tip: str) -> ui.button:
    made = ui.button(icon=name, color=None, on_click=on_click).props("flat dense round").classes("bench-button")
    made.props(f'aria-label="{tip}" title="{tip}"')
    return made
