"""Bytes <-> typed messages between host and controller board; imports nothing of ours.

`link.Link` is the conversation without I/O, `port.SerialPort` the wire, `messages` the vocabulary,
`faults.FAULTS` the table of faults. Import them from their modules: `port` needs pyserial, the rest nothing.
"""

from firmware_bridge.errors import BadMessage, BadPayload, BadRecording, LinkError, PortBusy, PortLost

__all__ = ["BadMessage", "BadPayload", "BadRecording", "LinkError", "PortBusy", "PortLost"]
