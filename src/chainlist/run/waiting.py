"""What conditions of a text were waited for and did not come, or held from the start, in words."""

from __future__ import annotations

from chainlist.equations.value import value_at
from chainlist.formula.analysis import uses
from chainlist.run.switchboard import Switchboard


def in_vain(board: Switchboard) -> tuple[str, ...]:
    """What the text waits for and did not come, in words. What breaks under a force may well hold."""
    found, stops = [], board.runner.assembly.mechanism.stops
    for j, condition in enumerate(board.switches.conditions):
        if not board.work.armed[j]:
            continue
        if condition.switch < 0:
            if not board.stopped:
                found.append(f".stop: {stops[j - len(board.switches.conditions)].words} did not come")
            continue
        name, switch = board.switches.elements[condition.switch].name, board.switches.switches[condition.switch]
        if condition.begins:
            found.append(f"{name} never began to hold")
        elif "is " in switch.ends_as:
            found.append(f"{name} was never {switch.ends_as.partition('is ')[2]}")
    return tuple(found)


def hasty(board: Switchboard) -> tuple[str, ...]:
    """What the text waits for and was so from the start, in words with a cure."""
    found, stops = [], board.runner.assembly.mechanism.stops
    later = "if it is to come later, let it wait: {time>0.1 and …}"
    for j in board.at_once:
        if _is_meant_at_once(board, j):
            continue
        k = board.switches.conditions[j].switch
        if k < 0:
            words = stops[j - len(board.switches.conditions)].words
            found.append(
                f"the run ends where it begins: .stop {words} holds at the start, or at once after it; {later}"
            )
            continue
        name, ends = board.switches.elements[k].name, board.switches.switches[k].ends_as
        if ends == "breaks":
            found.append(f"{name} breaks at the start: it carries more than its BREAK there already")
        else:
            found.append(f"{name} {ends} at the start: its condition holds there, or at once after it; {later}")
    return tuple(found)


def _is_meant_at_once(board: Switchboard, j: int) -> bool:
    """`RELEASE={time>0}` and its like: of the time alone, with its border at the start."""
    condition = board.switches.conditions[j]
    return condition.switch >= 0 and uses(condition.formula) <= {"time"} and value_at(condition.formula) == 0.0
