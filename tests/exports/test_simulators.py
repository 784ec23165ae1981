"""Machines in MuJoCo and Exudyn: what they compute of an exported file is what we compute, as far as they are accurate."""

import numpy as np
import pytest

import chainlist
from chainlist.exports import REGISTRY, CannotExport

CHAIN = "* Chain\nB1 (1,0) 1\nB2 (1.5,-0.5) 2\nB3 (2,0.2) 0.5\nC1 B1 (0,0)\nC2 B1 B2\nC3 B3 B2\n"
THROWN = "* Thrown\nB1 (1,0) 1 IC_VEL=(0,-2)\nB2 (2,0) 1\nC1 B1 (0,0)\nC2 B1 B2\n"
CART = "* Cart\nB1 (0,1) 2\nB2 (0.6,0.2) 1\nS1 B1 LINE(1,2,2)\nC1 B1 B2\n"
SPRING = "* Spring\nB1 (1,0) 1\nB2 (1.5,0) 1\nB3 (3,1) 1\nC1 B1 (0,0)\nK1 B1 B2 50 L0=0.4 DAMP=1\nK2 B3 B2 20\nD1 B1 (0,1) 0.3\n"
LOOP = "* Four bars\nB1 (0,0.5) 1\nB2 (1,0.8) 1\nC1 B1 (0,0)\nC2 B1 B2\nC3 B2 (1.2,0)\n"
TREES = {"chain": CHAIN, "thrown": THROWN, "cart": CART, "spring": SPRING}
SPACE = "* Space\nB1 (1,0,0) 1 IC_VEL=(0,0,1)\nB2 (1,1,0) 1\nC1 B1 (0,0,0)\nC2 B1 B2\nK1 B2 (2,2,1) 30 L0=1\n"
STOP, STEP = 0.5, 1e-4


def ours(text):
    """Positions at the end, far more accurate than what they are compared with."""
    return chainlist.simulate(chainlist.parse(text), tran=(0, STOP, 1e-3), integrator="DOP853").q[-1]


def written(text, format):
    return REGISTRY[format].write(chainlist.parse(f"{text}.tran 0 {STOP} {STEP}\n"))


def by_mujoco(xml, names, start="start"):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    if start:
        mujoco.mj_resetDataKeyframe(model, data, model.key(start).id)
    else:
        model.opt.timestep, model.opt.integrator, model.opt.gravity = (
            STEP,
            mujoco.mjtIntegrator.mjINT_RK4,
            (0, -9.81, 0),
        )
    for _ in range(round(STOP / STEP)):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return np.array([data.body(name).xipos[:2] for name in names])


def names_of(text):
    return [body.name for body in chainlist.parse(text).points]


@pytest.mark.parametrize("name", TREES)
def test_mujoco_agrees_on_machines_without_loops(name):
    text = TREES[name]
    assert by_mujoco(written(text, "mjcf"), names_of(text)) == pytest.approx(ours(text), abs=1e-6)


def test_mujoco_closes_loops_as_softly_as_it_does():
    found = by_mujoco(written(LOOP, "mjcf"), names_of(LOOP))
    assert found == pytest.approx(ours(LOOP), abs=2e-3)


@pytest.mark.parametrize("name", ["chain", "cart"])
def test_a_urdf_is_the_same_machine(name):
    """Read by MuJoCo; a URDF has neither gravity nor steps."""
    text = TREES[name]
    assert by_mujoco(written(text, "urdf"), names_of(text), start="") == pytest.approx(ours(text), abs=1e-6)


def by_exudyn(program, names, h):
    exudyn = pytest.importorskip("exudyn")
    found = {"__name__": "exported"}
    exec(compile(program, "exported", "exec"), found)
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime = STOP
    settings.timeIntegration.numberOfSteps = round(STOP / h)
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.timeIntegration.newton.absoluteTolerance = 1e-12
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    kind = exudyn.DynamicSolverType.TrapezoidalIndex2
    found["mbs"].SolveDynamic(settings, solverType=kind, showHints=False)
    position = exudyn.OutputVariableType.Position
    return np.array([found["mbs"].GetNodeOutput(found["nodes"][name], position) for name in names])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [*TREES.values(), LOOP, SPACE], ids=[*TREES, "loop", "space"])
def test_exudyn_agrees(text):
    """Its trapezoidal rule is of second order: with halved steps the error must shrink fourfold, and the limit be ours."""
    true = ours(text)
    program, names = written(text, "exudyn"), names_of(text)
    coarse, fine = (by_exudyn(program, names, h)[:, : true.shape[1]] for h in (1e-3, 5e-4))
    assert fine + (fine - coarse) / 3.0 == pytest.approx(true, abs=1e-6)


@pytest.mark.parametrize(
    "format, cards, why",
    [
        ("mjcf", "B1 (1,0,0) 1\nC1 B1 (0,0,0)\n", "spatial"),
        ("mjcf", "B1 (1,0) 1\nC1 B1 (0,0)\nM1 C1 SPEED=1\n", "M1 is a motor"),
        ("urdf", LOOP.partition("\n")[2], "C2 closes a loop"),
        ("urdf", THROWN.partition("\n")[2], "B1 has a velocity"),
        ("urdf", SPRING.partition("\n")[2], "K1 is a spring"),
        ("exudyn", "B1 (1,0) 1\nC1 B1 (0,0) ROPE\n", "C1 is a link"),
        ("exudyn", "B1 (1,0) 0\nR1 (0,0) B1 1\n", "R1 is a rigid body"),
        ("exudyn", "B1 (1,0) 1\nC1 ({sin(time)},0) B1 LENGTH=1\n", "moves as told"),
    ],
)
def test_what_a_format_cannot_carry_is_said(format, cards, why):
    with pytest.raises(CannotExport, match=why):
        REGISTRY[format].write(chainlist.parse(f"* a\n{cards}"))
