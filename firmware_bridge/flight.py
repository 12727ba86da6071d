"""Commands under way and the pace of their copies: adaptive, quick at first, then ever slower."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import Hello
from firmware_bridge.wire import Message

TRIES = 16
"""At 1 % flips and 1 % drops 38 % of tries fail: 8 would give up on 40 of 100,000 commands, 16 on none."""
TRIES_QUICK = 8
"""So many copies at the measured pace, then ever slower: a bad wire wants speed, a sick board wants rest."""
RTO_MIN_MS = 15
RTO_MAX_MS = 100
RTO_FIRST_MS = 50
HELLO_SLOW_MS = 500
"""After 16 unanswered greetings: a board without power need not be asked every 100 ms."""


@dataclass(slots=True)
class Flight:
    """One command and its copies; ticket 0 is a greeting."""

    ticket: int
    message: Message
    seq: int = 0
    tries: int = 0
    first_ms: int = 0
    due_ms: int = 0

    @property
    def is_greeting(self) -> bool:
        """Return whether it opens the conversation."""
        return isinstance(self.message, Hello)

    @property
    def may_repeat(self) -> bool:
        """Return whether another copy may be sent; greetings go on for ever."""
        return self.is_greeting or self.tries < TRIES


@dataclass(slots=True)
class Pace:
    """How long an answer takes, smoothed as TCP does, and how long to wait for one (milliseconds)."""

    rtt: float = 0.0
    deviation: float = 0.0
    rto: float = float(RTO_FIRST_MS)

    def sample(self, flight: Flight, now_ms: int) -> None:
        """Learn from an answer, unless it is not known which copy was answered (Karn)."""
        if flight.tries != 1:
            return
        rtt = float(now_ms - flight.first_ms)
        if self.rtt == 0.0:
            self.rtt, self.deviation = rtt, rtt / 2
        else:
            self.deviation += (abs(rtt - self.rtt) - self.deviation) / 4
            self.rtt += (rtt - self.rtt) / 8
        self.rto = min(max(self.rtt + max(4 * self.deviation, 5.0), RTO_MIN_MS), RTO_MAX_MS)

    def sent(self, flight: Flight, now_ms: int) -> None:
        """Count a copy and set when the next one is due."""
        slower = min(max(flight.tries + 1 - TRIES_QUICK, 0), 4)
        wait = min(self.rto * 2**slower, RTO_MAX_MS)
        if flight.is_greeting and flight.tries >= TRIES:
            wait = HELLO_SLOW_MS
        flight.tries += 1
        flight.due_ms = now_ms + max(RTO_MIN_MS, round(wait))
