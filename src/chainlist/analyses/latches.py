"""Two neighbouring moments of members abreast, and what lies between them: as `between.py` has it for one motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chainlist.analyses.between import PLACES, hermite
from chainlist.kernels.bundles import Floats
from chainlist.model.mechanism import Formula
from chainlist.run.abreast import Abreast, Crew, Turned, Turns, Which


@dataclass(frozen=True, eq=False)
class Ends:
    """The states of members at a time each."""

    t: Floats
    q: Floats
    v: Floats
    a: Floats

    def only(self, which: Which) -> Ends:
        return Ends(self.t[which], self.q[..., which], self.v[..., which], self.a[..., which])


def ends_of(moment: Abreast) -> Ends:
    return Ends(moment.t, moment.q, moment.v, moment.a)


@dataclass(frozen=True, eq=False)
class Pair:
    """Neighbouring samples of some members, and how far things had turned at the first."""

    crew: Crew
    first: Ends
    last: Ends
    turns: Turns

    def at(self, part: Floats, turns: Turns | None = None) -> Abreast:
        """The moment at a part of the way, from 0 to 1; the ends themselves are exact."""
        h = self.last.t - self.first.t
        states = ((x, y) for x, y in zip(_of(self.first), _of(self.last), strict=True))
        q, v = hermite(part, h, *states)
        before = self.turns if turns is None else turns
        return Abreast(self.crew, self.first.t + part * h, q, v, self.first.a, before)

    def values_at(self, times: Floats, formula: Formula) -> Floats:
        return self.at((times - self.first.t) / (self.last.t - self.first.t)).value(formula)

    def follow(self, formulas: Sequence[Formula]) -> list[Floats]:
        """(members, NODES) for each item: its values at the nodes from the first sample to the last."""
        found: list[list[Floats]] = [[] for _ in formulas]
        turns = self.turns
        for place in PLACES:
            if place in (PLACES[0], PLACES[-1]):
                end = self.first if place < 0.0 else self.last
                moment = Abreast(self.crew, end.t, end.q, end.v, end.a, turns)
            else:
                moment = self.at(np.full(self.crew.size, 0.5 * (place + 1.0)), turns)
            for values, formula in zip(found, formulas, strict=True):
                values.append(moment.value(formula))
            turns = moment.turns
        return [np.stack(values, axis=1) for values in found]


def pair_of(before: Abreast, after: Abreast, which: Which) -> Pair:
    """Of some members."""
    turns = {key: turned.only(which) for key, turned in before.turns.items()}
    return Pair(before.crew.only(which), ends_of(before).only(which), ends_of(after).only(which), turns)


def _of(ends: Ends) -> tuple[Floats, Floats, Floats]:
    return ends.q, ends.v, ends.a


class Latch:
    """The moments between which something happened, for each member to which it did."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self.taken = np.zeros(crew.size, bool)
        self._ends: tuple[Ends, Ends] | None = None
        self._turns = Turns()

    def take(self, which: Which, before: Abreast, after: Abreast) -> None:
        """Remember the present moments for some members, whatever was remembered before."""
        if not len(which):
            return
        if self._ends is None:
            self._ends = _room(before), _room(before)
            self._turns = {
                key: Turned(*(np.zeros_like(turned.t) for _ in range(3))) for key, turned in before.turns.items()
            }
        for kept, moment in zip(self._ends, (before, after), strict=True):
            kept.t[which] = moment.t[which]
            for room, values in zip(_of(kept), (moment.q, moment.v, moment.a), strict=True):
                room[..., which] = values[..., which]
        for key, turned in before.turns.items():
            kept_turn = self._turns[key]
            kept_turn.t[which], kept_turn.angle[which] = turned.t[which], turned.angle[which]
            kept_turn.rate[which] = turned.rate[which]
        self.taken[which] = True

    def drop(self, which: Which) -> None:
        self.taken[which] = False

    @property
    def which(self) -> Which:
        return np.flatnonzero(self.taken)

    def among(self, these: Which) -> Which:
        """Those of some members that are remembered."""
        return these[self.taken[these]]

    def pair(self, these: Which | None = None) -> Pair | None:
        """Of the members that are remembered; of `these` alone where they are given."""
        which = self.which if these is None else self.among(these)
        if self._ends is None or not len(which):
            return None
        first, last = (ends.only(which) for ends in self._ends)
        turns = {key: turned.only(which) for key, turned in self._turns.items()}
        return Pair(self._crew.only(which), first, last, turns)


def _room(moment: Abreast) -> Ends:
    return Ends(*(np.zeros_like(x) for x in (moment.t, moment.q, moment.v, moment.a)))
