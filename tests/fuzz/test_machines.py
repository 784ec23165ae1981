"""Random machines: their motion does not depend on how they are written, and reports agree with the data.

A machine is written again with its cards shuffled, mirrored, moved, turned, in millimetres, and run backwards: each time the
motion must be the same. Energies and residuals are computed anew from positions and velocities. Traces are cut at any byte.
What a campaign counted is printed: `make test-long` shows it.
"""

import itertools
import math
import random
import sys
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import chainlist
from chainlist.output.text_trace import TextTrace
from chainlist.output.traces import write_trace

STOP, STEP = 0.25, 1e-3
SAME = 1e-7  # m, of machines about a metre large
GRAVITY = 9.81
EXPLICIT = ["EULER", "MIDPOINT", "HEUN", "SSPRK3", "RK4", "DOPRI5", "DOP853"]
COARSE = {"EULER": 0.05, "MIDPOINT": 1e-4, "HEUN": 1e-4}  # how far from its start a run backwards may end [m]


@dataclass(frozen=True)
class Machine:
    """Points are numbers of bodies, or places of anchors."""

    places: list
    masses: list
    speeds: list
    links: list
    gravity: tuple = (0.0, -GRAVITY)
    options: dict = field(default_factory=dict)

    def text(self, luck=None, unit=""):
        factor = 1000.0 if unit == "mm" else 1.0

        def point(x, y):
            return f"({x * factor!r}{unit},{y * factor!r}{unit})"

        def end(p):
            return f"B{p + 1}" if isinstance(p, int) else point(*p)

        cards = []
        for i, ((x, y), mass, (vx, vy)) in enumerate(zip(self.places, self.masses, self.speeds, strict=True)):
            cards.append(f"B{i + 1} {point(x, y)} {mass!r} IC_VEL=({vx!r},{vy!r})")
        cards += [f"C{k + 1} {end(a)} {end(b)}" for k, (a, b) in enumerate(self.links)]
        if luck is not None:
            luck.shuffle(cards)
        settings = " ".join(f"{key}={value}" for key, value in self.options.items())
        gx, gy = self.gravity
        head = ["* Machine", *cards, f".options gravity=({gx!r},{gy!r}) {settings}"]
        return "\n".join([*head, f".tran 0 {STOP} {STEP}", ".plot Etotal", ""])

    def mapped(self, turn):
        """The same machine elsewhere: `turn(vector)` is linear, `turn.shift` moves it."""

        def place(p):
            return tuple(map(float, np.array(turn(p)) + turn.shift))

        links = [tuple(p if isinstance(p, int) else place(p) for p in ends) for ends in self.links]
        return replace(
            self,
            places=[place(p) for p in self.places],
            speeds=[tuple(turn(v)) for v in self.speeds],
            links=links,
            gravity=tuple(turn(self.gravity)),
        )


class Turn:
    """x → R x + shift."""

    def __init__(self, angle=0.0, mirror=False, shift=(0.0, 0.0)):
        c, s = math.cos(angle), math.sin(angle)
        self.matrix = np.array([[c, -s], [s, c]]) @ np.diag([-1.0 if mirror else 1.0, 1.0])
        self.shift = np.array(shift)

    def __call__(self, vector):
        return tuple(map(float, self.matrix @ np.array(vector)))


def random_machine(luck, options):
    """A tree of links with a loop now and then, clear of singular positions at its start, at rest."""
    places, links = [], []
    for i in range(luck.randint(1, 5)):
        holds = luck.randrange(i) if i and luck.random() < 0.75 else (luck.uniform(-1, 1), luck.uniform(-1, 1))
        origin = places[holds] if isinstance(holds, int) else holds
        angle, length = luck.uniform(0, 2 * math.pi), luck.uniform(0.4, 1.2)
        places.append((origin[0] + length * math.cos(angle), origin[1] + length * math.sin(angle)))
        links.append((i, holds))
    if luck.random() < 0.4:
        links.append((len(places) - 1, (luck.uniform(-2, 2), luck.uniform(-2, 2))))
    masses = [luck.uniform(0.5, 2) for _ in places]
    return Machine(places, masses, [(0.0, 0.0) for _ in places], links, options=options)


def variants(machine, luck):
    """How it can be written otherwise: what for, the machine, its text, and how its positions are mapped."""
    same = Turn()
    yield "shuffled", machine.text(luck), same
    yield "in millimetres", machine.text(unit="mm"), same
    kinds = {
        "moved": Turn(shift=(3.0, -2.0)),
        "mirrored": Turn(mirror=True),
        "turned": Turn(angle=luck.uniform(0, 6)),
    }
    for what, turn in kinds.items():
        yield what, machine.mapped(turn).text(), turn


def is_regular(motion):
    report = motion.report
    warned = report.warnings and motion.mechanism.options.integrator != "EULER"  # it is always warned of: too coarse
    return motion.status.ok and not (report.passages or warned or report.leaps or report.refined)


def recomputed(motion, machine):
    """Energies and residuals from positions and velocities alone, as a student would."""
    q, v = motion.q, motion.v
    mass, g = np.array(machine.masses), np.array(machine.gravity)
    energy = 0.5 * (mass * (v**2).sum(axis=2)).sum(axis=1) - (mass[:, None] * q * g).sum(axis=(1, 2))
    worst = 0.0
    for a, b in machine.links:
        ends = [q[:, p] if isinstance(p, int) else np.array(p) for p in (a, b)]
        squares = ((ends[0] - ends[1]) ** 2).sum(axis=1)
        places = [np.array(machine.places[p] if isinstance(p, int) else p) for p in (a, b)]
        worst = max(worst, float(np.abs(squares - ((places[0] - places[1]) ** 2).sum()).max()))
    return float(np.abs(energy - energy[0]).max()), worst


def check_machine(machine, luck, counted):
    """One machine in all its variants."""
    motion = chainlist.simulate(machine.text())
    if not is_regular(motion):
        counted["singular or broken, told so"] += 1
        return
    energy, residual = recomputed(motion, machine)
    assert motion.report.energy_error == pytest.approx(energy, rel=1e-6, abs=1e-11), machine.text()
    assert motion.report.residual.value == pytest.approx(residual, rel=1e-6, abs=1e-13), machine.text()
    counted["reports against data"] += 1
    for what, text, turn in variants(machine, luck):
        other = chainlist.simulate(text)
        order = [other.bodies.index(name) for name in motion.bodies]
        expected = motion.q @ turn.matrix.T + turn.shift
        assert np.abs(other.q[:, order] - expected).max() < SAME, (what, machine.text(), text)
        counted[what] += 1
    back = replace(
        machine,
        places=[tuple(map(float, p)) for p in motion.q[-1]],
        speeds=[tuple(map(float, -v)) for v in motion.v[-1]],
    )
    back = chainlist.simulate(back.text())
    if is_regular(back):
        near = COARSE.get(machine.options.get("INTEGRATOR"), 1e-5)
        assert np.abs(back.q[-1] - motion.q[0]).max() < near, machine.text()
        counted["backwards"] += 1


def campaign(count, seed, settings):
    """Machines, each with one of the `settings`; returns what was counted."""
    luck = random.Random(seed)
    counted = Counter()
    for _ in range(count):
        check_machine(random_machine(luck, luck.choice(settings)), luck, counted)
        counted["machines"] += 1
    return counted


def test_random_machines():
    counted = campaign(12, 1, [{}])
    assert counted["reports against data"] >= 6 and counted["turned"] == counted["shuffled"] >= 6


@pytest.mark.long
@pytest.mark.parametrize("integrator", [*EXPLICIT, "RATTLE", "RATTLE4", "SDIRK4"])
def test_many_random_machines(integrator):
    choices = {"INTEGRATOR": [integrator], "GUARD": ["ON", "OFF"]}
    if integrator in EXPLICIT:
        choices["MPI_ALGO"] = ["AUTO", "SVD", "GREVILLE", "CHOLESKY", "GENCHOLESKY"]
        choices["DAESYSTEM"] = ["PROJECTED", "INDEX1", "INDEX1_2", "INDEX1_2_DAMPED"]
        choices["ENERGYCORRECTOR"] = ["OFF", "OFF", "ON"]
    if integrator in ("DOPRI5", "DOP853"):
        choices["DAESYSTEM"].remove("INDEX1_2_DAMPED")
        choices["ENERGYCORRECTOR"] = ["OFF"]
    settings = [dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values())]
    few = random.Random(integrator).sample(settings, min(6, len(settings)))  # each has kernels of its own to compile
    counted = campaign(100, 7, few)
    sys.stdout.write(f"{integrator}: {dict(counted)}\n")
    assert counted["reports against data"] > 40


def cut_traces(folder, cuts, seed):
    """Traces of all kinds, cut short at random bytes: what is left is read, or refused in words."""
    luck = random.Random(seed)
    text = "* Pendulum\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.05 1E-3\n.print TEXTTRACEFILE=a.txt Time Q(B1) V(B1)\n"
    motion = chainlist.simulate(text)
    counted = Counter()
    for suffix in ("txt", "npz", "mat", "nc", "csv", "raw"):
        whole = folder / f"whole.{suffix}"
        write_whole(motion, whole)
        data = whole.read_bytes()
        for _ in range(cuts):
            cut = folder / f"cut.{suffix}"
            cut.write_bytes(data[: luck.randrange(len(data))])
            try:
                chainlist.read_trace(cut)
                counted[f"{suffix} read in part"] += 1
            except chainlist.ChainlistError as error:
                assert str(error)
                counted[f"{suffix} refused"] += 1
    return counted


def write_whole(motion, path):
    if path.suffix != ".txt":
        write_trace(motion, path)
        return
    with TextTrace.create(path, motion.mechanism, motion.mechanism.prints[0]) as trace:
        trace.write(motion)


def test_traces_that_were_cut(tmp_path):
    counted = cut_traces(tmp_path, 8, 1)
    assert sum(counted.values()) == 48 and counted["npz refused"] == counted["mat refused"] == 8


@pytest.mark.long
def test_many_traces_that_were_cut(tmp_path):
    sys.stdout.write(f"{dict(cut_traces(tmp_path, 300, 2))}\n")
