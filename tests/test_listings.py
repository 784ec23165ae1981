"""The listings of the paper: each is read with only the remarks that are due."""

import pytest

import chainlist
from chainlist.compile.checks import check

DUE = {
    1: {"N201", "N202"},
    2: {"N201", "N202"},
    3: {"N202"},
    5: {"N201", "N202", "W301", "W302", "W303"},  # redundant, degenerate, cannot move
    6: {"N201", "N202", "W302"},  # degenerate
    10: {"W304"},  # the start does not fit
    17: {"W302"},
}


@pytest.mark.parametrize("number", range(1, 18))
def test_only_the_remarks_that_are_due(number, listing):
    mechanism = chainlist.load(listing(number))
    said = [d.code for d in mechanism.diagnostics]
    assert sorted(said) == sorted(DUE.get(number, set()))


def test_the_12_link_chain(listing):
    chain = chainlist.load(listing(3))
    assert len(chain.bodies) == 12 and len(chain.links) == 12
    assert chain.bodies[6].name == "B7" and chain.bodies[6].position == (1.4, 0.0)
    assert chain.constraints[6].name == "C7" and chain.constraints[6].ends == ("B6", "B7")
    assert (chain.options.gravity, chain.options.mpitol) == (1.0, 1e-12)


def test_lazy_tongs(listing):
    tongs = chainlist.load(listing(5))
    assert len(tongs.bodies) == 8 and len(tongs.links) == 18
    place = {body.name: body.position for body in tongs.bodies}
    assert (place["B5"], place["B6"], place["B7"], place["B8"]) == ((3, -1), (3, 1), (5, 1), (5, -1))
    freedom = check(tongs).freedom
    assert str(freedom) == "16 coordinates, 18 constraints, rank 12 as written, 16 with its straight bars: cannot move"


def test_continuation_as_the_paper_writes_it(listing):
    rhombus = chainlist.load(listing(14)).options
    assert (rhombus.dampalpha, rhombus.dampbeta, rhombus.integrator) == (1, 1, "MIDPOINT")
    assert (rhombus.plotmode, rhombus.frame, rhombus.energycorrector) == ("ANIMATEWITHSTROBO", 0.1, "ON")
