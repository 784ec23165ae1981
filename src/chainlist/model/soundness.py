"""What an element must be once everything stands: its rows hold a body, are linear where they must be, and smooth enough."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from chainlist.elements.base import Law, Native, Row, nothing
from chainlist.equations.value import place_at_start, value_at
from chainlist.formula import End, Formula, Moving, Operation, Point, Quantity, end_name, walk
from chainlist.formula.analysis import TooManyBreakpoints, breakpoints, degree_in_velocities, uses
from chainlist.formula.jumps import Jump, first_jump
from chainlist.model.desk import Desk, Problem
from chainlist.model.mechanism import Body, Element, Transient
from chainlist.syntax.diagnostics import Related


def check_element(element: Element) -> None:
    """Raise `Problem` for rows that hold nothing, or that no run can hold."""
    for part in element.parts.rows:
        if not isinstance(part, Row):
            continue
        degree = degree_in_velocities(part.formula)
        if part.of_velocities and degree != 1:
            raise _not_linear(element, part.formula, degree)
        if not any(isinstance(end, str) for end in ends_in(part.formula)):
            message = f"{element.name}: no body is in it, so that it holds nothing"
            raise _meaningless(element, message, "use a position such as X(B1) or DIST(B1,B2)")
    for force in element.parts.forces:
        if isinstance(force, Law) and not any(isinstance(end, str) for end in ends_in(force.along)):
            message = f"{element.name}: all its points are anchors, so that it moves nothing"
            raise _meaningless(element, message, "give one end a body")


def _not_linear(element: Element, formula: Formula, degree: int) -> Problem:
    if degree:
        message = f"{element.name} is not linear in the velocities"
        help = "only sums of velocities, each times something without one, can be held: VX(B1)*Y(B2)-VY(B1)"
        return Problem("E233", message, element.span, label="not linear", help=help)
    message = f"{element.name} has no velocity in it"
    help = "a constraint of positions begins with G: G1 {X(B1)-1}"
    if "positions" not in uses(formula):
        help = "use velocities such as VX(B1) or OMEGA(C1)"
    return Problem("E233", message, element.span, label="no velocity", help=help)


def _meaningless(element: Element, message: str, help: str) -> Problem:
    return Problem("E228", message, element.span, label="has no meaning", help=help)


def size_of(bodies: Iterable[Body], elements: Iterable[Element]) -> float:
    """The largest coordinate of a machine [m]: what is far shorter was not meant as a length, and is lost in rounding."""
    largest = max((abs(x) for body in bodies for x in body.position), default=0.0)
    anchors = (end for element in elements for end in element.ends if isinstance(end, tuple))
    return max(largest, max((abs(x) for anchor in anchors for x in anchor), default=0.0))


def check_lengths(bodies: Sequence[Body], elements: Sequence[Element], desk: Desk) -> None:
    """A link as short as rounding, such as 0.3*cos(90deg), has no length."""
    shortest_length = nothing(size_of(bodies, elements))
    for element in elements:
        length = element.type.length
        if length is None or element.given is not None or length(element.parameters) > shortest_length:
            continue
        if any(word is not None and word.startswith("LENGTH=") for word in element.words):
            continue  # it was meant
        desk.tell(
            Problem(
                "E229",
                f"the {element.type.name} {element.name} has a length of {length(element.parameters):.2g} m: that is rounding",
                element.span,
                label="its ends stand in one place",
                help="move one of the ends: in one place they have no direction",
            )
        )


def check_direction(element: Element, places: Mapping[str, Point], largest: float, desk: Desk) -> None:
    """A force along the line of two points that stand in one place has no direction; nor has a part of a string.

    `largest` is the largest coordinate of a body.
    """

    def in_one_place(ends: Sequence[End]) -> bool:
        points = [places[end] if isinstance(end, str) else end for end in ends if not isinstance(end, Moving)]
        size = max((abs(x) for point in points for x in point), default=largest)
        return len(points) == 2 and math.dist(*points) <= nothing(max(size, largest))

    if element.type.is_link:
        over_pegs = len(element.ends) > 2 and not _is_slack(element, places, largest)
        for two in pairwise(element.ends if over_pegs else ()):
            if in_one_place(two):
                one, other = map(end_name, two)
                message = (
                    f"{one} and {other} on the string {element.name} start in one place: it has no direction there"
                )
                help = "its pull has no direction there: move one of the two"
                desk.tell(Problem("W206", message, element.span, label="no direction", help=help))
        return
    for force in element.parts.forces:
        ends: tuple[End, ...] = ()
        if isinstance(force, Native) and len(force.ends) == 2:
            at_rest = force.kind == "K" and force.parameters[1] == 0.0  # such a spring pulls with 0 there
            ends = () if at_rest else force.ends
        elif isinstance(force, Law) and isinstance(force.along, Quantity) and force.along.function == "DIST":
            ends = force.along.arguments
        if in_one_place(ends):
            desk.tell(
                Problem(
                    "W206",
                    f"the ends of the {element.type.name} {element.name} start in one place: it has no direction there",
                    element.span,
                    label="no direction",
                    help="it gives no force until they part; move one of the two",
                )
            )
            return


def _is_slack(element: Element, places: Mapping[str, Point], largest: float) -> bool:
    """Whether a string over pegs is a rope that is longer than its way at the start: then it pulls nothing, and needs no direction."""
    rows = [switch.row for switch in element.parts.switches if switch.side < 0.0]
    if not rows or not isinstance(rows[0], Row) or not isinstance(rows[0].formula, Operation):
        return False
    points = [
        place_at_start(end) if isinstance(end, Moving) else places[end] if isinstance(end, str) else end
        for end in element.ends
    ]
    way, length = sum(math.dist(*two) for two in pairwise(points)), value_at(rows[0].formula.operands[-1])
    return way < length - nothing(max(largest, way))


def check_together(elements: Iterable[Element], desk: Desk) -> None:
    """Two motors on one link, or between the same two, are one too many."""
    turned: dict[frozenset[str], Element] = {}
    for element in elements:
        if element.letter != "M" or not element.of:
            continue
        first = turned.setdefault(frozenset(element.of), element)
        if first is not element:
            message = f"{first.name} and {element.name} turn the same {'link' if len(element.of) == 1 else 'links'}"
            help = "keep one of the two"
            also = [Related(first.span, "the first")]
            desk.tell(Problem("E228", message, element.span, label="turned already", help=help, also=also))


def check_weightless(elements: Iterable[Element], bodies: Iterable[Body], desk: Desk) -> None:
    """A point without mass would be thrown by an impact: it needs one where something holds only at times."""
    switched = next((element for element in elements if element.parts.switches), None)
    light = next((body for body in bodies if body.mass == 0.0 and body.role == "point"), None)
    if switched is not None and light is not None:
        message = f"{light.name} has no mass, and {switched.name} holds only at times: an impulse would throw it"
        help = f"give {light.name} a mass, or make it a point of a rigid body"
        also = [Related(switched.span, f"the {switched.type.name}")]
        desk.tell(Problem("E228", message, light.span, label="no mass", help=help, also=also))


def check_smoothness(elements: Iterable[Element], bodies: Iterable[Body], transient: Transient, desk: Desk) -> None:
    """Constraints of positions need a slope that does not jump; those of velocities, and ends of forces, a value."""
    start = {body.name: body.start for body in bodies}
    for element in elements:
        if element.given is None and not any(isinstance(end, Moving) for end in element.ends):
            continue
        for formula, of_slope, what in _wanted(element):
            try:
                jump = first_jump(formula, transient.stop, start, of_slope=of_slope)
            except TooManyBreakpoints as problem:
                desk.tell(_too_many(element, problem))
                break
            if jump is not None:
                desk.tell(_rough(element, jump, what))
                break
        else:
            _check_breakpoints(element, transient, desk)


def _check_breakpoints(element: Element, transient: Transient, desk: Desk) -> None:
    """Laws of force may jump; a step ends at each, so that there must not be too many."""
    try:
        for part in element.parts.forces:
            if isinstance(part, Law) and part.force is not None:
                breakpoints(part.force, transient.stop)
    except TooManyBreakpoints as problem:
        desk.tell(_too_many(element, problem))


def _too_many(element: Element, problem: TooManyBreakpoints) -> Problem:
    return Problem(
        "E232",
        f"{element.name}: {problem}",
        element.span,
        label="too many corners",
        help="a step ends at each of them: take a longer period, or a shorter .tran",
    )


def _wanted(element: Element) -> Iterable[tuple[Formula, bool, str]]:
    """The formulas of an element that must be smooth, whether their slopes too, and what they are."""
    of_positions = any(not (isinstance(part, Row) and part.of_velocities) for part in element.parts.rows)
    for part in element.parts.rows:
        if isinstance(part, Row) and not part.charts:
            what = "a constraint of velocities" if part.of_velocities else "a constraint of positions"
            yield part.formula, not part.of_velocities, what
    for end in element.ends:
        if isinstance(end, Moving):
            for coordinate in end.coordinates:
                yield coordinate, of_positions, "a moving anchor"


def _rough(element: Element, jump: Jump, what: str) -> Problem:
    at = "" if jump.time is None else f" at the time {jump.time:.6g}"
    kind = "jumps" if jump.of == "value" else "has a corner"
    why = "its speed would be infinite there" if jump.of == "value" else "its speed would jump there"
    if what == "a constraint of velocities":
        why = "a speed that jumps takes an infinite force"
    needs = f"{what} must not jump" if jump.of == "value" else f"{what} must have no corner"
    help = "go from one value to the other by smooth(time,t0,t1), or through points by spline(…)"
    if jump.function == "spline":
        help = "outside of its points a spline is constant: add points up to the end of the run"
    return Problem(
        "E232",
        f"{element.name}: {jump.function} {kind}{at}, and {needs}",
        element.span,
        label=why,
        help=help,
    )


def ends_in(formula: Formula) -> Iterable[End]:
    """Every point that a formula names."""
    return (end for node in walk(formula) if isinstance(node, Quantity) for end in node.arguments)
