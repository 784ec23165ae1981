"""A slider-crank of rods with inertia that runs freely: a closed loop, which no tree of joints describes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.exudyn_rods import require as require_exudyn
from benchmarks.mujoco_chain import require as require_mujoco
from benchmarks.peers.exudyn_peer import settings_of

TITLE = "a slider-crank of two rods and a piston"
SHORT, LONG = 0.3, 1.0
CRANK, ROD, PISTON = 2.0, 1.5, 0.8  # kg
FIRST, SPEED = 0.5, 2 * math.pi  # of the crank at the start
GRAVITY = 9.81


def _places(angle: Any, *, cos: Any = math.cos, sin: Any = math.sin, sqrt: Any = math.sqrt) -> tuple[Any, Any, Any]:
    """Of the crank's end (x, y), and the piston on the x axis."""
    x, y = SHORT * cos(angle), SHORT * sin(angle)
    return x, y, x + sqrt(LONG**2 - y * y)


def _rates() -> tuple[tuple[float, float], float, float]:
    """At the start: of the crank's end, of the piston, and of the angle of the rod."""
    x, y, piston = _places(FIRST)
    vx, vy = -SPEED * y, SPEED * x
    turning = -vy / (piston - x)
    return (vx, vy), vx + turning * y, turning


def text() -> str:
    x, y, piston = _places(FIRST)
    (vx, vy), slide, _ = _rates()
    return (
        f"{TITLE}\nB1 ({x!r},{y!r}) 0 IC_VEL=({vx!r},{vy!r})\nB2 ({piston!r},0) {PISTON} IC_VEL=({slide!r},0)\n"
        f"R1 (0,0) B1 {CRANK}\nR2 B1 B2 {ROD}\nS1 B2 LINE(0,1,0)\n.options gravity={GRAVITY}\n"
    )


def tip(stop: float) -> tuple[float, float]:
    """Where the crank's end belongs: Lagrange's equation of its angle, integrated by SciPy's DOP853 to 1e-13."""
    from scipy.integrate import solve_ivp

    def derivative(_: float, state: np.ndarray) -> list[float]:
        angle, rate = state
        x, y, piston = _places(angle)
        # dp/dθ and d²p/dθ² of: the crank's end, the piston, the angle of the rod
        along = piston - x  # = √(l² − y²)
        x1, y1, x2, y2 = -y, x, -x, -y
        along1 = -y * y1 / along
        along2 = -(y1 * y1 + y * y2 + along1 * along1) / along
        slide1, slide2 = x1 + along1, x2 + along2
        turn1, turn2 = -y1 / along, -y2 / along + y1 * along1 / along**2
        middle1 = (0.5 * (x1 + slide1), 0.5 * y1)
        middle2 = (0.5 * (x2 + slide2), 0.5 * y2)
        moment = CRANK * SHORT**2 / 3 + PISTON * slide1**2 + ROD * LONG**2 / 12 * turn1**2
        moment += ROD * (middle1[0] ** 2 + middle1[1] ** 2)
        curving = PISTON * slide1 * slide2 + ROD * LONG**2 / 12 * turn1 * turn2
        curving += ROD * (middle1[0] * middle2[0] + middle1[1] * middle2[1])
        pull = -GRAVITY * 0.5 * y1 * (CRANK + ROD)
        return [rate, (pull - curving * rate**2) / moment]

    done = solve_ivp(derivative, (0.0, stop), [FIRST, SPEED], method="DOP853", rtol=1e-13, atol=1e-13)
    return _places(done.y[0, -1])[:2]


class ExudynCrank:
    """Bodies of the plane, revolute joints, and the piston's y held."""

    def __init__(self, method: str):
        self.exudyn = exudyn = require_exudyn()
        from exudyn import itemInterface as items

        self._kind = getattr(exudyn.DynamicSolverType, method)
        self._container = exudyn.SystemContainer()
        self.mbs = mbs = self._container.AddSystem()
        x, y, piston = _places(FIRST)
        (vx, vy), slide, turning = _rates()
        ground = mbs.AddObject(items.ObjectGround())
        pin = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground))
        crank = self._rod(CRANK, SHORT, (0.5 * x, 0.5 * y, FIRST), (0.5 * vx, 0.5 * vy, SPEED))
        place = (0.5 * (x + piston), 0.5 * y, math.atan2(-y, piston - x))
        rod = self._rod(ROD, LONG, place, (0.5 * (vx + slide), 0.5 * vy, turning))
        node = mbs.AddNode(items.NodePoint2D(referenceCoordinates=[piston, 0], initialVelocities=[slide, 0]))
        mbs.AddObject(items.MassPoint2D(physicsMass=PISTON, nodeNumber=node))
        mbs.AddObject(items.RevoluteJoint2D(markerNumbers=[pin, crank[0]]))
        mbs.AddObject(items.RevoluteJoint2D(markerNumbers=[crank[1], rod[0]]))
        end = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        mbs.AddObject(items.RevoluteJoint2D(markerNumbers=[rod[1], end]))
        rest = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0))
        height = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=1))
        mbs.AddObject(items.CoordinateConstraint(markerNumbers=[rest, height]))
        self._tip = crank[1]
        mbs.Assemble()

    def _rod(self, mass: float, length: float, place: Any, rates: Any) -> tuple[Any, Any]:
        """Adds it; returns the markers of its ends."""
        from exudyn import itemInterface as items

        mbs = self.mbs
        node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=list(place), initialVelocities=list(rates)))
        inertia = mass * length**2 / 12
        body = mbs.AddObject(items.RigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node))
        first, last, centre = (
            mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[along, 0, 0]))
            for along in (-0.5 * length, 0.5 * length, 0.0)
        )
        mbs.AddLoad(items.Force(markerNumber=centre, loadVector=[0, -mass * GRAVITY, 0]))
        return first, last

    def run(self, steps: int, h: float) -> tuple[float, float]:
        settings = settings_of(self.exudyn, steps, h)
        self.mbs.SolveDynamic(settings, solverType=self._kind, showHints=False)
        place = self.mbs.GetMarkerOutput(self._tip, self.exudyn.OutputVariableType.Position)
        return float(place[0]), float(place[1])


class MujocoCrank:
    """Crank and rod as a tree, the piston on a slide, and a connection between them, which MuJoCo keeps softly."""

    def __init__(self) -> None:
        mujoco = require_mujoco()
        x, y, piston = _places(FIRST)
        (_, _), slide, turning = _rates()
        self._rates = [SPEED, turning - SPEED, slide]
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><compiler autolimits="false"/><option integrator="RK4" gravity="0 {-GRAVITY} 0" tolerance="0">'
            '<flag contact="disable" limit="disable" frictionloss="disable"/></option><worldbody>'
            f"{_mujoco_rod(CRANK, SHORT, (0, 0), FIRST, _mujoco_rod(ROD, LONG, (SHORT, 0), _bend(x, y, piston), ''))}"
            f'<body name="piston" pos="{piston!r} 0 0"><joint type="slide" axis="1 0 0"/>'
            f'<inertial pos="0 0 0" mass="{PISTON}" diaginertia="1 1 1"/></body></worldbody>'
            f'<equality><connect body1="rod{LONG}" body2="piston" anchor="{LONG} 0 0" '
            'solimp="0.9999 0.9999 0.001 0.5 2"/></equality></mujoco>'
        )
        self.data = mujoco.MjData(self.model)

    def run(self, steps: int, h: float) -> tuple[float, float]:
        mujoco = require_mujoco()
        self.model.opt.timestep = h
        self.model.eq_solref[0] = [2 * h, 1.0]  # as stiff as it allows
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:] = self._rates
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        start = np.zeros(mujoco.mj_stateSize(self.model, full))
        mujoco.mj_getState(self.model, self.data, start, full)
        states, _ = mujoco.rollout.rollout(self.model, [self.data], start, nstep=steps)
        angle = FIRST + float(states[0][-1, 1])  # behind the time
        return _places(angle)[:2]


def _bend(x: float, y: float, piston: float) -> float:
    """The angle of the rod against the crank at the start."""
    return math.atan2(-y, piston - x) - FIRST


def _mujoco_rod(mass: float, length: float, place: tuple[float, float], angle: float, inner: str) -> str:
    moment = mass * length**2 / 12
    return (
        f'<body name="rod{length}" pos="{place[0]!r} {place[1]!r} 0" '
        f'quat="{math.cos(angle / 2)!r} 0 0 {math.sin(angle / 2)!r}"><joint type="hinge" axis="0 0 1"/>'
        f'<inertial pos="{0.5 * length!r} 0 0" mass="{mass}" diaginertia="{moment!r} {moment!r} {moment!r}"/>{inner}</body>'
    )
