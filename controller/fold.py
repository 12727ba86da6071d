"""State = fold of facts: `apply_fact` is the only way in which state changes durably."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from controller.facts import Fact, Record
from controller.fold_claims import CLAIM_CHANGES, with_payer
from controller.fold_corrections import CORRECTIONS, guest_number, sealed
from controller.fold_machine import MACHINE_CHANGES, has_walls_below
from controller.fold_replace import replace
from controller.fold_rows import Four
from controller.fold_seats import SEAT_CHANGES
from controller.fold_sheet import by_seat, last_hand, noted, seat_or_none
from controller.state import (
    SEATS,
    ClaimState,
    KongState,
    LampRead,
    OpeningState,
    ReadingState,
    ResultState,
    SeatState,
    TableInfo,
    TableState,
    Throw,
)
from rules.seats import Seat

Body = Mapping[str, Any]
Tiles = tuple[tuple[str, float], ...]


def fold(records: Iterable[Record], state: TableState | None = None) -> TableState:
    """Return the state after the records, in order: as by `apply_fact` and `stamp`, with a copy less."""
    state = state or TableState()
    for record in records:
        seq = state.seq + 1
        head = record.hash if record.seq == seq else state.head
        numbered = replace(state, seq=seq, head=head)
        state = _stamped(_changed(numbered, Fact(record.kind, record.body)), record)
    return state


def stamp(state: TableState, record: Record) -> TableState:
    """Return the state with the seal of a row that is on disk; a settled hand keeps its own row's seal."""
    head = record.hash if record.seq == state.seq else state.head
    return _stamped(replace(state, head=head), record)


def _stamped(state: TableState, record: Record) -> TableState:
    """Return the state with the seal of a row wherever a hand names that row."""
    if record.kind == "settled" or record.kind in CORRECTIONS:
        state = sealed(state, record.seq, record.hash[:8])
    last = state.last
    if last is not None and last.seq == record.seq:
        state = replace(state, last=replace(last, head=record.hash[:8]))
    return state


def apply_fact(state: TableState, fact: Fact) -> TableState:
    """Return the state after one more fact."""
    return _changed(replace(state, seq=state.seq + 1), fact)


def _changed(state: TableState, fact: Fact) -> TableState:
    """Return the state, which has the fact's number already, with what the fact changes."""
    change = _CHANGES.get(fact.kind)
    return state if change is None else change(noted(state, fact), fact.body)


def table_info(body: Body) -> TableInfo:
    """Return the game that a row game_started tells of."""
    return TableInfo(
        body["table"],
        body["variant"],
        dict(body["options"]),
        int(body["unit"]),
        int(body["tiles"]),
        dict(body.get("procedure", {})),
    )


def _game_started(state: TableState, body: Body) -> TableState:
    table = table_info(body)
    seats = tuple(SeatState(seat, *_place(body["seats"][seat.value])) for seat in SEATS)
    dealer = Seat(body["dealer"])
    return TableState(
        seq=state.seq,
        head=state.head,
        table=table,
        seats=seats,
        dealer=dealer,
        first_dealer=dealer,
        emptying=state.emptying,
        playing=state.playing,
        behind=state.behind,
        begun=state.begun,
        guests=max(state.guests, *(guest_number(place.player) for place in seats)),
        reseat_by=seat_or_none(body.get("reseat_by")),
    )


def _place(entry: Mapping[str, Any]) -> tuple[int, str, int, str]:
    return int(entry["side"]), str(entry["player"]), 0, str(entry["player"])


def _hand_started(state: TableState, body: Body) -> TableState:
    return replace(
        state,
        hand=int(body["hand"]),
        is_open=True,
        dealer=Seat(body["dealer"]),
        circle=int(body["circle"]),
        run=int(body["run"]),
        loaded=False,
        built=None,
        by_hand=False,
        lamp=None,
        throws=(),
        next_thrower=None,
        upcoming=None,
        opening=None,
        kongs=(),
        called=(),
        false_wins=(),
        irregularities=(),
        waiting=(),
        agreed=(),
        accused=None,
        claim=None,
        stated=None,
        reading=None,
        result=None,
        confirmed=frozenset(),
        disputed=frozenset(),
        aside=frozenset(),
    )


def _lamp_read(state: TableState, body: Body) -> TableState:
    lamp = LampRead(int(body["asked"]), body["side"], bool(body["sure"]), body["score"], body["sense"])
    return replace(state, lamp=lamp)


def _dice_read(state: TableState, body: Body) -> TableState:
    if body["pips"] is None:
        return state
    first, second = body["pips"]
    throw = Throw(Seat(body["seat"]), (int(first), int(second)), body["source"], body["score"])
    return replace(state, throws=(*state.throws, throw), next_thrower=seat_or_none(body.get("next_thrower")))


def _wall_opened(state: TableState, body: Body) -> TableState:
    opening = OpeningState(Seat(body["count_seat"]), body["count"], Seat(body["seat"]), body["stack"])
    return replace(state, opening=opening)


def _pay(state: TableState, deltas: Four) -> tuple[SeatState, ...]:
    return tuple(replace(place, score=place.score + deltas[place.seat.index]) for place in state.seats)


def _kong(state: TableState, body: Body) -> TableState:
    deltas = by_seat(body["deltas"])
    kong = KongState(Seat(body["seat"]), body["kind"], body["tile"], seat_or_none(body["from"]), deltas)
    called = without_one(state.called, kong.seat)
    return replace(state, kongs=(*state.kongs, kong), called=called, seats=_pay(state, deltas))


def without_one(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Return the seats with one `seat` less, if it is there."""
    at = seats.index(seat) if seat in seats else len(seats)
    return (*seats[:at], *seats[at + 1 :])


def _kong_called(state: TableState, body: Body) -> TableState:
    return replace(state, called=(*state.called, Seat(body["seat"])))


def _kong_robbed(state: TableState, body: Body) -> TableState:
    seat, tile = Seat(body["seat"]), body["tile"]
    kongs = tuple(
        replace(kong, robbed=True) if (kong.seat, kong.tile) == (seat, tile) else kong for kong in state.kongs
    )
    return replace(state, kongs=kongs, seats=_pay(state, by_seat(body["deltas"])))


def _kong_withdrawn(state: TableState, body: Body) -> TableState:
    gone = (Seat(body["seat"]), body["tile"])
    kongs = tuple(kong for kong in state.kongs if kong.robbed or (kong.seat, kong.tile) != gone)
    return replace(state, kongs=kongs, seats=_pay(state, by_seat(body["deltas"])))


def _fresh_claim(state: TableState, claim: ClaimState | None) -> TableState:
    nobody: frozenset[Seat] = frozenset()
    return replace(
        state, claim=claim, stated=None, result=None, confirmed=nobody, disputed=nobody, aside=nobody
    )


def _claim(state: TableState, body: Body) -> TableState:
    claim = ClaimState(
        "win",
        seat_or_none(body["seat"]),
        body["by"],
        seat_or_none(body["from"]),
        tuple(body["flags"]),
        dict(body["sources"]),
    )
    keeps = state.claim is not None and state.claim.seat == claim.seat
    kept = (state.reading, state.stated) if keeps else (None, None)
    return replace(
        _fresh_claim(state, claim), reading=kept[0], stated=kept[1], waiting=with_payer(state.waiting, claim)
    )


def _drawn(state: TableState, body: Body) -> TableState:
    claim = ClaimState("drawn", seat_or_none(body["seat"]), sources={"kind": body["source"]})
    return replace(_fresh_claim(state, claim), reading=None)


def _result(body: Body | None) -> ResultState | None:
    if body is None:
        return None
    return ResultState(
        bool(body["legal"]),
        body["reason"],
        tuple((str(k), str(zh), str(en), int(value)) for k, zh, en, value in body["elements"]),
        int(body["total"]),
        by_seat(body["deltas"]),
        Seat(body["next_dealer"]),
    )


def _flowers(body: Body) -> tuple[tuple[str, float], ...] | None:
    """Return the flowers of a reading; tables that knew of none did not write the field."""
    rows = body.get("flowers", ())
    return None if rows is None else tuple((str(tile), float(score)) for tile, score in rows)


def _hand_read(state: TableState, body: Body) -> TableState:
    reading = ReadingState(
        Seat(body["seat"]),
        body["hand"],
        bool(body["sure"]),
        "camera",
        tuple((str(tile), float(score)) for tile, score in body["tiles"]),
        tuple((str(kind), source, int(n)) for kind, source, n in body["melds"]),
        bool(body["has_win_tile"]),
        {str(index): tuple(tiles) for index, tiles in body["doubts"].items()},
        tuple(body["problems"]),
        body["evidence"],
        flowers=_flowers(body),
        is_laid=True,
    )
    return replace(
        state,
        reading=reading,
        result=_result(body["result"]),
        confirmed=frozenset(),
        disputed=frozenset(),
    )


def _corrected(state: TableState, body: Body) -> TableState:
    """People's word on the hand; rows of older tables carry neither `sure`, `problems` nor `flowers`."""
    old = state.reading
    tiles = tuple((str(tile), float(score)) for tile, score in body["tiles"])
    reading = ReadingState(
        Seat(body["seat"]),
        body["hand"],
        bool(body.get("sure", body["hand"] is not None)),
        body["source"],
        tiles,
        tuple((str(kind), source, int(n)) for kind, source, n in body["melds"]),
        bool(body["has_win_tile"]),
        {str(index): tuple(tiles) for index, tiles in body["doubts"].items()},
        tuple(body.get("problems", ())),
        old.evidence if old else None,
        tuple(body.get("waived", ())),
        _flowers(body),
        old is not None and old.is_laid and _run_alike(old.tiles, tiles),
    )
    nobody: frozenset[Seat] = frozenset()
    result = _result(body["result"])
    return replace(state, reading=reading, result=result, confirmed=nobody, disputed=nobody, aside=nobody)


def _run_alike(old: Tiles, new: Tiles) -> bool:
    """Return whether tiles still run as they were read: at most one is called otherwise."""
    same = len(old) == len(new)
    return same and sum(one[0] != other[0] for one, other in zip(old, new, strict=True)) <= 1


def _confirmed(state: TableState, body: Body) -> TableState:
    seat = Seat(body["seat"])
    return replace(state, confirmed=state.confirmed | {seat}, disputed=state.disputed - {seat})


def _disputed(state: TableState, body: Body) -> TableState:
    seat = Seat(body["seat"])
    return replace(state, disputed=state.disputed | {seat}, confirmed=state.confirmed - {seat})


def _withdrawn(state: TableState, body: Body) -> TableState:
    return replace(_fresh_claim(state, None), reading=None)


def _settled(state: TableState, body: Body) -> TableState:
    deltas = by_seat(body["deltas"])
    last = last_hand(body, state.seq)
    return replace(
        state,
        seats=_pay(state, deltas),
        is_open=False,
        emptying=state.emptying or has_walls_below(state),
        kongs=(),
        called=(),
        false_wins=(),
        irregularities=(),
        waiting=(),
        agreed=(),
        accused=None,
        claim=None,
        stated=None,
        last=last,
        upcoming=(Seat(body["next_dealer"]), int(body["circle"]), int(body["run"])),
    )


_CHANGES: dict[str, Callable[[TableState, Body], TableState]] = {
    "game_started": _game_started,
    "hand_started": _hand_started,
    "lamp_read": _lamp_read,
    "dice_read": _dice_read,
    "wall_opened": _wall_opened,
    "kong": _kong,
    "kong_called": _kong_called,
    "kong_robbed": _kong_robbed,
    "kong_withdrawn": _kong_withdrawn,
    "claim": _claim,
    "drawn": _drawn,
    "hand_read": _hand_read,
    "corrected": _corrected,
    "confirmed": _confirmed,
    "disputed": _disputed,
    "withdrawn": _withdrawn,
    "settled": _settled,
    **CLAIM_CHANGES,
    **MACHINE_CHANGES,
    **CORRECTIONS,
    **SEAT_CHANGES,
}
