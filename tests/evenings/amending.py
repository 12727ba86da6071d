"""Corrections in the random evenings: asked for by somebody, carried by all or a referee, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.state import Phase
from tests.evenings.book import SEATS, Hand, Kong, Win, others
from tests.evenings.talk import HANDS, HONORS, ROBBED, Talk, texts

Change = Callable[[], None]


def amend(evening: Talk) -> None:
    """Ask for a correction of any kind, and let it be carried or not."""
    kind = evening.pick([redo, swap, redo, undo, redo, replace, redo, undo])
    kind(evening)


def asked(evening: Talk, name: str, change: Change, **body: Any) -> None:
    """Ask, answer, and tell the model if it is carried."""
    book, table = evening.book, evening.table
    seated = [seat for seat in SEATS if book.players[seat]]
    asks = evening.pick([None, *seated])
    body = {"reason": "mistake", "seat_": asks, **body}
    answers = [seat for seat in seated if seat != asks]
    evening.chance.shuffle(answers)
    if not answers:
        return
    evening.ok(name, **body)
    evening.refused("refuse.correction_open", name, **body)
    before = table.state.correction
    assert before is not None
    evening.counts.corrections += 1
    evening.counts.met(name)
    way = evening.pick(["seats", "seats", "referee", "seat says no", "referee says no"])
    for seat in answers[:-1]:
        if way.startswith("seat"):
            answer(evening, seat)
    if way == "seats":
        answer(evening, answers[-1], last=True)
        change()
    elif way == "referee":
        evening.refused("refuse.referee", "rule_correction", accept=True)
        evening.must("rule_correction", role="referee", accept=True)
        change()
    elif way == "seat says no":
        between = table.state.phase in (Phase.IDLE, Phase.SETTLED)
        seat = answers[-1]
        if between and evening.maybe(0.5):
            evening.ok("seat_long", seat)
        else:
            evening.ok("reject_correction", seat_=seat)
    else:
        evening.ok("rule_correction", role="owner", accept=False)
    evening.compare()
    assert table.state.correction is None


def answer(evening: Talk, seat: str, last: bool = False) -> None:
    """A seat agrees: by page, between hands by key, too."""
    give = evening.must if last else evening.ok
    if evening.table.state.phase in (Phase.IDLE, Phase.SETTLED) and evening.maybe(0.4):
        give("seat_short", seat)
    else:
        give("agree_correction", seat_=seat)


def undo(evening: Talk) -> None:
    """The last result does not count."""
    if evening.book.last_that_counts() is None:
        evening.refused("refuse.undo_result", "undo_result", reason="mistake")
        return
    asked(evening, "undo_result", evening.book.undo)


def redo(evening: Talk) -> None:
    """A hand ended otherwise than it was booked."""
    book = evening.book
    if not book.hands:
        evening.refused("refuse.no_hand", "correct_result", reason="mistake", hand=1, kind="drawn")
        return None
    number = evening.pick([len(book.hands), evening.chance.randint(1, len(book.hands))])
    end = evening.pick(["win", "win", "drawn", "void"])
    kongs = _kongs_told(evening, book.hands[number - 1]) if evening.maybe(0.4) else None
    if end == "win":
        return _redo_win(evening, number, kongs)
    body = {"hand": number, "kind": end} | _told(kongs)
    if end == "void" and kongs is not None:
        return evening.refused("refuse.invalid", "correct_result", reason="mistake", **body)
    return asked(evening, "correct_result", lambda: book.redo(number, end, kongs=kongs), **body)


def _kongs_told(evening: Talk, hand: Hand) -> list[Kong]:
    """Return the kongs of a hand as people remember them now: some as booked, some otherwise, a new one."""
    kongs = [kong for kong in hand.kongs if evening.maybe(0.7)]
    free = [tile for tile in HONORS if tile not in {kong.tile for kong in kongs}]
    if len(kongs) < 4 and evening.maybe(0.6):
        seat, kind = evening.pick(SEATS), evening.pick(["exposed_kong", "added_kong", "concealed_kong"])
        feeder = evening.pick(others(seat)) if kind == "exposed_kong" else None
        pay = evening.book.agreed.kong(seat, kind, feeder)
        kongs.append(Kong(seat, kind, evening.pick(free), pay, feeder=feeder))
    evening.counts.met("kongs told anew")
    return [Kong(kong.seat, kong.kind, kong.tile, kong.pay, feeder=kong.feeder) for kong in kongs]


def _told(kongs: list[Kong] | None) -> dict[str, Any]:
    """Return the field that tells all kongs of a hand."""
    if kongs is None:
        return {}
    rows = [{"seat": kong.seat, "kind": kong.kind, "tile": kong.tile} for kong in kongs]
    fed = [{} if kong.feeder is None else {"from": kong.feeder} for kong in kongs]
    return {"kongs": [row | source for row, source in zip(rows, fed, strict=True)]}


def _redo_win(evening: Talk, number: int, told: list[Kong] | None) -> None:
    book, hand = evening.book, evening.book.hands[number - 1]
    kongs = hand.kongs if told is None else told
    text, by = evening.pick(texts(kongs)), evening.pick(["self_draw", "discard"])
    winner = evening.pick(SEATS)
    payer = None if by == "self_draw" else evening.pick(others(winner))
    robbed: Kong | None = None
    robbable = [kong for kong in kongs if kong.tile == ROBBED]
    if robbable and evening.maybe(0.5):
        robbed = robbable[0]
        by, payer = "rob_kong", robbed.seat
        winner = evening.pick(others(payer))
        text = next(text for text in HANDS if text.endswith(ROBBED))
    flowers = evening.pick(["", "b"]) if book.agreed.variant == "mcr" else ""
    value = book.agreed.worth(HANDS[text], by, len(flowers))
    body = {"hand": number, "kind": "win", "winner": winner, "by": by, "from_": payer, "hand_text": text}
    body |= {"flowers": list(flowers)} if flowers else {}
    also = _also(evening, winner, payer)
    rows = [{"winner": seat, "hand_text": text} for seat in also]
    if also and (not book.agreed.several or payer is None):
        return evening.refused("refuse.invalid", "correct_result", reason="mistake", **body, also=rows)
    wins = [Win(seat, payer, value) for seat in (winner, *also)]
    kong = robbed if book.agreed.variant == "simplest" else None
    evening.counts.met(f"winners corrected {len(wins)}")
    return asked(
        evening,
        "correct_result",
        lambda: book.redo(number, "win", wins, kong, told),
        **body,
        **({"also": rows} if also else {}),
        **_told(told),
    )


def _also(evening: Talk, winner: str, payer: str | None) -> list[str]:
    """Return who else is said to have won the same tile; in most evenings there is no such thing."""
    if not evening.maybe(0.8 if evening.book.agreed.several else 0.05):
        return []
    rest = others(winner, payer)
    evening.chance.shuffle(rest)
    return rest[: evening.pick([1, 2])]


def swap(evening: Talk) -> None:
    """Two players sat at each other's places."""
    book = evening.book
    one, other = evening.chance.sample(SEATS, 2)
    stay = evening.maybe(0.7)
    last = len(book.hands) + (book.open is not None and stay)
    if not last:
        ask = {"seats": [one, other], "from_hand": 1, "stay": stay}
        evening.refused("refuse.no_hand", "swap_players", reason="mistake", **ask)
        return
    first = evening.chance.randint(1, last)
    asked(
        evening,
        "swap_players",
        lambda: book.swap(one, other, first, stay),
        seats=[one, other],
        from_hand=first,
        stay=stay,
    )


def replace(evening: Talk) -> None:
    """A player leaves, a guest takes his place, or the place of one who left."""
    book = evening.book
    empty = [seat for seat in SEATS if not book.players[seat]]
    seat = evening.pick(empty or SEATS)
    leaves = not empty and evening.maybe(0.4)
    body = {"leaves": True} if leaves else {}
    asked(evening, "replace_player", lambda: book.take_place(seat, leaves), place=seat, **body)


def end(evening: Talk) -> None:
    """The game is ended by its players, maybe in the middle of a hand."""
    if evening.book.over:
        evening.refused("refuse.game_over", "end_game", reason="late")
        return
    asked(evening, "end_game", evening.book.end)
