"""Our own parts of the page as NiceGUI elements: each is a small component in `web/`."""

# ruff: noqa: TID253  (this file is imported only once the workbench starts)
from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui
from nicegui.element import Element

from chainlist.app.workbench.pulls import Grab, Pulls
from chainlist.app.workbench.questions import Question


@dataclass(frozen=True)
class Start:
    """What a browser says when its page is there. All of it could be forged."""

    fragment: str  # of the address
    kept: bool  # the tab was here before: the editor has its text
    file: str  # that this text is, "" if none; then what else `remember` has told
    stamp: str
    session: str
    link: str  # the fragment that this tab has shown already

    @classmethod
    def of(cls, data: dict[str, Any]) -> Start:
        words = {key: str(data.get(key) or "") for key in ("fragment", "file", "stamp", "session", "link")}
        return cls(kept=bool(data.get("kept")), **words)


@dataclass(frozen=True)
class Draft:
    """A text that was not saved, as a browser has kept it. All of it could be forged."""

    text: str
    file: str
    stamp: str

    @classmethod
    def of(cls, data: dict[str, Any]) -> Draft:
        return cls(*(str(data.get(key) or "") for key in ("text", "file", "stamp")))


class EditorSupport(Element, component="web/editor_support.js"):
    """Turns a CodeMirror into an editor for chainlists, of at most `longest` characters."""

    def __init__(
        self,
        editor: ui.codemirror,
        longest: int,
        *,
        on_begin: Callable[[Start], Any],
        on_run: Callable[[], Any],
        on_save: Callable[[], Any],
        on_draft: Callable[[Draft], Any],
        on_document: Callable[[str, str, int], Any],
        on_turning: Callable[[str], Any],
        on_overlong: Callable[[int], Any],
        on_question: Callable[[Question], Awaitable[dict[str, Any]]],
    ) -> None:
        super().__init__()
        self._props["editor"] = editor.id
        self._props["longest"] = longest
        self.on("begin", lambda event: on_begin(Start.of(event.args)))
        self.on("run", lambda: on_run())
        self.on("save", lambda: on_save())
        self.on("draft", lambda event: on_draft(Draft.of(event.args)))
        self.on("document", lambda event: on_document(*_document(event.args)))
        self.on("turning", lambda event: on_turning(str(event.args)))
        self.on("overlong", lambda event: on_overlong(int(event.args)))
        self._on_question = on_question
        self.on("question", self._answer)

    async def _answer(self, event: Any) -> None:
        question = Question.of(event.args)
        answer = await self._on_question(question)
        self.run_method("answer", question.number, answer)

    def remember(self, *, number: int, file: str, stamp: str, session: str) -> None:
        """What the tab shall know about its text of this number should it be loaded again."""
        self.run_method("remember", number, {"file": file, "stamp": stamp}, session)

    def show_reading(self, reading: dict[str, Any]) -> None:
        """Marks for messages, the numbers that can be dragged on the canvas, those that have knobs, options, and items of plots."""
        known = ("diagnostics", "handles", "knobs", "length", "options", "plots", "items")
        self.run_method("read", {key: reading[key] for key in known})

    def go(self, line: int, column: int) -> None:
        """Put the cursor somewhere and show it."""
        self.run_method("go", line, column)


def _document(data: dict[str, Any]) -> tuple[str, str, int]:
    """The file and the stamp of a text, and which one of the tab it is."""
    return str(data.get("file") or ""), str(data.get("stamp") or ""), int(data.get("number") or 0)


class Learn(Element, component="web/learn.js"):
    """The guide, the language, messages and examples, beside the text."""

    def __init__(self, *, on_try: Callable[[str], Any]) -> None:
        super().__init__()
        self.on("try", lambda event: on_try(str(event.args)))

    def toggle(self) -> None:
        self.run_method("toggle")

    def open(self, key: str) -> None:
        """Show a page."""
        self.run_method("open", key)


class Tour(Element, component="web/tour.js"):
    """Six steps for who is here for the first time."""

    def begin(self) -> None:
        self.run_method("begin")


class FilePicker(Element, component="web/file_picker.js"):
    """A chainlist of the user's own computer, of at most `longest` bytes."""

    def __init__(self, longest: int, *, on_text: Callable[[str], Any], on_refused: Callable[[], Any]) -> None:
        super().__init__()
        self._props["longest"] = longest
        self.on("picked", lambda event: on_text(str(event.args)))
        self.on("refused", lambda: on_refused())


class BenchView(Element, component="web/bench_view.js"):
    """Player, plots and report."""

    def __init__(self, *, on_play: Callable[[], Any], pulls: Pulls) -> None:
        super().__init__()
        self.on("play", lambda: on_play())
        for name, listen in (("pull", pulls.begin), ("steer", pulls.steer)):
            self.on(name, lambda event, listen=listen: (grab := Grab.of(event.args)) and listen(grab))
        self.on("letGoOfPull", lambda: pulls.end())

    def preview(self, url: str, *, version: int, run_follows: bool) -> None:
        """The picture of the start of a text; it is shown where no run of this text follows, or is there."""
        self.run_method("preview", url, version, run_follows)

    def follow(self, url: str, *, version: int, live: bool, asked: bool) -> None:
        """Watch a run from its first sample to its report."""
        self.run_method("follow", url, version, live, asked)

    def follow_pull(self, url: str) -> None:
        """Watch a motion that somebody pulls at."""
        self.run_method("followPull", url)

    def let_go(self) -> None:
        """Watch no longer."""
        self.run_method("letGo")

    def arrange(self) -> None:
        self.run_method("arrange")

    def pin(self, on: bool) -> Any:
        return self.run_method("pin", on, timeout=20)


class PageFrame(Element, component="web/frame.js"):
    """Theme, keys, the name of the text, links that carry a chainlist."""

    def __init__(
        self,
        *,
        on_run: Callable[[], Any],
        on_save: Callable[[], Any],
        on_save_as: Callable[[], Any],
        on_fragment: Callable[[str], Any],
    ) -> None:
        super().__init__()
        self.on("run", lambda: on_run())
        self.on("save", lambda: on_save())
        self.on("saveAs", lambda: on_save_as())
        self.on("fragment", lambda event: on_fragment(str(event.args)))

    def show_document(self, number: int, name: str, is_file: bool, unsaved: bool) -> None:
        """In the header and in the title of the page; closing the tab asks where something is not saved."""
        self.run_method("showDocument", number, name, is_file, unsaved)

    def show_pane(self, name: str) -> None:
        """On narrow screens: show one part of the page."""
        self.run_method("pane", name)

    def switch_theme(self) -> None:
        self.run_method("theme")

    async def recent(self) -> list[str]:
        """Names of files that this browser had open, the latest first. They could be forged."""
        return [str(name) for name in await self.run_method("recent", timeout=20) or []]

    def share(self, fragment: str) -> Any:
        return self.run_method("share", fragment, timeout=20)
