"""The listings of the paper: what is built from them, and the remarks that are due."""

import pytest

NO_TRAN = {1, 2, 5, 6}
NO_OUTPUT = {1, 2, 3, 5, 6}


@pytest.mark.parametrize("number", range(1, 18))
def test_only_the_remarks_that_are_due(read, listing, number):
    found = read(listing(number).read_text(encoding="utf-8"))
    assert found.mechanism is not None
    assert found.codes == ["N201"] * (number in NO_TRAN) + ["N202"] * (number in NO_OUTPUT)


def test_the_chain_of_twelve_links(read, listing):
    found = read(listing(3).read_text(encoding="utf-8"))
    assert (len(found.mechanism.bodies), len(found.mechanism.links)) == (12, 12)
    assert found.body["B7"].position == (1.4, 0)
    assert found.constraint["C7"].ends == ("B6", "B7")


def test_the_lazy_tongs(read, listing):
    found = read(listing(5).read_text(encoding="utf-8"))
    assert (len(found.mechanism.bodies), len(found.mechanism.links)) == (8, 18)
    positions = [found.body[f"B{i}"].position for i in (5, 6, 7, 8)]
    assert positions == [(3, -1), (3, 1), (5, 1), (5, -1)]


def test_starred_continuations_count(read, listing):
    options = read(listing(14).read_text(encoding="utf-8")).mechanism.options
    assert (options.integrator, options.energycorrector, options.dampbeta) == ("MIDPOINT", "ON", 1)
    assert (options.plotmode, options.frame) == ("ANIMATEWITHSTROBO", 0.1)
