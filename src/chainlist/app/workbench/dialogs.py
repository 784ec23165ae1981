"""Dialogs of the page: the gallery, files, help."""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from nicegui import ui

from chainlist.app.workbench import gallery
from chainlist.app.workbench.elements import FilePicker
from chainlist.app.workbench.files import Outside, Workspace, plain_lines
from chainlist.examples import Example

MOST_RECENT = 8
MOST_UPLOADED = 2_000_000  # bytes of a chainlist

Take = Callable[..., None]  # (text, file_name="")

_HELP = (
    ("Ctrl+Enter", "run the text"),
    ("Ctrl+S", "save the text; with Shift under another name"),
    ("Esc, then Tab", "leave the editor by keyboard; Tab alone indents"),
    ("Ctrl+Z", "undo in the text; it also brings back the text that was there before another was opened"),
    ("Ctrl+Space", "complete a name, an option or a command"),
    ("Alt and drag on a number", "change the number; with Live on, the motion follows at once"),
    ("Alt + and Alt −", "the same by keyboard, where the cursor stands; with Shift ten times as much"),
    ("Space", "play or pause, when the picture has the focus"),
    (", and .", "one frame back or on; with Shift ten. In the plane ← and → do the same"),
    ("← → ↑ ↓ or drag", "turn a machine in space; with Shift, or two fingers, move the picture"),
    ("[ and ]", "to the event before or behind: what hits, comes taut, breaks"),
    ("Home and End", "go to the start or the end; at the start bodies can be dragged"),
    ("Alt and ← → ↑ ↓, or drag", "move the picture"),
    ("Drag a body while it moves", "pull it with a spring; what was pulled can be kept as a force"),
    ("P", "take a body that moves: arrows pull it, Tab takes another, Enter lets go, Escape leaves"),
    ("S T N F V X L", "strobe, trails, names, forces, arrows, axes, loop"),
    ("Right click on a body or link", "plot one of its quantities, follow it"),
    ("E", "draw: then a letter chooses a tool, arrows move a cross, Enter is a click, Delete deletes"),
    ("In a plot: Alt click, or M", "a mark to measure from; Shift and drag looks into a box, a double click shows all"),
    ("In a plot: Ctrl and drag", "move what is seen; also Alt and ← → ↑ ↓"),
    ("In a plot: the name of an axis", "choose what is across and what is up"),
    ("+ − 0", "zoom in, zoom out, show everything as at first; the mouse wheel zooms too, and a double click is 0"),
    ("Pin", "keep this run in grey behind the next: change an option and compare"),
)


def choose_example(take: Take) -> None:
    """The gallery."""
    with _dialog("Examples") as dialog:
        for group, members in gallery.groups().items():
            ui.label(group).classes("bench-group").props('role="heading" aria-level="3"')
            with ui.element("div").classes("bench-gallery"):
                for example in members:
                    _card(example, dialog, take)
    dialog.open()


def _card(example: Example, dialog: ui.dialog, take: Take) -> None:
    def choose() -> None:
        dialog.close()
        take(example.text)

    with ui.element("button").classes("bench-card").props('type="button"').on("click", choose):
        ui.element("img").props(f'src="/thumbnails/{quote(example.name)}" alt="" loading="lazy"')
        ui.label(example.title or example.name).classes("bench-card-title")
        ui.label(example.summary).classes("bench-card-about")


def open_file(workspace: Workspace | None, take: Take, recent: list[str]) -> None:
    """A file of the workspace, those that were open lately first, or one from the user's own machine."""
    with _dialog("Open") as dialog:

        def picked(text: str) -> None:
            dialog.close()
            take(plain_lines(text.removeprefix("\ufeff")))

        FilePicker(
            MOST_UPLOADED,
            on_text=picked,
            on_refused=lambda: ui.notify("This is no chainlist: it is too large.", type="warning"),
        )
        if workspace is not None:
            names = workspace.names()
            lately = [name for name in dict.fromkeys(recent) if name in names][:MOST_RECENT]
            if lately:
                ui.label("Recent").classes("bench-group")
                _file_list(workspace, lately, dialog, take)
            ui.label(f"Folder {workspace.folder.name or workspace.folder}").classes("bench-group")
            if not names:
                ui.label("There is no file with the suffix .chain in it.").classes("bench-quiet")
            _file_list(workspace, [name for name in names if name not in lately], dialog, take)
    dialog.open()


def _file_list(workspace: Workspace, names: list[str], dialog: ui.dialog, take: Take) -> None:

    def choose(name: str) -> None:
        try:
            text = workspace.read(name)
        except (Outside, OSError) as error:
            ui.notify(why(error), type="negative")
            return
        dialog.close()
        take(text, name)

    with ui.element("ul").classes("bench-files"):
        for name in names:
            with ui.element("li"), ui.element("button").props('type="button"') as entry:
                ui.label(name)
            entry.on("click", lambda name=name: choose(name))


def save_file(workspace: Workspace, name: str, save: Callable[[str, bool], str]) -> None:
    """Ask for a name inside the workspace; `save` takes it, and whether to replace whatever is there.

    Where it answers with words, nothing was written yet: they are shown, and the button becomes "Replace".
    """
    with _dialog("Save") as dialog:
        field = ui.input("Name", value=name).props("autofocus outlined dense").classes("bench-wide")
        asked = ""  # the name for which the user was asked whether to replace it

        def ask(words: str, name: str) -> None:
            nonlocal asked
            asked = name
            question.set_text(words)
            button.set_text("Replace" if words else "Save")

        def done(may_replace: bool) -> None:
            chosen = (field.value or "").strip()
            chosen = chosen if chosen.endswith(".chain") else f"{chosen}.chain"
            words = save(chosen, may_replace and chosen == asked)
            if words:
                ask(words, chosen)
            else:
                dialog.close()

        field.on("keydown.enter", lambda: done(False))  # a key held down must not answer the question
        field.on_value_change(lambda: ask("", ""))
        ui.label(f"in {workspace.folder}").classes("bench-quiet")
        question = ui.label().props('role="alert"')
        button = ui.button("Save", color=None, on_click=lambda: done(True)).props("no-caps unelevated")
        button.classes("bench-button bench-go")
    dialog.open()


def why(error: Exception) -> str:
    """An error in words, without the folders of this machine."""
    return (error.strerror or "this file cannot be read") if isinstance(error, OSError) else str(error)


def warn_until_read(words: str) -> None:
    """For what is told while the page is still loading: on a slow machine it would be gone before anybody looks."""
    ui.notify(words, type="warning", timeout=0, close_button="OK")


def show_help(tour: Callable[[], None]) -> None:
    """Keys and gestures, and the way back to the tour."""
    with _dialog("Keys and gestures") as dialog:

        def begin() -> None:
            dialog.close()
            tour()

        ui.button("Take the tour", icon="tour", color=None, on_click=begin).props("flat no-caps").classes(
            "bench-button"
        )
        with ui.element("dl").classes("bench-help"):
            for key, meaning in _HELP:
                with ui.element("dt"):
                    ui.label(key)
                with ui.element("dd"):
                    ui.label(meaning)
    dialog.open()


class _dialog:
    """A dialog with a title and a button that closes it; it is taken away once closed."""

    def __init__(self, title: str) -> None:
        self._title = title

    def __enter__(self) -> ui.dialog:
        self._dialog = ui.dialog().props(f'aria-label="{self._title}"')
        self._dialog.on("hide", self._dialog.delete)
        self._card = self._dialog.__enter__()
        self._inner = ui.card().classes("bench-dialog")
        self._inner.__enter__()
        with ui.element("div").classes("bench-dialog-head"):
            ui.label(self._title).classes("bench-dialog-title").props('role="heading" aria-level="2"')
            close = ui.button(icon="close", color=None, on_click=self._dialog.close).props("flat dense round")
            close.props('aria-label="Close"')
        return self._dialog

    def __exit__(self, *details: Any) -> None:
        self._inner.__exit__(*details)
        self._dialog.__exit__(*details)
