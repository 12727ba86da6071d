"""What a table may agree on for an evening: seats, first dealer, walls, who keeps the deal, when a game ends.

Source: rules text table-procedure.md. A variant's own option of the same key goes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules import rotation, seating
from rules.options import Choice, Option
from rules.procedure import FLOWER_ROUNDS, SEAT_LABELS
from rules.variants.common import WALL_OPTIONS, WALLS108

BOOK = "table-procedure.md"
SEATING = ("dice", "draw", "tianjin", "habit")
RESEATING = ("winner_dice", "wind_stack", "first_seating", "none")
MOST = 1_000_000


def _choice(
    key: str,
    values: tuple[str, ...],
    words: tuple[tuple[str, str], ...],
    default: str,
    zh: str,
    en: str,
    section: int,
) -> Option:
    rows = tuple(Choice(value, *said) for value, said in zip(values, words, strict=True))
    return Option(key, "choice", rows, default, zh, en, f"{BOOK} section {section}")


def _number(key: str, default: int, low: int, high: int, zh: str, en: str, section: int) -> Option:
    return Option(key, "int", (), default, zh, en, f"{BOOK} section {section}", low, high)


# fmt: off
PROCEDURE_OPTIONS: tuple[Option, ...] = (
    _number("players", 4, 2, 4, "人数", "Players", 2),
    _choice("seat_labels", tuple(SEAT_LABELS),
            (("按出牌次序：东南西北", "in play order: E S W N"),
             ("按罗盘：东北西南", "as on a map: E N W S")),
            "table", "座位叫法", "Names of the seats", 2),
    _choice("seating", SEATING,
            (("掷骰", "dice"), ("摸风", "wind tiles"), ("打风", "wind tiles, dice name who draws first"),
             ("自己坐", "entered by hand")),
            "dice", "定位", "First seating", 4),
    _choice("dice_seat_order", seating.SEAT_ORDERS, (("东南西北", "E S W N"), ("东北西南", "E N W S")),
            "ESWN", "点数高低坐次", "Seats by the sums thrown", 4),
    _choice("tie", seating.TIES, (("先掷为大", "the earlier throw is higher"), ("重掷", "they throw again")),
            "earlier_higher", "点数相同", "Equal throws", 4),
    _choice("reseating", RESEATING,
            (("胜家掷骰", "the winner throws, one stays"), ("掷骰选风", "wind tiles off a stack"),
             ("再定位", "as the first seating"), ("不换位", "everyone stays")),
            "winner_dice", "换位", "New seats after a game", 5),
    _choice("winner_dice_on_draw", seating.ON_DRAW,
            (("本局最后的和家", "the last winner of the game"), ("庄家", "the dealer")),
            "last_winner_of_the_ju", "末盘荒庄谁掷", "Who throws after a drawn last hand", 5),
    Option("enforce_east_beside_west", "bool", (), True, "东不离西", "East beside West in the wind stack",
           f"{BOOK} section 5"),
    _choice("first_dealer", rotation.FIRST_DEALER,
            (("东位坐庄", "who sits East"), ("掷到五或九", "the first to throw 5 or 9"),
             ("东家掷骰", "East's throw points at him"), ("摸庄", "who draws the East tile"),
             ("点大坐庄", "the highest throw"), ("随机", "by chance")),
            "natural_east", "定庄", "First dealer", 6),
    _number("first_dealer_dice", 2, 1, 2, "定庄骰子数", "Dice thrown for the first dealer", 6),
    WALLS108,
    *WALL_OPTIONS,
    _choice("flower_round", FLOWER_ROUNDS, (("补到没有", "until none is left"), ("一轮一轮补", "in passes")),
            "until_none", "配牌后补花", "Flowers after the deal", 9),
    _choice("mode", rotation.MODES,
            (("轮庄", "circles"), ("国标轮庄", "Chinese Official"), ("谁和谁庄", "the winner deals"),
             ("谁炮谁庄", "the discarder deals"), ("每盘掷庄", "dice for every hand")),
            "circles", "庄家轮换", "How the deal goes on", 10),
    _choice("on_dealer_win", rotation.ON_DEALER_WIN, (("连庄", "deals again"), ("下庄", "passes")),
            "stay", "庄家和", "The dealer wins", 10),
    _choice("on_other_win", rotation.ON_OTHER_WIN,
            (("下家坐庄", "the next seat deals"), ("和家坐庄", "the winner deals")),
            "pass", "闲家和", "Another seat wins", 10),
    _choice("on_draw", rotation.ON_DRAW,
            (("连庄", "deals again"), ("下庄", "passes"), ("下庄赔分", "pays each seat and passes")),
            "stay", "荒庄", "A drawn hand", 10),
    _number("draw_pay", 0, 0, MOST, "荒庄赔每家", "The dealer of a drawn hand pays each seat", 10),
    _number("max_hands", 0, 0, 99, "连庄上限", "Most hands in a row of a dealer", 10),
    _choice("max_counts", rotation.MAX_COUNTS,
            (("含头一盘", "all his hands"), ("只算连庄", "the extra ones")),
            "hands", "上限算法", "What the limit counts", 10),
    _choice("mcr_seats", seating.MCR_SEATS,
            (("第三圈前", "before circle 3"), ("每圈前", "before every circle")),
            "third_round_only", "国标换位", "Change of seats in Chinese Official", 10),
    _number("loss_limit", 0, 0, MOST, "输分上限", "A loss above this ends the game", 10),
    _number("hands", 0, 0, 400, "盘数", "Hands of a game", 10),
)
# fmt: on

PROCEDURE_EXPLAINED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "players": (
            "几个人打。三人空北位，二人坐东和南；骰子也按人数数。",
            "How many play. Three leave North empty, two sit at East and South; dice count those who play.",
        ),
        "seat_labels": (
            "屏幕上座位的叫法。只是名字，出牌次序总是逆时针。",
            "How the seats are called on the pages. Only names: play always goes counter-clockwise.",
        ),
        "seating": (
            "开局怎样定座位：各掷一次骰子、摸四张风牌、天津打风，或照习惯自己坐好再登记。",
            "How seats are found at first: a throw each, four wind tiles, the Tianjin way, or sit down "
            "as you "
            "like and enter it.",
        ),
        "dice_seat_order": (
            "点数从大到小依次坐这些座位。",
            "The highest throw takes the first of these seats, the next one the second, and so on.",
        ),
        "tie": (
            "掷骰定位点数相同：先掷的算大，或只由同点的人再掷。",
            "Equal throws for seats: the earlier counts as higher, or those who tied throw again.",
        ),
        "reseating": (
            "打完一局（四圈）后怎样换位。胜家掷骰：点到的人不动，其余移一位；选风：点到的人先取最上面的风牌。",
            "How seats change after a game. With dice the counted player stays and the others move on one "
            "place; with the stack he takes the top wind tile first.",
        ),
        "winner_dice_on_draw": (
            "换位由胜家掷骰；最后一盘荒庄时由谁掷。谁都没和过就由庄家掷。",
            "The winner of the last hand throws for new seats; this says who does after a drawn one. Where "
            "nobody won, the dealer throws.",
        ),
        "enforce_east_beside_west": (
            "选风的牌摞里东必须挨着西，这样原来的邻座变成对家；不合的摞法不收，谁也不动。",
            "In the wind stack East lies beside West, so that neighbours end opposite each other; another "
            "order is refused and nobody moves.",
        ),
        "first_dealer": (
            "一局的第一个庄家怎样定。定下的人就是本局的东风。",
            "How the first dealer of a game is found. He is East for the game.",
        ),
        "first_dealer_dice": (
            "掷庄用两颗骰子时五、九坐庄，用一颗时一、五坐庄。",
            "With two dice 5 and 9 make the dealer, with one die 1 and 5.",
        ),
        "walls108": (
            "108 张共 54 墩，四面不能一样长。从庄家起按出牌次序。",
            "108 tiles make 54 stacks, which four walls cannot share evenly. From the dealer on in play "
            "order.",
        ),
        "opening": (
            "怎样开牌。两掷：庄家掷出谁，谁再掷，两次相加数墩；一掷取小：数小的那颗；一掷取和：数总点；自墙：在庄家自己的墙上数。",
            "How the wall is opened: by two throws added up, by the smaller die of one, by its sum, or "
            "by the "
            "sum on the dealer's own wall.",
        ),
        "break_at": (
            "先取数过之后的那一墩，还是先取数到的那一墩。",
            "Whether the stack after the count or the last one counted is taken first.",
        ),
        "tail_first": (
            "牌尾补牌先拿一墩的上张还是下张。",
            "Which tile of a stack of the tail is taken first.",
        ),
        "flower_round": (
            "配牌后补花，庄家先：每人补到没有花为止，或每人补手里的，补来的花等下一轮。",
            "Flowers are replaced from the dealer on: each seat until it holds none, or only what it "
            "holds, new "
            "ones waiting for the next pass.",
        ),
        "mode": (
            "轮庄：四圈一局；国标：不连庄，十六盘；谁和谁庄和谁炮谁庄：不计圈；每盘掷庄：旧庄家为下一盘掷骰。",
            "Circles: four make a game. Chinese Official: sixteen hands without retention. Winner or "
            "discarder: no "
            "circles are counted. Dice: the old dealer throws for every hand.",
        ),
        "on_dealer_win": (
            "轮庄时庄家和牌，接着坐庄还是下庄。",
            "In circles, whether a winning dealer deals again.",
        ),
        "on_other_win": (
            "轮庄时闲家和牌，由下家还是由和家坐庄。一炮多响由放炮的坐庄。",
            "In circles, who deals after another seat's win. Of several winners the discarder deals.",
        ),
        "on_draw": (
            "轮庄时荒庄：连庄、下庄，或赔每家分再下庄（少数地方）。",
            "In circles, what a drawn hand does: the dealer stays, passes, or pays each seat and passes.",
        ),
        "draw_pay": (
            "下庄赔分时，庄家付其他每家的分。",
            "What the dealer pays each other seat where a drawn hand is paid.",
        ),
        "max_hands": (
            "轮庄时一个庄家最多连坐几盘；0 是不限。",
            "In circles, how many hands in a row a dealer may have; 0 = no limit.",
        ),
        "max_counts": (
            "最多连坐三次：总共三盘，或头一盘之外再三盘。",
            "Whether three means three hands in all, or three more after the first.",
        ),
        "mcr_seats": (
            "十六盘的比赛何时换位：只在第三圈前东南、西北互换，或每圈前都换。",
            "When seats change in a match of sixteen hands: before circle 3 E and S, W and N change "
            "places, or "
            "before every circle.",
        ),
        "loss_limit": (
            "谁和谁庄时，有人输过这个分数一局就结束；0 是不设。",
            "Where the winner deals, a game is over when somebody has lost more than this; 0 = none.",
        ),
        "hands": (
            "一局约定打几盘；0 是不约定，按圈数或输分结束。国标总是十六盘。",
            "How many hands a game has by agreement; 0 = none, circles or the loss limit end it. Chinese "
            "Official "
            "always has sixteen.",
        ),
    }
)
