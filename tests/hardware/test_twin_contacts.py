"""What wood does to electronics: contacts bounce, and parts that are driven into each other end the run."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from hardware.twin import command
from hardware.twin.harness_client import Harness, PinEdge, RunReport
from hardware.twin.machine import Machine
from hardware.twin.plant.bounce import MECHANICAL
from hardware.twin.plant.collision import Collision
from hardware.twin.plant.plant import Plant
from hardware.twin.plant.schedule import Schedule
from hardware.twin.plant.wiring import load_wiring
from hardware.twin.twin import Setup, Twin

WIRING = load_wiring()
LEAST_DEBOUNCE_US = 5_000


class Pins(Harness):
    """A board's pins without a board: keeps what the world puts on them."""

    def __init__(self) -> None:
        self.set: list[tuple[str, int]] = []

    def watch(self, port: str, mask: int) -> None:
        pass

    def set_pin(self, port: str, bit: int, level: int) -> None:
        self.set.append((WIRING.by_pin[port, bit].id, level))

    def set_adc(self, channel: int, millivolt: int) -> None:
        pass

    def close(self) -> None:
        pass


def driven(*devices: str) -> RunReport:
    """Return a report in which these outputs went on, at 10 ms."""
    pins = [WIRING.devices[device] for device in devices]
    edges = tuple(PinEdge(pin.port, pin.bit, pin.level(True), 10_000) for pin in pins)
    return RunReport(10_000, b"", edges, False, False, False)


def plant() -> tuple[Plant, list[str]]:
    told: list[str] = []
    made = Plant(1, 136, Schedule(), lambda device, on: None, lambda line, level: None)
    made.tell_all()
    made.on_collision = told.append
    return made, told


@pytest.mark.parametrize(
    ("trays", "dome", "device", "what"),
    [
        pytest.param(0.0, 1.0, "tray_raise", "trays and dome", id="trays up into the dome"),
        pytest.param(1.0, 0.0, "dome_raise", "trays and dome", id="dome up through the trays"),
        pytest.param(0.4, 0.0, "dome_raise", "trays and dome", id="dome up with trays half way"),
        pytest.param(1.0, 0.0, "stack_3", "stacker of side 3", id="stacker under a raised tray"),
    ],
)
def test_parts_driven_into_each_other_collide(trays: float, dome: float, device: str, what: str) -> None:
    table, told = plant()
    table.trays.put(trays)
    table.dome.put(dome)
    with pytest.raises(Collision, match=what):
        table.on_output(device, True)
    assert len(told) == 1


def test_both_from_the_bottom_at_once_collide() -> None:
    table, _ = plant()
    table.on_output("dome_raise", True)
    with pytest.raises(Collision):
        table.on_output("tray_raise", True)


@pytest.mark.parametrize(
    ("trays", "dome", "devices"),
    [
        (0.0, 0.0, ("tray_raise",)),
        (1.0, 0.0, ("dome_lower", "tray_lower")),
        (0.0, 1.0, ("tray_lower", "dome_lower", "stack_1", "feed_1")),
    ],
)
def test_what_is_allowed_collides_with_nothing(trays: float, dome: float, devices: tuple[str, ...]) -> None:
    table, told = plant()
    table.trays.put(trays)
    table.dome.put(dome)
    for device in devices:
        table.on_output(device, True)
    assert told == []


def test_a_collision_is_in_the_truth_and_ends_the_twin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = tmp_path / "truth.jsonl"
    twin = Twin(Setup(1, "simplest", truth=truth), Pins())

    def broken(*_: object) -> None:
        twin.machine.take(driven("dome_raise", "tray_raise"))

    monkeypatch.setattr(command, "_run", broken)
    assert command.main(["--stepped", "--socket", "s"]) == 1
    assert capsys.readouterr().err == "twin: collision: trays and dome are up together\n"
    rows = [json.loads(line) for line in truth.read_text().splitlines()]
    assert rows == [{"hand": 0, "kind": "collision", "what": "trays and dome are up together"}]


def levels_of(seed: int, device: str) -> list[tuple[int, int]]:
    """Return (microsecond, level) of a key that is pressed at 0 and let go after 150 ms."""
    pins = Pins()
    machine = Machine(pins, seed, 136)
    pins.set.clear()
    told: list[tuple[int, int]] = []
    machine.plant.press_key(device.removeprefix("key_"))
    while (due := machine.schedule.next_us()) is not None:
        told += [(machine.now_us, level) for name, level in pins.set if name == device]
        pins.set.clear()
        machine.schedule.play(due)
    return told + [(machine.now_us, level) for name, level in pins.set if name == device]


def test_a_key_bounces_seeded_and_rests_before_its_debounce() -> None:
    all_edges = [levels_of(seed, "key_dice_2") for seed in range(12)]
    assert all_edges[3] == levels_of(3, "key_dice_2")
    assert any(len(edges) > 2 for edges in all_edges), "nothing ever bounces"
    assert len({tuple(edges) for edges in all_edges}) > 6
    pressed, loose = WIRING.devices["key_dice_2"].level(True), WIRING.devices["key_dice_2"].level(False)
    for edges in all_edges:
        closing = [level for at_us, level in edges if at_us < 150_000]
        assert closing[0] == closing[-1] == pressed
        assert edges[-1][1] == loose
        assert all(at_us % 150_000 < LEAST_DEBOUNCE_US for at_us, _ in edges)


def test_photo_sensors_do_not_bounce() -> None:
    pins = Pins()
    machine = Machine(pins, 1, 136)
    pins.set.clear()
    for on in (True, False) * 10:
        machine._set_input("count_1", on)
        machine.schedule.play(machine.now_us + 10_000)
    assert len(pins.set) == 20


def test_every_contact_is_debounced_for_longer_than_it_bounces() -> None:
    text = files("hardware").joinpath("wiring", "devices.toml").read_text(encoding="utf-8")
    rows = [row for group in tomllib.loads(text)["devices"].values() for row in group]
    contacts = [row for row in rows if row["kind"] in MECHANICAL]
    assert len(contacts) == 22
    assert min(row["debounce_ms"] for row in contacts) * 1000 >= LEAST_DEBOUNCE_US
