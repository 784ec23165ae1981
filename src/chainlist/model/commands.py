"""Commands: .tran, .options, .title, and settings given from outside in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chainlist.model.analysis import known_analyses
from chainlist.model.desk import Desk, Problem
from chainlist.model.mechanism import Transient
from chainlist.model.options import OPTIONS, TIMES, Option, Options, option_called, setting_text
from chainlist.model.outside import in_the_text, outside_argument
from chainlist.model.parameters import Scope
from chainlist.model.slips import first_slip
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tree import Argument, Command, Name, Point, Setting, Text

COMMANDS = ("tran", "stop", "options", "plot", "print", "param", "func", "include", "title", "submachine", "end")
DEFAULT_TRANSIENT = Transient(0.0, 10.0, 1e-3)
_ORDER = "here: start stop step"
_TRAN = "write .tran start stop step, as in .tran 0 10 1E-3"
_OUTSIDE = "give start, stop and step: --set tran=0,10,1E-3, in Python tran=(0, 10, 1e-3)"


def unknown_command(command: Command, desk: Desk) -> Problem:
    names = (*COMMANDS, *known_analyses())
    meant = desk.meant(command.keyword.key, names)
    shown = ", ".join(f".{name}" for name in names)
    help = f"did you mean .{meant}?" if meant else f"commands are {shown}"
    if command.keyword.key in ("ic", "nodeset"):
        help = "a body says itself how it begins: its place stands behind its name, and IC_VEL=(1,0) and IC_POS=(1,0) behind its mass"
    if command.keyword.key == "dc":
        help = "many runs with values of a parameter are asked for by .step, as in .param a=1 and .step a 0 5 1"
    return Problem(
        "E250",
        f"there is no command .{command.keyword.text}",
        command.keyword.span,
        label="unknown",
        help=help,
    )


def second_command(again: Command, before: Command) -> Problem:
    """Of a command that a chainlist may hold once."""
    first = Related(before.span, "the first one")
    message, help = f"a second .{again.keyword.text}", "keep one of the two"
    return Problem("E254", message, again.span, label="once per chainlist", help=help, also=[first])


# The title


def read_title(first_line: Text | None, commands: Iterable[Command]) -> str:
    """The text of the first line, or of the last .title; stars around it are decoration."""
    title = first_line.text if first_line else ""
    for command in commands:
        title = " ".join(a.text for a in command.arguments if isinstance(a, Text))
    return re.sub(r"^[\s*]+|[\s*]+$", "", title)


# .tran


def read_transient(commands: Sequence[Command], scope: Scope, desk: Desk) -> Transient | None:
    """The one .tran there may be; None where there is none, or where it is wrong."""
    for again in commands[1:]:
        desk.tell(second_command(again, commands[0]))
    if not commands:
        return None
    try:
        found = _transient(commands[0].arguments, commands[0].span, scope)
    except Problem as problem:
        desk.tell(problem)
        return None
    for doubt in _check_step(found, commands[0].arguments[2].span):
        desk.tell(doubt)
    return found


def _check_step(found: Transient, blamed: Span) -> list[Problem]:
    if found.step <= found.stop - found.start:
        return []
    swapped = " ".join(_short(time) for time in (found.start, found.step, found.stop))
    what = f"the step {_short(found.step)} is longer than the time from start to stop"
    return [Problem("W203", what, blamed, label=_ORDER, help=f"did you mean .tran {swapped}?")]


def outside_transient(tran: Sequence[Any], scope: Scope, desk: Desk) -> Transient | None:
    """A .tran given from outside: three numbers, or texts such as "1ms"."""
    if isinstance(tran, int | float | str):  # one number in place of three
        tran = (tran,)
    text = f"tran={','.join(_short(word) if isinstance(word, int | float) else str(word) for word in tran)}"
    span = Span(Source("<settings>", text), 0, len(text))
    try:
        found = _transient(tuple(outside_argument(word, span) for word in tran), span, scope)
    except Problem as problem:
        desk.tell(_as_outside(problem))
        return None
    for doubt in _check_step(found, span):
        desk.tell(_as_outside(doubt))
    return found


def _as_outside(problem: Problem) -> Problem:
    """What is said of .tran, as the setting is spelled outside the text."""
    problem.message = problem.message.replace(".tran", "tran")
    problem.help = re.sub(r"\.tran (\S+) (\S+) ([^\s?;]+)", r"tran=\1,\2,\3", problem.help.replace(_TRAN, _OUTSIDE))
    return problem


def _times(arguments: tuple[Argument, ...], span: Span, scope: Scope) -> list[float]:
    """The numbers behind .tran, two to four of them."""
    if any(isinstance(argument, Setting) for argument in arguments):
        named = {a.key.key: a.value.span.text for a in arguments if isinstance(a, Setting)}
        in_order = [named.get(key, "") for key in ("start", "stop", "step")]
        help = f"write .tran {' '.join(in_order)}" if all(in_order) else _TRAN
        raise Problem("E251", ".tran takes three times, without names", span, label=_ORDER, help=help)
    slip = first_slip(arguments)
    if slip and len(arguments) == 3:
        raise _with_commas(arguments, span, slip)
    if slip or not 2 <= len(arguments) <= 4:
        message = f".tran takes three times, not {len(arguments)}"
        raise Problem("E251", message, span, label=_ORDER, help=slip or _TRAN)
    found = []
    spice = False
    for argument in arguments:
        try:
            found.append(scope.number(argument, "time"))
        except Problem as problem:
            if problem.code == "E204" and not spice:  # who writes SPICE's suffixes writes its order too
                problem.help += "; the order is start stop step, as in .tran 0 10 1E-3"
                spice = True
            scope.desk.tell(problem)
    if len(found) < len(arguments):
        raise Problem()
    return found


def _with_commas(arguments: tuple[Argument, ...], span: Span, slip: str) -> Problem:
    """Three times with a comma between two whole numbers: is it one of them, with a decimal comma?"""
    written = f"write .tran {' '.join(argument.span.text for argument in arguments)}"
    if span.source.text[span.start : span.stop].count(",") > 1:
        what, help = "the times of .tran are separated by spaces", written
    else:
        what, help = "a comma between the times of .tran", f"{slip}; if three times are meant, {written}"
    return Problem("E251", what, span, label=_ORDER, help=help)


def _transient(arguments: tuple[Argument, ...], span: Span, scope: Scope) -> Transient:
    times = _times(arguments, span, scope)
    if _is_spice_order(times):
        start = times[2] if len(times) > 2 else 0.0
        ours = " ".join(_short(time) for time in (start, times[1], times[0]))
        raise Problem(
            "E252",
            "this is the order of SPICE: step stop",
            span,
            label=_ORDER,
            help=f"write .tran {ours}",
        )
    if len(times) != 3:
        raise Problem("E251", f".tran takes three times, not {len(times)}", span, label=_ORDER, help=_TRAN)
    start, stop, step = times
    if start < 0:
        raise Problem("E253", "the start cannot be negative", arguments[0].span, label="before 0", help=_TRAN)
    if stop <= start:
        raise Problem(
            "E253",
            f"stop must be later than start, and {_short(stop)} is not later than {_short(start)}",
            arguments[1].span,
            label="too early",
            help=_TRAN,
        )
    if step <= 0:
        raise Problem("E253", "the step must be positive", arguments[2].span, label="not positive", help=_TRAN)
    return Transient(start, stop, step, span)


def _is_spice_order(times: list[float]) -> bool:
    """SPICE writes step stop [start [largest step]]: recognised where our order would make no sense."""
    step, stop, *rest = times
    start = rest[0] if rest else 0.0
    sensible = 0 < step < stop and 0 <= start < stop
    return sensible and (len(times) != 3 or start == 0)


def _short(number: float) -> str:
    return f"{number:.12g}".replace("e-0", "E-").replace("e", "E")


# .options


@dataclass
class GivenOptions:
    """The options that were given, and where."""

    values: dict[str, float | str | tuple[float, ...] | None] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)

    def options(self) -> Options:
        return Options(**self.values)  # type: ignore[arg-type]


def read_settings(commands: Iterable[Command], scope: Scope, desk: Desk) -> GivenOptions:
    """All .options cards together: the later one wins, with a warning if it contradicts."""
    settings = GivenOptions()
    for command in commands:
        if not command.arguments:
            help = "write .options gravity=1"
            desk.tell(Problem("E255", ".options sets nothing", command.span, label="nothing follows", help=help))
        for words in _words_of_options(command.arguments):
            try:
                if len(words) > 1 or not isinstance(words[0], Setting):
                    raise _not_a_setting(words)
                _set(words[0], settings, scope, desk)
            except Problem as problem:
                desk.tell(problem)
    return settings


def _words_of_options(arguments: Iterable[Argument]) -> list[list[Argument]]:
    """Each setting with the words behind it that are none: they belong to it, or to one another."""
    found: list[list[Argument]] = []
    for argument in arguments:
        begins = isinstance(argument, Setting) or (isinstance(argument, Name) and argument.key in OPTIONS)
        if begins or not found:
            found.append([])
        found[-1].append(argument)
    return found


def _not_a_setting(words: list[Argument]) -> Problem:
    """`gravity 1`, `gravity=9,81`, `DAESYSTEM=INDEX1 2 DAMPED`: what was meant."""
    first, *others = words
    wrong = others[0] if isinstance(first, Setting) and others else first
    name = first.key if isinstance(first, Setting) else first
    option = OPTIONS.get(name.key) if isinstance(name, Name) else None
    spoken = [first.value if isinstance(first, Setting) else None, *others]
    joined = "_".join(word.span.text for word in spoken if word is not None)
    help = first_slip(words)
    if not help and option is not None and joined.upper() in option.choices:
        help = f"write {option.name}={joined}"
    elif not help and option is not None and not isinstance(first, Setting):
        help = f"write {option.name}={others[0].span.text if others else option.example}"
    return Problem(
        "E255",
        "an option is written key=value",
        wrong.span,
        label="no `=`",
        help=help or "write .options gravity=1",
    )


def override(settings: GivenOptions, options: Mapping[str, Any], scope: Scope, desk: Desk) -> None:
    """Settings from outside: they win without a word."""
    for key, value in options.items():
        text = f"{key}={value}"
        span = Span(Source("<settings>", text), 0, len(text))
        try:
            option = _option(Name(key, span), desk)
            settings.spans[option.key] = span
            if value is None and option.automatic:
                settings.values[option.key] = None
            else:
                settings.values[option.key] = _value(option, outside_argument(value, span), scope, desk)
        except Problem as problem:
            if problem.code == "E256" and (cell := scope.find(key.lower())) is not None:
                name = cell.name.text
                several = not isinstance(value, (str, float, int))
                argument = "" if several else f"--param {name}={value}, in Python "
                problem.help = (
                    f'{name} is a parameter: write {argument}params={{"{name}": {"…" if several else value}}}'
                )
            elif problem.code == "E256":
                problem.help = in_the_text(key, value) or problem.help
            desk.tell(problem)


def _set(argument: Setting, settings: GivenOptions, scope: Scope, desk: Desk) -> None:
    option = _option(argument.key, desk)
    value = _value(option, argument.value, scope, desk)
    if option.key in settings.values and settings.values[option.key] != value:
        before = settings.values[option.key]
        desk.tell(
            Problem(
                "W201",
                f"{option.name} is set twice: {_shown(before)}, then {_shown(value)}",
                argument.span,
                label="this one counts",
                help="remove the other one",
                also=[Related(settings.spans[option.key], "set here first")],
            )
        )
    settings.values[option.key] = value
    settings.spans[option.key] = argument.span


def _shown(value: float | str | tuple[float, ...] | None) -> str:
    return setting_text(value) if isinstance(value, str | tuple) else _short(value or 0.0)


def _option(name: Name, desk: Desk) -> Option:
    if name.key in OPTIONS:
        return OPTIONS[name.key]
    meant = option_called(name.key) or desk.meant(name.key, OPTIONS)
    known = f"options are {', '.join(option.name for option in OPTIONS.values())}"
    if name.key in TIMES:
        known = "the times of a run stand in .tran 0 10 1ms: start, stop, step; on the command line --set tran=0,10,1ms"
    raise Problem(
        "E256",
        f"there is no option {name.text}",
        name.span,
        label="unknown",
        help=f"did you mean {OPTIONS[meant].name}?" if meant else known,
    )


def _value(option: Option, value: Argument, scope: Scope, desk: Desk) -> float | str | tuple[float, ...]:
    if option.kind == "choice":
        return _choice(option, value, desk)
    if option.limits:
        return _angles(option, value, scope)
    if option.kind == "window":
        return _window(option, value, scope)
    if option.vector and isinstance(value, Point):
        # Of a vector in space the last component may be left out.
        parts = value.coordinates if len(value.coordinates) == 2 else scope.coordinates(value)
        return tuple(scope.number(part, option.want) for part in parts)
    number = scope.number(value, option.want)
    if number < option.low or abs(number) > option.largest or (option.low_open and number == option.low):
        raise Problem(
            "E258",
            f"{option.name} must be {option.range}, not {_short(number)}",
            value.span,
            label="out of range",
            help=f"leave it out for the default: {option.default_text}",
        )
    return number


def _angles(option: Option, value: Argument, scope: Scope) -> tuple[float, ...]:
    """Not a point: a machine in space has three coordinates, its camera two angles."""
    given = value.coordinates if isinstance(value, Point) else (value,)
    angles = tuple(scope.number(angle, option.want) for angle in given)
    within = zip(angles, option.limits, strict=False)
    if len(angles) != len(option.limits) or any(abs(angle) > limit for angle, limit in within):
        found = setting_text(angles) if isinstance(value, Point) else _short(angles[0])
        raise Problem(
            "E258",
            f"{option.name} must be {option.range} degrees, not {found}",
            value.span,
            label="out of range" if len(angles) == len(option.limits) else f"not {len(option.limits)} angles",
            help=f"leave it out for the default: {option.default_text}",
        )
    return angles


def _window(option: Option, value: Argument, scope: Scope) -> tuple[float, ...]:
    """Two corners of a part of the plane."""
    given = value.coordinates if isinstance(value, Point) else (value,)
    corners = tuple(scope.number(corner, option.want) for corner in given)
    if len(corners) == 4 and corners[0] < corners[2] and corners[1] < corners[3]:
        return corners
    found = setting_text(corners) if isinstance(value, Point) else _short(corners[0])
    label, help = "not four numbers", "give the lower left and the upper right corner of what is to be seen"
    if len(corners) == 4:
        (left, right), (low, high) = sorted(corners[::2]), sorted(corners[1::2])
        label, help = "nothing is in it", f"leave it out for the default: {option.default_text}"
        if left < right and low < high:
            help = f"write {option.name}={setting_text((left, low, right, high))}"
    raise Problem("E258", f"{option.name} must be {option.range}, not {found}", value.span, label=label, help=help)


def _choice(option: Option, value: Argument, desk: Desk) -> str:
    choices = {choice.lower(): choice for choice in option.choices}
    if isinstance(value, Name) and value.key in choices:
        return choices[value.key]
    meant = desk.meant(value.key, choices) if isinstance(value, Name) else None
    text = value.text if isinstance(value, Name | Text) else value.span.text
    raise Problem(
        "E257",
        f"{option.name} cannot be {text}" if len(text) <= 30 else f"{option.name} cannot be this",
        value.span,
        label="no such value",
        help=f"did you mean {choices[meant]}? The values are {option.range}"
        if meant
        else f"choose one of {option.range}",
    )
