"""What the eyes shall reach on sets they never saw: one row a bound, with where its figure stands.

Figures that are told by set are judged by the mean of the sets, so that a set with many photographs does not
speak for the others; wrong answers among all that are accepted are few, and pooled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Target:
    """One bound. Paths lead through the figures; `worst` and `peer` may be empty."""

    key: str
    zh: str
    en: str
    path: str
    bound: float
    sense: Literal["least", "most"]
    unit: Literal["part", "points", "ms", "ratio", "count"] = "part"
    worst: str = ""
    peer: str = ""

    def figure(self, figures: Mapping[str, Any]) -> float | None:
        """Return the measured value, None if it was not measured."""
        return lookup(figures, self.path)

    def is_met(self, figures: Mapping[str, Any]) -> bool | None:
        """Return whether the bound is kept, None if it was not measured."""
        value = self.figure(figures)
        if value is None:
            return None
        return value >= self.bound if self.sense == "least" else value <= self.bound


def lookup(figures: Mapping[str, Any], path: str) -> float | None:
    """Return the number at a path of keys joined by "/", None if there is none.

    >>> lookup({"rows": {"0.6": {"recall": 0.5}}}, "rows/0.6/recall")
    0.5
    """
    if not path:
        return None
    at: Any = figures
    for key in path.split("/"):
        if not isinstance(at, Mapping) or key not in at:
            return None
        at = at[key]
    return at if isinstance(at, int | float) and not isinstance(at, bool) else None


def _turn_rows() -> list[Target]:
    names = (
        ("90", "转 90 度", "turned by 90"),
        ("180", "转 180 度", "turned by 180"),
        ("270", "转 270 度", "turned by 270"),
        ("+15", "转 +15 度", "turned by +15"),
        ("-15", "转 -15 度", "turned by -15"),
        ("+15 cut", "转 +15 度，缺角", "turned by +15, corners cut"),
        ("-15 cut", "转 -15 度，缺角", "turned by -15, corners cut"),
    )
    return [
        Target(
            f"turned {key}",
            f"单张{zh}，比正放少对",
            f"Crops {en}: loss",
            f"turned/turns/{key}/all42_loss_points",
            1.0,
            "most",
            "points",
            worst=f"turned/turns/{key}/all42_worst_loss_points",
        )
        for key, zh, en in names
    ]


def _row_rows() -> list[Target]:
    rows: list[Target] = []
    for border in ("0.6", "1.5", "0.0"):
        zh, en = f"整排，绒边 {border} 张", f"Rows, felt border {border}"
        at, peer = f"rows/{border}", f"rows/{border}/peer"
        rows += [
            Target(
                f"rows {border} exact", f"{zh}：全对", f"{en}: exact", f"{at}/mean_exact_part", 0.85, "least",
                worst=f"{at}/worst_exact_part", peer=f"{peer}/mean_exact_part",
            ),
            Target(
                f"rows {border} precision", f"{zh}：准确率", f"{en}: precision",
                f"{at}/mean_precision", 0.985, "least",
                worst=f"{at}/worst_precision", peer=f"{peer}/mean_precision",
            ),
            Target(
                f"rows {border} recall", f"{zh}：召回率", f"{en}: recall",
                f"{at}/mean_recall", 0.985, "least",
                worst=f"{at}/worst_recall", peer=f"{peer}/mean_recall",
            ),
        ]  # fmt: skip
    return rows


TARGETS: tuple[Target, ...] = (
    Target(
        "crops 34", "单张，34 种", "Crops, 34 faces", "crops/all34/mean", 0.99, "least",
        worst="crops/all34/worst", peer="crops/peer/centred/mean",
    ),
    Target(
        "crops 42", "单张，42 种", "Crops, 42 faces", "crops/all42/mean", 0.983, "least",
        worst="crops/all42/worst",
    ),
    *_turn_rows(),
    Target(
        "accepted", "肯定回答的", "Accepted answers", "crops/acceptance/mean", 0.92, "least",
        worst="crops/acceptance/worst", peer="crops/peer/acceptance/mean",
    ),
    Target(
        "wrong", "肯定回答中错的", "Wrong among accepted", "crops/acceptance/wrong_part", 0.003, "most",
        peer="crops/peer/acceptance/wrong_part",
    ),
    Target(
        "x", "别种牌被认作牌张", "Foreign tiles accepted", "crops/x/accepted_part", 0.10, "most",
        peer="crops/peer/x/accepted_part",
    ),
    *_row_rows(),
    Target(
        "scenes recall", "整张照片：召回率", "Whole photos: recall", "scenes/mean_recall", 0.97, "least",
        worst="scenes/worst_recall", peer="scenes/peer/mean_recall",
    ),
    Target(
        "scenes precision", "整张照片：准确率", "Whole photos: precision",
        "scenes/mean_precision", 0.97, "least",
        worst="scenes/worst_precision", peer="scenes/peer/mean_precision",
    ),
    Target(
        "time", "一手 14–18 张，两线程，中位", "Hand of 14-18 tiles, 2 threads, median", "time/median_ms",
        60.0, "most", "ms", peer="time/peer/median_ms",
    ),
    Target("ratio", "与同行用时之比", "Time against the peer's", "time/ratio", 1.2, "most", "ratio"),
    Target(
        "twin exact", "孪生牌桌：整手全对", "Twin: hands exact", "twin/hands_exact_part", 0.98, "least",
        peer="twin/peer/hands_exact_part",
    ),
    Target(
        "twin wrong", "孪生牌桌：肯定却读错", "Twin: wrong though sure", "twin/hands_wrong_and_confident", 0,
        "most", "count",
    ),
)  # fmt: skip


def missed(figures: Mapping[str, Any]) -> list[str]:
    """Return the measured targets that are not met, in English."""
    return [target.en for target in TARGETS if target.is_met(figures) is False]
