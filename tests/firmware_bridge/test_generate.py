"""protocol.toml is the single description: generated files are up to date, contradictions are refused."""

from __future__ import annotations

import pytest

from firmware_bridge import boot_messages, generate, messages
from firmware_bridge.errors import BadPayload
from firmware_bridge.spec import SpecError, check_layout, load_boot_spec, load_layouts, load_spec

HEAD = """
[protocol]
name = "T"
version = 1
baud = 1
baud_fallback = 1
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


def test_the_version_is_that_of_the_layout() -> None:
    """Who changes protocol.toml raises its version: rows of layouts.txt never change."""
    check_layout(load_spec(), load_layouts())
    assert load_layouts()[1] == 0x7E170FB4


def test_what_the_bootloader_speaks_never_changes() -> None:
    """It sits in chips that nobody opens again: neither it nor how its layout is reckoned changes."""
    assert load_boot_spec().layout_hash == boot_messages.LAYOUT_HASH == 0x9807F9F9


# rows of layouts.txt after its first, the version of a description with another layout, what is said
VERSIONS: tuple[tuple[str, int, str | None], ...] = (
    ("2 LAYOUT", 2, None),
    ("", 1, "raise `version`"),
    ("", 2, "raise `version`"),
    ("2 00000007", 2, "raise `version`"),
    ("2 LAYOUT\n3 00000007", 2, "older than 3"),
    ("1 00000007", 1, "two rows"),
    ("2 7E170FB4", 2, "two rows"),
)


@pytest.mark.parametrize(("rows", "version", "said"), VERSIONS)
def test_another_layout_needs_another_version(rows: str, version: int, said: str | None) -> None:
    spec = load_spec((HEAD + message()).replace("version = 1", f"version = {version}"))
    text = f"# a comment\n1 7E170FB4\n{rows}\n".replace("LAYOUT", f"{spec.layout_hash:08X}")
    if said is None:
        check_layout(spec, load_layouts(text))
        return
    with pytest.raises(SpecError, match=said):
        check_layout(spec, load_layouts(text))


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
    if kind.OPEN:
        assert kind.unpack(payload + b"\7\7") == made, "a newer board says more: we read what we know"
        least = payload[: kind.LEAST]
        assert kind.unpack(least) == kind.unpack(least.ljust(kind.LENGTH, b"\0"))
    else:
        with pytest.raises(BadPayload):
            kind.unpack(payload + b"\0")
    if kind.LEAST:
        with pytest.raises(BadPayload):
            kind.unpack(payload[: kind.LEAST - 1])


def test_a_number_of_a_newer_board_is_kept_and_named() -> None:
    state = messages.State(200)
    assert (state.name, int(state), str(state)) == ("unknown_200", 200, "unknown_200")


@pytest.mark.parametrize(("kind", "length"), [(messages.HelloReport, 24), (messages.StatusReport, 38)])
def test_what_a_board_of_version_1_sends_is_read(kind: type[messages.Message], length: int) -> None:
    """Their lengths in version 1; a board of that version greets, tells its state, and is refused motion."""
    assert kind.SINCE == 1
    assert length == kind.LEAST
    kind.unpack(bytes(length))
