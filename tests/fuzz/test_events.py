"""Random machines with ropes, walls, friction and breaking: every run ends with a word, and nothing passes a wall."""

import math
import random

import numpy as np
import pytest

import chainlist


def machine(luck: random.Random) -> tuple[str, list[tuple[float, float, float]], list[float]]:
    """The text, its walls (k1, k2, konst) and the radii of its bodies; all bodies start in front of all walls."""
    count = luck.randint(1, 5)
    places = [(round(luck.uniform(-1, 1) + 1.2 * n, 6), round(luck.uniform(0.4, 2.0), 6)) for n in range(count)]
    radii = [luck.choice([0.0, 0.0, 0.1, 0.15]) for _ in range(count)]
    lines = ["* Random"]
    for n, ((x, y), r) in enumerate(zip(places, radii, strict=True)):
        speed = f" IC_VEL=({luck.uniform(-3, 3):.3f},{luck.uniform(-3, 3):.3f})" if luck.random() < 0.4 else ""
        lines.append(f"B{n} ({x:.6f},{y:.6f}) {luck.choice([0.3, 1, 4])}{f' RADIUS={r}' if r else ''}{speed}")
    for n in range(count - 1):
        words = ["", "", " ROPE", f" ROPE REST={luck.random():.2f}", f" BREAK={luck.uniform(5, 60):.1f}N"]
        words += [f" CUT={{Y(B{n})<{luck.uniform(0, 1):.2f}}}", f" FROM={{time>{luck.uniform(0, 0.5):.2f}}}"]
        if luck.random() < 0.6:
            lines.append(f"C{n} B{n} B{n + 1}{luck.choice(words)}")
    if luck.random() < 0.6:
        x, y = places[0]
        lines.append(
            f"C9 B0 ({x + luck.uniform(-0.5, 0.5):.3f},{y + 1:.3f}){luck.choice(['', ' ROPE', ' ROPE LENGTH=1.4'])}"
        )
    if luck.random() < 0.3:
        lines.append(f"K1 B{count - 1} ({places[-1][0]:.3f},3) {luck.uniform(5, 80):.2f}")
    walls = []
    for n in range(luck.randint(1, 3)):
        angle = luck.choice([0.0, luck.uniform(-1.2, 1.2)]) + math.pi / 2
        k1, k2 = math.cos(angle), math.sin(angle)
        nearest = min(k1 * x + k2 * y - r for (x, y), r in zip(places, radii, strict=True))
        konst = nearest - luck.choice([0.0, luck.uniform(0, 1)])
        words = luck.choice(["", f" REST={luck.random():.2f}", " REST=1"]) + luck.choice(
            ["", "", f" MU={luck.random():.2f}"]
        )
        lines.append(f"W{n} LINE({k1!r},{k2!r},{konst!r}){words}")
        walls.append((k1, k2, konst))
    if sum(r > 0 for r in radii) > 1 and luck.random() < 0.7:
        lines.append(f"W9 ALL{luck.choice(['', ' REST=1', ' REST=0.4'])}")
    times = f".tran 0 {luck.choice([1, 2])} {luck.choice(['1e-2', '5e-3'])}"
    if luck.random() < 0.35:  # a rail through a body, that rubs on both sides
        n = luck.randrange(count)
        (x, y), angle = places[n], luck.uniform(0, math.pi)
        k1, k2 = math.cos(angle), math.sin(angle)
        around = f"CIRCLE(({x - 0.7 * k1!r},{y - 0.7 * k2!r}),0.7)"
        rail = luck.choice([f"LINE({k1!r},{k2!r},{k1 * x + k2 * y!r})", around])
        lines.append(f"S1 B{n} {rail} MU={luck.uniform(0.05, 0.9):.2f}")
    return "\n".join([*lines, times, ".plot Time", ""]), walls, radii


def check(seed: int) -> None:
    text, walls, radii = machine(random.Random(seed))
    try:
        made = chainlist.parse(text)
    except chainlist.ChainlistError as error:
        assert "E304" in str(error) or "E2" in str(error) or "E3" in str(error), text
        return
    motion = chainlist.simulate(made)
    assert motion.status.ok or motion.status.message, text
    for k1, k2, konst in walls:
        for n, r in enumerate(radii):
            gap = k1 * motion.q[:, n, 0] + k2 * motion.q[:, n, 1] - konst - r
            assert gap.min(initial=0.0) > -1e-9, (seed, n, float(gap.min()), text)
    assert all(event.lost >= 0.0 for event in motion.events), text
    wrong = motion.report.energy_error_relative
    if (
        motion.status.ok and wrong > 1e-3
    ):  # a coarse step: a finer one must show the order, one that is told too coarse a far finer one
        parts = 16 if "too coarse" in str(motion.report) else 4
        finer = chainlist.simulate(made, tran=(0.0, made.transient.stop, made.transient.step / parts))
        assert finer.report.energy_error_relative < wrong / 16, (seed, wrong, text)
    assert np.isfinite(motion.q).all() or not motion.status.ok, text
    if motion.status.ok:  # nothing drives these machines: they may only lose
        energy = motion.observe("Etotal").curves[0].values
        scale = motion.report.energy_error / wrong if wrong > 0.0 else 1.0
        rise = float(energy.max() - energy[0])
        assert rise <= 2.0 * motion.report.energy_error + 1e-9 * scale, (seed, rise, text)


@pytest.mark.parametrize("seed", range(12))
def test_random_machines(seed):
    check(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_a_thousand_random_machines(block):
    for seed in range(100 + 50 * block, 150 + 50 * block):
        check(seed)
