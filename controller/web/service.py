"""What the web layer asks of the brain: views to show, named commands to pass on, events to stream.

`controller.live` implements this protocol; `tests/browser/fake_service.py` plays a scripted hand behind it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol, TypedDict


class CommandAnswer(TypedDict):
    """How a command ended: accepted, or refused by `code` (a key of the catalogue) with `params`.

    `seq` is the last journal row when this was first said: a repeat is told the same.
    """

    ok: bool
    code: str | None
    params: Mapping[str, Any]
    seq: int


def own_answer(code: str, seq: int) -> CommandAnswer:
    """Return an answer of the service itself, which the brain was not asked for."""
    return {"ok": code == "ok", "code": code, "params": {}, "seq": seq}


class StreamEvent(TypedDict):
    """One thing to show.

    kind "fact": the journal moved on; `id` is "<epoch>-<seq>", `data` the whole state view.
    kind "live": fast values, no `id` (None); `data` is an object whose top-level keys take the place of the
    same keys of the state view ({"build": ...}, {"wall": ...}, {"health": ...}); the key "machine", if
    there, is the machine view.
    """

    kind: str
    id: str | None
    data: Mapping[str, Any]


class Service(Protocol):
    """The brain as pages and robots see it. All methods run in one event loop."""

    @property
    def epoch(self) -> int:
        """Number of this journal: changes when the data folder is a new or a restored one."""
        ...

    @property
    def seq(self) -> int:
        """Number of the last journal row."""
        ...

    def view(self, name: str) -> Mapping[str, Any]:
        """Return a projection as plain JSON: "state", "history", "machine", "sheet", "statistics", "report",
        all of them whole; "photos" tells which players may see which photo (`controller.seen`)."""
        ...

    async def command(
        self,
        name: str,
        body: Mapping[str, Any],
        role: str,
        *,
        player: str = "",
        press: str = "",
        version: str | None = None,
    ) -> CommandAnswer:
        """Pass a command on and wait for the brain's answer.

        Args:
            player: id of the one who speaks, "" = whoever may name any seat (`controller.speaking`).
            press: see `controller.answers.press_text`; the same one acts once, also after a restart.
            version: "<epoch>-<seq>" of the state it was decided on, if that was said (`controller.versions`).
        """
        ...

    def subscribe(self) -> AsyncIterator[StreamEvent]:
        """Return an endless stream of events from now on."""
        ...

    def evidence(self, sha: str) -> bytes | None:
        """Return the JPEG with this SHA-256 (64 hex digits), or None."""
        ...
