"""Random machines of all elements that move smoothly: their motion does not depend on how they are written.

Rods, bodies, springs, drives, sliders, strings, gears and forces are put together at random. A machine is written again with its
cards shuffled, mirrored, moved and turned; with each card replaced by another that means the same; and turned into space. Each
time the motion must be the same, and T + U − Work must be kept. What a campaign counted is printed: `make test-long` shows it.
"""

import math
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

import chainlist

STOP, STEP = 0.2, 1e-3
SAME = 1e-7  # m, of machines about a metre large
KEPT = 1e-5  # of the largest kinetic energy: a step is short beside everything here


class View:
    """x → R x + shift, from the plane into the plane or into space; `hand` is −1 in a mirror, None in space."""

    def __init__(self, angle=0.0, mirror=False, shift=(0.0, 0.0), space=None):
        c, s = math.cos(angle), math.sin(angle)
        self.matrix = np.array([[c, -s], [s, c]]) @ np.diag([-1.0 if mirror else 1.0, 1.0])
        self.hand = -1.0 if mirror else 1.0
        self.shift = np.array(shift)
        if space is not None:
            axes, _ = np.linalg.qr(np.random.default_rng(space).normal(size=(3, 3)))
            self.matrix, self.hand, self.shift = axes[:, :2], None, np.array([0.3, -0.2, 0.5])

    @property
    def spatial(self):
        return self.hand is None

    def vector(self, v):
        return self.matrix @ np.array(v)

    def point(self, p):
        """A point of the text: a name, an anchor, or one that moves as p0 + p1·sin(w·time)."""
        if isinstance(p, str):
            return p
        if len(p) == 2:
            return numbers(self.vector(p) + self.shift)
        home, way, rate = p
        pairs = zip(self.vector(home) + self.shift, self.vector(way), strict=True)
        return "(" + ",".join(f"{{({a!r})+({b!r})*sin({rate!r}*time)}}" for a, b in map(floats, pairs)) + ")"

    def line(self, normal, konst):
        """Of a slider: k1, k2, konst, or a, b, c, d in space."""
        turned = self.vector(normal)
        return (*turned, konst + turned @ self.shift)


def floats(values):
    return tuple(map(float, values))


def numbers(values):
    return "(" + ",".join(f"{x!r}" for x in floats(values)) + ")"


@dataclass
class Cards:
    """Each card is one or two functions of the view: as written at first, and otherwise. None: there is no such form."""

    bodies: list = field(default_factory=list)  # names
    forms: list = field(default_factory=list)
    integrator: str = "RK4"

    def add(self, *forms):
        self.forms.append(forms)

    def text(self, view, luck=None, otherwise=False):
        """The whole machine, or None where one of its cards has no form for this view."""
        cards = []
        for forms in self.forms:
            card = forms[-1 if otherwise else 0](view)
            if card is None:
                return None
            cards.append(card)
        if luck is not None:
            luck.shuffle(cards)
        options = f".options gravity={numbers(view.vector((0.0, -9.81)))} INTEGRATOR={self.integrator}\n"
        return "* Machine\n" + "\n".join(cards) + "\n" + options + f".tran 0 {STOP} {STEP}\n.plot Etotal\n"


def plane_only(card):
    return lambda view: None if view.spatial else card(view)


class Builder:
    """Puts a machine together: a tree of parts, and what acts on them."""

    def __init__(self, luck):
        self.luck, self.cards, self.counted = luck, Cards(), Counter()
        self.places = {}
        self.links, self.rods, self.driven = [], [], set()

    def between(self, low, high):
        return self.luck.uniform(low, high)

    def name(self, letter):
        self.counted[letter] += 1
        return f"{letter}{self.counted[letter]}"

    def body(self, place, mass):
        name = self.name("B")
        self.places[name] = place
        self.cards.bodies.append(name)
        self.cards.add(lambda view: f"{name} {view.point(place)} {mass!r}")
        return name

    def anchor(self):
        return (self.between(-1, 1), self.between(-1, 1))

    def at(self, point):
        return self.places[point] if isinstance(point, str) else point if len(point) == 2 else point[0]

    def base(self):
        """Where the next part hangs: at an anchor, one that moves, or a body."""
        if self.places and self.luck.random() < 0.75:
            return self.luck.choice(list(self.places))
        home = self.anchor()
        if self.luck.random() < 0.2:
            return (home, (self.between(-0.1, 0.1), self.between(-0.1, 0.1)), self.between(1, 6))
        return home

    def near(self, point):
        (x, y), angle, length = self.at(point), self.between(0, 2 * math.pi), self.between(0.4, 1.2)
        return (x + length * math.cos(angle), y + length * math.sin(angle))

    def link(self, base):
        place = self.near(base)
        body, name, length = self.body(place, self.between(0.5, 2)), self.name("C"), math.dist(place, self.at(base))
        self.links.append((name, base, body))
        self.cards.add(
            lambda view: f"{name} {view.point(base)} {body}",
            lambda view: f"{name} {body} {view.point(base)} LENGTH={{{length!r}+0*time}}",
        )

    def driven_link(self, base):
        place = self.near(base)
        body, name, length = self.body(place, self.between(0.5, 2)), self.name("C"), math.dist(place, self.at(base))
        swing = f"{length!r}+{self.between(0.02, 0.1)!r}*sin({self.between(1, 5)!r}*time)"
        moving = not isinstance(base, str) and len(base) == 3
        self.cards.add(
            lambda view: f"{name} {view.point(base)} {body} LENGTH={{{swing}}}",
            lambda view: (
                f"{name} {body} {view.point(base)} LENGTH={{{swing}}}"
                if moving
                else f"G{name[1:]} {{DIST({view.point(base)},{body})}}={{{swing}}}"
            ),
        )

    def rod(self, base):
        place, mass = self.near(base), self.between(0.5, 2)
        body, name = self.body(place, self.luck.choice([0.0, 0.5])), self.name("R")
        start, length = self.at(base), math.dist(place, self.at(base))
        middle = ((place[0] + start[0]) / 2, (place[1] + start[1]) / 2)
        self.rods.append((name, base, body))
        moment = mass * length**2 / 12
        self.cards.add(
            lambda view: f"{name} {view.point(base)} {body} {mass!r}",
            lambda view: (
                f"{name} {view.point(base)} {body} {mass!r}"
                if view.spatial
                else f"{name} {view.point(base)} {body} {mass!r} CG={view.point(middle)} J={moment!r}"
            ),
        )

    def plate(self, base):
        while True:
            second, third = self.near(base), self.near(base)
            first = self.at(base)
            cross = (second[0] - first[0]) * (third[1] - first[1]) - (second[1] - first[1]) * (third[0] - first[0])
            if abs(cross) > 0.2:
                break
        mass = self.between(0.5, 2)
        bodies, name = (self.body(second, 0.0), self.body(third, 0.3)), self.name("R")
        corners = np.array([first, second, third])
        middle = floats(corners.mean(axis=0))
        moment = mass / 36 * sum(math.dist(corners[i], corners[i - 1]) ** 2 for i in range(3))
        self.rods.append((name, base, bodies[0]))
        self.cards.add(
            lambda view: f"{name} {view.point(base)} {bodies[0]} {bodies[1]} {mass!r} UNIFORM",
            lambda view: (
                f"{name} {view.point(base)} {bodies[1]} {bodies[0]} {mass!r} UNIFORM"
                if view.spatial
                else f"{name} {view.point(base)} {bodies[0]} {bodies[1]} {mass!r} CG={view.point(middle)} J={moment!r}"
            ),
        )

    def on_a_rail(self, base):
        place, angle = self.near(base), self.between(0, math.pi)
        body, name = self.body(place, self.between(0.5, 2)), self.name("S")
        normal = (math.cos(angle), math.sin(angle))
        konst = normal[0] * place[0] + normal[1] * place[1]
        self.cards.add(
            lambda view: (
                f"{name} {body} PLANE{numbers(view.line(normal, konst))}"
                if view.spatial
                else f"{name} {body} LINE{numbers(view.line(normal, konst))}"
            ),
            lambda view: f"G{name[1:]}7 {{{expanded(view, normal, konst, body)}}}",
        )
        self.spring(base, body)

    def on_a_spring(self, base):
        self.spring(base, self.body(self.near(base), self.between(0.5, 2)))

    def spring(self, base, body):
        if isinstance(base, str) and base == body:
            return
        name, k, c = self.name("K"), self.between(5, 60), self.between(0, 2)
        moves = not isinstance(base, str) and len(base) == 3
        rest = math.dist(self.at(base), self.places[body]) * self.between(0.7, 1.2)
        if rest < 0.1:
            return
        self.cards.add(
            lambda view: f"{name} {view.point(base)} {body} {k!r} L0={rest!r} DAMP={c!r}",
            lambda view: (
                f"{name} {body} {view.point(base)} {k!r} L0={rest!r}\nD{name[1:]}5 {body} {view.point(base)} {c!r}"
                if moves
                else f"F{name[1:]}5 {body} {view.point(base)} {{{k!r}*(DIST({view.point(base)},{body})-{rest!r})}}"
                f"\nD{name[1:]}5 {view.point(base)} {body} {c!r}"
            ),
        )

    def disk(self, base):
        if not isinstance(base, str):
            self.link(base)
            return
        radius, mass, spin = self.between(0.1, 0.3), self.between(0.5, 2), self.between(-5, 5)
        axle = self.near(base)
        body = self.body(axle, 0.0)
        link, name = self.name("C"), self.name("R")
        self.cards.add(lambda view: f"{link} {base} {body}")
        self.cards.add(
            plane_only(lambda view: f"{name} {body} {mass!r} RADIUS={radius!r} OMEGA={spin * view.hand!r}"),
            plane_only(
                lambda view: (
                    f"{name} {body} {mass!r} CG={view.point(axle)} J={mass * radius**2 / 2!r} OMEGA={spin * view.hand!r}"
                )
            ),
        )

    # What acts

    def loop(self):
        body, peg, name = self.luck.choice(list(self.places)), self.anchor(), self.name("C")
        if math.dist(self.places[body], peg) > 0.2:
            self.cards.add(lambda view: f"{name} {body} {view.point(peg)}")

    def string(self):
        if len(self.places) < 2:
            return
        (a, b), peg, name = self.luck.sample(list(self.places), 2), self.anchor(), self.name("C")
        if min(math.dist(self.places[x], peg) for x in (a, b)) < 0.2:
            return
        length = math.dist(self.places[a], peg) + math.dist(self.places[b], peg)
        self.cards.add(
            lambda view: f"{name} {a} {view.point(peg)} {b}",
            lambda view: f"G{name[1:]}3 {{DIST({a},{view.point(peg)})+DIST({view.point(peg)},{b})-{length!r}}}",
        )

    def pull(self):
        body, name = self.luck.choice(list(self.places)), self.name("F")
        force, rate = (self.between(-9, 9), self.between(-9, 9)), self.between(1, 9)

        def card(view, suffix, part):
            parts = (f"{{({part * f!r})*cos({rate!r}*time)}}" for f in floats(view.vector(force)))
            return f"{name}{suffix} {body} ({','.join(parts)})"

        self.cards.add(
            lambda view: card(view, "", 1.0),
            lambda view: card(view, "1", 0.25) + "\n" + card(view, "2", 0.75),
        )

    def brake(self):
        body, name, c = self.luck.choice(list(self.places)), self.name("D"), self.between(0.1, 2)

        def by_force(view):
            axes = ("VX", "VY", "VZ")[: len(view.shift)]
            return f"F{name[1:]}8 {body} ({','.join(f'{{-{c!r}*{axis}({body})}}' for axis in axes)})"

        self.cards.add(lambda view: f"{name} {body} {c!r}", by_force)

    def turn(self):
        """A couple on a body, or a motor on what hangs at an anchor."""
        fixed = [part for part in self.links if not isinstance(part[1], str) and len(part[1]) == 2]
        if fixed and self.luck.random() < 0.5:
            link, base, body = self.luck.choice(fixed)
            if link in self.driven:
                return
            self.driven.add(link)
            name, size, rate = self.name("M"), self.between(0.1, 0.5), self.between(1, 5)
            (x, y), (ax, ay) = self.places[body], base

            def motor(view):
                return f"{name} {link} ANGLE={{({view.hand * size!r})*sin({rate!r}*time)}}"

            def by_formula(view):
                dx, dy = floats(view.vector((x - ax, y - ay)))
                begin = math.atan2(dy, dx)
                return (
                    f"G{name[1:]}9 {{ANGLE({view.point(base)},{body})}}="
                    f"{{({begin!r})+({view.hand * size!r})*sin({rate!r}*time)}}"
                )

            self.cards.add(plane_only(motor), plane_only(by_formula))
        elif self.rods:
            rod, _, _ = self.luck.choice(self.rods)
            name, size, rate = self.name("T"), self.between(-5, 5), self.between(1, 9)
            self.cards.add(
                plane_only(lambda view: f"{name} {rod} {{({view.hand * size!r})*cos({rate!r}*time)}}"),
            )

    def gear(self):
        fixed = [part for part in self.links if not isinstance(part[1], str) and part[0] not in self.driven]
        if len(fixed) < 2:
            return
        (a, _, _), (b, _, _) = self.luck.sample(fixed, 2)
        self.driven |= {a, b}
        name, ratio = self.name("N"), self.luck.choice([-2.0, 0.5, 1.5])
        self.cards.add(
            plane_only(lambda view: f"{name} GEAR({a},{b}) RATIO={ratio!r}"),
            plane_only(lambda view: f"{name} {{OMEGA({a})+({ratio!r})*OMEGA({b})}}"),
        )

    def joint_spring(self):
        if len(self.rods) >= 2:
            (a, _, _), (b, _, _) = self.luck.sample(self.rods, 2)
            name, k, c = self.name("K"), self.between(1, 20), self.between(0, 0.5)
            self.cards.add(
                plane_only(lambda view: f"{name} ANGLE({a},{b}) {k!r} DAMP={c!r}"),
                plane_only(lambda view: f"{name} ANGLE({b},{a}) {k!r}\nD{name[1:]}4 ANGLE({a},{b}) {c!r}"),
            )


def expanded(view, normal, konst, body):
    *parts, rest = floats(view.line(normal, konst))
    return "+".join(f"({k!r})*{axis}({body})" for k, axis in zip(parts, "XYZ", strict=False)) + f"-({rest!r})"


PARTS = ["link", "link", "driven_link", "rod", "rod", "plate", "on_a_rail", "on_a_spring", "disk"]
ACTS = ["loop", "string", "pull", "brake", "turn", "gear", "joint_spring"]


def random_machine(luck, integrator="RK4"):
    builder = Builder(luck)
    for _ in range(luck.randint(1, 4)):
        getattr(builder, luck.choice(PARTS))(builder.base())
    for _ in range(luck.randint(0, 3)):
        getattr(builder, luck.choice(ACTS))()
    builder.cards.integrator = integrator
    return builder.cards


def variants(cards, luck):
    """What for, the view, the text."""
    here = View()
    yield "shuffled", here, cards.text(here, luck)
    yield "written otherwise", here, cards.text(here, otherwise=True)
    for what, view in {
        "moved": View(shift=(3.0, -2.0)),
        "mirrored": View(mirror=True),
        "turned": View(angle=luck.uniform(0, 6)),
        "in space": View(space=luck.randrange(1000)),
    }.items():
        yield what, view, cards.text(view)


def is_regular(motion):
    report = motion.report
    return motion.status.ok and not (report.passages or report.warnings or report.leaps or report.refined)


def points(motion, cards):
    """Positions of the points that the text names: rigid bodies have vectors of their own beside them."""
    return motion.q[:, [motion.bodies.index(name) for name in cards.bodies]]


def check(cards, luck, counted):
    text = cards.text(View())
    try:
        motion = chainlist.simulate(text)
    except chainlist.ChainlistError as error:
        counted["refused " + str(error).split("]")[0].split("[")[-1]] += 1
        return
    if not is_regular(motion):
        counted["singular, conflicting or coarse, told so"] += 1
        return
    assert motion.report.energy_error_relative < KEPT, text
    counted["energy kept"] += 1
    for what, view, other in variants(cards, luck):
        if other is None:
            continue
        again = chainlist.simulate(other)
        assert again.status.ok, (what, text, other)
        expected = points(motion, cards) @ view.matrix.T + view.shift
        assert np.abs(points(again, cards) - expected).max() < SAME, (what, text, other)
        counted[what] += 1


def campaign(machines, seed, integrator="RK4"):
    counted = Counter()
    for number in range(machines):
        luck = random.Random(seed + number)
        check(random_machine(luck, integrator), luck, counted)
        counted["machines"] += 1
    return counted


def test_random_machines_of_all_elements():
    counted = campaign(4, 1)
    assert counted["turned"] >= 3 and counted["in space"] >= 2


@pytest.mark.long
@pytest.mark.parametrize("integrator", ["RK4", "DOP853", "SDIRK4"])
def test_many_random_machines_of_all_elements(integrator):
    counted = campaign(200, 1000, integrator)
    sys.stdout.write(f"{integrator}: {dict(counted)}\n")
    assert counted["written otherwise"] > 150 and counted["in space"] > 100
