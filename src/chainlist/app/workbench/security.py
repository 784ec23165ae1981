"""The gate before the workbench: who may talk to it, and what a page of it may do.

Every request passes here, web sockets too: a foreign Host (DNS rebinding), a foreign Origin (another web site in the
same browser), a missing token and oversized bodies are turned away before anything else looks at them.
"""

from __future__ import annotations

import ipaddress
import math
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

from chainlist.app.workbench.door import Door, token_page
from chainlist.app.workbench.settings import Settings, is_loopback

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 8_000_000  # bytes of one request


class Gate:
    """ASGI middleware that lets only the workbench's own pages through."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._door = Door(settings.token, settings.port)
        self._names = _names_of_this_machine(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if not self._host_is_ours(host):
            await _refuse(scope, send, 400, "This address is not known to the workbench.")
        elif "origin" in headers and headers["origin"] not in (f"http://{host}", f"https://{host}"):
            await _refuse(scope, send, 403, "Requests from other pages are refused.")
        elif _is_part_of_another_site(headers):
            await _refuse(scope, send, 403, "Other pages may link to the workbench, and nothing else.")
        elif not self._door.open_to_all and not self._door.knows(headers.get("cookie", "")):
            await self._ask_for_token(scope, send)
        elif scope["type"] == "http" and _length(headers) > MOST_BODY:
            await _refuse(scope, send, 413, "This is too large.")
        else:
            await self._app(scope, _bounded(receive), self._with_headers(send, host))

    def _host_is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
        name = name.strip("[]").lower()
        if self._settings.public_name and name == self._settings.public_name:
            return True  # whatever port the proxy listens on
        if port and port != str(self._settings.port):
            return False
        if name in self._names:
            return True
        # A name can be made to point anywhere, an address cannot: addresses are safe once the server listens to all.
        return not self._settings.loopback and _is_address(name)

    async def _ask_for_token(self, scope: Scope, send: Send) -> None:
        if scope["type"] == "websocket":
            await _refuse(scope, send, 403, "")
            return
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        given = query.pop("token", [""])[0]
        client = (scope.get("client") or ("", 0))[0]
        if not given:
            await _answer(send, 401, token_page(""), [])
        elif wait := math.ceil(self._door.guesses.wait(client)):
            words = f"Too many wrong tokens: wait {wait} s, then try again."
            await _answer(send, 429, token_page(words), [(b"retry-after", str(wait).encode())])
        elif self._door.opens(given, client):
            rest = urlencode(query, doseq=True)
            target = quote(scope["path"]) + (f"?{rest}" if rest else "")
            # One slash only: `//elsewhere` would lead away.
            location = "/" + target.lstrip("/")
            cookie = self._door.set_cookie.encode()
            await _answer(send, 303, "", [(b"location", location.encode()), (b"set-cookie", cookie)])
        else:
            await _answer(send, 401, token_page("That is not the token."), [])

    def _with_headers(self, send: Send, host: str) -> Send:
        policy = (
            "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
            f"img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws://{host} wss://{host}; "
            "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )
        extra = [
            (b"content-security-policy", policy.encode("latin-1")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        return send_with_headers


def _names_of_this_machine(settings: Settings) -> frozenset[str]:
    names = {"localhost", "127.0.0.1", "::1", settings.host.lower()}
    if not is_loopback(settings.host):
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    return frozenset(names)


def _is_part_of_another_site(headers: dict[str, str]) -> bool:
    """An image, a frame or a request of a page of another site, or of another port here. A link to us is welcome."""
    foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return foreign and not link


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _length(headers: dict[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() else MOST_BODY + 1


def _bounded(receive: Receive) -> Receive:
    """Bodies that do not say how long they are end when they are too long, as if the sender had gone."""
    seen = 0

    async def receive_bounded() -> MutableMapping[str, Any]:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > MOST_BODY:
                return {"type": "http.disconnect"}
        return message

    return receive_bounded


async def _refuse(scope: Scope, send: Send, status: int, words: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await _answer(send, status, words, [])


async def _answer(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]]) -> None:
    kind = b"text/html; charset=utf-8" if text.startswith("<") else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
