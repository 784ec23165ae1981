"""The page of the workbench: its layout, and what the buttons do. All that moves is in `web/`."""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nicegui import background_tasks, events, ui

from chainlist.app.workbench import dialogs, sharing
from chainlist.app.workbench.elements import BenchView, Draft, EditorSupport, Learn, PageFrame, Start, Tour
from chainlist.app.workbench.files import Outside, Workspace, WouldOverwrite, download_name, stamp_of
from chainlist.app.workbench.formats import FORMATS
from chainlist.app.workbench.header import Header, button
from chainlist.app.workbench.problems import Problems
from chainlist.app.workbench.questions import answer
from chainlist.app.workbench.screen import Progress
from chainlist.app.workbench.session import Bench, Origin, Session

WELCOME = """Double pendulum: change a number, or drag a body
B1 (0.7,-0.7) 1
B2 (1.7,-0.7) 1
C1 B1 (0,0)
C2 B1 B2
.tran 0 20 1E-3
.plot "Y(B1) Y(B2)" PATH(B2)
"""
BLANK = """Untitled

.tran 0 10 1E-3
"""


def build_page(bench: Bench) -> None:
    """One page for one user."""
    ui.add_head_html('<link rel="stylesheet" href="/bench/bench.css">')
    Page(bench)


@dataclass(frozen=True)
class OpenText:
    """A text, the file of the workspace that it is ("" if none), and the stamp of what was opened or saved last."""

    text: str
    file_name: str
    stamp: str


class Page:
    """The page of one user: a `Screen` for their session."""

    def __init__(self, bench: Bench) -> None:
        self.settings = bench.settings
        folder = bench.settings.folder
        self.workspace = Workspace(folder, bench.settings.may_write) if folder else None
        self.pinned = False
        self._replacing = False
        self._notice = ""  # to be told once the browser is there
        self._number = 0  # of the text that is shown, among those of this tab
        # File and stamp of each of them: a fast hand is back before it is told.
        self._known: dict[int, tuple[str, str]] = {}
        self._shown: tuple[int, str, bool, bool] | None = None  # number, name, whether of a file, whether unsaved
        self._before: OpenText | None = None  # what an undo in the editor brings back
        first = self._first()
        self.stamp = first.stamp
        self.session = Session(bench, self, first.text)
        self.session.file_name = first.file_name
        self._build(first.text)
        client = ui.context.client
        client.on_connect(self.session.come)
        # An old connection may end after a new one has begun.
        client.on_disconnect(lambda: None if client.has_socket_connection else self.session.leave())
        client.on_delete(self.session.close)

    def _first(self) -> OpenText:
        path = self.settings.open_file
        if path is not None and self.workspace is not None:
            name = str(path.relative_to(self.workspace.folder))
            try:
                text = self.workspace.read(name)
            except (Outside, OSError) as error:
                self._notice = f"{name} cannot be opened: {dialogs.why(error)}"
            else:
                self._notice = self._too_long(len(text))
                if not self._notice:
                    return OpenText(text, name, stamp_of(text))
        return OpenText(WELCOME, "", stamp_of(WELCOME))

    def _begin(self, start: Start) -> None:
        """The browser is there: read the text of this tab, or the one in its address, or the one that was sent to it."""
        if self._notice:
            dialogs.warn_until_read(self._notice)
        earlier = self.session.bench.sessions.get(start.session)
        if earlier is not None and earlier is not self.session:
            earlier.be_replaced()
        if start.kept:
            self._restore(start)
        else:
            self._put(self._here(), "open")
        if sharing.is_link(start.fragment) and not (start.kept and start.fragment == start.link):
            self.open_link(start.fragment)

    def _restore(self, start: Start) -> None:
        """Go on with the text that this tab had before it was loaded again, or with its file as it is now."""
        text, name = self.editor.value or "", ""
        unchanged = stamp_of(text) == start.stamp
        if self.workspace is not None and start.file:
            with contextlib.suppress(Outside, OSError):
                there = self.workspace.read(start.file)
                name = start.file
                text = there if unchanged and not self._too_long(len(there)) else text
        shared = text == sharing.text_of(start.fragment)
        self._put(OpenText(text, name, stamp_of(text) if unchanged else start.stamp), "shared" if shared else "open")

    # Layout

    def _build(self, text: str) -> None:
        ui.query(".nicegui-content").classes("bench-page")
        self.header = Header(self)
        self.main = ui.element("div").classes("bench-main").props('data-pane="edit"')
        with self.main:
            with ui.element("section").classes("bench-left").props('aria-label="Text"'):
                self.editor = ui.codemirror(text, on_change=self._edited, indent="  ", line_wrapping=True)
                self.editor.classes("bench-editor")
                self.problems = Problems(
                    lambda line, column: self.support.go(line, column), lambda code: self.guide.open(code)
                )
            ui.element("div").classes("bench-split")
            with ui.element("section").classes("bench-right").props('aria-label="Motion"'):
                self.view = BenchView(on_play=self.run, pulls=self.session.pulls)
            self.guide = Learn(on_try=self.open_text)
        self.tour = Tour()
        self._build_panes()
        self.support = EditorSupport(
            self.editor,
            self.settings.limits.characters,
            on_begin=self._begin,
            on_run=self.run,
            on_save=self.save,
            on_draft=self.take_draft,
            on_document=self.switch_document,
            on_turning=self.session.turn,
            on_overlong=lambda length: ui.notify(self._too_long(length), type="warning"),
            on_question=lambda question: answer(self.session, question),
        )
        self.frame = PageFrame(on_run=self.run, on_save=self.save, on_save_as=self.save_as, on_fragment=self.open_link)

    def _build_panes(self) -> None:
        """For narrow screens: one part at a time."""
        with ui.element("nav").classes("bench-panes").props('aria-label="Parts of the page"'):
            for name, icon, text in (
                ("edit", "edit", "Edit"),
                ("watch", "play_circle", "Watch"),
                ("plots", "show_chart", "Plots"),
            ):
                chosen = button(text, icon, lambda name=name: self.frame.show_pane(name), text)
                chosen.props(f'data-pane="{name}"')

    # What the user does

    def _edited(self, event: events.ValueChangeEventArguments[str]) -> None:
        if self._replacing:
            return
        text = event.value or ""
        if not self.session.running:
            self.header.say("")  # what was said there was about the text before
        if self._before is not None and text == self._before.text:  # an undo, or a redo: the other file is back
            before, self._before = self._before, self._here()
            self._become(before)
        self.session.set_text(text, "edit")
        self._show_document()

    def _here(self) -> OpenText:
        return OpenText(self.session.text, self.session.file_name, self.stamp)

    def _become(self, document: OpenText) -> None:
        """From here on the text is another document."""
        self.session.file_name, self.stamp = document.file_name, document.stamp
        self._known[self._number] = document.file_name, document.stamp
        key = self.session.key
        self.support.remember(number=self._number, file=document.file_name, stamp=document.stamp, session=key)

    def _show_document(self) -> None:
        """The name of the text, and whether it was saved, wherever the page shows them."""
        text, file = self.session.text, self.session.file_name
        name = file or _title(text).lstrip("* ")[:60] or "Untitled"
        shown = (self._number, name, bool(file), stamp_of(text) != self.stamp)
        if shown != self._shown:
            self._shown = shown
            self.frame.show_document(*shown)

    def _put(self, document: OpenText, origin: Origin) -> None:
        """Put a text into the editor; this is no edit of the user, though the editor reports it as one."""
        self._replacing = True
        self.editor.set_value(document.text)
        self._replacing = False
        self._become(document)
        self.session.set_text(document.text, origin)
        self._show_document()

    def _replace_text(self, text: str, file_name: str, origin: Origin) -> bool:
        """Show another text; the one before comes back with an undo in the editor."""
        if words := self._too_long(len(text)):
            ui.notify(words, type="warning")
            return False
        before = self._here()
        self._put(OpenText(text, file_name, stamp_of(text)), origin)
        if before.text != text:
            self._before = before
            if stamp_of(before.text) != before.stamp:
                ui.notify("The text before was not saved: Ctrl+Z in the editor brings it back.")
        return True

    def _too_long(self, length: int) -> str:
        """Why a text is refused, in words; empty if it is not."""
        most = self.settings.limits.characters
        return f"{length:,} characters are more than the {most:,} allowed here" if length > most else ""

    def open_text(self, text: str, file_name: str = "") -> None:
        """Show another text."""
        self._replace_text(text, file_name, "open")

    def open_link(self, fragment: str) -> None:
        """A text that came with the address: shown and read, never run by itself."""
        text = sharing.text_of(fragment)
        if text is None:
            dialogs.warn_until_read("This link carries no chainlist that could be read.")
        elif self._replace_text(text, "", "shared"):
            ui.notify("This text came with the link. Press Run to see it move.")

    def take_draft(self, draft: Draft) -> None:
        """A text that was not saved, from a tab that was closed."""
        known = draft.file if self.workspace is not None and draft.file in self.workspace.names() else ""
        if self._replace_text(draft.text, known, "open"):
            self._become(OpenText(draft.text, known, draft.stamp if known else ""))
            self._show_document()

    def switch_document(self, file: str, stamp: str, number: int) -> None:
        """Another text of this tab is in the editor, and comes next; `file` is what it is in the workspace."""
        if not stamp:
            file, stamp = self._known.get(number, (file, stamp))
        known = file if self.workspace is not None and file in self.workspace.names() else ""
        self._before, self._number = None, number
        self._become(OpenText(self.session.text, known, stamp_of(BLANK) if stamp == "new" else stamp))

    def new(self) -> None:
        self.open_text(BLANK)
        self.frame.show_pane("edit")

    def choose_example(self) -> None:
        def take(text: str) -> None:
            self.open_text(text)
            self.frame.show_pane("watch")

        dialogs.choose_example(take)

    async def choose_file(self) -> None:
        recent = await self.frame.recent() if self.workspace is not None else []
        dialogs.open_file(self.workspace, self.open_text, recent)

    def arrange(self) -> None:
        self.frame.show_pane("watch")
        self.view.arrange()

    def cancel(self) -> None:
        self.session.cancel()

    def switch_theme(self) -> None:
        self.frame.switch_theme()

    def learn(self) -> None:
        self.guide.toggle()

    def help(self) -> None:
        dialogs.show_help(self.tour.begin)

    def run(self) -> None:
        reading = self.session.reading
        if reading is not None and not reading["ok"]:
            ui.notify("The text has errors: see the messages below it.", type="warning")
        elif reading is not None and reading["refusal"]:
            ui.notify(reading["refusal"], type="warning")
        else:
            self.session.run()
            self.frame.show_pane("watch")

    def set_live(self, on: bool) -> None:
        self.session.live = on

    async def pin(self) -> None:
        self.pinned = bool(await self.view.pin(not self.pinned))
        self.header.show_pinned(self.pinned)
        if self.pinned:
            ui.notify("Pinned. Change an option and run: both motions are shown.")

    def save(self) -> None:
        """Save the open file; a text that is none yet gets a name first."""
        if not self.session.file_name or not self._may_write or self._save_as(self.session.file_name, False):
            self.save_as()

    def save_as(self) -> None:
        """Save the text under a name to be chosen; without a workspace the browser takes it."""
        name = self.session.file_name or download_name(_title(self.session.text), ".chain")
        if self._may_write:
            assert self.workspace is not None
            dialogs.save_file(self.workspace, name, self._save_as)
        else:
            ui.download.content(self.session.text, name, "text/plain")
            self._become(OpenText(self.session.text, self.session.file_name, stamp_of(self.session.text)))
            self._show_document()

    @property
    def _may_write(self) -> bool:
        return self.workspace is not None and self.workspace.writable

    def _save_as(self, name: str, replace: bool) -> str:
        """Write the text into a file; the words of a question where that would destroy another text."""
        assert self.workspace is not None
        text, known = self.session.text, self.stamp if name == self.session.file_name else ""
        try:
            self.workspace.save(name, text, None if replace else known)
        except WouldOverwrite as conflict:
            return str(conflict)
        except (Outside, OSError) as error:
            ui.notify(dialogs.why(error), type="negative")
            return ""
        moved = Path(name).parent != Path(self.session.file_name).parent
        self._become(OpenText(text, name, stamp_of(text)))
        self._show_document()
        if moved:  # what it includes is looked for elsewhere now
            self.session.set_text(text, "edit")
        ui.notify(f"Saved {name}")
        return ""

    async def share(self) -> None:
        fragment = sharing.fragment_of(self.session.text)
        if len(fragment) > sharing.LONGEST_LINK:
            ui.notify("This text is too long for a link: save it as a file.", type="warning")
            return
        copied = await self.frame.share(fragment)
        ui.notify("Link copied." if copied else "The address of this page now carries the text.")
        if self.settings.is_private:
            ui.notify(
                "It opens on this machine only. For others: Download, a page plays anywhere, also with sliders.",
                type="info",
            )

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
            text = outcome.data["text"]
            if text != self.session.text:
                ui.notify("This is the run of an earlier text, not of the present one.", type="warning")
            data = Path(outcome.data["path"]).read_bytes()
            ui.download.content(data, download_name(_title(text), FORMATS[format].suffix))

    # Screen: what the session shows

    def show_reading(self, reading: dict[str, Any]) -> None:
        self.support.show_reading(reading)
        self.problems.show(reading)

    def show_preview(self, url: str, *, version: int, run_follows: bool) -> None:
        self.view.preview(url, version=version, run_follows=run_follows)

    def follow(self, url: str, *, version: int, live: bool, asked: bool) -> None:
        self.view.follow(url, version=version, live=live, asked=asked)

    def follow_pull(self, url: str) -> None:
        self.view.follow_pull(url)

    def let_go(self) -> None:
        self.view.let_go()

    def show_progress(self, progress: Progress | None) -> None:
        self.header.show_progress(progress, of_earlier_text=self.session.runs_earlier_text)

    def show_end(self, ending: str, message: str) -> None:
        if ending == "cancelled":
            self.header.say("cancelled")
        elif ending == "failed":
            with self.main:
                ui.notify(message, type="negative", multi_line=True)


def _title(text: str) -> str:
    """The first line, which names files that have no name yet."""
    return text.partition("\n")[0]
