"""Requests: .plot and .print, and what is shown when nothing is asked for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from chainlist.model.desk import Desk, Problem
from chainlist.model.items import ItemReader
from chainlist.model.mechanism import Item, Plot, Print, Quantity
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Command, Name, Setting, Text, Together

CONSOLE = "CONSOLE"
BINARY = {
    ".nc": "NetCDF, with names, units and the chainlist",
    ".npz": "arrays of NumPy, with the chainlist",
    ".mat": "MATLAB and Octave, with the chainlist",
    ".csv": "a table for spreadsheets",
    ".raw": "a rawfile of ngspice, for waveform viewers",
}  # suffix of a binary trace → what it is
_TEXTS = (".txt", ".dat", ".tsv", ".log")
_PICTURES = (".png", ".svg", ".pdf", ".gif", ".mp4")
_SETTINGS = {"texttracefile": "TEXTTRACEFILE", "bintracefile": "BINTRACEFILE", "format": "FORMAT"}
_FORMAT = re.compile(r"0(\.0*#*)?(E0)?|%\.[0-9]{1,2}[efg]")


def read_plots(commands: Iterable[Command], reader: ItemReader) -> tuple[Plot, ...]:
    """Each .plot is a figure."""
    return tuple(_plot(command, reader) for command in commands)


def default_plot(reader: ItemReader) -> Plot:
    """What a chainlist gets that asks for no output."""
    everything = Item("CONSTRAINTS(ALL)", Quantity("CONSTRAINTS", tuple(reader.names.constraints.values())))
    return Plot(((everything,), (Item("Etotal", Quantity("Etotal")),)))


def _plot(command: Command, reader: ItemReader) -> Plot:
    if not command.arguments:
        reader.desk.tell(_empty(command, "write .plot CONSTRAINTS(ALL) Etotal"))
    panels = []
    for argument in command.arguments:
        group = argument.items if isinstance(argument, Together) else (argument,)
        items = _items(command, group, reader, pictures=True)
        if items:
            panels.append(items)
    return Plot(tuple(panels), command.span)


def _items(command: Command, arguments: Iterable[Argument], reader: ItemReader, *, pictures: bool) -> tuple[Item, ...]:
    found = []
    for argument in arguments:
        try:
            found.append(reader.item(argument, pictures=pictures))
        except Problem as problem:
            if problem.code == "E270":
                problem.help = _without_analysis(argument, command) or _of_a_file(argument, command) or problem.help
            reader.desk.tell(problem)
    return tuple(found)


def _without_analysis(word: Argument, command: Command) -> str:
    """The cure of `.plot tran X(B1)`, as SPICE writes it; "" for other words."""
    first, *rest = command.arguments
    if word is not first or not rest or not isinstance(word, Name) or word.key not in ("tran", "dc", "ac"):
        return ""
    items = " ".join(argument.span.text for argument in rest)
    return f"leave out the word {word.text}: .{command.keyword.text} {items}"


def _of_a_file(word: Argument, command: Command) -> str:
    """The cure of `.print trace.txt X(B1)` and `.plot out.png X(B1)`; "" for other words."""
    suffix = posixpath.splitext(word.key)[1] if isinstance(word, Name) else ""
    if command.keyword.key == "print" and suffix in (*_TEXTS, *BINARY):
        return f"a file is named behind a key: write {'TEXT' if suffix in _TEXTS else 'BIN'}TRACEFILE={word.span.text}"
    if command.keyword.key == "plot" and suffix in _PICTURES:
        return f"a picture is named after the chainlist; `chainlist run --format {suffix[1:]}` chooses what it is"
    return ""


def _empty(command: Command, help: str) -> Problem:
    return Problem(
        "E278", f".{command.keyword.text} asks for nothing", command.span, label="nothing follows", help=help
    )


def read_prints(commands: Iterable[Command], reader: ItemReader) -> tuple[Print, ...]:
    """Each .print is one trace; no two of them on one file."""
    files: dict[str, Span] = {}
    return tuple(_print(command, reader, files) for command in commands)


def _print(command: Command, reader: ItemReader, files: dict[str, Span]) -> Print:
    settings = _print_settings(command, reader.desk)
    text, binary = settings.get("texttracefile"), settings.get("bintracefile")
    for name in (text, binary):
        if name is not None and name.text.upper() != CONSOLE:
            _claim(name, files, reader.desk)
    _check_suffixes(text, binary, reader.desk)
    pattern = settings.get("format")
    columns: list[Item] = []
    arguments = [argument for argument in command.arguments if not isinstance(argument, Setting)]
    for argument in arguments:
        group = argument.items if isinstance(argument, Together) else (argument,)
        columns.extend(_items(command, group, reader, pictures=False))
    only_binary = binary if text is None else None
    if arguments and only_binary is not None:
        _warn_of_columns(only_binary, arguments, reader.desk)
    if not arguments or only_binary is not None:
        columns = [
            Item("Time", Quantity("Time")),
            Item(
                "Bodies(POS)",
                Quantity(
                    "Q", tuple(name for key, name in reader.names.bodies.items() if key not in reader.names.inner)
                ),
            ),
        ]
    return Print(
        text=_file(text) if text or binary else CONSOLE,
        binary=_file(binary),
        format=pattern.text if pattern else None,
        columns=tuple(columns),
        span=command.span,
    )


def _warn_of_columns(binary: Text, columns: Sequence[Argument], desk: Desk) -> None:
    """A binary trace is for reading back: it holds the whole state, and everything else follows from that."""
    what = f"{binary.text} holds time, positions and velocities of all bodies, whatever columns are asked for"
    help = f'leave the columns out, or add TEXTTRACEFILE="{posixpath.splitext(binary.text)[0]}.txt" for them'
    span = Span(columns[0].span.source, columns[0].span.start, columns[-1].span.stop)
    desk.tell(Problem("W205", what, span, label="not in this file", help=help))


def _check_suffixes(text: Text | None, binary: Text | None, desk: Desk) -> None:
    if text is not None and posixpath.splitext(text.text)[1].lower() in BINARY:
        what = f"{text.text} will be a text trace, whatever its name says"
        help = f'write BINTRACEFILE="{text.text}", or call it {posixpath.splitext(text.text)[0]}.txt'
        desk.tell(Problem("W204", what, text.span, label="text", help=help))
    if binary is not None and (wrong := unknown_suffix(binary.text)):
        known = ", ".join(f"{suffix} ({meaning})" for suffix, meaning in BINARY.items())
        desk.tell(Problem("E403", wrong, binary.span, label="unknown suffix", help=f"suffixes are {known}"))


def unknown_suffix(path: str) -> str:
    """What is wrong with the name of a binary trace; "" where its suffix says what it is."""
    suffix = posixpath.splitext(path)[1]
    if suffix.lower() in BINARY:
        return ""
    found = f"`{suffix}`" if suffix else "nothing"
    return f"the suffix of {posixpath.basename(path)} says what a binary trace is, and {found} is none of them"


def _file(name: Text | None) -> str | None:
    if name is None:
        return None
    return CONSOLE if name.text.upper() == CONSOLE else name.text


def _print_settings(command: Command, desk: Desk) -> dict[str, Text]:
    found: dict[str, Text] = {}
    for setting in command.arguments:
        if not isinstance(setting, Setting):
            continue
        try:
            found[setting.key.key] = _print_setting(setting, found, desk)
        except Problem as problem:
            desk.tell(problem)
    return found


def _print_setting(setting: Setting, before: dict[str, Text], desk: Desk) -> Text:
    key = setting.key.key
    if key not in _SETTINGS:
        meant = desk.meant(key, list(_SETTINGS))
        raise Problem(
            "E278",
            f".print has no setting {setting.key.text}",
            setting.key.span,
            label="unknown",
            help=f"did you mean {_SETTINGS[meant]}?" if meant else f"settings are {', '.join(_SETTINGS.values())}",
        )
    if key in before:
        raise Problem(
            "E278",
            f"{setting.key.text} is given twice",
            setting.span,
            label="given again",
            help="remove one of the two",
            also=[Related(before[key].span, "first given here")],
        )
    text = setting.value
    if not isinstance(text, Text) or not text.text.strip():
        raise Problem(
            "E278",
            f"{setting.key.text} needs a text",
            setting.span,
            label="no text",
            help=f'write {setting.key.text}="…"',
        )
    if key == "bintracefile" and text.text.upper() == CONSOLE:
        raise Problem(
            "E278", "a binary trace cannot go to the console", text.span, label="not a file", help="name a file"
        )
    if key == "format" and not _FORMAT.fullmatch(text.text):
        raise Problem(
            "E279",
            f"`{text.text}` is not a format of numbers",
            text.span,
            label="unknown pattern",
            help='write FORMAT="0.###E0", FORMAT="0.###", or one of C: %.9g %.6f %.3e',
        )
    return text


def _claim(name: Text, files: dict[str, Span], desk: Desk) -> None:
    """A file belongs to one trace."""
    path = posixpath.normpath(name.text.replace("\\", "/"))
    if path in files:
        desk.tell(
            Problem(
                "E280",
                f"two traces would be written to {name.text}",
                name.span,
                label="the same file",
                help="give each .print a file of its own",
                also=[Related(files[path], "first used here")],
            )
        )
    files.setdefault(path, name.span)
