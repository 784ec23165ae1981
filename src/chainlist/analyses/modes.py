"""`.modes`: frequencies, damping and shapes of small motions; `chainlist.modes(mechanism)`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from chainlist.analyses.base import Analysis, Animation, Chart, Series, Study, register
from chainlist.analyses.equilibrium import Equilibrium, equilibrium
from chainlist.analyses.linear import Linearisation
from chainlist.analyses.stability import Complexes, rates_of
from chainlist.compile.held import with_held
from chainlist.compile.read import changed
from chainlist.kernels.bundles import Floats
from chainlist.model.analysis_card import AnalysisCard
from chainlist.model.mechanism import Mechanism
from chainlist.run.entry import changes_of
from chainlist.run.trajectory import Trajectory

SHOWN = 6  # modes, unless so many are asked for
SWING = 0.15  # of the size of the machine: how far a mode is shown to swing
FRAMES = 60  # of one period
MOVING = 3  # modes that are animated
VIEWED = 2.0  # s that the film of a mode lasts


@dataclass(frozen=True)
class Mode:
    """One small motion: x(t) = Re(shape·exp(root·t)). `shape` is (bodies, dimension), its largest part 1."""

    root: complex  # 1/s
    shape: Complexes

    @property
    def frequency(self) -> float:
        """Hz, of the swinging; 0 where it only grows or decays."""
        return abs(self.root.imag) / (2.0 * math.pi)

    @property
    def damping(self) -> float:
        """Ratio to the critical one: 0 undamped, 1 and more no longer swings, negative grows."""
        return -self.root.real / abs(self.root) if self.root else 0.0

    def words(self) -> str:
        if self.root.imag == 0.0:
            if self.root.real == 0.0:
                return "moves freely"
            verb = "grows" if self.root.real > 0.0 else "decays"
            return f"{verb} e-fold in {1.0 / abs(self.root.real):.6g} s"
        text = f"{self.frequency:.9g} Hz"
        if abs(self.damping) > 1e-12:
            text += f", damping ratio {self.damping:.6g}"
        return text


@dataclass(frozen=True)
class Modes:
    """Small motions about a state, the slowest first; what grows stands before all."""

    mechanism: Mechanism
    q: Floats  # (bodies, dimension) m
    about: str  # what state that is, in words
    modes: tuple[Mode, ...]
    shown: int = SHOWN

    def __len__(self) -> int:
        return len(self.modes)

    def __getitem__(self, number: int) -> Mode:
        return self.modes[number]

    @cached_property
    def frequencies(self) -> Floats:
        """Hz, one for each mode."""
        return np.array([mode.frequency for mode in self.modes])

    @cached_property
    def damping(self) -> Floats:
        return np.array([mode.damping for mode in self.modes])

    @cached_property
    def roots(self) -> Complexes:
        return np.array([mode.root for mode in self.modes])

    def motion(self, number: int, lasting: float | None = None) -> Trajectory:
        """One period of a mode, large enough to be seen, or five times its time constant where it does not swing.

        `lasting` [s]: slowed down or sped up to this.
        """
        mode = self.modes[number]
        size = float(np.ptp(self.q, axis=0).max()) or 1.0
        rate = abs(mode.root.imag) or abs(mode.root.real) or 1.0
        span = 2.0 * math.pi / rate if mode.root.imag else 5.0 / rate
        t = np.linspace(0.0, span, FRAMES + 1)
        decay = min(mode.root.real, 0.0) if mode.root.imag == 0.0 else 0.0  # a swinging mode is shown as it swings
        phase = np.exp((decay + 1j * mode.root.imag) * t)
        if mode.root.real > 0.0 and mode.root.imag == 0.0:
            phase = np.exp(mode.root.real * (t - span)) + 0j
        x = SWING * size * (phase[:, None, None] * mode.shape).real
        shown = t if lasting is None else t * (lasting / span)
        return Trajectory(self.mechanism, shown, self.q + x, np.gradient(x, shown, axis=0))

    def figures(self) -> list[tuple[str, str]]:
        lines = [("modes", f"{len(self.modes)}, about {self.about}")]
        for number, mode in enumerate(self.modes[: self.shown], start=1):
            lines.append((f"  mode {number}", mode.words()))
        if len(self.modes) > self.shown:
            lines.append(("", f"… {len(self.modes) - self.shown} more: ask for them with .modes {len(self.modes)}"))
        return lines

    def data(self) -> dict[str, Any]:
        names = [body.name for body in self.mechanism.points]
        index = self.mechanism.body_index
        return {
            "about": self.about,
            "modes": [
                {
                    "frequency": mode.frequency,
                    "damping": mode.damping,
                    "root": [mode.root.real, mode.root.imag],
                    "shape": {
                        name: [[float(z.real), float(z.imag)] for z in mode.shape[index[name]]] for name in names
                    },
                }
                for mode in self.modes[: self.shown]
            ],
        }

    def pictures(self) -> list[Chart | Animation]:
        moving = range(min(MOVING, self.shown, len(self.modes)))
        motions = [Animation(f"mode-{k + 1}", self.motion(k), lasting=VIEWED) for k in moving]
        if len(self.modes) < 2:
            return [*motions]
        numbers = np.arange(1.0, len(self.modes) + 1.0)
        series = (Series("", numbers, self.frequencies),)
        return [Chart("modes", "Modes", "mode", "frequency [Hz]", series, kind="stems", counts=True), *motions]


def modes(
    source: Mechanism | str | Path | Equilibrium, count: int | None = None, *, at_start: bool = False, **changes: Any
) -> Modes:
    """The small motions of a mechanism about its equilibrium (`at_start`: about its start).

    `source` is a mechanism, the path of a chainlist, its text, or an equilibrium that was found before.

    >>> found = modes("* Pendulum\\nB1 (0,-9.81) 1\\nC1 B1 (0,0)\\n.options gravity=9.81\\n.tran 0 1 1ms\\n")
    >>> round(found[0].frequency * 2 * math.pi, 12)
    1.0
    """
    if isinstance(source, Equilibrium):
        mechanism, about = source.mechanism, _about(source)
        line = Linearisation(mechanism)
        q = source.q[: line.rest.count]
    else:
        mechanism = changed(source, changes_of(**changes))
        if not at_start:
            return modes(equilibrium(mechanism), count)
        line = Linearisation(mechanism)
        q, about = line.rest.start, "the start"
    rates = rates_of(line.at(q))
    found = []
    for root, shape in zip(rates.roots, rates.shapes.T, strict=True):
        parts = shape.reshape(1, *q.shape)
        whole = with_held(mechanism, parts.real)[0] + 1j * with_held(mechanism, parts.imag)[0]
        found.append(Mode(complex(root), _normal(whole, mechanism)))
    place = with_held(mechanism, q[None])[0]
    return Modes(mechanism, place, about, tuple(found), SHOWN if count is None else count)


def _about(found: Equilibrium) -> str:
    name, far = found.moved
    stable = "a stable" if found.stable else "an unstable"
    return f"{stable} equilibrium" + (f", {far:.3g} m from the start ({name})" if far > 1e-9 else ", the start")


def _normal(shape: Complexes, mechanism: Mechanism) -> Complexes:
    """Scaled so that the largest part of a body that is seen is 1."""
    seen = [i for i, body in enumerate(mechanism.bodies) if not body.is_inner] or list(range(len(shape)))
    parts = shape[seen].ravel()
    largest = parts[int(np.abs(parts).argmax())]
    return shape / largest if largest != 0.0 else shape


@dataclass(frozen=True)
class _Asked:
    count: int | None
    at_start: bool


def _read(card: AnalysisCard) -> _Asked:
    count = card.whole("the number of modes") if card.more else None
    return _Asked(count, card.named_word("AT", "START") is not None)


def _run(asked: _Asked, study: Study) -> Modes:
    known = study.earlier.get("op")
    if isinstance(known, Equilibrium) and not asked.at_start:
        return modes(known, asked.count)
    return modes(study.mechanism, asked.count, at_start=asked.at_start)


register(
    Analysis(
        "modes",
        ".modes [n] [AT=START]",
        "frequencies, damping and shapes of small motions about the equilibrium, or about the start",
        _read,
        _run,
    )
)
