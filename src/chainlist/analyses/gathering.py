"""Which measures can be taken while a batch runs, and how: once, or twice where the first time shows what to look for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from chainlist.analyses.gatherers import AtTime, Gatherer, Integral, Mean, Passages, Peak, Range, Then
from chainlist.analyses.measure import Measure
from chainlist.analyses.rounds import Rounds, Turns
from chainlist.formula.analysis import breakpoints
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Formula
from chainlist.run.abreast import Abreast, Crew, items_abreast, names_places

ALWAYS = (-math.inf, math.inf)


def cannot_gather(measures: Sequence[Measure], times: Floats) -> str:
    """Why measures cannot be taken from a batch whose samples are at `times`; "" where they can."""
    for one in measures:
        for formula in formulas_of_measure(one):
            if not items_abreast(formula):
                at_hand = "only components of positions and velocities, angles and energies are at hand"
                return f"the item of {one.name} needs forces, or a vector: {at_hand}"
        if any(breakpoints(leaf, float(times[-1])) for leaf in one.leaves):
            return f"the item of {one.name} has corners of its own"
        for bound in one.window:
            if times[0] < bound < times[-1] and bound not in times:
                return f"FROM and TO of {one.name} must lie on samples"
    return "" if len(times) > 1 or not measures else "measures need more than one sample"


def formulas_of_measure(one: Measure) -> list[Formula]:
    moments = [moment.passing.formula for moment in (one.when, one.target) if moment is not None]
    return [*moments, *([one.item.formula] if one.item is not None else [])]


def ask_of_places(measures: Iterable[Measure]) -> bool:
    """Whether measures name fixed points, which do not change from member to member as anchors may."""
    return any(names_places(formula) for one in measures for formula in formulas_of_measure(one))


def gather(
    measures: Sequence[Measure], crew: Crew, moments: Callable[[], Iterable[Abreast]]
) -> tuple[dict[str, Floats], NDArray[np.bool_]]:
    """Values by the names of the measures, and which members met values that are no numbers.

    `moments()` runs all members, and does so a second time where a measure needs it.
    """
    odd = np.zeros(crew.size, bool)
    first = {one.name: _first(one, crew) for one in measures if one.expression is None}
    _watch(first.values(), moments, odd)
    second = {one.name: _second(one, crew, first[one.name]) for one in measures if one.form in ("PERIOD", "TRIG")}
    if second:
        _watch(second.values(), moments, odd)
    found: dict[str, Floats] = {}
    for one in measures:
        if one.expression is not None:
            found[one.name] = np.broadcast_to(one.expression.values(found), crew.size)
        elif one.form == "PERIOD":
            found[one.name] = second[one.name].value()
        elif one.form == "TRIG":
            found[one.name] = second[one.name].value() - first[one.name].value()
        else:
            found[one.name] = first[one.name].value()
    return found, odd


def _watch(gatherers: Iterable[Gatherer], moments: Callable[[], Iterable[Abreast]], odd: NDArray[np.bool_]) -> None:
    every = list(gatherers)
    for moment in moments():
        for one in every:
            one.see(moment)
    for one in every:
        odd |= one.odd


def _first(one: Measure, crew: Crew) -> Gatherer:
    if one.when is not None:
        passages = Passages(crew, ALWAYS, one.when.passing, one.when.number)
        return passages if one.item is None else Then(crew, one.item.formula, passages)
    assert one.item is not None
    formula = one.item.formula
    match one.form:
        case "FIND":
            assert one.at is not None
            return AtTime(crew, formula, one.at)
        case "MAX" | "MIN":
            return Peak(crew, one.window, formula, 1.0 if one.form == "MAX" else -1.0)
        case "PP":
            return Range(crew, one.window, formula)
        case "PERIOD":
            return Turns(crew, one.window, formula)
        case "INTEG":
            return Integral(crew, one.window, formula, 1)
    return Mean(crew, one.window, formula, 1 if one.form == "AVG" else 2)


def _second(one: Measure, crew: Crew, first: Gatherer) -> Gatherer:
    """What is to be seen when the members run again: passages through levels that are known now, or those after another one."""
    if one.form == "PERIOD":
        assert one.item is not None and isinstance(first, Turns)
        return Rounds(crew, one.window, one.item.formula, first.cycles())
    assert one.target is not None
    never = np.where(np.isnan(first.value()), np.inf, first.value())
    return Passages(crew, ALWAYS, one.target.passing, one.target.number, since=never)
