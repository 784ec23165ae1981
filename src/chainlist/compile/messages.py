"""The findings in words of mechanics: one message for each kind of trouble, at the entities concerned."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chainlist import integrators
from chainlist.compile.bars import Bar, Conflict
from chainlist.compile.behind import Behind
from chainlist.compile.findings import Clash, Findings, Misfit, Names
from chainlist.compile.wording import (
    NAMES_SHOWN,
    SETS_SHOWN,
    flat,
    largest_sets,
    listed,
    rounded_down,
    sets_of_names,
    spin_of,
    vector,
    what_stays_off,
)
from chainlist.equations.value import place_at_start
from chainlist.formula import End, Moving, end_name
from chainlist.model.combinations import drives
from chainlist.model.mechanism import Element, Mechanism
from chainlist.syntax.diagnostics import Diagnostics, Related
from chainlist.syntax.source import Span

ERRORS_SHOWN = 10
ALSO_SHOWN = 3  # further places in the text


def describe(mechanism: Mechanism, findings: Findings, report: Diagnostics) -> None:
    """Add a message for everything that was found."""
    writer = _Writer(mechanism, findings, report)
    writer.conflicts()
    writer.points_without_mass()
    writer.dependent_sets()
    writer.start()
    writer.wrong_side()
    writer.bodies()
    writer.step()
    writer.spin()
    for found in findings.loose:
        writer.add("W311", found.message, [found.element], found.label, found.help)
    for doubt in findings.doubts:
        report.add("N302", f"not judged: {doubt}", help="the run looks again, with its own order of elimination")


class _Writer:
    def __init__(self, mechanism: Mechanism, findings: Findings, report: Diagnostics):
        self.mechanism, self.findings, self.report = mechanism, findings, report
        self.constraints = {constraint.name: constraint for constraint in mechanism.constraints}
        self.spans: dict[str, Span] = {c.name: c.span for c in mechanism.constraints}
        self.spans |= {element.name: element.span for element in mechanism.forces}
        self.spans |= {body.name: body.span for body in mechanism.bodies}

    def add(self, code: str, message: str, names: Sequence[str], label: str, help: str) -> None:
        """A message at the first of some entities, with the places of a few others."""
        first = self.spans.get(names[0]) if names else None
        others = [name for name in dict.fromkeys(names[1:]) if name != (names[0] if names else None)]
        also = [Related(self.spans[name], name) for name in others[:ALSO_SHOWN] if name in self.spans]
        self.report.add(code, message, first, label=label, help=help, also=also)

    def conflicts(self) -> None:
        lengths, sets = self.findings.conflicting_lengths, self.findings.conflicting_sets
        for conflict in lengths[:ERRORS_SHOWN]:
            self._conflicting_lengths(conflict)
        for clash in sets[: max(0, ERRORS_SHOWN - len(lengths))]:
            self._conflicting_set(clash)
        more = len(lengths) + len(sets) - ERRORS_SHOWN
        if more > 0:
            self.report.add(
                "E302", f"and {more} more conflicts of this kind", help="mend the first ones, and check again"
            )

    def _conflicting_lengths(self, conflict: Conflict) -> None:
        a, b = map(end_name, conflict.ends)
        apart, reach = f"{conflict.apart:.6g}", f"{conflict.reach:.6g}"
        if f"{conflict.apart:.6g}" == f"{conflict.reach:.6g}":
            apart, reach = repr(conflict.apart), repr(conflict.reach)
        held_by, path = listed(conflict.held_by), listed(conflict.path)
        if not conflict.held_by:
            message = f"the anchors {a} and {b} are {apart} apart, but {path} between them can reach only {reach}"
            help = f"lengthen {path} by {conflict.apart - conflict.reach:.6g} in all, or move an anchor"
            self.add("E301", message, conflict.path, f"reaches only {reach} with the others", help)
            return
        names = (*conflict.held_by, *conflict.path)
        if self._same_ends(names):
            message = f"{held_by} and {path} link the same two ends with different lengths, {apart} and {reach}"
            help = f"leave one of them out, or give both the same LENGTH={reach}"
        else:
            keep = "keeps" if len(conflict.path) == 1 else "keep"
            others = f"{path} {keep} them within {reach}" if conflict.path else f"they are {reach} apart"
            message = f"{held_by} must hold {a} and {b} {apart} apart, but {others}"
            below = "below" if conflict.path else "up to"  # with the whole reach they would be one straight line
            help = f"give {held_by} a length {below} {reach}, or lengthen {path or 'the others'}"
        self.add("E301", message, names, f"{apart} long", help)

    def _same_ends(self, names: Names) -> bool:
        return len(names) == 2 and len({frozenset(self.constraints[name].ends) for name in names}) == 1

    def _conflicting_set(self, clash: Clash) -> None:
        if not math.isfinite(clash.off):
            message = (
                f"the numbers of {listed(clash.constraints)} are too large to compute with: their squares overflow"
            )
            self.add(
                "E302", message, clash.constraints, "too large", "write smaller numbers, in another unit of length"
            )
            return
        if clash.at_rest:
            message = f"{listed(clash.constraints)} contradict one another: no velocity fits them all at the start"
            self.add("E302", message, clash.constraints, "cannot be driven so", "leave one of them out")
            return
        message = f"{listed(clash.constraints)} contradict one another: no position was found that fits them all"
        if len(clash.constraints) == 1:
            message = f"no position was found in which {clash.constraints[0]} fits together with the others"
        message += f" (the nearest one tried is off by {clash.off:.3g})"
        help = "change a length, a line or an anchor of these constraints, or leave one of them out"
        self.add("E302", message, clash.constraints, "does not fit", help)

    def dependent_sets(self) -> None:
        found = self.findings
        if found.redundant:
            self._redundant(largest_sets(found.redundant))
        if found.bars and not found.conflicting_lengths:
            self._bars(found.bars)
        if found.degenerate:
            message = f"{sets_of_names(found.degenerate)} only touch: they allow less motion than their gradients say, "
            message += "and the equations of motion do not contain the difference"
            help = "say the same with constraints that cross (a body that cannot move is better an anchor)"
            self.add("W307", message, flat(found.degenerate), "degenerate", help)
        if found.singular:
            message = f"the start is a singular position: {sets_of_names(found.singular)} depend on one another here, "
            message += (
                f"though not near by; the motion of {listed(self._held(found.singular))} is not determined there: "
            )
            message += "it may go on in more than one way"
            help = "start a little beside it"
            undriven = [names for names in found.singular if not found.driven.intersection(names)]
            help += ", or choose the way with IC_VEL" if undriven else ""
            self.add("W308", message, flat(found.singular), "singular here", help)
        stands = found.freedom.coordinates and found.freedom.degrees == 0
        stands = stands and not (found.conflicting or found.unfound)
        if stands and not any(map(drives, self.mechanism.constraints)):
            names = [constraint.name for constraint in self.mechanism.constraints]
            help = "leave out a constraint, or make an anchor a body"
            message = f"the machine cannot move: {str(found.freedom).rsplit(': ', 1)[0]}"
            self.report.add("W303", message, self.spans[names[0]], label="nothing can move", help=help)

    def _redundant(self, sets: Sequence[Names]) -> None:
        help = "harmless for the motion; rigid mechanics does not determine the forces in them: the smallest that fit are shown"
        several = [names for names in sets if len(names) > 1]
        if several:
            many = len(several) > 1
            message = f"{sets_of_names(several)} are redundant{' sets' if many else ''}: "
            message += f"{'in each, one' if many else 'one of them'} says what the others say already"
            self.add("W301", message, flat(several), "could be left out", help)
        alone = [names[0] for names in sets if len(names) == 1]
        if alone:
            says, its = ("says", "its") if len(alone) == 1 else ("say", "their")
            message = f"{listed(alone)} {says} something twice: one of {its} conditions follows from the others"
            self.add("W301", message, alone, "held more than it needs", help)

    def _held(self, sets: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """The bodies that these constraints hold and none drives, in the order of the text, whatever that of the cards."""
        named = {name for names in sets for name in names}
        held, driven = set[End](), set[End]()
        for c in self.mechanism.constraints:
            held.update(c.ends if c.name in named else ())
            if drives(c):
                driven.update(c.ends, *(self.constraints[name].ends for name in c.of if name in self.constraints))
        names = [body.name for body in self.mechanism.bodies if body.name in held]
        return tuple([name for name in names if name not in driven] or names)

    def _bars(self, bars: tuple[Bar, ...]) -> None:
        chosen = self.mechanism.options.mpi_algo
        treats = "AUTO treats" if chosen == "AUTO" else "AUTO would treat"
        if len(bars) == 1:
            message = f"{listed(bars[0].links)} lie on one line: {treats} them as {_bar(bars[0])}"
        else:
            shown = "; ".join(f"{listed(bar.links)} as {_bar(bar)}" for bar in bars[:SETS_SHOWN])
            more = f"; … ({len(bars)} in all)" if len(bars) > SETS_SHOWN else ""
            message = f"{len(bars)} sets of links lie on one line each, and {treats} {shown}{more}"
        help = "keep MPI_ALGO=AUTO" if chosen == "AUTO" else f"choose MPI_ALGO=AUTO instead of {chosen}"
        help += ": for the paper's algorithms a straight bar is not in the equations, and it gives way"
        self.add("W302", message, flat([bar.links for bar in bars]), "part of a straight bar", help)

    def start(self) -> None:
        position, velocity = self.findings.off_position, self.findings.off_velocity
        if self.findings.conflicting:
            return
        if self.findings.nowhere:
            self._leads_nowhere(self.findings.nowhere)
        if not position and not velocity:
            self._points()
            return
        if position:
            message = f"the start does not fit: {self._position(position[0])}{_others(position)}"
            if velocity:
                message += f", and {self._velocity(velocity[0])}{_others(velocity)}"
        else:
            message = f"the start velocity does not fit: {self._velocity(velocity[0])}{_others(velocity)}"
        what = "the nearest state that fits" if position else "the nearest velocity that fits"
        if self.mechanism.options.daesystem == "PROJECTED":
            help = f"the run begins with {what}{self._changed()}"
            if self.findings.unfound:
                help = f"no position that fits was found, though there may be one; {what_stays_off(self.findings.unfound)}, "
                help += f"so the run cannot begin: {self._way_out()}"
            elif self.findings.unreachable:
                help = f"no way from here to a position that fits was found, so the run cannot begin: {self._way_out()}"
            elif self.findings.elsewhere:
                help = (
                    "no way leads from here to a position that fits: the run begins with one that was found elsewhere"
                )
                help += f"{self._changed()}; if another is meant, give positions, or IC_POS, nearer to it"
        elif self.findings.unfound or self.findings.unreachable or self.findings.elsewhere:
            help = f"DAESYSTEM={self.mechanism.options.daesystem} leaves it so, and no way from here to a position that fits was found"
        else:
            help = f"DAESYSTEM={self.mechanism.options.daesystem} leaves it so; PROJECTED begins with {what}"
        names = [misfit.constraint for misfit in (position or velocity)]
        self.add("W304" if position else "W305", message, names, "does not fit", help)

    def _way_out(self) -> str:
        """The cure where no position was reached from the start: rods in one place point nowhere."""
        links = [
            c for name in self.findings.unreachable if (c := self.constraints[name]).type.is_link and len(c.ends) == 2
        ]
        lost = [link.name for link in links if self._distance(link) == 0.0]
        if lost:
            return f"the ends of {listed(lost)} start in one place and have no direction: move one of them"
        return "give positions, or IC_POS, nearer to where it fits"

    def wrong_side(self) -> None:
        """Bodies behind walls, disks that overlap, ropes that are too short."""
        for found in self.findings.behind[:ERRORS_SHOWN]:
            element, bodies = self.constraints[found.element], listed(found.bodies)
            if element.type.is_link:
                start = "start" if len(found.bodies) > 1 else "starts"
                message = f"{bodies or 'its end'} {start} {found.by:.3g} m beyond the reach of the rope {found.element}"
                help = "move it nearer, or give the rope a larger LENGTH"
            elif len(found.bodies) == 2:
                message = f"{bodies} overlap by {found.by:.3g} m at the start ({found.element})"
                help = "move them apart, or make a RADIUS smaller"
            else:
                message = f"{bodies} starts {found.by:.3g} m behind the wall {found.element}"
                help = f"move it at least so far to the side where k1·x + k2·y ≥ konst{self._turned(found)}"
            self.add("E304", message, [found.element, *found.bodies], "cannot be passed", help)

    def _turned(self, found: Behind) -> str:
        """Whether a wall that faces the other way would let its body be there: of a disk, all of it."""
        disks = [body.radius for body in self.mechanism.bodies if body.name in found.bodies]
        return ", or turn the signs of the wall around" if found.by >= 2.0 * max(disks, default=0.0) else ""

    def _points(self) -> None:
        """Points of rigid bodies that their bodies do not let go where they are said to."""
        changed = self.findings.changed
        if not changed:
            return
        given = {body.name: body.velocity for body in self.mechanism.bodies}
        others = f" (and {len(changed) - 1} more)" if len(changed) > 1 else ""
        message = f"the start velocity does not fit: {changed[0][0]} cannot move with {vector(given[changed[0][0]])} m/s{others}"
        names = [name for name, _ in changed]
        self.add(
            "W305",
            message,
            names,
            "does not fit",
            f"the run begins with the nearest velocity that fits{self._changed()}",
        )

    def _leads_nowhere(self, names: Names) -> None:
        """Velocities that fit for an instant, in a position where several ways meet, but belong to none of them."""
        held = {end for name in names for end in self.constraints[name].ends}
        given = [body for body in self.mechanism.bodies if body.keeps_velocity and body.name in held]
        given = given or [body for body in self.mechanism.bodies if body.keeps_velocity]
        shown = ", ".join(f"{body.name} with {vector(body.velocity)} m/s" for body in given[:SETS_SHOWN])
        more = len(given) - SETS_SHOWN
        message = f"no motion goes on with these velocities: {shown}{f' and {more} more' if more > 0 else ''}"
        message = message if given else "no motion goes on with the velocities at the start"
        message += f"; where {listed(names)} depend on one another, they belong to no way on"
        help = (
            "give velocities with which it can move on (one body with IC_VEL is often enough), or start a little beside"
        )
        self.add("W305", message, [*(body.name for body in given), *names], "leads nowhere", help)

    def _changed(self) -> str:
        """What becomes of given velocities that do not fit together."""
        given = {body.name: body.velocity for body in self.mechanism.bodies}
        axes = {body.name: body.start for body in self.mechanism.bodies if body.role == "axis"}
        plane = self.mechanism.dimension == 2
        changed = [(name, after) for name, after in self.findings.changed if name not in axes or plane]
        shown = [
            f"{name.rpartition('.')[0]} with OMEGA={spin_of(axes[name], after)} instead of {spin_of(axes[name], given[name])}"
            if name in axes
            else f"{name} with {vector(after)} instead of {vector(given[name])} m/s"
            for name, after in changed[:SETS_SHOWN]
        ]
        more = len(changed) - SETS_SHOWN
        return (": " + ", ".join(shown) + (f" and {more} more" if more > 0 else "")) if shown else ""

    def _position(self, misfit: Misfit) -> str:
        constraint = self.constraints[misfit.constraint]
        if not constraint.is_rod:
            who = " and ".join(map(end_name, constraint.ends)) or "the start"
            are = "are" if len(constraint.ends) > 1 else "is"
            unit = " rad" if constraint.turns else ""
            return f"{who} {are} {abs(misfit.amount):.6g}{unit} off {constraint.name}"
        length, distance = constraint.parameters[1], self._distance(constraint)
        way = "long" if distance > length else "short"
        ends = f"its ends are {distance:.6g} apart ({abs(distance - length):.3g} too {way})"
        return f"{constraint.name} is {length:.6g} long, but {ends}"

    def _velocity(self, misfit: Misfit) -> str:
        constraint = self.constraints[misfit.constraint]
        if not constraint.is_rod:
            who = " and ".join(map(end_name, constraint.ends)) or "the start"
            leave = "leave" if len(constraint.ends) > 1 else "leaves"
            return f"{who} {leave} {constraint.name} with {abs(misfit.amount):.3g} {constraint.units[1]}".rstrip()
        way = "apart" if misfit.amount > 0 else "together"
        return f"the ends of {constraint.name} move {way} with {abs(misfit.amount):.3g} m/s"

    def _distance(self, link: Element) -> float:
        """Between the two ends of a link at the start."""
        starts = {body.name: body.start for body in self.mechanism.bodies}
        one, two = (
            starts[end] if isinstance(end, str) else place_at_start(end) if isinstance(end, Moving) else end
            for end in link.ends
        )
        return math.dist(one, two)

    def step(self) -> None:
        limit = self.findings.step_limit
        if limit is None:
            return
        options, step = self.mechanism.options, self.mechanism.transient.step
        what = "decays" if limit.is_damper else "swings"
        message = (
            f"the step of {step:.3g} s is too long for {limit.element}, which {what} too fast for {options.integrator}"
        )
        cost = "" if limit.is_damper else ", but which shows nothing true of what swings faster than its step"
        help = f"take at most {rounded_down(limit.step)} s, or INTEGRATOR=SDIRK4, whose step it does not bound{cost}"
        self.add("W309", message, [limit.element], f"stable up to {limit.step:.3g} s", help)

    def points_without_mass(self) -> None:
        if self.findings.undetermined:
            names = self.findings.undetermined
            has, moves = ("has", "it moves") if len(names) == 1 else ("have", "they move")
            message = f"{listed(names)} {has} no mass, and the constraints alone do not say how {moves}"
            help = "give it a mass, or put it on a rigid body: R1 … 1; a point that does not move is an anchor: (x,y), and no body"
            self.add("E303", message, names, "held in too few directions", help)
        weightless = [body.name for body in self.mechanism.vectors if body.mass == 0.0]
        method = integrators.REGISTRY[self.mechanism.options.integrator]
        if weightless and (method.holds_constraints or method.implicit):
            message = f"{listed(weightless)} without mass: {method.name} needs the mass of every body"
            self.add("E303", message, weightless, "no mass", "give it a mass, or take another INTEGRATOR")

    def spin(self) -> None:
        if not self.findings.spinning:
            return
        name, omega = max(self.findings.spinning, key=lambda pair: pair[1])
        step, method = self.mechanism.transient.step, self.mechanism.options.integrator
        turn = omega * step
        says = f"loses about {turn**5 / 144:.1g} of its speed per radian" if turn < 1.0 else "cannot follow that"
        message = f"{name} turns by {turn:.2g} rad in a step: {method} {says}"
        help = f"take INTEGRATOR=DOP853, or a step of at most {rounded_down(0.1 / omega)} s"
        if self.mechanism.dimension == 3:
            help += "; a body of revolution that spins about its axis can be a ROTOR"
        self.add("W310", message, [name for name, _ in self.findings.spinning], f"{omega:.3g} rad/s", help)

    def bodies(self) -> None:
        found = self.findings
        if found.in_one_place:
            sets = found.in_one_place
            message = f"{sets_of_names(sets)} start in one place"
            self.add("W306", message, flat(sets), "on top of another", "move one of them, unless this is meant")
        if found.unheld:
            one = len(found.unheld) == 1
            message = f"nothing holds {listed(found.unheld)}: {'it moves' if one else 'they move'} freely"
            self.add("N301", message, found.unheld, "held by nothing", "a link or a slider would hold it")
        if found.floating:
            message = f"nothing holds {sets_of_names(found.floating)} to the ground: together they move freely"
            help = "a link to an anchor, or a slider, would hold them"
            self.add("N301", message, flat(found.floating), "not held by the ground", help)


def _bar(bar: Bar) -> str:
    points = [end_name(point) for point in bar.points]
    if len(points) > NAMES_SHOWN:
        points = [*points[: NAMES_SHOWN - 2], "…", points[-1]]
    return f"one bar {'–'.join(points)}{', which stands still' if bar.stands_still else ''}"


def _others(misfits: Sequence[Misfit]) -> str:
    return f" (and {len(misfits) - 1} more)" if len(misfits) > 1 else ""
