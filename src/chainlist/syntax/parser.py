"""Text → tree. One bad card never hides the next: it is reported, left out, and reading goes on."""

from __future__ import annotations

import re

from chainlist.syntax import tree
from chainlist.syntax.canonical import canonical
from chainlist.syntax.cards import CardText, Kind, read_cards
from chainlist.syntax.diagnostics import Diagnostics, Related
from chainlist.syntax.inside import read_arguments
from chainlist.syntax.letters import ordinary
from chainlist.syntax.limits import Limits
from chainlist.syntax.plain import plain_entity
from chainlist.syntax.source import Source, Span
from chainlist.syntax.tokens import BadCard, Tokenizer

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_.]*)?")
_KEYWORD = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)?")
# Commands in which no item stands. In all others, those of analyses and plug-ins too, a name may stand apart from its bracket.
_NO_ITEMS = {"tran", "options", "param", "submachine", "end", "ends"}
# Commands in which f(a,b)=… has no meaning; in .func it defines, in analyses it is a condition.
_NO_EQUATIONS = {*_NO_ITEMS, "plot", "print"}
_EQUATIONS = {"G", "N"}  # letters of entities in which {…}={…} may stand
_RAW = {"title", "include"}  # commands whose argument is a text
# What is certainly a statement, and no remark that begins like one.
_STATEMENT = re.compile(
    r"\.(tran|options|plot|print|param)\s+\S|B\w*\s+\([^()]*\)\s*[0-9.]"
    r"|C\w*\s+(B\w*|\([^()]*\))[\s,]+(B\w*|\([^()]*\))$|S\w*\s+B\w*\s+LINE\(",
    re.IGNORECASE,
)


def parse(source: Source, report: Diagnostics, limits: Limits | None = None, *, title: bool = True) -> tree.Chainlist:
    """The tree of one file, includes not followed. An included file has no title line."""
    return _Parser(source, report, limits or Limits()).chainlist(title)


class _Parser:
    def __init__(self, source: Source, report: Diagnostics, limits: Limits):
        self.source = source
        self.report = report
        self.limits = limits
        self.token_count = 0

    def chainlist(self, with_title: bool) -> tree.Chainlist:
        cards, trailing = read_cards(self.source, self.report, self.limits, title=with_title)
        title = None
        if cards and cards[0].kind is Kind.TITLE:
            card = cards.pop(0)
            title = tree.Text(card.text, card.whole)
            self._check_title(card)
        statements: list[tree.Statement] = []
        rest: tuple[str, ...] = ()
        at = 0
        while at < len(cards):
            card = cards[at]
            if card.remarks:
                statements.extend(card.remarks)
            if card.kind is not Kind.COMMAND:
                self._add(card, statements)
                at += 1
                continue
            if self._opens(card):
                at = self._submachine(cards, at, statements)
                continue
            if self._keyword(card) in ("end", "ends"):
                ends = self._end(card)
                if ends is not None:
                    statements.append(ends)
                    rest = self._rest(card)
                    trailing = []
                    break
            else:
                self._add(card, statements)
            at += 1
        statements.extend(trailing)
        return tree.Chainlist(title, tuple(statements), rest, Span(self.source, 0, len(self.source.text)))

    def _check_title(self, card: CardText) -> None:
        """Warn if the title would have been a statement: it was lost as one."""
        text = card.text.strip()
        looks = re.match(
            r"\.(tran|options|plot|print|param|include|submachine)\b"
            r"|B\w*\s+(\([^()]*\)|\S+\s+\S+)\s+\S+"
            r"|C\w*\s+(B\w*|\([^()]*\))[\s,]+(B\w*|\([^()]*\))\s*(LENGTH\s*=.*)?$"
            r"|S\w*\s+B\w*\s+(LINE|\S+\s+\S+\s+\S+$)"
            r"|X\w*\s+\w+\s+B\w*\b",
            text,
            re.IGNORECASE,
        )
        if looks and not re.search(r"[a-z]{3,}\s+[a-z]{3,}", text):
            self.report.add(
                "W101",
                "the first line is the title, but it looks like a statement",
                card.whole,
                label="taken as the title",
                help="put a line with a title above it, such as `* Double pendulum`",
            )

    def _check_comments(self, card: CardText) -> None:
        """Warn where a semicolon was meant to part two statements: the second one is lost as a comment."""
        for line in card.lines:
            if line.comment and _STATEMENT.match(line.comment):
                at = self.source.text.index(line.comment, line.source_start + len(line.text))
                self.report.add(
                    "W103",
                    "a semicolon begins a comment, but a statement seems to follow it",
                    Span(self.source, at, at + len(line.comment)),
                    label="not read",
                    help="put it on a line of its own",
                )

    def _keyword(self, card: CardText) -> str:
        if card.kind is not Kind.COMMAND:
            return ""
        found = _KEYWORD.match(card.text)
        return (found[1] or "").lower() if found else ""

    def _opens(self, card: CardText) -> bool:
        """True for `.submachine`, and for what can only be meant as one: `.subckt` of SPICE, a slip in spelling."""
        return self._keyword(card).startswith("sub")

    def _add(self, card: CardText, statements: list[tree.Statement]) -> None:
        try:
            if card.told:
                raise BadCard
            statements.append(self._statement(card))
        except BadCard:
            found = _NAME.match(ordinary(card.text)) if card.kind is Kind.ENTITY else None
            name = tree.Name(found[0], card.span(0, found.end())) if found else None
            statements.append(tree.Broken(name, card.whole))

    def _statement(self, card: CardText) -> tree.Statement:
        if card.kind is Kind.ENTITY and len(card.lines) == 1 and not card.lines[0].comment:
            plain = plain_entity(card.lines[0].text, card.source, card.lines[0].source_start)
            if plain is not None and self.token_count + plain[1] <= self.limits.tokens:
                self.token_count += plain[1]
                return plain[0]
        self._check_comments(card)
        if card.kind is Kind.ELLIPSIS:
            return self._ellipsis(card)
        if card.kind is Kind.COMMAND:
            return self._command(card)
        return self._entity(card)

    def _ellipsis(self, card: CardText) -> tree.Ellipsis:
        if not card.text.strip(". "):
            if card.text != "...":
                self.report.add("E121", "an ellipsis is three dots in a row", card.whole, help="write `...`")
        elif card.text != "…":
            self._fail("E121", "an ellipsis stands alone on its line", card.whole, "put what follows on the next line")
        return tree.Ellipsis(card.lines[0].comment, card.whole)

    def _entity(self, card: CardText) -> tree.Entity:
        found = _NAME.match(card.text)
        if found is None:
            self._bad_start(card)
        assert found is not None
        name = tree.Name(found[0], card.span(0, found.end()))
        if "." in name.text:
            self._fail(
                "E123",
                f"`{name.text}` cannot be defined: a dot stands only in names of what is inside an instance",
                name.span,
                f"choose a name without a dot, such as `{name.text.replace('.', '_').rstrip('_')}`",
            )
        self._check_behind(card, name, found.end())
        arguments = canonical(name, self._arguments(card, found.end(), items=False))
        return tree.Entity(name, arguments, _layout(card, arguments), card.whole)

    def _check_behind(self, card: CardText, name: tree.Name, at: int) -> None:
        """What may stand directly behind the name of an entity: not `=`, and no sign that would be part of the name."""
        rest = card.text[at:].lstrip()
        if rest.startswith("="):
            value = rest[1:].strip()
            help = "leave out the `=`"
            if re.fullmatch(r"[^\s,()]+|\([^()]*\)", value):
                help = "if this belongs to the statement above, begin the line with `+`"
                if name.key in ("g", "gravity"):
                    help = f"gravity is an option: write `.options gravity={value}`"
                elif not value.startswith("("):
                    help = f"a parameter is set by `.param {name.text}={value}`, an option by `.options`; {help}"
            self._fail(
                "E119",
                f"`{name.text} =` is not how a statement begins",
                card.span(len(card.text) - len(rest), len(card.text) - len(rest) + 1),
                help,
            )
        glued = re.match(r"[-+*/][^\s,=(]*", card.text[at:])
        if glued:
            whole = name.text + glued[0]
            self._fail(
                "E123",
                f"`{whole}` cannot be a name: `{glued[0][0]}` is a sign of arithmetic",
                card.span(0, len(whole)),
                f"write `{re.sub(r'[^A-Za-z0-9_]', '_', whole)}`",
            )

    def _bad_start(self, card: CardText) -> None:
        Tokenizer(card, self.report, self.limits.nesting, items=False).check_letter(0)
        word = card.text.split()[0]
        self._fail(
            "E122",
            f"a statement begins with a name, not with `{word}`",
            card.span(0, len(word)),
            "an entity is named by a letter and digits (B1, C2), a command starts with a dot, a comment with `*`",
        )

    def _command(self, card: CardText) -> tree.Command:
        found = _KEYWORD.match(card.text)
        assert found is not None
        if not found[1]:
            self._fail(
                "E124",
                "a dot without a command",
                card.span(0, 1),
                "write .tran, .options, .plot, .print or another one",
            )
        keyword = tree.Name(found[1].lower(), card.span(0, found.end()))
        if keyword.text in _RAW:
            arguments = self._raw(card, found.end())
        else:
            arguments = self._arguments(card, found.end(), items=keyword.text not in _NO_ITEMS, keyword=keyword.text)
        return tree.Command(keyword, arguments, _layout(card, arguments), card.whole)

    def _raw(self, card: CardText, start: int) -> tuple[tree.Argument, ...]:
        """The rest of a card as one text, quotation marks around it removed."""
        text = card.text[start:]
        begin = start + len(text) - len(text.lstrip())
        text = text.strip()
        if not text:
            return ()
        span = card.span(begin, begin + len(text))
        if len(text) >= 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
            text = text[1:-1].strip()
        return (tree.Text(text, span),)

    def _arguments(self, card: CardText, start: int, *, items: bool, keyword: str = "") -> tuple[tree.Argument, ...]:
        tokens = Tokenizer(card, self.report, self.limits.nesting, items=items).read(start)
        self.token_count += len(tokens)
        if self.token_count > self.limits.tokens:
            self._fail("E101", f"more than {self.limits.tokens:,} words and signs in one file", card.whole, "")
        arguments = read_arguments(card, tokens, self.report)
        for argument in arguments:
            if isinstance(argument, tree.Equality):
                self._check_equation(argument, keyword or card.text[0].upper())
        return arguments

    def _check_equation(self, equation: tree.Equality, head: str) -> None:
        """`.param f(x)=2*x`, and `=` behind a bracket in an entity."""
        call = isinstance(equation.left, tree.Call)
        if head.islower() and head not in _NO_EQUATIONS and (call or head != "func"):
            return
        if not call and head in _EQUATIONS:
            return
        help = "write key=value, as in LENGTH=0.5"
        if call and head in _EQUATIONS:
            left, right = (side.span.text.strip("{}") for side in (equation.left, equation.right))
            help = f"each side of an equation has braces of its own: write {{{left}}}={{{right}}}"
        elif call:
            help += f"; a function is defined by .func {equation.span.text}"
        self._fail("E119", "`=` needs the name of a setting before it", equation.left.span, help)

    def _submachine(self, cards: list[CardText], at: int, statements: list[tree.Statement]) -> int:
        """Collect a definition from its head to its end; return the place of the card behind it."""
        first = cards[at]
        if self._keyword(first) != "submachine":
            written = self._keyword(first)
            self.report.add(
                "E250",
                f"there is no command .{written}",
                first.span(0, len(written) + 1),
                label="unknown",
                help="write .submachine",
            )
        try:
            head = self._statement(first)
        except BadCard:
            head = None
            statements.append(tree.Broken(None, first.whole))
        body: list[tree.Statement] = []
        depth = 0
        for place in range(at + 1, len(cards)):
            card = cards[place]
            keyword = self._keyword(card)
            if self._opens(card):
                depth += 1
                self.report.add(
                    "E127",
                    "a submachine cannot be defined inside another one",
                    card.whole,
                    help="define it outside; an instance (X…) of it may stand inside",
                )
            elif keyword in ("end", "ends") and depth:
                depth -= 1
            elif keyword in ("end", "ends"):
                body.extend(card.remarks)
                end = self._end_of(card)
                if isinstance(head, tree.Command) and end is not None:
                    self._check_end(head, end)
                    statements.append(tree.Submachine(head, tuple(body), end, head.span))
                return place + 1
            elif not depth:
                body.extend(card.remarks)
                self._add(card, body)
        name = first.text.split()[1] if len(first.text.split()) > 1 else "NAME"
        self.report.add(
            "E125",
            "this submachine is not closed",
            first.whole,
            label="no .end follows",
            help=f"add a line `.end {name.rstrip(',')}` behind its last entity",
        )
        return len(cards)

    def _end_of(self, card: CardText) -> tree.Command | None:
        try:
            return self._command(card)
        except BadCard:
            return None

    def _check_end(self, head: tree.Command, end: tree.Command) -> None:
        """`.end` may repeat the name of what it closes, and nothing else."""
        names = [a for a in head.arguments if isinstance(a, tree.Name)]
        closes = end.arguments[0] if end.arguments else None
        if closes is None or not names:
            return
        if len(end.arguments) > 1 or not isinstance(closes, tree.Name) or closes.key != names[0].key:
            self.report.add(
                "E126",
                f"this closes the submachine {names[0].text}",
                closes.span,
                label="another name",
                help=f"write `.end {names[0].text}`",
                also=[Related(names[0].span, "opened here")],
            )

    def _end(self, card: CardText) -> tree.Command | None:
        """`.end` outside a submachine closes the chainlist; with a name it is astray."""
        try:
            command = self._command(card)
        except BadCard:
            return None
        if command.keyword.text == "ends" or command.arguments:
            self.report.add(
                "E126",
                "no submachine is open here",
                card.whole,
                label="closes nothing",
                help="remove this line; a plain `.end` closes the whole chainlist",
            )
            return None
        return command

    def _rest(self, end: CardText) -> tuple[str, ...]:
        """The lines behind `.end`, which are ignored."""
        number = self.source.position(end.whole.stop)[0]
        starts = self.source.line_starts
        if number >= len(starts):
            return ()
        text = self.source.text[starts[number] :]
        lines = tuple(line.rstrip() for line in text.split("\n"))
        first = next((i for i, line in enumerate(lines) if line.strip()), None)
        if first is None:
            return ()
        begin = starts[number + first]
        self.report.add(
            "W102",
            "what stands behind .end is ignored",
            Span(self.source, begin, begin + len(lines[first])),
            label="not read from here on",
            help="remove it, or move `.end` to the last line",
        )
        return lines[:-1] if lines[-1] == "" else lines

    def _fail(self, code: str, message: str, at: Span, help: str) -> None:
        self.report.add(code, message, at, help=help)
        raise BadCard


def _layout(card: CardText, arguments: tuple[tree.Argument, ...]) -> tuple[tree.Line, ...]:
    """How many arguments begin on each physical line, and the comments there."""
    starts = [line.source_start for line in card.lines]
    words = [0] * len(starts)
    number = 0
    for argument in arguments:
        while number + 1 < len(starts) and argument.span.start >= starts[number + 1]:
            number += 1
        words[number] += 1
    return tuple(tree.Line(n, line.comment, line.before) for n, line in zip(words, card.lines, strict=True))
