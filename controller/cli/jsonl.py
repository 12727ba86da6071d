"""The `--jsonl` loop shared by commands: one JSON object a line in, one out, same order.

A line that cannot be read, or that the handler refuses, is answered with `{"error":{"code","message"}}`;
the lines after it are still answered.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from controller.cli.errors import CliError

Handler = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class LineRefused(Exception):
    """One line makes no sense; `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def answer_line(line: str, handler: Handler) -> dict[str, Any]:
    """Return the answer to one non-blank line of JSON, echoing its `id` if it has one."""
    request: Any = None
    try:
        request = _parse(line)
        answer = dict(handler(request))
    except LineRefused as error:
        answer = _error(error.code, str(error))
    if isinstance(request, dict) and "id" in request:
        answer = {"id": request["id"], **answer}
    return answer


def _parse(line: str) -> dict[str, Any]:
    try:
        line.encode()  # bytes that are no UTF-8 arrive as lone surrogates
        request = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise LineRefused("invalid", f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except UnicodeEncodeError as error:
        raise LineRefused("invalid", f"not UTF-8 at character {error.start + 1}") from error
    except ValueError as error:  # json refuses whole numbers of thousands of digits this way
        raise LineRefused("invalid", "a number is too long") from error
    except RecursionError as error:
        raise LineRefused("invalid", "nested too deeply") from error
    if not isinstance(request, dict):
        raise LineRefused("invalid", "a line must be one JSON object")
    return request


def _no_number(word: str) -> float:
    raise LineRefused("invalid", f"{word} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise LineRefused("invalid", f"{text} is too large a number")
    return number


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def run_jsonl(handler: Handler, source: TextIO | None = None, sink: TextIO | None = None) -> None:
    """Answer every line of `source` (stdin) on `sink` (stdout), flushing each; blank lines are skipped."""
    lines, out = source or sys.stdin, sink or sys.stdout
    if lines is None or out is None:  # `<&-` and `>&-`
        raise CliError(f"standard {'input' if lines is None else 'output'} is closed")
    for number, line in enumerate(lines):
        line = line.removeprefix("\ufeff") if number == 0 else line  # Windows editors put one there
        if line.strip():
            answer = json.dumps(answer_line(line, handler), ensure_ascii=False, allow_nan=False)
            out.write(answer + "\n")
            out.flush()
