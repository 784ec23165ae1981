"""Gauges and counters: fields with names, the same for compiled kernels, interpreted ones and Python."""

import copy
import pickle
from typing import NamedTuple

import numpy as np
import pytest

from chainlist.kernels.address import NumbersType
from chainlist.kernels.bind import bind
from chainlist.kernels.gauges import Count, Gauge, Numbers


class Bundle(NamedTuple):
    gauge: Gauge
    count: Count


def write(w, x):
    gauge, count = w.gauge, w.count
    for _ in range(3):
        add(gauge, count, x)
    gauge.chosen = count.steps  # an integer becomes a float
    gauge.error = x / gauge.aim  # by 0
    count.steady = -count.steps


def add(gauge, count, x):
    count.steps += 1
    gauge.least += x * count.steps
    if gauge.least > 2.0:
        gauge.max_eta = max(gauge.max_eta, gauge.least)


def written(target, w):
    with np.errstate(all="ignore"):
        bind(write, target=target, entry=True, add=bind(add, target=target))(w, 0.7)
    return w.gauge.numbers.tolist(), w.count.numbers.tolist()


def test_compiled_kernels_write_what_interpreted_ones_do():
    w = Bundle(Gauge(), Count())
    assert written("cpu", w) == written("python", Bundle(Gauge(), Count()))
    assert (w.count.steps, w.count.steady, w.gauge.chosen, w.gauge.error) == (3, -3, 3.0, np.inf)
    w.gauge.least, w.count.steps = 1.0, 9
    written("cpu", w)
    assert w.count.steps == 12, "compiled kernels see what Python writes"
    assert sum(w.count.numbers != 0) == 2 and sum(w.gauge.numbers != 0) == 4, "and write to nothing else"


def test_a_field_that_is_not_declared_is_refused():
    def misspelt(w):
        w.count.stepz = 1

    with pytest.raises(AttributeError, match="stepz"):
        misspelt(Bundle(Gauge(), Count()))
    with pytest.raises(Exception, match="stepz"):
        bind(misspelt, target="cpu", entry=True)(Bundle(Gauge(), Count()))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda gauge: pickle.loads(pickle.dumps(gauge))])
def test_a_copy_has_numbers_of_its_own(copied):
    gauge = Gauge()
    gauge.eta = 2.0
    twin = copied(gauge)
    gauge.eta = 3.0
    assert twin.eta == 2.0


def test_other_fields_are_another_type():
    """Machine code on disk that was made for other fields, or for these in another order, is not taken."""

    class One(Numbers):
        a: float
        b: float

    first = NumbersType(One).name

    class One(Numbers):
        b: float
        a: float

    assert NumbersType(One).name != first
