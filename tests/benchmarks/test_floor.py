"""The C program of the benchmark must compute the right motion: a wrong floor would be no floor."""

import math

import pytest

from benchmarks.floor import floor_step, program
from benchmarks.mechanisms import Mechanism, chain, double_pendulum
from benchmarks.report import Unavailable
from tests.references.linkage import Linkage
from tests.references.problems import PROBLEMS


@pytest.fixture(autouse=True)
def compiler() -> None:
    try:
        program()
    except Unavailable as reason:
        pytest.skip(str(reason))


def with_anchors(linkage: Linkage) -> Mechanism:
    """A linkage of the references, its anchors as points in front."""
    anchors = list(dict.fromkeys(other for _, other in linkage.links if not isinstance(other, int)))
    shift = len(anchors)
    links = [
        (body + shift, other + shift if isinstance(other, int) else anchors.index(other))
        for body, other in linkage.links
    ]
    points = [*anchors, *linkage.places]
    return Mechanism(linkage.title, linkage.gravity, points, frozenset(range(shift)), links)


@pytest.mark.parametrize(
    ("name", "mechanism"),
    [
        ("double_pendulum", double_pendulum()),
        ("chain_16", chain(16)),
        ("five_bar", with_anchors(PROBLEMS["five_bar"].linkage)),  # a closed loop
    ],
)
def test_c_agrees_with_the_reference(name: str, mechanism: Mechanism) -> None:
    tip = PROBLEMS[name].states([2.0])[0, -1]
    errors = [math.dist(floor_step(mechanism, steps, 2.0 / steps, 1)[1], tip) for steps in (200, 400)]
    assert errors[1] < 1e-6
    assert errors[0] / errors[1] > 10  # fourth order
