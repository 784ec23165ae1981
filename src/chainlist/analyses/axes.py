"""`.step` and `.mc`: which runs a chainlist asks for, member by member."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.base import Analysis, register
from chainlist.analyses.columns import Varied
from chainlist.analyses.series import Decades, evenly
from chainlist.kernels.bundles import Floats
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.chance import Draw
from chainlist.model.degrees import is_bare_turn
from chainlist.model.desk import Problem
from chainlist.model.mechanism import Changes, Mechanism
from chainlist.model.options import OPTIONS
from chainlist.model.outside import given_name, no_such_parameter, refused
from chainlist.model.units import UNITS, si_unit
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Argument, Braces, Expr, Name, Number, Setting, Signed

MOST_AXES = 3
MOST_VALUES = 10_000_000  # of one axis
MEMBER = "member"  # what the axis of a sample is called
_BETWEEN = ("from", "to", "by", "step", "in", "until")  # words that one would say
_LEADING = ("param", "lin", "oct")  # words of SPICE before the name
_TIMES = ("tran", "time", "tstep", "tstop")
_ENTITY = re.compile(r"[A-Za-z]\d+")  # what a name of one looks like; a parameter may be called so too


@dataclass(frozen=True)
class Axis:
    """One `.step`: a parameter or a setting of `.options`, and its values."""

    name: str
    values: Sequence[float]
    is_option: bool = False
    logarithmic: bool = False
    unit: str = ""  # of the values
    written: str = ""  # the unit in which the text has them

    @property
    def units(self) -> dict[str, str]:
        """What a table says of them."""
        return {key: unit for key, unit in (("units", self.unit), ("written_in", self.written)) if unit}


@dataclass(frozen=True)
class Sample:
    """`.mc count SEED=seed`."""

    count: int
    seed: int


@dataclass(frozen=True)
class Plan:
    """All members of a sweep, numbered: the first axis runs fastest, the sample slowest."""

    axes: tuple[Axis, ...] = ()
    sample: Sample | None = None

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of the axes, slowest first: as the table of results has them."""
        names = [axis.name for axis in self.axes]
        return (*((MEMBER,) if self.sample else ()), *reversed(names))

    @property
    def shape(self) -> tuple[int, ...]:
        lengths = [len(axis.values) for axis in self.axes]
        return (*((self.sample.count,) if self.sample else ()), *reversed(lengths))

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def coordinates(self) -> dict[str, Floats]:
        return {axis.name: np.array([*axis.values]) for axis in self.axes}

    def varied(self, first: int, count: int) -> Varied:
        """What some members change of the chainlist, as columns."""
        places = np.unravel_index(np.arange(first, first + count), self.shape) if self.shape else ()
        where = dict(zip(self.dims, places, strict=True))
        values = {axis: _values(axis, where[axis.name]) for axis in self.axes}
        params = {axis.name: column for axis, column in values.items() if not axis.is_option}
        options = {axis.name: column for axis, column in values.items() if axis.is_option}
        sample = self.sample
        draws = () if sample is None else tuple(Draw(sample.seed, member) for member in where[MEMBER].tolist())
        return Varied(count, params, options, draws)

    def changes(self, number: int) -> Changes:
        """The same of one member."""
        one = self.varied(number, 1)
        params, options = ({name: float(x[0]) for name, x in kind.items()} for kind in (one.params, one.options))
        return Changes(params, options, None, one.draws[0] if one.draws else None)


def _values(axis: Axis, places: NDArray[np.int64]) -> Floats:
    """The values of an axis at some places, each computed once."""
    numbers, where = np.unique(places, return_inverse=True)
    found: Floats = np.array([axis.values[k] for k in numbers.tolist()])[where]
    return found


def plan_of(mechanism: Mechanism) -> Plan:
    """The sweep that a chainlist asks for; of size 1 where it asks for none."""
    axes = tuple(asked.what for asked in mechanism.analyses if asked.command == "step")
    samples = [asked.what for asked in mechanism.analyses if asked.command == "mc"]
    return Plan(axes, samples[0] if samples else None)


def check_given(mechanism: Mechanism) -> None:
    """Raise `ChainlistError` for values from outside that no run of a sweep would have, because they are stepped."""
    stepped = {axis.name.lower(): axis.name for axis in plan_of(mechanism).axes}
    given = {**mechanism.changes.params, **mechanism.changes.options}
    problems = []
    for key, value in given.items():
        if key.lower() in stepped:
            name = given_name(key, value)
            help = f"leave it out, or the card .step {stepped[key.lower()]} from the text"
            message = f"{stepped[key.lower()]} is stepped in the text: no run would have the value from outside"
            problems.append(Problem("E505", message, name.span, label="never used", help=help))
    if problems:
        raise refused(problems)


def sweeps(mechanism: Mechanism) -> bool:
    return any(asked.command in ("step", "mc") for asked in mechanism.analyses)


def _read_step(card: AnalysisCard) -> Axis:
    before = [asked for asked in card.earlier if asked.command == "step"]
    if len(before) >= MOST_AXES:
        card.fail(f"more than {MOST_AXES} .step inside one another", help="leave one out, or draw at random with .mc")
    leading = card.keyword("DEC", "LIST")  # `.step DEC name …`, as some write it
    name = card.name("the name of a parameter or an option")
    key, is_option = _known(card, name.text)
    if any(asked.what.name.lower() == key.lower() for asked in before):
        raise Problem("E505", f"a second .step of {key}", name.span, label="stepped already", help="step another one")
    _refuse_measure(card, key, name.span)
    if not is_option:
        _vary(card, key, name.span, f"nothing uses the parameter {key}: all runs of .step are the same")
    kind = leading or card.keyword("LIST", "DEC")
    _refuse_words_between(card)
    want = OPTIONS[key.lower()].want if is_option else None  # a parameter is a bare number, whatever its unit
    units = _units(card, key, is_option)
    if kind == "LIST":
        values = [card.number(want)]
        while card.more:
            values.append(card.number(want))
        return Axis(key, tuple(values), is_option, False, *units)
    if kind == "DEC":
        each, start, stop = card.whole("the number of values in a decade"), card.number(want), card.number(want)
        if not 0.0 < start < stop and not card.broken:
            card.fail("decades go from a positive number to a larger one", help=f"write .step {key} DEC 10 0.1 100")
        if not card.broken and each * (math.log10(stop) - math.log10(start)) > MOST_VALUES:
            card.fail(f"more than {MOST_VALUES:,} values", help="take fewer values in each decade")
        return Axis(key, Decades(each, start, stop) if not card.broken else (1.0,), is_option, True, *units)
    start, stop, by = card.number(want), card.number(want), card.number(want)
    return Axis(key, (1.0,) if card.broken else _line(card, key, start, stop, by), is_option, False, *units)


def _refuse_measure(card: AnalysisCard, key: str, at: Span) -> None:
    """A measure of this name would be a second column of the table."""
    for command in card.commands:
        word = command.arguments[0] if command.keyword.key == "meas" and command.arguments else None
        if isinstance(word, Name) and word.key == key.lower():
            message = (
                f"a measure cannot be called {word.text} beside .step {key}: their table has one column of each name"
            )
            also = [Related(at, "stepped here")]
            raise Problem("E502", message, word.span, label="taken", help=f"call it {word.text}_measured", also=also)


def _vary(card: AnalysisCard, name: str, at: Span, message: str) -> None:
    """A number of the text that should have been the parameter is easily left as it was."""
    help = f"write {name} where it belongs, such as B1 ({name},0) 1 in place of B1 (1,0) 1"
    card.reader.scope.vary(name.lower(), Problem("N205", message, at, label="not used", help=help))


def _units(card: AnalysisCard, key: str, is_option: bool) -> tuple[str, str]:
    """The unit of the values, and the one in which this card writes them: deg, if all its numbers have it."""
    words = [a.operand if isinstance(a, Signed) else a for a in card.command.arguments]
    numbers = [word for word in words if isinstance(word, Number)]
    if any(isinstance(word, Name) and word.key == "dec" for word in words):
        numbers = numbers[1:]  # how many in a decade is a number of none
    written = {number.unit for number in numbers}
    if len(written) == 1 and (unit := written.pop()) in UNITS:
        return si_unit(unit), unit
    if is_option:
        return OPTIONS[key.lower()].unit, ""
    cell = card.reader.scope.find(key.lower())
    given = cell.expression if cell is not None else None
    turn = next(filter(is_bare_turn, numbers), None)
    if cell is not None and cell.is_angle and turn is not None and not _has_unit_or_note(given):
        message = f"{key} is used as an angle, and {turn.text} without a unit is {turn.text} rad: more than a turn"
        help = f"if degrees are meant, write {turn.text}deg"
        card.desk.tell(Problem("N206", message, turn.span, label="no unit", help=help))
    if not isinstance(given, Number):
        return "", ""
    bare = next((number for number in numbers if not number.unit), None)
    if bare is not None and given.unit in UNITS and si_unit(given.unit) != given.unit:
        message = f"{key} is given in {given.unit}, and {bare.span.text} without a unit is {bare.span.text} {si_unit(given.unit)}"
        help = f"write {bare.span.text}{given.unit}, or {bare.span.text}{si_unit(given.unit)} if that is meant"
        card.desk.tell(Problem("N206", message, bare.span, label="no unit", help=help))
    return si_unit(given.unit), ""


def _has_unit_or_note(given: Expr | None) -> bool:
    """Whether something else is, or was, said of the unit of a parameter."""
    return isinstance(given, Number) and (bool(given.unit) or is_bare_turn(given))


def _line(card: AnalysisCard, key: str, start: float, stop: float, by: float) -> Sequence[float]:
    first, last, step = card.command.arguments[1:4]  # what is said of them is said as they are written
    ends = f"{first.span.text} to {last.span.text}"
    if by == 0.0 or (stop - start) * by < 0.0:
        help = f"write .step {key} start stop by"
        if by != 0.0:
            sign = "downwards the step is negative" if stop < start else "upwards the step is positive"
            help = f"{sign}: write .step {key} {first.span.text} {last.span.text} {_turned_around(step)}"
        card.fail(f"steps of {step.span.text} do not lead from {ends}", help=help)
    if start != stop and abs(by) > abs(stop - start):
        fitting = f"{first.span.text} {last.span.text} {_in_unit_of(last, (stop - start) / 20)}"
        listed = " ".join(word.span.text for word in (first, last, step))
        help = f"the third number is the step, not how many: write .step {key} {fitting}, or for values .step {key} LIST {listed}"
        card.fail(f"a step of {step.span.text} is longer than the way from {ends}", help=help)
    if (stop - start) / by > MOST_VALUES:
        card.fail(f"more than {MOST_VALUES:,} values", help="take larger steps")
    return evenly(start, stop, by)


def _refuse_words_between(card: AnalysisCard) -> None:
    """`.step a from 1 to 2 by 0.1` says what is meant, but is not how it is written."""
    words = [a for a in card.command.arguments if isinstance(a, Name) and a.key in _BETWEEN]
    words = [word for word in words if card.reader.scope.find(word.key) is None]
    if words:
        rest = " ".join(a.span.text for a in card.command.arguments if a not in words)
        message = f"between the numbers of .step no words such as {words[0].text} are needed"
        raise Problem("E505", message, words[0].span, label="leave it out", help=f"write .step {rest}")


def _turned_around(step: Argument) -> str:
    """A step in the other direction."""
    if isinstance(step, Signed):
        return step.operand.span.text if step.signs.count("-") % 2 else f"-{step.operand.span.text}"
    return f"-{step.span.text}" if isinstance(step, Number | Name | Braces) else f"{{-({step.span.text})}}"


def _in_unit_of(word: Argument, value: float) -> str:
    """A value in the unit of another number of the card, in that of SI where this has none."""
    number = word.operand if isinstance(word, Signed) else word
    unit = UNITS.get(number.unit) if isinstance(number, Number) else None
    return f"{value:g}" if unit is None else f"{value / (unit.factor * 10.0**unit.power):g}{unit.name}"


def _known(card: AnalysisCard, text: str) -> tuple[str, bool]:
    """The parameter or the numeric option of this name, as it is spelled."""
    cell = card.reader.scope.find(text.lower())
    if cell is not None:
        return cell.name.text, False
    option = OPTIONS.get(text.lower())
    if option is not None and option.kind == "number":
        return option.name, True
    numeric = [key for key, known in OPTIONS.items() if known.kind == "number"]
    meant = card.desk.meant(text.lower(), [*card.reader.scope.keys(), *numeric])
    help = f"did you mean {meant}?" if meant else f"define it: .param {text}=1"
    others = [a for a in card.command.arguments if a.span.text.lower() != text.lower()]
    if text.lower() in _LEADING and others and _can_be_stepped(card, others[0].span.text.lower()):
        help = f"leave out the word {text}: .step {' '.join(a.span.text for a in others)}"
        if text.lower() == "oct":
            name, *numbers = (a.span.text for a in others)
            ends = " ".join(numbers[:2]) if len(numbers) > 1 else "1 16"
            help = (
                f"there are no octaves: write .step {name} DEC 10 {ends}, or name the values: .step {name} LIST 1 2 4 8"
            )
    elif option is not None:
        words = [a.span.text for a in others if a.span.text.upper() not in ("LIST", "DEC")]
        help = f"{option.name} is no number, and .step steps numbers: a parameter, or such as gravity"
        if option.kind == "choice":
            values = words if words and all(word.upper() in option.choices for word in words) else option.choices[:2]
            help += f"; words are compared by: chainlist compare FILE --over {option.name}={','.join(values)}"
    elif text.lower() in _TIMES:
        help = "the times of .tran are not stepped: only a parameter, or a number of .options such as gravity"
    elif _ENTITY.fullmatch(text):
        help = f"define it: .param {text}=1; or if {text} is an entity, step a parameter that stands in its card"
    span = next(a.span for a in card.command.arguments if a.span.text.lower() == text.lower())
    raise Problem("E505", f"there is no parameter {text} to step", span, label="unknown", help=help)


def _can_be_stepped(card: AnalysisCard, key: str) -> bool:
    return card.reader.scope.find(key) is not None or (key in OPTIONS and OPTIONS[key].kind == "number")


def _read_sample(card: AnalysisCard) -> Sample:
    named = [a for a in card.command.arguments if isinstance(a, Setting) and a.key.key in ("n", "runs", "count")]
    if named and not card.more:
        text = named[0].value.span.text
        message = "the number of runs stands alone, without a name"
        raise Problem("E501", message, named[0].span, label="no name is needed", help=f"write .mc {text}")
    count = card.whole("the number of runs")
    seed = card.named_whole("SEED", least=0)
    random = card.reader.scope.random()
    if not random and not card.reader.scope.outermost.draws and not card.broken:
        message = "nothing is drawn: all runs of .mc are the same"
        help = "let a .param be drawn, such as .param L=gauss(1,0.1), uniform(0.9,1.1) or tol(1,5), and use it"
        card.desk.tell(Problem("N207", message, card.command.span, label="nothing random", help=help))
    for drawn in random:
        _vary(card, drawn.text, drawn.span, f"nothing uses the parameter {drawn.text}, which .mc draws")
    return Sample(count, seed or 0)


register(
    Analysis(
        "step",
        ".step name start stop by | .step name LIST a b … | .step name DEC n start stop",
        "runs for each value of a parameter, or of a setting such as gravity; up to three, the first one innermost",
        _read_step,
        None,
        once=False,
        repeats=True,
    )
)
register(
    Analysis(
        "mc",
        ".mc n [SEED=k]",
        "n runs in which gauss(mean,sd), uniform(a,b) and tol(nominal,percent) of .param draw anew",
        _read_sample,
        None,
        repeats=True,
    )
)


def axes_of(params: Mapping[str, Any], mechanism: Mechanism) -> dict[str, tuple[str, bool]]:
    """For names given from Python: how each is spelled, and whether it is an option; raises `ChainlistError` with what there is."""
    parameters = {name.lower(): name for name in mechanism.parameters}
    found = {}
    wrong = []
    for name, values in params.items():
        if name.lower() in parameters:
            found[name] = parameters[name.lower()], False
        elif name.lower() in OPTIONS and OPTIONS[name.lower()].kind == "number":
            found[name] = OPTIONS[name.lower()].name, True
        else:
            wrong.append(no_such_parameter(given_name(name, values), values, list(parameters.values())))
    if wrong:
        raise refused(wrong)
    return found
