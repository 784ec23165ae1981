"""C: a massless rigid rod keeps two points at a fixed distance; over pegs it is a string of constant length.

C1 B1 (0,0)
C2 B1 B2 LENGTH=20cm
C3 B1 (0,0) LENGTH={1+0.1*sin(2*time)}
C4 B1 (-1,2) (1,2) B2
C5 B1 (0,0) ROPE REST=0.5
C6 B1 B2 BREAK=100N CUT={time>2}
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from chainlist.elements.base import (
    Card,
    ElementType,
    Native,
    Parts,
    Placed,
    Reading,
    Refused,
    Row,
    Switch,
    register,
    shortest,
)
from chainlist.elements.switching import conditional, read_conditions, read_rest
from chainlist.formula import Constant, End, Formula, Point, Quantity, end_name
from chainlist.kernels.bundles import Rows, RowTable
from chainlist.kernels.slots import DIM


def read(card: Card) -> Reading:
    ends = card.ends(2)
    rope = card.word("ROPE") is not None
    if not any(isinstance(end, str) for end in ends):
        card.refuse(
            "a link between two anchors holds nothing", help="anchors do not move: leave it out, or link a body"
        )
    elif double := next((first for first, second in pairwise(ends) if first == second), None):
        card.refuse(f"a link from {end_name(double)} to itself holds nothing", help="give it two different ends")
    length = card.named_expression("LENGTH", "time", "length")
    if isinstance(length, Constant) and length.value <= 0:
        card.refuse(
            f"LENGTH must be positive, not {length.value:g}", help="leave LENGTH out to take it from the positions"
        )
    if isinstance(length, Constant):
        reading = Reading(ends, (length.value,), form="string" if len(ends) > 2 else "")
    elif length is not None:
        reading = Reading(ends, (), (length,), form="driven")
    else:
        reading = Reading(ends, (None,), form="string" if len(ends) > 2 else "")
    return _switching(card, reading, rope=rope)


def _switching(card: Card, reading: Reading, *, rope: bool) -> Reading:
    """The words of a link that holds only at times."""
    rest, limit = read_rest(card), card.named("BREAK", "force")
    keys, conditions = read_conditions(card, "CUT", "FROM")
    if rest and not rope:
        card.refuse("REST is for ropes: a rod is never slack", help="write ROPE behind the ends, or leave REST out")
    if limit is not None and limit <= 0:
        card.refuse(
            f"BREAK must be positive, not {limit:g}", help="it is the force at which the link breaks, in newtons"
        )
    if not (rope or keys or limit is not None):
        return reading
    vectors = rest if limit is None else (*rest, ("BREAK", (limit,)))
    keys = ("ROPE", *keys) if rope else keys
    form = f"{reading.form}+" if reading.form else "+"  # it holds at times
    return replace(reading, form=form, formulas=(*reading.formulas, *conditions), vectors=vectors, keys=keys)


def parameters(values: tuple[float | None, ...], points: tuple[Point, ...]) -> tuple[float, ...]:
    """The squared length and the length. From positions the square comes first: then Φ is exactly 0 at the start."""
    length = values[0]
    if length is not None:
        return length * length, length
    squared = 0.0
    for a, b in zip(*points, strict=True):  # in the order of the kernel, without the care that sum() takes
        squared += (a - b) * (a - b)
    return squared, math.sqrt(squared)


def parts(placed: Placed) -> Parts | None:
    if not placed.form:
        return None
    if placed.form.endswith("+"):
        return _at_times(placed)
    return Parts(rows=(_string(placed),))


def _at_times(placed: Placed) -> Parts:
    plain = placed.form == "+"
    rope = "ROPE" in placed.keys
    switch = Switch(_rod(placed) if plain else _string(placed), -1.0 if rope else 0.0, _bodies(placed.ends))
    if plain and placed.values[0] is None and "FROM" not in placed.keys and placed.in_one_place(*placed.points):
        help = (
            "move one of the ends, or give LENGTH="
            if rope
            else "move one of the ends: in one place they have no direction"
        )
        raise Refused("its ends stand in one place: it has no length", help=help)
    switch = conditional(placed, replace(switch, restitution=placed.setting("REST") or 0.0))
    if switch.since is not None and plain and placed.values[0] is None:
        found = Row(Quantity("DIST", placed.ends) - Quantity("Y", (placed.name,)), force=-1.0)
        switch = replace(switch, row=found, as_found=True)
    return Parts(rows=() if rope or switch.since is not None else (switch.row,), switches=(switch,))


def _rod(placed: Placed) -> Native:
    return Native("C", placed.ends, parameters(placed.values, placed.points))


def _bodies(ends: tuple[End, ...]) -> tuple[End, ...]:
    return tuple(end for end in ends if isinstance(end, str))


def _string(placed: Placed) -> Row:
    if placed.form.startswith("driven") and (placed.first[0] or 0.0) <= 0:
        raise Refused(f"LENGTH is {placed.first[0]:g} at the start", help="a length must be positive all the time")
    reach: Formula = Constant(0.0)
    for first, second in pairwise(placed.ends):
        reach = reach + Quantity("DIST", (first, second))
    driven = placed.form.startswith("driven")
    if not driven and placed.values[0] is None and all(placed.in_one_place(*two) for two in pairwise(placed.points)):
        help = "move one of them" + (", or give LENGTH=" if "ROPE" in placed.keys else "")
        raise Refused("its ends stand in one place: it has no length", help=help)
    length = placed.formulas[0] if driven else Constant(placed.values[0] or _reach(placed.points))
    return Row(reach - length, force=-1.0)


def _reach(points: tuple[Point, ...]) -> float:
    return sum(math.dist(one, two) for one, two in pairwise(points))


def by_formula(ends: tuple[End, ...], parameters: tuple[float, ...]) -> Parts:
    return Parts(rows=(Row(Quantity("DIST", ends) - parameters[1], force=-1.0),))


def write(numbers: tuple[float, ...], points: tuple[Point, ...]) -> str:
    """LENGTH is written where the positions do not give it."""
    return "" if parameters((None,), points) == numbers else f"LENGTH={shortest(numbers[1])}"


def row(k, s: RowTable, w: Rows, t, q, v):  # type: ignore[no-untyped-def]
    # Φ = |qi − qj|² − l² ;  A = (2d, −2d) ;  b = −2|vi − vj|²
    i, j = s.point[k, 0], s.point[k, 1]
    distance2 = 0.0
    speed2 = 0.0
    for c in range(DIM):
        d = q[i, c] - q[j, c]
        u = v[i, c] - v[j, c]
        w.J[k, c] = 2.0 * d
        w.J[k, DIM + c] = -2.0 * d
        distance2 += d * d
        speed2 += u * u
    w.phi[k] = distance2 - s.par[k, 0]
    w.b[k] = -2.0 * speed2


register(
    ElementType(
        letter="C",
        name="link",
        syntax="C<name> <body> <body | (x,y)> [LENGTH=<l>] [ROPE [REST=<e>]] [BREAK=<force>] [CUT={…}] [FROM={…}]",
        meaning="a massless rigid rod between two bodies, or a body and an anchor; with more ends a string over pegs",
        read=read,
        parts=parts,
        parameters=parameters,
        row=row,
        by_formula=by_formula,
        tension_sign=-1.0,
        force_scale=lambda parameters: 0.5 / parameters[1],
        length=lambda parameters: parameters[1],
        write=write,
        is_link=True,
        units=("m²", "m²/s", "N/m"),
        count=("link", "links"),
    )
)
