"""Pages without a browser: they work without JavaScript and show errors."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import httpx
import pytest

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import NO_CALL
from hashmark.errors import HashmarkError
from hashmark.session.header import Header
from hashmark.session.log import seal_line, turn_line
from hashmark.text.playback import last_scene
from hashmark.web import game_menu, views
from hashmark.web.pages import rendering, table_pages, table_parts
from hashmark.web.svg.drive import drive_path
from hashmark.web.tables.table import Viewer
from timeouts import TIMEOUT_SECONDS
from web.harness import app_client, run_async


def answers(page: httpx.Response) -> list[str]:
    return re.findall(r'<button name="call" value="([^"]+)"', page.text)


def test_pages_are_compressed_if_the_client_accepts_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            for path in ("/", "/static/table.js", "/drawn.css", "/api/games"):
                packed = await client.get(path)
                plain = await client.get(path, headers={"Accept-Encoding": "identity"})
                assert packed.headers["content-encoding"] == "gzip"
                assert "content-encoding" not in plain.headers
                assert packed.text == plain.text
                assert int(packed.headers["content-length"]) < len(plain.content) / 2
            assert "content-encoding" not in (await client.get("/api/health")).headers

    run_async(work)


def test_a_game_can_be_played_without_javascript(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            created = await client.post("/tables", data={"rules": "fourth-down"})
            assert created.status_code == 303
            cookie = created.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=lax" in cookie
            where = created.headers["location"]
            assert (await client.post(f"{where}/ready", data={"word": "x"})).status_code == 303
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while not answers(page := await client.get(where)):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.01)
            moment = re.search(r'name="moment" value="(\d+)"', page.text)
            assert moment
            form = {"moment": moment[1], "call": answers(page)[0]}
            assert (await client.post(f"{where}/answer", data=form)).status_code == 303
            late = await client.post(f"{where}/answer", data=form)
            assert late.status_code == 409
            assert "has passed" in late.text
            assert 'data-part="question"' in late.text  # how the table stands now
            in_background = await client.post(f"{where}/answer", data=form, headers={"X-Part": "1"})
            assert in_background.json()["detail"].startswith("moment")
            for path in ("/plays", "/box", "/drives", "/help", "/charts", "/at/1", "/parts"):
                assert (await client.get(f"{where}{path}")).status_code == 200, path
            assert (await client.get(f"{where}/review")).status_code == 409  # it is not over
            for path, body in (
                ("/undo", {"moment": moment[1]}),
                ("/order", {"when": "lunch"}),
                ("/seat", {"team": "up"}),
                ("/invite", {"team": "up"}),
                ("/roll", {"moment": "x"}),
                ("/rematch", {}),
            ):
                answer = await client.post(f"{where}{path}", data=body)
                assert 400 <= answer.status_code < 500, path
            missing = await client.get("/nothing")
            assert missing.status_code == 404
            assert "There is no page at this address" in missing.text

    run_async(work)


def test_the_form_of_a_new_game_is_parsed() -> None:
    request = table_pages.parse_table_request(
        {
            "rules": "data-driven",
            "against": "friend",
            "side": "away",
            "preset": "recommended",
            "option-mode": "basic",
            "option-timing": "",
            "name-home": "  ",
            "name-away": "Otters",
            "listed": "on",
        }
    )
    assert request.seats == {"home": "friend", "away": "me"}
    assert request.options["mode"] == "basic"
    assert request.options["timing"] == "full"
    assert request.names == {"away": "Otters"}
    assert request.listed
    watched = table_pages.parse_table_request(
        {"rules": "fourth-down", "against": "watch", "coach": "bold"}
    )
    assert watched.seats == {"home": "coach:bold", "away": "coach:bold"}
    for wrong in ({"against": "nobody"}, {"preset": "none"}):
        with pytest.raises(HashmarkError):
            table_pages.parse_table_request({"rules": "data-driven", **wrong})


def test_every_game_has_its_page(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            lobby = (await client.get("/")).text
            for rules in game_menu.all_games():
                assert f'href="/new/{rules.name}"' in lobby
                page = await client.get(f"/new/{rules.name}")
                for option in rules.setup.options:
                    assert (
                        f'name="option-{option.name}"' in page.text
                        or option.list_choices is not None
                    )
                assert (await client.get(f"/rules/{rules.name}")).status_code == 200
                described = game_menu.game_to_dict(rules)
                assert described["coaches"][0]["name"] == "random"

    run_async(work)


@pytest.mark.parametrize("rules", registry.names())
def test_every_turn_of_a_game_can_be_shown(rules: str) -> None:
    """Boards, fields, plays and figures can be rendered at each turn."""
    game = Game(rules, dice=SeededDice(5))
    coach = game.rules.coach("random")
    for number in range(60):
        if game.is_over:
            break
        game.play(game.decide(coach))
        earlier = views.game_at_turn(game, number // 2)
        scene = last_scene(earlier)
        assert table_parts.values_of_scene(earlier, Viewer((0,)), scene)["field"]
    assert views.list_plays(game)
    assert table_parts.render_box(game)
    assert table_parts.render_drives(game)
    assert table_parts.render_plays(game)
    assert table_parts.render_help(game)
    assert isinstance(drive_path(game), tuple)


def test_names_of_calls_are_spaced_for_people() -> None:
    assert rendering.spaced_name("pass-first") == "pass first"
    assert rendering.spaced_name("turn:d4-1") == "turn: d4-1"
    assert rendering.spaced_name("pick:d6a,d8") == "pick: d6a, d8"


def test_rendered_rules_have_no_html_and_no_links() -> None:
    html = rendering.markdown("a <b>c</b> [d](http://e)\n\n| f | g |\n|:--|--:|\n| 1 | 2 |\n")
    assert "<b>" not in html
    assert "href" not in html
    assert "style" not in html
    assert "<table>" in html


def test_no_css_rule_for_a_part_affects_a_whole_page() -> None:
    """A page's name is its body's class, so a rule for that class alone would shift the header."""
    web = Path(rendering.__file__).parents[1]
    names = {
        name
        for file in (web / "templates").glob("*.html")
        for name in re.findall(r"block name %\}([\w-]+)", file.read_text("utf-8"))
    }
    assert {"feed", "lobby"} <= names
    for file in (web / "static").glob("*.css"):
        css = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL)
        selectors = {
            selector.strip()
            for group in re.findall(r"[^{}]+(?=\{)", css)
            for selector in group.split(",")
        }
        assert not selectors & {f".{name}" for name in names}, file.name


def test_the_form_of_a_new_game_keeps_what_was_typed(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            form = {
                "rules": "rapid-roll",
                "against": "friend",
                "name-home": "Otters",
                "name-away": "Otters",
                "option-kickoff_line": "35",
                "preset": "short",
            }
            page = await client.post("/tables", data=form)
            assert page.status_code == 400
            assert 'role="alert"' in page.text
            assert 'name="name-home" value="Otters"' in page.text
            assert 'name="option-kickoff_line" value="35"' in page.text
            assert 'name="against" value="friend" checked' in page.text
            assert '<option value="short" selected>' in page.text
            assert (await client.post("/tables", data={"rules": "chess"})).status_code == 400

    run_async(work)


def test_data_driven_starts_with_two_real_teams(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            form = {"rules": "data-driven", "quick": "on", "preset": "short"}
            place = (await client.post("/tables", data=form)).headers["location"]
            table = await app_state.tables.find(place.rpartition("/")[2])
            assert table.header.options["charts"] == "2025"
            assert table.header.options["quarter_seconds"] == 300
            assert table.header.names == ("Seattle", "New England")
            assert "data-kick-off" in (await client.get(place)).text
            page = (await client.get("/new/data-driven")).text
            assert re.search(r'<option value="SEA-2025" selected>', page)

    run_async(work)


def test_the_lobby_names_what_concerns_a_visitor(tmp_path: Path) -> None:
    """Own games come first; games against coaches are not shown to strangers."""

    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            for against in ("coach", "friend", "watch"):
                form = {"rules": "fourth-down", "against": against, "coach": "book", "listed": "on"}
                await client.post("/tables", data={**form, "name-home": f"Against {against}"})
            own = (await client.get("/")).text
            assert own.index("Your games") < own.index('class="hero"')
            assert "Against coach" in own
            listed = [
                row.header["names"]["home"]
                for row in app_state.store.list_tables(("laid", "playing"))
            ]
            assert sorted(listed) == ["Against friend", "Against watch"]
            client.cookies.clear()
            stranger = (await client.get("/")).text
            assert "Your games" not in stranger
            assert "Against coach" not in stranger

    run_async(work)


def test_pages_describe_themselves(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            for path, image in (("/", "hashmark"), ("/new/rapid-roll", "rapid-roll")):
                page = (await client.get(path)).text
                assert re.search(r'<meta name="description" content="[^"]{40,}">', page)
                address = re.search(
                    r'<meta property="og:image" content="http://localhost(.+)">', page
                )
                assert address
                assert address[1] == f"/static/preview/{image}.png"
                assert (await client.get(address[1])).headers["content-type"] == "image/png"

    run_async(work)


def test_a_used_invitation_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            body = {"rules": "fourth-down", "seats": {"away": "friend"}}
            invitation = (await client.post("/api/tables", json=body)).json()["invitations"]["away"]
            client.cookies.clear()
            link = {"invitation": f"http://localhost/join#{invitation}"}
            assert (await client.post("/join", data=link)).status_code == 303
            again = await client.post("/join", data=link)
            assert again.status_code == 404
            assert "This invitation has already been used." in again.text
            wrong = await client.post("/join", data={"invitation": "x" * 40})
            assert "This invitation is not valid." in wrong.text

    run_async(work)


def test_a_finished_game_can_be_framed_and_an_upload_is_named(tmp_path: Path) -> None:
    """Only the replay may be framed; it shows nothing that a spectator may not see."""

    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            game = (await client.post("/tables", data={"rules": "fourth-down"})).headers["location"]
            assert (await client.get(f"{game}/replay")).status_code == 409
            log = finished_log()
            key = (await client.post("/api/logs", content=log)).json()["id"]
            page = await client.get(f"/table/{key}/replay?turn=3")
            policy = page.headers["content-security-policy"]
            assert "frame-ancestors *" in policy
            assert "form-action 'none'" in policy
            assert "After turn 3" in page.text
            assert f"&lt;iframe src=&#34;http://localhost/table/{key}/replay" in page.text
            ordinary = await client.get(f"/table/{key}")
            assert "frame-ancestors 'none'" in ordinary.headers["content-security-policy"]
            assert (await client.get(f"/table/{key}/dice")).status_code == 200
            row = app_state.store.find_row(key)
            assert row is not None
            assert game_menu.table_row_to_dict(row)["uploaded"]

    run_async(work)


def finished_log() -> bytes:
    """Return the log of a finished game between coaches."""
    seats = {"home": "coach:random", "away": "coach:random"}
    header = Header("fourth-down", seats=seats, seed=4)
    game = header.new_game()
    coach = game.rules.coach("random")
    text, chain = seal_line("", header.to_json())
    lines = [text]
    while not game.is_over:
        turn = game.play(game.decide(coach) if game.wants_call else NO_CALL)
        text, chain = seal_line(chain, turn_line(game, len(game.turns), turn))
        lines.append(text)
    return "".join(lines).encode()
