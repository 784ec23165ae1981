"""Curves of two units in one panel: the second unit has its axis at the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chainlist.output.lines import add_legend
from chainlist.run.observables import Observable

EXPONENT = 12.0  # points that an exponent takes above the axis at the right: the legend stands above it
COLUMNS = 4  # of the legend above the axes
_MOST_IN_LEGEND = 12  # three lines
Observables = tuple[Observable, ...]


def apart(observables: Observables) -> tuple[Observables, Observables]:
    """Those of the first unit and those of the second; all are first where there is one unit, or more than two.

    A number of parameters, such as `m*g`, has no unit of its own: it is there to be compared with the others, on their scale.
    """
    units = list(dict.fromkeys(observable.unit for observable in observables if not _is_number(observable)))
    if len(units) != 2:
        return observables, ()
    second = tuple(o for o in observables if o.unit == units[1] and not _is_number(o))
    return tuple(o for o in observables if o not in second), second


def _is_number(observable: Observable) -> bool:
    return not observable.unit and all(curve.constant for curve in observable.curves)


def draw_second(
    axes: Any, draw: Callable[[Any], None], both: tuple[Observables, Observables], colours: list[Any]
) -> list[str]:
    """Let `draw` put the second unit's curves onto an axis at the right; one legend names all of them, as is returned."""
    from matplotlib.transforms import ScaledTranslation

    first = _curves(axes)
    right = axes.twinx()
    draw(right)
    second = _curves(right)
    right.grid(False)
    right.spines["right"].set_visible(True)
    for number, line in enumerate(second, start=len({line.get_color() for line in first})):
        line.set_color(colours[number % len(colours)])
    for place, lines in ((axes, first), (right, second)):
        if len(lines) == 1:
            place.yaxis.label.set_color(lines[0].get_color())
        if place.get_legend() is not None:
            place.get_legend().remove()
    names = [*_labels(both[0]), *_labels(both[1])]
    lifted = axes.transAxes + ScaledTranslation(0.0, EXPONENT / 72.0 * has_exponent(right), axes.figure.dpi_scale_trans)
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "bbox_transform": lifted}
    return add_legend(axes, [*first, *second], names, _MOST_IN_LEGEND, **place, ncols=COLUMNS, borderaxespad=0.1)


def has_exponent(axes: Any) -> bool:
    """Whether something like ×10⁻⁸ stands above the axis of values."""
    form = axes.yaxis.get_major_formatter()
    form.set_locs(axes.yaxis.get_majorticklocs())
    return bool(form.get_offset())


def _curves(axes: Any) -> list[Any]:
    return [line for line in axes.lines if not str(line.get_label()).startswith("_")]


def _labels(observables: Observables) -> list[str]:
    """Each curve by its item, in the order in which they are drawn."""
    return [
        f"{curve.words} {observable.components[c : c + 1]}".rstrip()
        for observable in observables
        for curve in observable.curves
        for c in range(curve.values.shape[1] if curve.is_vector else 1)
    ]
