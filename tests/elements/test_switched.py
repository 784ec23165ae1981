"""Elements that hold only at times: their rows against differences, what their cards say, and what is refused."""

import numpy as np
import pytest

import chainlist
from chainlist.compile.system import assemble
from chainlist.equations.interpret import by_kind, evaluate
from chainlist.equations.layout import empty_rows
from chainlist.model.dump import dump
from tests.cards import SWITCHED, with_bodies

H = 1e-5
MOMENT = 0.3


def made(card):
    text = "\n".join(["* t", *with_bodies(card), ".options gravity=0", ".tran 0 2ms 1ms", ".plot Time"])
    return chainlist.parse(text)


def rows_at(assembly, t, q, v):
    """Φ, A x (as a function), c and b of all rows of switches."""
    table = assembly.system.switch.table
    rows = empty_rows(table, 2)
    q, v = q.copy(), v.copy()
    evaluate(table, rows, by_kind([e.kind for e in assembly.switches.equations]), t, q, v)
    return rows, q, v


def along(assembly, rows, x):
    table = assembly.system.switch.table
    d = x.shape[1]
    return np.array(
        [
            sum(rows.J[k, e * d : e * d + d] @ x[table.point[k, e]] for e in range(table.ends[k]))
            for k in range(len(table.scale))
        ]
    )


@pytest.mark.parametrize("card", SWITCHED)
def test_rows_are_the_derivatives_of_the_gap(card):
    assembly = assemble(made(card))
    luck = np.random.default_rng(5)
    q = assembly.q + 0.1 * luck.normal(size=assembly.q.shape)
    v = luck.normal(size=q.shape)
    v[assembly.bodies :] = 0.0
    here, q, v = rows_at(assembly, MOMENT, q, v)
    before, after = (rows_at(assembly, MOMENT + s * H, q + s * H * v, v) for s in (-1, 1))
    positions = [k for k, e in enumerate(assembly.switches.equations) if not e.of_velocities]
    velocities = [k for k, e in enumerate(assembly.switches.equations) if e.of_velocities]
    rate = along(assembly, here, v) - here.c
    slope = (after[0].phi - before[0].phi) / (2 * H)
    bend = (after[0].phi - 2 * here.phi + before[0].phi) / H**2
    assert rate[positions] == pytest.approx(slope[positions], abs=1e-8)
    assert -here.b[positions] == pytest.approx(bend[positions], abs=1e-4)
    slip = [along(assembly, found, moved) - found.c for found, _, moved in (before, after)]
    assert -here.b[velocities] == pytest.approx(((slip[1] - slip[0]) / (2 * H))[velocities], abs=1e-6)


@pytest.mark.parametrize("card", SWITCHED)
def test_dump_reads_back(card):
    once = made(card)
    again = chainlist.parse(dump(once))
    assert again == once


def test_dump_keeps_radii_and_stops():
    text = "* t\nB1 (0,1) 1 RADIUS=0.25\nW1 LINE(0,1,0)\n.stop {Y(B1)<0.5}\n.tran 0 1 1ms\n.plot Time\n"
    once = chainlist.parse(text)
    again = chainlist.parse(dump(once))
    assert again == once and again.bodies[0].radius == 0.25 and again.stops == once.stops


def test_walls_and_ropes_of_a_submachine_turn_with_it():
    text = (
        "* t\n.submachine Box BA BC (x0,y0)\nBA (x0,y0) 1\nBC (x0+1,y0) 1\nW1 BA LINE(0,1,y0-1) MU=0.1 BELT=1\n"
        "C1 BA BC ROPE CUT={Y(BA)<-2}\n.end Box\nB1 (0,0) 1\nB2 (0,1) 1\nX1 Box B1 B2\n.tran 0 1 1ms\n.plot Time\n"
    )
    made = chainlist.parse(text)
    (wall,) = (element for element in made.constraints if element.letter == "W")
    (switch,) = wall.parts.switches
    assert switch.row.parameters == pytest.approx((-1.0, 0.0, -1.0), abs=1e-15)  # turned by 90°: x ≤ 1


@pytest.mark.parametrize("actual", ["B1 B2", "B2 B1"])
def test_dump_of_a_turned_submachine_with_walls_reads_back(actual):
    cards = (
        "W1 BA LINE(0,1,y0-1) MU=0.1 BELT=1 REST=0.5\nW2 BA BC CIRCLE((x0,y0-3),1) REST=0.3\n"
        "W3 LINE({sin(time)},{cos(time)},-5) MU=0.1\nW4 CIRCLE(BC,9) INSIDE MU=0.2 BELT=0.3\n"
        "S1 BC LINE({sin(time/9)},{cos(time/9)},0.01) MU=0.1\n"
    )
    text = (
        f"* t\n.submachine Box BA BC (x0,y0)\nBA (x0,y0) 1\nBC (x0+1,y0) 1\n{cards}.end Box\n"
        f"B1 (0,0) 1\nB2 (0,1) 1\nX1 Box {actual}\n.tran 0 1 1ms\n.plot Time\n"
    )
    made = chainlist.parse(text)
    again = chainlist.parse(dump(made))
    parts = [[element.parts for element in mechanism.constraints] for mechanism in (made, again)]
    assert parts[0] == parts[1] and len(parts[0]) == 5


DROP = "* t\nB1 (1,0) 1{v}\nC1 B1 (0,0){link}\n{card}\n.tran 0 0.5 1ms\n.plot Time\n"


@pytest.mark.parametrize(
    ("link", "card", "said"),
    [
        (" CUT={X(B1)>0.5}", "", "C1 is cut at the start: its condition holds there, or at once after it"),
        (" CUT={Y(B1)<=0}", "", "C1 is cut at the start"),  # on its border, and becomes true at once
        (" ROPE CUT={Y(B1)<0.1}", "", "C1 is cut at the start"),
        ("", "M1 C1 SPEED=3 RELEASE={Y(B1)<0.5}", "M1 is released at the start"),
        ("", ".stop {Y(B1)<0.1}", "the run ends where it begins: .stop {Y(B1)<0.1} holds at the start, or at once after it"),
        ("", ".stop {Time>=0}", "the run ends where it begins: .stop {Time>=0} holds at the start, or at once after it"),
        (" BREAK=1", ".options gravity=(9.81,0)", "C1 breaks at the start: it carries more than its BREAK there already"),
        ("", ".stop {Time>0}", ".stop {Time>0} holds at the start, or at once after it"),
        (" CUT={Time<0.2}", "", "C1 is cut at the start"),
        (" CUT={Time>=0.2}", "", ""),
        (" CUT={Time>0.1 and X(B1)>0.5}", "", ""),  # what the warning says to write
        ("", ".stop {Time>0.1 and Y(B1)<0.1}", ""),
        (" FROM={X(B1)>0.5}", "", ""),  # it holds from the start, as others do
        (" BREAK=1", "", ""),  # later
    ],
)  # fmt: skip
def test_what_ends_at_the_start_is_told_of(link, card, said):
    run = chainlist.simulate(DROP.format(link=link, card=card, v=""))
    assert [said in text for text in run.report.warnings] == [True] * bool(said)
    assert any(event.time < 1e-9 for event in run.events if "begins" not in event.what) == bool(said)


@pytest.mark.parametrize(
    ("link", "card"), [("", "M1 C1 SPEED=3 RELEASE={Time>0}"), (" CUT={Time>=0}", ""), (" CUT={Time>0}", "")]
)
def test_what_can_only_be_meant_to_end_at_the_start_is_not_told_of(link, card):
    run = chainlist.simulate(DROP.format(link=link, card=card, v=""))
    assert run.report.warnings == () and [event.time < 1e-9 for event in run.events] == [True]


def test_a_motion_that_leaves_the_border_of_a_condition_is_not_told_of():
    run = chainlist.simulate(DROP.format(link=" CUT={Y(B1)<0}", card="", v=" IC_VEL=(0,1)"))
    assert run.report.warnings == () and run.events[0].time > 0.1
