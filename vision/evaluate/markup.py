"""Pieces of the report: texts in both languages, tables, line charts, pictures inside the page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

WIDTH, HEIGHT, PAD = 420, 260, 34
COLOURS = ("#0b6e4f", "#c8553d", "#8a8d91")


def both(zh: str, en: str) -> str:
    """Return a text in Chinese and English; the page shows one of them."""
    return f'<span lang="zh-Hans">{escape(zh)}</span><span lang="en">{escape(en)}</span>'


def percent(value: float | None, digits: int = 2) -> str:
    """Return a part 0 to 1 as a percentage, a dash for None."""
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], name: str = "") -> str:
    """Return a table of ready markup; the first column is the row's head."""
    heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>' + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    mark = f' data-table="{escape(name)}"' if name else ""
    return (
        f'<div class="wide"><table{mark}><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def chart(
    lines: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    *,
    across: tuple[float, float],
    up: tuple[float, float] = (0.0, 1.0),
    diagonal: bool = False,
    label: str,
) -> str:
    """Return a line chart as SVG; `lines` are (name, points), `label` says to a screen reader what it
    shows."""

    def x(value: float) -> float:
        return PAD + (value - across[0]) / (across[1] - across[0]) * (WIDTH - 2 * PAD)

    def y(value: float) -> float:
        return HEIGHT - PAD - (min(max(value, up[0]), up[1]) - up[0]) / (up[1] - up[0]) * (HEIGHT - 2 * PAD)

    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">',
        f'<rect x="{PAD}" y="{PAD}" width="{WIDTH - 2 * PAD}" height="{HEIGHT - 2 * PAD}" class="frame"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        level = up[0] + share * (up[1] - up[0])
        place = across[0] + share * (across[1] - across[0])
        parts.append(f'<text x="{PAD - 4}" y="{y(level) + 4:.1f}" class="left">{level:g}</text>')
        parts.append(f'<text x="{x(place):.1f}" y="{HEIGHT - PAD + 16}" class="below">{place:g}</text>')
        parts.append(f'<path d="M{PAD} {y(level):.1f}H{WIDTH - PAD}" class="grid"/>')
    if diagonal:
        parts.append(f'<path d="M{x(across[0])} {y(up[0])}L{x(across[1])} {y(up[1])}" class="diagonal"/>')
    for (name, points), colour in zip(lines, COLOURS, strict=False):
        way = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        parts.append(f'<polyline points="{way}" stroke="{colour}"/>')
        parts += [
            f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{colour}"><title>{escape(name)} '
            f"{a:g}: {b:.4f}</title></circle>"
            for a, b in points
        ]
    parts.append("</svg>")
    keys = "".join(
        f'<span class="key"><i style="background:{colour}"></i>{escape(name)}</span>'
        for (name, _), colour in zip(lines, COLOURS, strict=False)
    )
    return f"<figure>{''.join(parts)}<figcaption>{keys}</figcaption></figure>"


def picture(image: Image, told: str, height_px: int = 96) -> str:
    """Return a small picture inside the page; `told` is its text for those who cannot see it."""
    scale = height_px / image.shape[0]
    width = min(4 * height_px, max(1, round(image.shape[1] * scale)))
    small = cv2.resize(image, (width, height_px), interpolation=cv2.INTER_AREA)
    packed, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])
    assert packed
    data = base64.b64encode(jpeg.tobytes()).decode()
    return (
        f'<img src="data:image/jpeg;base64,{data}" width="{width}" height="{height_px}" '
        f'alt="{escape(told)}" title="{escape(told)}">'
    )


STYLE = """
:root{color-scheme:light dark;--ink:#1d2a26;--paper:#fbfaf6;--line:#d4d0c4;--good:#0b6e4f;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e7e5dd;--paper:#171a19;--line:#3c423f;
 --good:#5cc79d;--bad:#ff8a7a}}
body{font:16px/1.5 system-ui,"Noto Sans CJK SC",sans-serif;color:var(--ink);background:var(--paper);
 max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th[scope=row],thead th:first-child{text-align:left}
.met{color:var(--good)}.missed{color:var(--bad)}
.warning{border:2px solid var(--bad);padding:.6rem 1rem}
figure{margin:0;max-width:34rem}svg{width:100%;height:auto}svg text{font-size:11px;fill:currentColor}
svg .left{text-anchor:end}svg .below{text-anchor:middle}svg polyline{fill:none;stroke-width:2}
svg .frame,svg .grid{fill:none;stroke:var(--line)}svg .diagonal{stroke:var(--line);stroke-dasharray:4 4}
.key{margin-right:1rem}.key i{display:inline-block;width:.8rem;height:.8rem;margin-right:.3rem}
.shown{display:flex;gap:.4rem;flex-wrap:wrap}pre{white-space:pre-wrap;font-size:.85rem}
html[data-show=zh-Hans] [lang=en],html[data-show=en] [lang=zh-Hans]{display:none}
button{font:inherit;float:right;padding:.3rem .8rem}
"""
SCRIPT = """
const page=document.documentElement;
const show=(language)=>{page.dataset.show=language;page.lang=language;};
document.querySelector('[data-do=language]').addEventListener('click',
 ()=>show(page.dataset.show==='en'?'zh-Hans':'en'));
if(location.hash==='#en')show('en');
"""


def page(title_zh: str, title_en: str, body: str) -> str:
    """Return a whole page that needs nothing from outside; it opens in Chinese, with #en in English."""
    return (
        '<!doctype html><html lang="zh-Hans" data-show="zh-Hans"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(title_zh)} · {escape(title_en)}</title><style>{STYLE}</style></head><body>"
        f'<button type="button" data-do="language">English / 中文</button><h1>{both(title_zh, title_en)}</h1>'
        f"{body}<script>{SCRIPT}</script></body></html>\n"
    )
