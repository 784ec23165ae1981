"""Each observable against arithmetic that does not go through the program."""

import numpy as np
import pytest

import chainlist
from chainlist.elements import REGISTRY
from chainlist.elements.base import ElementType
from chainlist.elements.link import row as link_row
from chainlist.model.mechanism import Operation, Quantity
from chainlist.model.observables import OBSERVABLES
from chainlist.run.angles import Turning
from chainlist.run.moments import Moments
from chainlist.run.observables import observe, observe_moments, unit_of
from chainlist.run.trajectory import Trajectory
from chainlist.syntax.errors import ChainlistError
from tests.motions import crosshair, wanderers, whirl


def values(trajectory, text):
    (curve,) = trajectory.observe(text).curves
    return curve.values


def test_states_are_those_of_the_formula():
    motion = crosshair()
    t = motion.t
    assert np.array_equal(values(motion, "Time"), t)
    assert np.array_equal(values(motion, "X(B1)"), np.sin(t))
    assert np.array_equal(values(motion, "Y(B2)"), np.cos(t))
    assert np.array_equal(values(motion, "VX(B1)"), np.cos(t))
    assert np.array_equal(values(motion, "VY(B2)"), -np.sin(t))
    assert np.array_equal(values(motion, "Q(B1)"), np.stack([np.sin(t), 0 * t], -1))
    assert np.array_equal(values(motion, "V(B2)"), np.stack([0 * t, -np.sin(t)], -1))


def test_energies():
    motion = wanderers("\n.options gravity=7\n")
    masses = (1, 2, 0.5)
    kinetic = sum(0.5 * m * (motion.v[:, i, 0] ** 2 + motion.v[:, i, 1] ** 2) for i, m in enumerate(masses))
    potential = sum(7 * m * motion.q[:, i, 1] for i, m in enumerate(masses))
    assert values(motion, "T") == pytest.approx(kinetic, rel=1e-14)
    assert values(motion, "U") == pytest.approx(potential, rel=1e-13)
    assert values(motion, "Etotal") == pytest.approx(kinetic + potential, rel=1e-13)


@pytest.mark.parametrize("name", ["C1", "C2", "C3", "S1"])
def test_the_derivative_is_the_slope_of_the_residual(name):
    motion = wanderers()
    phi, derivative = values(motion, f"PHI({name})"), values(motion, f"DERIVATIVE({name})")
    h = motion.t[1]
    slope = (phi[:-4] - 8 * phi[1:-3] + 8 * phi[3:-1] - phi[4:]) / (12 * h)
    assert derivative[2:-2] == pytest.approx(slope, abs=1e-9 * np.abs(derivative).max())


def test_residuals_are_those_of_the_paper():
    motion = wanderers()
    q = motion.q
    assert values(motion, "PHI(C1)") == pytest.approx((q[:, 0] ** 2).sum(1) - 1, abs=1e-14)
    assert values(motion, "PHI(C2)") == pytest.approx(((q[:, 0] - q[:, 1]) ** 2).sum(1) - 1, abs=1e-13)
    assert values(motion, "PHI(S1)") == pytest.approx(3 * q[:, 2, 0] - 4 * q[:, 2, 1] - 2, abs=1e-13)


def test_distances():
    motion = crosshair()
    assert values(motion, "DIST(B1,B2)") == pytest.approx(np.ones(len(motion.t)), abs=1e-15)
    assert values(motion, "DIST(B1,(0,0))") == pytest.approx(np.abs(np.sin(motion.t)), abs=1e-15)
    assert np.array_equal(values(motion, "DIST((0,0),(3,4))"), np.full(len(motion.t), 5.0))


@pytest.mark.parametrize("item", ["ANGLE(C1)", "ANGLE((0,0),B1)"])
@pytest.mark.parametrize("turns", [3.25, -7.5])
def test_angles_go_on_beyond_a_turn(item, turns):
    motion = whirl(turns, 1001)
    assert values(motion, item) == pytest.approx(2 * np.pi * turns * motion.t, abs=1e-12)


@pytest.mark.parametrize("turns", [3.25, -7.5])
def test_speed_angular_velocity_and_the_angle_between_two_arms(turns):
    motion = whirl(turns, 1001)
    rate = 2 * np.pi * turns
    assert values(motion, "SPEED(B1)") == pytest.approx(np.hypot(*motion.v[:, 0].T), rel=1e-15)
    assert values(motion, "OMEGA(C1)") == pytest.approx(np.full(1001, rate), rel=1e-12)
    assert values(motion, "OMEGA((0,0),B1)") == pytest.approx(np.full(1001, rate), rel=1e-12)
    assert values(motion, "ANGLE((1,0),(0,0),B1)") == pytest.approx(rate * motion.t, abs=1e-12)
    assert values(motion, "ANGLE(B1,(0,0),(0,1))") == pytest.approx(np.pi / 2 - rate * motion.t, abs=1e-12)
    assert motion.observe("OMEGA(C1)").unit == "rad/s"


def test_conditions_and_functions_over_samples():
    motion = crosshair()
    t, x = motion.t, np.sin(motion.t)
    assert np.array_equal(values(motion, "{if(X(B1)>0,X(B1),2)}"), np.where(x > 0, x, 2.0))
    assert np.array_equal(values(motion, "{X(B1)>0 and not Time>1}"), ((x > 0) & ~(t > 1)).astype(float))
    assert np.array_equal(values(motion, "table(X(B1),-1,0,1,4)"), np.interp(x, [-1, 1], [0, 4]))
    assert np.array_equal(values(motion, "step(Q(B1))")[:, 0], (x >= 0).astype(float))
    assert motion.observe("{if(X(B1)>0,X(B1),2)}").unit == "m"
    assert motion.observe("{X(B1)>0}").unit == ""
    assert motion.observe("hypot(X(B1),Y(B1))").unit == "m"
    assert values(motion, "DIST(B1,({sin(Time)},0))") == pytest.approx(np.zeros(len(t)), abs=1e-15)


def test_angles_point_from_the_first_end_that_is_written_to_the_second():
    motion = chainlist.simulate("* p\nB1 (0,2) 1\nC1 B1 (0,0)\nC2 (0,0) B1\n.tran 0 1ms 1ms\n.plot Time")
    down = ("ANGLE(C1)", "ANGLE(B1,(0,0))")
    up = ("ANGLE(C2)", "ANGLE((0,0),B1)")
    assert [values(motion, item)[0] for item in (*down, *up)] == pytest.approx([-np.pi / 2] * 2 + [np.pi / 2] * 2)
    assert "of a link: as its ends are written" in OBSERVABLES["angle"].meaning


def test_velocities_tell_turns_apart_that_lie_between_samples():
    fast = whirl(60.0, 101)  # 0.6 of a turn from sample to sample
    assert values(fast, "ANGLE(C1)")[-1] == pytest.approx(120 * np.pi)
    blind = whirl(60.0, 101, stored=False)
    assert values(blind, "ANGLE(C1)")[-1] == pytest.approx(-80 * np.pi)  # the shorter way round: -0.4 of a turn


def test_angles_continue_from_chunk_to_chunk_and_over_gaps():
    motion = whirl(5.0, 1001)
    turning = Turning()
    parts = []
    for at in range(0, 1001, 170):
        part = Trajectory(mechanism=motion.mechanism, t=motion.t[at : at + 170], q=motion.q[at : at + 170], v=None)
        moments = Moments(part, turning)
        item = Operation("+", (Quantity("ANGLE", ("C1",)), Quantity("ANGLE", ("C1",))))  # asked twice in one chunk
        parts.append(observe_moments(moments, item).curves[0].values)
    assert np.concatenate(parts) == pytest.approx(20 * np.pi * motion.t, abs=1e-12)
    q = motion.q.copy()
    q[400:410] = np.nan
    found = values(Trajectory(mechanism=motion.mechanism, t=motion.t, q=q, v=None), "ANGLE(C1)")
    assert np.isnan(found[400:410]).all()
    assert found[410:] == pytest.approx(10 * np.pi * motion.t[410:], abs=1e-12)


def test_arithmetic_is_by_component_and_knows_parameters():
    motion = crosshair()
    q, v = motion.q[:, 0], motion.v[:, 0]
    assert values(motion, "Q(B1)*k-V(B1)/4") == pytest.approx(2 * q - v / 4)
    assert values(motion, "Q(B1)*X(B1)") == pytest.approx(q * q[:, :1])
    assert values(motion, "sqrt(X(B1)**2+Y(B2)**2)") == pytest.approx(np.ones(len(q)))
    assert values(motion, "-max(X(B1),0)") == pytest.approx(-np.maximum(q[:, 0], 0))
    assert values(motion, "atan2(X(B1),Y(B2))")[:300] == pytest.approx(motion.t[:300])


def test_what_is_not_defined_comes_out_as_nan_without_a_warning():
    motion = crosshair()
    found = values(motion, "sqrt(X(B1))")
    assert np.isnan(found[400]) and np.isfinite(found[100])
    assert values(motion, "1/X(B1)")[0] == np.inf


def test_several_names_give_one_curve_each():
    motion = wanderers()
    found = motion.observe("Q(ALL)-Q(B1)")
    assert [curve.text for curve in found.curves] == ["Q(B1)-Q(B1)", "Q(B2)-Q(B1)", "Q(B3)-Q(B1)"]
    assert np.array_equal(found.curves[2].values, motion.q[:, 2] - motion.q[:, 0])
    assert motion.observe("Bodies(VEL)").names == ("B1", "B2", "B3")
    pairs = motion.observe("X(B1,B2)*Y(B2,B3)")
    assert np.array_equal(pairs.curves[1].values, motion.q[:, 1, 0] * motion.q[:, 2, 1])


@pytest.mark.parametrize(
    ("item", "unit"),
    [
        ("ANGLE(C1)/1deg", ""),
        ("atan2(Y(B1),X(B1))", "rad"),
        ("atan2(Y(B1),X(B1))/1deg", ""),
        ("asin(X(B1)/DIST(B1,B2))", "rad"),
        ("X(B1)/1mm", ""),
        ("X(B1)/(-2*1mm)", ""),
        ("X(B1)/1s", "m/s"),
        ("X(B1)*2Hz", "m/s"),
        ("X(B1)+1mm", "m"),
        ("Q(B1)", "m"),
        ("V(B1)*3", "m/s"),
        ("DERIVATIVE(C1)*10", "m²/s"),
        ("DERIVATIVE(S1)", "m/s"),
        ("PHI(C1)", "m²"),
        ("Q(B1)*Q(B2)", "m²"),
        ("Etotal/DIST(B1,B2)", "N"),
        ("Etotal/DIST(B1,B2)**2", "N/m"),
        ("sqrt(T/2)*1", "kg^0.5 m/s"),
        ("X(B1)/X(B2)", ""),
        ("X(B1)+Time", ""),
        ("X(B1)+1", "m"),
        ("ANGLE(C1)", "rad"),
        ("sin(ANGLE(C1))", ""),
        ("Time**-1", "1/s"),
        ("V(B1)/Time", "m/s²"),
        ("T*Time", "kg m²/s"),
        ("X(B1)*(1000/1m)", ""),
        ("X(B1)*(2mm+3mm)", "m²"),
        ("(X(B1)+Time)+X(B1)", ""),
        ("(X(B1)+Time)*X(B1)", ""),
        ("ANGLE(C1)*180/pi", ""),
        ("sqrt(2)*X(B1)", "m"),
        ("sin(30deg)*X(B1)", "m"),
        ("VX(B1)*3.6", ""),
        ("-3.6*VX(B1)", ""),
        ("3.6*VX(B1)-1", ""),
        ("X(B1)*1000", ""),
        ("X(B1)/1000", ""),
        ("ANGLE(C1)*57.3", ""),
        ("0.5*2.5*VX(B1)**2", ""),
        ("2*X(B1)", "m"),
        ("X(B1)/2", "m"),
        ("0.25*X(B1)", "m"),
        ("(2*X(B1)+X(B2))/3", "m"),
        ("X(B1)-1000", "m"),
        ("max(X(B1),3.6)", "m"),
        ("X(B1)**1.5", "m^1.5"),
    ],
)
def test_units(item, unit):
    assert wanderers().observe(item).unit == unit


@pytest.mark.parametrize(
    ("item", "unit"),
    [
        ("X(B1)/L", ""),
        ("L*X(B1)", ""),
        ("X(B1)/(2*L)", ""),
        ("m*9.81*Y(B1)", ""),
        ("X(B1)-L", "m"),
        ("X(B1)-L/2", "m"),
        ("max(X(B1),L)", "m"),
        ("X(B1)**n", "m²"),
        ("sqrt(X(B1)*L)", ""),
        ("cos(L)*X(B1)", "m"),
    ],
)
def test_a_parameter_may_stand_for_anything(item, unit):
    text = f"* Pendulum\n.param L=2m m=3kg n=2\nB1 (1,0) 1\nC1 B1 (0,0)\n.tran 0 0.1 0.01\n.plot {{{item}}}\n"
    motion = chainlist.simulate(text)
    asked = motion.mechanism.plots[0].panels[0][0]
    assert motion.observe(asked.text).unit == unit == unit_of(motion.mechanism, asked.formula)


def test_an_observable_shows_itself_in_one_line():
    shown = repr(wanderers().observe("V(B1,B2)"))
    assert shown.startswith("<Observable V(B1,B2) [m/s]: 2 curves of shape (") and len(shown) < 80


def test_pictures():
    motion = crosshair()
    path = motion.observe("PATH(B1,B2)")
    assert path.kind == "path" and path.names == ("B1", "B2")
    assert np.array_equal(path.curves[1].over, motion.q[:, 1, 0]) and np.array_equal(
        path.curves[1].values, motion.q[:, 1, 1]
    )
    phase = motion.observe("PHASE(B1)")
    assert [curve.axes for curve in phase.curves] == ["x", "y"]
    assert np.array_equal(phase.curves[0].over, motion.q[:, 0, 0]) and np.array_equal(
        phase.curves[0].values, motion.v[:, 0, 0]
    )
    assert motion.observe("CONSTRAINTS(C1,S2)").names == ("C1", "S2")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Q(B9)", "E226"),
        ("NONSENSE(B1)", "E270"),
        ("PATH(B1)*2", "E274"),
        ("Q(B1) V(B1)", "E278"),
        ("", "E278"),
        ("Q(B1", "E111"),
        ("Q(B1)*unknown", "E270"),
        ("Q(B1,B2)*X(B1,B2,B3)", "E276"),
        ("X(B1)^2", "E110"),
    ],
)
def test_mistakes_are_chainlist_errors(text, code):
    with pytest.raises(ChainlistError) as caught:
        wanderers().observe(text)
    assert code in {diagnostic.code for diagnostic in caught.value.diagnostics}


def test_a_formula_made_by_hand_that_does_not_match_is_an_error():
    formula = Operation("+", (Quantity("X", ("B1", "B2")), Quantity("X", ("B1", "B2", "B3"))))
    with pytest.raises(ChainlistError, match="2 and 3 curves"):
        observe(wanderers(), formula)


def test_what_a_trace_does_not_hold_is_named():
    motion = wanderers()
    blind = Trajectory(mechanism=motion.mechanism, t=motion.t, q=motion.q, v=None)
    with pytest.raises(ChainlistError, match=r"add the column V\(ALL\)"):
        blind.observe("VX(B2)")
    with pytest.raises(ChainlistError, match=r"V\(ALL\)"):
        blind.observe("Etotal")
    with pytest.raises(ChainlistError, match=r"V\(ALL\)"):
        blind.observe("DERIVATIVE(C1)")
    assert blind.observe("PHI(C1)").curves[0].values == pytest.approx(motion.observe("PHI(C1)").curves[0].values)
    q = motion.q.copy()
    q[:, 1] = np.nan
    partial = Trajectory(mechanism=motion.mechanism, t=motion.t, q=q, v=None, columns={"Time": motion.t})
    with pytest.raises(ChainlistError, match=r"positions of B2.*\n.*add the column Q\(B2\)"):
        partial.observe("PHI(C2)")
    assert np.array_equal(partial.observe("X(B3)").curves[0].values, motion.q[:, 2, 0])


def scalar_row(k, s, w, t, q, v):
    if q[0, 0] > 1e300:
        return
    link_row(k, s, w, t, q, v)


def test_kernels_that_take_one_sample_at_a_time_give_the_same():
    """A constraint type of the user's may call `math` or branch, which arrays cannot."""
    motion = wanderers()
    together = [values(motion, "PHI(C2)"), values(motion, "DERIVATIVE(C2)")]
    link = REGISTRY["C"]
    fields = {name: getattr(link, name) for name in ("letter", "name", "syntax", "meaning", "read", "parameters")}
    REGISTRY["C"] = ElementType(**fields, row=scalar_row)
    try:
        alone = [values(motion, "PHI(C2)"), values(motion, "DERIVATIVE(C2)")]
    finally:
        REGISTRY["C"] = link
    assert np.array_equal(np.array(together), np.array(alone))


def test_tables():
    motion = wanderers()
    frame = motion.to_pandas()
    assert frame.index.name == "Time" and list(frame.columns[:3]) == ["X(B1)", "Y(B1)", "X(B2)"]
    assert np.array_equal(frame["VY(B3)"].to_numpy(), motion.v[:, 2, 1])
    data = motion.to_xarray()
    assert float(data["q"].sel(body="B2", axis="y").isel(time=7)) == motion.q[7, 1, 1]
    assert data["v"].attrs["units"] == "m/s" and float(data["mass"].sel(body="B3")) == 0.5
    assert data.attrs["chainlist"] == motion.mechanism.text


def test_values_are_those_of_a_curve():
    with pytest.raises(AttributeError, match=r"an Observable holds 2 curves: \.curves\[0\]\.values"):
        wanderers().observe("X(B1,B2)").values  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        wanderers().observe("X(B1)").nothing  # noqa: B018
