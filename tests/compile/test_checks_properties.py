"""Random mechanisms: the checks always answer, and the answer depends neither on the order nor on the unit of length."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chainlist.compile.checks import check, diagnose
from chainlist.syntax.diagnostics import Diagnostics

coordinate = st.integers(-3, 3).map(float)
point = st.tuples(coordinate, coordinate)
any_number = st.floats(allow_nan=False, allow_infinity=False, width=64)


@st.composite
def descriptions(draw, strange: bool = False):
    """Bodies on a coarse grid, where much is on one line, with random links, anchors and sliders.

    A strange one also has lengths and starts that do not fit, and numbers of any size.
    """
    count = draw(st.integers(1, 6))
    names = [f"B{k}" for k in range(count)]
    places = draw(st.lists(point, min_size=count, max_size=count, unique=True))
    bodies = dict(zip(names, places, strict=True))
    end = st.sampled_from(names)
    links = []
    for a, b in draw(st.lists(st.tuples(end, st.one_of(end, point)), max_size=12)):
        if a != b and bodies[a] != b:
            length = draw(st.one_of(st.none(), st.floats(1e-3, 10.0))) if strange else None
            links.append((a, b) if length is None else (a, b, length))
    sliders = []
    for name, k1, k2 in draw(st.lists(st.tuples(end, coordinate, coordinate), max_size=3)):
        if k1 or k2:
            fits = k1 * bodies[name][0] + k2 * bodies[name][1]
            sliders.append((name, k1, k2, draw(st.one_of(st.just(fits), any_number)) if strange else fits))
    more = {}
    if strange:
        anywhere = st.one_of(point, st.tuples(any_number, any_number))
        more = {
            "start": draw(st.dictionaries(end, anywhere)),
            "velocity": draw(st.dictionaries(end, anywhere)),
        }
    return bodies, links, sliders, more


@settings(max_examples=20, deadline=None)
@given(descriptions(strange=True))
def test_checks_always_answer(machine, description) -> None:
    has_an_answer(machine, description)


@pytest.mark.long
@settings(max_examples=400, deadline=None)
@given(descriptions(strange=True))
def test_checks_always_answer_hundreds_of_times(machine, description) -> None:
    has_an_answer(machine, description)


def has_an_answer(machine, description) -> None:
    bodies, links, sliders, more = description
    report = Diagnostics()
    findings = diagnose(machine(bodies, links, sliders, **more), report)
    freedom = findings.freedom
    assert 0 <= freedom.rank_as_written <= min(freedom.coordinates, freedom.constraints)
    assert 0 <= freedom.degrees <= freedom.coordinates
    assert all(d.message and d.help for d in report.diagnostics)
    assert bool(report.errors) == findings.conflicting


def essence(findings):
    """What may not depend on order or scale."""
    freedom = findings.freedom
    dependences = len(findings.redundant) + len(findings.degenerate) + len(findings.singular)
    return (
        freedom.coordinates,
        freedom.constraints,
        freedom.rank_as_written,
        freedom.rank_with_bars,
        sorted((len(bar.points), *sorted(end for end in bar.points if isinstance(end, str))) for bar in findings.bars),
        dependences > 0,
        findings.conflicting,
        len(findings.off_position),
        sorted(findings.unheld),
    )


@settings(max_examples=150, deadline=None)
@given(descriptions())
def test_rank_is_that_of_the_dense_matrix(machine, description) -> None:
    bodies, links, sliders, _ = description
    mechanism = machine(bodies, links, sliders)
    start = np.array([body.start for body in mechanism.bodies])
    findings = check(mechanism)
    assert not findings.conflicting and not findings.off_position
    A = mechanism.equations(start, np.zeros_like(start)).A
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300)
    assert findings.freedom.rank_as_written == (np.linalg.matrix_rank(A, tol=1e-7) if A.size else 0)
    assert findings.freedom.rank_with_bars >= findings.freedom.rank_as_written


@settings(max_examples=100, deadline=None)
@given(descriptions(), st.randoms(use_true_random=False), st.sampled_from([-13, 0, 13]))
def test_order_and_scale_do_not_matter(machine, description, random, power) -> None:
    """Scaling by a power of 2 changes no digit, so that nothing but the tolerances could tell the difference."""
    bodies, links, sliders, _ = description
    factor = 2.0**power

    def moved(end):
        return end if isinstance(end, str) else (factor * end[0], factor * end[1])

    shuffled = list(bodies.items())
    random.shuffle(shuffled)
    turned = [(moved(b), moved(a)) for a, b in links]
    random.shuffle(turned)
    lines = [(name, k1, k2, factor * konst) for name, k1, k2, konst in sliders]
    random.shuffle(lines)
    one = check(machine(bodies, links, sliders))
    other = check(machine({name: moved(at) for name, at in shuffled}, turned, lines))
    assert one.doubts == other.doubts == ()
    assert essence(one) == essence(other)
