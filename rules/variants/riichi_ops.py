"""Rule cases of riichi (riichi.md, Case format): wins as the library counts them, and the ops around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.errors import InvalidRequest, RuleError
from rules.fields import Fields, as_seat, whole
from rules.legal_ops import players_of
from rules.notation import parse_tiles
from rules.ops import case_form, op, rule_book
from rules.options import Options
from rules.procedure import Opening, TilePlace, dice_to_seat, open_at, tail_draw, walls
from rules.seats import ALL_SEATS, Seat
from rules.situation import WAYS, Win
from rules.tiles import Tile
from rules.variants import riichi_game as game
from rules.variants.riichi import ABORTS, SLUG, TILES, UMA, options_of
from rules.variants.riichi_hand import EVENTS, Asked, count, without_red

rule_book(SLUG)
MOST_HONBA = 100
MOST_POINTS = 10_000_000
MOST_STICKS = 400
_TOLD = ("events", "seat_wind", "round_wind", "honba", "sticks", "dora_indicators", "ura_indicators")
_MULTI_RON = ("double", "head_bump", "triple_abort")


def _by_seat(deltas: Mapping[Seat, int]) -> dict[str, int]:
    return {seat.value: deltas[seat] for seat in ALL_SEATS}


def _seats(given: Fields, key: str) -> list[Seat]:
    return [as_seat(seat, given.name(key)) for seat in given.items(key)]


def _points(given: Fields, key: str, low: int = -MOST_POINTS) -> dict[Seat, int]:
    """Return points by seat, as told."""
    name = given.name(key)
    return {
        as_seat(seat, name): whole(points, low, MOST_POINTS, name)
        for seat, points in given.mapping(key).items()
    }


def _all_points(given: Fields, key: str) -> dict[Seat, int]:
    told = _points(given, key)
    if set(told) != set(ALL_SEATS):
        raise InvalidRequest(f"{given.name(key)}: four scores")
    return told


def _honba(given: Fields) -> int:
    return given.integer("honba", 0, MOST_HONBA, 0)


def _sticks(given: Fields) -> int:
    return given.integer("sticks", 0, MOST_STICKS, 0)


def _options(case: Fields) -> Options:
    given = {key: value for key, value in case.mapping("options").items() if key not in _TOLD}
    return options_of(given)


# ---- a win ----


@case_form(SLUG)
def _answer(case: Fields) -> dict[str, Any]:
    if not case.has("winner"):
        raise InvalidRequest("a case needs a winner or an op")
    if players_of(case) != ALL_SEATS:
        raise InvalidRequest("riichi is played by four")
    told = Fields(case.mapping("options"), "options")
    asked = _asked(case, told)
    counted = count(asked, _options(case))
    if counted.reason is not None:
        return {
            "legal": False,
            "reason": counted.reason,
            "elements": [],
            "total": 0,
            "deltas": _by_seat(game.nobody_pays()),
        }
    payments = game.win_payments(asked.win, asked.dealer, counted.cost)
    total = sum(payment.units for payment in payments)
    deltas = game.nobody_pays()
    for payment in payments:
        deltas[payment.payer] -= payment.units
        deltas[payment.payee] += payment.units
    sticks = _sticks(told)
    answer = {
        "legal": True,
        "elements": [[yaku.en, han] for yaku, han in counted.yaku],
        "names": [[yaku.zh, han] for yaku, han in counted.yaku],
        "han": counted.han,
        "fu": counted.fu,
        "level": counted.cost.level,
        "total": total,
        "deltas": _by_seat(deltas),
    }
    return {**answer, "pot_to_winner": game.STICK * sticks} if sticks else answer


def _asked(case: Fields, told: Fields) -> Asked:
    winner, dealer = case.object("winner"), case.seat("dealer")
    try:
        text, red = without_red(winner.text("hand"))
    except RuleError as error:
        raise InvalidRequest(f"{winner.name('hand')}: {error}") from error
    hand = Fields({"hand": text}, winner.where).hand("hand", melds_anywhere=True)
    seat = winner.seat("seat")
    wind = Seat.at(seat.index - dealer.index)
    if told.seat("seat_wind", wind.value) is not wind:
        raise InvalidRequest(f"{told.name('seat_wind')}: {seat} has {wind} while {dealer} deals")
    return Asked(
        Win(seat, hand, winner.one_of("by", WAYS), winner.optional_seat("from")),
        dealer,
        red,
        frozenset(told.words("events", EVENTS, [])),
        told.seat("round_wind", "E"),
        _honba(told),
        _indicators(told, "dora_indicators"),
        _indicators(told, "ura_indicators"),
    )


def _indicators(told: Fields, key: str) -> tuple[Tile, ...]:
    """Return up to five indicators; a red five points on as any five."""
    texts = told.items(key, [])
    if len(texts) > 5 or not all(isinstance(text, str) for text in texts):
        raise InvalidRequest(f"{told.name(key)} are up to five tiles")
    try:
        tiles = tuple(tile for text in texts for tile in parse_tiles(text.replace("0", "5")))
    except RuleError as error:
        raise InvalidRequest(f"{told.name(key)}: {error}") from error
    if any(tile.is_flower for tile in tiles):
        raise InvalidRequest(f"{told.name(key)}: riichi has no flowers")
    return tiles


# ---- between the hands ----


@op("noten", SLUG)
def _noten(given: Fields, case: Fields) -> dict[str, Any]:
    return {"deltas": _by_seat(game.noten(_seats(given, "tenpai")))}


@op("multi_ron", SLUG)
def _multi_ron(given: Fields, case: Fields) -> dict[str, Any]:
    agreed = str(_options(case)["multi_ron"])
    mode = "head_bump" if given.flag("head_bump") else given.one_of("multi_ron", _MULTI_RON, agreed)
    rons = game.several_rons(given.seat("discarder"), _points(given, "winners", 0), _honba(given), mode)
    pot = game.STICK * _sticks(given)
    if rons.pot_to is None:
        return {
            "abort": True,
            "honba": rons.honba,
            "deltas": _by_seat(rons.deltas),
            "pot_to": None,
            "pot": pot,
        }
    return {"abort": False, "deltas": _by_seat(rons.deltas), "pot_to": rons.pot_to.value, "pot": pot}


@op("pao", SLUG)
def _pao(given: Fields, case: Fields) -> dict[str, Any]:
    given.one_of("yakuman", game.PAO)
    winner, by = given.seat("winner"), given.one_of("by", WAYS)
    value, discarder = given.integer("value", 0, MOST_POINTS), given.optional_seat("discarder")
    if not _options(case).on("pao"):
        dealer = given.seat("dealer")
        return {"deltas": _by_seat(game.unshared(winner, dealer, value, by, discarder, _honba(given)))}
    paid = game.liable(winner, given.seat("feeder"), value, by, discarder, _honba(given))
    return {"deltas": _by_seat(paid)}


@op("next_hand", SLUG)
def _next_hand(given: Fields, case: Fields) -> dict[str, Any]:
    repeat = given.one_of("repeat", ("tenpai", "win_only"), str(_options(case)["repeat"]))
    dealer, honba = given.seat("dealer"), _honba(given)
    events = [Fields({"event": event}, given.name("events")).text("event") for event in given.items("events")]
    after = [game.after_hand(dealer, honba, event, repeat) for event in events]
    return {"dealers": [seat.value for seat, _ in after], "honba": [count for _, count in after]}


@op("abort", SLUG)
def _abort(given: Fields, case: Fields) -> dict[str, Any]:
    kinds = [choice.key for choice in ABORTS]
    agreed = str(_options(case)["aborts"]).split(",")
    on = given.words("on", kinds, [kind for kind in kinds if kind in agreed])
    aborted = [kind in on for kind in given.words("kinds", kinds)]
    return {
        "abort": aborted,
        "deltas": _by_seat(game.nobody_pays()),
        "dealer": given.seat("dealer").value,
        "honba": _honba(given) + any(aborted),
        "sticks": _sticks(given),
    }


@op("nagashi", SLUG)
def _nagashi(given: Fields, case: Fields) -> dict[str, Any]:
    """A mangan self-draw in place of the noten payments; dealer and honba as after a drawn hand."""
    seat, dealer = given.seat("seat"), given.seat("dealer")
    event = "exhaustive_dealer_tenpai" if given.flag("dealer_tenpai") else "exhaustive_dealer_noten"
    following, honba = game.after_hand(dealer, _honba(given), event, str(_options(case)["repeat"]))
    deltas = game.mangan_self_draw(seat, dealer)
    return {"deltas": _by_seat(deltas), "dealer_next": following.value, "honba": honba}


@op("riichi_stick", SLUG)
def _riichi_stick(given: Fields, case: Fields) -> dict[str, Any]:
    """A stick is paid once the declaring discard was not won."""
    seat, scores = given.seat("seat"), _all_points(given, "scores")
    if scores[seat] < game.STICK:
        raise InvalidRequest(f"{given.name('scores')}: {seat} has no {game.STICK} points to declare riichi")
    won = [
        Fields({"won": each}, given.name("declaring_discard_won")).flag("won")
        for each in given.items("declaring_discard_won")
    ]
    paid = [0 if each else game.STICK for each in won]
    return {"paid": paid, "pot": list(paid)}


@op("chombo", SLUG)
def _chombo(given: Fields, case: Fields) -> dict[str, Any]:
    mode = given.one_of("chombo", ("reverse_mangan", "fixed"), str(_options(case)["chombo"]))
    offender = given.seat("offender")
    if mode == "reverse_mangan":
        return {"deltas": _by_seat(game.mangan_self_draw(offender, given.seat("dealer"), -1))}
    penalty = {offender.value: -given.integer("points", 0, 1000)}
    return {"deltas": _by_seat(game.nobody_pays()), "ranking_penalty": penalty}


# ---- the game ----


def _ends(row: Fields, given: Fields, options: Options) -> bool:
    scores = _all_points(row if row.has("scores") else given, "scores")
    place = game.Place(
        row.seat("round"),
        row.integer("hand", 1, 4),
        row.flag("dealer_repeats"),
        row.optional_seat("dealer"),
    )
    rules = game.EndRules(
        row.one_of("length", ("hanchan", "tonpuu"), str(options["length"])),
        given.integer("target", 0, MOST_POINTS, options.number("return")),
        row.flag("agari_yame", options.on("agari_yame")),
        row.flag("west_extension", options.on("west_extension")),
        row.flag("bankruptcy", options.on("bankruptcy")),
    )
    return game.is_over(place, scores, rules)


@op("game_end", SLUG)
def _game_end(given: Fields, case: Fields) -> dict[str, Any]:
    rows = [Fields(row, f"{given.name('cases')}[{at}]") for at, row in enumerate(given.items("cases"))]
    options = _options(case)
    return {"ends": [_ends(row, given, options) for row in rows]}


@op("final", SLUG)
def _final(given: Fields, case: Fields) -> dict[str, Any]:
    options = _options(case)
    uma = given.items("uma", UMA[str(options["uma"])])
    rules = game.RankRules(
        given.integer("start", 0, MOST_POINTS, options.number("start")),
        given.integer("return", 0, MOST_POINTS, options.number("return")),
        [whole(points, -1000, 1000, given.name("uma")) for points in uma],
        given.one_of("ties", ("seat", "split"), str(options["ties"])),
        given.seat("first_dealer", "E"),
    )
    tenths = game.ranking(_all_points(given, "scores"), _sticks(given), rules)
    return {"deltas": {seat.value: tenths[seat] / 10 for seat in ALL_SEATS}}


# ---- walls ----


@op("live_wall", SLUG)
def _live_wall(given: Fields, case: Fields) -> dict[str, Any]:
    name = given.name("states")
    left = []
    for state in given.items("states"):
        if not isinstance(state, (list, tuple)) or len(state) != 2:
            raise InvalidRequest(f"{name}: a state is [draws, kongs]")
        left.append(game.live_tiles(whole(state[0], 0, TILES, name), whole(state[1], 0, 4, name)))
    return {"left": left}


def _place(place: TilePlace) -> dict[str, Any]:
    return {"seat": place.seat.value, "stack": place.stack, "layer": place.layer}


@op("dead_wall", SLUG)
def _dead_wall(given: Fields, case: Fields) -> dict[str, Any]:
    """Tail stacks 0 and 1 are replacements; the indicators lie on 2, and on one more with each kong."""
    ring, told = walls(TILES), given.object("open")
    seat, stack = told.seat("seat"), told.integer("stack", 1, 17)
    opening = Opening(seat, stack - 1, seat, stack)
    turned = range(2, 3 + given.integer("kongs", 0, 4, 0))
    return {
        "replacements": [_place(tail_draw(ring, opening, at)) for at in range(4)],
        "dora": [_place(tail_draw(ring, opening, 2 * at)) for at in turned],
        "ura": [_place(tail_draw(ring, opening, 2 * at + 1)) for at in turned],
    }


@op("break_one_throw_sum", SLUG)
def _break_one_throw_sum(given: Fields, case: Fields) -> dict[str, Any]:
    total = given.integer("sum", 2, 12)
    pips = [whole(pip, 1, 6, given.name("dice")) for pip in given.items("dice", [])]
    if pips and sum(pips) != total:
        raise InvalidRequest(f"{given.name('sum')}: the dice show {sum(pips)}, not {total}")
    ring = walls(given.integer("tiles", TILES, TILES, TILES))
    opening = open_at(ring, dice_to_seat(given.seat("dealer"), total), total)
    return {
        "count": opening.count,
        "count_wall": opening.count_seat.value,
        "open_seat": opening.seat.value,
        "open_stack": opening.stack,
    }
