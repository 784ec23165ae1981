"""Machines that start flat: the equations do not say how they go on, but the order of the cards does not say it either."""

import random
import sys
from collections import Counter

import numpy as np
import pytest

import chainlist

SAME = 1e-12  # m, of machines of some metres; by the order of the cards they differed by up to 1e-4


def flat_loop(luck):
    """The cards of bars on one line that end at two anchors, as long as the line, folded or stretched."""
    x, cards = 0.0, []
    bodies = luck.randint(2, 5)
    for i in range(1, bodies + 1):
        x += luck.choice((1, 1, -1)) * luck.uniform(0.4, 1.6)
        cards.append(f"B{i} ({x!r},0) {luck.uniform(0.5, 2)!r} IC_VEL=(0,{luck.choice((0.0, luck.uniform(-1, 1)))!r})")
        cards.append(f"C{i} B{i} {f'B{i - 1}' if i > 1 else '(0,0)'}")
    end = x + luck.choice((1, -1)) * luck.uniform(0.4, 1.6)
    return [*cards, f"C{bodies + 1} B{bodies} ({end!r},0)"]


def shuffled(cards, luck):
    return luck.sample(cards, len(cards))


def run(cards):
    text = "\n".join(["* Flat", *cards, ".tran 0 0.3 1E-3", ".plot Etotal", ""])
    return chainlist.simulate(text)


def campaign(count, seed):
    luck, counted, worst = random.Random(seed), Counter(), 0.0
    while counted["machines"] < count:
        cards = flat_loop(luck)
        motion = run(cards)
        if "W308" not in {message.code for message in motion.mechanism.diagnostics}:
            counted["not singular"] += 1
            continue
        other = run(shuffled(cards, luck))
        order = [other.bodies.index(name) for name in motion.bodies]
        assert other.status.ok == motion.status.ok, cards
        worst = max(worst, float(np.abs(other.q[:, order] - motion.q).max()))
        counted["machines"] += 1
    return counted, worst


def test_flat_machines_move_alike_however_their_cards_are_ordered():
    assert campaign(8, 3)[1] < SAME


@pytest.mark.long
def test_many_flat_machines():
    counted, worst = campaign(150, 4)
    sys.stdout.write(f"{dict(counted)}, largest difference {worst:.1e} m\n")
    assert worst < SAME


def test_the_message_names_the_bodies_and_says_that_the_motion_is_not_determined():
    cards = ["B1 (1,0) 1", "B2 (3,0) 1", "C1 B1 (0,0)", "C2 B1 B2", "C3 B2 (2,0)"]
    (message,) = run(cards).mechanism.diagnostics
    assert message.code == "W308" and "the motion of B1 and B2 is not determined there" in message.message
