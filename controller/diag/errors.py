"""Why a technician's question was not answered, in both languages."""

from __future__ import annotations

from controller.errors import ControllerError


class DiagError(ControllerError):
    """Nothing can be told; `zh` and `en` say what is wrong and what to do, `code` is for programs."""

    def __init__(self, code: str, zh: str, en: str) -> None:
        super().__init__(f"{zh} / {en}")
        self.code = code
        self.zh = zh
        self.en = en
