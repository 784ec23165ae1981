"""The texts of the reference problems say what the references compute, and what the paper's listings say."""

import numpy as np
import pytest

import chainlist
from tests.references.problems import PROBLEMS, Problem

LISTINGS = {
    "pendulum": 1,
    "double_pendulum": 2,
    "chain_12": 3,
    "slider_crank": 4,
    "lever": 6,
    "pendulum_from_top": 7,
    "chain_9": 11,
    "chain_16": 12,
    "rhombus": 14,
    "five_bar": 15,
    "crosshair": 16,
    "unbalanced_lever": 17,
}


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_text_reads_back_to_its_linkage(problem: Problem) -> None:
    mechanism = chainlist.parse(problem.text)
    linkage = problem.linkage
    assert np.array_equal([body.start for body in mechanism.bodies], linkage.start)
    assert np.array_equal([body.velocity for body in mechanism.bodies], linkage.start_velocity)
    assert [body.mass for body in mechanism.bodies] == list(linkage.masses)
    assert len(mechanism.links) == len(linkage.links)
    assert mechanism.counts["sliders"] == len(linkage.sliders)
    assert (mechanism.transient.stop, mechanism.transient.step) == (linkage.stop, linkage.step)
    assert mechanism.options.gravity == linkage.gravity
    assert problem.span <= linkage.stop


@pytest.mark.parametrize("name", LISTINGS)
def test_a_text_is_the_mechanism_of_the_paper(name: str, listing) -> None:  # type: ignore[no-untyped-def]
    ours, paper = chainlist.parse(PROBLEMS[name].text), chainlist.load(listing(LISTINGS[name]))
    assert [(b.position, b.mass, b.start, b.velocity) for b in ours.bodies] == [
        (b.position, b.mass, b.start, b.velocity) for b in paper.bodies
    ]
    assert {(frozenset(c.ends), c.parameters) for c in ours.constraints} == {
        (frozenset(c.ends), c.parameters) for c in paper.constraints
    }
    assert ours.options.gravity == paper.options.gravity
    assert ours.transient == paper.transient
