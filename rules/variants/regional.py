"""The regional rulesets; a new one is listed here and nowhere else.

They answer `case` and are not yet offered to tables: a table's hand ends at its first win today, and a hand
of some of these goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.engine import Ruleset
from rules.variants.changsha import CHANGSHA
from rules.variants.dongbei import BAOPAI
from rules.variants.fuzhou import FUZHOU
from rules.variants.guangdong import TUIDAOHU
from rules.variants.guangdong_jipinghu import JIPINGHU
from rules.variants.harbin import HARBIN
from rules.variants.kawuxing import KAWUXING
from rules.variants.sichuan import XUEZHAN
from rules.variants.sichuan_xueliu import XUELIU
from rules.variants.tianjin import TIANJIN
from rules.variants.zhuji import ZHUJI

_ALL = (
    XUEZHAN,
    XUELIU,
    TUIDAOHU,
    JIPINGHU,
    KAWUXING,
    CHANGSHA,
    BAOPAI,
    HARBIN,
    TIANJIN,
    FUZHOU,
    ZHUJI,
)
RULESETS: Mapping[str, Ruleset] = MappingProxyType({rules.base.key: rules for rules in _ALL})
_HOUSE: dict[str, Ruleset] = {}


def find_ruleset(slug: object) -> Ruleset | None:
    """Return the ruleset of this name, one of the house too; None if there is none."""
    if not isinstance(slug, str):
        return None
    return RULESETS.get(slug) or _HOUSE.get(slug)


def add_house_rules(rules: Ruleset) -> None:
    """Answer cases by a club's own rules too, see `rules.variants.house`; the latest of a name counts."""
    _HOUSE[rules.base.key] = rules
