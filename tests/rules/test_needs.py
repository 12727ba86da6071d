"""No predicate counts where its row of needs says that it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rules import patterns
from rules.evaluate import found_in
from rules.hand import Hand
from rules.needs import NEEDS
from rules.plan import Plan, plan_of
from rules.records import read_record
from rules.scoring import Situation, Win, resolve_options
from rules.seats import Seat
from rules.tiles import TILES
from rules.variants import get_variant
from rules.view import View
from tests.rules.mcr_hands import hands

MCR, LIANZHONG = get_variant("mcr"), get_variant("lianzhong")
MCR_PLAN = plan_of(MCR, MCR.default_options)
PUBLIC = resolve_options(LIANZHONG, {"public_extras": True})
LIANZHONG_PLAN = plan_of(LIANZHONG, PUBLIC)
PREDICATES = {predicate for predicate in NEEDS if predicate is not patterns.nothing_but_flowers}
# circumstances that no generated hand has; the rows of lianzhong and simplest show that they count
FIRST_TURN = {"heavenly", "earthly_on_first_discard"}


def views(plan: Plan, wins: Iterator[tuple[Win, Situation]]) -> Iterator[View]:
    """Yield every reading of the wins, wild tiles standing for whatever they can."""
    for win, situation in wins:
        yield from (found.view for found in found_in(plan, win, situation))


def official(seed: int, count: int) -> Iterator[tuple[Win, Situation]]:
    return (read_record(MCR, record) for record in hands(seed, count))


def dialect(seed: int, count: int) -> Iterator[tuple[Win, Situation]]:
    """Yield wins of lianzhong, of which two in three hold one or two wild tiles, of one kind or of two."""
    rng = Random(seed)
    for record in hands(seed, count):
        win, told = read_record(LIANZHONG, record)
        kinds = [tile for tile in TILES[:34] if not win.hand.kinds >> tile.index & 1]
        wild = tuple(rng.sample(kinds, 2))
        hand = win.hand
        if "last_of_kind" not in told.flags and len(hand.concealed) > 2:
            own = list(hand.concealed)
            for _ in range(rng.randrange(3)):
                own[rng.randrange(len(own))] = rng.choice(wild)
            hand = Hand(hand.melds, own, hand.win_tile)
        situation = Situation(told.dealer, told.players, PUBLIC, told.flags, None, told.round_wind, wild)
        yield win.with_hand(hand), situation


def counted(seen: Iterator[View]) -> set[str]:
    """Return the names of the predicates that counted in some view, where all that they need was there."""
    found = set()
    for view in seen:
        for predicate in PREDICATES:
            if predicate(view):
                found.add(predicate.__name__)
                assert not NEEDS[predicate] & ~view.features, (predicate, view.hand)
    return found


def test_what_a_predicate_needs_is_there_whenever_it_counts() -> None:
    found = counted(views(MCR_PLAN, official(41, 3000)))
    assert {predicate.__name__ for predicate in PREDICATES} - found == FIRST_TURN


def test_the_same_with_wild_tiles_and_with_flowers_named() -> None:
    seen = list(views(LIANZHONG_PLAN, dialect(43, 300)))
    assert sum(view.claimed.placement is not None for view in seen) > len(seen) // 2
    assert len(counted(iter(seen))) > len(PREDICATES) * 3 // 4


def test_first_turns_need_what_they_say() -> None:
    simplest = get_variant("simplest")
    plan = plan_of(simplest, simplest.default_options)
    for flag, seat, by in (("heavenly", Seat.E, "self_draw"), ("earthly", Seat.S, "discard")):
        win, situation = read_record(
            simplest,
            {
                "hand": "123m 456p 789s 66m EE + E",
                "seat_wind": seat.value,
                "self_draw": by == "self_draw",
                "flags": [flag],
            },
        )
        assert counted(views(plan, iter([(win, situation)]))) & FIRST_TURN


def test_a_hand_with_nothing_but_flowers_has_what_the_chicken_hand_needs() -> None:
    fallback = patterns.nothing_but_flowers
    chickens = 0
    for win, situation in official(47, 3000):
        for found in found_in(MCR_PLAN, win, situation):
            keys = {MCR_PLAN.rows[number].key for number, _ in found.counted} - {"chicken_hand"}
            if fallback(found.view, frozenset(keys)):
                chickens += 1
                assert not NEEDS[fallback] & ~found.view.features, found.view.hand
    assert chickens > 10
