""".func: functions of the user, in numbers and in items."""

import pytest

from chainlist.formula import Constant, Operation, Quantity
from chainlist.model.ask import ask
from chainlist.model.dump import dump

X, Y = Quantity("X", ("B1",)), Quantity("Y", ("B1",))


def mass(machine, expression, *lines):
    found = machine(f"B1 (0,-1) {expression}", *lines)
    assert found.codes == [], found.said
    return found.body["B1"].mass


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("if(1<2,3,4)", 3),
        ("{if(1 > 2 or not 1 >= 2, 3, 4)}", 3),
        ("{if(2 <= 2 and 0.5, 3, 4)}", 3),
        ("{1 + (2<3)}", 2),
        ("{1 + (not 5)}", 1),
        ("step(0)+step(-1)*10", 1),
        ("ramp(3)+ramp(-5)", 3),
        ("mod(-1,3)", 2),
        ("floor(2.9)", 2),
        ("2+sign(-3)", 1),
        ("hypot(3,4)", 5),
        ("smooth(0.5,0,1)", 0.5),
        ("cosh(0)+tanh(0)+sinh(0)", 1),
        ("pwl(1.5,0,0,1,2,2,4)", 3),
        ("table(9,0,0,1,2,2,4)", 4),
        ("spline(1,0,0,1,2,2,4)", 2),
        ("pulse(1.5,1,5,1,1,1,1,10)", 3),
        ("if(n>0,1/n,7)", 7),
        ("if(n>0,if(n>1,log(n),sqrt(-1)),7)", 7),
    ],
)
def test_functions_and_conditions_in_numbers(machine, expression, value):
    assert mass(machine, expression, ".param n=0") == value


def test_a_branch_that_is_not_taken_is_still_read(machine):
    assert machine("B1 (0,-1) if(1,2,foo)").codes == ["E206"]
    assert machine("B1 (0,-1) if(1,2,foo(3))").codes == ["E207"]


def test_functions_may_be_used_before_their_definition_and_by_one_another(machine):
    lines = ".func area(a,b)=a*double(b)", ".param k=area(2,L) L=3", ".func Double(x)={2*x + off - L}", ".param off=L"
    assert mass(machine, "AREA(1,k)", *lines) == 2 * 12


def test_what_a_function_takes_hides_parameters_and_letters_of_energies(machine):
    assert mass(machine, "f(2)", ".param L=100", ".func f(l)=l+1") == 3
    assert mass(machine, "f(2)", ".func f(t)=t*t") == 4
    assert mass(machine, "two()*3", ".func two()=2") == 6


def test_parameters_in_a_function_are_those_of_the_chainlist(machine):
    arm = ".submachine Arm BA, m=5, (x0,y0)", "BA (x0,y0-1) f(1)", "C1 BA (x0,y0)", ".end Arm"
    found = machine(".param m=2", ".func f(x)=m*x", *arm, "X1 Arm B1 (0,0)")
    assert found.codes == [] and found.body["B1"].mass == 2


def test_functions_of_items_are_put_in_place(read):
    found = read(
        "* t\n.param k=3\nB1 (0,-1) 1\n.func r(x,y)=sqrt(x**2+k*y) g()=X(B1)\n.plot r(X(B1),2) g()+g() f(Time)\n.func f(x)=x\n.tran 0 1 1ms"
    )
    assert found.codes == []
    formulas = [panel[0].formula for panel in found.mechanism.plots[0].panels]
    inner = Operation("+", (Operation("**", (X, Constant(2.0))), Constant(6.0)))
    assert formulas == [Operation("sqrt", (inner,)), Operation("+", (X, X)), Quantity("Time")]
    again = read(dump(found.mechanism))
    assert again.mechanism.plots == found.mechanism.plots
    assert ask(found.mechanism, "r(1,Y(B1))").formula == Operation(
        "sqrt", (Operation("+", (Constant(1.0), Operation("*", (Constant(3.0), Y)))),)
    )


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ((".func f(x)=f(x-1)", "B1 (0,-1) f(1)"), "E217", "f → f"),
        ((".func f(x)=2*g(x) g(y)=k(y)+1 k(z)=f(z)",), "E217", "f → g → k → f"),
        ((".func f(x)=x", "B1 (0,-1) f(1,2)"), "E208", "f takes 1 argument, not 2"),
        ((".func f()=2", "B1 (0,-1) f(1)"), "E208", "f takes no arguments, not 1"),
        ((".func f(x,y)=x g(x)=f(x)",), "E208", "f takes 2 arguments, not 1"),
        ((".func f(x)=x", ".func F(y)=y"), "E216", "the function F is defined twice"),
        ((".func f(x,X)=x",), "E216", "f takes X twice"),
        ((".func f(pi)=pi",), "E216", "cannot be called pi"),
        ((".func f(sin)=1",), "E216", "cannot be called sin"),
        ((".func pi(x)=x",), "E216", "cannot be called pi"),
        ((".func Q(x)=x",), "E216", "an item of .plot"),
        ((".func if(x)=x",), "E216", "a function of the language"),
        ((".param L=1", ".func L(x)=x"), "E216", "L is a parameter"),
        ((".func f.g(x)=x",), "E216", "cannot be called f.g"),
        ((".func",), "E215", "defines nothing"),
        ((".func f=2",), "E215", "written name(a,b)=value"),
        ((".func f(x) x+1",), "E215", "written name(a,b)=value"),
        ((".func f(2)=1",), "E215", "a list of names"),
        ((".func f(x)=x+foo",), "E206", "unknown parameter foo"),
        ((".func f(x)=foo(x)",), "E207", "there is no function foo"),
        ((".func f(x)=sin(x,x)",), "E208", "sin takes 1 argument, not 2"),
        ((".func f(x)=1/x", "B1 (0,-1) f(0)"), "E205", "1/x is a division by zero"),
        ((".func f(B2)=X(B2)",), "E271", "B2 stands for a number here"),
        ((".func f(x)=(x,1)",), "E209", "not a point"),
        ((".param a=f(1)", ".func f(x)=x+a"), "E213", "the parameter a is defined by itself"),
        (("B1 (0,-1) ff(1)", ".func fff(x)=x"), "E207", "there is no function ff"),
        ((".param f=1", "B1 (0,-1) f(1)"), "E207", "there is no function f"),
    ],
)
def test_what_is_wrong_is_said(machine, lines, code, said):
    found = machine(*lines, *(() if any(line.startswith("B1") for line in lines) else ("B1 (0,-1) 1",)))
    assert found.codes == [code], found.said
    assert said in found.said[0].message
    assert found.said[0].help and found.said[0].label


def test_a_mistake_in_a_function_shows_the_call_too(machine):
    found = machine("B1 (0,-1) f(0)", ".func f(x)=1/x")
    (said,) = found.said
    assert [related.span.text for related in said.also] == ["f(0)"]


def test_a_broken_function_is_told_once(machine):
    found = machine("B1 (0,-1) f(0)", "B2 (1,-1) f(1)", ".func f(x)=1+*x")
    assert found.codes == ["E116"]
    found = machine("B1 (0,-1) f(0)", "B2 (1,-1) f(1)", ".func f(x)=foo")
    assert found.codes == ["E206"]


def test_suggestions_know_functions_of_the_user(machine):
    found = machine("B1 (0,-1) aera(2,3)", ".func Area(a,b)=a*b")
    assert found.said[0].help == "did you mean Area?"


def test_growth_is_bounded(machine, read):
    bomb = " ".join(f"f{i}(x)=f{i + 1}(x)+f{i + 1}(x)" for i in range(50)) + " f50(x)=x"
    assert machine("B1 (0,-1) f0(1)", f".func {bomb}").codes == ["E218"]
    deep = " ".join(f"f{i}(x)=f{i + 1}(x)" for i in range(5000)) + " f5000(x)=x"
    assert machine("B1 (0,-1) f0(1)", f".func {deep}").codes == ["E218"]
    nested = "f(" * 60 + "X(B1)" + ")" * 60
    found = read(f"* t\nB1 (0,-1) 1\n.func f(x)=x*x\n.plot {nested}\n.tran 0 1 1ms")
    assert found.codes == ["E277"]


def test_func_inside_a_submachine_is_told(machine):
    found = machine(".submachine A BA", ".func f(x)=x", "BA (0,-1) 1", ".end", "X1 A B1")
    assert found.codes == ["E244"]
