"""What the traces hold of a build by the real firmware, against what the table itself knows of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import messages as m
from firmware_bridge.frames import FrameDecoder
from firmware_bridge.link import Link, Ready
from hardware.campaigns.rig import Rig
from hardware.firmware.build import build_firmware, build_harness
from hardware.twin.harness_client import Harness
from hardware.twin.plant.plant import SIDES
from hardware.twin.plant.wiring import load_wiring
from hardware.twin.trace import Trace
from hardware.twin.vcd import VcdWriter, identifier
from tests.hardware.test_twin_process import Stepped
from tests.hardware.vcd_reader import Vcd, read_vcd

WIRING = load_wiring()


def traced_build(folder: Path, seed: int = 8) -> Rig:
    """Build and raise the walls, sweep them, with both traces; the rig is closed."""
    folder.mkdir()
    with Rig(seed, trace=Trace(WIRING, folder / "board.vcd", folder / "plant.jsonl")) as rig:
        rig.home()
        rig.load()
        since = rig.mark()
        assert rig.order(m.Build(136)) == "ok"
        assert rig.build_ended(since, 120_000) is not None
        rig.raise_and_sweep()
    return rig


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rig, Vcd, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("trace") / "one"
    rig = traced_build(folder)
    rows = [json.loads(line) for line in (folder / "plant.jsonl").read_text("utf-8").splitlines()]
    return rig, read_vcd((folder / "board.vcd").read_text("ascii")), rows


@pytest.mark.e2e
def test_every_pin_of_the_board_is_there(build: tuple[Rig, Vcd, list[dict[str, Any]]]) -> None:
    _, vcd, _ = build
    assert vcd.timescale == "1 us"
    for device in WIRING.devices.values():
        key = ("inputs" if device.is_input else "outputs", device.id)
        assert vcd.widths[key] == 1
    assert {name for scope, name in vcd.widths if scope == "millivolt"} == set(WIRING.analog)
    assert {name for scope, name in vcd.widths if scope == "uart"} == {
        "heard",
        "heard_now",
        "said",
        "said_now",
    }


@pytest.mark.e2e
def test_the_pins_tell_the_build(build: tuple[Rig, Vcd, list[dict[str, Any]]]) -> None:
    _, vcd, _ = build
    for side in SIDES:
        pulses = [value for _, value in vcd.changes["inputs", f"count_{side}"]]
        assert pulses.count("1") == 34
        stacker = vcd.changes["outputs", f"stack_{side}"]
        assert sum(value == "1" for _, value in stacker) >= 17
        feed = vcd.changes["outputs", f"feed_{side}"]
        assert feed[-1][1] == "0"
    supply = vcd.changes["millivolt", "motor_supply"]
    assert supply == [(0, str(WIRING.analog["motor_supply"][1]))]
    raised = vcd.changes["outputs", "tray_raise"]
    risen = [at for at, value in vcd.changes["inputs", "tray_up_1"] if value == "0"]  # active low
    assert raised[-1][0] > risen[0] > next(at for at, value in raised if value == "1")


@pytest.mark.e2e
def test_the_bytes_of_the_wire_are_frames(build: tuple[Rig, Vcd, list[dict[str, Any]]]) -> None:
    """Value and instant of each byte; put together they are what the host decoded."""
    rig, vcd, _ = build
    for value, now in (("said", "said_now"), ("heard", "heard_now")):
        strobes = [at for at, _ in vcd.changes["uart", now]]
        changes = iter(vcd.changes["uart", value])
        text, byte, due = bytearray(), 0, next(changes)
        for at in strobes:
            while due is not None and due[0] <= at:
                byte = 0 if due[1] == "x" else int(due[1], 2)
                due = next(changes, None)  # type: ignore[assignment]
            text.append(byte)
        decoder = FrameDecoder()
        frames = decoder.feed(bytes(text))
        assert len(text) > 2_000
        assert decoder.crc_errors == decoder.cobs_errors == decoder.length_errors == 0
        if value == "said":
            early = sum(at < 60_000 for at in strobes)  # the host's port is closed so long
            unheard = FrameDecoder().feed(bytes(text[:early]))
            assert len(frames) - len(unheard) == rig.link.counters["frames_in"]
        buffered = 2 if value == "said" else 1  # the transmitter takes a second byte while it sends one
        gaps = [later - sooner for sooner, later in zip(strobes, strobes[buffered:], strict=False)]
        assert min(gaps) >= 39, "ten bits at 250 kBd take 40 us"


@pytest.mark.e2e
def test_the_rows_tell_where_every_tile_went(build: tuple[Rig, Vcd, list[dict[str, Any]]]) -> None:
    rig, _, rows = build
    assert [row["at_us"] for row in rows] == sorted(row["at_us"] for row in rows)
    places = dict.fromkeys(range(136), "aside")
    for row in rows:
        if row["kind"] == "move":
            assert places[row["tile"]] == row["source"]
            places[row["tile"]] = row["target"]
            assert row["face"] == str(rig.machine.plant.tiles.faces[row["tile"]])
    assert places == {number: rig.machine.plant.tiles.place(number) for number in range(136)}
    walls = [row for row in rows if row["kind"] == "walls"]
    assert len(walls) == 1
    moved = {
        side: [row["tile"] for row in rows if row["kind"] == "move" and row["target"] == f"wall_{side}"]
        for side in SIDES
    }
    for side in SIDES:
        told = walls[0]["sides"][str(side)]
        assert [tile["tile"] for stack in told for tile in (stack["lower"], stack["upper"])] == moved[side]
    motors = {row["id"] for row in rows if row["kind"] == "output" and row["on"]}
    assert {"turn", "ring", "dome_raise", "tray_raise", *(f"feed_{side}" for side in SIDES)} <= motors


@pytest.mark.e2e
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for name, seed in (("first", 8), ("again", 8), ("other", 9)):
        traced_build(tmp_path / name, seed)
        texts.append([(tmp_path / name / file).read_bytes() for file in ("board.vcd", "plant.jsonl")])
    assert texts[0] == texts[1]
    assert texts[0][0] != texts[2][0]
    assert texts[0][1] != texts[2][1]


@pytest.mark.e2e
def test_a_stepped_twin_writes_them_too(tmp_path: Path) -> None:
    def run(name: str) -> list[bytes]:
        folder = tmp_path / name
        folder.mkdir()
        words = ("--seed", "4", "--vcd", str(folder / "v"), "--trace", str(folder / "t"))
        twin = Stepped(folder, *words)
        twin.link = Link(0, session=77)
        twin.link.connected(0)
        twin.wait(Ready, 3)
        twin.ask(op="fault", name="reset")
        twin.run(1.0)
        twin.ask(op="fault", name="dirt:3", level=0.25)
        assert twin.ask(op="walls")["sides"]["1"] == []
        twin.ask(op="quit")
        twin.close()
        return [(folder / file).read_bytes() for file in ("v", "t")]

    first = run("a")
    assert run("b") == first
    rows = [json.loads(line) for line in first[1].decode().splitlines()]
    told = [{**row, "at_us": 0} for row in rows if row["kind"] in ("fault", "reset")]
    assert told == [
        {"at_us": 0, "kind": "fault", "name": "reset"},
        {"at_us": 0, "kind": "reset"},
        {"at_us": 0, "kind": "fault", "name": "dirt", "side": 3, "level": 0.25},
    ]
    assert len(read_vcd(first[0].decode()).changes["board", "reset"]) == 1


def test_identifiers_are_printable_and_never_twice() -> None:
    codes = [identifier(number) for number in range(20_000)]
    assert len(set(codes)) == len(codes)
    assert all(33 <= ord(char) <= 126 for code in codes for char in code)


def test_time_never_runs_backwards(tmp_path: Path) -> None:
    with (tmp_path / "v").open("w") as sink:
        writer = VcdWriter(sink)
        writer.declare("a", "x", "bit")
        with pytest.raises(ValueError, match="two variables"):
            writer.declare("b", "x", "bit")
        writer.begin()
        writer.change(10, "x", 1)
        with pytest.raises(ValueError, match="after"):
            writer.change(9, "x", 0)


@pytest.mark.e2e
def test_a_harness_that_taps_nothing_costs_nothing() -> None:
    with Harness(build_harness(), build_firmware()) as harness:
        harness.run(100_000)
        assert harness.tapped() == []
