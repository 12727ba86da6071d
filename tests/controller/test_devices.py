"""The world of a live table as it starts."""

from __future__ import annotations

from typing import Any

from controller.camera import PhotoReader
from controller.devices import LiveDevices
from controller.gpio.fake import FakeGpioPort
from controller.inputs import Edge, Input


def test_a_key_released_while_its_level_is_told_is_not_left_pressed() -> None:
    gpio, heard = FakeGpioPort(), list[Input]()
    gpio.drive("seat1", 1)

    def post(given: Input) -> None:
        if given == Edge("seat1", 1) and gpio.level("seat1"):
            gpio.drive("seat1", 0)  # the release overtakes what was read before it
        heard.append(given)

    reader: Any = PhotoReader
    LiveDevices(post, serial=None, camera=None, gpio=gpio, make_reader=reader).start()
    assert [given for given in heard if isinstance(given, Edge)][-1] == Edge("seat1", 0)
