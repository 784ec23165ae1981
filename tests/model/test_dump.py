"""dump: the text of a mechanism reads back to the same mechanism, bit for bit."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chainlist
from chainlist.compile.read import changed
from chainlist.elements import REGISTRY
from chainlist.elements.base import ElementType, Reading
from chainlist.examples import find
from chainlist.model.dump import CannotWrite, dump, plain_names
from chainlist.model.mechanism import Changes, Quantity

from ..cards import OF_FORCES, OF_POSITIONS, OF_VELOCITIES, with_bodies

EVERYTHING = """\
* all of it
.param L=20cm n=3
.submachine Arm BA, BB, m=2, (x0,y0)
BA (x0,y0) m IC_VEL=(1,2)
BB (x0+m,y0+0.1) m IC_POS=(x0,y0+3)
B7 (x0,y0+L) m
C1 BA BB
C2 B7 (x0-1,y0) LENGTH=0.7
S1 BB 1 2 {x0 + y0}
.end
.submachine Two BA BB BC
X1 Arm BA BB 1 (0.3,0.1)
X2 Arm BB BC m=1
.end
X1 Two B1 B2 B3
X2 Arm B3 B4
B_X2_7 (0,-1) n*L
B9 (1/3,-0.7) 1E-7
C1 B9 X1.X1.B7
C2 B9 B_X2_7
.tran 0.1 1 1ms
.options gravity={2*n} SAVE=2ms mpitol=1E-12
.plot "Q(B1) PATH(ALL)" {-X(B1)*2 - Y(B9)/n + 1E-3} DERIVATIVE(X2.C1)**2 sqrt(abs(T))
.plot ANGLE(C1) DIST(B1,(0,-0.1)) CONSTRAINTS(ALL) SHEAR(X1.X2.C1,C1) X(B1)/(2*Y(B1)) X(B1)-(Y(B1)-1) (X(B1)*2)*3
.plot 2**X(B1)**2 (X(B1)+1)**2 -(X(B1)+1) X(B1)*(-2) min(T,U) (X(B1)-1)+Y(B1) -X(B1)+1 T-(-U)
.print TEXTTRACEFILE="a b.txt" BINTRACEFILE="c.nc" FORMAT="%.9g" Time Bodies(VEL) TENSION(ALL)
.print
.print BINTRACEFILE="d.npz"
"""


def renamed(mechanism):
    """The mechanism under the names its dump gives, made without the dump."""
    names = plain_names(mechanism)

    def rename(thing):
        if isinstance(thing, Quantity):
            arguments = tuple(names.get(a, a) if isinstance(a, str) else a for a in thing.arguments)
            return Quantity(thing.function, arguments)
        if isinstance(thing, tuple):
            return tuple(rename(part) for part in thing)
        if dataclasses.is_dataclass(thing) and hasattr(thing, "formula"):
            return dataclasses.replace(thing, formula=rename(thing.formula))
        if dataclasses.is_dataclass(thing):
            return dataclasses.replace(
                thing, **{f.name: rename(getattr(thing, f.name)) for f in dataclasses.fields(thing)}
            )
        return thing

    return dataclasses.replace(
        mechanism,
        bodies=tuple(dataclasses.replace(b, name=names[b.name]) for b in mechanism.bodies),
        constraints=tuple(
            dataclasses.replace(c, name=names[c.name], ends=tuple(names.get(e, e) for e in c.ends))
            for c in mechanism.constraints
        ),
        plots=rename(mechanism.plots),
        prints=rename(mechanism.prints),
    )


def test_everything_reads_back(read):
    first = read(EVERYTHING)
    assert first.codes == []
    again = read(dump(first.mechanism))
    assert again.codes == []
    assert again.mechanism == renamed(first.mechanism)
    assert read(dump(again.mechanism)).mechanism == again.mechanism


@pytest.mark.parametrize("card", (*OF_POSITIONS, *OF_VELOCITIES, *OF_FORCES))
def test_every_form_of_every_element_reads_back(machine, read, card):
    first = machine(*with_bodies(card))
    again = read(dump(first.mechanism))
    assert again.codes == []
    assert again.mechanism == first.mechanism
    assert len(again.mechanism.elements) == 2 + (card[:2] not in ("C1", "C2"))


@pytest.mark.parametrize("card", (*OF_POSITIONS, *OF_VELOCITIES, *OF_FORCES))
def test_every_form_of_every_element_reads_back_from_inside_an_instance(read, card):
    inside = "\n".join(with_bodies(card))
    first = read(f"* t\n.submachine Arm\n{inside}\n.end\nX1 Arm\n.tran 0 1 1ms\n.plot Time\n")
    assert first.codes == []
    again = read(dump(first.mechanism))
    assert again.codes == []
    state = [body.start for body in first.mechanism.bodies], [(0.1, k) for k in range(4)], 0.3
    for one, other in zip(first.mechanism.equations(*state), again.mechanism.equations(*state), strict=True):
        assert one.tolist() == other.tolist()


def test_columns_without_effect_are_not_dumped(read):
    first = read("* t\nB1 (0,0) 1\n.tran 0 1 1ms\n.print BINTRACEFILE=a.npz Time V(B1)")
    assert first.codes == ["W205"]
    again = read(dump(first.mechanism))
    assert again.codes == [] and again.mechanism == first.mechanism


def test_names_with_dots_become_plain_ones_without_colliding(read):
    names = plain_names(read(EVERYTHING).mechanism)
    assert names["X1.X1.B7"] == "B_X1_X1_7"
    assert names["X2.B7"] == "B_X2_7_2"  # B_X2_7 is taken
    assert names["B_X2_7"] == "B_X2_7"
    assert len({name.lower() for name in names.values()}) == len(names)
    assert "B_X2_7_2 " in dump(read(EVERYTHING).mechanism)
    assert "; X2.B7" in dump(read(EVERYTHING).mechanism)


def rope(**more):
    """A type whose row has other numbers than its card, read in an order of its own."""

    def take(card):
        offset = card.named("OFF", "length")
        return Reading((card.body(), card.end()), (*card.numbers("PULLEY", "length", "length"), card.number(), offset))

    return ElementType(
        letter="L",
        name="rope",
        syntax="L<name> <body> <body | (x,y)> PULLEY(<x>,<y>) <n> [OFF=<l>]",
        meaning="made up for this test",
        read=take,
        parameters=lambda values, points: (1 / values[0], values[1], values[2] + (values[3] or 0), *points[1]),
        row=lambda k, s, w, t, q, v: None,
        **more,
    )


ROPES = """\
* ropes
.param L=20cm
B1 (0,1) 1
.submachine Arm B1, (x0,y0)
B2 (x0,y0) 1
L1 B1 B2 PULLEY(0.3,L) {2*L}
.end
X1 Arm B1 (0,2)
L1 B1 (1,1/3) 3*L 0.7 2 OFF=1cm
.tran 0 1 1ms
.plot Y(B1)
"""


def test_a_plug_in_without_a_writer_is_dumped_as_it_was_read(read, monkeypatch):
    monkeypatch.setitem(REGISTRY, "L", rope())
    first = read(ROPES)
    assert first.codes == []
    assert "L1 OFF=0.01 B1 (1,0.3333333333333333) PULLEY(0.6000000000000001,0.7) 2\n" in dump(first.mechanism)
    again = read(dump(first.mechanism))
    assert again.codes == []
    assert again.mechanism == renamed(first.mechanism)


def test_a_plug_in_that_turns_its_ends_round_needs_a_writer(read, monkeypatch):
    kind = rope()
    turned = dataclasses.replace(kind, read=lambda card: dataclasses.replace(r := kind.read(card), ends=r.ends[::-1]))
    monkeypatch.setitem(REGISTRY, "L", turned)
    with pytest.raises(CannotWrite, match="L1 cannot be written"):
        dump(read(ROPES).mechanism)


def test_a_plug_in_whose_values_move_needs_a_writer(read, monkeypatch):
    monkeypatch.setitem(REGISTRY, "L", rope(moved=lambda values, rotation, shift: values))
    with pytest.raises(CannotWrite, match="L1 cannot be written: the type rope has no `write`"):
        dump(read(ROPES).mechanism)


@pytest.mark.parametrize("number", range(1, 18))
def test_the_listings_read_back(read, listing, number):
    first = read(listing(number).read_text(encoding="utf-8")).mechanism
    again = read(dump(first))
    assert again.codes == []
    assert again.mechanism == renamed(first)


numbers = st.floats(-1e12, 1e12, allow_nan=False)
pairs = st.tuples(numbers, numbers)


@pytest.mark.parametrize(
    "item",
    [
        "TENSION(ALL)**(0.1431**0.93)",
        "TENSION(ALL)**0.1431**0.93",
        "{-(-X(B1))+(-(Y(B1)-X(B1)))-(-1)}",
        "{X(B1)+-(-(-1))-(+Y(B1))}",
        "{X(B1)+Y(B1)-1}",
        "{(-X(B1))**2-(-(X(B1)**-2))}",
    ],
)
def test_powers_and_nested_signs_of_items_read_back(read, item):
    first = read(f"* t\nB1 (1,0.5) 1\nC1 B1 (0,0)\n.plot {item}\n").mechanism
    assert read(dump(first)).mechanism == first


@given(
    st.lists(
        st.tuples(pairs, st.floats(1e-300, 1e300), pairs, pairs), min_size=2, max_size=5, unique_by=lambda b: b[0]
    ),
    st.one_of(st.none(), st.floats(1e-100, 1e100)),
    numbers,
)
def test_every_number_reads_back_to_the_same_bits(read, bodies, length, konst):
    lines = ["* random"]
    for i, (at, mass, start, speed) in enumerate(bodies):
        ic = f"IC_POS=({start[0]!r},{start[1]!r}) IC_VEL=({speed[0]!r},{speed[1]!r})"
        lines.append(f"B{i} ({at[0]!r},{at[1]!r}) {mass!r} {ic}")
    lines.append("C1 B0 B1" + (f" LENGTH={length!r}" if length else ""))
    lines.append(f"S1 B1 LINE(1,{konst!r},{konst!r})")
    first = read("\n".join(lines)).mechanism
    if first is None:  # bodies so near that their distance squared is 0
        return
    assert first.bodies[0].mass == bodies[0][1]
    assert read(dump(first)).mechanism == first


def test_every_option_is_said(read):
    text = dump(read("* t\nB1 (0,0) 1").mechanism)
    for word in ("gravity=9.81", "INTEGRATOR=RK4", "RELTOL=1E-9", "PLOTMODE=ANIMATEWITHSTROBO", "SAVE is not given"):
        assert word in text


VARIED = """\
* varied
.param L=20cm m=tol(2,5) n=3 g=L*10 off=1 unused=4
.func f(x)=x*L
.func twice(x)=x*2
B1 (L,0) m
B2 (2*L+off,0) n
...
B4 (4*L+off,0) n
B5 (9,0) n
C1 B1 (0,0)
...
C4 B4 B3
F1 B2 (0,{f(1)+twice(2)})
F2 B5 (0,{twice(2)})
.options gravity=g SAVE=10ms
.tran 0 1 1ms
.stop {X(B1)<-L*2}
.plot X(B1)/L X(B5)*n
.meas a MAX {X(B1)/L}
.step L 10cm*n/3 30cm 10cm
.step gravity LIST 1 2
.mc 3
"""


@pytest.mark.parametrize("text", [VARIED, find("double-pendulum-flips").text])
def test_a_dump_keeps_what_varies(text):
    """Parameters that .step and .mc vary stay names, so that every member is the same machine as before."""
    first = chainlist.parse(text)
    again = chainlist.parse(dump(first))
    name = "L" if text is VARIED else "b"
    for params in ({}, {name: 0.7}):
        one, other = (changed(machine, Changes(params)) for machine in (first, again))
        assert other == one and other.parameters[name] == one.parameters[name]
    assert dump(again) == dump(first)


def test_a_dump_names_only_what_varies():
    said = dump(chainlist.parse(VARIED)).splitlines()
    assert ".param L=20cm" in said and ".param n=3" in said and ".func twice(x)=x*2" in said
    assert "B5 (9,0) 3" in said and "F2 B5 (0,4)" in said and not any("unused" in line for line in said)
    assert ".param L=0.25\n" in dump(changed(chainlist.parse(VARIED), Changes({"L": 0.25})))


def test_what_an_instance_varies_cannot_be_kept():
    text = "* t\n.param L=1\n.submachine Arm B1, (x0,y0)\nB1 (x0+L,y0) 1\nC1 B1 (x0,y0)\n.end\nX1 Arm B1 (0,0)\n"
    text += ".step L LIST 1 2\n.meas a MAX X(B1)\n"
    said = dump(chainlist.parse(text))
    assert "* .step L LIST 1 2 ; parameters are numbers here, because X1 is written out, and depends on them" in said
    assert not [d for d in chainlist.parse(said).diagnostics if d.code[0] == "E"]
