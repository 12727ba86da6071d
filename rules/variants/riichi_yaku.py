"""The yaku of riichi by the names the library gives them. Source: riichi.md, elements/riichi.csv."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku: our key, its Chinese name, the library's name."""

    key: str
    zh: str
    en: str


# fmt: off
_ROWS = (
    ("tsumo", "门前清自摸和", "Menzen Tsumo"),
    ("riichi", "立直", "Riichi"),
    ("ippatsu", "一发", "Ippatsu"),
    ("chankan", "抢杠", "Chankan"),
    ("rinshan", "岭上开花", "Rinshan Kaihou"),
    ("haitei", "海底摸月", "Haitei Raoyue"),
    ("houtei", "河底捞鱼", "Houtei Raoyui"),
    ("daburu_riichi", "两立直", "Double Riichi"),
    ("nagashi_mangan", "流局满贯", "Nagashi Mangan"),
    ("renhou", "人和", "Renhou"),
    ("pinfu", "平和", "Pinfu"),
    ("tanyao", "断幺九", "Tanyao"),
    ("iipeiko", "一杯口", "Iipeiko"),
    ("haku", "役牌 白", "Yakuhai (haku)"),
    ("hatsu", "役牌 发", "Yakuhai (hatsu)"),
    ("chun", "役牌 中", "Yakuhai (chun)"),
    ("seat_wind_east", "门风 东", "Yakuhai (seat wind east)"),
    ("seat_wind_south", "门风 南", "Yakuhai (seat wind south)"),
    ("seat_wind_west", "门风 西", "Yakuhai (seat wind west)"),
    ("seat_wind_north", "门风 北", "Yakuhai (seat wind north)"),
    ("round_wind_east", "场风 东", "Yakuhai (round wind east)"),
    ("round_wind_south", "场风 南", "Yakuhai (round wind south)"),
    ("round_wind_west", "场风 西", "Yakuhai (round wind west)"),
    ("round_wind_north", "场风 北", "Yakuhai (round wind north)"),
    ("sanshoku", "三色同顺", "Sanshoku Doujun"),
    ("ittsu", "一气通贯", "Ittsu"),
    ("chantai", "混全带幺九", "Chantai"),
    ("honroto", "混老头", "Honroutou"),
    ("toitoi", "对对和", "Toitoi"),
    ("sanankou", "三暗刻", "San Ankou"),
    ("sankantsu", "三杠子", "San Kantsu"),
    ("sanshoku_douko", "三色同刻", "Sanshoku Doukou"),
    ("chiitoitsu", "七对子", "Chiitoitsu"),
    ("shosangen", "小三元", "Shou Sangen"),
    ("honitsu", "混一色", "Honitsu"),
    ("junchan", "纯全带幺九", "Junchan"),
    ("ryanpeiko", "二杯口", "Ryanpeikou"),
    ("chinitsu", "清一色", "Chinitsu"),
    ("kokushi", "国士无双", "Kokushi Musou"),
    ("chuuren_poutou", "九莲宝灯", "Chuuren Poutou"),
    ("suuankou", "四暗刻", "Suu Ankou"),
    ("daisangen", "大三元", "Daisangen"),
    ("shosuushi", "小四喜", "Shousuushii"),
    ("ryuisou", "绿一色", "Ryuuiisou"),
    ("suukantsu", "四杠子", "Suu Kantsu"),
    ("tsuisou", "字一色", "Tsuu Iisou"),
    ("chinroto", "清老头", "Chinroutou"),
    ("daisharin", "大车轮", "Daisharin"),
    ("daichisei", "大七星", "Daichisei"),
    ("daisuushi", "大四喜", "Dai Suushii"),
    ("daburu_kokushi", "国士无双十三面", "Kokushi Musou Juusanmen Matchi"),
    ("suuankou_tanki", "四暗刻单骑", "Suu Ankou Tanki"),
    ("daburu_chuuren_poutou", "纯正九莲宝灯", "Daburu Chuuren Poutou"),
    ("tenhou", "天和", "Tenhou"),
    ("chiihou", "地和", "Chiihou"),
    ("renhou_yakuman", "人和 (役满)", "Renhou (yakuman)"),
    ("dora", "宝牌", "Dora"),
    ("aka_dora", "赤宝牌", "Aka Dora"),
    ("ura_dora", "里宝牌", "Ura Dora"),
)
# fmt: on

YAKU: Mapping[str, Yaku] = MappingProxyType({en: Yaku(key, zh, en) for key, zh, en in _ROWS})
"""Every yaku by the library's name."""
