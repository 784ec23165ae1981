"""Who is let in: hosts, origins, tokens, sizes. The gate stands before a small application that says yes to all."""

import pytest

from chainlist.app.workbench.door import FREE_GUESSES, LONGEST_WAIT, Door, Guesses
from chainlist.app.workbench.security import MOST_BODY, Gate
from chainlist.app.workbench.settings import Settings, is_loopback

from .conftest import run_async


async def yes(scope, receive, send):
    """Reads the whole body, then answers with its length."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def ask(settings, *, kind="http", path="/", query="", bodies=(b"",), gate=None, **headers):
    """What the gate answers: the messages it sends."""
    sent = []
    parts = list(bodies)

    async def receive():
        body = parts.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "query_string": query.encode(), "headers": raw, "method": "GET"}
    run_async((gate or Gate(yes, settings))(scope, receive, send))
    return sent


def status(sent):
    return sent[0].get("status", sent[0]["type"])


HERE = Settings(port=8765)
CLASS = Settings(host="0.0.0.0", port=8765, token="a long enough secret")


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "LOCALHOST:8765", "localhost"])
def test_own_hosts_are_let_in(host):
    assert status(ask(HERE, host=host)) == 200
    assert status(ask(HERE, kind="websocket", host=host)) == "websocket.accept"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1:9", "192.168.1.7:8765", "localhost.evil.example:8765", ""]
)
def test_foreign_hosts_are_refused(host):
    assert status(ask(HERE, host=host)) == 400
    assert status(ask(HERE, kind="websocket", host=host)) == "websocket.close"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9", "https://127.0.0.1:8765.evil"])
def test_foreign_origins_are_refused(origin):
    assert status(ask(HERE, host="localhost:8765", origin=origin)) == 403
    assert status(ask(HERE, kind="websocket", host="localhost:8765", origin=origin)) == "websocket.close"
    assert status(ask(HERE, host="localhost:8765", origin="http://localhost:8765")) == 200


def test_behind_a_proxy_its_name_is_known_with_any_port_and_no_other():
    proxied = Settings(host="127.0.0.1", port=8765, public_name="mechanics.example.org")
    for host in ("mechanics.example.org", "Mechanics.example.org:8443", "127.0.0.1:8765"):
        assert status(ask(proxied, host=host)) == 200
    assert status(ask(proxied, host="mechanics.example.org", origin="https://mechanics.example.org")) == 200
    assert status(ask(proxied, host="mechanics.example.org", origin="https://evil.example")) == 403
    for host in ("evil.example", "mechanics.example.org.evil", "127.0.0.1:9"):
        assert status(ask(proxied, host=host)) == 400


def test_files_are_written_for_the_person_at_the_machine_alone(tmp_path):
    assert Settings(folder=tmp_path).may_write
    assert not Settings(folder=tmp_path, host="0.0.0.0").may_write
    assert not Settings(folder=tmp_path, public_name="mechanics.example.org").may_write  # a proxy lets others in


def test_an_open_server_takes_addresses_but_no_foreign_names():
    assert status(ask(CLASS, host="192.168.1.7:8765")) == 401
    assert status(ask(CLASS, host="evil.example:8765")) == 400


def test_token_by_link_becomes_a_cookie():
    gate = Gate(yes, CLASS)
    refused = ask(CLASS, gate=gate, host="10.0.0.1:8765")
    assert status(refused) == 401 and b"token" in refused[1]["body"]
    assert status(ask(CLASS, gate=gate, kind="websocket", host="10.0.0.1:8765")) == "websocket.close"
    assert status(ask(CLASS, gate=gate, host="10.0.0.1:8765", query="token=wrong")) == 401
    welcomed = ask(CLASS, gate=gate, host="10.0.0.1:8765", path="/a", query="token=a+long+enough+secret&x=1")
    headers = dict(welcomed[0]["headers"])
    assert status(welcomed) == 303 and headers[b"location"] == b"/a?x=1"
    cookie = headers[b"set-cookie"].decode()
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "a long enough" not in cookie
    assert status(ask(CLASS, gate=gate, host="10.0.0.1:8765", cookie=cookie.split(";")[0])) == 200
    assert status(ask(CLASS, gate=gate, host="10.0.0.1:8765", cookie="chainlist-workbench-8765=guess")) == 401


def test_guessing_becomes_slow_for_whoever_guesses():
    now = [0.0]
    guesses = Guesses(lambda: now[0])
    waits = []
    for _ in range(12):
        guesses.was_wrong("mallory")
        waits.append(guesses.wait("mallory"))
        now[0] += waits[-1]
    assert (
        waits[: FREE_GUESSES - 1] == [0.0] * (FREE_GUESSES - 1) and waits[FREE_GUESSES] == 2 * waits[FREE_GUESSES - 1]
    )
    assert waits[-1] == LONGEST_WAIT and guesses.wait("alice") == 0
    gate = Gate(yes, CLASS)
    answers = [
        status(ask(CLASS, gate=gate, host="10.0.0.1:8765", query="token=wrong")) for _ in range(FREE_GUESSES + 1)
    ]
    assert answers == [401] * FREE_GUESSES + [429]
    assert status(ask(CLASS, gate=gate, host="10.0.0.1:8765", query="token=a+long+enough+secret")) == 429


def test_two_workbenches_of_one_host_have_two_cookies_and_each_keeps_its_own():
    one, two = Door("the same token", 8765), Door("the same token", 8766)
    cookie = one.set_cookie.split(";")[0]
    assert one.knows(cookie) and not two.knows(cookie)
    assert Door("the same token", 8765).knows(cookie) and not Door("another token", 8765).knows(cookie)
    assert one.knows(f"{two.set_cookie.split(';')[0]}; {cookie}")


def test_a_redirect_never_leads_away():
    sent = ask(CLASS, host="10.0.0.1:8765", path="//evil.example/", query="token=a+long+enough+secret")
    assert dict(sent[0]["headers"])[b"location"] == b"/evil.example/"


def test_large_bodies_are_refused_whether_they_say_so_or_not():
    assert status(ask(HERE, host="localhost:8765", content_length=str(MOST_BODY + 1))) == 413
    assert status(ask(HERE, host="localhost:8765", content_length="-5")) == 413
    part = b"x" * (MOST_BODY // 2)
    assert ask(HERE, host="localhost:8765", bodies=[part, part, part]) == []  # the application never saw the end
    assert ask(HERE, host="localhost:8765", bodies=[part, b"y"])[1]["body"] == str(len(part) + 1).encode()


def test_pages_may_not_be_framed_and_may_ask_only_us():
    headers = {name: value.decode() for name, value in ask(HERE, host="localhost:8765")[0]["headers"]}
    policy = headers[b"content-security-policy"]
    assert "frame-ancestors 'none'" in policy and "default-src 'self'" in policy
    assert "connect-src 'self' ws://localhost:8765" in policy
    assert headers[b"x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("settings", "peer", "forwarded", "seen"),
    [
        (Settings(), "127.0.0.1", "6.6.6.6", "127.0.0.1"),
        (Settings(public_name="class.example"), "127.0.0.1", "6.6.6.6", "6.6.6.6"),
        (
            Settings(public_name="class.example"),
            "127.0.0.1",
            "1.2.3.4, 6.6.6.6",
            "6.6.6.6",
        ),  # a proxy that adds to a forged list
        (Settings(public_name="class.example"), "6.6.6.6", "1.2.3.4", "6.6.6.6"),  # past the proxy
        (Settings(host="0.0.0.0", public_name="class.example"), "172.17.0.1", "1.2.3.4, 6.6.6.6", "6.6.6.6"),
        (Settings(host="0.0.0.0", public_name="class.example"), "6.6.6.6", "1.2.3.4", "6.6.6.6"),
    ],
)
def test_only_a_proxy_says_where_a_request_comes_from(settings, peer, forwarded, seen):
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    found = []

    async def app(scope, receive, send):
        found.append(scope["client"][0])

    scope = {"type": "http", "client": (peer, 5), "headers": [(b"x-forwarded-for", forwarded.encode())]}
    run_async(ProxyHeadersMiddleware(app, trusted_hosts=settings.trusted_proxies)(scope, None, None))
    assert found == [seen]


def test_what_counts_as_loopback():
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.1.2", "example.org", ""]))
