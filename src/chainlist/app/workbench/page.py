"""The page of the workbench: its layout, and what the buttons do. All that moves is in `web/`."""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui import background_tasks, events, ui

from chainlist.app.workbench import dialogs, sharing
from chainlist.app.workbench.elements import BenchView, EditorSupport, Frame
from chainlist.app.workbench.files import Outside, Workspace, download_name
from chainlist.app.workbench.formats import FORMATS
from chainlist.app.workbench.session import Bench, Origin, Progress, Session

WELCOME = """Double pendulum: change a number, or drag a body
B1 (0.7,-0.7) 1
B2 (1.7,-0.7) 1
C1 B1 (0,0)
C2 B1 B2
.tran 0 20 1E-3
.plot "Y(B1) Y(B2)" PATH(B2)
"""
_SIGNS = {"error": "error", "warning": "warning", "note": "info"}


def build_page(bench: Bench) -> None:
    """One page for one user."""
    ui.add_head_html('<link rel="stylesheet" href="/bench/bench.css">')
    Page(bench)


class Page:
    """The page of one user: a `Screen` for their session."""

    def __init__(self, bench: Bench) -> None:
        self.settings = bench.settings
        folder = bench.settings.folder
        self.workspace = Workspace(folder, bench.settings.may_write) if folder else None
        self.file_name = ""  # of the workspace; "" for a text that has none
        self.pinned = False
        self._replacing = False
        text = self._first_text()
        self.session = Session(bench, self, text)
        self._build(text)
        ui.context.client.on_delete(self.session.close)

    def _first_text(self) -> str:
        path = self.settings.open_file
        if path is None or self.workspace is None:
            return WELCOME
        self.file_name = str(path.relative_to(self.workspace.folder))
        return self.workspace.read(self.file_name)

    def _begin(self, fragment: str) -> None:
        """The browser is there: read the text that it shows, or the one in its address."""
        if sharing.text_of(fragment) is not None:
            self.open_link(fragment)
        else:
            self.session.set_text(self.editor.value or "", "open")

    # Layout

    def _build(self, text: str) -> None:
        ui.query(".nicegui-content").classes("bench-page")
        self._build_header()
        self.main = ui.element("main").classes("bench-main").props('data-pane="edit"')
        with self.main:
            with ui.element("section").classes("bench-left").props('aria-label="Text"'):
                self.editor = ui.codemirror(text, on_change=self._edited, indent="  ", line_wrapping=True)
                self.editor.classes("bench-editor")
                with ui.element("div").classes("bench-problems").props('role="region" aria-label="Messages"'):
                    self.summary = ui.label().classes("bench-summary").props('role="status"')
                    self.problems = ui.element("ul").classes("bench-list")
            ui.element("div").classes("bench-split")
            with ui.element("section").classes("bench-right").props('aria-label="Motion"'):
                self.view = BenchView(on_play=self.run)
        self._build_panes()
        self.support = EditorSupport(self.editor, on_run=self.run, on_save=self.save)
        self.frame = Frame(on_begin=self._begin, on_run=self.run, on_fragment=self.open_link)

    def _build_header(self) -> None:
        with ui.element("header").classes("bench-header"):
            with ui.element("div").classes("bench-brand"):
                ui.label("chainlist").classes("bench-name")
            _button("Examples", "category", lambda: dialogs.choose_example(self.open_text), "Choose an example")
            _button("Open", "folder_open", lambda: dialogs.open_file(self.workspace, self.open_text), "Open a file")
            _button("Save", "save", self.save, "Save the text (Ctrl+S)")
            _button("Share", "link", self.share, "Copy a link that carries this text")
            ui.element("div").classes("bench-room")
            with ui.element("div").classes("bench-run"):
                self.state = ui.label().classes("bench-state").props('role="status" aria-live="polite"')
                self.bar = ui.linear_progress(0, show_value=False).classes("bench-bar")
                self.bar.props('aria-label="Progress of the run"')
                self.live = ui.switch("Live", value=True, on_change=lambda e: self._set_live(bool(e.value)))
                self.live.tooltip("Run small mechanisms by themselves as soon as the text is valid")
                self.cancel_button = _button("Cancel", "close", lambda: self.session.cancel(), "Stop the run")
                self.run_button = _button("Run", "play_arrow", self.run, "Run (Ctrl+Enter)").classes("bench-go")
            self.show_progress(None)
            self.pin_button = _button("Pin", "push_pin", self.pin, "Keep this run in grey, to compare the next with it")
            _button("Start", "open_with", lambda: self.view.arrange(), "Show the start: bodies can be dragged there")
            self._build_downloads()
            _icon("contrast", lambda: self.frame.run_method("theme"), "Light or dark")
            _icon("help_outline", dialogs.show_help, "Help")

    def _build_downloads(self) -> None:
        with _button("Download", "download", None, "Take the latest run away"), ui.menu() as menu:
            menu.props('aria-label="Download"')
            for format in FORMATS.values():
                with ui.menu_item(on_click=lambda key=format.key: self.download(key)):
                    with ui.element("div").classes("bench-format"):
                        ui.label(format.name)
                        ui.label(format.meaning)

    def _build_panes(self) -> None:
        """For narrow screens: one part at a time."""
        with ui.element("nav").classes("bench-panes").props('aria-label="Parts of the page"'):
            for name, icon, text in (
                ("edit", "edit", "Edit"),
                ("watch", "play_circle", "Watch"),
                ("plots", "show_chart", "Plots"),
            ):
                _button(text, icon, lambda name=name: self.frame.run_method("pane", name), text)

    # What the user does

    def _edited(self, event: events.ValueChangeEventArguments[str]) -> None:
        if not self._replacing:
            self.session.set_text(event.value or "", "edit")

    def _replace_text(self, text: str, file_name: str, origin: Origin) -> None:
        """Put a text into the editor; this is no edit of the user, though the editor reports it as one."""
        self.file_name = file_name
        self._replacing = True
        self.editor.set_value(text)
        self._replacing = False
        self.session.set_text(text, origin)

    def open_text(self, text: str, file_name: str = "") -> None:
        """Show another text."""
        self._replace_text(text, file_name, "open")

    def open_link(self, fragment: str) -> None:
        """A text that came with the address: shown and read, never run by itself."""
        text = sharing.text_of(fragment)
        if text is None:
            ui.notify("This link carries no chainlist that could be read.", type="warning")
            return
        self._replace_text(text, "", "shared")
        ui.notify("This text came with the link. Press Run to see it move.")

    def run(self) -> None:
        reading = self.session.reading
        if reading is not None and not reading["ok"]:
            ui.notify("The text has errors: see the messages below it.", type="warning")
        elif reading is not None and reading["refusal"]:
            ui.notify(reading["refusal"], type="warning")
        else:
            self.session.run()

    def _set_live(self, on: bool) -> None:
        self.session.live = on

    async def pin(self) -> None:
        self.pinned = bool(await self.view.pin(not self.pinned))
        name = "Unpin" if self.pinned else "Pin"
        self.pin_button.props(f'aria-pressed="{str(self.pinned).lower()}" aria-label="{name}"')
        self.pin_button.set_text(name)
        if self.pinned:
            ui.notify("Pinned. Change an option and run: both motions are shown.")

    def save(self) -> None:
        if self.workspace is not None and self.workspace.writable:
            dialogs.save_file(self.workspace, self.file_name or download_name(self._title(), ".chain"), self._save_as)
        else:
            ui.download.content(self.session.text, download_name(self._title(), ".chain"), "text/plain")

    def _save_as(self, name: str) -> None:
        assert self.workspace is not None
        try:
            self.workspace.save(name, self.session.text)
        except (Outside, OSError) as error:
            ui.notify(str(error), type="negative")
            return
        self.file_name = name
        ui.notify(f"Saved {name}")

    async def share(self) -> None:
        fragment = sharing.fragment_of(self.session.text)
        if len(fragment) > sharing.LONGEST_LINK:
            ui.notify("This text is too long for a link: save it as a file.", type="warning")
            return
        copied = await self.frame.run_method("share", fragment, timeout=20)
        ui.notify("Link copied." if copied else "The address of this page now carries the text.")

    def download(self, format: str) -> None:
        background_tasks.create(self._download(format))

    async def _download(self, format: str) -> None:
        with self.main:
            wait = ui.notification("Writing …", spinner=True, timeout=None)
            outcome = await self.session.export(format)
            wait.dismiss()
            if outcome.ending != "done":
                ui.notify(outcome.message or "cancelled", type="negative")
                return
            data = Path(outcome.data["path"]).read_bytes()
            ui.download.content(data, download_name(self._title(), FORMATS[format].suffix))

    def _title(self) -> str:
        return self.session.text.splitlines()[0] if self.session.text else ""

    # Screen: what the session shows

    def show_reading(self, reading: dict[str, Any]) -> None:
        self.support.show_reading(reading)
        self.summary.set_text(reading["refusal"] or reading["summary"] or _count(reading["diagnostics"]))
        self.problems.clear()
        with self.problems:
            for message in reading["diagnostics"]:
                self._problem(message)

    def _problem(self, message: dict[str, Any]) -> None:
        with ui.element("li"):
            row = ui.element("button").classes(f"bench-problem bench-{message['severity']}").props('type="button"')
            if "line" in message:
                row.on("click", lambda line=message["line"], column=message["column"]: self.support.go(line, column))
            with row:
                ui.icon(_SIGNS[message["severity"]])
                with ui.element("span"):
                    place = f"{message['line']}:{message['column']} " if "line" in message else ""
                    inside = f"{message['inside']}: " if message.get("inside") else ""
                    ui.label(f"{place}{inside}{message['message']}").classes("bench-message")
                    if message["help"]:
                        ui.label(message["help"]).classes("bench-cure")
                ui.label(message["code"]).classes("bench-code")

    def show_preview(self, url: str, *, instead_of_run: bool) -> None:
        self.view.preview(url, show=instead_of_run)

    def follow(self, url: str, *, live: bool) -> None:
        self.view.follow(url, live=live)

    def show_progress(self, progress: Progress | None) -> None:
        self.cancel_button.set_visibility(progress is not None)
        self.bar.set_visibility(progress is not None)
        self.run_button.set_visibility(progress is None)
        if progress is None:
            self.state.set_text("")
        elif progress.place > 0:
            self.bar.set_value(0)
            ahead = progress.place - 1
            self.state.set_text("starts next" if ahead == 0 else f"waiting: {ahead} before you")
        else:
            self.bar.set_value(progress.fraction)
            left = "" if progress.left is None else f", {progress.left:.0f} s left"
            begun = progress.fraction > 0 or not progress.text
            self.state.set_text(f"{100 * progress.fraction:.0f} %{left}" if begun else progress.text)

    def show_end(self, ending: str, message: str) -> None:
        if ending == "cancelled":
            self.state.set_text("cancelled")
        elif ending == "failed":
            with self.main:
                ui.notify(message, type="negative", multi_line=True)


def _button(text: str, icon: str, on_click: Any, tip: str) -> ui.button:
    button = (
        ui.button(text, icon=icon, color=None, on_click=on_click).props("flat no-caps dense").classes("bench-button")
    )
    button.props(f'aria-label="{text}" title="{tip}"')
    return button


def _icon(icon: str, on_click: Any, tip: str) -> ui.button:
    button = ui.button(icon=icon, color=None, on_click=on_click).props("flat dense round").classes("bench-button")
    button.props(f'aria-label="{tip}" title="{tip}"')
    return button


def _count(diagnostics: list[dict[str, Any]]) -> str:
    errors = sum(d["severity"] == "error" for d in diagnostics)
    return f"{errors} error{'s' if errors != 1 else ''}" if errors else ""
