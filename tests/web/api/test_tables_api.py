"""API of tables: whole games, repeated answers, errors and their messages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from hashmark.engine import registry
from hashmark.engine.record import TEAMS
from hashmark.session import log
from hashmark.session.fairness import verify_file
from hashmark.web.api import forms, tables_api
from web.harness import SHORT_GAME_OPTIONS, Player, ServerProcess


@pytest.mark.parametrize("rules", registry.names())
def test_a_whole_game_against_a_coach(served: ServerProcess, rules: str, tmp_path: Path) -> None:
    """A finished game has an ordinary log, and its dice match the commitment."""
    player = Player(served.address)
    created = player.create_table(rules, options=SHORT_GAME_OPTIONS.get(rules, {}))
    assert created["stage"] == "laid"
    player.ready("a word of mine")
    end = player.play_to_end(Random(5))
    assert end["stage"] == "over"
    assert end["opened"]["commitment"] == created["commitment"]
    path = tmp_path / "game.log"
    path.write_bytes(player.client.get(player.table_path("/log")).content)
    verified = verify_file(path)
    verified.check_commitment(created["commitment"])
    assert verified.replay.game.position.to_json() == end["position"]
    assert verified.header.client_seeds == ("a word of mine", "")
    check = player.request_json("GET", player.table_path("/check"))
    assert check["sentence"] == verified.message


def test_real_dice_are_typed(served: ServerProcess) -> None:
    player = Player(served.address)
    created = player.create_table("fourth-down", dice="typed")
    assert created["commitment"] is None
    assert created["stage"] == "playing"
    state = player.wait()
    assert state["wanted"]["kind"] == "die"
    moment, index = state["wanted"]["moment"], state["wanted"]["at"]
    wrong = player.post("/rolls", moment=moment, at=index, face=99)
    assert wrong.status_code == 400
    assert "cannot show 99" in wrong.json()["detail"]
    assert player.play_to_end(Random(3))["over"]


def test_a_repeated_answer_is_rejected(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("fourth-down")
    player.ready()
    wanted = player.wait()["wanted"]
    form = {"moment": wanted["moment"], "call": wanted["calls"][0]["call"]}
    assert player.post("/answers", **form).status_code == 200
    repeated = player.post("/answers", **form)
    assert repeated.status_code == 409
    assert repeated.json()["detail"].startswith(f"moment {wanted['moment']} has passed")
    early = player.post("/answers", moment=999, call="punt")
    assert early.status_code == 409
    events = player.request_json("GET", player.table_path("/events"))
    turns = [event for event in events if event["kind"] == "turn" and event["call"] == form["call"]]
    assert len([event for event in turns if event["moment"] == wanted["moment"] + 1]) == 1


def test_errors_have_a_status_and_one_sentence(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("fourth-down")
    player.ready()
    moment = player.wait()["wanted"]["moment"]
    stranger = Player(served.address)
    stranger.table = player.table
    cases = [
        (player.post("/answers", moment=moment, call="lunch"), 400, "'lunch' is not allowed here"),
        (stranger.post("/answers", moment=moment, call="punt"), 403, "you are a spectator"),
        (player.post("/answers", moment="x", call="punt"), 422, "moment: "),
        (player.post("/orders", when="never", window="lunch"), 400, "unknown window"),
        (player.client.get("/api/tables/none"), 404, "there is no such table"),
        (player.client.get("/api/games/none"), 404, "unknown rule set"),
        (player.client.post("/api/tables", json={"rules": "none"}), 400, "unknown rule set"),
        (player.client.post("/api/seats", json={"invitation": "x" * 43}), 404, "this invitation"),
        (player.client.post("/api/logs", content=b"nonsense"), 400, "the log is not a game log"),
    ]
    for answer, status, message in cases:
        assert answer.status_code == status, answer.text
        detail = answer.json()["detail"]
        assert message in detail
        assert "\n" not in detail


def test_a_call_can_be_undone_once(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("fourth-down")
    player.ready()
    first = player.wait()
    assert not first["may_take_back"]
    player.answer_randomly(Random(1))
    state = player.wait()
    assert state["may_take_back"]
    back = player.post("/undo", moment=state["moment"])
    assert back.status_code == 200
    assert back.json()["position"] == first["position"]
    assert player.post("/undo", moment=state["moment"]).status_code == 409


def test_orders_sheets_and_figures_are_served_and_hints_can_be_forbidden(
    served: ServerProcess,
) -> None:
    player = Player(served.address)
    player.create_table("data-driven", options={"quarter_seconds": 60})
    player.ready()
    player.wait()
    orders = player.request_json(
        "POST", player.table_path("/orders"), json={"when": "never", "window": "tempo"}
    )
    assert {order["window"]: order["order"] for order in orders}["tempo"] == "never"
    assert player.request_json("GET", player.table_path("/figures"))["box"]
    assert player.request_json("GET", player.table_path("/history"))["position"]
    pdf = player.client.get(player.table_path("/sheet"), params={"form": "pdf"})
    assert pdf.content.startswith(b"%PDF")
    page = player.client.get(player.table_path("/sheet"))
    assert "unsafe-inline" in page.headers["content-security-policy"]
    no_hints = Player(served.address)
    no_hints.create_table("fourth-down", hints="never")
    no_hints.ready()
    no_hints.wait()
    assert no_hints.client.get(no_hints.table_path("/odds")).status_code == 403


def test_only_the_asked_player_gets_odds(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("fourth-down")
    player.ready()
    player.wait()
    odds = player.request_json("GET", player.table_path("/odds"))
    assert odds["tables"][0]["rows"]
    stranger = Player(served.address)
    stranger.table = player.table
    assert stranger.client.get(stranger.table_path("/odds")).status_code == 403


def test_an_uploaded_log_can_be_resumed(served: ServerProcess, tmp_path: Path) -> None:
    player = Player(served.address)
    player.create_table("fourth-down")
    player.ready()
    player.play_to_end(Random(8))
    raw = player.client.get(player.table_path("/log")).content
    other = Player(served.address)
    finished = other.request_json("POST", "/api/logs", content=raw)
    assert finished["stage"] == "over"
    half = b"".join(raw.splitlines(keepends=True)[:5])
    resumed = other.request_json("POST", "/api/logs", content=half)
    assert resumed["stage"] == "playing"
    other.token, other.table = resumed["token"] or finished["token"], resumed["id"]
    other.play_to_end(Random(9))
    path = tmp_path / "whole.log"
    path.write_bytes(other.client.get(other.table_path("/log")).content)
    assert path.read_bytes().startswith(half)
    assert log.replay(path).game.is_over


def test_repeated_rematch_requests_give_one_table(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("fourth-down", names={"home": "Otters", "away": "Herons"})
    player.ready()
    assert player.post("/rematch").status_code == 409
    player.play_to_end(Random(2))
    first = player.request_json("POST", player.table_path("/rematch"))
    second = player.request_json("POST", player.table_path("/rematch"))
    assert first["id"] == second["id"] != player.table
    assert first["names"] == {"home": "Otters", "away": "Herons"}
    assert first["viewer"] == "home"


def test_every_route_is_documented(served: ServerProcess) -> None:
    player = Player(served.address)
    described = player.request_json("GET", "/openapi.json")
    assert {route.path for route in tables_api.router.routes} <= set(described["paths"])  # type: ignore[attr-defined]
    for path in described["paths"]:
        assert path.startswith("/api/") or path == "/metrics"  # scraped by Prometheus
    page = player.client.get("/api").text
    for path in described["paths"]:
        assert f"<code>{path}</code>" in page
    games = player.request_json("GET", "/api/games")
    assert [game["rules"] for game in games] != []
    assert set(TEAMS) == set(forms.Team.__args__)  # type: ignore[attr-defined]


def test_teams_can_be_picked(served: ServerProcess) -> None:
    player = Player(served.address)
    picks = player.request_json("GET", "/api/games/data-driven/picks", params={"charts": "2008"})
    by_option = {pick["option"]: pick for pick in picks}
    assert by_option["charts"]["chosen"] == "2008"
    assert len(by_option["home_team"]["values"]) == 32
    assert by_option["home_team"]["chosen"] != by_option["away_team"]["chosen"]
    json.dumps(picks)


def test_the_example_in_the_docs_plays_a_game(served: ServerProcess) -> None:
    docs = Path(__file__).parents[3] / "docs"
    program = docs / "play_by_api.py"
    code = program.read_text(encoding="utf-8").partition('"""\n\n')[2]
    page = (docs / "reference" / "web-api.md").read_text(encoding="utf-8")
    assert f"```python\n{code}```" in page
    done = subprocess.run(
        [sys.executable, str(program), served.address], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("verified: all")
