"""One contract, three ports: memory, the twin's socket, and the real `RPi.GPIO` path over a fake `lgpio`."""

from __future__ import annotations

import importlib
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from controller.gpio import INPUTS, LINES, OUTPUTS, GpioPort, LineMisused, PortUnavailable, line_row
from controller.gpio.fake import FakeGpioPort
from controller.gpio.socket import SocketGpioPort
from tests.controller import fake_lgpio


class World(Protocol):
    """The other side of the pins."""

    port: GpioPort

    def drive(self, line: str, level: int) -> None: ...

    def sees(self, line: str) -> int: ...

    def close(self) -> None: ...


class MemoryWorld:
    def __init__(self, _folder: Path, _patch: pytest.MonkeyPatch) -> None:
        self.fake = FakeGpioPort()
        self.port: GpioPort = self.fake

    def drive(self, line: str, level: int) -> None:
        self.fake.drive(line, level)

    def sees(self, line: str) -> int:
        return self.fake.level(line)

    def close(self) -> None:
        pass


class SocketWorld:
    """The twin's end of the socket."""

    def __init__(self, folder: Path, _patch: pytest.MonkeyPatch) -> None:
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(folder / "gpio.sock"))
        self._server.listen(1)
        self._levels = dict.fromkeys(INPUTS + OUTPUTS, 0)
        self._heard = threading.Condition()
        self.port: GpioPort = SocketGpioPort(folder / "gpio.sock")
        self._peer = self._server.accept()[0]
        for line in INPUTS:
            self._peer.sendall(f"{line} 0\n".encode())
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with self._peer.makefile() as lines:
            for text in lines:
                line, level = text.split()
                with self._heard:
                    self._levels[line] = int(level)
                    self._heard.notify_all()

    def drive(self, line: str, level: int) -> None:
        self._peer.sendall(f"{line} {level}\n".encode())

    def sees(self, line: str) -> int:
        return self._levels[line]

    def settle(self, line: str, level: int) -> None:
        with self._heard:
            self._heard.wait_for(lambda: self._levels[line] == level, 2.0)

    def shut(self) -> None:
        """The twin process ends."""
        self._peer.shutdown(socket.SHUT_RDWR)
        assert isinstance(self.port, SocketGpioPort)
        self.port.wait_gone(2.0)

    def close(self) -> None:
        self._peer.close()
        self._server.close()


class PiWorld:
    def __init__(self, _folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.chip = fake_lgpio.FakeChip()
        patch.setitem(sys.modules, "lgpio", fake_lgpio.make(self.chip))
        patch.setenv("RPI_LGPIO_REVISION", "c03114")
        for name in ("RPi.GPIO", "RPi", "controller.gpio.rpi"):
            patch.delitem(sys.modules, name, raising=False)
        module = importlib.import_module("controller.gpio.rpi")
        self.port: GpioPort = module.RPiGpioPort()
        self.drive("estop", 0)

    def drive(self, line: str, level: int) -> None:
        row = line_row(line)
        self.chip.drive(row.bcm, level ^ 1 if row.active_low else level)

    def sees(self, line: str) -> int:
        row = line_row(line)
        return self.chip.level[row.bcm] ^ (1 if row.active_low else 0)

    def close(self) -> None:
        for name in ("RPi.GPIO", "RPi", "controller.gpio.rpi"):
            sys.modules.pop(name, None)


@pytest.fixture(params=[MemoryWorld, SocketWorld, PiWorld], ids=["fake", "socket", "rpi-lgpio"])
def world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made: World = request.param(tmp_path, monkeypatch)
    yield made
    made.port.close()
    made.close()


class Ear:
    """Collects edges and waits for one."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []
        self._more = threading.Condition()

    def __call__(self, line: str, level: int) -> None:
        with self._more:
            self.heard.append((line, level))
            self._more.notify_all()

    def wait(self, count: int) -> list[tuple[str, int]]:
        with self._more:
            assert self._more.wait_for(lambda: len(self.heard) >= count, 2.0), self.heard
        return self.heard


def settle(world: World, line: str, level: int) -> int:
    """Return what the world sees once the level had time to cross the socket."""
    if isinstance(world, SocketWorld):
        world.settle(line, level)
    return world.sees(line)


class TestContract:
    @pytest.mark.parametrize("line", INPUTS)
    def test_every_input_reads_both_levels_and_tells_both_edges(self, world: World, line: str) -> None:
        ear = Ear()
        world.port.setup_in(line)
        assert world.port.read(line) == 0
        world.port.on_edge(line, ear)
        world.drive(line, 1)
        ear.wait(1)
        assert world.port.read(line) == 1
        world.drive(line, 0)
        assert ear.wait(2) == [(line, 1), (line, 0)]
        assert world.port.read(line) == 0

    def test_no_edge_is_filtered(self, world: World) -> None:
        ear = Ear()
        world.port.setup_in("seat2")
        world.port.on_edge("seat2", ear)
        bounce = [1, 0, 1, 0, 1]
        for level in bounce:
            world.drive("seat2", level)
        assert ear.wait(5) == [("seat2", level) for level in bounce]

    def test_the_same_level_again_is_no_edge(self, world: World) -> None:
        ear = Ear()
        world.port.setup_in("seat1")
        world.port.on_edge("seat1", ear)
        for level in (1, 1, 0):
            world.drive("seat1", level)
        assert ear.wait(2) == [("seat1", 1), ("seat1", 0)]

    @pytest.mark.parametrize("line", OUTPUTS)
    def test_an_output_is_driven_from_its_first_moment(self, world: World, line: str) -> None:
        world.port.setup_out(line, 1)
        assert settle(world, line, 1) == 1
        assert world.port.read(line) == 1
        world.port.write(line, 0)
        assert settle(world, line, 0) == 0
        assert world.port.read(line) == 0

    def test_close_leaves_outputs_safe_and_is_harmless_twice(self, world: World) -> None:
        world.port.setup_out("mcu_reset", 1)
        assert settle(world, "mcu_reset", 1) == 1
        world.port.close()
        world.port.close()
        assert settle(world, "mcu_reset", 0) == 0
        with pytest.raises(PortUnavailable):
            world.port.setup_in("seat1")

    def test_no_edge_is_told_after_close(self, world: World) -> None:
        ear = Ear()
        world.port.setup_in("seat1")
        world.port.on_edge("seat1", ear)
        world.port.close()
        if not isinstance(world, SocketWorld):
            world.drive("seat1", 1)
        assert ear.heard == []

    def test_misuse_is_refused_by_name(self, world: World) -> None:
        port = world.port
        with pytest.raises(LineMisused, match="no such line"):
            port.setup_in("seat5")
        with pytest.raises(LineMisused, match="not set up"):
            port.read("seat1")
        with pytest.raises(LineMisused, match="is an output"):
            port.setup_in("mcu_reset")
        with pytest.raises(LineMisused, match="is an input"):
            port.setup_out("seat1", 0)
        port.setup_in("seat1")
        with pytest.raises(LineMisused, match="is an input"):
            port.write("seat1", 1)
        port.setup_out("mcu_reset", 0)
        with pytest.raises(LineMisused, match="0 or 1"):
            port.write("mcu_reset", 2)
        with pytest.raises(LineMisused, match="is an output"):
            port.on_edge("mcu_reset", Ear())
        port.on_edge("seat1", Ear())
        with pytest.raises(LineMisused, match="listener already"):
            port.on_edge("seat1", Ear())


class TestRows:
    def test_pins_are_used_once_and_leave_the_buses_free(self) -> None:
        pins = [row.bcm for row in LINES]
        assert len(set(pins)) == len(pins)
        assert not set(pins) & {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}

    def test_a_cut_cable_at_the_e_stop_reads_as_pressed(self) -> None:
        row = line_row("estop")
        assert row.pull == "up"
        assert not row.active_low

    def test_undriven_pins_of_a_pi(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        world = PiWorld(tmp_path, monkeypatch)
        world.chip.driven.clear()
        for line in INPUTS:
            world.port.setup_in(line)
        assert {line for line in INPUTS if world.port.read(line)} == {"estop"}
        world.port.close()
        world.close()


class TestSocketOnly:
    def test_a_twin_that_is_gone_is_said_so(self, tmp_path: Path) -> None:
        with pytest.raises(PortUnavailable):
            SocketGpioPort(tmp_path / "nothing.sock")

    def test_a_twin_that_goes_away_later(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        world = SocketWorld(tmp_path, monkeypatch)
        world.port.setup_in("estop")
        world.shut()
        with pytest.raises(PortUnavailable):
            world.port.read("estop")
        with pytest.raises(PortUnavailable):
            world.port.setup_in("seat1")
        world.close()


def test_without_a_chip_the_pi_port_says_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio = fake_lgpio.make(fake_lgpio.FakeChip())
    lgpio.gpiochip_open = lambda _number: -78
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setenv("RPI_LGPIO_REVISION", "c03114")
    for name in ("RPi.GPIO", "RPi", "controller.gpio.rpi"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module("controller.gpio.rpi")
    with pytest.raises(PortUnavailable):
        module.RPiGpioPort()
    for name in ("RPi.GPIO", "RPi", "controller.gpio.rpi"):
        sys.modules.pop(name, None)
