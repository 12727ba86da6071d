"""What each onlooker may see: concealed kongs lie face down, photos are for those who played the hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.facts import Fact
from controller.live_values import Live
from controller.projections import history_view, state_view
from controller.seen import TABLE, WITHHELD, Viewer, photos_of, seen_history, seen_state
from controller.state import Phase
from controller.web import create_app
from controller.web.sse import Hub
from tests.browser.fake_service import FakeService
from tests.controller.evening import Evening, four

KINDS = ("exposed_kong", "added_kong", "concealed_kong")
TILES = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
GUEST = Viewer()
NAMES = {f"p{n}": f"玩家{n}" for n in range(1, 7)}
CODE = "40718836"
PEER = "192.168.1.20"

kongs = st.lists(
    st.tuples(st.sampled_from("ESWN"), st.sampled_from(KINDS), st.sampled_from(TILES)),
    max_size=8,
    unique_by=lambda kong: kong[2],
)
open_phases = st.sampled_from([Phase.DEALING, Phase.PLAYING, Phase.CONFIRM, Phase.REVIEW])
moves = st.permutations("ESWN")


def an_evening(made: list[tuple[str, str, str]], to: list[str], phase: Phase) -> Evening:
    """Return a table in a hand with these kongs, after everybody moved to another seat."""
    evening = Evening()
    evening.book(Fact("seats_changed", {"moves": dict(zip("ESWN", to, strict=True)), "circle": 2}))
    evening.start(phase)
    for seat, kind, tile in made:
        evening.kong(seat, tile, four(0, 0, 0, 0), kind)
    if phase in (Phase.CONFIRM, Phase.REVIEW):
        evening.book(Fact("drawn", {"seat": None, "source": "page"}))
    return evening


def whole(evening: Evening) -> Mapping[str, Any]:
    return state_view(evening.state, Live(), names=NAMES)


@settings(max_examples=150, deadline=None)
@given(kongs, moves, open_phases, st.integers(0, 3))
def test_no_view_tells_a_tile_that_lies_face_down_before_another(
    made: list[tuple[str, str, str]], to: list[str], phase: Phase, who: int
) -> None:
    evening = an_evening(made, to, phase)
    view = whole(evening)
    place = evening.state.seats[who]
    for viewer in (Viewer(place.player), GUEST, TABLE, Viewer("p9")):
        text = json.dumps(seen_state(view, viewer, {}))
        part = json.dumps(seen_state({"kongs": view["kongs"]}, viewer, {}, view))
        for seat, kind, tile in made:
            own = viewer.player == place.player and seat == place.seat.value
            is_told = kind != "concealed_kong" or own
            assert (f'"{tile}"' in text) is is_told, (viewer, seat, kind, tile)
            assert (f'"{tile}"' in part) is is_told
    evening.settle("drawn", four(0, 0, 0, 0))
    opened = replace(evening.state, kongs=an_evening(made, to, phase).state.kongs)
    after = state_view(opened, Live(), names=NAMES)
    assert seen_state(after, GUEST, {}) is after  # the hand has ended: they are opened and checked


def test_a_robbed_kong_was_shown_to_all() -> None:
    evening = an_evening(
        [("E", "concealed_kong", "9m"), ("S", "concealed_kong", "1p")], list("ESWN"), Phase.PLAYING
    )
    first, second = evening.state.kongs
    view = state_view(replace(evening.state, kongs=(replace(first, robbed=True), second)), Live())
    assert [kong["tile"] for kong in seen_state(view, TABLE, {})["kongs"]] == ["9m", None]


def win_with_photo(evening: Evening, photo: str) -> None:
    """Book a win whose photo was kept."""
    evening.win("E", "S", 4)
    settled = next(row for row in reversed(evening.rows) if row.kind == "settled")
    body = {**settled.body, "evidence": photo}
    evening.rows[evening.rows.index(settled)] = replace(settled, body=body)
    assert evening.state.last is not None
    evening.state = replace(evening.state, last=replace(evening.state.last, evidence=photo))


def test_a_photo_is_for_those_who_played_that_hand() -> None:
    evening = Evening()
    win_with_photo(evening, "a" * 64)
    evening.agreed("replace_player", seat="W", place="S", leaves=False)
    newcomer = evening.state.seats[1].player
    assert newcomer not in ("p1", "p2", "p3", "p4")
    win_with_photo(evening, "b" * 64)
    photos = photos_of(evening.state, evening.rows)
    may = {
        photo: {player for player in (*NAMES, newcomer, "", "p9") if Viewer(player).may_see(photo, photos)}
        for photo in ("a" * 64, "b" * 64, "c" * 64)
    }
    assert may == {
        "a" * 64: {"p1", "p2", "p3", "p4"},
        "b" * 64: {"p1", newcomer, "p3", "p4"},
        "c" * 64: set(),
    }
    history = history_view(evening.rows)
    left, came = (
        [hand["evidence"] for hand in seen_history(history, Viewer(player), photos)["hands"]]
        for player in ("p2", newcomer)
    )
    assert left == [WITHHELD, "a" * 64]
    assert came == ["b" * 64, WITHHELD]
    assert seen_state(whole(evening), Viewer("p2"), photos)["last"]["evidence"] == WITHHELD
    assert seen_history(history, TABLE, photos) == history
    evening.book(Fact("game_started", evening.rows[0].body))
    assert photos_of(evening.state, evening.rows) == {}  # of an earlier game: the table's own screen only


def test_the_photo_of_an_open_hand_is_for_the_four_at_the_table(table: Any, look: Any) -> None:
    table.eyes.hand = [look("[555p,2] 123m 45699s EE + E")]
    table.to_playing()
    table.ok("claim", seat="S", by="self_draw")
    table.ok("laid", seat="S")
    table.run(500)
    photo = table.view["reading"]["evidence"]
    assert photo_is_shown(table.view, photo)
    photos = photos_of(table.state, ())
    assert photos[photo] == {"p1", "p2", "p3", "p4"}
    assert not photo_is_shown(seen_state(table.view, GUEST, photos), photo)
    assert photo_is_shown(seen_state(table.view, Viewer("p3"), photos), photo)


def photo_is_shown(view: Mapping[str, Any], photo: str) -> bool:
    return photo in json.dumps(view)


def events(text: bytes) -> dict[str, Any]:
    line = next(line for line in text.decode().splitlines() if line.startswith("data: "))
    made: dict[str, Any] = json.loads(line.removeprefix("data: "))
    return made


def test_the_stream_shows_everybody_his_own_part_and_less_when_he_gets_up() -> None:
    async def story() -> None:
        service = FakeService(pace=0)
        hub = Hub(service)
        hub.start()
        service.state["phase"] = "PLAYING"
        await service.command("declare_kong", {"seat": "S", "kind": "concealed_kong", "tile": "7s"}, "player")
        me = [Viewer("p2")]
        known = f"1-{service.seq - 1}"
        hub._before_ring = known
        await asyncio.sleep(0.01)

        async def tiles(last_id: str | None) -> list[str | None]:
            async with aclosing(hub.stream(last_id, lambda: me[0])) as stream:  # type: ignore[type-var]
                await anext(stream)
                told = events(await anext(stream))
                return [kong["tile"] for kong in told["kongs"]]

        for last_id in (None, known):
            me[0] = Viewer("p2")
            assert await tiles(last_id) == ["7s"]
            for other in (Viewer("p3"), GUEST, TABLE):
                me[0] = other
                assert await tiles(last_id) == [None]
        me[0] = Viewer("p2")
        async with aclosing(hub.stream(None, lambda: me[0])) as stream:  # type: ignore[type-var]
            for _ in range(3):
                await anext(stream)
            service.fact()
            assert [kong["tile"] for kong in events(await anext(stream))["kongs"]] == ["7s"]
            me[0] = GUEST
            service.fact()
            assert [kong["tile"] for kong in events(await anext(stream))["kongs"]] == [None]
            service.live(kongs=service.state["kongs"])
            assert [kong["tile"] for kong in events(await anext(stream))["kongs"]] == [None]
        await hub.close()

    asyncio.run(story())


def a_phone(app: Any) -> TestClient:
    return TestClient(app, base_url="http://192.168.1.7:8080", client=(PEER, 50000))


def test_a_spectator_sees_the_scores_and_no_photo_a_player_sees_his_hand() -> None:
    service = FakeService(pace=0)
    photo = "e" * 64
    service.photos[photo] = b"jpeg"
    service.hands[0]["evidence"] = photo
    app = create_app(service, host="0.0.0.0", code=CODE)
    at_table = TestClient(app, base_url="http://127.0.0.1:8080", client=("127.0.0.1", 50000))
    spectator, player = a_phone(app), a_phone(app)
    url = at_table.get("/api/v1/join").json()["seats"]["S"]["url"]
    joined = player.post("/api/v1/session/join", json={"nonce": url.rpartition("#")[2]})
    assert joined.json()["player"] == "p2"
    looks_after = a_phone(app)
    looks_after.post("/api/v1/session", json={"code": CODE})
    shown = {}
    for name, client in (
        ("table", at_table),
        ("player", player),
        ("guest", spectator),
        ("code", looks_after),
    ):
        state, history = client.get("/api/v1/state"), client.get("/api/v1/history")
        assert state.json()["seats"] == service.view("state")["seats"]
        picture = client.get(f"/api/v1/evidence/{photo}.jpg")
        shown[name] = (
            state.json()["last"]["evidence"],
            history.json()["hands"][0]["evidence"],
            picture.status_code,
        )
        if picture.status_code == 403:
            assert picture.json()["error"]["code"] == "request.photo"
    yes, no = (photo, photo, 200), (WITHHELD, WITHHELD, 403)
    assert shown == {"table": yes, "player": yes, "guest": no, "code": no}
    player.post("/api/v1/session/leave", json={})
    assert player.get(f"/api/v1/evidence/{photo}.jpg").status_code == 403
