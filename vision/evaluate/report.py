"""The page of an evaluation: all its figures, with the mixed-up pictures inside. Not for git: it shows
photographs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from vision.errors import PictureRefused
from vision.pictures import read_picture

from .markup import both, chart, page, percent, picture, table
from .targets import TARGETS, Target, lookup

Figures = Mapping[str, Any]

MISREAD = 60
"""Rows shown that were not read exactly."""
LEAST_IN_BIN = 10
"""Crops from which a point of the curve is drawn: fewer say nothing about a chance."""


def report(figures: Figures, data: Path | None = None) -> str:
    """Return the page. `data` is the folder of the photographs that the figures name, None = without
    pictures."""
    body = [_about(figures["about"]), _targets(figures)]
    sections: tuple[tuple[str, Callable[[Figures], str]], ...] = (
        ("crops", _crops),
        ("turned", _turned),
        ("rows", _rows),
        ("scenes", _scenes),
        ("crop_sweep", _crop_sweep),
        ("row_sweep", _row_sweep),
        ("nothing", _nothing),
        ("time", _time),
        ("twin", _twin),
    )
    body += [make(figures[name]) for name, make in sections if name in figures]
    if "crops" in figures:
        body.append(_mix_ups(figures["crops"]["mix_ups"], data))
    return page("眼睛的成绩单", "What the eyes reach", "".join(body))


def _head(zh: str, en: str) -> str:
    return f"<h2>{both(zh, en)}</h2>"


def _text(zh: str, en: str) -> str:
    return f"<p>{both(zh, en)}</p>"


def _about(about: Figures) -> str:
    unseen, sets = set(about["unseen"]), about["sets"]
    told = [
        _text(
            f"{about['when']}，{about['machine']}，负载 {about['load']}，onnxruntime {about['onnxruntime']}，"
            f"OpenCV {about['opencv']}，种子 {about['seed']}。",
            f"{about['when']}, {about['machine']}, load {about['load']}, onnxruntime {about['onnxruntime']}, "
            f"OpenCV {about['opencv']}, seed {about['seed']}.",
        )
    ]
    files = ", ".join(
        f"{one['name']} {one['namer']}{' (int8)' if one['int8'] else ''}"
        for one in about["models"]
        if "namer" in one
    )
    if files:
        told.append(_text(f"认牌的模型：{files}。", f"Models that name tiles: {files}."))
    if about["quick"]:
        told.append(_text("快查：每部分只看几张。", "Quick look: a few pictures a part."))
    seen = [name for name in sets if name not in unseen]
    if seen:
        names = " ".join(seen)
        told.append(
            '<p class="warning" data-warning="trained">'
            + both(
                f"这些牌具参加过训练（或模型没有说明）：{names}。它们的数字不能说明没见过的牌。",
                f"Trained on these sets, or the model does not tell: {names}. Their figures are not a "
                "measure of unseen sets.",
            )
            + "</p>"
        )
    if about.get("peer_refused"):
        refused = about["peer_refused"]
        told.append(
            _text(f"同行有 {refused} 张图没能看。", f"The peer could not take {refused} of the pictures.")
        )
    if len(about["models"]) > 1:
        judged = ", ".join(f"{name} {by}" for name, by in about["judged_by"].items())
        told.append(_text(f"每副牌由谁来读：{judged}。", f"Who reads each set: {judged}."))
    if sets and not seen:
        told.append(
            _text(
                "每张照片只由没见过这副牌的模型来读。", "Each photo is read by models that never saw its set."
            )
        )
    return "".join(told)


def _shown(target: Target, value: float | None) -> str:
    if value is None:
        return "–"
    shown = {"part": percent(value), "ms": f"{value:.1f} ms", "count": f"{value:.0f}"}
    return shown.get(target.unit, f"{value:.2f}")


def _targets(figures: Figures) -> str:
    rows = []
    for target in TARGETS:
        met = target.is_met(figures)
        if met is None:
            continue
        sign = "≥" if target.sense == "least" else "≤"
        verdict = both("达到", "met") if met else both("未达到", "missed")
        rows.append(
            [
                both(target.zh, target.en),
                f"{sign} {_shown(target, target.bound)}",
                f'<b class="{"met" if met else "missed"}" data-target="{target.key}">'
                f"{_shown(target, target.figure(figures))}</b>",
                _shown(target, lookup(figures, target.worst)),
                _shown(target, lookup(figures, target.peer)),
                f'<span class="{"met" if met else "missed"}">{verdict}</span>',
            ]
        )
    if not rows:
        return ""
    head = [
        both("量什么", "measure"),
        both("目标", "target"),
        both("我们", "ours"),
        both("最差的一副牌", "worst set"),
        both("同行 mahjong-detector", "peer mahjong-detector"),
        "",
    ]
    return _head("目标", "Targets") + table(head, rows, "targets")


def _crops(crops: Figures) -> str:
    accepted = crops["acceptance"]["sets"]
    rows = []
    for name, (right, count, share) in crops["all42"]["sets"].items():
        ordinary = crops["all34"]["sets"].get(name, (0, 0, None))
        told, wrong, known = accepted[name]
        cells = [percent(ordinary[2]), percent(share), f"{right} / {count}"]
        rows.append([escape(name), *cells, percent(told / known), str(wrong)])
    head = [
        both("牌具", "set"),
        both("34 种", "34 faces"),
        both("42 种", "42 faces"),
        both("对", "right"),
        both("肯定回答", "accepted"),
        both("其中错", "of them wrong"),
    ]
    return _head("单张", "Given crops") + table(head, rows, "crops") + _calibration(crops["calibration"])


def _calibration(told: Figures) -> str:
    points = [(row["score"], row["right"]) for row in told["bins"] if row["n"] >= LEAST_IN_BIN]
    steps = [
        [
            f"{row['threshold']:g}",
            percent(row["accepted_part"]),
            str(row["wrong"]),
            percent(row["wrong_part"], 3),
        ]
        for row in told["coverage"]
    ]
    head = [
        both("门槛", "threshold"),
        both("肯定回答", "accepted"),
        both("其中错", "of them wrong"),
        both("错的比例", "wrong part"),
    ]
    least = "–" if told["threshold"] is None else f"{told['threshold']:.4f}"
    return (
        _head("信心是否可信", "What a score means")
        + _text(
            f"期望校准误差 {told['ece']:.4f}；错误不超过 0.3% 的最低门槛 {least}。"
            f"曲线上每点至少 {LEAST_IN_BIN} 张。",
            f"Expected calibration error {told['ece']:.4f}; least threshold with at most 0.3 % wrong: "
            f"{least}. Each point stands for {LEAST_IN_BIN} crops or more.",
        )
        + chart(
            [("score → right", points)],
            across=(0.0, 1.0),
            diagonal=True,
            label="score against share of right",
        )
        + table(head, steps, "coverage")
    )


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _turned(turned: Figures) -> str:
    peer = turned.get("peer", {})
    rows = [
        [
            name,
            percent(row["all34"]["mean"]),
            percent(row["all42"]["mean"]),
            _points(row["all42_loss_points"]),
            _points(row["all42_worst_loss_points"]),
            percent(row["acceptance"]["accepted_part"]),
            percent(row["acceptance"]["wrong_part"], 3),
            percent(peer[name]["mean"] if name in peer else None),
        ]
        for name, row in turned["turns"].items()
    ]
    head = [
        both("转（度，逆时针）", "turned (degrees, counter-clockwise)"),
        both("34 种", "34 faces"),
        both("42 种", "42 faces"),
        both("少几个百分点", "points lost"),
        both("最差的一副少", "worst set"),
        both("肯定回答", "accepted"),
        both("其中错", "of them wrong"),
        both("同行，34 种", "peer, 34 faces"),
    ]
    return _head("转过的单张", "Turned crops") + table(head, rows, "turned")


def _place_cells(row: Figures) -> list[str]:
    return [
        f"{row['exact']} / {row['pictures']}",
        percent(row["precision"]),
        percent(row["recall"]),
        percent(row["localised"]),
    ]


def _place_head(first_zh: str, first_en: str) -> list[str]:
    return [
        both(first_zh, first_en),
        both("全对", "exact"),
        both("准确率", "precision"),
        both("召回率", "recall"),
        both("找到", "localised"),
    ]


def _rows(rows: Figures) -> str:
    lines: list[list[str]] = []
    sets: list[list[str]] = []
    misread: list[str] = []
    for border, row in rows.items():
        if not isinstance(row, Mapping):
            continue
        lines.append([both(f"绒边 {border} 张", f"felt border {border}"), *_place_cells(row)])
        every = row["every_row"]
        lines.append([both("含花牌的排", "rows with flowers too"), *_place_cells(every)])
        if "peer" in row:
            lines.append([both("同行", "peer"), *_place_cells(row["peer"])])
        sets += [[escape(f"{border} · {name}"), *_place_cells(one)] for name, one in row["sets"].items()]
        misread += [f"{border} | {line}" for line in row["misread"]]
    shown = escape("".join(f"{line}\n" for line in misread[:MISREAD]))
    return (
        _head("照片里剪下的整排", "Real rows")
        + table(_place_head("", ""), lines, "rows")
        + f"<details><summary>{both('每副牌', 'each set')}</summary>"
        + table(_place_head("", ""), sets, "rows by set")
        + f"<pre>{shown}</pre></details>"
    )


def _scenes(scenes: Figures) -> str:
    rows = [[escape(name), *_place_cells(row), f"{row['ms']:.0f}"] for name, row in scenes["files"].items()]
    rows.append([both("合计", "all"), *_place_cells(scenes), ""])
    rows.append([both("合计，花牌也算", "all, flowers count"), *_place_cells(scenes["all42"]), ""])
    if "peer" in scenes:
        rows.append([both("同行", "peer"), *_place_cells(scenes["peer"]), ""])
    strange = scenes["x"]
    return (
        _head("整张照片", "Whole photos")
        + _text(
            f"别种牌 {strange['n']} 张，被肯定地认作牌张 {strange['accepted']} 张。",
            f"Foreign tiles: {strange['n']}, surely named: {strange['accepted']}.",
        )
        + table([*_place_head("照片", "photo"), "ms"], rows, "scenes")
    )


def _crop_sweep(sweep: Figures) -> str:
    curve = sweep["degrees"]
    lines = [
        (name, [(float(degrees), row[place]) for degrees, row in curve.items() if row[place] is not None])
        for place, name in enumerate(("right", "accepted"))
    ]
    return _head("单张，任意角度", "Crops at any angle") + chart(
        lines, across=(0, 345), label="accuracy against angle"
    )


def _row_sweep(sweep: Figures) -> str:
    curve = sweep["degrees"]
    lines = [
        (key, [(float(degrees), row[key]) for degrees, row in curve.items() if row[key] is not None])
        for key in ("recall", "precision")
    ]
    if any("peer" in row for row in curve.values()):
        lines.append(
            (
                "peer recall",
                [(float(degrees), row["peer"]["recall"] or 0.0) for degrees, row in curve.items()],
            )
        )
    return _head("整排，任意角度", "Rows at any angle") + chart(
        lines, across=(0, 315), label="recall and precision against angle"
    )


def _nothing(nothing: Figures) -> str:
    return _head("没有牌的图", "Pictures without tiles") + _text(
        f"骰子照片 {nothing['dice_photos']} 张里肯定地认出 {nothing['tiles_in_dice_photos']} 张牌；"
        f"绒布 {nothing['felt_patches']} 块里 {nothing['tiles_on_felt']} 张。",
        f"{nothing['tiles_in_dice_photos']} tiles surely told in {nothing['dice_photos']} photos of dice, "
        f"{nothing['tiles_on_felt']} on {nothing['felt_patches']} patches of felt.",
    )


def _time(time: Figures) -> str:
    if time["median_ms"] is None:
        return _head("一手牌用时（毫秒）", "Time of a hand (ms)") + _text(
            "照片里没有这么长的一手牌，没有量。", "No photo has a hand of tiles: not measured."
        )
    rows = [[both("我们", "ours"), f"{time['median_ms']:.1f}", f"{time['p95_ms']:.1f}"]]
    if "peer" in time:
        peer = time["peer"]
        rows.append([both("同行", "peer"), f"{peer['median_ms']:.1f}", f"{peer['p95_ms']:.1f}"])
        ratio = f"{time['ratio']:.2f}"
        rows.append([both("中位之比", "ratio of the medians"), ratio, ""])
    return (
        _head("一手牌用时（毫秒）", "Time of a hand (ms)")
        + _text(
            f"{time['regions']} 张图，各 14–18 张牌，{time['threads']} 线程，量时负载 {time['load']}。",
            f"{time['regions']} pictures of 14-18 tiles, {time['threads']} threads, load {time['load']} "
            "meanwhile.",
        )
        + table(["", both("中位", "median"), "p95"], rows, "time")
    )


def _twin(twin: Figures) -> str:
    shown = escape("".join(f"{line}\n" for line in twin["wrong"]))
    return (
        _head("孪生牌桌", "The twin's table")
        + _text(
            f"机位偏离竖直不超过 {twin['tilt_deg']} 度，1080p：{twin['hands']} 手中全对 "
            f"{twin['hands_exact']}，"
            f"肯定却读错 {twin['hands_wrong_and_confident']}，找不到标记 {twin['frames_without_marks']}。",
            f"Cameras up to {twin['tilt_deg']} degrees off the vertical, 1080p: {twin['hands_exact']} of "
            f"{twin['hands']} hands exact, {twin['hands_wrong_and_confident']} wrong though sure, "
            f"{twin['frames_without_marks']} without marks.",
        )
        + f"<details><summary>{both('没读对的', 'not read')}</summary><pre>{shown}</pre></details>"
    )


def _mix_ups(mixed: list[Figures], data: Path | None) -> str:
    rows = []
    for row in mixed:
        shown = "".join(_crop_picture(data, name, score) for name, score in row["files"]) if data else ""
        cells = [
            str(row["n"]),
            str(row["accepted"]),
            escape(" ".join(row["sets"])),
            f'<div class="shown">{shown}</div>',
        ]
        rows.append([escape(f"{row['face']} → {row['read']}"), *cells])
    head = [
        both("牌 → 读成", "tile → read as"),
        both("次数", "times"),
        both("其中肯定", "of them sure"),
        both("牌具", "sets"),
        both("图", "pictures"),
    ]
    return _head("读混的", "Mix-ups") + table(head, rows, "mix-ups")


def _crop_picture(data: Path, name: str, score: float) -> str:
    try:
        return picture(read_picture(data / name).image, f"{name} {score:.2f}")
    except PictureRefused:
        return ""
