"""Who races for eight digits with rigid bodies moves the same machine, and the references are those of that machine."""

import math

import pytest

from benchmarks import arm_truth, crank
from benchmarks.bodies_precision import Finish, best_of, races, times_less
from benchmarks.precision import PATIENCE
from benchmarks.rods import plane, robot, space

ARMS = {"plane": plane(3), "space": space(3), "robot": robot()}
STOP = 0.2


@pytest.mark.parametrize("name", ARMS)
def test_the_reference_is_where_our_own_run_ends(name):
    import chainlist

    arm = ARMS[name]
    motion = chainlist.simulate(chainlist.parse(arm.text), tran=(0.0, STOP, 1e-3), save=STOP)
    tip = motion.q[-1, motion.bodies.index(f"B{len(arm.rods)}")]
    assert math.dist(tip, arm_truth.tip(arm, STOP)) < 1e-9


def test_the_slider_crank_ends_where_its_one_angle_says():
    import chainlist

    motion = chainlist.simulate(chainlist.parse(crank.text()), tran=(0.0, STOP, 5e-4), save=STOP)
    assert math.dist(motion.q[-1, motion.bodies.index("B1")], crank.tip(STOP)) < 1e-9


@pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning")  # of Exudyn about itself
@pytest.mark.parametrize("name", ARMS)
def test_exudyn_moves_the_same_arm(name):
    pytest.importorskip("exudyn")
    from benchmarks.exudyn_tree import TreeArm

    arm = ARMS[name]
    truth = arm_truth.tip(arm, STOP)
    assert math.dist(TreeArm(arm, "RK67").run(200, STOP / 200)[: len(truth)], truth) < 1e-9
    assert math.dist(TreeArm(arm, "DOPRI5").adapt(1e-9, STOP)[: len(truth)], truth) < 1e-8


@pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning")
def test_exudyn_moves_the_same_slider_crank():
    pytest.importorskip("exudyn")
    assert math.dist(crank.ExudynCrank("GeneralizedAlpha").run(400, STOP / 400), crank.tip(STOP)) < 1e-5


def test_mujoco_moves_the_same_slider_crank():
    pytest.importorskip("mujoco")
    assert math.dist(crank.MujocoCrank().run(400, STOP / 400), crank.tip(STOP)) < 1e-5


def test_the_best_of_each_is_what_counts():
    found = [
        Finish("chainlist", "RK4", 4e-3, 9e-3, "h = 0.01"),
        Finish("chainlist", "DOP853", 2e-3, 7e-3, "reltol 1e-07"),
        Finish("MuJoCo", "joints, RK4", 8e-3, 8e-3, "h = 0.01"),
        Finish("Exudyn", "GeneralizedAlpha", math.inf, math.inf, "not within 1 s"),
        Finish("Exudyn", "RK44", math.nan, math.nan, "not installed"),
    ]
    assert best_of(found, "chainlist") is found[1]
    assert times_less(found) == pytest.approx(4.0)
    assert times_less([found[1], found[3]]) == pytest.approx(PATIENCE / 2e-3)
    assert times_less([found[1], found[4]]) is None


def test_every_race_has_all_three():
    pytest.importorskip("exudyn")
    for race in races_without_truth():
        assert {entry.program for entry in race.entries} == {"chainlist", "MuJoCo", "Exudyn"}


def races_without_truth():
    """The references over the whole time take half a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arm_truth, "tip", lambda arm, stop: (0.0, 0.0))
        return races()
