"""What the sensors say as lines for people: changes, edges, pulse widths, voltages and currents."""

from __future__ import annotations

from collections.abc import Iterator

from controller.cli.score_text import Lang
from controller.diag.answers import InputRow
from controller.diag.asked import AnalogAnswer, EdgesAnswer, MarginAnswer, MarginRow
from controller.diag.text import padded, width

NARROW_MS = 24
"""A tile darkens a clean counter for 30 to 60 ms (hardware/wiring/README.md); below 16 ms it is none."""
NOISE_SHARE = 0.05
BAR = 40


def change_line(row: InputRow, lang: Lang) -> str:
    """Return one change of an input."""
    now = lang.say("有", "on") if row.on else "-"
    return f"{row.pin:<5}{row.id:<15}{padded(now, 8)}{lang.say(row.zh, row.en)}"


def edges_lines(told: EdgesAnswer, lang: Lang) -> Iterator[str]:
    """Yield the inputs that have changed, then how many never did."""
    moved = [row for row in told.inputs if row.edges]
    for row in moved:
        yield f"{row.id:<15}{row.edges:>6}  {lang.say(row.zh, row.en)}"
    still = len(told.inputs) - len(moved)
    yield lang.say(
        f"其余 {still} 个开机以来没变过", f"the other {still} have not changed since the start", " / "
    )


def margin_words(row: MarginRow) -> tuple[str, str]:
    """Return what the pulses of a side say, with what to do about it."""
    if not row.tiles and not row.too_short:
        return "开机以来没有牌经过", "no tile has passed since the start"
    if row.too_short > NOISE_SHARE * max(1, row.tiles):
        return (
            "有很短的脉冲：环境光或反光，遮住光，擦光电头",
            "pulses too short for tiles: light of the room or glare, shade the counter, wipe it",
        )
    if row.shortest_ms < NARROW_MS:
        return (
            "脉冲偏窄，快要漏数：擦光电头和反光片，再调电位器",
            "pulses are narrow, it will soon miss tiles: wipe eye and reflector, then turn its pot",
        )
    if row.too_long:
        return "有牌停在计数光电前过：查进牌槽", "a tile has stood before the counter: look into its channel"
    return "正常", "good"


def margin_lines(told: MarginAnswer, lang: Lang) -> Iterator[str]:
    """Yield a histogram for each side that saw something, and what it says."""
    for row in told.sides:
        yield (
            lang.say(f"{row.side} 号边", f"side {row.side}")
            + f"  {lang.say('牌', 'tiles')} {row.tiles}"
            + (f"  {row.shortest_ms}-{row.longest_ms} ms" if row.tiles else "")
            + (f"  {lang.say('太短', 'too short')} {row.too_short}" if row.too_short else "")
            + (f"  {lang.say('太长', 'too long')} {row.too_long}" if row.too_long else "")
            + f"  {lang.say(*margin_words(row))}"
        )
        most = max(count for _, count in row.bins)
        for place, (from_ms, count) in enumerate(row.bins):
            if count:
                to = f"{from_ms + 8}" if place + 1 < len(row.bins) else "   "
                yield f"  {from_ms:>3}-{to:<3} ms {count:>5}  {'█' * max(1, round(BAR * count / most))}"


def analog_lines(told: AnalogAnswer, lang: Lang) -> Iterator[str]:
    """Yield voltages, temperature and currents."""
    warm = (
        lang.say("线断了或短路", "broken or shorted wire")
        if told.temperature_c is None
        else f"{told.temperature_c:.1f} ℃"
    )
    rows = [
        (lang.say("电机电源", "motor supply"), f"{told.supply_v:.1f} V", f"{told.supply_mv} mV"),
        (lang.say("驱动板温度", "driver temperature"), warm, f"{told.temperature_mv} mV"),
        (lang.say("输送电流", "feeds"), f"{told.feed_ma} mA", ""),
        (lang.say("叠推电流", "stackers"), f"{told.stack_ma} mA", ""),
        (lang.say("其余电机电流", "drum, lifts, dice"), f"{told.main_ma} mA", ""),
    ]
    columns = max(width(name) for name, _, _ in rows) + 2
    for name, value, at_pin in rows:
        yield f"{padded(name, columns)}{padded(value, 12)}{at_pin}".rstrip()
