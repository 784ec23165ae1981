"""Who has the token: a link or a form brings it once, a cookie says so from then on, and guessing is slow."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from html import escape
from http.cookies import SimpleCookie

FREE_GUESSES = 3
LONGEST_WAIT = 60.0  # s between two guesses of one client
MOST_CLIENTS = 10_000  # whose wrong guesses are remembered
_ROUNDS = 100_000


class Guesses:
    """Wrong guesses of each client: after a few, every further one makes it wait twice as long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and when the next is heard

    def wait(self, client: str) -> float:
        """Seconds until this client may guess again; 0 if at once."""
        _, until = self._wrong.get(client, (0, 0.0))
        return max(0.0, until - self._clock())

    def was_wrong(self, client: str) -> None:
        count = self._wrong.pop(client, (0, 0.0))[0] + 1
        pause = min(LONGEST_WAIT, 2.0 ** min(count - FREE_GUESSES, 20)) if count >= FREE_GUESSES else 0.0
        self._wrong[client] = (count, self._clock() + pause)
        while len(self._wrong) > MOST_CLIENTS:
            self._wrong.popitem(last=False)

    def was_right(self, client: str) -> None:
        self._wrong.pop(client, None)


class Door:
    """Knows the token of a workbench, and the cookie of those who had it."""

    def __init__(self, token: str, port: int) -> None:
        self._token = token
        self.guesses = Guesses()
        # The port is in the name because browsers share cookies among all ports of a host.
        self._name = f"chainlist-workbench-{port}"

    @cached_property
    def _value(self) -> str:
        """Follows from the token alone, so that pages find their way back after a restart; not the token itself, which is
        typed elsewhere. It takes long to compute, for who guesses and for us: only once somebody is asked for it.
        """
        return hashlib.pbkdf2_hmac("sha256", self._token.encode(), b"chainlist workbench", _ROUNDS).hex()

    @property
    def open_to_all(self) -> bool:
        return not self._token

    def knows(self, cookies: str) -> bool:
        """Whether the cookies of a request are those of somebody who had the token."""
        cookie = SimpleCookie(cookies)
        given = cookie[self._name].value if self._name in cookie else ""
        return hmac.compare_digest(given.encode(), self._value.encode())

    def opens(self, given: str, client: str) -> bool:
        """Whether a token is the right one."""
        right = hmac.compare_digest(given.encode(), self._token.encode())
        if right:
            self.guesses.was_right(client)
        else:
            self.guesses.was_wrong(client)
        return right

    @property
    def set_cookie(self) -> str:
        # Lax: a link in a mail leads here, but no other site's page can load anything from here.
        return f"{self._name}={self._value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"


def token_page(complaint: str) -> str:
    """Asks for the token. The text that a link carries behind # must not get lost on the way."""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>chainlist</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}}
input,button{{font:inherit;padding:.4rem .7rem}}</style>
<main><h1>chainlist</h1><p>This workbench asks for a token. It is in the link that was printed when it was started.</p>
<form method="get" action="/"><label>Token <input name="token" type="password" autofocus required></label>
<button>Enter</button></form><p role="alert">{escape(complaint)}</p></main>
<script>document.forms[0].action = "/" + location.hash;</script></html>"""
