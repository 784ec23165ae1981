"""Tree → text in canonical form. Comments, blank lines, `...` and line breaks are kept; reading it back gives the same tree."""

from __future__ import annotations

from collections.abc import Iterator

from chainlist.syntax import tree


def print_chainlist(chainlist: tree.Chainlist) -> str:
    """The text of a tree without broken statements, ending in a line feed."""
    lines = [] if chainlist.title is None else [chainlist.title.text]
    for statement in chainlist.statements:
        lines.extend(_statement(statement))
    lines.extend(chainlist.rest)
    return "\n".join(lines) + "\n" if lines else ""


def _statement(statement: tree.Statement) -> Iterator[str]:
    match statement:
        case tree.Entity():
            yield from _laid_out(statement.name.text, statement, ", " if statement.name.text[0] in "Xx" else " ")
        case tree.Command():
            together = statement.keyword.text == "submachine"
            yield from _laid_out(f".{statement.keyword.text}", statement, ", " if together else " ")
        case tree.Ellipsis():
            yield _commented("...", statement.comment)
        case tree.Remark():
            yield statement.text
        case tree.Submachine():
            yield from _statement(statement.head)
            for inner in statement.body:
                yield from _statement(inner)
            yield from _statement(statement.end)
        case tree.Broken():
            raise ValueError("a chainlist with broken statements cannot be printed")


def _laid_out(head: str, statement: tree.Entity | tree.Command, separator: str) -> Iterator[str]:
    """The lines of a statement: its head, its arguments, each on the line where it was."""
    raw = isinstance(statement, tree.Command) and statement.keyword.text == "title"
    words = [a.text if raw and isinstance(a, tree.Text) else argument(a) for a in statement.arguments]
    if separator == ", " and words:
        # the first word names the machine: no comma behind it
        words = [words[0], *(f"{word}," for word in words[1:-1]), *words[1:][-1:]]
    at = 0
    for number, line in enumerate(statement.lines):
        yield from line.before
        start = [head] if number == 0 else ["+"]
        yield _commented(" ".join(start + words[at : at + line.words]), line.comment)
        at += line.words


def _commented(text: str, comment: str) -> str:
    return f"{text} ; {comment}" if comment else text


def argument(node: tree.Argument) -> str:
    """The canonical text of one argument: no spaces, except between items in quotation marks and around `and or not`."""
    match node:
        case tree.Setting():
            return f"{node.key.text}={argument(node.value)}"
        case tree.Equality():
            return f"{expression(node.left)}={expression(node.right)}"
        case tree.Text():
            return node.text if node.text.upper() == "CONSOLE" else f'"{node.text}"'
        case tree.Together():
            return '"' + " ".join(argument(item) for item in node.items) + '"'
        case _:
            return expression(node)


def expression(node: tree.Expr) -> str:
    """The canonical text of an expression, a point or a call."""
    match node:
        case tree.Number():
            return node.text + node.unit
        case tree.Name():
            return node.text
        case tree.Signed():
            return node.signs + expression(node.operand)
        case tree.Sum():
            return _chain(node.terms, node.signs)
        case tree.Product():
            return _chain(node.factors, node.operators)
        case tree.Power():
            return "**".join(expression(part) for part in node.parts)
        case tree.Group():
            return f"({expression(node.inner)})"
        case tree.Braces():
            return f"{{{expression(node.inner)}}}"
        case tree.Comparison():
            return f"{expression(node.left)}{node.operator}{expression(node.right)}"
        case tree.Logic():
            return f" {node.operator} ".join(expression(part) for part in node.parts)
        case tree.Not():
            return f"not {expression(node.operand)}"
        case tree.Point():
            return f"({','.join(expression(c) for c in node.coordinates)})"
        case tree.Call():
            return f"{node.function.text}({','.join(expression(a) for a in node.arguments)})"


def _chain(operands: tuple[tree.Expr, ...], operators: tuple[str, ...]) -> str:
    first, *rest = (expression(operand) for operand in operands)
    return first + "".join(sign + text for sign, text in zip(operators, rest, strict=True))
