"""Name and password for a camera that asks for them: Digest where it can be, else Basic (RFC 7616, 7617)."""

from __future__ import annotations

import base64
import hashlib
import secrets
import urllib.parse
import urllib.request
from collections.abc import Iterable

_HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


class Login:
    """What a camera asked for last, and the answer to it.

    Args:
        name, password: as they stand in the address (percent-encoded), None = the address has none.
    """

    def __init__(self, name: str | None, password: str | None) -> None:
        self._name = None if name is None else urllib.parse.unquote(name)
        self._password = urllib.parse.unquote(password or "")
        self._asked: dict[str, str] | None = None
        self._uses = 0

    def learn(self, challenges: Iterable[str] | None) -> bool:
        """Take the WWW-Authenticate headers of a refusal; return whether it can be answered."""
        if self._name is None:
            return False
        known: dict[str, dict[str, str]] = {}
        for challenge in challenges or ():
            scheme, _, rest = challenge.strip().partition(" ")
            known[scheme.lower()] = urllib.request.parse_keqv_list(urllib.request.parse_http_list(rest))
        digest = known.get("digest")
        if digest and digest.get("algorithm", "MD5").upper() in _HASHES and "nonce" in digest:
            self._asked, self._uses = digest, 0
        elif "basic" in known:
            self._asked = {}
        else:
            return False
        return True

    def headers(self, method: str, target: str) -> dict[str, str]:
        """Return the header that answers what the camera asked last, none if it did not ask yet."""
        if self._asked is None or self._name is None:
            return {}
        if not self._asked:
            both = f"{self._name}:{self._password}".encode()
            return {"Authorization": f"Basic {base64.b64encode(both).decode('ascii')}"}
        return {"Authorization": self._digest(self._asked, method, target)}

    def _digest(self, asked: dict[str, str], method: str, target: str) -> str:
        hash_of = _HASHES[asked.get("algorithm", "MD5").upper()]

        def digest(*words: str) -> str:
            return hash_of(":".join(words).encode()).hexdigest()

        self._uses += 1
        realm, nonce, count = asked.get("realm", ""), asked["nonce"], f"{self._uses:08x}"
        who = digest(self._name or "", realm, self._password)
        what = digest(method, target)
        said = {"username": self._name or "", "realm": realm, "nonce": nonce, "uri": target}
        plain = {}
        if "auth" in [word.strip() for word in asked.get("qop", "").split(",")]:
            client = secrets.token_hex(8)
            said["cnonce"], plain = client, {"qop": "auth", "nc": count}
            said["response"] = digest(who, nonce, count, client, "auth", what)
        else:
            said["response"] = digest(who, nonce, what)
        said |= {key: asked[key] for key in ("opaque",) if key in asked}
        plain |= {key: asked[key] for key in ("algorithm",) if key in asked}
        words = [f'{key}="{_quoted(value)}"' for key, value in said.items()]
        return "Digest " + ", ".join([*words, *(f"{key}={value}" for key, value in plain.items())])


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
