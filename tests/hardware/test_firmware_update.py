"""The firmware leaves for its bootloader when it may, and a new firmware comes up. Both as flashed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.boot_messages import BootBoard, Stay
from firmware_bridge.image import Image
from firmware_bridge.wire import Message
from hardware.firmware import build, flash_map
from hardware.firmware.devices import load_devices
from hardware.firmware.release import program
from tests.hardware.boot_chip import Chip

pytestmark = pytest.mark.e2e

DEVICES = load_devices()["devices"]
ROWS = {row["id"]: row for group in DEVICES.values() for row in group}
AT_REST = {"dome_down", *(f"{name}_{n}" for name in ("stack_home", "tray_down") for n in (1, 2, 3, 4))}
KEY = m.EnterUpdate(flash_map.UPDATE_KEY)


def firmware() -> Image:
    made = program()
    source = int(made.source[:8], 16)
    return Image.of(made.data, board=BootBoard.atmega2560, version=made.version, source=source, layout=7)


def older(mutant: str = "other-source") -> Image:
    """Return the same firmware as if it had been built from other sources (or with a rule left out)."""
    elf = build.build_firmware(mutant)
    return Image.of(build.flash_bytes(elf), board=BootBoard.atmega2560, version=(0, 0, 9), source=1, layout=7)


class Table:
    """The chip at a healthy table, and the host's link to its program."""

    def __init__(self, runs: Image) -> None:
        self.chip = Chip(runs)
        self.link = fb.Link(0, session=3)
        self.heard: list[fb.LinkEvent] = []
        for row in (*DEVICES["sensors"], *DEVICES["keys"]):
            self.pin(row["id"], row["id"] in AT_REST)
        for row in DEVICES["analog"]:
            self.chip.harness.set_adc(row["channel"], row["healthy_mv"])
        self.chip.cut()
        self.run(250)
        self.greet()

    def pin(self, name: str, on: bool) -> None:
        row = ROWS[name]
        self.chip.harness.set_pin(row["port"], row["bit"], int(on == (row["active"] == "high")))

    def ms(self) -> int:
        return self.chip.now // 1000

    def run(self, ms: int) -> None:
        for _ in range(ms // 5):
            said = self.chip.say(self.link.take_output(), 5000)
            self.heard += self.link.feed(said, self.ms()) + self.link.tick(self.ms())
            if self.ms() % 100 < 5:
                self.link.beat(self.ms())

    def greet(self) -> m.HelloReport:
        self.link.connected(self.ms())
        self.run(100)
        return [event for event in self.heard if isinstance(event, fb.Ready)][-1].hello

    def order(self, message: Message) -> fb.LinkEvent:
        ticket = self.link.send(message, self.ms())
        self.run(40)
        return next(event for event in self.heard if getattr(event, "ticket", None) == ticket)

    def refused(self, message: Message) -> str:
        told = self.order(message)
        assert isinstance(told, fb.Refused), told
        return told.reason_key

    def status(self) -> tuple[m.State, int, bool]:
        """Return its state, its fault, and whether it was stopped."""
        told = self.order(m.GetStatus())
        assert isinstance(told, fb.Done)
        assert isinstance(told.response, m.StatusReport)
        return told.response.state, told.response.fault, told.response.stopped

    def running(self) -> bool:
        return any(self.chip.harness.outputs()[port] for port in "LB")


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table(older())
    yield made
    made.chip.close()


def test_the_whole_way_from_one_firmware_to_the_next(table: Table) -> None:
    first = table.greet()
    assert first.capabilities & 1 << 5
    assert isinstance(table.order(KEY), fb.Done)
    told = [event.message for event in table.heard if isinstance(event, fb.Received)]
    assert m.StateChanged(m.State.update) in told
    table.run(500)
    new = firmware()
    update = table.chip.converse(table.chip.update(new))
    assert (update.stage, update.retries) == ("done", 0)
    assert update.here is not None
    assert (update.here.stay, update.here.valid) == (Stay.asked, True)
    table.run(2000)
    second = table.greet()
    assert second.source == new.head.source != first.source
    assert second.reset_cause == m.ResetCause.update, "nobody hung"
    assert table.status() == (m.State.idle, 0, False), "nothing to clear"
    assert second.boot_count == first.boot_count + 1
    assert not second.homed
    assert table.chip.flashed(new)
    report = table.order(m.SelfTest())
    assert isinstance(report, fb.Done)
    assert isinstance(report.response, m.SelfTestReport)
    assert report.response.failed == 0
    assert isinstance(table.order(m.Home()), fb.Done)
    table.chip.harness.reset("external")
    table.run(400)
    assert table.greet().reset_cause == m.ResetCause.external, "told once"


def test_a_moving_machine_is_not_interrupted(table: Table) -> None:
    assert isinstance(table.order(m.Home()), fb.Done)
    table.run(100)
    assert isinstance(table.order(m.Dice(1000)), fb.Done)
    assert table.running()
    assert table.refused(KEY) == "busy"
    table.run(2000)
    assert isinstance(table.order(m.Lift(m.Target.trays, m.Direction.up)), fb.Done)
    table.run(100)
    assert table.running()
    assert table.refused(KEY) == "busy"
    assert table.running()


def test_a_firmware_without_that_rule_is_noticed() -> None:
    table = Table(older("update-moving"))
    assert isinstance(table.order(m.Dice(1000)), fb.Done)
    assert table.running()
    assert isinstance(table.order(KEY), fb.Done)
    table.chip.close()


def test_only_the_right_key_opens(table: Table) -> None:
    assert table.refused(m.EnterUpdate(0)) == "bad_value"
    assert table.refused(m.EnterUpdate(flash_map.UPDATE_KEY ^ 1)) == "bad_value"


def test_a_latched_machine_can_be_updated(table: Table) -> None:
    table.pin("estop", True)
    table.run(100)
    assert isinstance(table.order(KEY), fb.Done)
    table.run(500)
    here = table.chip.who()
    assert here is not None
    assert here.stay == Stay.asked


def test_nothing_moves_on_the_way_out(table: Table) -> None:
    assert isinstance(table.order(m.Home()), fb.Done)
    table.run(100)
    assert isinstance(table.order(KEY), fb.Done)
    for message in (m.Dice(1000), m.Lift(m.Target.trays, m.Direction.up), m.Home()):
        ticket = table.link.send(message, table.ms())
        table.run(10)
        assert not table.running(), (message, ticket)


@pytest.mark.parametrize("loop", [b"\xff\xcf", b"\xff\xff"], ids=["hangs", "runs into the bootloader"])
def test_a_wild_program_is_told_within_400_ms_although_the_bootloader_looks_first(
    table: Table, loop: bytes
) -> None:
    table.chip.harness.program(0x3DFFE, loop)  # where the harness lets a program go astray
    table.chip.harness.reset("hang")
    since, table.heard = table.ms(), []
    while not any(isinstance(event, fb.Rebooted) for event in table.heard):
        table.run(5)
        assert table.ms() - since < 400
    (told,) = [event for event in table.heard if isinstance(event, fb.Rebooted)]
    assert told.cause == m.ResetCause.watchdog


def test_a_program_that_runs_wild_into_the_bootloader_finds_its_motors_off(table: Table) -> None:
    assert isinstance(table.order(m.Dice(3000)), fb.Done)
    assert table.running()
    table.chip.harness.program(0x3DFFE, b"\xff\xff")
    table.chip.harness.reset("hang")
    table.chip.run_us(2_000)
    assert not table.running()


def test_a_host_that_goes_away_costs_half_a_minute(table: Table) -> None:
    first = table.greet()
    assert isinstance(table.order(KEY), fb.Done)
    table.chip.run_us(31_500_000)
    second = table.greet()
    assert second.reset_cause == m.ResetCause.update
    assert table.status() == (m.State.idle, 0, False)
    assert second.source == first.source
    assert second.boot_count == first.boot_count + 1


def test_without_a_bootloader_the_order_is_unknown() -> None:
    table = Table(older())
    table.chip.harness.program(flash_map.BOOT_NAME_AT, b"\xff" * 8)
    assert not table.greet().capabilities & 1 << 5
    assert table.refused(KEY) == "unknown_command"
    table.chip.close()
