"""protocol.toml is the single description: generated files are up to date, contradictions are refused."""

from __future__ import annotations

import pytest

from firmware_bridge import generate, messages
from firmware_bridge.errors import BadPayload
from firmware_bridge.spec import SpecError, load_spec

HEAD = """
[protocol]
name = "T"
version = 1
baud = 1
max_payload = 8
[enums.e]
text = "e"
values = { a = 0 }
"""


def message(name: str = "A", code: int = 1, kind: str = "event", fields: str = "[]", more: str = "") -> str:
    head = f'[[messages]]\nname = "{name}"\ncode = {code}\nkind = "{kind}"\ntext = "t"\n'
    return f"{head}{more}\nfields = {fields}\n"


def test_generated_files_are_up_to_date() -> None:
    for path, text in generate.targets(load_spec()).items():
        assert path.read_text("utf-8") == text, f"run python -m firmware_bridge.generate ({path.name})"


def test_texts_do_not_change_the_layout_but_types_do() -> None:
    plain = load_spec(HEAD + message())
    assert load_spec((HEAD + message()).replace('text = "t"', 'text = "u"')).layout_hash == plain.layout_hash
    for other in (
        message(code=2),
        message(fields='[["x", "u8"]]'),
        message(kind="note"),
        message(more="open = true"),
    ):
        assert load_spec(HEAD + other).layout_hash != plain.layout_hash


@pytest.mark.parametrize(
    "body",
    [
        message() + message(name="B"),
        message() + message(code=2),
        message(kind="rumour"),
        message(fields='[["x", "u64"]]'),
        message(fields='[["x", "u32"], ["y", "u32"], ["z", "u8"]]'),
        message(kind="command", more='answer = "Nobody"'),
    ],
    ids=["code twice", "name twice", "kind", "type", "too long", "answer"],
)
def test_contradictions_are_refused(body: str) -> None:
    with pytest.raises(SpecError):
        load_spec(HEAD + body)


@pytest.mark.parametrize("kind", messages.MESSAGES.values(), ids=lambda kind: kind.__name__)
def test_every_message_survives_the_wire_at_its_exact_length(kind: type[messages.Message]) -> None:
    payload = bytes(range(1, kind.LENGTH + 1))
    made = kind.unpack(payload)
    if bool not in kind.TYPES:
        assert made.pack() == payload
    assert kind.unpack(made.pack()) == made
    with pytest.raises(BadPayload):
        kind.unpack(payload + b"\0")


def test_a_number_of_a_newer_board_is_kept_and_named() -> None:
    state = messages.State(200)
    assert (state.name, int(state), str(state)) == ("unknown_200", 200, "unknown_200")
