"""The recorder keeps the last minute, a recording survives as text, and people can read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import link as fb
from firmware_bridge import messages as m
from firmware_bridge.errors import BadRecording
from firmware_bridge.frames import RAW_STOP, FrameClass, encode
from firmware_bridge.record import Chunk, Recorder, Recording, explain, frames_of, parse_recording

chunks = st.builds(Chunk, st.integers(0, 2**40), st.sampled_from([">", "<"]), st.binary(max_size=60))


@given(st.lists(chunks, max_size=10), st.dictionaries(st.sampled_from(["key", "步"]), st.text(max_size=5)))
def test_a_recording_survives_as_text(rows: list[Chunk], about: dict[str, str]) -> None:
    made = Recording(tuple(rows), about)
    assert parse_recording(made.text()) == made


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("[]", 1),
        ("{}", 1),
        ('{"tablelink": 1, "layout": "xyz"}', 1),
        ('{"tablelink": 1, "layout": "00000001"}\n[1, ">", "00"]\n[1, "?", "00"]', 3),
        ('{"tablelink": 1, "layout": "00000001"}\n[1, ">", "0"]', 2),
        ('{"tablelink": 1, "layout": "00000001"}\n[1, ">"]', 2),
    ],
)
def test_what_is_no_recording_is_named_by_its_line(text: str, line: int) -> None:
    with pytest.raises(BadRecording, match=f"^line {line} "):
        parse_recording(text)


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 30)), max_size=60))
def test_the_ring_holds_the_last_of_it(rows: list[tuple[int, int]]) -> None:
    recorder, now, noted = Recorder(span_ms=1_000, bytes_max=200), 0, []
    for wait, size in rows:
        now += wait
        recorder.note("<", bytes(size), now)
        if size:
            noted.append(Chunk(now, "<", bytes(size)))
    kept = recorder.recording().chunks
    assert list(kept) == noted[len(noted) - len(kept) :]
    assert sum(len(chunk.data) for chunk in kept) <= 200
    last = noted[-1].at_ms if noted else 0
    assert all(chunk.at_ms >= last - 1_000 for chunk in kept)
    missing = noted[: len(noted) - len(kept)]
    if missing and missing[-1].at_ms >= last - 1_000:
        assert sum(len(chunk.data) for chunk in (missing[-1], *kept)) > 200


def test_the_link_records_both_ways() -> None:
    link = fb.Link(0, session=7)
    link.connected(0)
    hello = link.take_output()
    answer = encode(FrameClass.EVENT, 1, 9, m.HomeDone())
    link.feed(answer, 5)
    link.stop(8)
    assert link.take_output() == RAW_STOP
    assert link.recorder.recording(key="k") == Recording(
        (Chunk(0, ">", hello), Chunk(5, "<", answer), Chunk(8, ">", RAW_STOP)), {"key": "k"}
    )


def test_people_read_frames_stops_and_rubbish() -> None:
    lift = encode(FrameClass.COMMAND, 3, 9, m.Lift(m.Target.trays, m.Direction.up))
    done = encode(FrameClass.EVENT, 4, 9, m.HomeDone())
    recording = Recording(
        (
            Chunk(1_000, ">", lift[:5]),
            Chunk(1_002, ">", lift[5:]),
            Chunk(1_500, ">", RAW_STOP),
            Chunk(2_000, "<", b"\x55\x55\0" + done),
            Chunk(2_010, ">", encode(FrameClass.EVENT_ACK, 4, 9, m.HomeDone.CODE)),
        )
    )
    assert list(explain(recording)) == [
        "    0.002 > command     3 Lift(target=<Target.trays: 0>, direction=<Direction.up: 0>)",
        "    0.500 > raw stop",
        "    1.000 < event       4 HomeDone()",
        "    1.000 < 1 bad",
        "    1.010 > event_ack   4 85",
    ]
    assert [(at, frame.message) for at, frame in frames_of(recording, "<")] == [(2_000, m.HomeDone())]
