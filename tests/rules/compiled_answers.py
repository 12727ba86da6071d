"""Answers of whichever `rules` comes first on the module path, one JSON object a line.

    PYTHONPATH=.deps/compiled:. python -P -m tests.rules.compiled_answers

The first line tells which modules are extension modules; the others are the same from every right `rules`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rules.cases import answer_case
from rules.errors import RuleError
from rules.records import answer_record
from rules.variants import VARIANTS, get_variant
from rules.wait_records import answer_shanten, answer_waits
from tests.rules.mcr_hands import hands

SHARED = Path(__file__).resolve().parents[3] / "shared"
MCR_LIKE = [key for key in VARIANTS if key.startswith("mcr") or key == "lianzhong"]
GENERATED = 400  # hands, scored under every profile
SLICE = 20  # every so many-th hand of the shared ones is explained, too

Record = dict[str, Any]
Answer = Callable[[Record], Mapping[str, Any]]


def answers() -> Iterator[Record]:
    """Yield every answer: the shared hands and cases where they are, generated hands in any case."""
    mcr = get_variant("mcr")
    for name in ("vectors", "disputed", "rulings", "invalid"):
        yield from _each(name, _shared(name), partial(answer_record, mcr))
        yield from _each(name, _shared(name)[::SLICE], partial(answer_record, mcr, explain=True))
    yield from _each("waits", _shared("waits"), partial(answer_waits, mcr))
    yield from _each("waits", _shared("waits")[::SLICE], partial(answer_waits, mcr, explain=True))
    yield from _each("shanten", _shared("shanten"), partial(answer_shanten, mcr))
    yield from _each("cases", _cases(), answer_case)
    for key in MCR_LIKE:
        variant = get_variant(key)
        yield from _each(key, hands(7, GENERATED), partial(answer_record, variant))
        yield from _each(key, hands(8, GENERATED // SLICE), partial(answer_record, variant, explain=True))


def _each(of: str, records: Iterator[Record] | list[Record], answer: Answer) -> Iterator[Record]:
    for record in records:
        try:
            said = answer(record)
        except RuleError as error:
            said = {"error": {"code": error.code, "message": str(error)}}
        yield {"of": of, "id": record.get("id"), **said}


def _shared(name: str) -> list[Record]:
    path = SHARED / "data" / "mcr" / f"{name}.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _cases() -> list[Record]:
    """Return the cases of all rule sets; those that are not there yet are refused with a reason."""
    found = []
    for path in sorted((SHARED / "rules" / "cases").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        found += [{"variant": data["variant"], **case} for case in data["cases"]]
    return found


def extension_modules() -> list[str]:
    """Return the modules of `rules` that were loaded from an extension module."""
    loaded = [(name, getattr(module, "__file__", None)) for name, module in sys.modules.items()]
    return sorted(name for name, file in loaded if name.startswith("rules") and file and file.endswith(".so"))


def main() -> None:
    """Print the modules, then the answers."""
    print(json.dumps(extension_modules()))
    for answer in answers():
        print(json.dumps(answer, ensure_ascii=False))


if __name__ == "__main__":
    main()
