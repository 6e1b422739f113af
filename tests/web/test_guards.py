"""Request guards: host names, origins, body sizes, rates and security headers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hashmark.errors import HashmarkError
from hashmark.web.app import ROUTERS
from hashmark.web.guards import (
    CONTENT_SECURITY_POLICY,
    HostNames,
    check_proxies,
    client_address,
    is_local,
    is_private_server,
    parse_host,
)
from hashmark.web.rate_limits import Limits
from hashmark.web.request_limits import JsonRoute
from web.harness import ROOMY_LIMITS, app_client, run_async


@pytest.mark.parametrize(
    ("host", "called", "known"),
    [
        ("127.0.0.1", "localhost:8642", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "[::1]:1", True),
        ("127.0.0.1", "evil.example", False),
        ("127.0.0.1", "192.168.0.7:8642", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[", False),
        ("0.0.0.0", "192.168.0.7:8642", True),
        ("0.0.0.0", "evil.example", False),
        ("club.example", "club.example", True),
    ],
)
def test_only_known_host_names_are_accepted(host: str, called: str, known: bool) -> None:
    assert HostNames(host).accepts(called) == known


def test_additional_host_names_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HASHMARK_HOSTS", "club.example, other.example")
    assert HostNames("127.0.0.1").accepts("other.example:80")


def test_a_server_is_private_only_without_proxies_and_additional_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server behind a proxy or with additional host names can be reached from elsewhere."""
    assert is_private_server("127.0.0.1", ())
    assert not is_private_server("0.0.0.0", ())
    assert not is_private_server("127.0.0.1", ("127.0.0.1",))
    monkeypatch.setenv("HASHMARK_HOSTS", "club.example")
    assert not is_private_server("127.0.0.1", ())


def test_a_proxy_is_an_address_or_a_network() -> None:
    check_proxies(["127.0.0.1", "::1", "10.0.0.0/8"])
    for wrong in ("*", "club.example", "10.0.0.1/8", ""):
        with pytest.raises(HashmarkError, match="expected an address"):
            check_proxies([wrong])


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("203.0.113.9", ["198.51.100.7"], "203.0.113.9"),  # spoofed by a stranger
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["1.2.3.4, 198.51.100.7"], "198.51.100.7"),  # the client wrote 1.2.3.4
        ("10.0.0.1", ["1.2.3.4", "198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["198.51.100.7, 10.0.0.2"], "198.51.100.7"),  # two proxies of ours
        ("10.0.0.1", ["198.51.100.7:4711"], "198.51.100.7"),
        ("10.0.0.1", ["[2001:db8:1:2::3]:4711"], "2001:db8:1:2::/64"),
        ("10.0.0.1", ["x" * 5000], "unknown"),
        ("10.0.0.1", ["198.51.100.7, "], "10.0.0.1"),  # garbage: the proxy itself
        ("::1", ["2001:db8::1"], "2001:db8::/64"),
        ("::ffff:203.0.113.9", ["198.51.100.7"], "203.0.113.9"),
        ("fe80::1%eth0", [], "fe80::/64"),
    ],
)
def test_the_client_address_is_taken_from_trusted_proxies_only(
    peer: str, forwarded: list[str], expected: str
) -> None:
    addresses: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        addresses.append(client_address(scope))

    trusted = ProxyHeadersMiddleware(app, ["10.0.0.0/8", "::1"])
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope: Any = {"type": "http", "client": (peer, 1), "headers": headers, "scheme": "http"}
    asyncio.run(trusted(scope, None, None))  # type: ignore[arg-type]
    assert addresses == [expected]


def test_loopback_addresses_are_local() -> None:
    assert is_local("127.0.0.1")
    assert is_local("127.0.0.9")
    assert not is_local("0.0.0.0")
    assert parse_host("LocalHost:1") == "localhost"


def test_requests_from_foreign_pages_are_rejected(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            table = {"rules": "fourth-down"}
            rebound = await client.get("/api/games", headers={"Host": "evil.example"})
            assert rebound.status_code == 421
            for headers in (
                {"Origin": "http://evil.example"},
                {"Origin": "null"},
                {"Sec-Fetch-Site": "cross-site"},
                {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
            ):
                answer = await client.post("/api/tables", json=table, headers=headers)
                assert answer.status_code == 403, headers
            own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
            assert (await client.post("/api/tables", json=table, headers=own)).status_code == 201
            assert (await client.post("/api/tables", json=table)).status_code == 201

    run_async(work)


def test_pages_get_html_errors_and_programs_json(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, Limits(body=3000, plays=2 << 20)) as (client, _):
            for path, much, most in (("/charts", 3 << 20, "2 MB"), ("/leagues", 3001, "2 kB")):
                page = await client.post(path, content=b"x" * much)
                assert page.status_code == 413
                assert page.headers["content-type"].startswith("text/html")
                assert f"the limit is {most}." in page.text
            data = await client.post("/api/charts", content=b"x" * (3 << 20))
            assert data.json()["detail"].endswith("the limit is 2 MB")
            part = await client.post("/leagues", content=b"x" * 3001, headers={"X-Part": "1"})
            assert part.json()["detail"].endswith("the limit is 2 kB")
            foreign = await client.post("/leagues", headers={"Origin": "http://evil.example"})
            assert (foreign.status_code, "another site." in foreign.text) == (403, True)
            for name in ("evil.example", "[", "a b", ""):
                rebound = await client.get("/", headers={"Host": name})
                assert (rebound.status_code, "to that host name." in rebound.text) == (421, True)

    run_async(work)


def test_bodies_are_limited(tmp_path: Path) -> None:
    async def work() -> None:
        limits = Limits(body=1000, log=5000)
        async with app_client(tmp_path, limits) as (client, _):
            large = await client.post("/api/tables", content=b"x" * 1001)
            assert large.status_code == 413

            async def drip() -> AsyncIterator[bytes]:
                for _ in range(20):
                    yield b"y" * 100

            sneaked = await client.post("/api/tables", content=drip())
            assert sneaked.status_code == 413
            lied = await client.post("/api/tables", headers={"Content-Length": "-1"}, content=b"")
            assert lied.status_code == 413
            log = await client.post("/api/logs", content=b"x" * 4000)
            assert log.status_code == 400
            assert (await client.post("/api/logs", content=b"x" * 5001)).status_code == 413

    run_async(work)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (f"/rules/{'x' * 5000}", {}, 414),
        (f"/new/data-driven?x={'x' * 33_000}", {}, 414),
        (f"/new/data-driven?{'a&' * 300}", {}, 414),
        ("/api/games", {"Accept": "x" * 20_000}, 431),
        ("/api/games", {"Content-Type": ";" * 600}, 431),
        ("/api/games", {"Content-Length": "9" * 5000}, 413),
        (f"/new/data-driven?x={'x' * 30_000}", {}, 200),
    ],
)
def test_addresses_and_headers_are_limited(
    tmp_path: Path, path: str, headers: dict[str, str], status: int
) -> None:
    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (client, _):
            assert (await client.get(path, headers=headers)).status_code == status

    run_async(work)


def test_only_our_own_cookie_is_parsed(tmp_path: Path) -> None:
    """Foreign cookies may be of any size: parsing them is slow in some versions of Python."""

    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (client, _):
            await client.post("/tables", data={"rules": "fourth-down"})
            token = client.cookies.pop("hashmark")
            foreign = f'a="{chr(92) * 60_000}"'
            for cookie in (f"hashmark={token}", f"{foreign}; hashmark={token}; b=c"):
                answer = await client.get("/api/tables", headers={"Cookie": cookie})
                assert len(answer.json()["yours"]) == 1
            for cookie in (foreign, f"xhashmark={token}", f"hashmark={token}{'x' * 60}"):
                answer = await client.get("/api/tables", headers={"Cookie": cookie})
                assert answer.json()["yours"] == []

    run_async(work)


def test_every_route_with_a_body_checks_its_json(tmp_path: Path) -> None:
    """Deep nesting and endless digits are refused before they are parsed."""

    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (client, _):
            for value, reason in (
                ("[" * 100 + "]" * 100, "nested too deeply"),
                ("9" * 5000, "5000 digits"),
                ("NaN", "NaN is not a number"),
                (f"[{'[], ' * 1000} 0]", "more than 1000 lists"),
            ):
                body = f'{{"rules": "fourth-down", "options": {{"a": {value}}}}}'
                headers = {"content-type": "application/json"}
                answer = await client.post("/api/tables", content=body, headers=headers)
                assert answer.status_code == 422
                assert reason in answer.json()["detail"]

    run_async(work)
    for router in ROUTERS:
        for route in router.routes:
            if isinstance(route, APIRoute) and route.body_field is not None:
                assert isinstance(route, JsonRoute), route.path


def test_too_many_requests_are_rejected(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, Limits(rate=0.001, burst=5)) as (client, _):
            responses = [await client.get("/api/games/fourth-down") for _ in range(8)]
            assert [one.status_code for one in responses] == [200] * 5 + [429] * 3
            assert 900 <= int(responses[-1].headers["Retry-After"]) <= 1000
            page = await client.get("/")
            assert page.headers["content-type"].startswith("text/html")
            assert int(page.headers["Retry-After"]) > 0

    run_async(work)


def test_every_response_has_security_headers(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, ROOMY_LIMITS) as (client, _):
            paths = ("/", "/api", "/new/fourth-down", "/nothing", "/static/app.css", "/api/games")
            for path in paths:
                answer = await client.get(path)
                assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert "unsafe" not in CONTENT_SECURITY_POLICY

    run_async(work)


def test_no_page_has_inline_styles_or_scripts(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            made = await client.post("/tables", data={"rules": "fourth-down"})
            assert made.status_code == 303
            for path in ("/", "/new/data-driven", "/join", "/api", made.headers["location"]):
                text = (await client.get(path)).text
                assert "<style" not in text
                assert " style=" not in text
                assert " onclick" not in text
                assert "<script>" not in text
                own = text.replace("http://www.w3.org", "").replace("http://localhost/static", "")
                assert "http://" not in own
                assert "https://" not in text

    run_async(work)
