"""`.meas`: numbers of a run; `chainlist.measure(run, "MAX Y(B2)")`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.analyses.base import Analysis, Chart, Study, register
from chainlist.analyses.between import Between, value_of
from chainlist.analyses.crossings import Direction, Passing
from chainlist.analyses.reading import Expression, read_expression_of_measures, read_passing
from chainlist.analyses.window import Window
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.ask import ask_card
from chainlist.model.desk import Problem
from chainlist.model.mechanism import Formula, Item, Mechanism, Operation, Quantity
from chainlist.model.observables import OBSERVABLES
from chainlist.run.dimension import unit_asked
from chainlist.run.entry import simulate
from chainlist.run.observables import unit_of
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.diagnostics import Related
from chainlist.syntax.source import Span
from chainlist.syntax.tree import Name

OVER_TIME = ("MAX", "MIN", "PP", "AVG", "RMS", "INTEG", "PERIOD")
FORMS = ("FIND", "WHEN", *OVER_TIME, "TRIG", "PARAM")
_WAYS = ("RISE", "FALL", "CROSS")
END = math.inf  # AT=END: whenever that is


@dataclass(frozen=True)
class NthPassage:
    """Which of the passages counts: the n-th, or the last."""

    passing: Passing
    number: int = 1  # 0: the last

    def time(self, between: Between, start: float = -math.inf) -> float:
        """nan where it never comes to that."""
        times = self.passing.times(between, start=start)
        if len(times) < max(1, self.number):
            return math.nan
        return float(times[self.number - 1 if self.number else -1])


@dataclass(frozen=True)
class Measure:
    """One `.meas`, read."""

    name: str
    form: str
    item: Item | None = None
    at: float | None = None
    when: NthPassage | None = None
    target: NthPassage | None = None
    window: tuple[float, float] = (-math.inf, math.inf)
    expression: Expression | None = None

    def value(self, run: Trajectory, earlier: Mapping[str, float], between: Between | None = None) -> float:
        """The number; nan where a run does not have it."""
        if self.expression is not None:
            return self.expression.value(earlier)
        if len(run) < 2:
            return self._of_one_sample(run)
        between = (between or Between(run)).split_for(self.leaves)
        if self.form == "WHEN":
            assert self.when is not None
            return self.when.time(between)
        if self.form == "TRIG":
            assert self.when is not None and self.target is not None
            begun = self.when.time(between)
            return self.target.time(between, begun) - begun if math.isfinite(begun) else math.nan
        assert self.item is not None
        if self.form == "FIND":
            time = self.at if self.when is None else self.when.time(between)
            assert time is not None
            time = float(between.trajectory.t[-1]) if time == END else time
            return _value_at(between, self.item.formula, time)
        return Window(between, self.item.formula, *self.window).value(self.form)

    def why_none(self, run: Trajectory) -> str:
        """What a run lacks that has no such number, where that can be said."""
        if self.form != "PERIOD" or self.item is None or len(run) < 2:
            return ""
        unit = unit_of(run.mechanism, self.item.formula)
        why = Window(Between(run).split_for(self.leaves), self.item.formula, *self.window).cycles.why_none
        why = why or "turns round from sample to sample: take a smaller SAVE, or step of .tran"
        return f"{self.item.text} {why}".replace("{unit}", f" {unit}".rstrip())

    def _of_one_sample(self, run: Trajectory) -> float:
        """Of a run that ended where it began."""
        if self.item is None or self.form not in ("FIND", "MAX", "MIN") or self.when is not None or not len(run):
            return math.nan
        there = self.at in (None, END, float(run.t[0])) and self.window[0] <= run.t[0] <= self.window[1]
        return float(value_of(run, self.item.formula)[0]) if there else math.nan

    @property
    def leaves(self) -> list[Formula]:
        """What is followed between samples: the item, and what conditions compare."""
        moments = [moment.passing.parts()[0] for moment in (self.when, self.target) if moment is not None]
        return [*([] if self.item is None else [self.item.formula]), *(leaf for leaves in moments for leaf in leaves)]

    def unit(self, mechanism: Mechanism) -> str:
        if self.form in ("WHEN", "TRIG", "PERIOD"):
            return "s"
        if self.item is None:
            return ""
        if self.form == "INTEG":
            return unit_of(mechanism, Operation("*", (self.item.formula, Quantity("Time"))))
        return unit_of(mechanism, self.item.formula) or unit_asked(self.item.text)  # as at the axis of a picture


def _value_at(between: Between, formula: Formula, time: float) -> float:
    t = between.trajectory.t
    if not t[0] <= time <= t[-1]:
        return math.nan
    # with the samples before it: angles go on from sample to sample
    times = np.append(t[t < time], time)
    return float(value_of(between.at(times), formula)[-1])


FAR_APART = 1e-6  # samples between which the motion is known no better than this part of its way


@dataclass(frozen=True)
class MeasuredValue:
    """A measure and its value."""

    measure: Measure
    value: float
    unit: str
    known: Mapping[str, float]  # of all measures up to this one
    times: tuple[float, float] = (-math.inf, math.inf)  # from when to when the run has samples
    gap: float = 0.0  # of the motion between samples; told once, with the first measure
    why: str = ""  # it has no value

    def figures(self) -> list[tuple[str, str]]:
        text = f"{self.value:.10g} {self.unit}".rstrip() if math.isfinite(self.value) else self._missing
        lines = [(self.measure.name, text)]
        if self.gap > FAR_APART:
            off = f"between two of them the motion is off by {self.gap:.0e} of its way"
            lines.append(("  samples", f"too far apart: {off}. Take a smaller SAVE, or a smaller step in .tran"))
        return lines

    @property
    def _missing(self) -> str:
        """Why there is no value. A time that the run does not reach is the usual reason."""
        if self.measure.when is not None:
            return "did not happen"
        start, stop = self.times
        for key, time in (("AT", self.measure.at), ("FROM", self.measure.window[0]), ("TO", self.measure.window[1])):
            if time is None or math.isinf(time):
                continue
            if key != "TO" and time > stop:
                return f"has no value: {key}={time:g}s is after the end of the run, {stop:g} s"
            if key != "FROM" and time < start:
                return f"has no value: {key}={time:g}s is before the first sample, {start:g} s"
        return f"has no value: {self.why}" if self.why else "has no value in this run"

    def data(self) -> dict[str, Any]:
        why = {} if math.isfinite(self.value) else {"why": self._missing}
        return {"name": self.measure.name, "value": self.value, "unit": self.unit, **why}

    def pictures(self) -> list[Chart]:
        return []


def measure(
    source: Trajectory | Mechanism | str | Path, what: str | Mapping[str, str] | None = None, **settings: Any
) -> float | dict[str, float]:
    """One measure of a motion, `"MAX Y(B2)"`, or several by name; each says what stands behind the name in `.meas`.

    Without one: those of the chainlist, by name.

    Of a mechanism, a path or a text it is that of its run, with `settings` as `simulate` takes them.

    >>> text = "* Pendulum\\nB1 (1,0) 1\\nC1 B1 (0,0)\\n.tran 0 1 1ms\\n"
    >>> round(measure(text, "MIN Y(B1)"), 9)
    -1.0
    """
    run = source if isinstance(source, Trajectory) else simulate(source, **settings)
    if what is None:
        return values_of(run, measures_of(run.mechanism))
    asked = {"value": what} if isinstance(what, str) else dict(what)
    read = read_measures(run.mechanism, asked, alone=True)
    values = values_of(run, read)
    return values["value"] if isinstance(what, str) else values


def read_measures(mechanism: Mechanism, asked: Mapping[str, str], *, alone: bool = False) -> list[Measure]:
    """Measures given as texts, by name; raises `ChainlistError` with all that is wrong.

    They may use those of the chainlist, and need other names; `alone`: neither.
    """
    cards = [f".meas {name} {text}" for name, text in asked.items()]
    return [found.what for found in ask_card(mechanism, cards, alone=alone)]


def measures_of(mechanism: Mechanism, more: Iterable[tuple[str, str]] = ()) -> list[Measure]:
    """Those of the chainlist, and others by name and text."""
    own = [asked.what for asked in mechanism.analyses if asked.command == "meas"]
    return own + read_measures(mechanism, dict(more))


def values_of(run: Trajectory, measures: list[Measure]) -> dict[str, float]:
    """The values of measures, in order: later ones may use earlier ones."""
    found: dict[str, float] = {}
    between = Between(run) if len(run) > 1 else None
    for one in measures:
        found[one.name] = one.value(run, found, between)
    return found


def _read(card: AnalysisCard) -> Measure:
    if card.at_call:
        raise _of_an_item(card, card.place)
    name = card.name("the name of the measure")
    if name.text.upper() in FORMS and not card.peek(*FORMS):
        raise _without_name(card, name)
    if _is_item(name) and not card.peek(*FORMS):
        raise _of_an_item(card, name.span)
    for before in card.earlier:
        if before.command == "meas" and before.what.name.lower() == name.key:
            also = [Related(before.span, "the first one")] if before.span else []
            help = "choose another name: each is a column of its own"
            raise Problem("E502", f"a second measure {name.text}", name.span, label="taken", help=help, also=also)
    form = card.one_of(*FORMS)
    if _is_item(name) and form in ("FIND", *OVER_TIME) and not card.more:
        raise _of_an_item(card, name.span, form)
    if form == "PARAM":
        known = [before.what.name for before in card.earlier if before.command == "meas"]
        return Measure(name.text, form, expression=read_expression_of_measures(card, known))
    if form == "WHEN":
        return Measure(name.text, form, when=_nth_passage(card))
    if form == "TRIG":
        first = _nth_passage(card)
        card.one_of("TARG")
        return Measure(name.text, form, when=first, target=_nth_passage(card))
    item = card.item()
    for key in ("AT", "FROM", "TO"):
        _refuse_measures(card, key)
    if form == "FIND":
        if card.keyword("WHEN"):
            return Measure(name.text, form, item, when=_nth_passage(card))
        at = card.named_or_word("AT", "END", END, "time")
        if at is None:
            help = card.apart() or "write .meas y FIND Y(B1) AT=2s, or AT=END"
            card.fail("FIND needs a time: AT=…, or WHEN and a condition", help=help)
        return Measure(name.text, form, item, at=at)
    start, stop = card.named("FROM", "time"), card.named("TO", "time")
    if start is not None and stop is not None and stop <= start:
        card.fail("TO must be later than FROM", help="write FROM=1s TO=2s")
    window = -math.inf if start is None else start, math.inf if stop is None else stop
    return Measure(name.text, form, item, window=window)


def _without_name(card: AnalysisCard, form: Name) -> Problem:
    """`.meas MAX X(B1)`: what was taken for the name is what is asked."""
    name = _free_name(card)
    asked = form.span.source.text[form.span.start : card.command.span.stop]
    help = f"write .meas {name} {asked}" if "\n" not in asked else f"write .meas {name} {form.text} …"
    message = f"the measure has no name: {form.text} says what is measured"
    return Problem("E501", message, form.span, label="the name is missing before this", help=help)


def _of_an_item(card: AnalysisCard, item: Span, form: str = "MAX") -> Problem:
    """`.meas Etotal`, `.meas Etotal MAX`, `.meas Y(B1)`: what is measured stands where the name does."""
    form = f"FIND {item.text} AT=END" if form == "FIND" else f"{form} {item.text}"
    message = f"{item.text} is an item: before it come a name, and what is measured of it"
    return Problem("E501", message, item, label="no name", help=f"write .meas {_free_name(card)} {form}")


def _is_item(name: Name) -> bool:
    return name.key in OBSERVABLES and OBSERVABLES[name.key].takes == "nothing"


def _free_name(card: AnalysisCard) -> str:
    taken = {before.what.name.lower() for before in card.earlier if before.command == "meas"}
    return next(f"m{n}" for n in count(1) if f"m{n}" not in taken)


def _refuse_measures(card: AnalysisCard, key: str) -> None:
    """Times are known before the run, measures after it: what was wanted may be the condition of another measure."""
    measures = {before.what.name.lower(): before for before in card.earlier if before.command == "meas"}
    for name in card.names_in(key):
        before = measures.get(name.key)
        if before is None or card.reader.scope.find(name.key) is not None:
            continue
        help = f"write a number or a parameter behind {key}="
        condition = before.span.text.upper().find(" WHEN ") if before.span is not None else -1
        if key == "AT" and before.what.form == "WHEN" and before.span is not None and condition > 0:
            help = f"name its condition in place of AT: WHEN{before.span.text[condition + 5 :]}"
        message = f"{name.text} is a measure, and a measure is known after the run only"
        raise Problem("E501", message, name.span, label="a time is wanted", help=help)


def _nth_passage(card: AnalysisCard) -> NthPassage:
    passing = read_passing(card)
    if card.peek("LAST", *_WAYS):
        place = card.place
        bare = place.text.upper()
        ways = " or ".join(f"{way}=LAST" for way in (_WAYS if bare == "LAST" else [bare]))
        message = f"{place.text} does not stand alone: which of the moments is meant is said by RISE=, FALL= or CROSS="
        card.fail(message, help=f"write {ways} for the last one, {ways.split('=')[0]}=2 for the second", at=place)
    number, direction = 1, passing.direction
    for which in _WAYS:
        found = card.named_whole_or_last(which)
        if found is not None:
            number = found
            direction = _direction(which)
    return NthPassage(Passing(passing.formula, passing.is_condition, direction), number)


def _direction(which: str) -> Direction:
    return "RISE" if which == "RISE" else "FALL" if which == "FALL" else "CROSS"


def _run(asked: Measure, study: Study) -> MeasuredValue:
    before = study.earlier.get("meas")
    known = dict(before.known) if isinstance(before, MeasuredValue) else {}
    run = study.motion()
    between = Between(run) if len(run) > 1 and asked.expression is None else None
    value = asked.value(run, known, between)
    known[asked.name] = value
    times = (float(run.t[0]), float(run.t[-1])) if len(run) else (-math.inf, math.inf)
    gap = between.gap if between is not None and before is None else 0.0
    why = "" if math.isfinite(value) else asked.why_none(run)
    return MeasuredValue(asked, value, asked.unit(study.mechanism), known, times, gap, why)


register(
    Analysis(
        "meas",
        ".meas name FIND item AT=t|END | FIND item WHEN cond | WHEN cond [RISE=n] | MAX item [FROM=t] [TO=t] | "
        "TRIG cond TARG cond | PARAM {expr}",
        "a number of the run; MAX, MIN, PP, AVG, RMS, INTEG, PERIOD of an item, the time of a condition, or made of others",
        _read,
        _run,
        once=False,
    )
)
