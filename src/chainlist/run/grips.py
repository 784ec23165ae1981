"""Who holds on from now, who lets go, who slips and who sticks: the law of contact over the rows of `impacts`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from chainlist.kernels.bundles import Floats
from chainlist.run.impacts import EQUAL, RANK, TOLD, Contacts, Flags, pushes
from chainlist.run.sharing import LIMIT, shares

JAM = 1e-9
SOFT = 1e-7  # of the largest number of a problem: an answer with more than that is wrong
AGREES = (
    1e-4  # of the largest acceleration: more rows than a body has freedoms agree but for the rounding of where it is
)
MOST_TRIED = 2_000  # ways to hold and slip
SWEEPS = 2_000  # of the relaxation, before there is no answer
BEYOND = 1e6  # of the force that would stop a row alone: it goes to infinity


@dataclass
class Grip:
    """Who holds, and how: over the gaps and tangents of `Contacts`."""

    holds: Flags  # (gaps,)
    slips: dict[int, Floats]  # gap → direction of the slip
    sticks: set[int]
    force: Floats  # of all rows
    jams: int = -1  # the gap at which friction leaves no unique motion
    told: dict[int, Floats] = field(default_factory=dict)  # of some that stick, their friction over their normal force


def decide(
    c: Contacts,
    pull: Floats,
    slip: dict[int, Floats],
    candidates: Flags,
    slow: float,
    let_go: frozenset[int] = frozenset(),
) -> Grip:
    """Which of the candidates hold from now on, and which of them slip or stick. `pull` is the acceleration of all rows as if none held.

    `slip`: the rates of the tangents of gaps with friction. A gap that does not slip sticks if its friction can hold it, and
    else begins to slip the way it is pulled; those in `let_go` reached the limit of their friction, and slip. One whose slip is
    told passes 0 and goes on.
    """
    first = _first(c, pull, slip, candidates, slow)
    # What reached the limit of its share alone goes on sticking, with others that can take more.
    if let_go & first.sticks:
        calm = _copied(first)
        if _settle(c, pull, candidates, calm, dict(first.slips), True) and _shared(c, pull, calm).told:
            return calm
    for k in let_go & first.sticks:
        _let_go(c, pull, first, k)
    moving = dict(first.slips)
    grip = first
    for turns, begin in ((True, first), (False, first), (False, None)):
        grip = begin or _relaxed(c, pull, candidates, moving)
        found = _copied(grip)
        if _settle(c, pull, candidates, found, moving, turns):
            if found.jams >= 0:
                return _only(c, pull, _tried(c, pull, candidates, moving)) or found
            return _shared(c, pull, found)
    if _is_content(c, pull, candidates, grip, moving, turned=False):
        return _shared(c, pull, grip)  # all of it is at rest, and forces that do it are many
    if (found_at_last := next(_tried(c, pull, candidates, moving), None)) is not None:
        return found_at_last
    grip.jams = int(np.abs(grip.force[: c.gaps]).argmax())
    return grip


def pressed(c: Contacts, pull: Floats, candidates: Flags) -> Floats:
    """The forces of all rows if nothing rubbed."""
    which = np.flatnonzero(candidates | c.free[: c.gaps])
    force = np.zeros(len(pull))
    force[which] = pushes(c.D[np.ix_(which, which)], pull[which], c.free[which])
    return force


def _first(c: Contacts, pull: Floats, slip: dict[int, Floats], candidates: Flags, slow: float) -> Grip:
    """As if nothing rubbed, and all that does not move stuck."""
    force = pressed(c, pull, candidates)
    grip = Grip(c.free[: c.gaps] | (force[: c.gaps] > 0.0), {}, set(), force)
    for k in map(int, np.flatnonzero(candidates | c.free[: c.gaps])):
        if c.sticking[k] > 0.0 or c.friction[k] > 0.0:
            speed = float(np.linalg.norm(slip[k]))
            turn = pull[c.tangents_of(k)]
            if speed > slow:
                grip.slips[k] = slip[k] / speed
            elif c.is_told(k) and np.linalg.norm(turn) > EQUAL * np.abs(pull).max():
                grip.slips[k] = turn / np.linalg.norm(turn)
            else:
                grip.sticks.add(k)
    return grip


def _shared(c: Contacts, pull: Floats, grip: Grip) -> Grip:
    """The same motion; where more sticks than there are freedoms, with the friction that some of it takes."""
    if grip.jams >= 0:
        return grip
    found = shares(c, pull, grip.holds, grip.sticks, lambda rows: _spread(c, grip, rows))
    if found is not None:
        grip.told, grip.force = found
    return grip


def _copied(grip: Grip) -> Grip:
    return Grip(grip.holds.copy(), dict(grip.slips), set(grip.sticks), grip.force)


def _let_go(c: Contacts, pull: Floats, grip: Grip, k: int) -> None:
    """It slips, and so do others that hold it with all that they can."""
    force = _forces(c, pull, grip, grip.slips)
    while _begin_to_slip(c, grip, k, force):
        force = _forces(c, pull, grip, grip.slips)
        spent = [
            j for j in sorted(grip.sticks) if grip.holds[j] and c.rubbing(force, j) > LIMIT * c.holding(force, j) > 0.0
        ]
        if not spent:
            return
        k = spent[0]


def _begin_to_slip(c: Contacts, grip: Grip, k: int, force: Floats) -> bool:
    """The way it is pulled: against the force that held it."""
    held = force[c.tangents_of(k)]
    size = float(np.linalg.norm(held))
    if size > 0.0:
        grip.sticks.remove(k)
        grip.slips[k] = -held / size
    return size > 0.0


def _settle(c: Contacts, pull: Floats, candidates: Flags, grip: Grip, moving: dict[int, Floats], turns: bool) -> bool:
    """Change one thing at a time until every row is content: no gap pulls or closes, no friction exceeds its limit.

    What slips already, `moving`, goes on slipping. False: it goes in circles, or the rows that hold contradict one another.
    """
    scale = float(np.abs(pull).max(initial=0.0))
    for _ in range(40 * (len(pull) + 1)):
        before, force = grip.force, _forces(c, pull, grip, moving)
        grip.force = force
        if grip.jams >= 0:
            return True
        most = float(np.abs(force).max(initial=0.0))
        if any(c.free[k] and before[k] * force[k] < 0.0 and abs(force[k]) > SOFT * most for k in grip.slips):
            continue  # pressed from the other side: there its friction is another
        rate = pull + c.D @ force
        pulling = [k for k in range(c.gaps) if grip.holds[k] and not c.free[k] and force[k] < -EQUAL * most]
        if pulling:
            k = min(pulling, key=lambda k: force[k])
            # While it sticks, what drags it along may seem to lift it: friction gives way first.
            if not (k in grip.sticks and _begin_to_slip(c, grip, k, force)):
                grip.holds[k] = False
            continue
        over = [k for k in grip.sticks if grip.holds[k] and _excess(c, force, k) > EQUAL * most]
        shared = _shared(c, pull, _copied(grip)) if over else grip
        if over and not shared.told:
            _begin_to_slip(c, grip, max(over, key=lambda k: _excess(c, force, k)), force)
            continue
        closing = [k for k in range(c.gaps) if candidates[k] and not grip.holds[k] and rate[k] < -1e-9 * scale]
        if closing:
            k = min(closing, key=lambda k: rate[k])
            grip.holds[k] = True
            if k in grip.slips and k not in moving:
                _stick(grip, k)
            continue
        back = [k for k, way in grip.slips.items() if k not in moving and _turns_back(c, rate, k, way, scale)]
        if back:
            _stick(grip, back[0])
            continue
        if turns and any(_turn(c, rate, grip, k, scale) for k in grip.slips if k not in moving):
            continue
        grip.told, grip.force = shared.told, shared.force
        return _is_content(c, pull, candidates, grip, moving, turns)
    return False


def _stick(grip: Grip, k: int) -> None:
    del grip.slips[k]
    grip.sticks.add(k)


def _turns_back(c: Contacts, rate: Floats, k: int, way: Floats, scale: float) -> bool:
    return float(rate[c.tangents_of(k)] @ way) < -1e-9 * scale


def _turn(c: Contacts, rate: Floats, grip: Grip, k: int, scale: float) -> bool:
    """In space a slip that begins turns towards where it goes; whether it has turned."""
    start = rate[c.tangents_of(k)]
    size = float(np.linalg.norm(start))
    if not grip.holds[k] or size <= SOFT * scale:
        return False
    way = start / size + grip.slips[k]
    way /= float(np.linalg.norm(way))
    if np.abs(way - grip.slips[k]).max() <= SOFT:
        return False
    grip.slips[k] = way
    return True


def _excess(c: Contacts, force: Floats, k: int) -> float:
    return c.rubbing(force, k) - c.holding(force, k)


def _is_content(
    c: Contacts, pull: Floats, candidates: Flags, grip: Grip, moving: dict[int, Floats], turned: bool
) -> bool:
    """Whether all that the law of contact asks for is so, but for rounding."""
    force, rate = grip.force, pull + c.D @ grip.force
    most, scale = (SOFT * float(np.abs(x).max(initial=0.0)) for x in (force, pull))
    moves = AGREES / SOFT * scale
    for k in range(c.gaps):
        which = c.tangents_of(k)
        if not grip.holds[k]:
            if candidates[k] and rate[k] < -scale:
                return False
            continue
        if abs(rate[k]) > moves or (force[k] < -most and not c.free[k]):
            return False
        if k in grip.sticks and (np.abs(rate[which]) > moves).any():
            return False
        if k in grip.sticks and _excess(c, force, k) > most:
            return False
        if k in grip.slips and force[which] @ grip.slips[k] > most:
            return False  # friction that drives
        whole = float(np.linalg.norm(rate[which])) if turned else 0.0
        if k in grip.slips and k not in moving and rate[which] @ grip.slips[k] < whole - scale:
            return False
    return True


def _relaxed(c: Contacts, pull: Floats, candidates: Flags, moving: dict[int, Floats]) -> Grip:
    """Who holds and who slips, from forces that are brought nearer to the law one gap after the other (Gauss and Seidel)."""
    force, rate = np.zeros(len(pull)), pull.copy()
    able = c.D.diagonal() > TOLD * c.alone
    scale = float(np.abs(pull).max(initial=0.0)) / float(c.D.diagonal()[able].min(initial=np.inf))
    some = [k for k in range(c.gaps) if (candidates[k] or c.free[k]) and able[k]]

    def put(row: int, value: float) -> float:
        change = value - force[row]
        force[row] = value
        np.add(rate, c.D[:, row] * change, out=rate)
        return float(abs(change))

    for _ in range(SWEEPS):
        change = 0.0
        for k in some:
            wanted = float(force[k] - rate[k] / c.D[k, k])
            change = max(change, put(k, wanted if c.free[k] else max(wanted, 0.0)))
            which = c.tangents_of(k)
            most = c.sticking[k] * abs(force[k])
            if k in moving:
                along = -c.friction[k] * abs(force[k]) * moving[k]
            else:  # one step for both tangents, so that friction ends against the slip
                stiff = float(c.D[which, which].max(initial=0.0))
                along = force[which] - (rate[which] / stiff if stiff > TOLD * c.alone[which].max(initial=0.0) else 0.0)
                size = float(np.linalg.norm(along))
                along = along * (most / size) if size > most else along
            for t, value in zip(which, along, strict=True):
                change = max(change, put(t, float(value)))
        largest = float(np.abs(force).max(initial=0.0))
        if change <= 1e-15 * largest or largest > BEYOND * scale:
            break
    holds = c.free[: c.gaps] | (candidates & (force[: c.gaps] > SOFT * float(np.abs(force).max(initial=0.0))))
    grip = Grip(holds, dict(moving), set(), force)
    for k in some:
        which = c.tangents_of(k)
        if which and k not in moving:
            size, most = float(np.linalg.norm(force[which])), c.sticking[k] * abs(float(force[k]))
            slips = np.abs(rate[which]).max() > SOFT * float(np.abs(pull).max(initial=0.0))
            if holds[k] and slips and size > 0.0 and size >= most * (1.0 - SOFT):
                grip.slips[k] = -force[which] / size
            else:
                grip.sticks.add(k)
    return grip


def _tried(c: Contacts, pull: Floats, candidates: Flags, moving: dict[int, Floats]) -> Iterator[Grip]:
    """In the plane, of few gaps: every way to hold, stick and slip that obeys the law, first those in which little holds."""
    choices: list[list[Floats | str]] = []
    for k in range(c.gaps):
        ways: list[Floats | str] = [] if c.free[k] else ["open"]
        along = c.tangents_of(k)
        if not (candidates[k] or c.free[k]):
            choices.append(["open"])
        elif not along or k in moving:
            choices.append([*ways, moving.get(k, "stick")])
        elif len(along) > 1:
            return
        else:
            choices.append([*ways, np.array([1.0]), np.array([-1.0]), "stick"])
    if math.prod(map(len, choices)) > MOST_TRIED:
        return
    rows = {"open": 0, "stick": 2}
    every = product(*choices)
    for way in sorted(every, key=lambda way: sum(rows[x] if isinstance(x, str) else 1 for x in way)):
        holds = np.array([not (isinstance(x, str) and x == "open") for x in way])
        slips = {k: x for k, x in enumerate(way) if not isinstance(x, str)}
        sticks = {k for k in range(c.gaps) if k not in slips and c.tangents_of(k)}
        for sign in (1.0, -1.0):  # of what presses on a rail
            grip = Grip(holds, slips, sticks, np.full(len(pull), sign))
            grip.force = _forces(c, pull, grip, {})
            if _is_content(c, pull, candidates, grip, moving, turned=False):
                yield grip


def _only(c: Contacts, pull: Floats, ways: Iterator[Grip]) -> Grip | None:
    """The first, if all of them move alike."""
    first = next(ways, None)
    if first is None:
        return None
    rate, scale = pull + c.D @ first.force, SOFT * float(np.abs(pull).max())
    alike = all(np.abs(pull + c.D @ other.force - rate).max() <= scale for other in ways)
    return first if alike else None


def _spread(c: Contacts, grip: Grip, rows: list[int]) -> Floats:
    """The forces of all rows, friction of what slips included, for one newton in each of some rows."""
    spread = np.zeros((len(c.D), len(rows)))
    for n, row in enumerate(rows):
        spread[row, n] = 1.0
        if row in grip.slips:
            sign = -1.0 if c.free[row] and grip.force[row] < 0.0 else 1.0
            spread[c.tangents_of(row), n] = -sign * c.friction[row] * grip.slips[row]
    return spread


def _forces(c: Contacts, pull: Floats, grip: Grip, moving: dict[int, Floats]) -> Floats:
    """Forces of all that holds, with friction where it slips. Of what is `moving` already, friction may leave no force: it jams."""
    solved = [k for k in range(c.gaps) if grip.holds[k]]
    solved += [t for k in sorted(grip.sticks) if grip.holds[k] for t in c.tangents_of(k)]
    force = np.zeros(len(pull))
    if not solved:
        return force
    spread = _spread(c, grip, solved)
    system = c.D[solved] @ spread
    for n, row in enumerate(solved):
        if row in moving and system[n, n] <= JAM * c.D[row, row]:
            grip.jams = row
            return force
    found = np.linalg.lstsq(system, -pull[solved], rcond=RANK)[0]
    answer: Floats = spread @ found
    return answer
