"""Values from outside: numbers with units, arithmetic, and words on what is neither."""

import pytest

import chainlist
from chainlist.model.desk import Problem
from chainlist.model.outside import outside_number, outside_parameters

PENDULUM = "* Pendulum\n.param L=1\nB1 (L,0) 1\nC1 B1 (0,0)\n.tran 0 1 0.1\n.plot Etotal\n"


@pytest.mark.parametrize(
    "text, number",
    [
        ("40cm", 0.4),
        ("-2", -2.0),
        ("2*9.81", 19.62),
        ("1ms*2", 0.002),
        ("sqrt(2)/2", 0.5**0.5),
        ("2*pi", 6.283185307179586),
    ],
)
def test_arithmetic_of_numbers_is_a_number(text, number):
    assert outside_number(text) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize(
    "text, message, help",
    [
        (
            "1,2,3",
            "one number is wanted here, not several",
            '.step L LIST 1 2 3, or chainlist sweep --step "L LIST 1 2 3"',
        ),
        ("1,5", "`1,5` is not one number", "write 1.5"),
        ("nan", "a number is wanted here, not nan", "write a finite number"),
        ("9.81m/s2", "`9.81m/s2` is not one number", "there are no compound units"),
        ("2*M", "a number is wanted here, and M is none", "write a number in place of M"),
    ],
)
def test_what_is_no_number_is_told_with_a_cure(text, message, help):
    with pytest.raises(Problem) as caught:
        outside_number(text)
    assert message in str(caught.value) and help in caught.value.help


def test_settings_and_parameters_take_arithmetic():
    assert outside_parameters({"L": "2*3"}) == {"L": 6.0}
    motion = chainlist.simulate(PENDULUM, params={"L": "1/2"}, gravity="2*9.81", tran="0 0.5*2 0.1")
    assert motion.q[0, 0, 0] == 0.5 and motion.mechanism.options.gravity == 19.62 and motion.t[-1] == 1.0
